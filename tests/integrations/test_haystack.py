"""Haystack gets the text of `dehusk clean` as documents, whole or in chunks."""

import json
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk.base.errors import UsageError

pytest.importorskip("haystack", reason="needs Haystack: make test-integrations NAME=haystack")

from haystack import Document, Pipeline
from haystack.dataclasses import ByteStream

import demo_crawl as demo
from dehusk.integrations.haystack import DehuskConverter, DehuskSplitter


def sources() -> list[Any]:
    return [ByteStream(html.encode(), meta={"url": url, "depth": 2}) for url, html in demo.PAGES.items()]


def texts(documents: list[Document]) -> dict[str, str]:
    return {one.meta["url"]: one.content for one in documents}


def test_a_converter_gives_the_text_of_dehusk_clean(tmp_path: Path) -> None:
    expected = demo.texts(tmp_path)
    documents = DehuskConverter().run(sources=sources(), meta={"crawl": "may"})["documents"]
    assert texts(documents) == expected
    assert all(one.meta["depth"] == 2 and one.meta["crawl"] == "may" and one.meta["title"] for one in documents)
    for name, path in demo.learned(tmp_path).items():
        assert texts(DehuskConverter(**{name: path}).run(sources=sources())["documents"]) == expected
    assert texts(DehuskConverter(format="markdown").run(sources())["documents"]) == demo.texts(tmp_path, "markdown")


def test_a_saved_pipeline_of_files_gives_the_same(tmp_path: Path) -> None:
    template = demo.learned(tmp_path)["template"]
    url, html = next(iter(demo.PAGES.items()))
    (tmp_path / "page.html").write_text(html, "utf-8")
    pipeline = Pipeline()
    pipeline.add_component("convert", DehuskConverter(template=template))
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["dehusk.integrations.haystack"])
    (document,) = again.run({"convert": {"sources": [tmp_path / "page.html"]}})["convert"]["documents"]
    assert document.content == demo.texts(tmp_path)[url]


def test_a_saved_component_has_its_template_and_options(tmp_path: Path) -> None:
    learned = dehusk.Job(demo.jsonl(tmp_path)).learn()
    learned.save(tmp_path / "site.husk")
    (template,) = learned.by_site.values()
    for given in (template, learned, tmp_path / "site.husk"):
        converter = DehuskConverter(template=given, chunk_size=300, writing=dehusk.Writing(article_body=True))
        again = DehuskConverter.from_dict(json.loads(json.dumps(converter.to_dict())))
        assert again.to_dict() == converter.to_dict()
        found, expected = (one.run(sources()[3:4])["documents"] for one in (again, converter))
        assert [one.content for one in found] == [one.content for one in expected]
    splitter = DehuskSplitter(300, sample=3, store=tmp_path / "none.store")
    assert DehuskSplitter.from_dict(splitter.to_dict()).to_dict()["init_parameters"]["sample"] == 3


def test_a_splitter_gives_the_chunks_of_each_page(tmp_path: Path) -> None:
    template = dehusk.learn(dehusk.Page(html, url=url) for url, html in demo.PAGES.items())
    raw = [Document(content=html, meta={"url": url}) for url, html in demo.PAGES.items()]
    expected = [
        (chunk.text, chunk.path, chunk.position)
        for url, html in demo.PAGES.items()
        for chunk in template.clean(dehusk.Page(html, url=url)).chunks(300)
    ]
    for chunks in (
        DehuskSplitter(300).run(documents=raw)["documents"],
        DehuskConverter(chunk_size=300, template=demo.learned(tmp_path)["template"]).run(sources())["documents"],
    ):
        assert [(one.content, one.meta["path"], one.meta["split_id"]) for one in chunks] == expected
        assert len({one.id for one in chunks}) == len(chunks)


def test_what_cannot_be_cleaned_is_named_and_the_rest_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    bad = [ByteStream(b"%PDF-1.4", meta={"url": "https://tidewater.example/price-list"}), "no-such-file.html"]
    converter = DehuskConverter()
    documents = converter.run(sources=[*bad, *sources()])["documents"]
    assert texts(documents).keys() == demo.PAGES.keys()
    assert [one.name for one in converter.skipped] == ["https://tidewater.example/price-list", "no-such-file.html"]
    assert "price-list: a PDF, not HTML" in caplog.text
    with pytest.raises(UsageError, match="choose one of text, markdown"):
        DehuskConverter(format="pdf")


def test_the_examples_of_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    demo.jsonl(tmp_path)
    names = demo.run("haystack")
    assert texts(names["documents"]) == demo.texts(tmp_path)
