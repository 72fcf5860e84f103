"""Site style tree: the importances of the paper, which nodes are noise, and what is removed from pages."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.marking.marking import Marking
from dehusk.methods import style_tree
from dehusk.methods._style_nodes import (
    COMPARED_NODES,
    LEAF,
    LEVELS,
    Content,
    ElementNode,
    build,
    characteristic,
    entropy,
    leaves,
    similar,
)
from dehusk.methods.style_tree import (
    MEANINGFUL,
    MIXED,
    NOISY,
    SiteStyleTree,
    composite_importances,
    leaf_importance,
    learn,
    load,
    mark,
    node_importance,
)
from dehusk.page import Page
from trees import Nested, html, trees

NAVIGATION = "<ul id=menu><li><a href=/>Home</a></li><li><a href=/about>About us</a></li></ul>"
FOOTER = (
    "<div id=footer><p>Copyright <a href=/legal>Example Press</a> 2003</p><div><i>All rights reserved</i></div></div>"
)
ARTICLES = [
    "<p>Rivers <b>rise</b> after heavy rain</p><p>Bridges were closed on Monday</p>",
    "<p>A new <b>library</b> opens downtown</p><p>Its shelves hold many rare books</p>",
    "<p>Scientists <b>measure</b> glacier speed</p><p>Ice moves faster every summer now</p>",
    "<p>Local team <b>wins</b> its final match</p><p>Thousands celebrated until midnight</p>",
]


def site(articles: list[str] = ARTICLES, before: str = NAVIGATION, after: str = FOOTER) -> list[Page]:
    return [Page(f"<body>{before}<div id=main><div>{article}</div></div>{after}</body>") for article in articles]


def contents(*bodies: str, virtual_leaves: bool = True) -> list[Content]:
    return [Content(Page(f"<body>{body}</body>").tree, virtual_leaves=virtual_leaves) for body in bodies]


def grown(*bodies: str, likeness: float | None = 0.85) -> tuple[list[ElementNode], list[Content]]:
    pages = contents(*bodies)
    return build(pages, frequency=0.85, likeness=likeness), pages


def kept(rules: SiteStyleTree, page: Page) -> list[str]:
    """The texts of a page that are not noise."""
    flags = rules.mark(page).flags
    return [text for text, gone in zip(page.tree.text, flags, strict=True) if text and not gone]


def rules_of(pages: list[Page], **options: Any) -> SiteStyleTree:
    rules = learn(pages, **options).rules
    assert isinstance(rules, SiteStyleTree)
    return rules


def test_the_importance_of_the_papers_double_lined_table_is_0_292() -> None:
    assert node_importance([35, 25, 25, 15], 100) == pytest.approx(0.292, abs=0.0005)


def test_an_element_with_one_style_has_no_node_importance_and_one_of_a_single_page_has_all() -> None:
    assert node_importance([100], 100) == 0
    assert node_importance([1], 1) == 1


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(1, 8))
def test_node_importance_is_between_0_and_1(places: list[int], pages: int) -> None:
    assert 0 <= node_importance(places, pages) <= 1


def test_leaf_importance_is_the_mean_over_distinct_features() -> None:
    pages = contents("same one one one", "same two")
    assert leaf_importance([(0, 0), (1, 0)], pages, 2) == pytest.approx(1 - (1 + 0 + 0) / 3)


def test_a_leaf_without_features_has_importance_0_unless_only_one_page_has_it() -> None:
    assert leaf_importance([(0, 0), (1, 0)], contents("", "<hr>"), 2) == 0
    assert leaf_importance([(0, 0)], contents(""), 1) == 1


def test_composite_importance_weighs_an_elements_own_importance_by_its_number_of_styles() -> None:
    same, other = "<p>x <b>y</b></p><p><i>z</i></p>", "<p>x <b>y</b></p><p><i>z</i></p><hr>"
    tree, pages = grown(same, same, other, other, likeness=None)
    own = node_importance([2, 2], 4)
    assert own == pytest.approx(0.5)
    assert composite_importances(tree, pages)[0] == pytest.approx((1 - 0.9**2) * own)


def test_composite_importance_weighs_styles_by_their_pages_and_averages_over_their_elements() -> None:
    rows = [f"<p><b>same</b></p><div><b>alone{k}</b></div>" for k in range(3)]
    tree, pages = grown(*rows, "<p><b>same</b></p><div><b>alone</b></div><hr>", likeness=None)
    own = node_importance([3, 1], 4)
    # Three of four pages have two elements: one always says the same, the other never. The fourth page is unique.
    below = 3 / 4 * (0 + 1) / 2 + 1 / 4 * 1
    assert own == pytest.approx(0.4056, abs=1e-4)
    assert composite_importances(tree, pages)[0] == pytest.approx((1 - 0.9**2) * own + 0.9**2 * below)


@settings(max_examples=60, deadline=None)
@given(st.lists(trees(leaves=5), min_size=1, max_size=4), st.sampled_from([None, 0.5, 0.85]))
def test_all_composite_importances_are_between_0_and_1(drawn: list[Nested], likeness: float | None) -> None:
    tree, pages = grown(*(html(one) for one in drawn), likeness=likeness)
    assert all(0 <= importance <= 1 for importance in composite_importances(tree, pages))


@settings(max_examples=60, deadline=None)
@given(st.lists(trees(leaves=5), min_size=2, max_size=4))
def test_the_styles_of_an_element_cover_its_places_and_those_of_its_children_are_theirs(drawn: list[Nested]) -> None:
    tree, pages = grown(*(html(one) for one in drawn))
    for number, element in enumerate(tree):
        if element.styles:
            assert sum(style.places for style in element.styles.values()) == len(element.places)
        for page, node in element.places if element.styles else ():
            below = element.styles[pages[page].style(node)].elements
            for child, place in zip(below, pages[page].children(node), strict=True):
                assert child is None or (child > number and (page, place) in tree[child].places)


BOX = "<div id=box><p>same <b>words</b></p></div>"
RULED = "<div id=box><p>same <b>words</b></p><hr></div>"
REST = "<ul><li><b>z</b></li></ul>"


def test_the_share_of_a_style_is_that_of_the_elements_places_not_of_its_pages() -> None:
    # Merged, the box is twice on the first page and once on the second, where its style differs.
    tree, pages = grown(BOX + BOX + REST, RULED + REST)
    (number,) = (number for number, element in enumerate(tree) if element.label == "div#box")
    box = tree[number]
    assert [style.places for style in box.styles.values()] == [2, 1]
    importance = composite_importances(tree, pages)
    words = 1 - entropy([2, 1], 2)
    below = 2 / 3 * words + 1 / 3 * (words + 1) / 2  # only one page has the rule
    own = node_importance([2, 1], 2)
    assert importance[number] == pytest.approx((1 - 0.9**2) * own + 0.9**2 * below)


def test_equation_5_counts_how_often_a_feature_occurs_on_a_page() -> None:
    pages = contents("same same same", "same")
    assert leaf_importance([(0, 0), (1, 0)], pages, 2) == pytest.approx(1 - entropy([3, 1], 2))
    assert entropy([3, 1], 2) == pytest.approx(0.811, abs=0.001)


def test_the_importance_of_an_element_is_by_the_pages_that_have_it() -> None:
    with_box = [BOX + REST, BOX + REST, RULED + REST, RULED + REST]
    tree, pages = grown(*with_box, REST, REST, REST, REST, likeness=None)
    (number,) = (number for number, element in enumerate(tree) if element.label == "div#box")
    text = tree[next(child for style in tree[number].styles.values() for child in style.elements if child)]
    assert (tree[number].pages, text.label, text.pages) == (4, "p", 2)
    importance = composite_importances(tree, pages)
    assert importance[tree.index(text)] == 0  # its pages have the same text
    assert importance[number] == pytest.approx((1 - 0.9**2) * node_importance([2, 2], 4))


def test_a_feature_is_noisy_by_the_pages_that_have_its_element() -> None:
    said = [f"<div id=by><p><b>Written by</b> <i>{name}</i></p></div>" for name in ("Ann", "Bob", "Cid")]
    pages = [Page(f"<body>{one}{REST}</body>") for one in (*said, "", "<hr>", "<hr><hr>")]
    assert kept(rules_of(pages), pages[0]) == ["Ann"]


def test_elements_of_only_one_page_are_not_built() -> None:
    tree, _ = grown("<div><p><b>a</b></p></div>", "<ul><li><b>b</b></li></ul>")
    assert len(tree) == 1
    assert [style.elements for style in tree[0].styles.values()] == [[None], [None]]


def test_a_virtual_leaf_has_only_leaves_in_it() -> None:
    tree = contents("<hr><div><p>a <b>b</b></p></div>")[0].tree
    assert tree.tag == ["body", "hr", "div", "p", "#text", "b", "#text"]
    assert list(leaves(tree, virtual=True)) == [0, 1, 0, 1, 1, 1, 1]
    assert list(leaves(tree, virtual=False)) == [0, 1, 0, 0, 1, 1, 1]


def test_an_element_that_is_a_leaf_on_some_pages_has_leaf_as_one_more_style() -> None:
    leaf, inner = (
        "<div id=x>{} plain</div><div><p><b>z</b></p></div>",
        "<div id=x><p><b>bold</b></p></div><div><p><b>z</b></p></div>",
    )
    tree, pages = grown(leaf.format("one"), leaf.format("two"), inner, inner + " ")
    mixed = tree[1]
    assert [(len(style), node.places) for style, node in mixed.styles.items()] == [(1, 2), (1, 2)]
    (only,) = mixed.styles[LEAF].elements
    assert only is not None
    assert tree[only].places == [(0, 1), (1, 1)]
    assert composite_importances(tree, pages)[only] == pytest.approx(2 / 3)


def test_equal_elements_of_different_styles_are_one_element() -> None:
    menu = "<ul><li>home about <b>contact</b></li></ul>"
    apart, _ = grown(f"{menu}<p>x<i>y</i></p>", f"<p>z<i>w</i></p><hr>{menu}", likeness=None)
    merged, _ = grown(f"{menu}<p>x<i>y</i></p>", f"<p>z<i>w</i></p><hr>{menu}")
    assert len(apart) == 1
    assert [(element.label, element.pages) for element in merged] == [("body", 2), ("ul", 2), ("li", 2)]


def test_elements_of_one_style_are_merged_only_through_another_style() -> None:
    twice, once = "<p>same <b>words</b></p><p>same <b>words</b></p>", "<p>same <b>words</b></p>"
    only, _ = grown(twice, twice + " ")
    assert [len(element.places) for element in only] == [2, 2, 2]
    both, _ = grown(twice, once)
    assert [len(element.places) for element in both] == [2, 3]


@pytest.mark.parametrize("last", ["twenty", "another"], ids=["identical", "nearly identical"])
def test_elements_of_one_style_stay_two_though_another_style_has_their_label(last: str) -> None:
    words = "one two three four five six seven eight nine ten eleven twelve"
    two = f"<p>{words} <b>twenty</b></p><p>{words} <b>{last}</b></p>"
    tree, _ = grown(two, two + " ", "<p>else <b>where</b></p><hr>", "<p>else <b>where</b></p><hr> ")
    assert [len(element.places) for element in tree if element.label == "p"] == [2, 2, 2]


@pytest.mark.parametrize(("having", "found"), [(17, {"w"}), (16, set())])
def test_a_feature_on_exactly_the_share_of_pages_is_characteristic(having: int, found: set[str]) -> None:
    pages = [
        Content(Page(f"<p>{'w' if number < having else number}</p>").tree, virtual_leaves=True) for number in range(20)
    ]
    assert characteristic([(number, 1) for number in range(20)], pages, 0.85) == found


def test_a_feature_is_characteristic_by_the_share_of_pages_not_of_places() -> None:
    first = contents("<p>v w</p>" + "<p>v</p>" * 7, "<p>w</p>")
    places = [(page, node) for page, one in enumerate(first) for node, tag in enumerate(one.tree.tag) if tag == "p"]
    assert characteristic(places, first, 0.85) == {"w"}


def test_likeness_merges_connected_components() -> None:
    words = [f"w{number}" for number in range(24)]
    texts = [" ".join(words[start : start + 20]) for start in (0, 1, 2, 3)]
    bodies = [f"<p>{text}</p><div><p><b></b></p></div>{'<hr>' * number}" for number, text in enumerate(texts)]
    tree, _ = grown(*bodies)
    assert ("p", 4) in [(element.label, element.pages) for element in tree]  # the first and the last overlap by 17 / 23


@settings(max_examples=60)
@given(st.lists(st.frozensets(st.sampled_from("abcdefgh"), min_size=1), max_size=10), st.sampled_from([0.3, 0.5, 0.85]))
def test_similar_finds_the_same_pairs_by_rare_features_as_by_looking_at_all(
    sets: list[frozenset[str]], likeness: float
) -> None:
    many = sets + [frozenset([str(number)]) for number in range(40)]
    expected = {
        (one, other)
        for other in range(len(sets))
        for one in range(other)
        if len(sets[one] & sets[other]) >= likeness * len(sets[one] | sets[other])
    }
    assert len(sets) < COMPARED_NODES
    assert set(similar(sets, likeness)) == expected
    assert set(similar(many, likeness)) == expected


def test_every_sibling_is_marked_and_noisy_is_strictly_less() -> None:
    tree, _ = grown(*["<div><p>a<b>b</b></p></div><div><p>c<b>d</b></p></div>"] * 2, likeness=None)
    assert [element.label for element in tree] == ["body", "div", "div", "p", "p"]
    assert mark(tree, [0.2, 0.2, 0.2, 0.9, 0.1], 0.3) == [MIXED, MEANINGFUL, NOISY, MEANINGFUL, NOISY]
    assert mark(tree, [0.3, 0.2, 0.2, 0.2, 0.3], 0.3) == [MIXED, NOISY, MEANINGFUL, NOISY, MEANINGFUL]
    assert mark(tree, [0.2] * 5, 0.3) == [NOISY] * 5


def test_navigation_and_footer_are_removed_and_articles_are_kept() -> None:
    pages = site()
    rules = rules_of(pages)
    for page in pages:
        found = kept(rules, page)
        assert len(found) == 4
        assert not {"Home", "About us", "Copyright", "All rights reserved"} & set(found)


def test_a_new_page_of_the_site_is_cleaned_too() -> None:
    rules = rules_of(site())
    (page,) = site(["<p>Fresh <b>bread</b> at dawn</p><p>Bakers start at three</p>"])
    assert kept(rules, page) == ["Fresh", "bread", "at dawn", "Bakers start at three"]


@pytest.mark.parametrize("likeness", [None, 0.85])
@pytest.mark.parametrize("place", [0, -1], ids=["the first style", "the last style"])
def test_an_inner_element_with_two_styles_is_entered_on_pages_of_either(likeness: float | None, place: int) -> None:
    banner = "<div id=top><p>Home <b>About</b></p></div>"
    pages = [
        Page(f"<body><section>{banner}<article><p>{one}</p></article>{more}</section>{REST}</body>")
        for more, part in (("", ARTICLES[:2]), ("<hr>", ARTICLES[2:]))
        for one in part
    ]
    found = kept(rules_of(pages, likeness=likeness), pages[place])
    assert "Home" not in found
    assert len(found) == 4


def test_a_removed_region_says_its_importance() -> None:
    page = site()[0]
    marking = Marking(page, rules_of(site()).mark(page))
    assert [(one.path, one.reason) for one in marking.removed] == [
        ("body > ul#menu", "navigation, importance 0.00 on 4 sampled pages, less than 0.3"),
        ("body > div#footer:nth-of-type(2)", "legal, importance 0.00 on 4 sampled pages, less than 0.3"),
    ]


def test_in_a_meaningful_element_a_text_is_removed_only_if_all_its_features_are_noisy() -> None:
    pages = site([f"<b>Written by</b> <i>{name}</i> <u>by {name}</u>" for name in ("Ann", "Bob", "Cid", "Dora")])
    assert kept(rules_of(pages), pages[0]) == ["Ann", "by Ann"]
    assert kept(rules_of(pages, epsilon=0), pages[0]) == ["Written by", "Ann", "by Ann"]


def test_a_page_whose_body_has_an_unseen_style_is_kept_whole_and_reported() -> None:
    rules = rules_of(site())
    (page,) = site(["<p>News</p>"], before=NAVIGATION + "<hr>")
    marking = Marking(page, rules.mark(page))
    assert not any(marking.flags)
    assert marking.warnings == ["the style of its body is on no sampled page: kept whole"]
    assert not rules.mark(site()[0]).warnings


def test_the_body_style_of_every_sampled_page_is_known_even_if_it_is_unique() -> None:
    pages = [*site(), Page("<body><h1>Lone</h1><div><p>page <b>here</b></p></div></body>")]
    assert rules_of(pages).mark(pages[-1]).warnings == ()


def test_a_higher_threshold_removes_more() -> None:
    bodies = [f"<p>tag {word} common words here <b>again</b></p>" for word in ("red", "blue", "red", "green")]
    pages = site(bodies)
    assert kept(rules_of(pages, threshold=0.9), pages[0]) == []
    assert kept(rules_of(pages, threshold=0.01), pages[0]) == ["tag red common words here"]


def test_fewer_than_two_pages_remove_nothing() -> None:
    page = site()[0]
    for pages in ([], [page]):
        assert not any(rules_of(pages).mark(page).flags)


def test_pages_with_nothing_in_common_and_empty_bodies_remove_nothing() -> None:
    apart = [Page("<p>a</p><p>b <i><b>c</b></i></p>"), Page("<ul><li><a>d</a></li></ul>")]
    assert not any(rules_of(apart).mark(apart[0]).flags)
    empty = [Page("<body></body>"), Page("<body> </body>")]
    assert len(rules_of(empty).mark(empty[0]).flags) == 1


@pytest.mark.parametrize("options", [{}, {"likeness": None}, {"virtual_leaves": False}, {"epsilon": 0.0}])
def test_loaded_rules_are_the_ones_written(options: dict[str, Any]) -> None:
    pages = [*site(), *site(["<p>Dawn <b>chorus</b></p>"], before="<p>Sale <b>now</b></p>" + NAVIGATION)]
    rules = rules_of(pages, **options)
    assert load(json.loads(json.dumps(rules.to_json()))) == rules
    assert len(rules.elements) > 2


@settings(max_examples=60, deadline=None)
@given(st.lists(trees(leaves=5), min_size=1, max_size=4))
def test_rules_of_any_pages_survive_saving_and_mark_the_same(drawn: list[Nested]) -> None:
    pages = [Page(f"<body>{html(one)} text</body>") for one in drawn]
    rules = rules_of(pages)
    again = load(json.loads(json.dumps(rules.to_json())))
    assert again == rules
    for page in pages:
        marks = rules.mark(page)
        assert again.mark(page).flags == marks.flags
        assert all(marks.reason(node) for node, gone in enumerate(marks.flags) if gone)


@pytest.mark.parametrize(
    "damage",
    [
        {"elements": None},
        {"elements": [{"element": "body"}]},
        {"elements": [{"element": "body", "pages": 2, "importance": 0.1, "verdict": "odd"}]},
        {"elements": [{"element": "body", "pages": 2, "importance": 0.1, "verdict": "mixed", "styles": ["0:p"]}]},
        {"elements": [{"element": "body", "pages": 2, "importance": 0.1, "verdict": "mixed", "styles": ["7:p"]}]},
        {"threshold": "high"},
    ],
)
def test_damaged_rules_are_refused(damage: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        load({**rules_of(site()).to_json(), **damage})


def deep(depth: int) -> list[Page]:
    return [Page("<body>" + "<div>" * depth + f"<p>{word}</p>") for word in ("one", "two")]


def test_no_tree_is_deeper_than_its_limit() -> None:
    tree = build([Content(page.tree, virtual_leaves=True) for page in deep(1_000)], frequency=0.85, likeness=0.85)
    assert len(tree) == LEVELS - 1


def test_pages_of_any_depth_are_learned() -> None:
    pages = deep(200_000)
    assert kept(rules_of(pages), pages[0]) == ["one"]


def test_long_lists_of_different_lengths_are_merged_without_looking_at_each_pair() -> None:
    lists = [[f"fixed {item}" for item in range(3_000)] + ["own"] * more for more in (1, 2)]
    pages = [Page("<ul>" + "".join(f"<li><p><b>{item}</b></p></li>" for item in items) + "</ul>") for items in lists]
    tree = build([Content(page.tree, virtual_leaves=True) for page in pages], frequency=0.85, likeness=0.85)
    merged = [element for element in tree if element.label == "li" and element.pages == 2]
    assert len(merged) == 3_001


def test_the_default_threshold_is_the_documented_one() -> None:
    assert rules_of(site()).threshold == style_tree.THRESHOLD


def test_without_epsilon_an_even_spread_is_not_noise() -> None:
    pages = [Page(f"<p>alpha alpha alpha alpha alpha</p><div>{words}</div>") for words in ("one", "two", "three")]
    flags = learn(pages, threshold=0, epsilon=0).rules.mark(pages[0]).flags
    assert sum(flags) == 0
