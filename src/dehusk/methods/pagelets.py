"""Pagelets: pages are divided by their number of links. A part is template if another page has the same shingle.

Z. Bar-Yossef, S. Rajagopalan: Template Detection via Data Mining and its Applications. WWW 2002; local template
detection, as described by L. Yi, B. Liu, X. Li (KDD 2003, section 4).
"""

import hashlib
import struct
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from dehusk.base import fields
from dehusk.base.options import Option, whole
from dehusk.base.tree import TEXT, Tree, covered
from dehusk.methods.rules import Learned, Marks
from dehusk.page import Page

LINKS = 3
"""k: an element is not a pagelet if one of its children contains this many links (both papers: k = 3 is best)."""

WINDOW = 4
"""Words in a window. The papers do not say. Menus are short, and 4 is used in the rest of the project too."""

MINIMA = 8
"""Number of hash functions: the shingle consists of the smallest hash of all windows under each. Not in the papers.

Two pagelets with a share r of their windows in common agree with probability r to this power (Broder et al. 1997). With
8 that is 43% if they share nine windows of ten, and 0.4% if they share five.
"""

TEMPLATE_PAGES = 2
"""A shingle on at least this many pages is template: "a group of (no less than 2) pagelets"."""

_HASHES = struct.Struct(f">{MINIMA}Q")
_SHINGLE_BYTES = 8
_EXCERPT = 80
_HYPERLINKS = frozenset({"a", "area"})


class ShingledPagelets(NamedTuple):
    """Pagelets with the same shingle: the number of pages, and an excerpt of one of them."""

    pages: int
    text: str


@dataclass(frozen=True, slots=True)
class Pagelets:
    """The shingles that are template."""

    pages: int
    links: int
    groups: Mapping[str, ShingledPagelets]

    def mark(self, page: Page) -> Marks:
        """Marks the pagelets of a page whose shingle is template."""
        tree = page.tree
        flags = bytearray(len(tree))
        places: list[int] = []
        groups: list[ShingledPagelets] = []
        for node, _, shingle in shingled(tree, self.links):
            if group := self.groups.get(shingle):
                flags[node : node + tree.size[node]] = b"\1" * tree.size[node]
                places.append(node)
                groups.append(group)
        return Marks(covered(tree, flags), lambda node: self._reason(tree, node, places, groups))

    def _reason(self, tree: Tree, node: int, places: Sequence[int], groups: Sequence[ShingledPagelets]) -> str:
        nearest = bisect_right(places, node) - 1
        if nearest >= 0 and node < places[nearest] + tree.size[places[nearest]]:
            return f"in a pagelet that is on {groups[nearest].pages} of {self.pages} sampled pages"
        return "all its pagelets are on several sampled pages"

    def to_json(self) -> dict[str, Any]:
        """Returns each shingle with its number of pages and an excerpt of its text, sorted by shingle."""
        return {
            "pages": self.pages,
            "links": self.links,
            "pagelets": {shingle: group._asdict() for shingle, group in sorted(self.groups.items())},
        }


def load(data: dict[str, Any]) -> Pagelets:
    """Reads the output of `to_json`."""
    pagelets = fields.table(data, "pagelets").items()
    groups = {
        shingle: ShingledPagelets(fields.number(group, "pages"), fields.text(group, "text"))
        for shingle, group in pagelets
    }
    return Pagelets(fields.number(data, "pages"), fields.number(data, "links"), groups)


def learn(
    pages: Sequence[Page],
    *,
    links: Annotated[int, Option("the number of links that divides an element", whole(1), paper="3")] = LINKS,
) -> Learned:
    """Local template detection: groups pagelets by shingle. A group on two pages or more is a template."""
    by_shingle: dict[str, dict[int, str]] = {}
    for number, page in enumerate(pages):
        for _, text, shingle in shingled(page.tree, links):
            by_shingle.setdefault(shingle, {}).setdefault(number, text)
    groups = {
        shingle: ShingledPagelets(len(owners), next(iter(owners.values()))[:_EXCERPT])
        for shingle, owners in by_shingle.items()
        if len(owners) >= TEMPLATE_PAGES
    }
    return Learned(Pagelets(len(pages), links, groups))


def shingled(tree: Tree, links: int = LINKS) -> Iterator[tuple[int, str, str]]:
    """Yields node, text and shingle of the pagelets of a page that have text."""
    for node in pagelets(tree, links):
        if text := " ".join(filter(None, tree.text[node : node + tree.size[node]])):
            yield node, text, shingle_of(text)


def pagelets(tree: Tree, links: int = LINKS) -> Iterator[int]:
    """Yields the pagelets: elements that have no child with `links` links and are not inside another pagelet.

    A child that is a link counts as one link. Text directly in an element that is not a pagelet belongs to no pagelet.
    """
    contained = [int(tag in _HYPERLINKS and bool(link)) for tag, link in zip(tree.tag, tree.link, strict=True)]
    divided = bytearray(len(tree))
    for node in range(len(tree) - 1, 0, -1):
        contained[tree.parent[node]] += contained[node]
        if contained[node] >= links:
            divided[tree.parent[node]] = 1
    node = 0
    while node < len(tree):
        if not divided[node] and tree.tag[node] != TEXT:
            yield node
            node += tree.size[node]
        else:
            node += 1


def shingle_of(text: str) -> str:
    """Returns a fingerprint that is probably equal for texts with nearly the same windows of words.

    A text shorter than a window counts as one window.
    """
    words = text.lower().split()
    windows = {" ".join(words[k : k + WINDOW]) for k in range(max(1, len(words) - WINDOW + 1))}
    hashes = (_HASHES.unpack(_hash(window.encode("utf-8", "surrogatepass"), _HASHES.size)) for window in windows)
    return _hash(_HASHES.pack(*map(min, zip(*hashes, strict=True))), _SHINGLE_BYTES).hex()


def _hash(data: bytes, size: int) -> bytes:
    return hashlib.blake2b(data, digest_size=size).digest()
