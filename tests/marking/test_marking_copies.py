"""Marked pages that have a block twice: reasons, edits, chosen roles, and both ways of finding the nodes to remove."""

from collections.abc import Iterator, Sequence

import pytest

import dehusk
from dehusk.marking.edits import Edit
from dehusk.marking.marking import TWICE, Marking
from dehusk.methods.rules import Marks
from dehusk.page import Node, Page
from marked import thoroughly

BOATS = "The fishing boats go out before nine in the morning and come back with the tide, late in the day."
NETS = "Their nets are mended by hand on the quay, with twine from the shop behind the harbour master's house."
HTML = (
    f"<main><h1>Boats and nets</h1><div class=desktop><p>{BOATS}</p></div><div class=mobile><p>{BOATS}</p></div>"
    f"<p>{NETS}</p></main>"
)
DESKTOP, MOBILE = ("body > main > div.desktop", "body > main > div.mobile")


def marked(*edits: Edit, once: bool = True) -> Marking:
    """A page on which a method finds no template, by a quick walk."""
    page = Page(HTML)
    marks = Marks(lambda: bytearray(len(page.tree)), lambda _: "template", topmost=[], once=once)
    return Marking(page, marks, edits=edits)


def places(marking: Marking) -> list[str]:
    """The places of the removed parts, which must be the same in both ways."""
    kinds = [part.kind for part in marking.removed]
    assert [marking.page.nodes[node] for node in marking.topmost] == list(marking.gone)
    assert [part.kind for part in thoroughly(marking).removed] == kinds
    assert list(thoroughly(marking).gone) == list(marking.gone)
    return kinds


def test_the_copy_is_removed_with_a_reason() -> None:
    marking = marked()
    assert places(marking) == [MOBILE]
    (part,) = marking.removed
    assert part.text == BOATS
    assert part.reason.endswith(f", {TWICE}")
    assert part.confidence == 1.0
    assert list(marking.page.strings_without(marking.gone)) == ["Boats and nets", BOATS, NETS]


def test_methods_that_do_not_ask_for_it_keep_both() -> None:
    assert places(marked(once=False)) == []


def test_an_edit_keeps_the_copy() -> None:
    assert places(marked(Edit.new(MOBILE, keep=True))) == []


def test_if_an_edit_removes_the_original_the_copy_stays() -> None:
    marking = marked(Edit.new(DESKTOP, keep=False))
    assert places(marking) == [DESKTOP]
    assert TWICE not in marking.removed[0].reason


def test_an_edit_of_another_place_does_not_change_the_reason() -> None:
    marking = marked(Edit.new("body > main > h1", keep=False))
    assert places(marking) == ["body > main > h1", MOBILE]
    assert [TWICE in part.reason for part in marking.removed] == [False, True]


def test_roles_that_are_removed_on_request_are_not_called_copies() -> None:
    marking = marked().chosen((), ("title",))
    assert {part.text: TWICE in part.reason for part in marking.removed} == {"Boats and nets": False, BOATS: True}


def test_text_markdown_and_html_have_it_once_with_the_default_method() -> None:
    cleaned = dehusk.clean(HTML)
    assert [written.count("go out before nine") for written in (cleaned.text, cleaned.markdown, cleaned.html)] == [
        1,
        1,
        1,
    ]
    assert [TWICE in part.reason for part in cleaned.removed] == [True]


@pytest.mark.parametrize("method", ["chunks", "pagelets", "rtdm"])
def test_published_methods_write_what_they_keep(method: str) -> None:
    pages = [HTML, HTML.replace("nine", "ten").replace("Boats", "Ships")]
    assert dehusk.learn(pages, method=method).clean(pages[0]).text.count(" before nine ") == 2


def test_the_guard_and_the_search_for_copies_read_the_texts_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    marking, strings = marked(), Page.strings_without
    read: list[Sequence[Node]] = []

    def counted(page: Page, gone: Sequence[Node]) -> Iterator[str]:
        read.append(gone)
        return strings(page, gone)

    monkeypatch.setattr(Page, "strings_without", counted)
    assert len(marking.gone) == 1
    assert len(read) == 2
