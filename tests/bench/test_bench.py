"""The command `dehusk bench`: report and figures, the cache, and continuation after a kill."""

import json
import re
import sqlite3
import subprocess
import sys
import time
from argparse import Namespace
from contextlib import closing, suppress
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from dehusk import bench
from dehusk.bench._results import Worst
from dehusk.bench.bench_report import side_by_side
from dehusk.cli import _bench as bench_command
from dehusk.cli import main
from dehusk.cli._telling import Bar
from gold_pages import page, write
from sessions import running

HEAVY = ("matplotlib", "rouge_score_rs", "sklearn", "bm25s")


@pytest.fixture(autouse=True)
def _with_libraries() -> None:
    for name in HEAVY:
        pytest.importorskip(name, reason=f"needs {name}: make test-bench brings it")


@pytest.fixture
def few_cleaners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "dehusk.bench.experiments._content.names", lambda settings: ["evidence", "rtdm", *settings.methods]
    )


def ran(name: str, data: Path, output: Path, *more: str) -> tuple[dict[str, Any], str]:
    words = ["bench", name, str(data), "-o", str(output), "--cache", str(output / "cache"), "--jobs", "1", "-q", *more]
    assert main(words) == 0
    return json.loads((output / "results.json").read_text("utf-8")), (output / "report.html").read_text("utf-8")


@pytest.mark.usefixtures("few_cleaners")
def test_content_is_scored_by_set_kind_and_nodes(mixed: Path, tmp_path: Path) -> None:
    results, report = ran("content", mixed, tmp_path)
    content = results["experiments"]["content"]
    assert content["used"] == {"docs": [1, 5], "pages-set": [4, 4]}
    first = content["figures"]["pages"][0]["by"]
    assert first["original"]["recall"] == 1 > first["original"]["precision"]
    assert first["rtdm"]["nodes"][2] > 0.9
    titles = [table["title"] for table in content["tables"]]
    assert "pages-set: F1 by kind of page" in titles
    assert "The template in nodes (Alarte et al. 2015, Table 1)" in titles
    assert "rtdm" not in content["figures"]["pages"][-1]["by"]
    assert content["summary"] == ["No other tool is installed to compare with."]
    assert report.count("<svg") == 2 == len(list((tmp_path / "plots").glob("content-*.svg")))
    assert "trained on pages of these sets: docs, pages-set" in results["notes"][0]
    assert f"dehusk bench content {mixed} -o {tmp_path}" in report


@pytest.mark.usefixtures("few_cleaners")
def test_a_method_with_options_is_measured_beside_the_others(mixed: Path, tmp_path: Path) -> None:
    results, report = ran("content", mixed, tmp_path, "--method", "style-tree:threshold=0.9")
    first = results["experiments"]["content"]["figures"]["pages"][0]["by"]
    assert {"evidence", "rtdm", "style-tree:threshold=0.9"} <= first.keys()
    assert "--method style-tree:threshold=0.9" in report


@pytest.mark.usefixtures("few_cleaners")
def test_manuals_and_recipes_are_scored_and_were_not_trained_on(tmp_path: Path) -> None:
    write(tmp_path / "data/manuals/guide/site.json", json.dumps({"content_selector": "main"}))
    for number in range(3):
        write(tmp_path / f"data/manuals/guide/pages/{number}.html", page(f"Chapter {number}"))
    html = "<nav>Home</nav><h1>Soup</h1><ul><li>2 leeks</li></ul><p>Boil the leeks until they are soft.</p>"
    fields = {"ingredients": ["2 leeks"], "steps": ["Boil the leeks until they are soft."]}
    row = {"url": "https://kitchen.example/1", "html": html, "type": "recipe", "fields": fields}
    write(tmp_path / "data/pages/recipes.jsonl.gz", json.dumps(row))
    results, _ = ran("content", tmp_path / "data", tmp_path / "out")
    content = results["experiments"]["content"]
    assert content["used"] == {"manuals": [1, 3], "pages-recipes": [1, 1]}
    assert content["figures"]["pages"][-1]["by"]["original"]["fields"] == 1
    assert not any("trained on" in note for note in results["notes"])


@pytest.mark.usefixtures("few_cleaners")
def test_the_report_needs_nothing_from_elsewhere_and_links_to_tinted_views(mixed: Path, tmp_path: Path) -> None:
    _, report = ran("content", mixed, tmp_path)
    assert "<script src" not in report
    assert "@import" not in report
    views = sorted(view for view in (tmp_path / "views").iterdir() if "-page" not in view.name)
    assert views
    for view in views:
        assert f'href="views/{view.name}"' in report
        beside, tinted = view.read_text("utf-8"), view.with_name(f"{view.stem}-page.html")
        assert re.findall("<h2>([a-z ]+)", beside) == ["gold", "the default"]
        assert f'href="{tinted.name}"' in beside
        assert ":root{color-scheme:light dark}" in beside  # on the body alone, a dark page would stay white
        assert 'name="viewport"' in beside
        assert "outline" in tinted.read_text("utf-8")


@pytest.mark.usefixtures("few_cleaners")
def test_the_report_begins_with_contents_and_results_and_ends_with_data_and_command(
    mixed: Path, tmp_path: Path
) -> None:
    _, report = ran("content", mixed, tmp_path)
    contents, result, chart = (report.index(mark) for mark in ('aria-label="Contents"', "class=lead", "<svg"))
    details, command = report.index('id="content-details"'), report.index("Made by <code>dehusk bench")
    assert contents < result < chart < details < report.index("<table") < command
    assert "the default" in report
    assert ">evidence<" not in report


def test_worst_pages_are_shown_with_the_best_other_tool() -> None:
    worst = Worst("docs", "manual", "<1>.html", 0.25, "trafilatura", 0.75)
    view = side_by_side(worst, {"gold": "a <b>", "the default, 0.250": "b", "trafilatura, 0.750": "c"})
    assert "<pre>a &lt;b&gt;</pre>" in view
    assert [head.split(",")[0] for head in re.findall("<h2>(.*?)</h2>", view)] == ["gold", "the default", "trafilatura"]
    assert "F1 of the default: 0.250" in view


@pytest.mark.usefixtures("few_cleaners")
def test_a_second_run_measures_nothing_again(mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = ran("content", mixed, tmp_path)
    monkeypatch.setattr("dehusk.core.Learning.template", lambda *_, **__: pytest.fail("learned again"))
    second, _ = ran("content", mixed, tmp_path)
    for what in ("figures", "worst"):
        assert first["experiments"]["content"][what] == second["experiments"]["content"][what]


@pytest.mark.usefixtures("few_cleaners")
def test_unusable_data_is_named_in_the_report(mixed: Path, tmp_path: Path) -> None:
    broken = mixed / "docs/manual/pages/broken.html"
    broken.write_bytes(b"\x00\x01\x02\x00binary")
    try:
        results, report = ran("content", mixed, tmp_path)
    finally:
        broken.unlink()
    assert [one["name"] for one in results["left_out"]] == ["manual/broken.html"]
    assert "manual/broken.html" in report


@pytest.mark.parametrize("name", [*bench.EXPERIMENTS, bench.ALL])
def test_the_help_of_an_experiment_says_what_it_reruns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", name, "--help"])
    said = capsys.readouterr().out
    assert all(one.shows in said and one.reruns in said for one in bench.chosen(name))


def test_a_missing_package_is_reported_with_the_command_that_installs_it(
    mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dehusk.bench.find_spec", lambda name: None if name == "matplotlib" else object())
    assert main(["bench", "content", str(mixed), "-o", str(tmp_path)]) == 2
    assert 'needs matplotlib; install it with pip install "dehusk[bench]"' in capsys.readouterr().err


@pytest.mark.usefixtures("few_cleaners")
def test_all_runs_every_experiment_that_the_data_allows(shops: Path, mixed: Path, tmp_path: Path) -> None:
    results, report = ran("all", shops, tmp_path / "shops", "--runs", "3")
    mining = ["training", "cluster", "classify"]
    assert list(results["experiments"]) == ["content", "table", "pages", *mining, "building", "search", "pairs"]
    tables = [table for one in results["experiments"].values() for table in one["tables"]]
    assert all(len(row) == len(table["columns"]) for table in tables for row in table["rows"] + table["paper"])
    results, report = ran("all", mixed, tmp_path / "mixed")
    linked = ["votes", "equalities"]
    rest = ["building", "search", "discovery", "pairs"]
    assert list(results["experiments"]) == ["content", "metadata", "pages", *linked, *rest]
    why = [note for note in results["notes"] if note.startswith("Left out: ")]
    assert [note.split(": ")[1] for note in why] == ["table", *mining]
    assert "Left out: cluster: " in report
    assert all(f'id="{name}"' in report for name in results["experiments"])
    assert all(bench.EXPERIMENTS[name].differs in unescape(report) for name in results["experiments"])


def test_wrong_usage_gives_one_line(mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part/0-0.json").write_text("{}", "utf-8")
    for words, said in (
        (["--quick", "--all"], "exclude each other"),
        (["--weights", str(tmp_path / "part")], "not all 5 folds have weights"),
        (["--weights", str(tmp_path)], "not all 5 folds"),
        (["--method", "rtdm:links=3"], "method rtdm has no option 'links'; it has replace"),
        (["--method", "evidence:weights=w.json"], "weights cannot be given here"),
    ):
        assert main(["bench", "content", str(mixed), "-o", str(tmp_path), *words]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert len(error.splitlines()) == 1


def test_an_unwritable_place_is_reported_before_anything_is_measured(
    mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dehusk.bench.run", lambda *_: pytest.fail("measured"))
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file/below"):
        assert main(["bench", "content", str(mixed), "-o", str(place)]) == 1
        assert f"cannot write to {place}: " in capsys.readouterr().err


def test_pages_that_are_left_out_are_reported_even_if_none_remains(
    mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--selector", "video", "-o", str(tmp_path), "--cache", str(tmp_path / "cache"), "--jobs", "1"]
    assert main(["bench", "pairs", str(mixed / "docs/manual/pages"), *words]) == 1
    error = capsys.readouterr().err
    assert "left out 0.html: damaged: the selector video matches nothing" in error
    assert "no site of" in error.splitlines()[-1]


def test_a_log_has_a_line_for_each_task_and_none_if_quiet(
    mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bench", "building", str(mixed), "-o", str(tmp_path), "--cache", str(tmp_path / "cache"), "--quick"]
    assert main([*words, "--jobs", "1"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [bool(re.fullmatch(r"\d+ s: building, \d+ groups?", line)) for line in lines].count(True) == 1
    assert main([*words, "--jobs", "1", "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_an_interrupted_run_says_that_it_can_be_continued(
    mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dehusk.bench.run", interrupted)
    assert main(["bench", "pairs", str(mixed), "-o", str(tmp_path), "--cache", str(tmp_path / "cache")]) == 130
    assert "interrupted; results so far are cached; run the same command to continue" in capsys.readouterr().err


def test_a_killed_run_leaves_no_process_and_can_be_continued(mixed: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    words = ["bench", "pages", str(mixed), "-o", str(tmp_path), "--cache", str(cache), "--jobs", "2", "-q"]
    job = subprocess.Popen([sys.executable, "-m", "dehusk", *words], start_new_session=True)
    while not _measured(cache) and job.poll() is None:
        time.sleep(0.02)
    job.kill()
    job.wait()
    deadline = time.monotonic() + 60
    while running(job.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not running(job.pid)
    kept = _measured(cache)
    assert kept
    assert subprocess.run([sys.executable, "-m", "dehusk", *words], check=False).returncode == 0
    assert (tmp_path / "report.html").exists()
    assert kept < _measured(cache)


def _measured(cache: Path) -> set[str]:
    """The rows of a cache."""
    with closing(sqlite3.connect(cache)) as file, suppress(sqlite3.OperationalError):  # there is no table yet
        return {key for (key,) in file.execute("select key from results")}
    return set()


def test_a_log_has_a_line_when_a_task_begins_and_then_one_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.5, 1.0, 30.0, 61.6, 62.0])
    monkeypatch.setattr("dehusk.cli._bench.time.perf_counter", lambda: next(clock))
    options = Namespace(quiet=False)
    show = bench_command._progress(Bar(options), options, 0.0)
    show("looking at the data", 0, None)
    for done in (0, 1, 2, 3):
        show("content", done, 9)
    lines = ["0 s: looking at the data", "1 s: content, 9 groups", "62 s: content, 2 of 9 groups"]
    assert capsys.readouterr().err.splitlines() == lines
