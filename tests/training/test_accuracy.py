"""Scores of weights on sites left out of training, and their means."""

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("lightgbm", reason="lightgbm is not installed (make train installs it): training is not tested")

import accuracy
from accuracy import all_scored, cell, joined, main, show_table

from dehusk.bench.evaluation.datasets import FOLDS, fold_of_brand
from dehusk.bench.evaluation.measures import weights_file

SCORER = """
import json, sys
from pathlib import Path
given = dict(zip(sys.argv[2::2], sys.argv[3::2]))
pages = "--urls" in given
names = Path(given["--urls" if pages else "--list"]).read_text().split()
body = "--article-body" in given["--rows" if pages else "--cmd"]
found = {name if pages else name.partition("/")[2]: [1.0, 0.5, 0.75 if body else 0.25] for name in names}
Path(given["--json"]).write_text(json.dumps({"pages" if pages else "sites": found}))
"""


@pytest.fixture
def scorer(tmp_path: Path) -> Path:
    """A scorer that returns the same figures for every site and page."""
    file = tmp_path / "score.py"
    file.write_text(SCORER, "utf-8")
    return file


def test_all_sites_and_pages_are_scored(data: Path) -> None:
    assert sum(one.is_page for one in all_scored(data)) == 7
    assert {one.dataset for one in all_scored(data)} >= {"manuals", "pages-recipes"}
    assert {one.brand for one in all_scored(data)} >= {"amber", "fern", "cnn"}


def test_every_brand_is_scored_once_and_a_second_run_repeats_nothing(
    data: Path, scorer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, figures = tmp_path / "kept", tmp_path / "figures.json"
    command = ["accuracy.py", str(data), "--score", str(scorer), "--weights", str(kept), "--json", str(figures)]
    monkeypatch.setattr(sys, "argv", [*command, "--cache", str(tmp_path / "cache")])
    main()
    (found,) = json.loads(figures.read_text("utf-8"))
    assert len(found["sites"]) == 7
    assert len(found["pages-wcxb"]) == 6
    assert len(found["pages-wcxb article"]) == 5
    assert len(found["pages-recipes"]) == 1
    assert "| pages-recipes | pages-wcxb | sites |\n| 1.000 of 0.50 | 0.250 | 0.250 |" in capsys.readouterr().out
    monkeypatch.setattr(accuracy, "training", None)
    scorer.unlink()
    main()
    assert json.loads(figures.read_text("utf-8")) == [found]


def test_news_are_scored_a_second_time_by_the_bodies_of_their_articles(
    data: Path, scorer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (weights_file(tmp_path, 0, fold) for fold in range(FOLDS)):
        file.write_text("{}", "utf-8")  # trained before
    command = ["accuracy.py", str(data), "--score", str(scorer), "--weights", str(tmp_path), "--article-body"]
    monkeypatch.setattr(sys, "argv", command)
    main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines if line.startswith("article body")] == [
        ["article", "body", name] for name in ("pages-wcxb", "pages-wcxb", "sites")
    ]
    assert [line for line in lines if line.startswith("article body") and not line.endswith("F 0.7500")] == []
    assert [line for line in lines if line.startswith("mean") and line.endswith("F 0.7500")] == []


def test_sites_of_a_fold_are_listed_with_the_weights_trained_without_them(tmp_path: Path, data: Path) -> None:
    scored = list(all_scored(data))
    files = [tmp_path / f"0-{number}.json" for number in range(FOLDS)]
    for number, file in enumerate(files):
        own = {one.name: [1.0, 1.0, 1.0] for one in scored if one.is_page and fold_of_brand(one.brand, 0) == number}
        file.with_suffix(".scores").write_text(json.dumps({"pages": own}), "utf-8")
    assert set(joined(files, scored)["pages-wcxb"]) == {one.name for one in scored if one.dataset == "pages-wcxb"}


def test_the_table_has_the_sets_and_then_the_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(
        [{"docs": [1, 1, 0.5], "products": [0.9, 0.5, 0], "pages-wcxb": [1, 1, 0.75], "pages-wcxb forum": [1, 1, 1]}]
    )
    assert capsys.readouterr().out.splitlines() == [
        "| docs | pages-wcxb | products |",
        "| 0.500 | 0.750 | 0.900 of 0.50 |",
        "| pages-wcxb forum |",
        "| 1.000 |",
    ]
    assert cell("docs", [0, 0, 0.1234]) == "0.123"


def test_of_several_assignments_the_table_has_the_mean_the_lowest_and_the_highest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_table([{"docs": [1, 1, f1], "products": [kept, 0.5, 0]} for f1, kept in ((0.5, 1), (0.75, 0.9), (0.7, 0.95))])
    assert capsys.readouterr().out.splitlines()[:4] == [
        "| docs | products |",
        "| 0.650 | 0.950 of 0.50 |",
        "| 0.500 | 0.900 of 0.50 |",
        "| 0.750 | 1.000 of 0.50 |",
    ]
