"""The model: trees over features, and kinds of pages."""

from array import array
from importlib import resources
from math import nan
from operator import itemgetter
from pathlib import Path

import pytest

from dehusk.base.errors import DehuskError
from dehusk.methods.evidence import model
from dehusk.methods.evidence.features import FEATURES, NAMES, SITE_FEATURES, Figures
from dehusk.methods.evidence.model import WEIGHTS_FORMAT, Forest, Model
from dehusk.methods.evidence.second_look import OF_KINDS, PAGE, PAGE_KINDS

FIRST = len(SITE_FEATURES)


def forest(features: list[str], *trees: list[list[float]], base: float = 0.0) -> Forest:
    return Forest.from_json({"features": features, "base": base, "trees": list(trees)}, NAMES)


def figures(*rows: dict[str, float], site: float = 0.0) -> Figures:
    """Rows of zeros except for some features; the features of the site are all the same."""
    numbers = [row.get(feature.name, 0.0) for row in rows for feature in FEATURES]
    return Figures(array("d", [site] * FIRST), array("i", range(len(rows))), array("d", numbers))


def test_trees_follow_thresholds_and_the_branch_of_unknown_values() -> None:
    trees = forest(["heading"], [[0, 0.5, 1, 2, 2], [-3.0], [3.0]])
    found = trees.probabilities(figures({"heading": 0.5}, {"heading": 0.6}, {"heading": nan}))
    assert found[0] < 0.1
    assert found[1] == found[2] > 0.9


def test_trees_add_up_to_a_probability_from_their_base_on() -> None:
    two = forest(["heading"], [[1.0]], [[2.0]], base=-3.0)
    assert two.probabilities(figures({})) == array("d", [0.5])


def test_a_file_names_its_features_in_its_own_order() -> None:
    tree = [[1, 0.5, 1, 2, 1], [-9.0], [9.0]]
    found = forest(["heading", "direct.own"], tree).probabilities(figures({"direct.own": 1.0}, {"heading": 1.0}))
    assert found[0] > 0.9
    assert found[1] < 0.1


def test_features_of_the_site_are_the_same_for_every_region() -> None:
    trees = forest(["site.pages"], [[0, 4.0, 1, 2, 1], [-9.0], [9.0]])
    assert min(trees.probabilities(figures({}, {}, site=5.0))) > 0.9
    assert max(trees.probabilities(figures({}, {}, site=4.0))) < 0.1


@pytest.mark.parametrize("tree", [[], [[0, 0.5, 0, 1, 1], [1.0]], [[0, 0.5, 1, 2, 1], [1.0]]])
def test_nodes_that_do_not_form_a_tree_are_refused(tree: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="node"):
        forest(["heading"], tree)


def kinds(**trees: list[list[float]]) -> Model:
    """A model of kinds, some with a tree over the share of prose."""
    data = {"features": ["site.prose"], "base": 0.0}
    forests = {kind: Forest.from_json(data | {"trees": [trees.get(kind, [[-9.0]])]}, OF_KINDS) for kind in PAGE_KINDS}
    return Model(forest([]), forest([]), forests, None, "")


def test_the_kind_of_page_depends_on_the_features_of_the_site_and_of_the_page() -> None:
    two = kinds(article=[[0, 0.5, 1, 2, 1], [-3.0], [3.0]], listing=[[0.0]])
    site, page = [nan] * FIRST, [nan] * len(PAGE)
    assert max(two.kinds_of(site, page).items(), key=itemgetter(1))[0] == "listing"
    site[NAMES.index("site.prose")] = 1.0
    assert two.kinds_of(site, page)["article"] > 0.9
    assert sum(two.kinds_of(site, page).values()) == pytest.approx(1.0)


def test_weights_without_a_kind_are_refused() -> None:
    none = {"features": [], "base": 0.0, "trees": []}
    with pytest.raises(LookupError):
        Model.from_json({"format": WEIGHTS_FORMAT, "first": none, "second": none, "kinds": {"article": none}})


def test_weights_that_were_changed_after_training_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = resources.files("dehusk.methods.evidence").joinpath("weights.json").read_bytes()
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    start = shipped.partition(b"\n")[0]
    for changed in (shipped[:-9] + b"5" + shipped[-8:], b"{" + shipped.removeprefix(start), shipped[:1000], b""):
        (tmp_path / "weights.json").write_bytes(changed)
        model._shipped.cache_clear()
        with pytest.raises(DehuskError, match="weights of the method evidence are damaged"):
            model._shipped()
    (tmp_path / "weights.json").write_bytes(shipped)
    model._shipped.cache_clear()
    assert model._shipped().kinds
    model._shipped.cache_clear()


def test_the_seal_is_no_part_of_the_identity_of_weights() -> None:
    data = {
        "format": WEIGHTS_FORMAT,
        **{name: {"features": [], "base": 0.5, "trees": []} for name in ("first", "second")},
        "kinds": {kind: {"features": [], "base": 0.5, "trees": []} for kind in PAGE_KINDS},
    }
    assert Model.from_json(data).digest == Model.from_json({"digest": "0" * 32, **data}).digest


def test_weights_of_a_user_may_lack_a_seal_but_not_have_a_wrong_one() -> None:
    text = model.sealed('{\n"a": 1\n}\n')
    assert model._read(text.encode())["a"] == model._read(b'{"a": 1}')["a"] == 1
    with pytest.raises(ValueError, match="changed after training"):
        model._read(text.replace("1\n", "2\n").encode())
