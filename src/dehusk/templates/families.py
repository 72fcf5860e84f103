"""Families: groups the pages of a site by template, and finds the family of a new page.

A template is recognized by its sayings: the texts of menus, labels and footers that pages repeat in the same kind of
place. Pages that share most of their sayings are a family. Tags alone are not enough: two sites made with the same
generator have the same tags and nothing else in common. Attributes are not read, because that costs as much as building
the tree.

`ALIKE` was chosen on mixtures of three sites from half A of the real sites and checked on half B; sites of the same
brand or generator are in the same half. The other figures were set on all sites, so half B is not a blind test of them.
`experiments/families.py` has the measurements.
"""

import heapq
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.shared import Shared
from dehusk.base.tree import Tree
from dehusk.kernels import recurring
from dehusk.page import Page

ALIKE = 0.5
"""Two groups are one family if they share at least this part of their repeated sayings, on average over their pages.

The lowest of 0.3, 0.4, 0.5 and 0.6 that separates all sites of half A; it also separates those of half B. Higher values
divide more sites, lower ones join blogs of the same host.
"""

FITS = 0.4
"""A page fits a family if it has at least this share of the family's sayings.

On half A, with any value from 0.25 to 0.5, 99.7% of unseen pages find their family, and 0.04% of the pages of other
sites are accepted, all of them blogs of the same host. On half B: 98.4% and 0.16%.
"""

FEWEST_SHARED = 3
"""Fewer shared sayings do not count: "Home" and "Search" are on many sites."""

FAMILY_TEXT = 0.6
"""A saying on at least this share of a family's pages, and on at least two, belongs to the template.

At 0.5, sayings that many articles of a manual share count as well and divide the manual. At 0.67, manuals made with the
same generator begin to look alike.
"""

PER_PAGE = 128
"""How many sayings of a page are compared: those on most pages.

The templates of real sites have a median of 104 sayings. More sayings are shared by chance, above all on large pages:
with 512, two more of 118 sites are divided; with 96 or fewer, sites of the same owner begin to look alike.
"""

SAYINGS = 256
"""Maximum number of sayings in a signature. A share of 0.4 is then known with an error of 0.06."""

COMPARED_PAGES = 400
"""How many pages are compared with each other, in quadratic time. The others are then routed to their families."""

# How many characters of a text are used: more make signatures longer, not better.
_KNOWN_BY = 80

APART = 4
"""Minimum pages of a family that is learned separately. Fewer may share content rather than a template."""

MIXED_APART, MIXED_SHARE = 12, 0.8
"""A method for mixed pages learns families separately if each has this many pages, and together this share of all.

F1 of the default method on sites left out of training, with APART and with these: Big9 0.954 and 0.966, DAnIEL 0.937
and 0.948, other sets the same. Fewer pages show less of what recurs.
"""


@dataclass(frozen=True)
class Signature(Shared):
    """What identifies a family: the sayings of most of its pages, each a text with the elements around it.

    For a large template these are a deterministic sample; `size` is the number of all its sayings.
    """

    sayings: frozenset[str]
    size: int
    pages: int

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts of the sayings, without the elements around them."""
        return frozenset(saying.partition(": ")[2] for saying in self.sayings)

    def fit(self, page: Page) -> float:
        """Returns the share of the family's texts that are on the page, from 0 to 1; 1 if the family has none."""
        return _share(self.texts, _texts(page)) if self.sayings else 1.0

    def to_json(self) -> dict[str, Any]:
        """Returns readable JSON."""
        return {"pages": self.pages, "size": self.size, "sayings": sorted(self.sayings)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the output of `to_json`."""
        return cls(frozenset(fields.texts(data, "sayings")), fields.number(data, "size"), fields.number(data, "pages"))


def group(pages: Sequence[Page]) -> list[list[int]]:
    """Returns the families as indices of their pages, largest first. Each has at least two pages.

    A page that shares its template with no other is in no family. The result does not depend on the order of the pages.
    """
    order = sorted(range(len(pages)), key=lambda number: pages[number].digest)
    said_by_page = [sayings(pages[number].tree) for number in order]
    compared = said_by_page[:COMPARED_PAGES]
    known = [_signature([compared[number] for number in family]) for family in _joined(compared)]
    families: list[list[int]] = [[] for _ in known]
    for number, said in zip(order, said_by_page, strict=True):
        if (best := _best(known, [_share(signature.sayings, said) for signature in known])) is not None:
            families[best].append(number)
    return sorted(
        (sorted(family) for family in families if len(family) > 1),
        key=lambda family: (-len(family), min(pages[number].digest for number in family)),
    )


def families_of(pages: list[Page], *, mixed: bool) -> list[list[Page]]:
    """Returns the families to learn separately: those with enough pages, else the largest, else all pages as one.

    For a method for mixed pages, families must be larger, and few pages may be outside them.
    """
    if len(pages) <= 2 or (mixed and len(pages) < 2 * MIXED_APART):  # learned together in any case
        return [pages]
    families = [[pages[number] for number in family] for family in group(pages)] or [pages]
    large = [family for family in families if len(family) >= (MIXED_APART if mixed else APART)]
    if mixed and (len(large) < 2 or sum(map(len, large)) < MIXED_SHARE * len(pages)):
        return [pages]
    return large or families[:1]


def signature(pages: Iterable[Page]) -> Signature:
    """Returns the signature of a family, from its pages or a sample of them. A single page has an empty one."""
    every = list(pages)
    if len(every) < 2:
        return Signature(frozenset(), 0, len(every))
    return _signature([sayings(page.tree) for page in every])


def route(signatures: Sequence[Signature], page: Page) -> int | None:
    """Returns the family of a page, or None if it fits none.

    Uses only the texts of the page, which need no tree. With signatures of half the pages of 61 sites, 98.1% of the
    other half fit, and none of other sites.
    """
    texts = _texts(page)
    return _best(signatures, [_share(known.texts, texts) for known in signatures])


def sayings(tree: Tree) -> set[str]:
    """Returns the sayings of a page: each text with the three elements around it, outermost first."""
    return recurring.sayings(tree.parent, tree.tag, tree.text, _KNOWN_BY)


def _signature(said_by_page: Sequence[AbstractSet[str]]) -> Signature:
    counted = Counter(chain.from_iterable(said_by_page))
    least = _least(len(said_by_page))
    core = [saying for saying, count in counted.items() if count >= least]
    return Signature(frozenset(heapq.nsmallest(SAYINGS, core, key=_rank)), len(core), len(said_by_page))


def _least(pages: int) -> float:
    """Returns how many of these pages must have a saying for it to belong to the template."""
    return max(FAMILY_TEXT * pages, min(pages, 2))


def _rank(saying: str) -> tuple[int, str]:
    return zlib.crc32(saying.encode("utf-8", "surrogatepass")), saying


def _texts(page: Page) -> set[str]:
    return {text[:_KNOWN_BY] for text in page.texts()}


def _share(known: AbstractSet[str], said: AbstractSet[str]) -> float:
    hits = len(known & said)
    return hits / len(known) if hits >= FEWEST_SHARED else 0.0


def _best(signatures: Sequence[Signature], fits: Sequence[float]) -> int | None:
    """Returns the fitting family for which the sayings on the page exceed the missing ones most, or None.

    Not the family with the best fit: if its template is only the header of another, it also fits the other's pages.
    """
    best, most = None, 0.0
    for number, (known, fit) in enumerate(zip(signatures, fits, strict=True)):
        if fit >= FITS:
            gain = known.size * (2 * fit - 1)
            if best is None or gain > most:
                best, most = number, gain
    return best


@dataclass(frozen=True, slots=True)
class _Group:
    """Joined pages: the counts of their sayings, and the sayings of most of them as bits."""

    pages: tuple[int, ...]
    counted: Counter[int]
    common: int
    size: int

    @classmethod
    def of(cls, pages: tuple[int, ...], counted: Counter[int], vocabulary: int) -> Self:
        bits = bytearray(vocabulary // 8 + 1)
        least = _least(len(pages))
        for saying, count in counted.items():
            if count >= least:
                bits[saying >> 3] |= 1 << (saying & 7)
        common = int.from_bytes(bits, "little")
        return cls(pages, counted, common, common.bit_count())

    def likeness(self, other: "_Group") -> float:
        """Returns the shared part of each group's repeated sayings, averaged with weights of pages - 1.

        A single page repeats nothing, and two may share a story, so a group with more pages counts more. For two single
        pages, it is the share of the page with fewer sayings.
        """
        shared = (self.common & other.common).bit_count()
        if shared < FEWEST_SHARED:
            return 0.0
        ours, theirs = len(self.pages) - 1, len(other.pages) - 1
        if not ours + theirs:
            return shared / min(self.size, other.size)
        return (ours * shared / self.size + theirs * shared / other.size) / (ours + theirs)


def _joined(said_by_page: Sequence[AbstractSet[str]]) -> list[tuple[int, ...]]:
    """Joins the two most similar groups, from single pages on, until none are alike. Returns those of two or more."""
    seen = Counter(chain.from_iterable(said_by_page))
    shared = sorted((saying for saying, count in seen.items() if count > 1), key=lambda s: (-seen[s], _rank(s)))
    numbers = {saying: number for number, saying in enumerate(shared)}  # the most frequent first
    groups: dict[int, _Group] = {}
    alike: list[tuple[float, int, int]] = []

    def add(name: int, new: _Group) -> None:
        for other, known in groups.items():
            if (likeness := new.likeness(known)) >= ALIKE:
                heapq.heappush(alike, (-likeness, other, name))
        groups[name] = new

    for page, said in enumerate(said_by_page):
        compared = heapq.nsmallest(PER_PAGE, (numbers[saying] for saying in said if saying in numbers))
        add(page, _Group.of((page,), Counter(compared), len(numbers)))
    name = len(said_by_page)
    while alike:
        _, first, second = heapq.heappop(alike)
        if first in groups and second in groups:
            left, other = groups.pop(first), groups.pop(second)
            add(name, _Group.of(left.pages + other.pages, left.counted + other.counted, len(numbers)))
            name += 1
    return [joined.pages for joined in groups.values() if len(joined.pages) > 1]
