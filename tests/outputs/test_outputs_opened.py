"""Outputs to a folder, to one file, or to standard output."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from dehusk.base.errors import OutputError, UsageError
from dehusk.core import Learning
from dehusk.outputs import in_one_file, open_output
from dehusk.page import Page

NOTHING = Learning().learn([])


def write(place: Path | str, form: str, names: Sequence[str] | None = ("a.html",), files: Sequence[Path] = ()) -> str:
    """Writes a page to an output; returns what was written to standard output."""
    stdout = io.TextIOWrapper(io.BytesIO())
    with open_output(str(place), form, names=names, files=files, stdout=stdout) as output:
        page = NOTHING.clean(Page("<h1>Tides", name="a.html"))
        output.write(page.page, output.encode(page, ""))
    return stdout.buffer.getvalue().decode()


@pytest.mark.parametrize(
    ("name", "form"), [("out.md", "markdown"), ("out.txt", "text"), ("out.html", "html"), ("out.tei", "tei")]
)
def test_one_page_goes_into_a_file_that_has_the_suffix_of_its_format(tmp_path: Path, name: str, form: str) -> None:
    write(tmp_path / "new" / name, form)
    assert "Tides" in (tmp_path / "new" / name).read_text()
    assert [file.name for file in (tmp_path / "new").iterdir()] == [name]


@pytest.mark.parametrize("names", [None, ("a.html", "b.html")])
@pytest.mark.parametrize("place", ["-", "out.md"])
def test_many_pages_cannot_be_written_to_the_file_of_one_page(
    tmp_path: Path, names: Sequence[str] | None, place: str
) -> None:
    with pytest.raises(UsageError, match=r"many pages do not fit .*; give a folder, or --format jsonl"):
        write(place if place == "-" else tmp_path / place, "markdown", names)
    assert not list(tmp_path.iterdir())


def test_a_page_goes_to_standard_output() -> None:
    assert write("-", "markdown") == "# Tides\n"


@pytest.mark.parametrize("name", ["out", "www.site.example"])
def test_any_other_name_is_a_folder(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, "markdown")
    assert [file.name for file in (tmp_path / name).iterdir()] == ["a.md"]


def test_an_existing_folder_is_a_folder_even_with_a_suffix(tmp_path: Path) -> None:
    (tmp_path / "mirror.html").mkdir()
    write(tmp_path / "mirror.html", "html")
    assert [file.name for file in (tmp_path / "mirror.html").iterdir()] == ["a.html"]


@pytest.mark.parametrize(("name", "form"), [("a.html", "html"), ("rows", "jsonl"), ("out", "html")])
def test_no_file_of_the_source_is_overwritten(tmp_path: Path, name: str, form: str) -> None:
    own = tmp_path / "out" / "a.html" if name == "out" else tmp_path / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("mine")
    with pytest.raises(UsageError, match=r"is both source and output; choose another output"):
        write(tmp_path / name, form, files=[own])
    assert own.read_text() == "mine"


def test_a_folder_is_never_used_as_a_file_of_rows(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").mkdir()
    with pytest.raises(OutputError, match="a folder is in the way"):
        write(tmp_path / "out.jsonl", "jsonl")


def test_an_option_that_a_format_does_not_have_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(UsageError, match="the format wet has no option markdown"),
        open_output(str(tmp_path / "out.wet"), "wet", markdown=True),
    ):
        pass


def test_only_outputs_in_one_file_can_be_continued() -> None:
    assert in_one_file("out.jsonl", "jsonl")
    assert not in_one_file("-", "jsonl")
    assert not in_one_file("out.md", "markdown")
    assert not in_one_file("out", "text")
