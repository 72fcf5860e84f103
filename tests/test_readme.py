"""The examples of the README run as shown."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

import demo_site
from archives import http, record, zipped
from dehusk.cli import main

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
PYTHON = [code for language, code in BLOCKS if language == "python"]
CONSOLE = [code for language, code in BLOCKS if language == "console"]
PAGE = "shop/pier-lantern.html"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the examples: a crawl, an archive of it, new pages, and one page."""
    for name, html in demo_site.pages().items():
        for folder in ("crawl", "new-pages"):
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / name).write_text(html, "utf-8")
    (tmp_path / "page.html").write_text(demo_site.pages()[PAGE], "utf-8")
    records = (record(name, http(html.encode())) for name, html in demo_site.pages().items())
    (tmp_path / "crawl.warc.gz").write_bytes(zipped(*records))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def without_seconds(text: str) -> list[str]:
    return [re.sub(r"\d+\.\d+ s", "", line) for line in text.splitlines()]


@pytest.mark.parametrize("block", CONSOLE)
def test_commands_run_and_print_what_is_shown(desk: Path, block: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = command.partition("\n")
        program, *arguments = shlex.split(line, comments=True)
        if program == "pip":
            continue
        if program == "cp":
            shutil.rmtree(desk / arguments[-1])  # so that the next commands run on what was copied
            shutil.copytree(arguments[-2], arguments[-1])
            continue
        assert program == "dehusk"
        assert main(arguments) == 0
        printed = without_seconds(capsys.readouterr().err)
        assert all(expected in printed for expected in without_seconds(shown))
    assert any(desk.iterdir())


@pytest.mark.parametrize("block", PYTHON)
def test_code_runs(desk: Path, block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(block, {})  # our own code, as it stands
    assert capsys.readouterr().out
    assert desk.exists()


def test_the_readme_has_blocks_of_both_kinds() -> None:
    assert PYTHON
    assert len(CONSOLE) >= 2


def test_the_readme_stays_short_and_names_the_two_commands_of_a_clone() -> None:
    assert len(README.splitlines()) < 150
    assert re.search(r"^    make demo\n    make test$", README, re.MULTILINE)
