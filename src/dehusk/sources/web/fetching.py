"""How to fetch, as options: what a job or a command line is told before anything is fetched."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dehusk.sources.web.crawl import Fetcher

DELAY = 1.0
"""Seconds between two requests to a host, unless its robots.txt asks for more: what is commonly held to be polite."""

TIMEOUT = 20.0
"""Seconds that a server may be silent."""

MAX_PAGES = 1000
"""Pages of one run: with the usual delay about a quarter of an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetching:
    """How to fetch pages from the web. `keep` is a `.warc.gz` file that keeps them, and gives them again next time."""

    delay: float = DELAY
    timeout: float = TIMEOUT
    max_pages: int = MAX_PAGES
    user_agent: str | None = None
    allow_private: bool = False
    keep: Path | None = None

    def open(self) -> "Fetcher":
        """What fetches in this way. The network library is loaded only here."""
        from dehusk.sources.web.crawl import Fetcher

        return Fetcher(**{field.name: getattr(self, field.name) for field in fields(self)})
