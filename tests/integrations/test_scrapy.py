"""The add-on in real crawls of the demo site on loopback: the same text as `dehusk clean`, and links by their roles."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

import dehusk
import demo_crawl
import demo_site
import loopback
from dehusk.jobs import arriving

pytest.importorskip("scrapy", reason="needs Scrapy: make test-integrations NAME=scrapy")

SPIDER = """
import asyncio, json, os, signal, sys
from pathlib import Path
import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from dehusk.integrations import scrapy as adapter

start, out, given = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3])
kept, told, order = [], [], []

class Demo(scrapy.Spider):
    name = "demo"
    start_urls = [start]

    {callback}

def on_item(item):
    kept.append(item)

def on_redesign(state):
    told.append(state.site)

class Later:
    state = "new"
    def open_spider(self, spider=None):
        self.state = "open"
    def close_spider(self, spider=None):
        self.state = "closed"
    async def process_item(self, item, spider=None):
        await asyncio.sleep(0)
        return {{**item, "seen": self.state}}

settings = {{
    "ADDONS": {{"dehusk.integrations.scrapy.Addon": 500}},
    "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "INFO",
    "CONCURRENT_REQUESTS": 1, **{{"DOWNLOAD_DELAY": 0, **given}},
}}
process = CrawlerProcess(settings)
crawler = process.create_crawler(Demo)
crawler.signals.connect(on_item, signals.item_scraped)
crawler.signals.connect(on_redesign, adapter.redesigned)
process.crawl(crawler)
process.start()
stats = {{name: value for name, value in crawler.stats.get_stats().items() if isinstance(value, int)}}
out.write_text(json.dumps({{"items": kept, "told": told, "stats": stats}}))
"""
PLAIN = """def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(css="a")
        yield adapter.page_item(response)"""
ASYNC = """async def parse(self, response):
        for link in response.css("a"):
            yield response.follow(link)
        yield adapter.page_item(response)"""


LATER = {"__main__.Later": 300}
"""A pipeline of the user after ours."""


@pytest.fixture
def site() -> Any:
    """The demo site, served."""
    with loopback.serving() as server:
        for name, html in demo_site.pages().items():
            server.routes[f"/{name}"] = loopback.answer(html, kind="text/html; charset=utf-8")
        yield server


def crawl(server: loopback.Server, folder: Path, callback: str = PLAIN, **settings: object) -> dict[str, Any]:
    """Crawls the site in a process of its own, because a reactor starts only once. Returns items and stats."""
    out = folder / "out.json"
    arguments = [server.url("/index.html"), str(out), json.dumps(settings)]
    done = subprocess.run(
        [sys.executable, "-c", SPIDER.format(callback=callback), *arguments],
        env={**os.environ, "no_proxy": "*"},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(out.read_text("utf-8"))
    result["log"] = done.stderr
    return result


def expected(server: loopback.Server, folder: Path) -> dict[str, str]:
    """The text of each page that can be reached, as `dehusk clean` writes it, by URL."""
    pages = demo_site.pages()
    return demo_crawl.texts(folder, pages={server.url(f"/{name}"): html for name, html in pages.items()})


@pytest.mark.parametrize("callback", [PLAIN, ASYNC])
def test_a_crawl_gives_the_text_of_dehusk_clean(site: loopback.Server, tmp_path: Path, callback: str) -> None:
    result = crawl(site, tmp_path, callback)
    texts = {item["url"]: item["text"] for item in result["items"]}
    assert texts == expected(site, tmp_path)
    assert result["stats"]["dehusk/cleaned"] == result["stats"]["item_scraped_count"] == len(result["items"])
    lantern = next(item for item in result["items"] if item["url"].endswith("pier-lantern.html"))
    assert lantern["metadata"]["title"] in lantern["markdown"]
    assert not {"html", "encoding", "skipped"} & lantern.keys()
    assert "dehusk/skipped" not in result["stats"]


def test_each_of_several_hosts_is_learned_from_its_own_pages(site: loopback.Server, tmp_path: Path) -> None:
    other = site.url("/index.html", host="localhost")
    html = demo_site.pages()["index.html"]
    site.routes["/index.html"] = loopback.answer(html.replace("</body>", f"<a href={other}>Elsewhere</a></body>"))
    pages = {
        site.url(path, host): cast("bytes", sent).partition(b"\r\n\r\n")[2].decode()
        for host in ("127.0.0.1", "localhost")
        for path, sent in site.routes.items()
    }
    texts = demo_crawl.texts(tmp_path, pages=pages)
    assert len(texts) == 2 * len(demo_site.pages())
    result = crawl(site, tmp_path)
    assert {item["url"]: item["text"] for item in result["items"]} == texts
    assert {item["metadata"]["site"] for item in result["items"]} == {"127.0.0.1", "localhost"}


def lamps(server: loopback.Server) -> None:
    """Serves a shop of ten lamps, and a list of them."""
    links = "".join(f"<li><a href=/lamp{n}.html>Lamp {n}</a></li>" for n in range(10))
    server.routes["/index.html"] = loopback.answer(f"<h1>All lamps</h1><ul>{links}</ul>")
    for n in range(10):
        html = (
            f"<nav><a href=/index.html>All lamps</a></nav><main><h1>Lamp number {n}</h1><dl>"
            f"<dt>Price</dt><dd>{n + 10}.50 EUR</dd><dt>Colour</dt><dd>shade {n}</dd></dl>"
            f"<p>This lamp, model {n}, lights a desk of {n} feet.</p></main>"
        )
        server.routes[f"/lamp{n}.html"] = loopback.answer(html)


def test_items_have_the_record_of_dehusk_table_on_request(site: loopback.Server, tmp_path: Path) -> None:
    lamps(site)
    pages = [
        dehusk.Page(
            cast("bytes", site.routes[f"/{name}.html"]).partition(b"\r\n\r\n")[2], url=site.url(f"/{name}.html")
        )
        for name in ("index", *(f"lamp{n}" for n in range(10)))
    ]
    rows = {row["url"]: {k: v for k, v in row.items() if k not in ("page", "url")} for row in dehusk.table(pages).rows}
    dehusk.learn(pages, columns=True).save(tmp_path / "lamps.husk")
    for given in ({}, {"DEHUSK_TEMPLATE": str(tmp_path / "lamps.husk")}):
        result = crawl(site, tmp_path, DEHUSK_RECORD=True, **given)
        assert {item["url"]: item["record"] for item in result["items"] if item["record"]} == rows
        assert len(rows) == 10
    assert not any("record" in item for item in crawl(site, tmp_path)["items"])


def test_an_early_template_cleans_later_pages_at_once(site: loopback.Server, tmp_path: Path) -> None:
    result = crawl(site, tmp_path, DEHUSK_LEARN_FROM=5, DEHUSK_CONTENT="text")
    assert len({item["url"] for item in result["items"]}) == len(demo_site.pages())
    assert all(item["text"] and "markdown" not in item for item in result["items"])


def test_a_template_or_a_store_holds_nothing_and_gives_the_same_text(site: loopback.Server, tmp_path: Path) -> None:
    texts = expected(site, tmp_path)
    job = dehusk.Job(tmp_path / "crawl.jsonl", store=tmp_path / "site.store")
    job.add_to_store()
    dehusk.Job(tmp_path / "crawl.jsonl").learn().save(tmp_path / "site.husk")
    for settings in ({"DEHUSK_TEMPLATE": tmp_path / "site.husk"}, {"DEHUSK_STORE": tmp_path / "site.store"}):
        result = crawl(site, tmp_path, **{name: str(path) for name, path in settings.items()})
        assert {item["url"]: item["text"] for item in result["items"]} == texts
        assert result["stats"]["dehusk/sites_holds"] == 1
        assert result["told"] == []


def test_a_redesign_sends_a_signal_and_is_counted(site: loopback.Server, tmp_path: Path) -> None:
    menu = "".join(f"<li class=entry><a href=/{word}>{word} of yore</a></li>" for word in "abcdefghijklmno")
    old = [
        f"<div id=head><ul class=old-menu>{menu}</ul></div><section class=story><h1>Old {n}</h1><p>Words of story {n}."
        f"</section><div id=foot><p class=legal>All wrongs reserved<p class=by>Made by a webmaster</div>"
        for n in range(9)
    ]
    dehusk.learn(old).save(tmp_path / "old.husk")
    result = crawl(site, tmp_path, DEHUSK_TEMPLATE=str(tmp_path / "old.husk"))
    assert result["told"] == ["127.0.0.1"]
    assert result["stats"]["dehusk/sites_redesigned"] == 1
    assert "127.0.0.1: redesigned" in result["log"]


def test_pages_held_to_tell_redesigns_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scrapy import Spider
    from scrapy.utils.test import get_crawler

    from dehusk.integrations.scrapy import Pipeline

    template = demo_crawl.learned(tmp_path)["template"]
    crawler = get_crawler(Spider, {"DEHUSK_TEMPLATE": template})
    pipeline = Pipeline(crawler)
    items = [{"url": url, "html": html} for url, html in demo_crawl.PAGES.items()]
    monkeypatch.setattr(arriving, "MOST_HELD", sum(len(item["html"]) for item in items[:3]))
    for item in items[:3]:
        pipeline.process_item(dict(item))
    told = {"dehusk/cleaned": 3}
    assert crawler.stats.get_stats() == told
    pipeline.process_item(dict(items[3]))
    (state,) = crawler.stats.get_stats().keys() - told.keys()
    assert state.startswith("dehusk/sites_")
    pipeline.process_item(dict(items[4]))
    pipeline.close_spider()
    assert crawler.stats.get_stats() == {"dehusk/cleaned": 5, state: 1}


def test_a_page_that_cannot_be_cleaned_is_counted_and_named(site: loopback.Server, tmp_path: Path) -> None:
    site.routes["/about/plain.html"] = loopback.answer(b"%PDF-1.4", kind="application/pdf")
    result = crawl(site, tmp_path)
    (bad,) = (item for item in result["items"] if "skipped" in item)
    assert bad == {"url": site.url("/about/plain.html"), "skipped": "a PDF, not HTML"}
    assert result["stats"]["dehusk/skipped"] == 1
    assert f"{bad['url']}: a PDF, not HTML" in result["log"]
    assert len({item["url"] for item in result["items"]}) == len(demo_site.pages())


def test_links_are_followed_by_their_roles(site: loopback.Server, tmp_path: Path) -> None:
    menu = "".join(f"<li><a href=/menu{n}.html>Menu entry {n}</a></li>" for n in range(4))
    story = "".join(
        f"<p>A long story about the harbour, the ferry and its crew: see <a href=/story{n}.html>part {n}"
        "</a>, and read what the keeper of the light wrote on that stormy night.</p>"
        for n in range(4)
    )
    tools = "<form action=/find><a rel=nofollow href=/print.html>Print</a></form>"
    html = f"<article><h1>The harbour</h1>{story}</article>{tools}<nav class=menu><ul>{menu}</ul></nav>"
    site.routes["/index.html"] = loopback.answer(html)
    crawl(site, tmp_path, DEHUSK_LINKS="off")
    as_found, site.asked[:] = list(site.asked), []
    result = crawl(site, tmp_path, DEHUSK_LINKS="worth")
    assert [path[:6] for path in site.asked[1:5]] == ["/story"] * 4
    assert [path[:6] for path in as_found[1:5]] != ["/story"] * 4
    assert "/print.html" in as_found
    assert "/print.html" not in site.asked
    assert result["stats"]["dehusk/links_dropped"] == 1


def test_wrong_settings_end_the_crawl_with_what_to_do(site: loopback.Server, tmp_path: Path) -> None:
    for settings, message in (
        ({"DEHUSK_LINKS": "best"}, "choose one of order, worth, off"),
        ({"DEHUSK_CONTENT": "texts"}, "no field 'texts' to ask for"),
        ({"DEHUSK_STORE": str(tmp_path / "none.store")}, "no such store"),
        ({"DEHUSK_STORE": "a", "DEHUSK_TEMPLATE": "b"}, "cannot be combined"),
    ):
        result = crawl(site, tmp_path, **settings)
        assert message in result["log"]
        assert result["items"] == []


def test_the_example_of_the_docs_runs(site: loopback.Server, tmp_path: Path) -> None:
    example = demo_crawl.examples("scrapy")[0].replace("https://site.example/", site.url("/index.html"))
    (tmp_path / "pages.py").write_text(example, "utf-8")
    command = "-m scrapy runspider pages.py -o pages.jsonl -s TELNETCONSOLE_ENABLED=0 -s ROBOTSTXT_OBEY=0"
    done = subprocess.run(
        [sys.executable, *command.split()],
        cwd=tmp_path,
        env={**os.environ, "no_proxy": "*"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = list(map(json.loads, (tmp_path / "pages.jsonl").read_text("utf-8").splitlines()))
    assert {row["url"]: row["text"] for row in rows} == expected(site, tmp_path)


INTERRUPTED = (
    PLAIN
    + """
        self.parsed = getattr(self, "parsed", 0) + 1
        if self.parsed == 5:
            os.kill(os.getpid(), signal.SIGINT)"""
)


@pytest.mark.parametrize(
    ("callback", "settings"), [(PLAIN, {"CLOSESPIDER_PAGECOUNT": 5}), (INTERRUPTED, {"DOWNLOAD_DELAY": 0.2})]
)
def test_a_crawl_that_is_stopped_early_loses_no_item(
    site: loopback.Server, tmp_path: Path, callback: str, settings: dict[str, float]
) -> None:
    result = crawl(site, tmp_path, callback, **settings, ITEM_PIPELINES=LATER)
    pages = [path for path in site.asked if path.endswith(".html")]
    assert 5 <= len(pages) < len(demo_site.pages())
    assert sorted(item["url"] for item in result["items"]) == sorted(map(site.url, pages))
    assert all(item["text"] and item["seen"] == "open" for item in result["items"])
    assert "dehusk/lost" not in result["stats"]
    assert f"learning from the {len(pages)} items that are held" in result["log"]


def test_items_that_wait_are_counted_if_another_processor_closes_the_pipelines(
    site: loopback.Server, tmp_path: Path
) -> None:
    own = "scrapy.pipelines.ItemPipelineManager"
    result = crawl(site, tmp_path, CLOSESPIDER_PAGECOUNT=5, ITEM_PROCESSOR=own)
    assert result["items"] == []
    assert result["stats"]["dehusk/lost"] >= 5
    assert "items waited for more pages of their host" in result["log"]
