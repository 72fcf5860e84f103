"""Times an adapter beside plain dehusk: the demo site on several hosts, learned and cleaned in one process.

    build/venv-langchain/bin/python benchmarks/integrations.py langchain

Run it in the environment of the library, which `make test-integrations NAME=...` makes. Both get the same pages in
memory. Each is run several times, in turn, and the fastest run counts. Texts have to be equal.
"""

import argparse
import html as html_lib
import logging
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import dehusk
import demo_site

HOSTS, RUNS = 10, 3

Texts = dict[str, str]


def crawl() -> dict[str, str]:
    """The HTML of each page by URL: the demo site on each host."""
    site = demo_site.pages()
    return {f"https://host{n}.example/{name}": html for n in range(HOSTS) for name, html in site.items()}


def by_host(pages: dict[str, str]) -> list[dict[str, str]]:
    """The pages of each host."""
    starts = [f"https://host{n}.example/" for n in range(HOSTS)]
    return [{url: html for url, html in pages.items() if url.startswith(start)} for start in starts]


def plain(pages: dict[str, str]) -> Texts:
    """Learns each host and cleans its pages, by the functions of `dehusk` alone."""
    found: Texts = {}
    for known in by_host(pages):
        site = [dehusk.Page(html, url=url) for url, html in known.items()]
        template = dehusk.learn(site)
        for page in site:
            cleaned = dehusk.Page(page.html, url=page.url)  # parsed again, as a stream of pages would be
            row = template.clean(cleaned).to_dict()
            found[row["url"]] = row["text"]
    return found


def langchain(pages: dict[str, str]) -> Texts:
    """Transforms documents."""
    from langchain_core.documents import Document

    from dehusk.integrations.langchain import DehuskTransformer

    documents = [Document(page_content=html, metadata={"source": url}) for url, html in pages.items()]
    done = DehuskTransformer().transform_documents(documents)
    return {one.metadata["source"]: one.page_content for one in done}


def llamaindex(pages: dict[str, str]) -> Texts:
    """Reads pages."""
    from dehusk.integrations.llamaindex import DehuskReader

    documents = DehuskReader().load_data([dehusk.Page(html, url=url) for url, html in pages.items()])
    return {one.metadata["source"]: one.text for one in documents}


def haystack(pages: dict[str, str]) -> Texts:
    """Converts byte streams."""
    from haystack.dataclasses import ByteStream

    from dehusk.integrations.haystack import DehuskConverter

    sources: Any = [ByteStream(html.encode(), meta={"url": url}) for url, html in pages.items()]
    return {one.meta["url"]: one.content for one in DehuskConverter().run(sources=sources)["documents"]}


def scrapy(pages: dict[str, str]) -> Texts:
    """Puts items through the middleware and the pipeline, without downloads."""
    from scrapy import Spider
    from scrapy.http import HtmlResponse
    from scrapy.utils.test import get_crawler

    from dehusk.integrations.scrapy import Middleware, Pipeline, page_item

    crawler = get_crawler(Spider, {"ADDONS": {"dehusk.integrations.scrapy.Addon": 500}})
    middleware, pipeline = Middleware(crawler), Pipeline(crawler)
    ready = []
    for url, html in pages.items():
        response = HtmlResponse(url, body=html.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
        ready += list(middleware.process_spider_output(response, [page_item(response)]))
    ready += list(middleware._rest(response))  # noqa: SLF001  # what is held at the end of a crawl
    return {item["url"]: item["text"] for item in map(pipeline.process_item, ready)}


def dask(pages: dict[str, str]) -> Texts:
    """Cleans a data frame of four parts, with the scheduler that has one thread."""
    import dask as library
    import dask.dataframe as dd
    import pandas as pd

    from dehusk.integrations.dask import clean_pages

    frame = dd.from_pandas(pd.DataFrame(pages.items(), columns=["url", "html"]), npartitions=4)
    with library.config.set(scheduler="sync"):
        rows = clean_pages(frame).compute()
    return dict(zip(rows["url"], rows["text"], strict=True))


def datatrove(pages: dict[str, str]) -> Texts:
    """Learns into a store and cleans from it, both steps without an executor."""
    from tempfile import TemporaryDirectory

    from datatrove.data import Document

    from dehusk.integrations.datatrove import DehuskCleaner, DehuskLearner

    def documents() -> Any:
        return (Document(text=html, id=url, metadata={"url": url}) for url, html in pages.items())

    with TemporaryDirectory() as folder:
        store = Path(folder) / "crawl.store"
        list(DehuskLearner(store).run(documents()))
        return {one.metadata["url"]: one.text for one in DehuskCleaner(store).run(documents())}


def ray(pages: dict[str, str]) -> Texts:
    """Cleans a dataset on a Ray of this machine, which was started before."""
    import ray as library

    from dehusk.integrations.ray import clean_pages

    rows = library.data.from_items([{"url": url, "html": html} for url, html in pages.items()])
    return {row["url"]: row["text"] for row in clean_pages(rows).take_all()}


def crawl4ai(pages: dict[str, str]) -> Texts:
    """Filters the HTML of each host with its template, without writing Markdown: the result is HTML."""
    from dehusk.integrations.crawl4ai import DehuskFilter

    found: Texts = {}
    for site in by_host(pages):
        content_filter = DehuskFilter(dehusk.learn(dehusk.Page(html, url=url) for url, html in site.items()))
        found |= {url: "".join(content_filter.filter_content(html)) for url, html in site.items()}
    return found


def tables(pages: dict[str, str]) -> Texts:
    """Maps a function over a column of pandas, for each host, as the page of pandas shows."""
    import pandas as pd

    frame = pd.DataFrame(pages.items(), columns=["url", "html"])

    def clean_site(rows: Any) -> Any:
        site = [dehusk.Page(html, url=url) for url, html in zip(rows["url"], rows["html"], strict=True)]
        template = dehusk.learn(site)
        return pd.DataFrame([template.clean(page).to_dict() for page in site], index=rows.index)

    hosts = frame["url"].str.split("/").str[2]
    rows = pd.concat(clean_site(group) for _, group in frame.groupby(hosts))
    return dict(zip(rows["url"], rows["text"], strict=True))


ADAPTERS: dict[str, Callable[[dict[str, str]], Texts]] = {
    run.__name__: run for run in (crawl4ai, dask, datatrove, haystack, langchain, llamaindex, ray, scrapy, tables)
}


def start_ray() -> None:
    """Starts a Ray of one core that stays on loopback, with its worker."""
    os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    import ray as library

    library.init(num_cpus=1, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)


def letters(text: str) -> str:
    """Only the letters of a text, or of HTML, which has no numbers of lists."""
    return re.sub(r"[\W\d_]", "", html_lib.unescape(re.sub(r"<[^>]*>", "", text)))


def main() -> None:
    """Prints the seconds of both."""
    parser = argparse.ArgumentParser(description="Times an adapter beside plain dehusk.")
    parser.add_argument("name", choices=ADAPTERS)
    name = parser.parse_args().name
    clock, kind = time.process_time, "processor time"
    if name == "ray":
        start_ray()
        clock, kind = time.perf_counter, "wall time"  # it works in other processes
    logging.disable(logging.WARNING)
    pages = crawl()
    fastest = dict.fromkeys(("plain", name), float("inf"))
    texts: dict[str, Texts] = {}
    for _ in range(RUNS):
        for which, run in (("plain", plain), (name, ADAPTERS[name])):
            start = clock()
            texts[which] = run(pages)
            fastest[which] = min(fastest[which], clock() - start)
    if name == "crawl4ai":  # which gets HTML
        texts = {which: {url: letters(text) for url, text in some.items()} for which, some in texts.items()}
    if texts[name] != texts["plain"]:
        sys.exit(f"{name} gave other texts than dehusk")
    print(f"{len(pages)} pages: dehusk {fastest['plain']:.2f} s, {name} {fastest[name]:.2f} s of {kind}")


if __name__ == "__main__":
    main()
