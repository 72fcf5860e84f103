"""Evidence for each role, with an example page for each."""

import pytest

from dehusk.page import Page
from dehusk.roles import Role, judged
from dehusk.roles.sight import PageSight

PROSE = "<p>The tide came in at noon, and by two the whole of the quay stood under water, as it does each spring.</p>"
TITLE = "<title>The tide | Island Post</title>"


def roles(html: str, *gone: str, kind: str | None = "article") -> dict[str, Role]:
    """The role of each block by its text, on a page where some texts are template."""
    page = Page(html)
    flags = [any(text == one for one in gone) for text in page.tree.text]
    return {one.block.text: one.role for one in judged(page, flags, kind)}


@pytest.mark.parametrize(
    ("html", "text", "role"),
    [
        ("<h1>The tide</h1>", "The tide", Role.TITLE),
        ('<p class="byline">By Ada Holm</p>', "By Ada Holm", Role.BYLINE),
        ("<p>By Ada Holm</p>", "By Ada Holm", Role.BYLINE),
        ("<p>4 May 2024</p>", "4 May 2024", Role.DATE),
        ("<p>2024年5月4日</p>", "2024年5月4日", Role.DATE),
        ("<div><time>last week</time></div>", "last week", Role.DATE),
        (
            '<p class="standfirst">Water stood on the quay, says Ada.</p>',
            "Water stood on the quay, says Ada.",
            Role.LEAD,
        ),
        (f"{PROSE}<h2>Later on</h2>", "Later on", Role.HEADING),
        ("<figure><img src=a><figcaption>A wave</figcaption></figure>", "A wave", Role.CAPTION),
        ("<pre>rm -r sea</pre>", "rm -r sea", Role.CODE),
    ],
)
def test_content_roles_are_found_by_tags_names_and_shapes(html: str, text: str, role: Role) -> None:
    assert roles(f"{TITLE}{html}{PROSE}")[text] is role


@pytest.mark.parametrize(
    ("html", "text", "role"),
    [
        ("<nav><a href=/a>News</a></nav>", "News", Role.NAVIGATION),
        ("<p><a href=/a>News</a></p>", "News", Role.NAVIGATION),
        ('<p class="breadcrumb"><a href=/>Home</a></p>', "Home", Role.BREADCRUMBS),
        ('<p><a href="#a">Later</a></p>', "Later", Role.CONTENTS),
        (
            "<p><a href=/b>Herring were seen again in the bay</a></p>",
            "Herring were seen again in the bay",
            Role.RELATED,
        ),
        ('<p><a href="https://twitter.com/share?u=1">Zwitschern</a></p>', "Zwitschern", Role.TOOLS),
        ('<div class="sponsored">Buy ropes</div>', "Buy ropes", Role.ADVERTISEMENT),
        ("<div>Werbung</div>", "Werbung", Role.ADVERTISEMENT),
        ('<ul class="share"><li>Post it</ul>', "Post it", Role.TOOLS),
        ("<form><label>Your town</label></form>", "Your town", Role.FORM),
        ("<p>© Island Post</p>", "© Island Post", Role.LEGAL),
        ('<div class="cookie-banner">We set some</div>', "We set some", Role.LEGAL),
        ('<div class="newsletter">Each Monday, to you</div>', "Each Monday, to you", Role.PROMOTION),
        ("<div>Island Post</div>", "Island Post", Role.MASTHEAD),
        ('<div id="wm-ipp"><p>7 saved</p></div>', "7 saved", Role.NOTICE),
        ('<div id="comments"><p>So wet!</p></div>', "So wet!", Role.COMMENT),
        ('<p class="tags"><a href=/t>sea</a></p>', "sea", Role.TAGS),
    ],
)
def test_template_roles_are_found_by_links_names_and_phrases(html: str, text: str, role: Role) -> None:
    assert roles(f"{TITLE}<h1>The tide</h1>{PROSE}{html}", text)[text] is role


def test_a_heading_in_the_template_gets_the_role_of_the_text_below_it() -> None:
    html = f"{PROSE}<aside><h3>Weather</h3><ul><li><a href=/a>Herring were seen in the bay</a></ul></aside>"
    assert roles(html, "Weather", "Herring were seen in the bay")["Weather"] is Role.RELATED


@pytest.mark.parametrize(("kind", "role"), [("forum", Role.POST), ("article", Role.BODY)])
def test_kept_text_of_a_forum_is_a_post(kind: str, role: Role) -> None:
    assert set(roles(PROSE, kind=kind).values()) == {role}


@pytest.mark.parametrize("kind", ["product", "listing", "collection"])
def test_short_kept_texts_on_product_pages_are_records(kind: str) -> None:
    assert roles(f"<div>700 m</div>{PROSE}", kind=kind)["700 m"] is Role.RECORD


def test_a_table_of_names_and_values_is_a_record_on_a_product_page() -> None:
    html = f"{PROSE}<table><tr><th>Weight<td>1.6 kg<tr><th>Depth<td>30 cm</table>"
    assert roles(html, kind="product")["1.6 kg"] is Role.RECORD
    assert roles(html, kind="documentation")["1.6 kg"] is Role.TABLE


def test_a_byline_beside_a_teaser_belongs_to_the_teaser() -> None:
    far = "".join(f"<p><a href=/{k}>Herring were seen again in the bay, {k}</a></p>" for k in range(9))
    texts = [f"Herring were seen again in the bay, {k}" for k in range(9)]
    found = roles(f"{PROSE}<div>{far}<p class=byline>By Ada Holm</p></div>", *texts, "By Ada Holm")
    assert found["By Ada Holm"] is not Role.BYLINE


def test_each_text_is_in_one_block_and_each_role_has_a_meaning() -> None:
    page = Page(f"<div>One <b>two</b><p>three</p>four</div>{PROSE}")
    blocks = [one.block for one in judged(page, bytes(len(page.tree)))]
    assert [block.text for block in blocks[:3]] == ["One two", "three", "four"]
    texts = [text for block in blocks for text in block.texts]
    assert texts == [node for node, text in enumerate(page.tree.text) if text]
    assert all(role.meaning for role in Role)


def test_a_heading_influences_the_role_of_the_text_below_it() -> None:
    page = Page(f"{PROSE}<div><h3>Related stories</h3><p>Herring</p></div><div><h3>Ropes</h3><p>Nets</p></div>")
    sight = PageSight(page, bytes(len(page.tree)), "article")
    under = {block.text: "under related" in sight.signs(block) for block in sight.blocks}
    assert [text for text, related in under.items() if related] == ["Herring"]


def test_a_long_list_beside_a_manual_is_its_contents() -> None:
    names = [f"Chapter of nets {number}" for number in range(20)]
    items = "".join(f"<li><a href={number}.html>{name}</a>" for number, name in enumerate(names))
    html = f"{PROSE * 3}<ul>{items}</ul>"
    assert roles(html, *names, kind="documentation")[names[0]] is Role.CONTENTS
    assert roles(html, *names, kind="product")[names[0]] is not Role.CONTENTS


def test_the_title_that_the_metadata_tell_has_this_role_whatever_is_below_it() -> None:
    page = Page("<h1>A day at sea</h1><div class=byline><p>By Ada Fern</p></div><p>The water rises.</p>")
    flags = bytearray(tag not in ("#text", "p") for tag in page.tree.tag)
    flags[page.tree.text.index("A day at sea")] = 1
    number = page.tree.tag.index("h1")
    by_points, by_metadata = (judged(page, flags, "article", title) for title in (None, (number, 0.75)))
    assert by_metadata[0].role is Role.TITLE
    assert by_points[0].role is Role.TITLE or by_metadata[0].confidence == 0.75
    assert [one.role for one in by_metadata[1:]] == [one.role for one in by_points[1:]]


@pytest.mark.parametrize("kind", ["article", "service", "listing", "documentation", "product"])
@pytest.mark.parametrize("rest", [PROSE, "<main><p>own</p></main>", f"<main><h1>The tide</h1>{PROSE}</main>"])
def test_a_bare_menu_without_links_is_navigation(kind: str, rest: str) -> None:
    assert roles(f"<nav>menu</nav>{rest}", "menu", kind=kind)["menu"] is Role.NAVIGATION


def test_a_heading_that_repeats_the_title_is_the_title() -> None:
    page = Page(f"{TITLE}<h1>The tide</h1>{PROSE}<h2>THE TIDE</h2>{PROSE}<h2>The tides</h2>{PROSE}")
    heading = page.numbers[next(page.headings("h1")).node]
    found = {one.block.text: one.role for one in judged(page, bytearray(len(page.tree)), "article", (heading, 1.0))}
    assert (found["The tide"], found["THE TIDE"], found["The tides"]) == (Role.TITLE, Role.TITLE, Role.HEADING)
