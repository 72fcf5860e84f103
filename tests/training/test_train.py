"""Training on small made-up sites takes seconds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lightgbm", reason="lightgbm is not installed (make train installs it): training is not tested")

import kinds
import numpy as np
from boosting import WAYS, Recipe, add_nodes, boosted, probabilities, weight_of
from rows import Examples, all_examples, remembered
from train import Training, Unseen, training, written

from dehusk.methods.evidence.model import Model, model_of

SMALL = Recipe(trees=6, leaves=4, least_rows=2, features=1.0)


@pytest.fixture(scope="module")
def examples(data: Path) -> list[Examples]:
    return all_examples(data)


@pytest.fixture(scope="module")
def weights(examples: list[Examples]) -> dict[str, Any]:
    return Training(examples, first=SMALL, second=SMALL).weights()


def test_the_same_data_gives_the_same_weights(data: Path, weights: dict[str, Any]) -> None:
    again = Training(all_examples(data), first=SMALL, second=SMALL).weights()
    assert written(again) == written(weights)


def test_the_method_reads_what_the_training_writes(weights: dict[str, Any]) -> None:
    assert isinstance(model_of(json.loads(written(weights))), Model)


def test_the_file_has_a_line_for_each_tree(weights: dict[str, Any]) -> None:
    lines = written(weights).splitlines()
    assert sum(line.startswith("[[") for line in lines) == len(weights["first"]["trees"] + weights["second"]["trees"])


def test_the_method_computes_what_was_trained(examples: list[Examples], weights: dict[str, Any]) -> None:
    one = next(one for one in examples if one.whole)
    ours = model_of(weights).first.probabilities(one.figures)
    theirs = probabilities(Training(examples, first=SMALL).first_pass(frozenset()), one.rows)
    assert list(ours) == pytest.approx(list(theirs), abs=1e-3)


def test_a_site_is_used_whole_and_in_smaller_samples_with_a_total_weight_of_one(examples: list[Examples]) -> None:
    of_site = [one for one in examples if one.source.name == "dragnet-amber.com"]
    assert [one.whole for one in of_site] == [True, False, False]
    assert [one.regions.count for one in of_site] == [6, 4, 1]
    assert sum(float(one.content.sum() + one.template.sum()) for one in of_site) == pytest.approx(1.0)


def test_pages_of_a_host_are_used_alone_and_together(examples: list[Examples]) -> None:
    shown = [one for one in examples if one.source.owner == "fern"]
    assert [one.regions.count for one in shown] == [1, 1, 1, 1, 4]
    assert [one.whole for one in shown] == [False] * 4 + [True]
    assert sum(one.part for one in shown) == 4.0


def test_brands_that_are_never_trained_on_are_left_out(examples: list[Examples]) -> None:
    shown = {one.source.owner for one in Training(examples).shown}
    assert "cnn" not in shown
    assert {"amber", "fern"} <= shown


def test_manuals_are_documentation(examples: list[Examples]) -> None:
    shown = [one for one in examples if one.source.dataset == "manuals"]
    assert [one.whole for one in shown] == [True, False, False]
    assert {kinds.kind_of(one) for one in shown} == {"documentation"}
    assert shown[0].content.sum() > 0
    assert shown[0].template.sum() > 0


def test_what_is_no_value_of_a_recipe_is_unknown_or_content_of_its_record(examples: list[Examples]) -> None:
    (recipe,) = [one for one in examples if one.source.dataset == "pages-recipes"]
    assert kinds.kind_of(recipe) == "recipe"
    assert recipe.content.sum() > 0
    assert recipe.template.sum() == 0


def test_a_kind_that_the_model_does_not_have_counts_as_unknown(examples: list[Examples]) -> None:
    one = next(one for one in examples if one.source.dataset == "pages-wcxb")
    assert kinds.kind_of(one) == "article"
    assert kinds.kind_of(replace(one, kind="poem")) is None


def test_measurements_and_models_are_cached(data: Path, tmp_path: Path) -> None:
    first = training(data, tmp_path)
    small = Training(first.examples, first=SMALL, second=SMALL, cache=tmp_path, key=first.key).weights(frozenset({0}))
    files = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    second = training(data, tmp_path)
    again = Training(second.examples, first=SMALL, second=SMALL, cache=tmp_path, key=second.key).weights(frozenset({0}))
    assert small == again
    assert {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == files


def test_changed_data_is_measured_again(data: Path, tmp_path: Path) -> None:
    file = data / "pages/wcxb.jsonl.gz"
    all_examples(data, tmp_path)
    before = set(tmp_path.iterdir())
    file.write_bytes(file.read_bytes())
    all_examples(data, tmp_path)
    assert len(set(tmp_path.iterdir()) - before) == 1


def test_nothing_is_cached_without_a_folder() -> None:
    assert remembered(None, "name", "key", lambda: 7) == 7


def test_rows_of_rare_content_weigh_more_and_manuals_more_than_pages(examples: list[Examples]) -> None:
    site = next(one for one in examples if one.source.dataset == "news-dragnet")
    single = next(one for one in examples if one.source.dataset == "pages-wcxb")
    assert weight_of(site) > weight_of(single)


def test_trees_tell_content_from_template(examples: list[Examples]) -> None:
    shown = [one for one in examples if one.may_train]
    model = boosted(shown, (one.rows for one in shown), WAYS, SMALL)
    one = shown[0]
    found = probabilities(model, one.rows)
    assert found[np.argmax(one.content)] > found[np.argmax(one.template)]


def test_an_unknown_number_counts_as_zero_if_training_had_none() -> None:
    leaf = {"leaf_value": 0.123456}
    split = {"split_feature": 3, "threshold": -0.5, "default_left": True, "missing_type": "None"}
    nodes: list[list[float]] = []
    add_nodes({**split, "left_child": leaf, "right_child": leaf}, nodes)
    assert nodes == [[3, -0.5, 1, 2, 2], [0.1235], [0.1235]]
    nodes = []
    add_nodes({**split, "missing_type": "NaN", "left_child": leaf, "right_child": leaf}, nodes)
    assert nodes[0] == [3, -0.5, 1, 2, 1]


def test_the_method_and_the_training_predict_the_same_kind(examples: list[Examples], weights: dict[str, Any]) -> None:
    trained = Training(examples, first=SMALL, second=SMALL)
    one = next(one for one in examples if one.may_train)
    page = Unseen.by(trained.first_pass(frozenset()), [one]).pages[0]
    theirs = kinds.likely(trained.kinds(frozenset()), [one], [page])[0]
    ours = model_of(weights).kinds_of(one.site, page)
    assert list(ours.values()) == pytest.approx(list(theirs), abs=1e-3)
