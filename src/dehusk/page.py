"""A page: HTML in, tree out. The only module that knows the parser."""

import codecs
import hashlib
import mimetypes
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import turbohtml
from turbohtml import Document, Element, Node, Text
from turbohtml.detect import detect

from dehusk.tree import TEXT, Tree, sizes

NOT_CONTENT = frozenset(
    {"script", "style", "noscript", "template", "iframe", "object", "svg", "select", "datalist", "textarea", "title"}
)
"""Elements whose inside is not something a page says: never nodes of its tree, never in what is written."""

# Only what Python itself knows: the types a machine adds would make the same folder read differently elsewhere.
_TYPES = mimetypes.MimeTypes(filenames=())
_PAGE_TYPES = ("text/html", "application/xhtml+xml", None)
_LINKS = {"a": "href", "img": "src", "area": "href"}
_NO_ATTRIBUTES: Mapping[str, str] = {}

# A file that shows one of these early and does not begin with a tag is binary (mimesniff, "binary data byte").
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFF_BYTES = 1445
# Declared UTF-8 is believed until more than this share of what is not ASCII turns out to be undecodable.
_BROKEN_UTF8 = 0.1
_SURE = 0.7
_DECLARATION = re.compile(rb"(?i)charset|encoding")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page states about itself, in its head, its structured data or its marked-up byline."""

    title: str | None
    author: str | None
    date: str | None
    language: str | None
    description: str | None
    canonical_url: str | None


class Page:
    """One HTML page, parsed when first needed. A page belongs to one thread at a time."""

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

    def __repr__(self) -> str:
        return f"<Page {self.name or self.digest[:12]}>"

    @cached_property
    def digest(self) -> str:
        """A hash of the page's content: what decides which pages are sampled, whatever order they come in."""
        data = self.html.encode("utf-8", "surrogatepass") if isinstance(self.html, str) else self.html
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    @cached_property
    def _document(self) -> Document:
        return parse(self.html, self.encoding)

    @cached_property
    def _parsed(self) -> "_Parsed":
        return _walk(self._document)

    @cached_property
    def tree(self) -> Tree:
        """The body as arrays: elements, images, links and texts; no scripts, styles, comments or white space."""
        return self._parsed.tree

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, date, language, description and canonical URL, each where the page states it."""
        found = self._document.article()
        return Metadata(found.title, found.byline, found.date, found.lang, found.description, found.canonical)

    @property
    def base_url(self) -> str:
        """What relative links are relative to: the page's `<base>`, its URL, or the one it claims; else nothing."""
        return self._document.base_url(self.url or self.metadata.canonical_url or "")

    def texts(self) -> Iterator[str]:
        """The texts of the page in order, each on one line, without building the tree; scripts and styles too."""
        return (" ".join(text.split()) for text in body(self._document).stripped_strings)

    def bare(self) -> Document:
        """Hands over the document to be changed, without the elements whose inside is not something the page says.

        The page parses anew if it is asked for more than it already knows: this is for the last step.
        """
        document: Document | None = self.__dict__.pop("_document", None)
        if document is None:
            document = parse(self.html, self.encoding)
        self.__dict__.pop("_parsed", None)
        for node in list(body(document).iter_elements(NOT_CONTENT)):
            node.extract()
        return document

    def take(self) -> tuple[Document, list[Node]]:
        """As `bare`, with the nodes in the order of the tree."""
        self.tree  # noqa: B018  # built from the document while it is whole
        nodes = self._parsed.nodes
        return self.bare(), nodes


def unusable(data: bytes) -> str | None:
    """Why these bytes are no page, or None if they may be one."""
    if not data.strip():
        return "empty"
    if data.startswith(b"\x1f\x8b"):
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
    """Whether a name's suffix leaves it open that this is a page; a packed one only where that is asked for."""
    kind, packing = _TYPES.guess_type(name)
    return kind in _PAGE_TYPES and (packed or packing is None)


def parse(html: bytes | str, encoding: str | None = None) -> Document:
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
            # Valid UTF-8 beyond ASCII is UTF-8, whatever is declared; a last character that was cut is no matter.
            return turbohtml.parse(codecs.utf_8_decode(html, "strict", False)[0], positions=False)  # noqa: FBT003
        except UnicodeDecodeError:
            pass
    document = _parse_declared(html, encoding)
    broken = document.encoding == "UTF-8" and _undecodable(html) > _BROKEN_UTF8
    if broken or document.encoding == "windows-1252":
        # These two are declared for want of thought; a detector that is sure of another charset is believed.
        found = detect(_DECLARATION.sub(b"-", html))
        if found.encoding and found.encoding != document.encoding and (broken or found.confidence >= _SURE):
            return turbohtml.parse(html, encoding=found.encoding, positions=False)
    return document


def _parse_declared(html: bytes, encoding: str | None) -> Document:
    """By what the transport says, else what the page says, else what the bytes look like."""
    if encoding:
        try:
            return turbohtml.parse(html, encoding=encoding, positions=False)
        except LookupError:
            pass  # a charset that nobody knows is none
    return turbohtml.parse(html, positions=False, detect_encoding=True)


def body(document: Document) -> Element:
    """The element whose inside is the page: the body, or the root of a document without one."""
    found = document.find("body") or document.root
    if found is None:  # the parser always builds a root; an empty one stands for nothing
        return Element("body")
    return found


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
    beyond = sum(character > "\x7f" for character in decoded)
    return decoded.count("\ufffd") / beyond if beyond else 0.0


@dataclass(frozen=True, slots=True)
class _Parsed:
    tree: Tree
    nodes: list[Node]


def _walk(document: Document) -> _Parsed:
    """The body of a document as arrays, in one pass over the parser's nodes in document order.

    A stack of our own holds, for each open element, how many children are to come and its place in the tree.
    """
    root = body(document)
    nodes: list[Node] = [root]
    parent, tags, texts, links = array("i", [-1]), [root.tag], [""], [""]
    to_come, place = [len(root)], [0]
    for node in root.descendants:
        while not to_come[-1]:
            to_come.pop()
            place.pop()
        to_come[-1] -= 1
        above = place[-1]
        if type(node) is Text:
            if above >= 0 and (text := " ".join(node.data.split())):
                nodes.append(node)
                parent.append(above)
                tags.append(TEXT)
                texts.append(text)
                links.append("")
            continue
        here = -1  # unless it is content: all below it is dropped with it
        if above >= 0 and type(node) is Element and (tag := node.tag) not in NOT_CONTENT:
            here = len(nodes)
            nodes.append(node)
            parent.append(above)
            tags.append(tag)
            texts.append("")
            links.append(node.attr(_LINKS[tag]) or "" if tag in _LINKS else "")
        if children := len(node):
            to_come.append(children)
            place.append(here)
    return _Parsed(Tree(parent, sizes(parent), tags, texts, links, _Attributes(nodes)), nodes)


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
