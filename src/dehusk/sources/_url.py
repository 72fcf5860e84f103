"""Pages at URLs: a single page with the pages it links to, or a list of URLs."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from dehusk.base.errors import FetchError, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.base.shared import Shared
from dehusk.base.urls import on_the_web
from dehusk.page import Page
from dehusk.sources.web.crawl import Fetcher, fetch_all
from dehusk.templates.links import Load, links


class UrlList:
    """The pages of a text file with one URL per line, in order. Empty lines and # comments are left out."""

    def __init__(self, path: Path, fetcher: Fetcher) -> None:
        try:
            text = path.read_text("utf-8-sig", "replace")
        except OSError as error:
            raise SourceError(f"{path}: {reason(error)}") from error
        lines = (line.strip() for line in text.splitlines())
        self.names = list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
        self.files = (path,)
        self._fetcher = fetcher
        if not any(map(on_the_web, self.names)):
            raise SourceError(f"{path}: no URLs; write one on each line")

    def __iter__(self) -> Iterator[Page | Skipped]:
        return fetch_all(self._fetcher, self.names)


NEIGHBOURS = 10
"""Pages to learn from besides the page itself. With the usual delay, fetching them takes about 15 seconds."""

Choose = Callable[[Page, Load], Iterable[Page]]
"""Takes a page and a function that loads other pages; returns those to learn from."""


class Url(Shared):
    """The page at a URL. Iterating yields that page only; `to_learn_from` also follows its links."""

    def __init__(self, url: str, fetcher: Fetcher, *, choose: Choose | None = None) -> None:
        self.names = (url,)
        self.files: tuple[Path, ...] = ()
        self._fetcher = fetcher
        self._choose = choose or first_links

    @cached_property
    def page(self) -> Page:
        """The page itself. Raises FetchError if it cannot be fetched."""
        return self._fetcher.fetch(self.names[0])

    def __iter__(self) -> Iterator[Page | Skipped]:
        yield self.page

    def to_learn_from(self) -> Iterator[Page | Skipped]:
        """The page, then the pages to compare it with, then a Skipped for each that could not be fetched."""
        skipped: list[Skipped] = []

        def load(url: str) -> Page | None:
            try:
                return self._fetcher.fetch(url)
            except FetchError as error:
                skipped.append(Skipped(url, error.reason))
                return None

        yield self.page
        yield from self._choose(self.page, load)
        yield from skipped


def first_links(page: Page, load: Load, *, pages: int = NEIGHBOURS) -> Iterator[Page]:
    """Follows links of the page in document order, then links of the pages found, all on the same host.

    Each page is yielded once. At most `2 * pages` links are tried.
    """
    seen = {page.url}
    tried = {page.url}
    waiting = [page]
    for key in waiting:
        for link in links(key):
            if len(seen) > pages or len(tried) > 2 * pages:
                return
            if link.url in tried:
                continue
            tried.add(link.url)
            neighbour = load(link.url)
            if neighbour and neighbour.url not in seen:
                seen.add(neighbour.url)
                waiting.append(neighbour)
                yield neighbour
