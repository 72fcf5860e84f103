"""A page, and who may see which part of its document."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import cast

import turbohtml
from turbohtml import Document, Element

from dehusk.base.nodes import Node
from dehusk.base.tags import NOT_CONTENT
from dehusk.base.tree import Tree
from dehusk.page._missing import Missing
from dehusk.page._parsing import Parsed, body, parse, parsed
from dehusk.page._walked import Walked, walk

NOSCRIPT = 200
"""A page is read as a browser without scripts shows it if `noscript` holds this many letters and most of its text."""

LONGEST_BASE = 2_000
"""Characters of an address that others are relative to. Each link of a page would repeat a longer one."""

_SILENT: Sequence[Node] = ()
"""Stands for the elements of `Page.silent`, where it is said what is missing from a document."""


class Page:
    """One HTML page. What it is made of never changes; it is parsed when first needed, and only once.

    A page owns its parsed document. `document` is always whole. `without` lends it with some nodes taken out: they are
    put back when the page is next asked for the whole document, or for it without other nodes. So whatever is asked of
    a page, in any order, comes from one parse. A lent document is good until the page is asked for something else, and
    a page belongs to one thread at a time.
    """

    def __init__(
        self,
        html: bytes | str,
        *,
        url: str | None = None,
        name: str | None = None,
        encoding: str | None = None,
        origin: Mapping[str, str] | None = None,
    ) -> None:
        """`encoding` is what the transport declared, `origin` what is known of the record the page came from."""
        self.html = html
        self.url = url
        self.name = name or url or ""
        self.encoding = encoding
        self.origin = origin or {}
        self._missing = Missing()

    def __repr__(self) -> str:
        return f"<Page {self.name or self.digest[:12]}>"

    @cached_property
    def digest(self) -> str:
        """A hash of the page's content: it decides which pages are sampled, whatever order they come in."""
        data = self.html.encode("utf-8", "surrogatepass") if isinstance(self.html, str) else self.html
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    @cached_property
    def _parsed(self) -> Parsed:
        return parsed(self.html, self.encoding)

    @property
    def document(self) -> Document:
        """The parsed document, whole. Whoever changes it undoes the change; for lasting changes there is `parse`."""
        self._missing.put_back()
        return self._parsed.document

    def parse(self) -> Document:
        """A new document, which belongs to the caller."""
        return parse(self.html, self.encoding)

    @cached_property
    def silent(self) -> frozenset[str]:
        """The elements whose inside is not something this page says."""
        noted = self._parsed.noted
        said = sum(map(_letters, _outer_texts([node for node in noted if node.tag == "noscript"])))
        if said < NOSCRIPT:
            return NOT_CONTENT
        document = self.document
        self._missing.take_out([node for node in noted if node.tag in NOT_CONTENT], _SILENT)
        shown = _letters(body(document).text)
        self._missing.put_back()
        # To build trees takes as long as several parses.
        return NOT_CONTENT if said < shown else _silent(document)

    def bare(self) -> Document:
        """The document without the elements whose inside is not something the page says."""
        parsed = self._parsed
        if self._missing.what is not _SILENT:
            silent = self.silent
            self._missing.put_back()
            self._missing.take_out([node for node in parsed.noted if node.tag in silent], _SILENT)
        return parsed.document

    def without(self, nodes: Sequence[Node]) -> Document:
        """The bare document without these nodes as well: for writers, which leave it as they found it."""
        missing, parsers = self._missing, cast("Sequence[turbohtml.Node]", nodes)
        if missing.what is not nodes:
            before = missing.what
            if before and nodes[: len(before)] == before:  # some more are to go
                missing.take_out(parsers[len(before) :], nodes, spaced=True)
            else:
                self.bare()
                missing.take_out(parsers, nodes, spaced=True)
        return self._parsed.document

    def text_without(self, nodes: Sequence[Node]) -> str:
        """All text that is left without these nodes."""
        return body(self.without(nodes)).text

    def strings_without(self, nodes: Sequence[Node]) -> Iterator[str]:
        """The same, text by text."""
        return body(self.without(nodes)).stripped_strings

    def root(self) -> Node:
        """The body of the bare document: for kernels, which walk over the parser's nodes."""
        return cast("Node", body(self.bare()))

    @property
    def gaps(self) -> frozenset[turbohtml.Node]:
        """The elements that the lent document misses something of, besides what no page says."""
        return self._missing.gaps

    @cached_property
    def _walked(self) -> Walked:
        return walk(self.document, self.silent)

    @property
    def tree(self) -> Tree:
        """The body as arrays: elements, images, links and texts; no scripts, styles, comments or white space."""
        return self._walked.tree

    @property
    def nodes(self) -> list[Node]:
        """The parser's node for each node of the tree."""
        return cast("list[Node]", self._walked.nodes)

    def select(self, selector: str) -> list[Node]:
        """The elements of the whole document that a CSS selector picks."""
        return cast("list[Node]", self.document.select(selector))

    @cached_property
    def canonical_url(self) -> str | None:
        """The address that the page says is its own."""
        link = self.document.select_one('link[rel~="canonical"][href]')
        if link is not None:
            return (link.attr("href") or "").strip() or None
        meta = self.document.select_one('meta[property="og:url"][content]')
        return ((meta.attr("content") or "").strip() or None) if meta is not None else None

    @property
    def titles(self) -> list[str]:
        """What the page calls itself: its `<title>`, and the titles that it gives to those who link to it."""
        found = self.document.select('head > title, meta[property="og:title"], meta[name="twitter:title"]')
        return [(one.attr("content") if one.tag == "meta" else one.text) or "" for one in found]

    @property
    def base_url(self) -> str:
        """What relative links are relative to: the page's `<base>`, its URL, or the one it claims; else nothing."""
        return self.base_from("")

    def base_from(self, otherwise: str) -> str:
        """The same, with an address for a page that has none. One that is far too long counts as nothing."""
        base = self.document.base_url(self.url or self.canonical_url or otherwise)
        return base if len(base) <= LONGEST_BASE else ""

    def texts(self) -> Iterator[str]:
        """The texts of the page in order, each on one line, without building the tree; scripts and styles too."""
        return (" ".join(text.split()) for text in body(self.document).stripped_strings)


def _silent(document: Document) -> frozenset[str]:
    fewer = NOT_CONTENT - {"noscript"}
    without, with_it = (sum(map(_letters, walk(document, silent).tree.text)) for silent in (NOT_CONTENT, fewer))
    return fewer if with_it - without >= max(NOSCRIPT, without) else NOT_CONTENT


def _outer_texts(unscripted: Sequence[Element]) -> Iterator[str]:
    """The text of each `noscript`; of one in another only that of the outer one."""
    within = 0
    for node in unscripted:
        if within:
            within -= 1
        else:
            within = len(node.find_all("noscript"))
            yield node.text


def _letters(text: str) -> int:
    return sum(map(len, text.split()))
