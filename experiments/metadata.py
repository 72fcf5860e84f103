"""Prints how often titles, authors and dates of pages are right:  python experiments/metadata.py DATA

DATA has the layout of bench.evaluation.datasets. For single pages with gold: how often a value is exactly right (case,
punctuation and time of day are ignored), how often it is partly right (it shares half of all words), and how often a
value is given although the gold has none. The hosts are split into two halves: rules were made by looking only at pages
of half A. Half B was only counted, to choose the order of the sources of dates, which is the same in each of five folds
of the hosts. Pages of one host are learned together, as in a crawl. trafilatura is measured too, if installed. Then how
often each source is right and, where two sources of dates differ, which one is, by fold. Then other libraries for dates
and structured data, with their speed. Last, how many pages of news sites share their title with another page.
"""

import argparse
import hashlib
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import dehusk
from dehusk.bench.evaluation.datasets import SinglePage, single_pages, sites
from dehusk.bench.evaluation.measures import said_score
from dehusk.bench.evaluation.tools import Said, timed, trafilatura_metadata
from dehusk.metadata import dates, read
from dehusk.metadata.stated import PUBLISHED, Stated
from dehusk.page import Page

FIELDS = ("title", "author", "date")
FOLDS = 5
LIBRARIES = 200
NEWS = ("news-big9", "news-dragnet")

# Metadata for machines, which readers do not see.
_STATED = re.compile(r"(?is)<(?:meta|link)\b[^>]*>|<script\b.*?</script>")

Reader = Callable[[str], str | None]
Finder = Callable[[SinglePage], str | None]


@dataclass(slots=True)
class Tally:
    """Counts how often a field is right."""

    known: int = 0
    exact: int = 0
    partly: int = 0
    missing: int = 0
    unknown: int = 0
    given: int = 0

    def add(self, gold: str | None, said: str | None) -> None:
        """Adds a page."""
        if not gold:
            self.unknown += 1
            self.given += bool(said)
            return
        score = said_score(said, gold)
        self.known += 1
        self.exact += score.exact
        self.partly += score.partly
        self.missing += score.missing

    def __str__(self) -> str:
        exact, partly, missing = (part / (self.known or 1) for part in (self.exact, self.partly, self.missing))
        return (
            f"{exact:.3f} exact {partly:.3f} partly {missing:.3f} missing of {self.known:4d}; "
            f"given on {self.given} of {self.unknown} without gold"
        )


def fold(name: str) -> int:
    """The fold that a host is in."""
    return hashlib.md5(name.encode(), usedforsecurity=False).digest()[1] % FOLDS


def half(page: SinglePage) -> str:
    """The half of the hosts that a page is in."""
    return "AB"[hashlib.md5(host(page).encode(), usedforsecurity=False).digest()[0] % 2]


def host(page: SinglePage) -> str:
    """The host of a page."""
    return urlsplit(page.url).hostname or ""


def by_source(pages: Iterable[SinglePage]) -> dict[tuple[str, str], Tally]:
    """How often values from a source are right, by field and source."""
    found: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for page in pages:
        said = read(Page(page.html, url=page.url))
        for name in FIELDS:
            source = said.sources.get("authors" if name == "author" else name)
            if source:
                longest = 10 if name == "date" else None
                value, gold = (str(getattr(one, name) or "")[:longest] for one in (said, page))
                found[name, source].add(gold, value)
    return found


def ordered(pages: Iterable[SinglePage]) -> Counter[tuple[str, str, str]]:
    """For pages whose first two sources of dates differ: how often each of the two is right."""
    found: Counter[tuple[str, str, str]] = Counter()
    for page in pages:
        first = list(islice(told_dates(page).items(), 2))
        for source, day in first if len(dict(first)) == 2 and first[0][1] != first[1][1] else ():
            if page.date and page.date[:10] == day:
                found[first[0][0], first[1][0], source] += 1
    return found


def told_dates(page: SinglePage) -> dict[str, str]:
    """The dates of a page by each source: its URL, its meta tags, its visible text, and JSON-LD."""
    whole = Page(page.html, url=page.url)
    stated, shown = Stated(whole), read(Page(_STATED.sub("", page.html)))
    published = (text for name in PUBLISHED for text in stated.metas.get(name, ()))
    told = {
        "url": dates.of_url(page.url),
        "meta": next(filter(None, map(dates.iso, published)), None),
        "shown": shown.date if shown.sources.get("date") == "shown" else None,
        "json-ld": next(filter(None, map(dates.iso, stated.said("datePublished"))), None),
    }
    return {source: day[:10] for source, day in told.items() if day}


def ours(pages: Iterable[SinglePage]) -> Iterator[Said]:
    """The metadata of pages of one host by dehusk."""
    whole = [Page(page.html, url=page.url) for page in pages]
    template = dehusk.learn(whole)
    for cleaned in template.clean_many(whole):
        found = cleaned.metadata
        yield {"title": found.title, "author": found.author, "date": found.date}


def theirs(pages: Iterable[SinglePage]) -> Iterator[Said]:
    """The metadata of pages by trafilatura."""
    read = trafilatura_metadata()
    for page in pages:
        yield read(page.html.encode("utf-8", "replace"), page.url)


def compared(pages: Sequence[SinglePage], tool: Callable[[Iterable[SinglePage]], Iterator[Said]]) -> dict[str, Tally]:
    """How often a tool is right, by field."""
    found = {name: Tally() for name in FIELDS}
    by_host = defaultdict(list)
    for page in pages:
        by_host[host(page)].append(page)
    for group in by_host.values():
        for page, said in zip(group, tool(group), strict=True):
            for name, gold in (("title", page.title), ("author", page.author)):
                found[name].add(gold, said[name])
            found["date"].add((page.date or "")[:10], (said["date"] or "")[:10])
    return found


def readers() -> Iterator[tuple[str, Reader]]:
    """The installed parsers of dates; each returns ISO 8601."""
    yield "dehusk", dates.iso
    for package in ("dateutil.parser", "dateparser"):
        with suppress(ImportError):
            yield package.partition(".")[0], partial(parsed, import_module(package).parse)


def parsed(parse: Callable[[str], datetime | None], text: str) -> str | None:
    """Parses a date with a library; returns ISO 8601."""
    found = parse(text)
    return found.isoformat() if found else None


def day_texts() -> list[tuple[str, str]]:
    """Dates in forms that occur on pages, with their ISO form; "" for texts that are not dates."""
    forms = (
        "6 May 2024",
        "May 6, 2024",
        "06.05.2024",
        "2024-05-06T07:08:09Z",
        "6. Mai 2024",
        "6 mai 2024",
        "2024年5月6日",
    )
    more = (
        "6 de mayo de 2024",
        "6 мая 2024",
        "6 Μαΐου 2024",
        "6 maja 2024",
        "6 maggio 2024",
        "Published May 6th, 2024",
    )
    return [(form, "2024-05-06") for form in (*forms, *more)] + [
        (text, "") for text in ("Chapter 12", "v2.10.4", "May")
    ]


def right(read: Reader, text: str, gold: str) -> bool:
    """Whether a text is parsed correctly. Returning None and raising an error both mean that it is not a date."""
    try:
        return (read(text) or "")[:10] == gold
    except (ValueError, OverflowError):
        return not gold


def shared(pages: Sequence[bytes]) -> tuple[int, int]:
    """The number of pages of a site, and of those that share their title with another page."""
    template = dehusk.learn(pages)
    counts = Counter(title for html in pages if (title := template.clean(html).metadata.title))
    return len(pages), sum(count for count in counts.values() if count > 1)


def finders() -> Iterator[tuple[str, Finder]]:
    """The installed tools that find the date of a page."""
    yield "dehusk", lambda page: read(Page(page.html, url=page.url)).date
    extract = import_module("turbohtml.extract")
    original = extract.DateExtraction(original=True)
    yield "turbohtml", lambda page: found.date if (found := extract.dates(page.html, original)) else None
    with suppress(ImportError):
        find = import_module("htmldate").find_date
        yield "htmldate", lambda page: find(page.html, url=page.url, original_date=True)


def structured() -> Iterator[tuple[str, Finder]]:
    """The installed readers of structured data."""
    yield "dehusk", lambda page: next(Stated(Page(page.html)).said("headline"), None)
    with suppress(ImportError):
        extract = import_module("extruct").extract
        yield (
            "extruct",
            lambda page: str(extract(page.html, syntaxes=["json-ld", "microdata", "opengraph"], errors="ignore")),
        )


def print_fields(pages: Sequence[SinglePage]) -> None:
    """Prints how often each field is right, on both halves."""
    for name, tool in (("dehusk", ours), ("trafilatura", theirs)):
        for which in "AB":
            try:
                found = compared([page for page in pages if half(page) == which], tool)
            except ImportError:
                print("left out: trafilatura is not installed")
                break
            for field, tally in found.items():
                print(f"half {which}  {name:12s} {field:7s} {tally}", flush=True)


def print_sources(pages: Sequence[SinglePage]) -> None:
    """Prints how often each source is right, and which of two sources of dates is if they differ."""
    for (name, source), tally in sorted(by_source(pages).items()):
        print(f"{name:7s} by {source:10s} {tally}")
    folds = [ordered(page for page in pages if fold(host(page)) == number) for number in range(FOLDS)]
    for one, other in sorted({pair[:2] for counts in folds for pair in counts}):
        firsts, seconds = ([counts[one, other, source] for counts in folds] for source in (one, other))
        print(f"dates differ: {one} is right {firsts} times, {other} {seconds}")


def print_libraries(pages: Sequence[SinglePage]) -> None:
    """Prints the speed of libraries for dates and structured data, and how often they are right."""
    texts = day_texts()
    for name, reader in readers():
        done = timed(partial(all_right, reader, texts))
        each = 1e6 * done.seconds / len(texts)
        print(f"text of a date  {name:12s} {done.result:3d} of {len(texts)} right, {each:8.1f} microseconds each")
    for name, find in finders():
        finding = timed(partial(all_found, find, pages))
        exact = sum((one or "")[:10] == page.date for one, page in zip(finding.result, pages, strict=True))
        each = 1e3 * finding.seconds / len(pages)
        print(f"date of a page  {name:12s} {exact:3d} of {len(pages)} right, {each:8.2f} milliseconds each")
    for name, find in structured():
        each = 1e3 * timed(partial(all_found, find, pages)).seconds / len(pages)
        print(f"structured data {name:12s} {each:8.2f} milliseconds each")


def all_right(read: Reader, texts: Iterable[tuple[str, str]]) -> int:
    """The number of texts that are parsed correctly."""
    return sum(right(read, text, gold) for text, gold in texts)


def all_found(find: Finder, pages: Iterable[SinglePage]) -> list[str | None]:
    """The results of a finder on pages."""
    return [find(page) for page in pages]


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page (%(default)s)")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # the tools log much about odd pages
    pages = [page for page in islice(single_pages(options.data), None, None, options.every) if page.title]
    print_fields(pages)
    print_sources(pages)
    print_libraries([page for page in pages if page.date and half(page) == "A"][:LIBRARIES])
    counts = [shared([file.read_bytes() for file in sorted(site.gold)]) for site in sites(options.data, *NEWS)]
    every, same = map(sum, zip(*counts, strict=True))
    print(f"titles of news: {same} of {every} pages share theirs with another page of the site")


if __name__ == "__main__":
    main()
