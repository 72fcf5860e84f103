"""Ray Data gives the rows of `dehusk clean`, however pages are split."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import demo_crawl as demo
from dehusk.base.errors import UsageError

os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # only then does Ray stay on loopback, on every system
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # else it would report to its makers
pytest.importorskip("ray.data", reason="needs Ray: make test-integrations NAME=ray")

import ray

from dehusk.integrations.ray import clean_pages

PDF = {"url": "https://tidewater.example/price-list", "html": "%PDF-1.4"}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A Ray of this machine, on loopback."""
    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
    assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"]
    yield
    ray.shutdown()


def dataset(*more: dict[str, Any]) -> Any:
    return ray.data.from_items([*({"url": url, "html": html} for url, html in demo.PAGES.items()), *more])


def texts(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {row["url"]: row["text"] for row in rows}


def test_rows_are_those_of_dehusk_clean(tmp_path: Path) -> None:
    rows = clean_pages(dataset()).take_all()
    assert texts(rows) == demo.texts(tmp_path)
    assert all(row["title"] and row["skipped"] is None for row in rows)


def test_a_template_and_a_store_give_the_same(tmp_path: Path) -> None:
    for name, path in demo.learned(tmp_path).items():
        assert texts(clean_pages(dataset(), **{name: path}).take_all()) == demo.texts(tmp_path)


def test_a_page_that_cannot_be_cleaned_has_its_reason() -> None:
    rows = clean_pages(dataset(PDF)).take_all()
    assert [(row["name"], row["skipped"]) for row in rows if row["skipped"]] == [(PDF["url"], "a PDF, not HTML")]
    assert len(rows) == len(demo.PAGES) + 1


def test_without_a_single_page_there_are_only_reasons() -> None:
    rows = clean_pages(ray.data.from_items([PDF])).take_all()
    assert [row["skipped"] for row in rows] == ["a PDF, not HTML"]


def test_invalid_arguments_are_refused_at_once() -> None:
    with pytest.raises(UsageError, match="no column body; there are url, html"):
        clean_pages(dataset(), html="body")
    with pytest.raises(UsageError, match="choose one of text, markdown"):
        clean_pages(dataset(), format="pdf")


def test_the_example_of_the_docs_runs(tmp_path: Path) -> None:
    crawl = demo.jsonl(tmp_path)
    names: dict[str, Any] = {}
    for example in demo.examples("ray"):
        for name in ("crawl.jsonl", "text"):  # workers have another folder
            example = example.replace(f'"{name}"', f'"{crawl.parent / name}"')  # noqa: PLW2901
        exec(example, names)  # our own code
    assert texts(names["text"].take_all()) == demo.texts(tmp_path)
