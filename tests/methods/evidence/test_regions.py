"""The regions of a site, and the totals of their texts."""

from array import array

from dehusk.kernels.walking import Name, names
from dehusk.methods._labels import tokens
from dehusk.methods.evidence.regions import Regions, known_tokens, label_of, labels_of
from dehusk.page import Page


def test_tokens_of_only_one_page_do_not_separate_regions() -> None:
    html = '<div id="post-{0}" class="b a only{1}"><p>{0}'
    pages = [Page(html.format(k, name)) for k, name in enumerate("xyz")]
    index: dict[Name, int] = {}
    named = [names(page.nodes, page.tree.tag, index) for page in pages]
    labels = [label_of(name, None) for name in index]
    assert known_tokens(labels, named) == frozenset({"#post-0", ".a", ".b"})
    assert known_tokens(labels, named[:1]) is None
    regions = Regions(pages)
    assert regions.label == ["body", "div #post-0 .a .b", "p"]
    assert list(regions.pages) == [3, 3, 3]


def test_tokens_are_folded_and_in_an_order_of_their_own() -> None:
    assert tokens("x12", "b a b", "main") == ["#x0", ".a", ".b", "@main"]
    assert label_of(("p", None, "z a", None), frozenset({".a"})) == "p .a"
    index: dict[Name, int] = {}
    pages = [Page(f'<p class="{name} a">x<p>y') for name in "zy"]
    named = [list(names(page.nodes, page.tree.tag, index)) for page in pages]
    assert named == [[0, 1, -1, 2, -1], [0, 3, -1, 2, -1]]
    assert labels_of(index, [array("i", page) for page in named]) == ["body", "p .a", "p", "p .a"]


def test_a_chinese_text_says_more_than_its_characters() -> None:
    assert list(Regions([Page("<p>潮汐"), Page("<p>ab")]).direct.size) == [0, 6 + 2]


def test_comments_are_not_what_a_page_itself_says() -> None:
    long = "A sentence that is long enough to be prose, and that no other page of the site has at all: number {}."
    html = f'<div class="post"><p>{long}</p></div><div class="comments"><p>{long}{long}{long}</p></div>'
    regions = Regions([Page(html.format(*(f"{page}{k}" for k in range(4)))) for page in "abc"])
    own = {label: regions.below.own_share[number] / 3 for number, label in enumerate(regions.label)}
    assert own["div .post"] == 1
    assert own["div .comments"] == 0
    only = Regions([Page(f'<div class="comments"><p>{long.format(page)}</p></div>') for page in "abc"])
    assert only.below.own_share[0] == 3


def test_the_name_of_comments_counts_by_where_it_stands() -> None:
    named = {
        "<h2>The heron</h2><div class=comments><p>": 1,
        "<p><span class=comments>": 0,
        "<pre><div class=comments>": 0,
        "<div class=has-comments><h1>The heron</h1><p>": 0,
        "<h1>The heron</h1><div class=has-comments><p>": 1,
        "<div class=comments><pre>": 1,
    }
    for html, inside in named.items():
        regions = Regions([Page(f"<title>The heron</title>{html}something")])
        assert regions.in_comments[regions.leaves[0][-1].region] == inside, html
