"""Edits: corrections that override what was learned."""

import json
import random
from pathlib import Path

import pytest

import dehusk
import demo_site
from dehusk import methods
from dehusk.base.errors import TemplateError, UsageError
from dehusk.base.tree import TEXT
from dehusk.marking.edits import Edit
from dehusk.marking.marking import Marking
from dehusk.methods.rules import Marks
from dehusk.page import Page
from dehusk.page.places import Naming, find
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.template import Template
from marked import thoroughly

PAGES = demo_site.pages()
SHOP = [html for name, html in PAGES.items() if name.startswith("shop/")]


def site(pages: int = 6, menu: str = "nav") -> list[str]:
    return [
        f"<html><body><{menu}><a href=/>Home</a> <ul><li>Blog<li>Shop</ul></{menu}>"
        f"<main><h2>Notes</h2><p>What page {k} alone has to say, in {'many ' * k}words.</p>"
        f"<p class=by>Written by author {k}, who has {k} children and a dog.</p></main>"
        "<footer>All rights kept</footer></body></html>"
        for k in range(pages)
    ]


@pytest.fixture(scope="module")
def template() -> Template:
    return dehusk.learn(site())


@pytest.fixture(scope="module")
def shop() -> Template:
    return dehusk.learn(SHOP)


@pytest.fixture(scope="module")
def both() -> Template:
    """The template of the demo site, which has two families."""
    return dehusk.learn(PAGES.values())


def test_an_edit_keeps_a_place_on_every_page_and_changes_nothing_else(template: Template) -> None:
    edited = template.edited(Edit.new("body > footer", keep=True))
    for html in site():
        before, after = template.clean(html).text, edited.clean(html).text
        assert after == before.rstrip("\n") + after[len(before.rstrip("\n")) :]
        assert after.split() == [*before.split(), "All", "rights", "kept"]


def test_an_edit_removes_a_place_from_every_page_and_changes_nothing_else(template: Template) -> None:
    edited = template.edited(Edit.new("body > main > p.by", keep=False))
    for html in site():
        before, after = template.clean(html).text, edited.clean(html).text
        assert "Written by" in before
        assert "Written by" not in after
        assert after.split() == before[: before.index("Written by")].split()


def test_a_part_of_a_removed_region_can_be_kept(template: Template) -> None:
    cleaned = template.edited(Edit.new("body > nav > ul > li:nth-of-type(2)", keep=True)).clean(site()[0])
    assert "Shop" in cleaned.text
    assert "Blog" not in cleaned.text
    assert "Home" not in cleaned.text


def test_the_deeper_edit_wins_whichever_came_first(template: Template) -> None:
    outer, inner = ("body > nav", True), ("body > nav > ul", False)
    for first, second in ((outer, inner), (inner, outer)):
        edited = template.edited(Edit.new(first[0], keep=first[1])).edited(Edit.new(second[0], keep=second[1]))
        for cleaned in (edited.clean(site()[0]), _slowly(edited, Page(site()[0]))):
            assert "Home" in cleaned.text
            assert "Blog" not in cleaned.text


def test_the_later_edit_of_a_node_wins(template: Template) -> None:
    edited = template.edited(Edit.new("body > footer", keep=True)).edited(
        Edit.new("body > footer:nth-of-type(1)", keep=False)
    )
    assert "rights" not in edited.clean(site()[0]).text
    assert "rights" in edited.edited(Edit.new("body > footer", keep=True)).clean(site()[0]).text


def test_the_same_edit_twice_is_one(template: Template) -> None:
    once = template.edited(Edit.new("body > footer", keep=True))
    twice = once.edited(Edit.new("body > nav", keep=True)).edited(Edit.new("body > footer", keep=True, why="again"))
    assert [(one.path, one.why) for one in twice.edits] == [("body > nav", ""), ("body > footer", "again")]


def test_an_edit_made_by_its_fields_is_checked_and_completed(template: Template, tmp_path: Path) -> None:
    edited = template.edited(Edit("body>nav", keep=True, why="look"))
    edited.save(tmp_path / "site.husk")
    (edit,) = dehusk.load(tmp_path / "site.husk").edits
    assert (edit.path, edit.why, len(edit.id), bool(edit.at)) == ("body > nav", "look", 8, True)
    with pytest.raises(UsageError, match="not a place"):
        template.edited(Edit("nonsense!!", keep=False))


def test_each_edit_can_be_undone_separately(template: Template) -> None:
    edited = template.edited(Edit.new("body > footer", keep=True)).edited(Edit.new("body > main > p.by", keep=False))
    first, second = edited.edits
    assert "rights" not in edited.without_edit(first.id).clean(site()[0]).text
    assert edited.without_edit(first.id).edits == (second,)
    assert edited.without_edit(second.id).without_edit(first.id) == template
    with pytest.raises(UsageError, match=f"no edit 123; there are {first.id}, {second.id}"):
        edited.without_edit("123")
    with pytest.raises(UsageError, match="there are no edits"):
        template.without_edit(first.id)


def test_reasons_name_who_when_and_why(template: Template) -> None:
    edited = template.edited(Edit.new("body > main > p.by", keep=False, by="Ann", why="it is no\n part of the text"))
    (removed,) = [one for one in edited.clean(site()[0]).removed if "Written" in one.text]
    (edit,) = edited.edits
    assert removed.reason.endswith(f", removed by an edit of Ann, {edit.at[:10]}: it is no part of the text")
    assert (removed.path, removed.confidence) == ("body > main > p:nth-of-type(2)", 1.0)
    assert template.edited(Edit.new("body > nav", keep=True)).edits[0].reason.startswith("kept by an edit, 2")


def test_a_node_kept_by_an_edit_says_so_and_the_rest_keeps_its_reason(template: Template) -> None:
    whole = template.mark(site()[0])
    marking = template.edited(Edit.new("body > nav > ul", keep=True, by="Bob")).mark(site()[0])
    (kept,) = find(marking.page, "body > nav > ul")
    assert "kept by an edit of Bob" in marking.reason(kept)
    assert marking.edit(kept + 1) is marking.edit(kept) is not None
    assert marking.edit(0) is None
    (link,) = find(marking.page, "body > nav > a")
    (nav,) = find(whole.page, "body > nav")
    assert marking.reason(link).split(", ", 1)[1] == whole.reason(nav).split(", ", 1)[1]
    assert marking.confidence(link) == whole.confidence(nav)
    asked = marking.chosen([], [dehusk.Role.BODY])
    assert asked.reason(link).endswith(whole.reason(nav).split(", ", 1)[1])


def test_roles_given_in_a_call_win_over_edits(template: Template) -> None:
    edited = template.edited(Edit.new("body > nav", keep=True))
    marking = edited.mark(site()[0])
    role = marking.role(*find(marking.page, "body > nav > ul"))
    cleaned = edited.clean(site()[0], drop=[str(role)])
    assert "Blog" not in cleaned.text
    assert all("edit" not in one.reason for one in cleaned.removed)


def test_edits_win_over_the_guard(template: Template) -> None:
    cleaned = template.edited(Edit.new("body > main", keep=False)).clean(site()[0])
    assert cleaned.text.split() == []
    assert cleaned.warnings == []
    page = Page("<body><div><p>The only words that this page has to say.</p></div><ul><li>One<li>Two</ul>")
    every = Marks(bytearray([1] * len(page.tree)), str)
    assert not any(Marking(page, every).flags[: page.tree.tag.index("ul")])
    kept = Marking(page, every, edits=[Edit("body > div > p", keep=True)])
    assert (kept.warnings, [page.tree.tag[node] for node in kept.topmost]) == ([], ["ul"])
    nothing = Marking(page, every, edits=[Edit("body > ul", keep=False)])
    assert nothing.warnings == [dehusk.PageWarning.NEARLY_ALL]


def test_an_edit_can_keep_or_remove_the_whole_page(template: Template) -> None:
    page = site()[2]
    whole = template.edited(Edit.new("body", keep=True))
    assert whole.clean(page).share_removed == 0
    nothing = template.edited(Edit.new("body", keep=False))
    for cleaned in (nothing.clean(page), _slowly(nothing, Page(page))):
        assert cleaned.text.split() == []
        assert cleaned.share_removed == 1


def test_an_edit_of_a_place_that_a_page_lacks_changes_nothing(template: Template) -> None:
    edited = template.edited(Edit.new("body > aside", keep=False))
    for html in site():
        assert edited.clean(html).html == template.clean(html).html


@pytest.mark.parametrize("scope", ["site", "family"])
def test_an_edit_applies_to_the_site_or_to_one_family(both: Template, scope: str) -> None:
    assert len(both.families) == 2
    goods, posts = ([html for name, html in PAGES.items() if name.startswith(part)] for part in ("shop/", "blog/"))
    family = both.clean(goods[0]).family
    edited = both.edited(Edit.new("body", keep=True, scope=scope, family=family if scope == "family" else None))
    assert len(edited.clean(goods[0]).text) > len(both.clean(goods[0]).text)
    assert (edited.clean(posts[0]).text == both.clean(posts[0]).text) == (scope == "family")
    assert edited.family_of(edited.edits[0]) == (family if scope == "family" else None)


def test_a_family_is_recognized_when_it_is_learned_again_from_other_pages(both: Template) -> None:
    goods, posts = ([html for name, html in PAGES.items() if name.startswith(part)] for part in ("shop/", "blog/"))
    again = dehusk.learn([*goods[:4], *posts], method="rtdm")
    for html in (goods[0], posts[0]):
        (edit,) = both.edited(Edit.new("body", keep=True, scope="family", family=both.clean(html).family)).edits
        assert again.family_of(edit) == again.clean(html).family
    other = dehusk.learn(site())
    assert other.family_of(edit) is None


def test_an_invalid_scope_is_refused(template: Template, both: Template) -> None:
    with pytest.raises(UsageError, match="say which family; there are 1, 2"):
        both.edited(Edit.new("body > footer", keep=True, scope="family"))
    with pytest.raises(UsageError, match="no family 3; there are 1, 2"):
        both.edited(Edit.new("body > footer", keep=True, scope="family", family="3"))
    with pytest.raises(UsageError, match="for the site, for a family of its pages, or for a page"):
        template.edited(Edit.new("body > footer", keep=True, scope="host"))
    with pytest.raises(UsageError, match="say which page"):
        Edit.new("body > footer", keep=True, scope="page")
    with pytest.raises(UsageError, match="a page is given, and the scope is"):
        Edit.new("body > footer", keep=True, page="a.html")
    with pytest.raises(UsageError, match="leave it out"):
        template.edited(Edit.new("body > footer", keep=True, family="1"))
    with pytest.raises(UsageError, match="not a place"):
        template.edited(Edit.new("footer", keep=True))
    assert template.edited(Edit.new("body > footer", keep=True, scope="family")).family_of is not None


def test_edits_whose_places_are_missing_are_reported(template: Template, both: Template) -> None:
    edited = template.edited(Edit.new("body > nav", keep=True)).edited(Edit.new("body > footer", keep=True))
    assert edited.missing(site()) == ()
    assert edited.missing(site(menu="header")) == edited.edits[:1]
    assert edited.missing([]) == edited.edits
    post = next(html for name, html in PAGES.items() if name.startswith("blog/"))
    family = both.edited(Edit.new("body > footer", keep=True, scope="family", family=both.clean(SHOP[0]).family))
    assert family.missing([post]) == family.edits
    assert family.missing([post, SHOP[0]]) == ()


def test_edits_are_in_the_file_and_an_older_dehusk_refuses_it(template: Template, tmp_path: Path) -> None:
    file = tmp_path / "site.husk"
    template.save(file)
    assert json.loads(file.read_text())["dehusk"] == 1
    edited = template.edited(Edit.new("body > nav", keep=True, scope="family", by="Ann", why="ü")).edited(
        Edit.new("body", keep=False)
    )
    edited.save(file)
    assert json.loads(file.read_text())["dehusk"] == 2
    assert dehusk.load(file).edits == edited.edits
    assert dehusk.load(file).clean(site()[0]).text == edited.clean(site()[0]).text
    edited.without_edit(edited.edits[0].id).without_edit(edited.edits[1].id).save(file)
    assert json.loads(file.read_text()) == template.to_json()


def test_edits_of_a_template_of_one_page_are_read_back(both: Template, tmp_path: Path) -> None:
    edited = dehusk.learn(site()[:1]).edited(Edit.new("body > footer", keep=True, scope="family"))
    edited.save(tmp_path / "site.husk")
    assert dehusk.load(tmp_path / "site.husk").edits == edited.edits
    assert "rights" in dehusk.load(tmp_path / "site.husk").clean(site()[1]).text
    assert both.family_of(edited.edits[0]) is None


def test_author_and_reason_of_an_edit_are_one_printable_line(template: Template) -> None:
    (edit,) = template.edited(Edit.new("body", keep=True, by="A\x1b[1mnn", why="so\n\x9bwhat")).edits
    assert (edit.by, edit.why) == ("A[1mnn", "so what")
    assert repr(template.edited(Edit.new("body", keep=True))) == "<Template: evidence, learned from 6 pages, 1 edit>"


@pytest.mark.parametrize(
    "damage",
    [
        *({"keep": 1}, {"path": "nav"}, {"path": 3}, {"scope": "page"}, {"scope": "family"}, {"family": "00"}),
        *({"by": 5}, {"scope": "family", "family": "some pages"}, {"scope": "family", "family": " "}),
        {"scope": "family", "family": " ".join(["0000abcd"] * 33)},
    ],
)
def test_a_damaged_edit_is_a_damaged_template(template: Template, damage: dict[str, object]) -> None:
    data = template.edited(Edit.new("body > nav", keep=True)).to_json()
    data["edits"][0] |= damage
    with pytest.raises(TemplateError):
        Template.from_json(data)


def test_edits_of_a_forged_file_cannot_send_control_characters_to_the_terminal(template: Template) -> None:
    data = template.edited(Edit.new("body > nav", keep=True)).to_json()
    data["edits"][0] |= {"by": "A\x1b[1m", "why": "a\nb\x9b", "at": "\x1b[2J", "id": "\t1", "path": "body >\nnav.\x9bm"}
    (edit,) = Template.from_json(data).edits
    assert (edit.by, edit.why, edit.at, edit.id, edit.path) == ("A[1m", "a b", "[2J", "1", "body > nav.\\9b m")


def test_a_place_is_normalized(template: Template) -> None:
    edits = template.edited(Edit.new("body>nav", keep=True)).edited(Edit.new(" BODY >\n nav", keep=True)).edits
    assert [one.path for one in edits] == ["body > nav"]


def test_a_template_has_a_limited_number_of_edits(template: Template, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.marking.edits.MOST_EDITS", 2)
    full = template.edited(Edit.new("body > nav", keep=True)).edited(Edit.new("body > p", keep=True))
    with pytest.raises(UsageError, match="undo some"):
        full.edited(Edit.new("body > footer", keep=True))
    data = full.to_json()
    data["edits"] *= 2
    with pytest.raises(TemplateError, match="damaged"):
        Template.from_json(data)


def _slowly(template: Template, page: Page) -> Cleaned:
    return Cleaned(thoroughly(template.mark(page)))


def _at_random(template: Template, html: str) -> Template:
    """A template with some edits, by paths and kinds of a page."""
    tree = Page(html).tree
    elements = [node for node, tag in enumerate(tree.tag) if tag != TEXT]
    for _ in range(random.randint(1, 5)):
        node = random.choice(elements)
        path = random.choice([Naming(tree).path, Naming(tree).kind])(node)
        template = template.edited(Edit.new(path, keep=random.random() < 0.5))
    return template


@pytest.mark.parametrize("_", range(8))
def test_the_quick_walk_and_marking_write_the_same_with_any_edits(shop: Template, _: int) -> None:
    edited = _at_random(shop, random.choice(SHOP))
    for html in random.sample(SHOP, 3):
        quick, slow = edited.clean(html), _slowly(edited, Page(html))
        for what in ("text", "markdown", "html", "share_removed", "warnings", "family", "length"):
            assert getattr(quick, what) == getattr(slow, what), edited.edits


def test_no_tree_is_built_to_write_a_page_with_edits_or_without(shop: Template) -> None:
    tree = Page(SHOP[0]).tree
    main = next(node for node, tag in enumerate(tree.tag) if tag == "main")
    edited = shop.edited(Edit.new("body > header", keep=True)).edited(Edit.new(Naming(tree).kind(main + 1), keep=False))
    for template in (shop, edited, edited.edited(Edit.new("body > nowhere", keep=False))):
        cleaned = template.clean(SHOP[0])
        assert cleaned.text
        assert cleaned.markdown
        assert cleaned.html
        assert (cleaned.warnings, cleaned.family) == ([], "1")
        assert 0 < cleaned.share_removed < 1
        assert "_walked" not in cleaned.page.__dict__
        assert cleaned.removed
        assert "_walked" in cleaned.page.__dict__


@pytest.mark.parametrize("method", methods.METHODS)
def test_edits_work_with_every_method(method: str) -> None:
    template = dehusk.learn(SHOP[:5], method=method)
    for html in SHOP[:2]:
        edited = _at_random(template, html)
        page = Page(html)
        marking = edited.mark(page)
        for node, text in enumerate(page.tree.text):
            if text and (edit := marking.edit(node)):
                assert marking.flags[node] != edit.keep


def test_an_edit_of_a_family_whose_pages_share_no_text_is_read_back() -> None:
    one = dehusk.learn(["<p>Only one page.</p>"]).edited(Edit.new("body > p", keep=True, scope="family"))
    assert Template.from_json(json.loads(json.dumps(one.to_json()))).edits == one.edits


@pytest.mark.parametrize("place", ["body > header > h1", "body > header"])
def test_an_edit_removes_the_title_too(place: str) -> None:
    html = "<title>Tide {0}</title><header><h1>Tide {0}</h1><p>By the harbour</p></header><p>{1}</p><footer>Us</footer>"
    site = dehusk.learn([html.format(k, f"Water number {k} rises and falls twice a day. " * 5) for k in range(4)])
    page = html.format(2, "Water rises. " * 20)
    assert "Tide 2" in site.clean(page).text
    edited = site.edited(Edit.new(place, keep=False)).clean(page)
    assert "Tide 2" not in edited.text
    assert "Tide 2" not in edited.markdown


def test_an_edit_of_one_page_is_for_this_page_alone(template: Template) -> None:
    edited = template.edited(Edit.new("body > footer", keep=True, scope="page", page="a.html"))
    html = b"<body><main><p>What only this page says, in some words.</main><footer>Feet of the site</footer>"
    on, off = (edited.edits_on(Page(html, name=name)) for name in ("a.html", "b.html"))
    assert (len(on), len(off)) == (1, 0)
    assert edited.edits_on(Page(html, url="a.html")) == on
    assert edited.missing([Page(html, name="b.html")]) == ()
    assert Template.from_json(edited.to_json()).edits == edited.edits
    wrong = {**edited.to_json(), "edits": [{**edited.edits[0].to_json(), "scope": "site"}]}
    with pytest.raises(TemplateError):
        Template.from_json(wrong)
