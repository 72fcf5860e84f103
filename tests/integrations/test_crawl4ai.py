"""The content filter in crawl4ai's own generator of Markdown, without a browser."""

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import dehusk
import demo_crawl as demo

os.environ.setdefault("CRAWL4_AI_BASE_DIRECTORY", tempfile.gettempdir())  # it makes folders when it is imported
pytest.importorskip("crawl4ai", reason="needs crawl4ai: make test-integrations NAME=crawl4ai")

from crawl4ai.markdown_generation_strategy import DefaultMarkdownGenerator

from dehusk.integrations.crawl4ai import DehuskFilter, learn_results


@dataclass
class Result:
    """What `arun_many` returns, as far as it is used."""

    url: str
    html: str
    success: bool = True


RESULTS = [Result(url, html) for url, html in demo.PAGES.items()]


def letters(text: str) -> str:
    """Only letters and digits: Markdown of different programs differs in the rest."""
    without_addresses = re.sub(r"\]\([^)]*\)|<[^>]*>", "", text)
    return re.sub(r"[\W_]", "", without_addresses)


def fit_markdown(content_filter: DehuskFilter, html: str, url: str) -> str:
    generator = DefaultMarkdownGenerator(content_filter=content_filter, content_source="raw_html")
    fit: str = generator.generate_markdown(html, base_url=url, html2text_options={"ignore_images": True}).fit_markdown
    return fit


def test_fit_markdown_has_the_text_of_dehusk_clean(tmp_path: Path) -> None:
    expected = demo.texts(tmp_path)
    learned = learn_results([*RESULTS, Result("https://tidewater.example/gone", "", success=False)])
    for content_filter in (DehuskFilter(learned), DehuskFilter(demo.learned(tmp_path)["template"])):
        for result in RESULTS:
            fit = fit_markdown(content_filter, result.html, result.url)
            assert letters(fit) == letters(expected[result.url]), result.url
        assert content_filter.skipped == []


def test_without_a_template_each_page_is_judged_by_itself() -> None:
    result = next(result for result in RESULTS if "pier-lantern" in result.url)
    fit = fit_markdown(DehuskFilter(), result.html, result.url)
    assert letters(fit) == letters(dehusk.clean(result.html).text)


def test_a_page_that_cannot_be_cleaned_gives_nothing_and_is_named(caplog: pytest.LogCaptureFixture) -> None:
    content_filter = DehuskFilter()
    assert content_filter.filter_content("%PDF-1.4") == []
    assert content_filter.filter_content("<p>Hello, these are some words.")
    assert [one.reason for one in content_filter.skipped] == ["a PDF, not HTML"]
    assert content_filter.filter_content("") == []
    assert [one.name for one in content_filter.skipped] == ["page 1", "page 3"]
    assert "page 1: a PDF, not HTML" in caplog.text


def test_the_example_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.jsonl(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = demo.run("crawl4ai", results=RESULTS)
    url, html = next(iter(demo.PAGES.items()))
    fit = names["config"].markdown_generator.generate_markdown(html, base_url=url).fit_markdown
    assert letters(fit) == letters(demo.texts(tmp_path)[url])
