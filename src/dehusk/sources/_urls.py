"""Pages from a list of URLs."""

from collections.abc import Iterator
from pathlib import Path

from dehusk.base.errors import Skipped, SourceError
from dehusk.base.files import reason
from dehusk.base.urls import on_the_web
from dehusk.page import Page
from dehusk.sources.web.crawl import Fetcher, fetch_all


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
