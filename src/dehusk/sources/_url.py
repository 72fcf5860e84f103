"""Pages at addresses: one page with those it links to, or a list."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from dehusk.base.errors import FetchError, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.base.urls import on_the_web
from dehusk.page import Page
from dehusk.sources.web.crawl import Fetcher, fetch_all
from dehusk.templates.links import Load, links


class UrlList:
    """The pages that a text file lists, one URL on each line, in its order. Empty lines and # comments are left out."""

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
"""Pages to learn from besides the page itself. They are fetched with a delay, so this takes a quarter of a minute."""

Choose = Callable[[Page, Load], Iterable[Page]]
"""Takes a page and a way to load others; gives those that are worth learning from."""


class Url:
    """The page at a URL. As a source it is that page alone; `to_learn_from` finds others through its links."""

    def __init__(self, url: str, fetcher: Fetcher, *, choose: Choose | None = None) -> None:
        self.names = (url,)
        self.files: tuple[Path, ...] = ()
        self._fetcher = fetcher
        self._choose = choose or first_links

    @cached_property
    def page(self) -> Page:
        """The page itself. Without it there is nothing to do, so an error is raised."""
        return self._fetcher.fetch(self.names[0])

    def __iter__(self) -> Iterator[Page | Skipped]:
        yield self.page

    def to_learn_from(self) -> Iterator[Page | Skipped]:
        """The page, then the pages chosen to compare it with, then what could not be fetched on the way."""
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
    """The pages on the same host that the first links lead to, in document order; then those that theirs lead to.

    Each page comes once, and no more than twice as many links are followed as pages are wanted.
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
