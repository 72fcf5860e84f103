"""Which texts may tell who wrote a page, and when."""

import re
from types import ModuleType
from typing import Any

import pytest

from conftest import kernel_versions
from dehusk.metadata import _wording as wording
from dehusk.metadata import dates
from dehusk.metadata.stated import plain
from dehusk.page import Page

both = pytest.mark.parametrize("kernel", kernel_versions("walking"))

FOLDERS, ADDRESSES = frozenset({"authors", "u"}), ("profile.php",)


def signs(kernel: ModuleType) -> Any:
    return kernel.Signs(frozenset({"by", "von"}), frozenset({"written"}), "by", "[class*=byline i]", FOLDERS, ADDRESSES)


def told(kernel: ModuleType, html: str, *, most: int = 1000, only_dates: bool = False) -> list[tuple[str, int]]:
    """What of a body may tell something: the text, and what it may be."""
    body: Any = Page(f"<body>{html}</body>").body
    found = kernel.Signs() if only_dates else signs(kernel)
    walk = kernel.Telling(iter(body.descendants), most, found, set(), frozenset({"script"}), plain)
    return [(text, tells) for text, _, tells, *_ in walk]


@both
@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<p>By Ida Fern", ["By Ida Fern"]),
        ("<p> - VON Ida", [" - VON Ida"]),
        ("<p>Written in ink<p>Written\n  by<p>the sea", ["Written\n  by", "the sea"]),
        ("<p>by<b>Ida</b>said", ["by", "Ida"]),
        ("<div class=the-Byline><p><b>Ida</b><i><u>Bo</u></i></div>", ["Ida"]),
        ("<a href=/authors/ida>Ida Fern</a><a href=/boats/ida>Bo Holm</a><a href=/u/7/>Ida</a>", ["Ida Fern"]),
        ("<a href='/Profile.php?7'><b>Ida von Fern</b></a><a href=/u/7>Ida fern</a>", ["Ida von Fern"]),
        ("<p>Q&amp;A<script>by Ida</script>", ["Q&A"]),
        ("<p>Bypass the town<p>_by Ida<p>7 by Ida", []),
        ("<p>By " + "word " * 40, []),
    ],
)
def test_a_text_may_name_people_by_its_label_its_element_or_its_link(
    kernel: ModuleType, html: str, names: list[str]
) -> None:
    assert [text for text, tells in told(kernel, html) if tells & kernel.MAY_NAME] == names


@both
@pytest.mark.parametrize("only_dates", [False, True])
def test_dates_are_told_by_digits_and_by_times(kernel: ModuleType, only_dates: bool) -> None:
    html = "<p>May 6, 2024<p>6.5.24<p>12.5<p>room 123<time>now</time><time datetime=2024>now</time>"
    assert [one for one in told(kernel, html, only_dates=only_dates) if one[1] != kernel.MAY_NAME] == [
        ("May 6, 2024", kernel.MAY_DATE),
        ("6.5.24", kernel.MAY_DATE),
        ("12.5", kernel.MAY_DATE),
        ("2024", kernel.IS_TIME),
    ]


@both
def test_each_text_comes_with_the_two_that_are_shown_before_it(kernel: ModuleType) -> None:
    body: Any = Page("<p>a<p>b<script>x</script><p> <p>\u200b<p>c<p>2024").body
    found = kernel.Telling(body.descendants, 1000, signs(kernel), set(), frozenset({"script"}), plain)
    assert [one[3:] for one in found] == [("b", "c")]


@both
def test_no_more_nodes_are_read_than_asked_for(kernel: ModuleType) -> None:
    assert told(kernel, "<p>2023<p>2024", most=3) == [("2023", kernel.MAY_DATE)]


@both
def test_an_element_around_the_first_node_counts_too(kernel: ModuleType) -> None:
    paragraph: Any = next(iter(Page("<div class=byline><h1>x</h1>Ida</div>").headings("h1"))).node
    found = kernel.Telling(paragraph.following, 9, signs(kernel), set(), frozenset(), plain)
    assert [one[0] for one in found] == ["Ida"]


TEXTS = (
    "By Ida Fern", "by", "posted by Ida", "Written   by",
    "ПО АВТОР Ида", "Автор: Ида", "作者：王", "¡Por Ida!", "BY: x",
    "6/5/24", "٢٠٢٤", "20\xad24", "x&nbsp;y", "\u200b", " \n ", "Ida Fern", "Ida van der Fern", "ida Fern",
    "O'Neil J. Bo",
    "Šárka Nová", "王 小明", "x" * 159 + " 2024", "x " * 80, "\x85\u2028", "v" * 170, "a\x00b 2024", "…by", "½ by",
)  # fmt: skip


@both
@pytest.mark.parametrize("text", TEXTS)
def test_nothing_is_passed_over_that_words_or_dates_would_take(kernel: ModuleType, text: str) -> None:
    bits = kernel.look(text, kernel.Signs(wording.LABELS, wording.BEFORE_BY, "by"))
    odd, label, person, date, line = bits & 16, bits & 4, bits & 8, bits & 2, plain(text[:400])
    assert bool(line) == bool(bits) or odd
    if not odd and len(line) <= 160:
        assert date or not dates.MAY_BE.search(line)
        assert label or not wording.after_label(line)
        assert person or not wording.is_person(line)


@both
@pytest.mark.parametrize("text", ["Ab c-1_d", "STRASSE ß", "—", "", "Ünï 12½ ²", "\u0130x"])
def test_a_folded_text_has_its_letters_and_digits_alone(kernel: ModuleType, text: str) -> None:
    assert kernel.folded(text) == "".join(re.findall(r"[^\W_]+", text.casefold()))


@both
def test_names_are_tag_id_class_and_role_whichever_an_element_has(kernel: ModuleType) -> None:
    page = Page("<body><p>x<p title=t>x<p id=a>x<p role=b title=t>x<p class='c d' id=a role=b>x<p>x</body>")
    index: dict[Any, int] = {}
    numbers = kernel.names(page.nodes, page.tree.tag, index)
    assert list(index) == [
        ("body", None, None, None),
        ("p", None, None, None),
        ("p", "a", None, None),
        ("p", None, None, "b"),
        ("p", "a", "c d", "b"),
    ]
    assert list(numbers) == [0, 1, -1, 1, -1, 2, -1, 3, -1, 4, -1, 1, -1]


@both
def test_a_tree_may_be_long_and_deep(kernel: ModuleType) -> None:
    depth, items = 150, 1200
    body: Any = Page(f"<body>{'<div>' * depth}{'<i>x</i>' * items}</body>").body
    nodes, parent, size, tags, texts, _ = kernel.walk(body, frozenset())
    assert (len(nodes), len(parent), len(size)) == (1 + depth + 2 * items,) * 3
    assert list(parent[: depth + 1]) == list(range(-1, depth))
    assert list(parent[depth + 1 :: 2]) == [depth] * items
    assert (tags[-1], texts[-1], parent[-1], size[0]) == ("#text", "x", depth + 2 * items - 1, len(nodes))
