"""Kinds of pages that are left out of training as a whole."""

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("lightgbm", reason="lightgbm is not installed (make train installs it): training is not tested")

import left_out
from accuracy import all_scored
from rows import all_examples
from train import Training


def test_a_kind_is_left_out_with_the_single_pages_of_that_kind(data: Path) -> None:
    trained = Training(all_examples(data))
    without = left_out.trained_without(trained, "manuals", left_out.KINDS["manuals"])
    assert {one.source.dataset for one in trained.examples} - {one.source.dataset for one in without.examples} == {
        "manuals"
    }
    assert not any(one.kind == "documentation" for one in without.examples)
    records = left_out.trained_without(trained, "records", left_out.KINDS["records"])
    assert not any(one.source.dataset in ("products", "pages-recipes") for one in records.examples)
    assert without.key != records.key


def test_generators_of_manuals_are_left_out_by_their_first_word(data: Path) -> None:
    site = data / "manuals/guide/site.json"
    before = site.read_text("utf-8")
    site.write_text(json.dumps(json.loads(before) | {"generator": "Sphinx (a theme)"}), "utf-8")
    try:
        is_of = dict(left_out.left_out(data))["Sphinx"]
    finally:
        site.write_text(before, "utf-8")
    assert is_of("manuals", "manuals/guide", None)
    assert is_of("manuals", "guide", None)
    assert not is_of("news-dragnet", "guide", None)


def test_the_figures_of_what_was_left_out_are_printed_by_set(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = data / "manuals/guide/site.json"
    monkeypatch.setattr(left_out, "GENERATORS", ())
    (tmp_path / "without-recipes.json").write_text("{}", "utf-8")
    url = next(one.name for one in all_scored(data) if one.dataset == "pages-recipes")
    (tmp_path / "without-recipes.scores").write_text(json.dumps({"pages": {url: [0.9, 0.5, 0]}}), "utf-8")
    before = site.read_text("utf-8")
    site.write_text(json.dumps(json.loads(before) | {"generator": "Sphinx"}), "utf-8")
    monkeypatch.setattr(left_out, "training", lambda *_: None)
    arguments = ["left_out.py", str(data), "recipes", "--score", "score.py", "--weights", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", arguments)
    try:
        left_out.main()
    finally:
        site.write_text(before, "utf-8")
    assert capsys.readouterr().out == "without recipes    pages-recipes       1  fields 0.900 of 0.50\n"
