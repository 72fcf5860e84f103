"""An add-on for Scrapy: pages become text in the pipeline, and links are followed by what they are.

    ADDONS = {"dehusk.integrations.scrapy.Addon": 500}
    ...
    yield page_item(response)   # in a callback: an item with url and html

The spider middleware holds items until the template of their host is learned (unless one is given), and orders requests
by the roles of their links. The item pipeline replaces the HTML of an item by its text, Markdown and metadata, and
its record on request.
"""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Self, TypeAlias

from dehusk.base import urls
from dehusk.base.errors import Skipped, UsageError
from dehusk.base.extras import needs_extra
from dehusk.core import learn
from dehusk.jobs.arriving import Arriving, Held
from dehusk.page import LARGEST, Page
from dehusk.sources.jsonl import row_page
from dehusk.templates.cleaned import Cleaned, fields_with
from dehusk.templates.drift import State, state_of
from dehusk.templates.outlinks import WORTH, worth

with needs_extra("scrapy"):
    from itemadapter import ItemAdapter
    from scrapy import Request, Spider, signals
    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse, Response
    from scrapy.pipelines import ItemPipelineManager
    from scrapy.settings import BaseSettings
    from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
    from w3lib.encoding import http_content_type_encoding

redesigned = object()
"""Signal: a host no longer looks like its template. Handlers get `state`, a `SiteState`, and `spider`."""

CHECKED = 20
"""After this many pages a host is compared with its given template; at the end, if it has fewer."""

STEP = 10
"""The priority of a request grows by this much for each rank of its link."""

PIPELINE, MIDDLEWARE = 100, 950
"""The pipeline comes before all that use the text; the middleware is near the spider, before requests are changed."""

SETTINGS = {
    "DEHUSK_TEMPLATE": None,  # the file or folder of saved templates
    "DEHUSK_STORE": None,  # the file of a store
    "DEHUSK_LEARN_FROM": None,  # pages of a host that are held before it is learned; None: as many as learning looks at
    "DEHUSK_BY": "host",  # what a site is: host or domain
    "DEHUSK_CONTENT": ("text", "markdown"),  # contents of an item: of text, markdown and html
    "DEHUSK_RECORD": False,  # items get the record of their page too; a given template needs columns
    "DEHUSK_LINKS": "order",  # requests are ordered by their links; worth: also dropped; off: left as they are
}
"""The settings of the add-on, with their defaults."""

_LINKS = ("order", "worth", "off")
_log = logging.getLogger(__name__)

_Unused: TypeAlias = Spider | None
"""Scrapy 2.13 gives the spider to all methods; newer versions do so no longer."""


def page_item(response: Response) -> dict[str, Any]:
    """Returns the item of a page, with the fields that the pipeline reads: url, html and encoding."""
    header = response.headers.get("Content-Type", b"") or b""
    return {
        "url": response.url,
        "html": response.body,
        "encoding": http_content_type_encoding(header.decode("latin-1")),
    }


class Addon:
    """Switches on the spider middleware, the item pipeline, and what brings held items to it."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Adds the components, and the defaults of the settings."""
        for name, value in SETTINGS.items():
            settings.setdefault(name, value)
        settings.set("ITEM_PROCESSOR", Processor, priority="addon")
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", Middleware, MIDDLEWARE)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", Pipeline, PIPELINE)


class Middleware:
    """Holds items until the template of their host is learned, and orders requests by the roles of their links."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._arriving = _arriving(crawler)
        self._links = crawler.settings.get("DEHUSK_LINKS", "off")
        if self._links not in _LINKS:
            raise UsageError(f"DEHUSK_LINKS={self._links!r}: choose one of {', '.join(_LINKS)}")
        crawler.signals.connect(self._release, signals.spider_idle)
        crawler.signals.connect(self._close, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the middleware of a crawler."""
        return cls(crawler)

    def process_spider_output(
        self,
        response: Response,
        result: Iterable[Any],
        spider: _Unused = None,  # noqa: ARG002
    ) -> Iterator[Any]:
        """Yields what a callback yielded, as far as it is ready, and items that waited."""
        ranks = _Ranks(response, self._arriving)
        for one in result:
            yield from self._processed(one, ranks)

    async def process_spider_output_async(
        self,
        response: Response,
        result: AsyncIterator[Any],
        spider: _Unused = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """Does the same for a callback that is an asynchronous generator."""
        ranks = _Ranks(response, self._arriving)
        async for one in result:
            for ready in self._processed(one, ranks):
                yield ready

    def _processed(self, one: Any, ranks: "_Ranks") -> Iterable[Any]:
        if isinstance(one, Request):
            return self._ordered(one, ranks)
        page = _page(one)
        return self._arriving.add(page, one) if isinstance(page, Page) else [one]  # the pipeline says why it is none

    def _ordered(self, request: Request, ranks: "_Ranks") -> Iterable[Request]:
        """Returns the request with the priority of its link; nothing if it is not worth fetching, and dropped."""
        if self._links == "off" or not ranks.has(request.url):
            return [request]
        rank = ranks.of(request.url)
        if rank is None and self._links == "worth":
            _count(self._crawler, "links_dropped")
            return []
        _count(self._crawler, "links_ordered")
        return [
            request.replace(priority=request.priority + STEP * (len(WORTH) - (len(WORTH) if rank is None else rank)))
        ]

    def _release(self) -> None:
        """Lets the crawl go on if items wait: a request without a download brings them to the pipelines."""
        if self._arriving.held and self._crawler.engine is not None:
            asked = Request("data:,", callback=self._rest, dont_filter=True, meta={"dont_cache": True})
            self._crawler.engine.crawl(asked)

    def _rest(self, _: Response) -> Iterator[Any]:
        return self._arriving.rest()

    def _close(self) -> None:
        """Names items that still wait if another `ITEM_PROCESSOR` than ours closed the pipelines."""
        if self._arriving.held:
            _count(self._crawler, "lost", self._arriving.held)
            _log.warning("The crawl was stopped: %d items waited for more pages of their host", self._arriving.held)
        self._arriving.close()


class _Ranks:
    """The ranks of the links of a response. Before its host is learned, the page is judged alone."""

    def __init__(self, response: Response, arriving: Arriving[Any]) -> None:
        self._response, self._arriving = response, arriving
        self._known: dict[str, int | None] | None = None

    @property
    def _ranks(self) -> dict[str, int | None]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def _read(self) -> dict[str, int | None]:
        page = _page(page_item(self._response))
        if not isinstance(page, Page) or not isinstance(self._response, HtmlResponse):
            return {}
        try:
            template = self._arriving.of(page)[1] or learn(page)
            return {link.url: worth(link) for link in reversed(template.clean(page).links)}
        except Exception as error:  # noqa: BLE001  # a page must not stop the crawl
            _log.warning("The links of %s are not ordered: %s", self._response.url, error)
            return {}

    def has(self, url: str) -> bool:
        """Whether the page links to this URL."""
        return urls.normal(url) in self._ranks

    def of(self, url: str) -> int | None:
        """Returns the rank of a link, 0 for the best; None if it is not worth fetching."""
        return self._ranks[urls.normal(url) or ""]


class Pipeline:
    """Replaces the HTML of items by their content and metadata. Items without the field `html` stay as they are."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._arriving = _arriving(crawler)
        self._content = tuple(crawler.settings.getlist("DEHUSK_CONTENT", ["text", "markdown"]))
        fields_with(self._content)  # raises for unknown names now
        self._record = crawler.settings.getbool("DEHUSK_RECORD")
        self._watched: Held[None] = Held()
        self._checked: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the pipeline of a crawler."""
        return cls(crawler)

    def process_item(self, item: Any, spider: _Unused = None) -> Any:  # noqa: ARG002
        """Returns the item with its content; with `skipped`, the reason, if the page cannot be cleaned."""
        page = _page(item)
        if page is None:
            return item
        outcome = page if isinstance(page, Skipped) else self._arriving.clean(page, self._row)
        adapter = ItemAdapter(item)
        if isinstance(outcome, Skipped):
            _count(self._crawler, "skipped")
            _log.warning("%s: %s", outcome.name, outcome.reason)
            _fill(adapter, {"skipped": outcome.reason})
        else:
            _count(self._crawler, "cleaned")
            _fill(adapter, outcome.piece)
            assert isinstance(page, Page)  # noqa: S101  # it was cleaned
            self._watch(page)
        return item

    def close_spider(self, spider: _Unused = None) -> None:  # noqa: ARG002
        """Compares hosts that had few pages with their templates."""
        for site in list(self._watched.by_site):
            self._check(site)

    def _row(self, cleaned: Cleaned, site: str) -> dict[str, Any]:
        row = cleaned.to_dict(self._content, site=site)
        filled = {**{name: row.pop(name) for name in self._content}, "metadata": row}
        if self._record:
            filled["record"] = None if cleaned.record is None else dict(cleaned.record.values)
        return filled

    def _watch(self, page: Page) -> None:
        """Collects the first pages of a host that has a given template, to tell redesigns."""
        site, template = self._arriving.of(page)
        if self._arriving.learns or template is None or site in self._checked:
            return
        unparsed = Page(page.html, url=page.url, name=page.name, encoding=page.encoding)
        enough = self._watched.add(site, unparsed, None) >= CHECKED
        ready = site if enough else self._watched.too_large()
        if ready is not None:  # the site of pages without a URL is ""
            self._check(ready)

    def _check(self, site: str) -> None:
        pages = [page for page, _ in self._watched.pop(site)]
        self._checked.add(site)
        template = self._arriving.of(pages[0])[1]
        assert template is not None  # noqa: S101  # only such pages are collected
        state = state_of(template, pages, site)
        _count(self._crawler, f"sites_{state.state}")
        if state.state is State.REDESIGNED:
            _log.warning("%s", state)
            self._crawler.signals.send_catch_log(redesigned, state=state, spider=self._crawler.spider)


class Processor(ItemPipelineManager):
    """The item pipelines. Before they close, they get the items that are still held: a stopped crawl loses none."""

    _crawler: Crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the pipelines of a crawler."""
        made: Self = super().from_crawler(crawler)
        made._crawler = crawler  # Scrapy 2.13 does not keep it
        return made

    async def close_spider_async(self) -> None:
        """Closes the pipelines in Scrapy 2.14 and newer."""
        try:
            await self._finish()
        finally:
            await super().close_spider_async()

    def close_spider(self, spider: Spider) -> Any:
        """Closes the pipelines in Scrapy 2.13."""
        finished = deferred_from_coro(self._finish())

        def close(said: Any) -> Any:  # with or without a failure, which is handed on
            return super(Processor, self).close_spider(spider).addCallback(lambda _: said)

        return finished.addBoth(close)

    async def _finish(self) -> None:
        """Learns the hosts of held items, and sends them through the pipelines."""
        engine, arriving = self._crawler.engine, _arriving(self._crawler)
        if not arriving.held or engine is None:
            return
        _log.info("The crawl was stopped: learning from the %d items that are held", arriving.held)
        for item in arriving.rest():
            if hasattr(engine.scraper, "start_itemproc_async"):
                await engine.scraper.start_itemproc_async(item, response=None)
            else:
                await maybe_deferred_to_future(engine.scraper.start_itemproc(item, response=None))


def _arriving(crawler: Crawler) -> Arriving[Any]:
    """Returns what the middleware and the pipeline of a crawler share."""
    known: Arriving[Any] | None = getattr(crawler, "_dehusk", None)
    if known is None:
        get = crawler.settings.get
        enough = crawler.settings.getint("DEHUSK_LEARN_FROM") or None
        known = Arriving(
            template=get("DEHUSK_TEMPLATE"),
            store=get("DEHUSK_STORE"),
            enough=enough,
            by=get("DEHUSK_BY", "host"),
            **_learning(crawler),
        )
        crawler._dehusk = known  # noqa: SLF001  # our own
    return known


def _learning(crawler: Crawler) -> dict[str, bool]:
    """Returns the options of learning: columns, if records are asked for and nothing was learned before."""
    get = crawler.settings.get
    learns = get("DEHUSK_TEMPLATE") is None and get("DEHUSK_STORE") is None
    return {"columns": True} if learns and crawler.settings.getbool("DEHUSK_RECORD") else {}


def _page(item: Any) -> Page | Skipped | None:
    """Returns the page of an item, or why it is none; None if the item has no HTML to clean."""
    if not ItemAdapter.is_item(item):
        return None
    adapter = ItemAdapter(item)
    if adapter.get("html") is None:
        return None
    page = row_page(adapter.get("url"), adapter["html"], "", LARGEST)
    if isinstance(page, Skipped) or not (encoding := adapter.get("encoding")):
        return page
    return Page(page.html, url=page.url, name=page.name, encoding=encoding)


def _fill(adapter: ItemAdapter, values: dict[str, Any]) -> None:
    """Sets the fields that the item may have, and removes those that only the pipeline needs."""
    open_ended = isinstance(adapter.item, dict)
    for name in ("html", "encoding"):
        if name in adapter and name not in values:
            del adapter[name]
    for name, value in values.items():
        if open_ended or name in adapter.field_names():
            adapter[name] = value


def _count(crawler: Crawler, name: str, number: int = 1) -> None:
    if crawler.stats is not None:
        crawler.stats.inc_value(f"dehusk/{name}", number)
