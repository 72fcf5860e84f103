"""Choosing the format of an output."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from dehusk.base.errors import UsageError
from dehusk.cli import main
from dehusk.outputs import CHOICES, FORMATS, chosen


@pytest.mark.parametrize(
    ("place", "form"),
    [
        ("out.jsonl", "jsonl"),
        ("a/out.JSONL.gz", "jsonl"),
        ("out.json", "json"),
        ("out.csv", "csv"),
        ("page.xml", "tei"),
        ("page.tei", "tei"),
        ("out.parquet", "parquet"),
        ("out.wet", "wet"),
        ("crawl.warc.wet.gz", "wet"),
        ("out.warc", "warc"),
        ("out.warc.gz", "warc"),
        ("page.md", "markdown"),
        ("page.txt", "text"),
        ("page.html", "html"),
        ("out", "text"),
        ("www.site.example", "text"),
        ("-", "text"),
    ],
)
def test_the_suffix_chooses_the_format(place: str, form: str) -> None:
    assert chosen(place, None) == form
    assert chosen(place, form) == form


@pytest.mark.parametrize("form", FORMATS)
def test_a_given_format_is_used_if_the_name_has_no_suffix(form: str) -> None:
    assert chosen("out", form) == chosen("-", form) == form


@pytest.mark.parametrize(
    ("place", "form"), [("out.jsonl", "text"), ("out.parquet", "jsonl"), ("a.md", "html"), ("out.warc.gz", "wet")]
)
def test_a_name_that_says_another_format_is_refused(place: str, form: str) -> None:
    with pytest.raises(UsageError, match=f"{place} is the name of a file in the format .*, not {form}"):
        chosen(place, form)


@pytest.mark.parametrize("place", ["out.jsonl.zst", "out.parquet.gz", "a.md.gz"])
def test_an_unsupported_compression_is_refused(place: str) -> None:
    with pytest.raises(UsageError, match="is not written as"):
        chosen(place, None)


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="choose one of text, markdown, html, tei, jsonl") as refused:
        chosen("out", "pdf")
    assert "records" not in str(refused.value)


@pytest.mark.parametrize("form", ["records", "items"])
def test_formats_of_other_jobs_are_not_offered(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert form not in CHOICES
    assert chosen(f"out.{form}", None) == "text"
    with pytest.raises(UsageError, match="files are not written") as refused:
        chosen("out.pdf", None)
    assert form not in str(refused.value)
    with pytest.raises(SystemExit, match="2"):
        main(["clean", "page.html", "-o", "out", "--format", form])
    assert "jsonl" in capsys.readouterr().err


def test_an_existing_folder_is_a_folder_even_with_a_suffix(tmp_path: Path) -> None:
    (tmp_path / "www.site.html").mkdir()
    assert chosen(str(tmp_path / "www.site.html"), None) == "text"
    assert chosen("www.site.html/", "markdown") == "markdown"


def test_no_two_formats_share_a_suffix() -> None:
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize("form", FORMATS)
def test_the_options_in_the_table_are_those_of_the_code(form: str) -> None:
    parameters = inspect.signature(import_module(f"dehusk.outputs.{FORMATS[form].module}").opened).parameters
    taken = {name: one.default for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY}
    assert taken == {one.name: one.default for one in FORMATS[form].options}


@pytest.mark.parametrize("place", ["out.pdf", "a/out.DOCX", "out.tar.gz", "out.zip", "rows.tsv"])
def test_a_file_that_cannot_be_written_is_refused_with_what_can(place: str) -> None:
    with pytest.raises(UsageError, match=r"files are not written; choose one of \.txt .*\.json .*, or end the name"):
        chosen(place, None)
    assert chosen(f"{place}/", None) == "text"


@pytest.mark.parametrize(("place", "form"), [("rows/", "jsonl"), ("rows/", "links"), ("out.jsonl/", None)])
def test_a_folder_is_refused_for_a_format_that_is_one_file(place: str, form: str | None) -> None:
    with pytest.raises(
        UsageError, match=rf"{place} is the name of a folder, and \w+ is one file; give the name of a file"
    ):
        chosen(place, form)
