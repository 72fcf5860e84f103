"""Times an adapter beside plain dehusk: the demo site on several hosts, learned and cleaned in one process.

    build/venv-langchain/bin/python benchmarks/integrations.py langchain

Run it in the environment of the library, which `make test-integrations NAME=...` makes. Both get the same pages in
memory. Each is run several times, in turn, and the fastest run counts. Texts have to be equal.
"""

import argparse
import logging
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


def plain(pages: dict[str, str]) -> Texts:
    """Learns each host and cleans its pages, by the functions of `dehusk` alone."""
    found: Texts = {}
    for n in range(HOSTS):
        start = f"https://host{n}.example/"
        site = [dehusk.Page(html, url=url) for url, html in pages.items() if url.startswith(start)]
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


ADAPTERS: dict[str, Callable[[dict[str, str]], Texts]] = {
    run.__name__: run for run in (dask, datatrove, haystack, langchain, llamaindex, scrapy)
}


def main() -> None:
    """Prints the seconds of both."""
    parser = argparse.ArgumentParser(description="Times an adapter beside plain dehusk.")
    parser.add_argument("name", choices=ADAPTERS)
    name = parser.parse_args().name
    logging.disable(logging.WARNING)
    pages = crawl()
    fastest = dict.fromkeys(("plain", name), float("inf"))
    texts: dict[str, Texts] = {}
    for _ in range(RUNS):
        for which, run in (("plain", plain), (name, ADAPTERS[name])):
            start = time.process_time()
            texts[which] = run(pages)
            fastest[which] = min(fastest[which], time.process_time() - start)
    if texts[name] != texts["plain"]:
        sys.exit(f"{name} gave other texts than dehusk")
    print(f"{len(pages)} pages: dehusk {fastest['plain']:.2f} s, {name} {fastest[name]:.2f} s of processor time")


if __name__ == "__main__":
    main()
