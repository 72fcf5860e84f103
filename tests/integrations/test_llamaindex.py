"""LlamaIndex gets the text of `dehusk clean` as documents, and its chunks as nodes."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import dehusk

pytest.importorskip("llama_index.core", reason="needs LlamaIndex: make test-integrations NAME=llamaindex")

from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, MetadataMode, NodeRelationship

import demo_crawl as demo
from dehusk.integrations.llamaindex import DehuskNodeParser, DehuskReader


def texts(documents: list[Document]) -> dict[str, str]:
    return {one.metadata["source"]: one.text for one in documents}


def html_documents() -> list[Document]:
    return [Document(text=html, metadata={"url": url, "depth": 2}) for url, html in demo.PAGES.items()]


@pytest.mark.parametrize("field", ["text", "markdown"])
def test_a_reader_gives_the_text_of_dehusk_clean(tmp_path: Path, field: str) -> None:
    expected = demo.texts(tmp_path, field)
    assert texts(DehuskReader(format=field).load_data(tmp_path / "crawl.jsonl")) == expected
    for name, path in demo.learned(tmp_path).items():
        pages = [dehusk.Page(html, url=url) for url, html in demo.PAGES.items()]
        assert texts(DehuskReader(format=field, **{name: path}).load_data(pages)) == expected


def test_a_node_parser_gives_the_chunks_of_each_page(tmp_path: Path) -> None:
    template = dehusk.learn(dehusk.Page(html, url=url) for url, html in demo.PAGES.items())
    options: list[dict[str, Any]] = [{}, {"template": template}, demo.learned(tmp_path) | {"template": None}]
    expected = [
        (chunk.text, chunk.path)
        for url, html in demo.PAGES.items()
        for chunk in template.clean(dehusk.Page(html, url=url)).chunks(300)
    ]
    for given in options:
        nodes = DehuskNodeParser(chunk_size=300, **given).get_nodes_from_documents(html_documents())
        assert [(node.text, node.metadata["path"]) for node in nodes] == expected
        assert NodeRelationship.NEXT in nodes[0].relationships
        assert len({node.node_id for node in nodes}) == len(nodes)
        assert nodes[0].metadata["depth"] == 2
        assert "https://" not in nodes[0].get_content(MetadataMode.EMBED)


def test_a_saved_parser_has_its_template_and_options(tmp_path: Path) -> None:
    template = dehusk.learn(dehusk.Page(html, url=url) for url, html in demo.PAGES.items())
    other = dehusk.learn(["<p>Hello"])
    learned = dehusk.Job(demo.jsonl(tmp_path)).learn()
    assert DehuskNodeParser(template=template).to_json() != DehuskNodeParser(template=other).to_json()
    document = [html_documents()[3]]
    for given in (template, learned, tmp_path / "site.husk", None):
        template.save(tmp_path / "site.husk")
        parser = DehuskNodeParser(chunk_size=300, template=given, writing=dehusk.Writing(drop=["title"]))
        expected = [node.text for node in parser.get_nodes_from_documents(document)]
        for again in (DehuskNodeParser.from_json(parser.to_json()), pickle.loads(pickle.dumps(parser))):
            assert [node.text for node in again.get_nodes_from_documents(document)] == expected
            assert again.chunk_size == 300
    parser = DehuskNodeParser(learning={"sample": 3})
    parser.chunk_size = 300
    assert max(len(node.text) for node in parser.get_nodes_from_documents(html_documents())) < 500
    assert DehuskNodeParser.from_json(parser.to_json()).learning == {"sample": 3}


def test_a_pipeline_of_several_processes_gives_the_same(tmp_path: Path) -> None:
    parser = DehuskNodeParser(template=demo.learned(tmp_path)["template"], chunk_size=300)
    alone, several = (
        IngestionPipeline(transformations=[parser]).run(documents=html_documents(), num_workers=number)
        for number in (None, 2)
    )
    assert sorted(node.text for node in alone) == sorted(node.text for node in several)


def test_a_document_that_cannot_be_cleaned_is_named_and_the_rest_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    bad = Document(text="%PDF-1.4", metadata={"url": "https://tidewater.example/price-list"})
    parser = DehuskNodeParser()
    nodes = IngestionPipeline(transformations=[parser]).run(documents=[bad, *html_documents()])
    assert {node.metadata["source"] for node in nodes} == demo.PAGES.keys()
    (skipped,) = parser.skipped
    assert (skipped.name, skipped.reason) == (bad.metadata["url"], "a PDF, not HTML")
    assert "price-list: a PDF, not HTML" in caplog.text


def test_the_examples_of_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.jsonl(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = demo.run("llamaindex")
    assert texts(names["documents"]) == demo.texts(tmp_path)
    assert len(names["nodes"]) > len(demo.PAGES) / 2
