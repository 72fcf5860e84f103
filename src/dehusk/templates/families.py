"""Families: which pages of a site use the same template, and which of the templates a new page uses.

A template shows in what it says: the menus, labels and footers that page after page repeats in the same kind of place.
Pages that share most of those sayings are a family. Tags alone would not do: two sites made by the same generator have
the same tags and nothing else in common. Attributes are not read, since that costs as much as building the tree.

`ALIKE` was chosen on mixtures of three sites from one half of the real sites and checked on the other, sites of the
same brand or generator never in both. The other figures were set with all sites in view, so the second half is not a
blind test of them. `experiments/families.py` mixes and measures.
"""

import heapq
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.tree import Tree
from dehusk.kernels import recurring
from dehusk.page import Page

ALIKE = 0.5
"""Two groups are one family if both have this share of what each repeats, on average over the pages of the two.

Of 0.3, 0.4, 0.5 and 0.6 the least that keeps all sites of half A apart; it does so on half B, too. Higher ones tear
more sites apart, lower ones join blogs of one host.
"""

FITS = 0.4
"""A page fits a family if it has this share of what the family repeats.

From 0.25 to 0.5 the same 99.7% of unseen pages find their family on half A, and of pages of other sites 0.04% are taken
for the family's, all of them blogs of the same host. Half B: 98.4% and 0.16%.
"""

FEWEST_SHARED = 3
"""Pages that share fewer sayings do not show that they share a template: "Home" and "Search" are on many sites."""

FAMILY_TEXT = 0.6
"""What this share of a family's pages say, and never one page alone, is the template's.

At half, what many articles of a manual share counts as well and divides the manual. At two thirds, manuals made by one
generator begin to look alike.
"""

PER_PAGE = 128
"""How many sayings a page is compared by: of those that it shares with any other page, the ones on most pages.

The templates of real sites have 104 at the median. The rest is what a few pages happen to share, and a large
page has a lot of that: with 512, two more of 118 sites come apart; with 96 or fewer, sites of one owner begin to look
alike.
"""

SAYINGS = 256
"""How many sayings a signature has at most, however large the template is. A share of 0.4 is then known to 0.06."""

COMPARED_PAGES = 400
"""How many pages are compared with each other, which is quadratic. The rest is routed to their families."""

# A text is known by its beginning: longer ones make a signature long, not better.
_KNOWN_BY = 80

APART = 4
"""The least pages of a family that is learned by itself; fewer may share content rather than a template."""

MIXED_APART, MIXED_SHARE = 12, 0.8
"""A method for mixed pages learns families apart if each has this many pages, and together this share of all pages.

On sites left out of training, F with the default method where every family of four pages is learned apart, and so: Big9
0.954 and 0.966, DAnIEL 0.937 and 0.948, other sets the same. Fewer pages show less of what recurs.
"""


@dataclass(frozen=True)
class Signature:
    """How a family is known: what most of its pages say, each text with the elements around it.

    Of a large template it has a sample, the same for every family that says the same; `size` is that of the whole.
    """

    sayings: frozenset[str]
    size: int
    pages: int

    @cached_property
    def texts(self) -> frozenset[str]:
        """What is said, wherever it stands."""
        return frozenset(saying.partition(": ")[2] for saying in self.sayings)

    def fit(self, page: Page) -> float:
        """How much of what the family repeats is on the page, wherever it stands, from 0 to 1; of nothing, all."""
        return _share(self.texts, _texts(page)) if self.sayings else 1.0

    def to_json(self) -> dict[str, Any]:
        """As JSON that a person can read and diff."""
        return {"pages": self.pages, "size": self.size, "sayings": sorted(self.sayings)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """What `to_json` wrote."""
        return cls(frozenset(fields.texts(data, "sayings")), fields.number(data, "size"), fields.number(data, "pages"))


def group(pages: Sequence[Page]) -> list[list[int]]:
    """The families, as indices of their pages: the largest first, at least two pages each, every page in one at most.

    A page that shares its template with no other is in none. The order of the pages makes no difference.
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
    """The families to learn by themselves: those with enough pages, else the largest one, else all pages as one.

    A method for mixed pages learns large families by themselves, and only if there are few pages beside them.
    """
    if len(pages) <= 2 or (mixed and len(pages) < 2 * MIXED_APART):  # families or not, they are learned together
        return [pages]
    families = [[pages[number] for number in family] for family in group(pages)] or [pages]
    large = [family for family in families if len(family) >= (MIXED_APART if mixed else APART)]
    if mixed and (len(large) < 2 or sum(map(len, large)) < MIXED_SHARE * len(pages)):
        return [pages]
    return large or families[:1]


def signature(pages: Iterable[Page]) -> Signature:
    """What the pages of a family, or a sample of them, have in common. One page alone repeats nothing."""
    every = list(pages)
    if len(every) < 2:
        return Signature(frozenset(), 0, len(every))
    return _signature([sayings(page.tree) for page in every])


def route(signatures: Sequence[Signature], page: Page) -> int | None:
    """The family that a page belongs to, or None where it fits none.

    By its texts alone, which the parser gives without a tree. With signatures of half the pages of 61 sites, 98.1% of
    the other half fit so, and none of other sites.
    """
    texts = _texts(page)
    return _best(signatures, [_share(known.texts, texts) for known in signatures])


def sayings(tree: Tree) -> set[str]:
    """What a page says and where: each text with the three elements around it, outermost first."""
    return recurring.sayings(tree.parent, tree.tag, tree.text, _KNOWN_BY)


def _signature(said_by_page: Sequence[AbstractSet[str]]) -> Signature:
    counted = Counter(saying for said in said_by_page for saying in said)
    least = _least(len(said_by_page))
    core = [saying for saying, count in counted.items() if count >= least]
    return Signature(frozenset(heapq.nsmallest(SAYINGS, core, key=_rank)), len(core), len(said_by_page))


def _least(pages: int) -> float:
    """How many of these pages must say something for it to be the template's: most, and what one says is its own."""
    return max(FAMILY_TEXT * pages, min(pages, 2))


def _rank(saying: str) -> tuple[int, str]:
    return zlib.crc32(saying.encode("utf-8", "surrogatepass")), saying


def _texts(page: Page) -> set[str]:
    return {text[:_KNOWN_BY] for text in page.texts()}


def _share(known: AbstractSet[str], said: AbstractSet[str]) -> float:
    hits = len(known & said)
    return hits / len(known) if hits >= FEWEST_SHARED else 0.0


def _best(signatures: Sequence[Signature], fits: Sequence[float]) -> int | None:
    """Of the families that fit, the one with most sayings on the page beyond those it lacks.

    Not the one that fits best: a family whose template is only the header of another fits the other's pages as well.
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
    """Pages that were joined: how many of them say what, and as bits what most of them do."""

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
        """The share of what a group repeats that both have, on average over the pages of the two but one each.

        What one page says alone is not repeated, and what two say may be a story they share: the more pages a group
        has, the more its view counts. Of two pages alone, the one that says less decides.
        """
        shared = (self.common & other.common).bit_count()
        if shared < FEWEST_SHARED:
            return 0.0
        ours, theirs = len(self.pages) - 1, len(other.pages) - 1
        if not ours + theirs:
            return shared / min(self.size, other.size)
        return (ours * shared / self.size + theirs * shared / other.size) / (ours + theirs)


def _joined(said_by_page: Sequence[AbstractSet[str]]) -> list[tuple[int, ...]]:
    """Joins the two groups that are most alike, from single pages on, until no two are alike; those of two or more."""
    seen = Counter(saying for said in said_by_page for saying in said)
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
