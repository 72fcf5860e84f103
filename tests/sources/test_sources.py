"""Recognizing the type of a source, and the options of each type."""

import inspect
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import dehusk
from dehusk.base.errors import Skipped, SourceError, UsageError
from dehusk.base.packing import SUFFIXES
from dehusk.sources import OPTIONS, SOURCE_TYPES, Reading, expanded, fetched, open_source, pages_of
from dehusk.sources._paths import Paths, Stdin
from dehusk.sources._url import Url
from dehusk.sources.jsonl import JsonLines
from dehusk.sources.wacz import Wacz
from dehusk.sources.warc import WarcSource


@pytest.mark.parametrize(
    "place", ["a.warc", "A.WARC.gz", "a.warc.zst", "a.jsonl", "a.ndjson.gz", "a.jsonl.zst", "a.wacz"]
)
def test_the_suffix_of_a_file_decides_its_type(tmp_path: Path, place: str) -> None:
    (tmp_path / place).touch()
    kind = {"a.wacz": Wacz}.get(place, WarcSource if "warc" in place.lower() else JsonLines)
    assert type(open_source([tmp_path / place])) is kind


@pytest.mark.parametrize("place", ["a.html", "a", "a.wacz.gz", "a.parquet.zst", "a.txt.gz", "a.gz"])
def test_any_other_file_is_read_as_a_page(tmp_path: Path, place: str) -> None:
    (tmp_path / place).touch()
    assert type(open_source([tmp_path / place])) is Paths


def test_a_folder_is_a_folder_even_with_a_suffix(tmp_path: Path) -> None:
    (tmp_path / "site.warc").mkdir()
    (tmp_path / "site.warc" / "a.html").write_text("<p>x")
    assert type(open_source([tmp_path / "site.warc"])) is Paths
    assert not fetched(str(tmp_path / "site.warc"))


@pytest.mark.parametrize(
    ("place", "yes"),
    [
        ("http://site.example/", True),
        ("HTTPS://site.example/a.warc", True),
        ("http://site.example/sitemap.xml.gz", True),
        ("sitemap.xml", True),
        ("urls.txt", True),
        ("a.warc", False),
        ("pages", False),
        ("-", False),
    ],
)
def test_fetched_sources_are_recognized_by_their_names(place: str, yes: bool) -> None:  # a column
    assert fetched(place) is yes


def test_a_url_is_a_page_unless_it_is_named_like_a_sitemap(monkeypatch: pytest.MonkeyPatch) -> None:
    class Listed(Stdin):
        def __init__(self, place: str, _: object) -> None:
            self.place = place

    monkeypatch.setattr("dehusk.sources._sitemap.Sitemap", Listed)
    reading = Reading(fetcher=SimpleNamespace)  # type: ignore[arg-type]  # never used
    for place in ("http://x.example/sitemap", "http://x.example/a.xml?b", "http://x.example/A.XML.GZ"):
        source = open_source([place], reading)
        assert isinstance(source, Listed)
        assert source.place == place
    for place in ("http://x.example/", "http://x.example/a.jsonl", "http://x.example/sitemap/"):
        assert type(open_source([place], reading)) is Url


def test_pages_on_the_web_need_a_fetcher() -> None:
    with pytest.raises(UsageError, match="pages from the web need a Fetcher"):
        open_source(["http://site.example/"])


def test_standard_input_is_a_source_of_its_own() -> None:
    assert type(open_source(["-"])) is Stdin
    with pytest.raises(UsageError, match="standard input cannot be mixed"):
        open_source(["-", "a.html"])


@pytest.mark.parametrize("place", ["a.warc", "a.jsonl.gz", "a.parquet", "a.html", "a"])
def test_a_missing_place_is_named(tmp_path: Path, place: str) -> None:
    with pytest.raises(SourceError, match=f"{place}: no such file or folder"):
        open_source([tmp_path / place])


def test_options_reach_the_types_that_have_them(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"address": "http://x/", "html": "<p>x"}\n')
    (tmp_path / "a.warc").touch()
    reading = Reading(options={"url_column": "address"})
    assert [item.name for item in open_source([tmp_path / "a.jsonl"], reading)] == ["http://x/"]
    open_source([tmp_path / "a.warc"], reading)


def test_an_option_that_no_type_has_is_refused() -> None:
    with pytest.raises(UsageError, match="no source has an option column; choose from url_column, html_column"):
        Reading(options={"column": "a"})


@pytest.mark.parametrize("kind", SOURCE_TYPES, ids=lambda kind: kind.name)
def test_the_options_in_the_table_are_those_of_the_code(kind: Any) -> None:
    parameters = inspect.signature(getattr(import_module(f"dehusk.sources.{kind.module}"), kind.opens)).parameters
    assert {one.name: parameters[one.name].default for one in kind.options} == {
        one.name: one.default for one in kind.options
    }
    assert set(kind.packings) <= set(SUFFIXES)


def test_no_two_types_share_a_suffix_and_no_two_options_a_name() -> None:
    suffixes = [suffix for kind in SOURCE_TYPES for suffix in kind.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert len({one.name for one in OPTIONS}) == len(OPTIONS)


def test_a_place_without_pages_gives_the_reason_for_its_first_item(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4")
    with pytest.raises(SourceError, match=r"a\.pdf: a PDF, not HTML"):
        list(pages_of(open_source([tmp_path / "a.pdf"])))
    with pytest.raises(SourceError, match=r"a\.pdf: a PDF, not HTML"):
        dehusk.learn(tmp_path / "a.pdf")
    (tmp_path / "b.html").write_text("<p>Ebb")
    assert [page.name for page in pages_of(open_source([tmp_path / "a.pdf", tmp_path / "b.html"]))] == ["b.html"]


@pytest.mark.parametrize("name", ["a.html", "a.warc", "a.jsonl", "a.wacz", "urls.txt", "sitemap.xml"])
def test_a_file_without_read_permission_gets_no_advice_about_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / name).touch()
    monkeypatch.setattr("io.open", denied)
    monkeypatch.setattr("dehusk.sources.wacz.ZipFile", denied)
    try:
        (item,) = open_source([tmp_path / name], Reading(fetcher=lambda: SimpleNamespace(max_pages=1)))  # type: ignore[arg-type,return-value]
    except SourceError as error:
        said = str(error)
    else:
        assert isinstance(item, Skipped)
        said = f"{item.name}: {item.reason}"
    assert said.endswith(": permission denied")


@pytest.mark.parametrize("place", ["http://[", "https://[::1/sitemap.xml"])
def test_a_place_that_is_not_a_url_is_not_opened_and_raises_no_traceback(place: str) -> None:
    assert fetched(place)


def test_patterns_the_home_folder_and_file_urls_are_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "my site").mkdir()
    for name in ("b.html", "a.html", "c.css"):
        (tmp_path / "my site" / name).write_text("<p>x")
    both = [str(tmp_path / "my site" / name) for name in ("a.html", "b.html")]
    assert expanded(["~/my site/*.html"]) == expanded([f"{tmp_path}/**/?.html"]) == both
    assert expanded([f"file://{tmp_path}/my%20site/a.html"]) == both[:1]
    assert expanded(["-", "https://sea.example/*"]) == ["-", "https://sea.example/*"]
    with pytest.raises(SourceError, match="no file has a name like this"):
        expanded([f"{tmp_path}/*.htm"])
    with pytest.raises(UsageError, match="a file on another computer"):
        expanded(["file://sea.example/a.html"])


def test_a_file_whose_name_is_a_pattern_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "page?id=[1]").write_text("<p>x")
    assert expanded([tmp_path / "page?id=[1]"]) == [str(tmp_path / "page?id=[1]")]
