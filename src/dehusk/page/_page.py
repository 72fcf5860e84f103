"""A page: its HTML, its parsed document, and the metadata in its head."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from dehusk.base.shared import Shared
from dehusk.base.tree import Node, Tree
from dehusk.kernels.walking import flagged, labels
from dehusk.page.dom import Lent, Walked, body, walk
from dehusk.page.elements import (
    attribute,
    attributes,
    first,
    parent_of,
    select,
    strings_of,
    tag_of,
    tagged,
    text_of,
    texts_at,
    words_of,
)
from dehusk.page.sharing import alone, new_lock, own_property

LONGEST_BASE = 2_000
"""Maximum length of a base URL. A longer one is ignored, because each absolute link would repeat it."""


class Meta(NamedTuple):
    """A meta tag: its content, and the three attributes that may name it."""

    content: str | None
    name: str | None
    property: str | None
    itemprop: str | None


class Heading(NamedTuple):
    """A heading: its element, tag and text. Line breaks in the text are spaces."""

    node: Node
    tag: str
    text: str


class Page(Shared):
    """An HTML page. Its attributes never change. It is parsed once, on first use.

    A page owns its parsed document, from which nodes may be removed temporarily, so that all results, in any order,
    come from one parse. Threads may share a page: each waits while another uses it (see `sharing`). Nodes and iterators
    that it returns are for code that holds its lock.
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
        """`encoding` is what the transport declared, `origin` describes the record the page came from."""
        self.html = html
        self.url = url
        self.name = name or url or ""
        self.encoding = encoding
        self.origin = origin or {}
        self._lent = Lent(html, encoding)
        self._said: tuple[Sequence[Node], list[str]] | None = None
        self.lock = new_lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles what the page was made from: neither a document nor a lock can be pickled."""
        return _made, (self.html, self.url, self.name, self.encoding, self.origin)

    def __repr__(self) -> str:
        return f"<Page {self.name or self.digest[:12]}>"

    @cached_property
    def digest(self) -> str:
        """A hash of the page's content. Pages are sampled by it, so that their order does not matter."""
        data = self.html.encode("utf-8", "surrogatepass") if isinstance(self.html, str) else self.html
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    def without(self, nodes: Sequence[Node]) -> Node:
        """Returns the body of the bare document without these nodes. Valid until the page is used again."""
        return self._lent.without(nodes)

    @alone
    def text_without(self, nodes: Sequence[Node]) -> str:
        """Returns the text of the page without these nodes."""
        return text_of(self.without(nodes))

    def strings_without(self, nodes: Sequence[Node]) -> Iterator[str]:
        """Yields the texts of the page without these nodes."""
        return strings_of(self.without(nodes))

    @alone
    def all_strings_without(self, nodes: Sequence[Node]) -> Sequence[str]:
        """Returns the texts of the page without these nodes. Remembers the last ones: several checks read them all."""
        if self._said is None or self._said[0] is not nodes:
            self._said = nodes, list(self.strings_without(nodes))
        return self._said[1]

    @alone
    def texts_of(self, nodes: Sequence[Node]) -> list[str]:
        """Returns the text of each of these nodes, without scripts."""
        self._lent.without(nodes)
        return list(map(text_of, nodes))

    def root(self) -> Node:
        """Returns the body of the bare document, for kernels that walk the parser's nodes."""
        return self._lent.bare()

    @property
    def whole(self) -> Node:
        """The whole document."""
        return self._lent.document

    @property
    def body(self) -> Node:
        """The body of the whole document."""
        return body(self._lent.document)

    @own_property
    def _walked(self) -> Walked:
        silent = self._lent.silent  # first: it may read the document without some elements
        return walk(self._lent.document, silent)

    @property
    def tree(self) -> Tree:
        """The body as arrays: elements, images, links and texts; no scripts, styles, comments or whitespace."""
        return self._walked.tree

    @property
    def nodes(self) -> list[Node]:
        """The parser's node for each node of the tree."""
        return self._walked.nodes

    @own_property
    def numbers(self) -> dict[Node, int]:
        """The number of each of `nodes` in the tree."""
        return {node: number for number, node in enumerate(self.nodes)}

    @alone
    def flagged(self, chosen: Sequence[Node]) -> bytearray:
        """Returns a flag for each node of the tree: 1 for these nodes and their descendants."""
        size, flags = self.tree.size, bytearray(len(self.tree))
        done = flagged(self.nodes, size, chosen, flags)
        for node in chosen[done:]:  # out of order, or not in the tree
            number = self.numbers.get(node)
            if number is not None:
                flags[number : number + size[number]] = b"\1" * size[number]
        return flags

    @alone
    def labels(self, *attributes: tuple[str, ...]) -> list[str]:
        """Returns the values of these attributes for each node of the tree, joined with spaces; "" for none.

        Attributes are given in groups. Only elements with an attribute of a group are asked for the others of it.
        """
        nodes, root = self.nodes, self.root()
        names = [""] * len(nodes)
        for group in attributes:
            below = select(root, ",".join(f"[{name}]" for name in group))
            labels(nodes, [nodes[0], *below], group, names)
        return names

    @alone
    def select(self, selector: str) -> list[Node]:
        """Returns the elements of the whole document that match a CSS selector."""
        return select(self._lent.document, selector)

    @alone
    def xpath(self, expression: str) -> list[str]:
        """Returns the texts that an XPath finds in the whole document."""
        return texts_at(self._lent.document, expression)

    @own_property
    def canonical_url(self) -> str | None:
        """The canonical URL that the page declares."""
        link = first(self.whole, 'link[rel~="canonical"][href]')
        if link is not None:
            return (attribute(link, "href") or "").strip() or None
        meta = first(self.whole, 'meta[property="og:url"][content]')
        return ((attribute(meta, "content") or "").strip() or None) if meta is not None else None

    @property
    @alone
    def title(self) -> str:
        """The text of the first `<title>`; "" if there is none."""
        title = self._lent.title
        return text_of(title) if title is not None else ""

    @property
    @alone
    def language(self) -> str | None:
        """The language that the root element declares."""
        return self._lent.attribute("lang") or self._lent.attribute("xml:lang")

    @property
    @alone
    def charset(self) -> str | None:
        """The charset that the page was decoded with; None if it was given as str."""
        return self._lent.charset

    def metas(self) -> Iterator[Meta]:
        """Yields the meta tags, in order."""
        for tag in self.select("meta"):
            yield Meta(*attributes(tag, Meta._fields))

    def headings(self, *tags: str) -> Iterator[Heading]:
        """Yields the headings with one of these tags, in order."""
        # The parser has an index of tags, which works for a single tag.
        nodes = tagged(self.body, tags) if len(tags) > 1 else self.select(f"body {tags[0]}")
        for node in nodes:
            yield Heading(node, tag_of(node), words_of(node))

    @property
    @alone
    def titles(self) -> list[str]:
        """The titles of the page: its `<title>`, and those for social media."""
        return [title for element in tagged(self.whole, ("title", "meta")) if (title := _title(element)) is not None]

    @property
    def base_url(self) -> str:
        """The base of relative URLs: the page's `<base>`, its URL, or its canonical URL; else ""."""
        return self.base_from("")

    @alone
    def base_from(self, otherwise: str) -> str:
        """Returns the base URL, with a fallback for a page without a URL; "" if it is longer than LONGEST_BASE."""
        base = self._lent.base_url(self.url or self.canonical_url or otherwise)
        return base if len(base) <= LONGEST_BASE else ""

    def texts(self) -> Iterator[str]:
        """Yields the texts of the page in order, each on one line, including scripts and styles. Builds no tree."""
        return (" ".join(text.split()) for text in strings_of(self.body))


def _title(element: Node) -> str | None:
    """Returns the title of the page that a `<title>` or `<meta>` gives; None if it gives none."""
    if tag_of(element) == "meta":
        is_title = attribute(element, "property") == "og:title" or attribute(element, "name") == "twitter:title"
        return (attribute(element, "content") or "") if is_title else None
    holder = parent_of(element)
    return text_of(element) if holder is not None and tag_of(holder) == "head" else None


def _made(html: bytes | str, url: str | None, name: str, encoding: str | None, origin: Mapping[str, str]) -> Page:
    return Page(html, url=url, name=name, encoding=encoding, origin=origin)
