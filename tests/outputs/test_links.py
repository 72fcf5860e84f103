"""Links of all pages of a job."""

import gzip
import json
from pathlib import Path

import pytest

import demo_site
from dehusk.cli import main

BASE = "https://tidewater.example/"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, html in demo_site.pages().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(html)
    return folder


def test_the_command_lists_links_with_their_roles(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "links.jsonl"
    assert main(["links", str(site), "--base-url", BASE, "-o", str(out), "--quiet"]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert {"navigation", "body", "related"} <= {row["role"] for row in rows}
    assert {row["page"] for row in rows} == set(demo_site.pages())
    assert main(["links", str(site), "--base-url", BASE, "-o", str(tmp_path / "l.jsonl.gz"), "--quiet"]) == 0
    assert gzip.decompress((tmp_path / "l.jsonl.gz").read_bytes()) == out.read_bytes()


def test_crawl_next_has_each_url_once_without_the_pages_of_the_source(
    site: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (site / "index.html").rename(tmp_path / "index.html")
    try:
        assert main(["links", str(site), "--base-url", BASE, "--crawl-next"]) == 0
    finally:
        (tmp_path / "index.html").rename(site / "index.html")
    urls = capfd.readouterr().out.splitlines()
    assert len(urls) == len(set(urls))
    assert f"{BASE}index.html" in urls
    assert not {f"{BASE}{name}" for name in demo_site.pages() if name != "index.html"} & set(urls)


def test_a_list_of_urls_is_written_only_for_crawl_next(
    site: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["links", str(site), "--base-url", BASE, "-o", str(tmp_path / "l.txt")]
    assert main(words) == 2
    assert "use dehusk links --crawl-next for a list of URLs, or name a .jsonl file" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main([*words, "--crawl-next"]) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["l.txt"]


def test_a_folder_is_no_place_for_links(site: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["links", str(site), "-o", f"{tmp_path}/new/"]) == 2
    assert "is the name of a folder, and links is one file" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_crawl_next_leaves_out_what_cannot_be_fetched(
    site: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["links", str(site), "--crawl-next"]) == 0
    urls = capfd.readouterr().out.splitlines()
    assert urls
    assert all(url.startswith(BASE) for url in urls)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_text("<p>The tide <a href=b.html>turns</a> twice a day, all year.</p>")
    words = ["links", str(tmp_path / "in"), "--crawl-next", "-o", str(tmp_path / "next.txt")]
    assert main(words) == 1
    assert "no link to another page has an http or https URL; give --base-url" in capfd.readouterr().err
    assert not (tmp_path / "next.txt").exists()
    assert main([*words, "--base-url", BASE]) == 0
    assert (tmp_path / "next.txt").read_text() == f"{BASE}b.html\n"
    assert {file.name for file in tmp_path.iterdir()} == {"in", "next.txt"}
