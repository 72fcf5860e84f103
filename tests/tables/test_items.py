"""Items: units that a page repeats."""

from dehusk.page import Page
from dehusk.tables import _items as items
from dehusk.tables._items import Items
from dehusk.tables.lines import Read

WORDS = "The harbour was quiet this morning, and the boats stayed in."


def thread(number: int, posts: int, first: str = "li.post") -> Read:
    """A thread of some posts; the first may be in another element."""
    tag, _, name = first.partition(".")
    opening = post(tag, name, number, 0) if first != "li.post" else ""
    answers = "".join(post("li", "post", number, at) for at in range(posts))
    page = Page(f"<body><h1>Thread {number}</h1>{opening}<ul>{answers}</ul><p>Footer</p></body>")
    return Read(page, bytes(len(page.tree)))


def post(tag: str, name: str, number: int, at: int) -> str:
    body = f"<div class=body><p>{WORDS} Note {number} {at}.</p><p>And {WORDS.lower()}</p></div>"
    head = f"<div class=head><b class=author>User {at % 2}</b> <i class=when>{at + 1} May 2020</i></div>"
    return f"<{tag} class={name}>{head}{body}<span>Reply</span></{tag}>"


def learned(*pages: Read) -> Items:
    found = items.learn(pages)
    assert found is not None
    return found


def test_posts_have_an_author_a_date_and_a_text() -> None:
    pages = [thread(1, 4), thread(2, 3)]
    rows = learned(*pages).rows(pages[0])
    assert [row["author"] for row in rows] == ["User 0", "User 1", "User 0", "User 1"]
    assert [row["when_value"] for row in rows] == [f"2020-05-0{day}" for day in range(1, 5)]
    assert rows[0]["text"] == f"{WORDS} Note 1 0.\nAnd {WORDS.lower()}"


def test_the_first_post_may_be_in_another_element() -> None:
    pages = [thread(1, 4, "section.opening"), thread(2, 3, "section.opening")]
    assert [len(learned(*pages).rows(page)) for page in pages] == [5, 4]


def test_what_a_template_has_of_a_post_is_still_a_column() -> None:
    pages = []
    for page in (thread(1, 4), thread(2, 3)):
        gone = bytearray(len(page.tree))
        for node, tag in enumerate(page.tree.tag):
            if tag == "b":
                gone[node : node + page.tree.size[node]] = b"\1" * page.tree.size[node]
        pages.append(Read(page.page, gone))
    assert learned(*pages).rows(pages[0])[1]["author"] == "User 1"


def test_pages_that_repeat_nothing_have_no_items() -> None:
    pages = [Read(page, bytes(len(page.tree))) for page in (Page("<h1>One</h1>"), Page("<h1>Two</h1>"))]
    assert items.learn(pages) is None


def test_items_are_the_same_after_they_were_saved() -> None:
    pages = [thread(1, 4), thread(2, 3)]
    found = learned(*pages)
    again = Items.from_json(found.to_json())
    assert again.rows(pages[1]) == found.rows(pages[1])


def test_a_row_above_a_row_is_the_head_of_a_post_even_if_it_is_template() -> None:
    pages = []
    for number in (1, 2):
        rows = "".join(
            f"<tr class=top><td>User {at % 2} on <i class=when>{at + 1} May 2020</i></td></tr>"
            f"<tr><td class=rank>Sailor {at % 3}</td><td><p class=said>{WORDS} Note {number} {at}.</p></td></tr>"
            for at in range(4)
        )
        page = Page(f"<body><h1>Thread {number}</h1><table>{rows}</table></body>")
        gone = page.flagged(page.select("tr.top"))
        pages.append(Read(page, gone))
    found = learned(*pages).rows(pages[0])
    assert [row["when_value"] for row in found] == [f"2020-05-0{day}" for day in range(1, 5)]
    assert [row["rank"] for row in found] == ["Sailor 0", "Sailor 1", "Sailor 2", "Sailor 0"]
    assert found[1]["text"] == f"{WORDS} Note 1 1."
