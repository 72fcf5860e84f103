"""The model: trees over features, and the cut by the kind of site."""

from array import array
from math import nan
from typing import Any

import pytest

from dehusk.methods.evidence.features import FEATURES, NAMES, SITE_FEATURES, Figures
from dehusk.methods.evidence.model import Model

CUT: dict[str, Any] = {"others": 0.4, "articles": 0.8, "base": 0.0, "weights": {"site.prose": [0.5, 4.0]}}
FIRST, LAST = len(SITE_FEATURES), len(NAMES) - 1


def model(features: list[str], *trees: list[list[float]], base: float = 0.0) -> Model:
    return Model.from_json({"features": features, "base": base, "trees": list(trees), "cut": CUT})


def figures(*rows: dict[str, float], site: float = 0.0) -> Figures:
    """Rows of zeros but for some features; the site's features are all the same."""
    numbers = [row.get(feature.name, 0.0) for row in rows for feature in FEATURES]
    return Figures(array("d", [site] * FIRST), array("i", range(len(rows))), array("d", numbers))


def test_trees_follow_thresholds_and_the_side_of_the_unknown() -> None:
    forest = model(["heading"], [[0, 0.5, 1, 2, 2], [-3.0], [3.0]]).forest
    found = forest.probabilities(figures({"heading": 0.5}, {"heading": 0.6}, {"heading": nan}))
    assert found[0] < 0.1
    assert found[1] == found[2] > 0.9


def test_trees_add_up_to_a_probability_from_their_base_on() -> None:
    two = model(["heading"], [[1.0]], [[2.0]], base=-3.0).forest
    assert two.probabilities(figures({})) == {0: 0.5}


def test_a_file_names_its_features_in_its_own_order() -> None:
    tree = [[1, 0.5, 1, 2, 1], [-9.0], [9.0]]
    found = model(["heading", "direct.own"], tree).forest.probabilities(figures({"direct.own": 1.0}, {"heading": 1.0}))
    assert found[0] > 0.9
    assert found[1] < 0.1


def test_features_of_the_site_are_the_same_for_every_region() -> None:
    forest = model(["site.pages"], [[0, 4.0, 1, 2, 1], [-9.0], [9.0]]).forest
    assert min(forest.probabilities(figures({}, {}, site=5.0)).values()) > 0.9
    assert max(forest.probabilities(figures({}, {}, site=4.0)).values()) < 0.1


@pytest.mark.parametrize("tree", [[], [[0, 0.5, 0, 1, 1], [1.0]], [[0, 0.5, 1, 2, 1], [1.0]]])
def test_nodes_that_form_no_tree_are_refused(tree: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="node"):
        model(["heading"], tree)


def test_the_more_a_site_is_one_of_articles_the_higher_is_the_cut() -> None:
    cut = model([]).cut
    site = [0.0] * FIRST
    found = []
    for prose in (0.0, 0.5, nan, 1.0):
        site[NAMES.index("site.prose")] = prose
        found.append(cut.of(site))
    assert 0.4 < found[0] < found[1] < found[3] < 0.8
    assert found[1] == found[2] == pytest.approx(0.6)
