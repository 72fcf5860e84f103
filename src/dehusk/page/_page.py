"""A page: what it is made of, and what it says of itself in its markup."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from dehusk.base.tree import Node, Tree
from dehusk.kernels.walking import flagged, labels
from dehusk.page.dom import Lent, Walked, body, walk
from dehusk.page.elements import attribute, attributes, first, select, strings_of, tag_of, tagged, text_of, words_of

LONGEST_BASE = 2_000
"""Characters of an address that others are relative to. Each link of a page would repeat a longer one."""


class Meta(NamedTuple):
    """A meta tag: what it says, and its three kinds of names."""

    content: str | None
    name: str | None
    property: str | None
    itemprop: str | None


class Heading(NamedTuple):
    """A heading: its element and tag, and its text, in which a line break is a space."""

    node: Node
    tag: str
    text: str


class Page:
    """One HTML page. What it is made of never changes; it is parsed when first needed, and only once.

    A page owns its parsed document, from which some nodes may be taken out for a while: whatever is asked of a page, in
    any order, comes from one parse. A page belongs to one thread at a time.
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
        self._lent = Lent(html, encoding)

    def __repr__(self) -> str:
        return f"<Page {self.name or self.digest[:12]}>"

    @cached_property
    def digest(self) -> str:
        """A hash of the page's content: it decides which pages are sampled, whatever order they come in."""
        data = self.html.encode("utf-8", "surrogatepass") if isinstance(self.html, str) else self.html
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    def without(self, nodes: Sequence[Node]) -> Node:
        """The body of the bare document without these nodes: good until something else is asked for."""
        return self._lent.without(nodes)

    def text_without(self, nodes: Sequence[Node]) -> str:
        """All text that is left without these nodes."""
        return text_of(self.without(nodes))

    def strings_without(self, nodes: Sequence[Node]) -> Iterator[str]:
        """The same, text by text."""
        return strings_of(self.without(nodes))

    def texts_of(self, nodes: Sequence[Node]) -> list[str]:
        """The text of each of these nodes, without scripts in it."""
        self._lent.without(nodes)
        return list(map(text_of, nodes))

    def root(self) -> Node:
        """The body of the bare document: for kernels, which walk over the parser's nodes."""
        return self._lent.bare()

    @property
    def whole(self) -> Node:
        """The whole document."""
        return self._lent.document

    @property
    def body(self) -> Node:
        """The body of the whole document."""
        return body(self._lent.document)

    @cached_property
    def _walked(self) -> Walked:
        return walk(self._lent.document, self._lent.silent)

    @property
    def tree(self) -> Tree:
        """The body as arrays: elements, images, links and texts; no scripts, styles, comments or white space."""
        return self._walked.tree

    @property
    def nodes(self) -> list[Node]:
        """The parser's node for each node of the tree."""
        return self._walked.nodes

    @cached_property
    def numbers(self) -> dict[Node, int]:
        """The number of each of these nodes in the tree."""
        return {node: number for number, node in enumerate(self.nodes)}

    def flagged(self, chosen: Sequence[Node]) -> bytearray:
        """A flag for each node of the tree: 1 for these nodes and all below them."""
        size, flags = self.tree.size, bytearray(len(self.tree))
        done = flagged(self.nodes, size, chosen, flags)
        for node in chosen[done:]:  # out of order, or not in the tree
            number = self.numbers.get(node)
            if number is not None:
                flags[number : number + size[number]] = b"\1" * size[number]
        return flags

    def labels(self, *attributes: tuple[str, ...]) -> list[str]:
        """What each node of the tree is called by these attributes, in one text; nothing for one that has none.

        They are in groups that elements have together: the others of a group are only asked of those with one of it.
        """
        nodes, root = self.nodes, self.root()
        names = [""] * len(nodes)
        for group in attributes:
            below = select(root, ",".join(f"[{name}]" for name in group))
            labels(nodes, [nodes[0], *below], group, names)
        return names

    def select(self, selector: str) -> list[Node]:
        """The elements of the whole document that a CSS selector picks."""
        return select(self._lent.document, selector)

    @cached_property
    def canonical_url(self) -> str | None:
        """The address that the page says is its own."""
        link = first(self.whole, 'link[rel~="canonical"][href]')
        if link is not None:
            return (attribute(link, "href") or "").strip() or None
        meta = first(self.whole, 'meta[property="og:url"][content]')
        return ((attribute(meta, "content") or "").strip() or None) if meta is not None else None

    @property
    def title(self) -> str:
        """The text of the first `<title>`; nothing where there is none."""
        title = first(self.whole, "title")
        return text_of(title) if title is not None else ""

    @property
    def language(self) -> str | None:
        """The language as the root states it."""
        return self._lent.attribute("lang") or self._lent.attribute("xml:lang")

    @property
    def charset(self) -> str | None:
        """The charset that the page was decoded by; None where it was given as text."""
        return self._lent.charset

    def metas(self) -> Iterator[Meta]:
        """The meta tags, in order."""
        for tag in self.select("meta"):
            yield Meta(*attributes(tag, Meta._fields))

    def headings(self, *tags: str) -> Iterator[Heading]:
        """The headings with one of these tags, in order."""
        # The parser has an index of tags, for one at a time.
        nodes = tagged(self.body, tags) if len(tags) > 1 else self.select(f"body {tags[0]}")
        for node in nodes:
            yield Heading(node, tag_of(node), words_of(node))

    @property
    def titles(self) -> list[str]:
        """What the page calls itself: its `<title>`, and the titles that it gives to those who link to it."""
        titles = self.select('head > title, meta[property="og:title"], meta[name="twitter:title"]')
        return [(attribute(title, "content") if tag_of(title) == "meta" else text_of(title)) or "" for title in titles]

    @property
    def base_url(self) -> str:
        """What relative links are relative to: the page's `<base>`, its URL, or the one it claims; else nothing."""
        return self.base_from("")

    def base_from(self, otherwise: str) -> str:
        """The same, with an address for a page that has none. One that is far too long counts as nothing."""
        base = self._lent.base_url(self.url or self.canonical_url or otherwise)
        return base if len(base) <= LONGEST_BASE else ""

    def texts(self) -> Iterator[str]:
        """The texts of the page in order, each on one line, without building the tree; scripts and styles too."""
        return (" ".join(text.split()) for text in strings_of(self.body))
