"""A page: HTML in, tree out. The only module that knows the parser."""

import codecs
import hashlib
import mimetypes
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest
from typing import overload

import turbohtml
from turbohtml import Document, DocumentFragment, Element, Node, Text
from turbohtml.detect import EncodingMatch, detect_all

from dehusk.kernels import walking
from dehusk.packing import GZIP
from dehusk.tree import Tree

__all__ = [
    "LARGEST",
    "Document",
    "Element",
    "Node",
    "Page",
    "Text",
    "body",
    "excerpt",
    "may_be_page",
    "parse",
    "text_of",
    "unusable",
    "walk",
]

LARGEST = 50_000_000
"""The most bytes a page may have, decoded. A thousand times a usual page, and far below what a small machine has."""

NOT_CONTENT = frozenset(
    {"script", "style", "noscript", "template", "iframe", "noembed", "object", "svg", "select", "datalist", "textarea"}
    | {"title"}
)
"""Elements whose inside is not something a page says: never nodes of its tree, never in what is written.

One page may say it in `noscript` alone: see `Page.silent`.
"""

NOSCRIPT = 200
"""A page is read as a browser without scripts shows it if `noscript` holds this many letters and most of its text."""

# Only what Python itself knows: the types a machine adds would make the same folder read differently elsewhere.
_TYPES = mimetypes.MimeTypes(filenames=())
_PAGE_TYPES = ("text/html", "application/xhtml+xml", None)
_NO_ATTRIBUTES: Mapping[str, str] = {}

# A file that shows one of these early and does not begin with a tag is binary (mimesniff, "binary data byte").
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFF_BYTES = 1445
# Declared UTF-8 is believed until more than this share of what is not ASCII turns out to be undecodable.
_BROKEN_UTF8 = 0.1
_SURE = 0.7
_DECLARATION = re.compile(rb"(?i)charset|encoding")
_DECLARED = re.compile(rb"(?i)<(?:meta|\?xml)\s[^<>]*(?:charset|encoding)[^<>]*>?")
_HEAD_BYTES = 16_384
# To detect a charset takes 15 times as long as to parse the same bytes. This much text, and each later one with a byte
# that is new, gave the same answer as whole pages of news in ten charsets.
_TEXT_BYTES = 1000
_ASCII = bytes(range(128))

# To HTML, all up to the end tag is text in these, and `<iframe/>` is a start tag. A tool that writes XML leaves no end
# tag where the element is empty: the rest of the page would be the text of it.
_SWALLOWING = ("iframe", "textarea", "title", "noframes", "noembed", "xmp")
_NOTED = NOT_CONTENT.union(_SWALLOWING)
_EMPTY = re.compile(rb"(?i)<(%b)((?:\s[^<>]*[\s\"'])?)/>" % "|".join(_SWALLOWING).encode())
_MENTIONED = re.compile(rb"(?i)<(/?)(%b)" % "|".join(_SWALLOWING).encode())
# An embedded player or a line for old browsers has fewer end tags inside than a page, or a part of one.
_SWALLOWED = 3


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
        self._missing = _Missing()

    def __repr__(self) -> str:
        return f"<Page {self.name or self.digest[:12]}>"

    @cached_property
    def digest(self) -> str:
        """A hash of the page's content: it decides which pages are sampled, whatever order they come in."""
        data = self.html.encode("utf-8", "surrogatepass") if isinstance(self.html, str) else self.html
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    @cached_property
    def _parsed(self) -> "_Parsed":
        return _parsed(self.html, self.encoding)

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
        missing = self._missing
        if missing.what is not nodes:
            before = missing.what
            if before and nodes[: len(before)] == before:  # some more are to go
                missing.take_out(nodes[len(before) :], nodes, spaced=True)
            else:
                self.bare()
                missing.take_out(nodes, nodes, spaced=True)
        return self._parsed.document

    @property
    def gaps(self) -> frozenset[Node]:
        """The elements that the lent document misses something of, besides what no page says."""
        return self._missing.gaps

    @cached_property
    def _walked(self) -> "_Walked":
        return walk(self.document, self.silent)

    @property
    def tree(self) -> Tree:
        """The body as arrays: elements, images, links and texts; no scripts, styles, comments or white space."""
        return self._walked.tree

    @property
    def nodes(self) -> list[Node]:
        """The parser's node for each node of the tree."""
        return self._walked.nodes

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
        return self.document.base_url(self.url or self.canonical_url or "")

    def texts(self) -> Iterator[str]:
        """The texts of the page in order, each on one line, without building the tree; scripts and styles too."""
        return (" ".join(text.split()) for text in body(self.document).stripped_strings)


_SILENT: Sequence[Node] = ()
"""Stands for the elements of `Page.silent`, where it is said what is missing from a document."""


class _Missing:
    """What is missing from a document at the moment, and where it was."""

    def __init__(self) -> None:
        self.what: Sequence[Node] | None = None
        """The nodes that were last taken out; None for a whole document."""
        # A node, what it was in (a `<template>` holds a fragment), and what followed it there; a node of ours that was
        # added has neither.
        self._undo: list[tuple[Node, Element | DocumentFragment | None, Node | None]] = []
        self._spaced = 0

    def take_out(self, nodes: Sequence[Node], what: Sequence[Node], *, spaced: bool = False) -> None:
        """Takes nodes out; `spaced` leaves a space where two words would become one."""
        undo = self._undo
        for node in nodes:
            after = node.next_sibling
            if spaced and _is_between_words(node.previous_sibling, after):
                # The separator between two words may be template.
                space = Text(" ")
                node.insert_before(space)
                undo.append((space, None, None))
            parent = node.parent
            undo.append((node, parent if isinstance(parent, Element | DocumentFragment) else None, after))
            node.extract()
        if not spaced:
            self._spaced = len(undo)
        self.what = what

    @property
    def gaps(self) -> frozenset[Node]:
        """The elements that nodes were taken out of with spaces."""
        return frozenset(parent for _, parent, _ in self._undo[self._spaced :] if parent is not None)

    def put_back(self) -> None:
        """Makes the document whole, last things first: each node then finds its neighbour in place."""
        undo = self._undo
        while undo:
            node, parent, after = undo.pop()
            if after is not None:
                after.insert_before(node)
            elif parent is not None:
                parent.append(node)
            else:  # a space of ours
                node.extract()
        self.what = None
        self._spaced = 0


def _is_between_words(before: Node | None, after: Node | None) -> bool:
    """Whether words may become one if what is between them goes; the first may be one of the element before."""
    if before is None:
        return after is not None
    return bool(before) and not (type(before) is Text and before.data[-1:].isspace())


def unusable(data: bytes) -> str | None:
    """Why these bytes are no page, or None if they may be one."""
    if not data.strip():
        return "empty"
    if data.startswith(GZIP):
        return "gzip data, not HTML; name an archive by itself"
    start = data[:_SNIFF_BYTES].lstrip()
    if start.startswith(b"%PDF-"):
        return "a PDF, not HTML"
    if start[:3] == codecs.BOM_UTF8 or start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None
    if _BINARY.search(start) and not start.startswith(b"<") and not _utf16(data):
        return "binary data, not HTML"
    return None


def may_be_page(name: str, *, packed: bool = False) -> bool:
    """Whether a name's suffix leaves it open that this is a page; a packed one only if `packed`."""
    kind, packing = _TYPES.guess_type(name)
    return kind in _PAGE_TYPES and (packed or packing is None)


def parse(html: bytes | str, encoding: str | None = None) -> Document:
    """The document, decoded by what the bytes are, and with the elements closed that would swallow the rest of it."""
    return _parsed(html, encoding).document


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A document, and the elements of its body that are no content or may swallow some: looked for once."""

    document: Document
    noted: list[Element]


def _parsed(html: bytes | str, encoding: str | None) -> _Parsed:
    document = _decoded(html, encoding)
    noted = _noted(document)
    head = document.find("head")
    if _swallows(noted) or (head is not None and _swallows(head.iter_elements(_SWALLOWING))):
        closed = _closed(html)
        if closed != html:
            document = _decoded(closed, encoding)
            noted = _noted(document)
    return _Parsed(document, noted)


def _noted(document: Document) -> list[Element]:
    return list(body(document).iter_elements(_NOTED))


def _swallows(elements: Iterable[Element]) -> bool:
    """Whether one of these elements has a good part of the page as its text."""
    for element in elements:
        if element.tag in _SWALLOWING and len(element) == 1:
            inside = element.children[0]
            if type(inside) is Text and inside.data.count("</") >= _SWALLOWED:
                return True
    return False


def _closed(html: bytes | str) -> bytes | str:
    """The page with an end tag for each element that was written as XML, or that no end tag follows at all."""
    if isinstance(html, str):
        data = _closed(html.encode("utf-8", "surrogatepass"))
        return data.decode("utf-8", "surrogatepass") if isinstance(data, bytes) else data
    if _is_closed(html):
        return html
    html = _EMPTY.sub(rb"<\1\2></\1>", html)
    for tag in map(str.encode, _SWALLOWING):
        end = max((found.end() for found in re.finditer(rb"(?i)</%b" % tag, html)), default=0)
        html = html[:end] + re.sub(rb"(?i)(<%b(?:\s[^<>]*)?>)" % tag, rb"\1</%b>" % tag, html[end:])
    return html


def _is_closed(html: bytes) -> bool:
    """Whether all these elements are closed for sure: one look at a page, which saves a dozen."""
    left_open: set[bytes] = set()
    for found in _MENTIONED.finditer(html):
        tag = found[2].lower()
        if found[1]:
            left_open.discard(tag)
        elif html[found.end() : html.find(b">", found.end())].endswith(b"/"):
            return False
        else:
            left_open.add(tag)
    return not left_open


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


def _decoded(html: bytes | str, encoding: str | None) -> Document:
    """The document, decoded by what the bytes are rather than by what they claim where the two disagree."""
    if isinstance(html, str):
        # Half a surrogate pair is no character, and could not be written again.
        return turbohtml.parse(html.encode("utf-8", "replace").decode(), positions=False)
    if html.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return turbohtml.parse(html, positions=False)
    if wide := _utf16(html):
        return turbohtml.parse(html.decode(wide, "replace"), positions=False)
    # ISO-2022-JP is valid UTF-8 too, and never what it means. To look for two bytes takes a tenth of a parse, for one
    # next to nothing.
    if b"\x1b" not in html or b"\x1b$" not in html:
        try:
            # Valid UTF-8 beyond ASCII is UTF-8, whatever is declared; a last character may be incomplete.
            return turbohtml.parse(codecs.utf_8_decode(html, "strict", False)[0], positions=False)  # noqa: FBT003
        except UnicodeDecodeError:
            pass
    return turbohtml.parse(html, encoding=_charset(html, _declared(html, encoding)), positions=False)


def _declared(html: bytes, encoding: str | None) -> str | None:
    """The charset that the transport declares, else the page, by its name in the standard; None if neither does."""
    if encoding:
        with suppress(LookupError):  # a charset that nobody knows is none
            return turbohtml.parse(b"", encoding=encoding).encoding
    ends = [found.end() for found in _DECLARED.finditer(html, 0, _HEAD_BYTES)]  # one in a comment is none
    return turbohtml.parse(html[: ends[-1]], positions=False).encoding if ends else None


def _charset(html: bytes, declared: str | None) -> str | None:
    """The charset to decode by, for a page that is not valid UTF-8; None for the standard's default."""
    broken = declared == "UTF-8" and _undecodable(html) > _BROKEN_UTF8
    if declared and not broken and declared != "windows-1252":
        return declared
    # UTF-8 and windows-1252 are often declared without thought. A detector that is sure of another charset is believed.
    found = detect_all(_DECLARATION.sub(b"-", _telling(html)))
    if not found or (declared == "windows-1252" and _confidence(found) < _SURE):
        return declared
    return found[0].encoding


def _confidence(found: Sequence[EncodingMatch]) -> float:
    """How sure a detector is of its first choice. Two charsets of one language, as for Greek, do not raise doubts."""
    first = found[0]
    return sum(one.confidence for one in found if one is first or (one.language and one.language == first.language))


def _telling(html: bytes) -> bytes:
    """Texts of a page that show its charset: the first that are not ASCII, then those with a byte not seen before."""
    texts, elsewhere, size, seen = [], [], 0, _ASCII
    for piece in html.split(b"<"):
        if piece.isascii():
            continue
        text = piece[piece.rfind(b">") + 1 :]
        if text.isascii():
            elsewhere.append(piece)  # in an attribute
        elif size < _TEXT_BYTES or text.translate(None, seen):
            texts.append(text)
            size += len(text)
            if size >= _TEXT_BYTES:
                seen = bytes({*seen, *b"".join(texts if seen is _ASCII else (text,))})
    return b"\n".join(texts or elsewhere)


def body(document: Document) -> Element:
    """The element whose inside is the page: the body, or the root of a document without one."""
    found = document.find("body") or document.root
    if found is None:  # the parser always builds a root; an empty one stands for nothing
        return Element("body")
    return found


_HOLDERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("td", "th"), ("table", "tr")),
    **dict.fromkeys(("tr", "thead", "tbody", "tfoot", "caption"), ("table",)),
    **dict.fromkeys(("dt", "dd"), ("dl",)),
}


_APART = frozenset({"br", "hr", "img", "wbr"})


def excerpt(nodes: Sequence[Node]) -> Document:
    """A document of its own with copies of these nodes, in order; items and cells in a list or table of their own."""
    document = turbohtml.parse("<body>", positions=False)
    inside = body(document)
    for parent, group in groupby(nodes, key=lambda node: node.parent):
        holder = inside
        together = list(group)
        for tag in _holders(together[0], parent):
            element = Element(tag)
            holder.append(element)
            holder = element
        for node, following in zip_longest(together, together[1:]):
            holder.append(deepcopy(node))
            for between in _between(node, following):
                holder.append(deepcopy(between))
    return document


def _between(node: Node, following: Node | None) -> Iterator[Node]:
    """What sets a node apart from one that follows it, besides elements that say nothing: spaces, breaks, pictures."""
    sibling = node.next_sibling
    while following is not None and sibling is not None and sibling != following:
        if isinstance(sibling, Text) or (isinstance(sibling, Element) and sibling.tag in _APART):
            yield sibling
        sibling = sibling.next_sibling


def _holders(node: Node, parent: Node | None) -> tuple[str, ...]:
    """What a node has to be in to be what it is; texts beside each other are a paragraph."""
    if not isinstance(node, Element):
        return ("p",)
    if node.tag == "li":
        return (parent.tag,) if isinstance(parent, Element) and parent.tag in ("ul", "ol", "menu") else ("ul",)
    return _HOLDERS.get(node.tag, ("div",))


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a byte order mark: in its markup every other byte is NUL, always the same one of the two."""
    start = data[:_SNIFF_BYTES]
    if 0 not in start:
        return None
    high, low = start[::2].count(0), start[1::2].count(0)
    if max(high, low) < 4 or max(high, low) * 20 < len(start) or min(high, low) * 10 > max(high, low):
        return None
    return "utf-16-le" if low > high else "utf-16-be"


def _undecodable(data: bytes) -> float:
    """The share of what is not ASCII that is not UTF-8."""
    decoded = data.decode("utf-8", "replace")
    beyond = len(decoded) - len(decoded.encode("ascii", "ignore"))
    return decoded.count("\ufffd") / beyond if beyond else 0.0


def text_of(node: Node) -> str:
    """All the text at and below a node."""
    return node.data if isinstance(node, Text) else node.text


@dataclass(frozen=True, slots=True)
class _Walked:
    tree: Tree
    nodes: list[Node]


def walk(document: Document, silent: frozenset[str]) -> _Walked:
    """The body of a document, without the silent elements, as arrays."""
    nodes, parent, size, tags, texts, links = walking.walk(body(document), silent)
    return _Walked(Tree(parent, size, tags, texts, links, _Attributes(nodes)), nodes)


class _Attributes(Sequence[Mapping[str, str]]):
    """The attributes of each node, read from the parser's element when asked for: most never are."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, str]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | Sequence[Mapping[str, str]]:
        if isinstance(index, slice):
            return _Attributes(self._nodes[index])
        node = self._nodes[index]
        if not isinstance(node, Element):
            return _NO_ATTRIBUTES
        return {
            name: " ".join(value) if isinstance(value, list) else value or ""
            for name, value in node.attrs.copy().items()
        }
