"""Choosing the value of an option from pages whose content is known."""

import pytest

from dehusk.base.errors import SourceError, UsageError
from dehusk.core import Learning
from dehusk.jobs.tuning import Tried, by_edits, by_selector, tune, values_of
from dehusk.marking.edits import Edit
from dehusk.page import Page

WORDS = ("harbour", "lantern", "kettle", "meadow", "violin", "copper")
PAGES = [
    Page(f"<nav><p>Home News Contact</p></nav><main><p>About the {word} there is much to say.</p></main>")
    for word in WORDS
]


STYLE_TREE = Learning("style-tree", None, options={"epsilon": 0})
"""Without enhancement 3, which drops repeated texts at any threshold."""


def tried() -> list[Tried]:
    return list(tune(PAGES, STYLE_TREE, "threshold", [0.0, 0.3], by_selector("main")))


def test_at_0_the_menu_stays_and_at_a_larger_value_only_the_content() -> None:
    low, middle = tried()
    assert (low.recall, middle.recall, middle.precision, middle.f1) == (1, 1, 1, 1)
    assert low.precision < 1


def test_edits_judge_only_their_places() -> None:
    gold = by_edits([Edit.new("body > main", keep=True), Edit.new("body > nav", keep=False)])
    assert list(gold(PAGES[0]).values()) == [False, True]
    assert by_edits([Edit.new("body > main", keep=True)])(PAGES[0]) == {6: True}
    best = max(tune(PAGES, STYLE_TREE, "threshold", [0.0, 0.3], gold), key=lambda one: one.f1)
    assert (best.value, best.f1) == (0.3, 1)


def test_pages_without_known_content_are_not_scored() -> None:
    other = Page("<nav><p>Home News Contact</p></nav><p>A page of another kind.</p>")
    scores = list(tune([*PAGES, other], Learning("style-tree", None), "threshold", [0.3], by_selector("main")))
    assert scores[0].recall == 1


def test_gold_that_matches_nothing_is_an_error() -> None:
    with pytest.raises(SourceError, match="no page has known content"):
        list(tune(PAGES, Learning("style-tree"), "threshold", [0.3], by_selector("article")))
    with pytest.raises(UsageError, match="not a valid CSS selector"):
        by_selector("main[")


def test_a_share_is_tried_in_steps_and_other_values_must_be_given() -> None:
    assert values_of("style-tree", "threshold", ())[:3] == [0, 0.05, 0.1]
    assert values_of("etdm", "votes", ["1", "none"]) == [1, None]
    with pytest.raises(UsageError, match="give the values to try"):
        values_of("etdm", "votes", ())
    with pytest.raises(UsageError, match="has no option 'threshold'"):
        values_of("rtdm", "threshold", ())
    with pytest.raises(UsageError, match="threshold=2"):
        values_of("style-tree", "threshold", ["2"])
