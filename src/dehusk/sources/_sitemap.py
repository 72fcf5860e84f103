"""Pages listed by a sitemap, a sitemap index (https://www.sitemaps.org/protocol.html), or an RSS or Atom feed."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.etree.ElementTree import ParseError, XMLParser

from dehusk.base.errors import FetchError, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.base.urls import joined, on_the_web
from dehusk.page import Page
from dehusk.sources.web.bodies import BodyError, decompressed
from dehusk.sources.web.crawl import NOT_A_URL, Fetcher, fetch_all

SITEMAP_BYTES = 52_428_800
"""The largest uncompressed sitemap that the protocol allows."""

MAX_SITEMAPS = 500
"""Maximum number of sitemaps. The protocol allows 50,000 in an index: fetching them politely takes a day."""

_NO_SITEMAP = "not a sitemap or feed"
_FED_BYTES = 65536
_DEEPEST = 10_000  # open elements; each takes 150 bytes. Pages in feeds have hundreds


class Sitemap:
    """The pages of a sitemap in order. It is XML or plain lines, compressed or not, at a URL or in a file (a Path).

    The sitemaps are read on opening, up to the fetcher's page limit. The pages are fetched one by one.
    """

    def __init__(self, address: str | Path, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._skipped: dict[Skipped, None] = {}
        self._pages: dict[str, None] = {}
        self._read(address)
        self.names = list(self._pages)
        self.files = (address,) if isinstance(address, Path) else ()
        if not self.names:
            first = next(iter(self._skipped), None)
            raise SourceError(
                f"{first.name}: {first.reason}" if first else f"{address}: a sitemap or feed that lists no pages"
            )

    def __iter__(self) -> Iterator[Page | Skipped]:
        yield from self._skipped
        yield from fetch_all(self._fetcher, self.names)

    def _read(self, first: str | Path) -> None:
        """Collects the pages of the sitemap and of the sitemaps that it lists: each once, in order."""
        known = {str(first)}
        waiting = [first]
        while waiting:
            sitemap = waiting.pop()
            if len(self._pages) >= self._fetcher.max_pages:
                self._skip(sitemap, f"a sitemap beyond the limit of {self._fetcher.max_pages} pages")
                continue
            deeper: list[str | Path] = []
            for tag, url in self._entries(sitemap):
                if tag == "url":
                    self._add(sitemap, url)
                elif url in known:
                    self._skip(url, "a sitemap that is listed again; read once")
                elif len(known) == MAX_SITEMAPS:
                    self._skip(sitemap, f"leads to more than {MAX_SITEMAPS} sitemaps; the rest is left out")
                else:
                    known.add(url)
                    deeper.append(url)
            waiting += reversed(deeper)

    def _add(self, sitemap: str | Path, url: str) -> None:
        if len(self._pages) < self._fetcher.max_pages:
            self._pages[url] = None
        elif url not in self._pages:
            self._skip(sitemap, f"lists more than the limit of {self._fetcher.max_pages} pages; the rest is left out")

    def _skip(self, address: str | Path, why: str) -> None:
        self._skipped[Skipped(str(address), why)] = None

    def _entries(self, sitemap: str | Path) -> list[tuple[str, str]]:
        """The entries of a sitemap: `url` or `sitemap`, and the URL. A damaged one is read up to the damage.

        An entry that is not a URL is skipped.
        """
        try:
            data = decompressed(self._data(sitemap), ["gzip"], SITEMAP_BYTES)
        except FetchError as error:
            self._skip(sitemap, error.reason)
            return []
        except BodyError as error:
            self._skip(sitemap, str(error))
            return []
        markup = data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<")
        entries, why = _from_xml(data) if markup else _from_lines(data)
        if why:
            self._skip(sitemap, why)
        return list(self._absolute(entries, sitemap if isinstance(sitemap, str) else ""))

    def _absolute(self, entries: Iterable[tuple[str, str]], base: str) -> Iterator[tuple[str, str]]:
        for tag, url in entries:
            if (whole := joined(base, url)) is None:
                self._skip(url, NOT_A_URL)
            else:
                yield tag, whole

    def _data(self, sitemap: str | Path) -> bytes:
        # Only the place that the user gave can be a file. Entries of a sitemap are fetched, never opened as files.
        if isinstance(sitemap, str):
            return self._fetcher.download(sitemap, max_bytes=SITEMAP_BYTES)
        try:
            with sitemap.open("rb") as file:
                return file.read(SITEMAP_BYTES)
        except OSError as error:
            raise SourceError(f"{sitemap}: {reason(error)}") from error


def _from_lines(data: bytes) -> tuple[list[tuple[str, str]], str | None]:
    lines = (line.strip() for line in data.decode("utf-8-sig", "replace").splitlines())
    entries = [("url", line) for line in lines if on_the_web(line)]
    return entries, None if entries else _NO_SITEMAP


def _from_xml(data: bytes) -> tuple[list[tuple[str, str]], str | None]:
    entries = _Entries()
    parser = XMLParser(target=entries)  # noqa: S314  # entities need a document type, which is refused
    try:
        for start in range(0, len(data), _FED_BYTES):
            parser.feed(data[start : start + _FED_BYTES])
        parser.close()
    except _DocumentTypeError:
        return [], _NO_SITEMAP
    except (ParseError, ValueError, LookupError) as error:  # the last two: an encoding that the parser cannot read
        return entries.listed, f"a damaged sitemap: {error}"
    return entries.listed, None


class _DocumentTypeError(Exception):
    """The file has a document type. A sitemap has none; HTML pages and entity bombs do."""


class _Entries:
    """Collects URLs from the events of the XML parser, each as `url` or `sitemap`.

    In sitemaps they are the texts of `loc`, in RSS those of `link` in an `item`, and in Atom the `href` of a `link` in
    an `entry` that leads to the page itself. Empty ones are left out.
    """

    def __init__(self) -> None:
        self.listed: list[tuple[str, str]] = []
        self._open: list[str] = []
        self._text: list[str] = []

    def doctype(self, *_: object) -> None:
        raise _DocumentTypeError

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._open) == _DEEPEST:
            raise ParseError("nested too deeply")
        self._open.append(tag.rpartition("}")[2])
        self._text.clear()
        if self._open[-2:] == ["entry", "link"] and attributes.get("rel", "alternate") == "alternate":
            self._add("url", attributes.get("href", "").strip())

    def data(self, text: str) -> None:
        if self._open[-1] in ("loc", "link"):
            self._text.append(text)

    def end(self, _: str) -> None:
        parent = self._open[-2] if len(self._open) > 1 else ""
        tag, text = self._open.pop(), "".join(self._text).strip()
        self._text.clear()
        if tag == "loc" and parent in ("url", "sitemap"):
            self._add(parent, text)
        elif tag == "link" and parent == "item":
            self._add("url", text)

    def _add(self, kind: str, url: str) -> None:
        if url:
            self.listed.append((kind, url))

    def close(self) -> None:
        """Does nothing; the parser requires it."""
