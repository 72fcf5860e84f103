"""The links of all pages, as JSON Lines; or the URLs that are worth fetching next."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from dehusk.base import urls
from dehusk.base.errors import SourceError, UsageError
from dehusk.base.packing import gzipped, is_gzip, suffixes
from dehusk.outputs._spool import line_of, rows_of, spooled
from dehusk.outputs.target import Stream, Target
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.outlinks import worth

_LIST = ".txt"  # the suffix of a list of URLs


@dataclass(frozen=True, slots=True)
class LinkLines:
    """Turns a page into the lines of its links."""

    packed: bool = False

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """Returns the lines. Each begins with the site and the page."""
        name = cleaned.page.name
        lines = b"".join(line_of({"site": site, "page": name, **link.to_dict()}) for link in cleaned.links)
        return gzipped(lines) if self.packed and lines else lines


@dataclass(frozen=True, slots=True)
class LinksNext:
    """Turns a page into its own URL, and the ranks of its links for a crawler."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:  # noqa: ARG002  # the same for all sites
        """Returns one line."""
        own = urls.normal(cleaned.address or "")
        ranked = [(link.url, rank) for link in cleaned.links if (rank := worth(link)) is not None]
        return line_of({"url": own, "links": ranked})


class NextOutput(Stream):
    """Collects the links of all pages. At the end, writes those that lead to other pages, best first."""

    def __init__(self, spool: IO[bytes], target: Target) -> None:
        super().__init__(spool, LinksNext())
        self._target = target

    def close(self) -> None:
        """Writes the URLs, each once, by their best rank, then in the order of pages.

        Links of pages without a URL may be relative. A crawler cannot fetch them, so they are left out.
        """
        ranks: dict[str, int] = {}
        for row in rows_of(self._file):
            for url, rank in row["links"]:
                ranks[url] = min(rank, ranks.get(url, rank))
        here = {row["url"] for row in rows_of(self._file)}
        others = [url for url in ranks if url not in here]
        wanted = [url for url in others if urls.on_the_web(url)]
        if others and not wanted:
            raise SourceError("no link to another page has an http or https URL; give --base-url")
        with self._target.open(0) as file:
            for url in sorted(wanted, key=ranks.__getitem__):
                file.write(f"{url}\n".encode("utf-8", "backslashreplace"))


@contextmanager
def opened(_: str, target: Target, *, crawl_next: bool = False) -> Iterator[Stream]:
    """Opens a file of links, a line for each; with `crawl_next` of URLs to fetch, one on each line."""
    if crawl_next:
        with spooled(target) as spool:
            yield NextOutput(spool, target)
        return
    if suffixes(target.name)[0] == _LIST:
        advice = "use dehusk links --crawl-next for a list of URLs, or name a .jsonl file"
        raise UsageError(f"{target.name}: links with their roles are JSON Lines; {advice}")
    with target.open(target.written) as file:
        yield Stream(file, LinkLines(packed=is_gzip(target.name)))
