"""One site of a source that has pages of many."""

from collections.abc import Iterable, Iterator, Sequence

from dehusk.base.errors import Skipped, SourceError, did_you_mean, listed
from dehusk.page import Page
from dehusk.sources import Source, to_learn_from
from dehusk.templates.site_names import site_of

MOST_SITES = 10_000
"""Sites that are remembered to find the one that may have been meant."""

FEW_SITES = 10
"""Sites that an error names."""


class OneSite:
    """The pages of one site among those of a source."""

    names: Sequence[str] | None = None

    def __init__(self, source: Source, site: str, by: str) -> None:
        self.files = source.files
        self._source = source
        self._site = site
        self._by = by

    def __iter__(self) -> Iterator[Page | Skipped]:
        return self._picked(self._source)

    def to_learn_from(self) -> Iterator[Page | Skipped]:
        """Its pages, and others of the site that the source knows."""
        return self._picked(to_learn_from(self._source))

    def _picked(self, items: Iterable[Page | Skipped]) -> Iterator[Page | Skipped]:
        """The items of the site. Raises SourceError if there is no page among them, with the sites that there are."""
        found = False
        others: dict[str, None] = {}
        for item in items:
            site = site_of(item if isinstance(item, Page) else Page(b"", url=item.name), self._by)
            if site == self._site:
                found = found or isinstance(item, Page)
                yield item
            elif site and len(others) < MOST_SITES:
                others[site] = None
        if not found:
            meant = did_you_mean(self._site, others)
            names = listed(others, FEW_SITES)
            raise SourceError(f"no page of the site {self._site}; there are {names or 'no pages with a URL'}{meant}")
