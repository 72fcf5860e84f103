"""The options of fetching, for jobs and the command line. Does not load the network library."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dehusk.sources.web.crawl import Fetcher

DELAY = 1.0
"""Seconds between two requests to a host, as is common for crawlers. Its robots.txt may ask for more."""

TIMEOUT = 20.0
"""Maximum seconds without an answer from a server."""

MAX_PAGES = 1000
"""Maximum number of pages to fetch in one run. With the usual delay this takes about a quarter of an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetching:
    """How to fetch pages. `keep` is a `.warc.gz` file: pages in it are not fetched again, new pages are added to it."""

    delay: float = DELAY
    timeout: float = TIMEOUT
    max_pages: int = MAX_PAGES
    user_agent: str | None = None
    allow_private: bool = False
    keep: Path | None = None

    def open(self) -> "Fetcher":
        """Returns a Fetcher with these options. Only this loads the network library."""
        from dehusk.sources.web.crawl import Fetcher

        return Fetcher(**{field.name: getattr(self, field.name) for field in fields(self)})
