"""LangChain gets the text of `dehusk clean` as documents, whole or in chunks."""

import asyncio
import threading
from pathlib import Path

import pytest

import dehusk
from dehusk.base.errors import UsageError

pytest.importorskip("langchain_core", reason="needs LangChain: make test-integrations NAME=langchain")

from langchain_core.documents import Document

import demo_crawl as demo
from dehusk.integrations.langchain import DehuskLoader, DehuskSplitter, DehuskTransformer


def texts(documents: list[Document]) -> dict[str, str]:
    return {one.metadata["source"]: one.page_content for one in documents}


def html_documents() -> list[Document]:
    return [Document(page_content=html, metadata={"source": url, "depth": 2}) for url, html in demo.PAGES.items()]


@pytest.mark.parametrize("field", ["text", "markdown"])
def test_a_loader_gives_the_text_of_dehusk_clean(tmp_path: Path, field: str) -> None:
    expected = demo.texts(tmp_path, field)
    loader = DehuskLoader(tmp_path / "crawl.jsonl", format=field)
    assert texts(loader.load()) == expected
    assert texts(asyncio.run(loader.aload())) == expected
    pages = [dehusk.Page(html, url=url) for url, html in demo.PAGES.items()]
    assert texts(DehuskLoader(pages, format=field).load()) == expected


def test_a_template_and_a_store_give_the_same(tmp_path: Path) -> None:
    expected = demo.texts(tmp_path)
    for name, path in demo.learned(tmp_path).items():
        one = [next(document for document in html_documents() if "pier-lantern" in document.metadata["source"])]
        (cleaned,) = DehuskTransformer(**{name: path}).transform_documents(one)
        assert cleaned.page_content == expected[cleaned.metadata["source"]]
        loader = DehuskLoader(tmp_path / "crawl.jsonl", **{name: path})
        assert texts(asyncio.run(loader.aload())) == expected


def test_loading_lazily_reads_only_what_is_asked_for(tmp_path: Path) -> None:
    given = demo.learned(tmp_path)
    for name, path in given.items():
        loader = DehuskLoader(tmp_path / "crawl.jsonl", **{name: path})
        first = next(loader.lazy_load())

        async def one(loader: DehuskLoader = loader) -> Document:
            documents = loader.alazy_load()
            try:
                return await anext(documents)
            finally:
                await documents.aclose()  # type: ignore[attr-defined]

        assert asyncio.run(one()) == first
    assert threading.active_count() == 1


def test_metadata_follows_the_conventions(tmp_path: Path) -> None:
    documents = DehuskTransformer().transform_documents(html_documents())
    assert texts(documents) == demo.texts(tmp_path)
    lantern = next(one.metadata for one in documents if "pier-lantern" in one.metadata["source"])
    assert lantern["depth"] == 2
    assert lantern["language"] == "en"
    assert "Lantern" in lantern["title"]
    assert all(isinstance(value, str | int | float) for one in documents for value in one.metadata.values())


def test_a_splitter_gives_the_chunks_of_each_page() -> None:
    template = dehusk.learn(dehusk.Page(html, url=url) for url, html in demo.PAGES.items())
    chunks = DehuskSplitter(300, template=template).split_documents(html_documents())
    expected = [
        (chunk.id, chunk.text, chunk.path)
        for url, html in demo.PAGES.items()
        for chunk in template.clean(dehusk.Page(html, url=url)).chunks(300)
    ]
    assert [(one.id, one.page_content, one.metadata["path"]) for one in chunks] == expected
    assert len(chunks) > len(demo.PAGES)


def test_a_page_that_cannot_be_cleaned_is_named_and_the_rest_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    bad = Document(page_content="%PDF-1.4", metadata={"source": "https://tidewater.example/price-list"})
    transformer = DehuskTransformer()
    documents = transformer.transform_documents([bad, *html_documents()])
    assert len(documents) == len(demo.PAGES)
    (skipped,) = transformer.skipped
    assert (skipped.name, skipped.reason) == (bad.metadata["source"], "a PDF, not HTML")
    assert "price-list: a PDF, not HTML" in caplog.text
    assert transformer.transform_documents([]) == []


def test_invalid_options_are_refused_at_once() -> None:
    for options, message in (
        ({"format": "pdf"}, "choose one of text, markdown"),
        ({"chunk_size": 0}, "chunk_size"),
    ):
        with pytest.raises(UsageError, match=message):
            DehuskTransformer(**options)
    with pytest.raises(UsageError, match="leave out sample"):
        DehuskLoader([dehusk.Page("<p>Hello")], template=dehusk.learn(["<p>Hello"]), sample=3).load()


def test_the_examples_of_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.jsonl(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = demo.run("langchain")
    assert texts(names["documents"]) == demo.texts(tmp_path)
