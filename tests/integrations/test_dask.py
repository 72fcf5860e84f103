"""Dask gives the rows of `dehusk clean`, however pages are split."""

from pathlib import Path
from typing import Any

import pytest

import demo_crawl as demo
from dehusk.base.errors import UsageError

pytest.importorskip("dask.dataframe", reason="needs Dask: make test-integrations NAME=dask")

import dask
import dask.dataframe as dd
import pandas as pd

from dehusk.integrations.dask import clean_pages

PDF = ("https://tidewater.example/price-list", "%PDF-1.4")


def frame(*more: tuple[str | None, str | None], parts: int = 3) -> dd.DataFrame:
    return dd.from_pandas(pd.DataFrame([*demo.PAGES.items(), *more], columns=["url", "html"]), npartitions=parts)


def texts(rows: pd.DataFrame) -> dict[str, str]:
    return dict(zip(rows["url"], rows["text"], strict=True))


@pytest.mark.parametrize("scheduler", ["sync", "threads", "processes"])
def test_rows_are_those_of_dehusk_clean(tmp_path: Path, scheduler: str) -> None:
    with dask.config.set(scheduler=scheduler, num_workers=2):
        rows = clean_pages(frame()).compute()
    assert texts(rows) == demo.texts(tmp_path)
    assert rows["title"].notna().all()
    assert rows["skipped"].isna().all()


def test_the_split_does_not_matter_even_if_the_sample_is_small(tmp_path: Path) -> None:
    one, many = (clean_pages(frame(parts=parts), sample=2).compute() for parts in (1, 7))
    assert texts(one) == texts(many)
    for name, path in demo.learned(tmp_path).items():
        assert texts(clean_pages(frame(), **{name: path}).compute()) == demo.texts(tmp_path)


def test_a_page_that_cannot_be_cleaned_has_its_reason() -> None:
    rows = clean_pages(frame(PDF, ("https://tidewater.example/null", None))).compute()
    bad = rows[rows["skipped"].notna()]
    assert dict(zip(bad["name"], bad["skipped"], strict=True)) == {
        PDF[0]: "a PDF, not HTML",
        "https://tidewater.example/null": "empty",
    }
    assert len(rows) == len(demo.PAGES) + 2


def test_without_a_single_page_there_are_only_reasons() -> None:
    only = dd.from_pandas(pd.DataFrame([PDF], columns=["url", "html"]), npartitions=1)
    assert list(clean_pages(only).compute()["skipped"]) == ["a PDF, not HTML"]


def test_invalid_arguments_are_refused_at_once() -> None:
    options: list[tuple[dict[str, Any], str]] = [
        ({"html": "body"}, "no column body; there are url, html"),
        ({"format": "pdf"}, "choose one of text, markdown"),
        ({"by": "colour"}, "choose host or domain"),
        ({"sample": None}, "sample must be a number"),
    ]
    for given, message in options:
        with pytest.raises(UsageError, match=message):
            clean_pages(frame(), **given)


def test_the_example_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    demo.jsonl(tmp_path)
    demo.run("dask")
    assert texts(pd.read_parquet("text")) == demo.texts(tmp_path)
