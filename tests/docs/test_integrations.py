"""The commands on pages about programs beside dehusk run as shown, on files in the layout of these programs."""

import json
import re
import shlex
from pathlib import Path
from zipfile import ZipFile

import pytest

import demo_crawl
import demo_site
from archives import http, record, zipped
from dehusk.cli import main

BESIDE = ("archivebox", "changedetection", "wacz", "wallabag")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the demo site as JSON Lines, as two WACZ files, and in the layout of ArchiveBox."""
    demo_crawl.jsonl(tmp_path)
    pages = {name: html.encode() for name, html in demo_site.pages().items()}
    for name in ("crawl.wacz", "next.wacz"):
        with ZipFile(tmp_path / name, "w") as file:
            file.writestr("archive/data.warc.gz", zipped(*(record(path, http(html)) for path, html in pages.items())))
            file.writestr("pages/pages.jsonl", "{}\n")
    for number, (path, html) in enumerate(pages.items()):
        snapshot = tmp_path / "archive" / f"17000000{number:02}.0"
        (snapshot / "warc").mkdir(parents=True)
        (snapshot / "warc" / "1.warc.gz").write_bytes(zipped(record(path, http(html))))
        (snapshot / "singlefile.html").write_bytes(html)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(name: str) -> list[list[str]]:
    text = (demo_crawl.DOCS / f"{name}.md").read_text("utf-8")
    return [shlex.split(line)[1:] for line in re.findall(r"^\$ (dehusk .+)$", text, re.MULTILINE)]


@pytest.mark.parametrize("name", BESIDE)
def test_commands_run(desk: Path, name: str) -> None:
    assert len(commands(name)) >= 2
    for command in commands(name):
        assert main(command) == 0, command
    written = {
        "wacz": "text.jsonl",
        "archivebox": "text.jsonl",
        "wallabag": "tidewater.example.txt",
        "changedetection": "site.css",
    }
    content = (desk / written[name]).read_text("utf-8")
    if name in ("wacz", "archivebox"):
        texts = {row["url"].partition(".example/")[2]: row["text"] for row in map(json.loads, content.splitlines())}
        expected = {url.partition(".example/")[2]: text for url, text in demo_crawl.texts(desk).items()}
        assert texts == expected
    else:
        assert ("strip:" if name == "wallabag" else "display: none") in content


def test_the_crawl_of_the_examples_is_made_from_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    demo_site.write(tmp_path / "dehusk-demo" / "site")
    demo_crawl.run("README")
    rows = [json.loads(line) for line in (tmp_path / "crawl.jsonl").read_text("utf-8").splitlines()]
    assert {row["url"]: row["html"] for row in rows} == {
        f"https://demo.example/{name}": html for name, html in demo_site.pages().items()
    }


def test_each_page_is_listed() -> None:
    index = (demo_crawl.DOCS / "README.md").read_text("utf-8")
    assert {path.name for path in demo_crawl.DOCS.glob("*.md")} - {"README.md"} <= set(
        re.findall(r"\((\w+\.md)\)", index)
    )
