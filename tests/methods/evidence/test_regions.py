"""The regions of a site, and what their texts add up to."""

from dehusk.methods._labels import tokens
from dehusk.methods.evidence.regions import Labels, Regions, known_tokens, size_of
from dehusk.page import Page


def test_tokens_of_one_page_alone_keep_no_regions_apart() -> None:
    html = '<div id="post-{0}" class="b a only{1}"><p>{0}'
    trees = [Page(html.format(k, name)).tree for k, name in enumerate("xyz")]
    assert known_tokens(trees) == frozenset({"#post-0", ".a", ".b"})
    regions = Regions(trees)
    assert regions.label == ["body", "div #post-0 .a .b", "p"]
    assert list(regions.pages) == [3, 3, 3]


def test_tokens_are_folded_and_in_an_order_of_their_own() -> None:
    assert tokens("x12", "b a b", "main") == ["#x0", ".a", ".b", "@main"]
    assert Labels(frozenset({".a"})).of(Page('<p class="z a">x').tree) == ["body", "p .a", ""]


def test_a_chinese_text_says_more_than_its_characters() -> None:
    assert size_of("潮汐") > size_of("ab") == 2


def test_comments_are_not_what_a_page_itself_says() -> None:
    long = "A sentence that is long enough to be prose, and that no other page of the site has at all: number {}."
    html = f'<div class="post"><p>{long}</p></div><div class="comments"><p>{long}{long}{long}</p></div>'
    regions = Regions([Page(html.format(*(f"{page}{k}" for k in range(4)))).tree for page in "abc"])
    own = {label: regions.below.own_share[number] / 3 for number, label in enumerate(regions.label)}
    assert own["div .post"] == 1
    assert own["div .comments"] == 0
    only = Regions([Page(f'<div class="comments"><p>{long.format(page)}</p></div>').tree for page in "abc"])
    assert only.below.own_share[0] == 3
