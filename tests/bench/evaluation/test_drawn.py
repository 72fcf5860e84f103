"""Drawing regions for people to judge."""

from dehusk.bench.evaluation.drawn import path, regions
from dehusk.page import Page

PAGE = Page(
    "<body><div id=a>own <b>text</b><p>below</p></div><ul><li>one<li>two</ul><ul><li><p>a</p><li>b</ul>"
    "<table><tr><td>1<td>2</table><p>|</p>"
)


def texts() -> list[list[str]]:
    return [[PAGE.tree.text[one] for one in own] for own in regions(PAGE.tree).values()]


def test_a_region_is_a_block_without_the_blocks_in_it() -> None:
    assert texts()[:2] == [["own", "text"], ["below"]]


def test_a_list_or_a_table_of_only_items_is_one_region() -> None:
    assert texts()[2:] == [["one", "two"], ["a"], ["b"], ["1", "2"]]


def test_the_path_of_a_region_selects_only_this_region() -> None:
    for node in regions(PAGE.tree):
        assert PAGE.select(path(PAGE.tree, node)) == [PAGE.nodes[node]]
