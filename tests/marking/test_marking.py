"""Marked pages: flags closed over the tree, regions with reasons, and the guard against empty pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk import render
from dehusk.base.errors import PageWarning
from dehusk.marking._flags import FEW_CHARACTERS, NEARLY_ALL
from dehusk.marking.marking import Marking
from dehusk.methods.rules import Marks
from dehusk.page import Page
from dehusk.page.places import find
from dehusk.roles import Role
from trees import Nested, page, trees

LONG = "An article of many words that nobody else has. " * 10


def marking(html: str, *gone: str, confidence: float = 1.0) -> Marking:
    """A page on which a method flags these texts and elements, given by text or `tag#id`."""
    one = Page(html)
    tree = one.tree
    names = [
        text or f"{tag}#{attributes.get('id', '')}"
        for tag, text, attributes in zip(tree.tag, tree.text, tree.attributes, strict=True)
    ]
    assert set(gone) <= set(names)
    flags = bytearray(name in gone for name in names)
    return Marking(one, Marks(flags, lambda node: f"because of {names[node]}", confidence=lambda _: confidence))


def left(marked: Marking) -> list[str]:
    return [text for text, gone in zip(marked.page.tree.text, marked.flags, strict=True) if text and not gone]


def test_a_wrapper_is_removed_only_if_its_whole_content_is() -> None:
    html = f"<div id=a><p id=b>menu</p></div><div id=c><p>menu</p>{LONG}</div>"
    marked = marking(html, "div#a", "p#b", "menu", "div#c", "p#")
    assert [marked.page.tree.tag[node] for node in marked.topmost] == ["div", "p"]
    assert left(marked) == [LONG.strip()]


@given(trees("ab", leaves=8), st.data())
def test_flags_are_those_of_nodes_whose_whole_subtree_is_flagged(tree: Nested, data: st.DataObject) -> None:
    one = page(tree)
    size = one.tree.size
    flags = bytearray(data.draw(st.lists(st.booleans(), min_size=len(size), max_size=len(size))))
    marked = Marking(one, Marks(bytearray(flags), str))
    assert list(marked.flags) == [all(flags[node : node + size[node]]) for node in range(len(size))]
    assert marked.warnings == [PageWarning.NO_TEXT]


def test_the_marks_of_a_method_are_not_changed() -> None:
    one = Page(f"<div>menu</div>{LONG}")
    flags = bytearray([0, 1, 0, 0])
    Marking(one, Marks(flags, str))
    assert flags == bytearray([0, 1, 0, 0])


def test_regions_are_the_topmost_nodes_in_document_order_and_never_the_body() -> None:
    marked = marking("<hr><div id=a><hr></div>", "body#", "hr#", "div#a")
    assert marked.topmost == [1, 2]
    assert marked.gone == [marked.page.nodes[1], marked.page.nodes[2]]


def test_removed_parts_have_place_text_reason_and_confidence() -> None:
    html = f"<main><div id=menu>Home <b>Blog</b></div><hr id=line>{LONG}</main>"
    marked = marking(html, "div#menu", "Home", "b#", "Blog", "hr#line", confidence=0.123456)
    (removed,) = marked.removed  # the line has no text
    assert (removed.path, removed.text) == ("body > main > div#menu", "Home Blog")
    assert removed.kind == "body > main > div#menu"
    assert (removed.reason, removed.confidence) == ("navigation, because of div#menu", 0.1235)
    assert marked.reason(marked.topmost[1]) == "because of hr#line"


def test_places_of_very_deep_parts_take_a_small_multiple_of_the_page() -> None:
    html = "<div>" * 400 + "<p>menu</p>what stays here" * 600
    marked = marking(html, "p#", "menu")
    removed, tree = marked.removed, marked.page.tree
    assert sum(len(one.path) + len(one.kind) for one in removed) < 20 * len(html)
    assert find(marked.page, removed[0].path) == [marked.topmost[0]]
    (around,) = find(marked.page, removed[-1].path)
    assert around in tree.ancestors(marked.topmost[-1])


def test_roles_are_kept_or_dropped_as_requested_and_the_rest_is_unchanged() -> None:
    html = (
        f"<nav id=a><a href=/>Home</a></nav><div id=c class=comments><p>Well said!</p></div><h1>Tides</h1><p>{LONG}"
        "<figure><img src=a.png><figcaption>A wave</figcaption></figure>"
    )
    marked = marking(html, "nav#a", "a#", "Home", "div#c", "Well said!", confidence=0.5)
    chosen = marked.chosen({Role.COMMENT}, {Role.TITLE, Role.CAPTION})
    assert left(chosen) == ["Well said!", LONG.strip()]
    assert [(one.text, one.reason, one.confidence) for one in chosen.removed] == [
        ("Home", "navigation, because of nav#a", 0.5),
        ("Tides", "title, as asked for", 1.0),
        ("A wave", "caption, as asked for", 1.0),
    ]
    assert not chosen.flags[chosen.page.tree.tag.index("img")]
    assert left(marked) == ["Tides", LONG.strip(), "A wave"]


def test_the_rest_of_a_partly_kept_part_keeps_its_reason() -> None:
    html = f"<div id=a><nav><a href=/>Home</a></nav><div class=comments><p>Well said!</p></div></div><p>{LONG}"
    names = ("div#a", "nav#", "a#", "Home", "div#", "p#", "Well said!")
    chosen = marking(html, *names).chosen({Role.COMMENT}, set())
    assert [(one.text, one.reason) for one in chosen.removed] == [("Home", "navigation, because of div#a")]


def test_the_share_removed_is_of_letters() -> None:
    marked = marking("<p>ab  cd</p><p>efgh ijkl mnop</p>", "ab cd")
    assert marked.length == 16
    assert marked.share_removed == 4 / 16


def test_an_empty_page_has_nothing_to_remove_and_a_warning() -> None:
    marked = marking("")
    assert (marked.topmost, marked.removed, marked.share_removed) == ([], [], 0)
    assert marked.warnings == [PageWarning.NO_TEXT]


def test_warnings_of_the_method_follow() -> None:
    one = Page("<body></body>")
    marked = Marking(one, Marks(bytearray(1), str, (PageWarning.OTHER_SITE,)), family="2")
    assert marked.warnings == [PageWarning.NO_TEXT, PageWarning.OTHER_SITE]
    assert marked.family == "2"


def test_if_nearly_everything_would_be_removed_the_page_keeps_all_but_menus() -> None:
    marked = marking(f"<nav>Home</nav><p>{LONG}</p><a>Next</a>", "Home", LONG.strip(), "Next", "p#", "nav#", "a#")
    assert left(marked) == [LONG.strip()]
    assert marked.warnings == [PageWarning.NEARLY_ALL]


def test_the_guard_restores_whole_sentences_with_the_title_first() -> None:
    html = (
        "<header><a href=x>Home</a><h1>The pier</h1></header><p><a href=y>Other pages</a></p>"
        "<p>It is open from <b><a href=z>March</a></b> to October.</p>"
    )
    marked = marking(html, "Home", "The pier", "Other pages", "It is open from", "March", "to October.")
    assert render.text(marked.page, marked.gone) == "The pier\n\nIt is open from March to October.\n"
    assert marked.warnings == [PageWarning.NEARLY_ALL]


@pytest.mark.parametrize("tag", ["a", "nav", "header", "footer", "aside", "button", "label", "form"])
def test_the_guard_does_not_restore_anything_inside_menus_headers_and_footers(tag: str) -> None:
    marked = marking(f"<{tag}><div><p>Home</p></div></{tag}><p>{LONG}</p>", "Home", LONG.strip())
    assert left(marked) == [LONG.strip()]


def test_if_only_menus_would_be_left_everything_is_restored() -> None:
    marked = marking("<nav><a>Home</a><a>Blog</a></nav>", "nav#", "a#", "Home", "Blog")
    assert left(marked) == ["Home", "Blog"]
    assert not any(marked.flags)
    assert marked.warnings == [PageWarning.NEARLY_ALL]


def test_ten_letters_are_enough_for_any_length_of_page() -> None:
    few, enough_letters = "x" * (FEW_CHARACTERS - 1), "x" * FEW_CHARACTERS
    long = LONG * 10
    for own, warnings in ((few, [PageWarning.NEARLY_ALL]), (enough_letters, [])):
        marked = marking(f"<p>{long}</p><i>{own}</i>", long.strip(), "p#")
        assert len(own) < NEARLY_ALL * len(long)
        assert marked.warnings == warnings


def test_a_share_of_the_text_is_enough_for_any_number_of_letters() -> None:
    words = "Forty letters, more or less, are in here"
    marked = marking(f"<p>{words}</p><i>x</i>", words)
    assert marked.warnings == []
    assert left(marked) == ["x"]


TITLED = f"""<title>A long tide - Harbour</title><header id=top><b>Harbour</b><h1>A long tide</h1><p>Menu</p></header>
<p>{LONG}</p>"""
HEADER = ("header#top", "b#", "Harbour", "h1#", "A long tide", "p#", "Menu")


def test_the_title_stays_where_it_is_if_other_text_does_and_the_rest_keeps_its_reason() -> None:
    marked = marking(TITLED, *HEADER)
    assert left(marked) == ["A long tide", LONG.strip()]
    assert [(one.text, one.reason.partition(", ")[2]) for one in marked.removed] == [
        ("Harbour", "because of header#top"),
        ("Menu", "because of header#top"),
    ]
    assert marked.title is not None
    assert marked.title.text == "A long tide"


def test_the_title_does_not_stay_alone() -> None:
    marked = marking(TITLED.replace(LONG, "Menu"), *HEADER)
    assert marked.warnings == [PageWarning.NEARLY_ALL]  # the guard decides
    assert left(marking("<hr><h1></h1>", "body#", "hr#", "h1#")) == []


def test_a_heading_that_is_not_the_title_goes() -> None:
    assert left(marking(TITLED.replace("<h1>A long tide", "<h1>All about boats"), "h1#", "All about boats")) == [
        "Harbour",
        "Menu",
        LONG.strip(),
    ]


def test_the_title_has_its_role_and_can_be_dropped() -> None:
    marked = marking(TITLED, *HEADER)
    title = next(node for node, text in enumerate(marked.page.tree.text) if text == "A long tide")
    assert marked.role(title) is Role.TITLE
    dropped = marked.chosen((), ("title",))
    assert left(dropped) == [LONG.strip()]
    assert dropped.title is None


def test_the_title_is_looked_for_only_if_a_heading_is_lost_that_may_be_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Marking, "reader", None)
    assert left(marking(TITLED, "Menu")) == ["Harbour", "A long tide", LONG.strip()]
    other = marking(f"<title>Tides</title><h1>Tides</h1><h2>Boats</h2><p>{LONG}</p>", "h2#", "Boats")
    assert left(other) == ["Tides", LONG.strip()]


def test_a_page_without_text_is_of_no_kind() -> None:
    marks = Marks(bytearray(2), str, kind=("forum", 0.9))
    assert Marking(Page("<hr>"), marks).kind is None
    assert Marking(Page("<p>words"), Marks(bytearray(3), str, kind=("forum", 0.9))).kind == ("forum", 0.9)
