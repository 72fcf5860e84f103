"""Pagelets: how a page is cut, when two are similar, what is removed."""

import json
import math
import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.errors import UsageError
from dehusk.base.tree import TEXT, Tree, sizes
from dehusk.marking.marking import Marking
from dehusk.methods import METHODS
from dehusk.methods.pagelets import LINKS, MINIMA, WINDOW, Pagelets, learn, load, pagelets, shingle_of
from dehusk.page import Page
from dehusk.templates.template import as_page
from trees import Nested, trees

LINK = "<a href=x>link</a>"
MENU = f"<nav>Menu {LINK * 4}</nav>"


def found(html: str, links: int = LINKS) -> list[str]:
    """The ids of the pagelets, or their tags."""
    tree = Page(html).tree
    return [tree.attributes[node].get("id", tree.tag[node]) for node in pagelets(tree, links)]


def rules(*pages: str | Page, links: int = LINKS) -> Pagelets:
    learned = learn([as_page(page) for page in pages], links=links).rules
    assert isinstance(learned, Pagelets)
    return learned


def kept(marked: Pagelets, html: str | Page) -> list[str]:
    page = as_page(html)
    flags = Marking(page, marked.mark(page)).flags
    return [text for text, gone in zip(page.tree.text, flags, strict=True) if text and not gone]


def site(*own: str) -> list[str]:
    return [f"{MENU}<p>{words}</p>" for words in own]


def test_a_number_of_links_that_cuts_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="1 or more"):
        METHODS["pagelets"].check({"links": 0})


def test_a_page_with_few_links_is_one_pagelet() -> None:
    assert found(f"<div>{LINK}</div><div>{LINK * 2}</div>") == ["body"]


def test_an_element_is_divided_when_a_child_contains_three_links() -> None:
    assert found(f"<div>{LINK * 3}</div><div>text</div>") == ["div", "div"]
    assert found(f"<div>{LINK * 3}</div><div>text</div>", links=4) == ["body"]


def test_a_child_that_is_a_link_contains_one_so_a_list_of_links_is_one_pagelet() -> None:
    assert found(f"<nav id=menu>{LINK * 9}</nav>") == ["menu"]
    assert found(f"<nav id=menu>{LINK * 9}</nav>", links=1) == ["a"] * 9


def test_links_are_counted_at_any_depth() -> None:
    menu = f"<ul id=menu>{f'<li><b>{LINK}</b></li>' * 3}</ul>"
    assert found(f"<section><div id=box>{menu}<p id=p>text</p></div></section>") == ["menu", "p"]


def test_no_pagelet_lies_in_another() -> None:
    assert found(f"<div id=outer><p>{LINK * 2}</p></div><div id=menu>{LINK * 3}</div>") == ["outer", "menu"]


def test_an_anchor_without_a_target_is_not_a_link_and_an_area_is() -> None:
    assert found("<div>" + "<a name=x>here</a>" * 5 + "</div>") == ["body"]
    assert found("<map>" + "<area href=x>" * 3 + "</map>") == ["map"]


def test_text_directly_in_a_divided_element_belongs_to_no_pagelet_and_is_never_template() -> None:
    page = f"stray words{MENU}<p>"
    marked = rules(page + "one", page + "two", page + "three")
    assert kept(marked, page + "four") == ["stray words", "four"]


def by_definition(tree: Tree, links: int) -> list[int]:
    def contains(node: int) -> int:
        return sum(tree.tag[k] == "a" for k in range(node, node + tree.size[node]))

    def undivided(node: int) -> bool:
        return tree.tag[node] != TEXT and all(contains(child) < links for child in tree.children(node))

    return [
        node
        for node in range(len(tree))
        if undivided(node) and not any(undivided(above) for above in tree.ancestors(node))
    ]


def markup(tree: Nested) -> str:
    label, children = tree
    inner = "".join(map(markup, children))
    return {"a": f"<x-l>{inner}<a href=x>l</a></x-l>", "t": f"text{inner}"}.get(label, f"<x-b>{inner}</x-b>")


@given(trees(labels="aabt", leaves=14), st.integers(1, 4))
def test_the_pagelets_are_those_of_the_definition(drawn: Nested, links: int) -> None:
    tree = Page(markup(drawn)).tree
    assert list(pagelets(tree, links)) == by_definition(tree, links)


def test_the_shingle_does_not_mind_case_and_white_space() -> None:
    assert shingle_of("Home  News\nSport Weather Help") == shingle_of("home news sport weather help")


def test_the_shingle_is_the_same_in_every_process_and_version() -> None:
    assert shingle_of("home news sport weather help") == "b5e671ca58ca1a61"


def test_texts_shorter_than_a_window_have_the_same_shingle_only_if_equal() -> None:
    assert len({shingle_of(text) for text in ("home", "news", "home news", "news home", "|")}) == 5


def test_shingles_agree_with_the_probability_given_by_the_common_windows() -> None:
    draw = random.Random(7)
    agreed = 0
    for _ in range(400):
        words = [f"{draw.random()}" for _ in range(40 + WINDOW - 1)]
        # One more word adds one window to 40; 40 of 41 are in common.
        agreed += shingle_of(" ".join(words)) == shingle_of(" ".join([*words, "more"]))
    expected = (40 / 41) ** MINIMA
    assert abs(agreed / 400 - expected) < 4 * math.sqrt(expected * (1 - expected) / 400)


def test_texts_with_half_of_their_windows_in_common_hardly_ever_agree() -> None:
    draw = random.Random(7)
    words = [[f"{draw.random()}" for _ in range(30)] for _ in range(100)]
    assert sum(shingle_of(" ".join(one)) == shingle_of(" ".join(one + one[:15][::-1])) for one in words) < 5


def test_a_pagelet_on_two_pages_is_template_and_on_one_is_not() -> None:
    marked = rules(*site("one", "two"), MENU + "<p>three</p><div>Twice</div>", MENU + "<p>four</p><div>Twice</div>")
    assert [(group.pages, group.text) for group in sorted(marked.groups.values())] == [
        (2, "Twice"),
        (4, "Menu link link link link"),
    ]
    assert kept(marked, MENU + "<p>one</p><div>Twice</div><p>new</p>") == ["one", "new"]


def test_a_pagelet_twice_on_one_page_is_not_template() -> None:
    assert rules(f"<p>again</p><p>again</p><div>{LINK * 3}</div>", "<p>other</p>").groups == {}


def test_a_pagelet_without_text_is_not_template() -> None:
    page = f"<p></p><div><img src=x></div><div>{'<a href=x></a>' * 3}</div>"
    assert rules(page, page + "<p>other").groups == {}


def test_an_element_is_removed_if_all_its_pagelets_are() -> None:
    menus = f"<header><hr><div>{LINK * 3}</div><div>{LINK * 4}</div></header>"
    page = Page(menus + "<p>new</p>")
    marks = rules(menus + "<p>one</p>", menus + "<p>two</p>").mark(page)
    marking = Marking(page, marks)
    assert [page.tree.tag[node] for node in marking.topmost] == ["header"]
    assert marks.reason(1) == "all its pagelets are on several sampled pages"
    assert marks.reason(3) == marks.reason(5) == "in a pagelet that is on 2 of 2 sampled pages"


def test_a_changed_word_does_not_save_a_long_menu() -> None:
    words = " ".join(f"entry{k}" for k in range(400))
    menu = f"<nav>{LINK * 3} {words} {{}}</nav><p>{{}}</p>"
    marked = rules(menu.format("monday", "one"), menu.format("monday", "two"))
    assert kept(marked, menu.format("tuesday", "three")) == ["three"]


def test_the_rules_survive_json_and_are_readable() -> None:
    marked = rules(*site("one", "two"), links=2)
    written = json.loads(json.dumps(marked.to_json()))
    shingle = shingle_of("Menu link link link link")
    pagelet = {"pages": 2, "text": "Menu link link link link"}
    assert written == {"pages": 2, "links": 2, "pagelets": {shingle: pagelet}}
    assert load(written) == marked


@pytest.mark.parametrize(
    "damage",
    [
        {"pagelets": []},
        {"pagelets": {"a": 1}},
        {"pagelets": {"a": {"pages": "x", "text": ""}}},
        {"links": None},
        {"pages": "x"},
    ],
)
def test_damaged_rules_are_refused(damage: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        load(rules(*site("one", "two")).to_json() | damage)


@pytest.mark.parametrize("missing", ["pages", "links", "pagelets"])
def test_rules_with_a_part_missing_are_refused(missing: str) -> None:
    data = rules(*site("one", "two")).to_json()
    del data[missing]
    with pytest.raises(KeyError):
        load(data)


@pytest.mark.parametrize("pages", [[], site("one"), ["", "<body></body>"], ["<p>one", "<p>two"]])
def test_few_empty_and_different_pages_have_no_template(pages: list[str]) -> None:
    marked = rules(*pages)
    assert marked.groups == {}
    assert kept(marked, MENU)[0] == "Menu"


def test_a_long_list_and_a_deep_page_are_marked() -> None:
    wide = Page(f"<ul>{MENU}{''.join(f'<li>item {k}</li>' for k in range(10_000))}</ul>")
    deep = Page(MENU + "<div>" * 200_000 + "own")
    marked = rules(deep, wide)
    assert [group.text for group in marked.groups.values()] == ["Menu link link link link"]
    assert kept(marked, wide) == [f"item {k}" for k in range(10_000)]
    assert kept(marked, deep) == ["own"]


def test_a_tree_deeper_than_any_stack_is_cut_too() -> None:
    deep, links = 200_000, 3
    parent = array("i", [*range(-1, deep - 1), *[deep - 1] * links])
    tag = ["div"] * deep + ["a"] * links
    link = [""] * deep + ["x"] * links
    tree = Tree(parent, sizes(parent), tag, [""] * len(tag), link, [{}] * len(tag))
    assert list(pagelets(tree)) == [deep - 1]
