"""First steps on the command line: where output goes, its format, and help with misspelt words."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from dehusk.cli import COMMANDS, Parser
from journals import ENGLISH, GERMAN

COMMAND = [sys.executable, "-m", "dehusk"]
Run = Callable[..., tuple[int, str, str]]


def test_a_single_page_goes_to_standard_output(run: Run, shop: Path) -> None:
    code, out, err = run("clean", shop / "pier-lantern.html")
    assert code == 0
    assert out.startswith("Pier Lantern\n")
    assert "1 page read, 1 cleaned, 0 skipped" in err
    assert run("clean", shop / "pier-lantern.html", "--format", "markdown", "-q")[1].count("# Pier Lantern") == 1


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("out.jsonl", b'{"name":'),
        ("out.jsonl.gz", b"\x1f\x8b"),
        ("out.parquet", b"PAR1"),
        ("out.wet", b"WARC/1.0"),
        ("out.warc.gz", b"\x1f\x8b"),
    ],
)
def test_the_suffix_of_the_output_chooses_its_format(
    run: Run, shop: Path, tmp_path: Path, name: str, start: bytes
) -> None:
    assert run("clean", shop, "-o", tmp_path / name, "-q") == (0, "", "")
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(("name", "start"), [("a.md", "Drawing"), ("a.txt", "Pier"), ("a.html", "<!DOCTYPE html>")])
def test_a_single_page_is_a_file_of_that_name(run: Run, shop: Path, tmp_path: Path, name: str, start: str) -> None:
    assert run("clean", shop / "pier-lantern.html", "-o", tmp_path / name, "-q") == (0, "", "")
    assert (tmp_path / name).read_text("utf-8").startswith(start)


def test_a_suffix_and_a_format_that_differ_are_refused(run: Run, shop: Path, tmp_path: Path) -> None:
    code, _, err = run("clean", shop, "-o", tmp_path / "out.jsonl", "--format", "text")
    assert code == 2
    assert "is the name of a file in the format jsonl, not text" in err
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["claen", "in"], "clean"),
        (["clean", "in", "--formt", "jsonl"], "--format"),
        (["clean", "in", "--keep-fetchd=x"], "--keep-fetched"),
        (["clean", "in", "--format", "jsnl"], "jsonl"),
        (["clean", "in", "--keep", "coments"], "comment"),
        (["clean", "in", "--images", "links"], "link"),
        (["show", "in", "--outptu", "x"], "--output"),
        (["clean", "IN", "-o", "OUT", "--method", "rtmd"], "rtdm"),
    ],
)
def test_a_similar_word_is_suggested_for_misspelt_words(
    run: Run, shop: Path, tmp_path: Path, words: list[str], meant: str
) -> None:
    places = {"IN": shop, "OUT": tmp_path / "out"}
    code, _, err = run(*(places.get(word, word) for word in words))
    assert code == 2
    assert err.splitlines()[-1].endswith(f"; did you mean {meant}?")


def test_no_word_is_suggested_if_none_is_similar(run: Run) -> None:
    code, _, err = run("clean", "in", "--xyzzy")
    assert code == 2
    assert err.splitlines()[-1] == "dehusk: error: unknown option --xyzzy; see dehusk clean --help"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_two_examples_and_every_default(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert sum(line.startswith("  dehusk ") for line in out.partition("examples:\n")[2].splitlines()) == 2
    parser = Parser()
    import_module(f"dehusk.cli._{command}").add_arguments(parser)
    for action in parser._actions:
        takes_value = action.option_strings and action.nargs != 0 and not isinstance(action, argparse._HelpAction)
        if takes_value and not action.required:
            assert "(default: " in str(action.help), action.option_strings


def test_an_error_of_a_single_source_names_the_reason(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"%PDF-1.7 and more")
    code, _, err = run("clean", tmp_path / "a.html")
    assert (code, err.count("\n")) == (1, 1)
    assert "a.html: a PDF, not HTML" in err
    (tmp_path / "rows.jsonl").write_text('{"address": "http://x.example/", "page": "<p>x"}\n')
    code, _, err = run("clean", tmp_path / "rows.jsonl", "-o", tmp_path / "out.jsonl")
    assert (code, err.count("\n")) == (1, 1)
    assert "no column url and no column html; it has address, page" in err
    assert err.endswith("name the ones to read with --url-column and --html-column\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_gets_no_advice_about_writing(run: Run, shop: Path) -> None:
    (shop / "pier-lantern.html").chmod(0)
    err = run("clean", shop / "pier-lantern.html")[2]
    assert "permission denied" in err
    assert "write" not in err


def test_a_report_is_about_one_of_several_sites(run: Run, tmp_path: Path) -> None:
    rows = [
        {"url": f"http://{host}/{number}", "html": html}
        for host, journal in (("en.example", ENGLISH), ("de.example", GERMAN))
        for number, html in enumerate(journal.pages())
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    show = ("show", tmp_path / "in.jsonl", "-o", tmp_path / "report.html")
    code, _, err = run(*show)
    assert code == 2
    assert "2 sites in the source; a report shows one, choose it with --site: de.example, en.example" in err
    code, _, err = run(*show, "--site", "de.example")
    assert code == 0
    assert f"{len(GERMAN.pages())} pages in one family" in err
    assert GERMAN.stories[0].title in (tmp_path / "report.html").read_text("utf-8")
    assert run("learn", tmp_path / "in.jsonl", "-o", tmp_path / "husks", "-q")[0] == 0
    assert run(*show, "--site", "en.example", "-t", tmp_path / "husks")[0] == 0
    assert "did you mean en.example?" in run(*show, "--site", "en.exampel")[2]


def test_a_terminal_is_shown_learning_and_writing_too(
    run: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, _, err = run("clean", shop, "-o", tmp_path / "out.jsonl")
    assert code == 0
    assert "learning:   0%" in err
    assert "writing:   0%" in err
    assert "%" not in run("clean", shop, "-o", tmp_path / "out.jsonl", "-q")[2]


@pytest.mark.parametrize("environment", [{}, {"PYTHONUNBUFFERED": "1"}])
@pytest.mark.parametrize("words", ["--help", "methods", "clean --help", "clean PAGE", "clean PAGE --format jsonl"])
def test_a_full_standard_output_gives_one_line_in_an_empty_environment(
    shop: Path, words: str, environment: dict[str, str]
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *words.replace("PAGE", f"{shop / 'pier-lantern.html'} -q").split()],
            stdout=full,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "HOME": str(shop), **environment},
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("dehusk: error: ")
    assert "no space left on device" in done.stderr
    assert done.stderr.count("\n") == 1
