"""Pipelines of datatrove on a WARC give the text of `dehusk clean`."""

import gzip
import json
from pathlib import Path

import pytest

import dehusk
import demo_crawl
import demo_site
from archives import http, record, zipped
from dehusk.base.errors import UsageError

pytest.importorskip("datatrove", reason="needs datatrove: make test-integrations NAME=datatrove")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter

from dehusk.integrations.datatrove import DehuskCleaner, DehuskExtractor, DehuskLearner

PDF = record("price-list", http(b"%PDF-1.4"), more="WARC-Identified-Payload-Type: text/html\r\n")


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two archives of the demo site, and a page that is none."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    html = "WARC-Identified-Payload-Type: text/html\r\n"
    records = [record(name, http(page.encode()), more=html) for name, page in demo_site.pages().items()]
    (folder / "1.warc.gz").write_bytes(zipped(*records[:13], PDF))
    (folder / "2.warc.gz").write_bytes(zipped(*records[13:]))
    monkeypatch.chdir(tmp_path)
    return folder


def expected(folder: Path) -> dict[str, str]:
    out = folder.parent / "expected.jsonl"
    dehusk.Job(sorted(folder.glob("*.warc.gz")), out).run()
    return {row["url"]: row["text"] for row in map(json.loads, out.read_text("utf-8").splitlines())}


def rows(folder: Path) -> list[Document]:
    lines = [
        line for file in sorted(folder.glob("*.jsonl.gz")) for line in gzip.decompress(file.read_bytes()).splitlines()
    ]
    return [Document(**json.loads(line)) for line in lines]


def test_the_example_of_the_docs_gives_the_text_of_dehusk_clean(crawl: Path) -> None:
    for example in demo_crawl.examples("datatrove"):
        exec(example, {"__name__": "__main__"})  # our own code
    cleaned = rows(Path("text"))
    assert {one.metadata["url"]: one.text for one in cleaned} == expected(crawl)
    assert all(one.metadata["title"] and one.metadata["date"] for one in cleaned)


@pytest.mark.parametrize(("tasks", "workers"), [(1, 1), (2, 2)])
def test_a_page_that_cannot_be_cleaned_is_counted_and_written_apart(crawl: Path, tasks: int, workers: int) -> None:
    desk = crawl.parent  # datatrove caches relative paths
    learn = [WarcReader(str(crawl)), DehuskLearner(desk / "crawl.store")]
    LocalPipelineExecutor(learn, logging_dir=str(desk / "1"), tasks=tasks, workers=workers).run()
    cleaner = DehuskCleaner(desk / "crawl.store", exclusion_writer=JsonlWriter(str(desk / "dropped")))
    steps = [WarcReader(str(crawl)), cleaner, JsonlWriter(str(desk / "text"))]
    stats = LocalPipelineExecutor(steps, logging_dir=str(desk / "2"), tasks=tasks, workers=workers).run()
    counted = stats.stats[1].to_dict()["stats"]
    assert counted["dropped_a PDF, not HTML"] == 1
    assert counted["forwarded"] == len(demo_site.pages())
    (dropped,) = rows(desk / "dropped")
    assert dropped.metadata["url"] == "http://site.example/price-list"
    assert dropped.metadata["filter_reason"] == "a PDF, not HTML"
    assert {one.metadata["url"]: one.text for one in rows(desk / "text")} == expected(crawl)


def test_a_template_file_gives_the_same(crawl: Path) -> None:
    dehusk.Job(sorted(crawl.glob("*.warc.gz"))).learn().save(Path("site.husk"))
    read = WarcReader(str(crawl)).run()
    cleaned = {one.metadata["url"]: one.text for one in DehuskCleaner(template="site.husk").run(read)}
    assert cleaned == expected(crawl)


def test_an_extractor_judges_each_page_by_itself(crawl: Path) -> None:
    documents = list(DehuskExtractor().run(WarcReader(str(crawl)).run()))
    pages = demo_site.pages()
    by_name = {one.metadata["url"].removeprefix("http://site.example/"): one.text for one in documents}
    assert by_name == {name: text for name, html in pages.items() if (text := dehusk.clean(html).text)}


def test_invalid_options_are_refused_at_once() -> None:
    for make, message in (
        (DehuskCleaner, "give the store of a DehuskLearner"),
        (lambda: DehuskCleaner("a.store", format="pdf"), "choose one of text, markdown"),
        (lambda: DehuskExtractor(format="pdf"), "choose one of text, markdown"),
        (lambda: DehuskLearner("a.store", method="magic"), "unknown method 'magic'"),
    ):
        with pytest.raises(UsageError, match=message):
            make()
