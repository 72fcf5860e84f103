"""The page of the papers' items: every row has a file and a command, and the script notices what is wrong."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "run_papers.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_papers", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_row_of_the_page_has_an_existing_file_and_a_command_that_can_be_run(script: ModuleType) -> None:
    every = list(script.rows(script.PAPERS.read_text("utf-8")))
    assert len(every) > 60
    assert script.missing_files(every) == []
    places = {name: Path("/x") / name for name in ("SITE", "DATA", "OUT", "PAGE", "OTHER")}
    for row in every:
        words = script.words_of(row.command, places)
        assert words[:2] == [sys.executable, "-m"]
        tests = [word for word in words if word.startswith("tests/")]
        assert all((SCRIPT.parents[1] / word).exists() for word in tests)


@pytest.mark.parametrize(
    "line",
    [
        "| Figure 1 | `kernels/mapping.py` | done |  |",
        "| Figure 1 | kernels/mapping.py | done | `pytest tests` |",
        "| Figure 1 | `kernels/mapping.py` |  | `pytest tests` |",
        "| Figure 1 | `kernels/mapping.py` | done |",
    ],
)
def test_a_row_without_a_file_a_status_or_a_command_is_refused(script: ModuleType, line: str) -> None:
    with pytest.raises(ValueError, match="not an item"):
        list(script.rows(line))


def test_a_file_that_is_not_there_is_named(script: ModuleType) -> None:
    gone = script.Row("Figure 1", "kernels/gone.py", "done", "pytest")
    assert script.missing_files([gone]) == ["kernels/gone.py"]


def test_places_are_put_into_commands_and_other_programs_are_refused(script: ModuleType) -> None:
    places = {"OUT": Path("/o"), "DATA": Path("/d"), "SITE": Path("/s")}
    words = script.words_of("dehusk bench pairs DATA -o OUT", places)
    assert words[3:] == ["bench", "pairs", "/d", "-o", "/o", "--cache", "/o/cache.sqlite", "--jobs", "1"]
    assert script.words_of("dehusk learn SITE -o OUT/a.husk", places)[3:] == ["learn", "/s", "-o", "/o/a.husk"]
    with pytest.raises(ValueError, match="only dehusk and pytest"):
        script.words_of("rm -r OUT", places)


def test_a_command_that_fails_is_reported(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = script.make_data(tmp_path)
    right, wrong = "dehusk diff PAGE OTHER", "dehusk learn SITE -o OUT/x.husk --method none-such"
    assert script.run([right, wrong], places) == [wrong]
    said = capsys.readouterr().out
    assert said.index("ok") < said.index("FAILED")
    assert "unknown method" in said
