"""The verdicts on the regions of a site, and how pages are marked by them."""

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Any, NamedTuple, Self

from dehusk.base.errors import PageWarning
from dehusk.base.shared import Shared
from dehusk.base.tags import PICTURES
from dehusk.base.tree import Node, Tree, covered
from dehusk.kernels.frontier import UNKNOWN, Frontier, Gone, RegionPlace
from dehusk.methods.evidence.regions import label_of
from dehusk.methods.rules import Marks
from dehusk.page import Page
from dehusk.page.elements import corrected, first, parent_of, tag_of, text_of, texts_in
from dehusk.page.sharing import own_property

EXPECTED = 0.6
"""A region on at least this share of the pages, and on at least two, is expected on every page of the site.

With templates of half the pages of 61 sites, 1.2% of the other half have less than 0.4 of the expected regions, and no
page of another site has more (`experiments/families.py`).
"""

NOTICE = 15
"""Repeated texts of at least this many characters are few, and are searched without building a tree."""

_PICTURES = ", ".join(sorted(PICTURES))
_REPEATED = "repeated on the site's pages"


class Region(NamedTuple):
    """A region of the template, with the evidence for its verdict.

    `own` is how likely the texts directly in it are content (None if there are none), `all` how likely all text below
    it is. A `whole` region has one verdict for everything in it, also for content that appears there later.
    """

    parent: int
    label: str
    pages: int
    own: float | None
    all: float
    whole: bool
    repeated: float
    links: float


class Expected(NamedTuple):
    """What to expect of the verdicts: the F1, None if unknown; whether the site is unlike what the model learned."""

    quality: float | None = None
    unfamiliar: bool = False


class Evidence(Shared):
    """The verdicts on the regions of a site."""

    def __init__(
        self,
        pages: int,
        cut: float,
        regions: tuple[Region, ...],
        repeated: Collection[str],
        kind: tuple[str, float] | None = None,
        weights: str = "",
        expected: "Expected | None" = None,
    ) -> None:
        """`kind` is the kind of the pages and its probability; `weights` is a hash of the model's weights."""
        self.weights, self.expected = weights, expected or Expected()
        self.pages, self.cut, self.kind = pages, cut, kind
        self.regions, self._repeated = regions, frozenset(repeated)
        self._shortest = min(map(len, self._repeated), default=0)
        self._by_nodes = bool(self._repeated) and self._shortest < NOTICE
        most = max(2.0, EXPECTED * pages)
        self._expected = frozenset(number for number, region in enumerate(regions) if number and region.pages >= most)
        self._warnings: tuple[PageWarning, ...] = (
            (PageWarning.NO_PAGES,)
            if not pages
            else (PageWarning.ONE_PAGE,)
            if pages == 1
            else (PageWarning.UNFAMILIAR,)
            if self.expected.unfamiliar
            else ()
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the list of regions: the tree of places may be too deep for pickle."""
        return type(self), (self.pages, self.cut, self.regions, self._repeated, self.kind, self.weights, self.expected)

    @cached_property
    def _frontier(self) -> Frontier | None:
        """The regions as a tree to walk, made for the first page: many templates are only written to a file."""
        return self._frontier_of(self.regions) if self.regions else None

    def _frontier_of(self, regions: Sequence[Region]) -> Frontier:
        tokens: dict[str, set[str]] = {}
        places: list[RegionPlace] = []
        for number, region in enumerate(regions):
            above = places[region.parent] if region.parent >= 0 else None
            tag, *names = region.label.split(" ")
            tokens.setdefault(tag, set()).update(names)
            in_link = tag == "a" or (above is not None and above.in_link)
            repeated = region.repeated if self.pages > 1 else 0.0
            place = RegionPlace(
                number, region.all, region.own, self.cut, whole=region.whole, in_link=in_link, repeated=repeated
            )
            places.append(place)
            if above is not None:
                above.below[region.label] = place
        known = {tag: frozenset(names) for tag, names in tokens.items()} if self.pages > 1 else None
        return Frontier(places[0], self.cut, known, label_of, unknown)

    def mark(self, page: Page) -> Marks:
        """Marks template by the parser's nodes; at the grain of nodes by flags, because every text is checked."""
        if self._frontier is None:
            return Marks(lambda: bytearray(len(page.tree)), lambda _: str(PageWarning.NO_PAGES), self._warnings)
        body = page.root()
        gone, met = self._frontier.walk(body)
        if not self._by_nodes:
            gone = self._frontier.with_headings(body, gone)
        topmost = self._topmost(page, [subtree.node for subtree in gone])

        verdicts = _Verdicts(page, gone)
        return Marks(
            lambda: self._flags(
                page, verdicts.by_number if topmost is None else (page.numbers[node] for node in topmost)
            ),
            lambda node: self._reason(verdicts.by_number.get(node)),
            self._warnings,
            lambda node: 1 - verdicts.by_number[node].likely if node in verdicts.by_number else 1.0,
            self._fit(met),
            self.kind,
            topmost,
            self.expected.quality,
            once=True,
        )

    def _topmost(self, page: Page, gone: list[Node]) -> list[Node] | None:
        """Returns the topmost nodes to remove, including notices and their empty parents; None if that needs a tree."""
        if not self._repeated:
            return gone
        if self._by_nodes:
            return None
        if not any(map(self._is_repeated, page.all_strings_without(gone))):
            return gone
        notices = [node for text, node in texts_in(page.without(gone)) if self._is_repeated(text)]
        holders = list(map(parent_of, notices))
        page.without([*gone, *notices])  # now the holders are without the notices
        empty: dict[Node, bool] = {}
        outermost = [_outermost_empty(node, holder, empty) for node, holder in zip(notices, holders, strict=True)]
        return corrected(page.root(), [*gone, *outermost], {})

    def _is_repeated(self, text: str) -> bool:
        return len(text) >= self._shortest and " ".join(text.split()) in self._repeated

    def _flags(self, page: Page, gone: Iterable[int]) -> bytearray:
        """Flags removed nodes with their descendants, and repeated texts."""
        flags = _below(page.tree, gone)
        if not self._by_nodes:  # already among the removed nodes
            return flags
        for node, text in enumerate(page.tree.text):
            flags[node] |= bool(text) and text in self._repeated
        return covered(page.tree, flags)

    def fit(self, page: Page) -> float:
        """Returns the share of the expected regions that this page has, from 0 to 1."""
        if self._frontier is None:
            return 0.0
        return self._fit(self._frontier.walk(page.root())[1])

    def _fit(self, met: AbstractSet[int]) -> float:
        return len(self._expected & met) / len(self._expected) if self._expected else 1.0

    def _reason(self, gone: Gone | None) -> str:
        if gone is None:
            return _REPEATED
        sure = f"{1 - gone.likely:.0%} sure"
        if gone.region == UNKNOWN:
            return f"on this page alone, and looks like template; {sure}"
        region = self.regions[gone.region]
        return (
            f"on {region.pages} of {self.pages} pages, {region.repeated:.0%} repeated, {region.links:.0%} links; {sure}"
        )

    def to_json(self) -> dict[str, Any]:
        """Returns the verdicts as a list. A region names its parent by number."""
        data: dict[str, Any] = {
            "pages": self.pages,
            "cut": self.cut,
            "regions": [_region_to_json(region, self.cut) for region in self.regions],
        }
        if self.weights:
            data["weights"] = self.weights
        if self.kind:
            data["kind"], data["kind_confidence"] = self.kind[0], round(self.kind[1], 4)
        if self.expected.quality is not None:
            data["quality"] = self.expected.quality
        if self.expected.unfamiliar:
            data["unfamiliar"] = True
        if self._repeated:
            data["repeated"] = sorted(self._repeated)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Reads the output of `to_json`. Raises ValueError if the regions do not form a tree."""
        regions = tuple(_region_from_json(number, line) for number, line in enumerate(data["regions"]))
        repeated = tuple(map(str, data.get("repeated", ())))
        kind = (str(data["kind"]), float(data["kind_confidence"])) if "kind" in data else None
        quality = float(data["quality"]) if "quality" in data else None
        expected = Expected(quality, bool(data.get("unfamiliar", False)))
        weights = str(data.get("weights", ""))
        return cls(int(data["pages"]), float(data["cut"]), regions, repeated, kind, weights, expected)


class _Verdicts(Shared):
    """The removed nodes of a page by their numbers in its tree, which is built only if they are asked for."""

    def __init__(self, page: Page, gone: Sequence[Gone]) -> None:
        self._page, self._gone, self.lock = page, gone, page.lock

    @own_property
    def by_number(self) -> dict[int, Gone]:
        """The number of each node, and the node."""
        return {self._page.numbers[subtree.node]: subtree for subtree in self._gone}


def _below(tree: Tree, nodes: Iterable[int]) -> bytearray:
    """Flags these nodes and their descendants; and the root if all others are flagged."""
    flags = bytearray(len(tree))
    for node in nodes:
        flags[node : node + tree.size[node]] = b"\1" * tree.size[node]
    flags[0] = any(flags) and all(flags[1:])
    return flags


def _outermost_empty(node: Node, holder: Node | None, empty: dict[Node, bool]) -> Node:
    """Returns a removed node, or the outermost element around it, except the body, that is empty without it.

    `empty` remembers which elements are: many notices may have the same parent.
    """
    while holder is not None and (above := parent_of(holder)) is not None and tag_of(holder) != "body":
        if holder not in empty:
            empty[holder] = not text_of(holder).strip() and first(holder, _PICTURES) is None
        if not empty[holder]:
            break
        node, holder = holder, above
    return node


def unknown(near: float, size: int, linked: int) -> float:
    """Returns how likely a region that only this page has is content.

    `near` is how likely its parent is content; `size` and `linked` are its letters, and those in links.
    """
    own = 1 - linked / size if size else 0.5
    return (own + near) / 2


def _region_to_json(region: Region, cut: float) -> dict[str, Any]:
    verdict = "mixed" if not region.whole else "content" if region.all >= cut else "template"
    line: dict[str, Any] = {"in": region.parent, "region": region.label, "verdict": verdict, "content": region.all}
    if region.own is not None and not region.whole:
        line["own"] = region.own
    return line | {"pages": region.pages, "repeated": region.repeated, "links": region.links}


def _region_from_json(number: int, line: dict[str, Any]) -> Region:
    if not -1 <= int(line["in"]) < number:
        raise ValueError(f"region {number} has a parent that is not before it")
    if line["verdict"] not in ("mixed", "content", "template"):
        raise ValueError(f"unknown verdict {line['verdict']!r}")
    own = line.get("own")
    likely = None if own is None else float(own), float(line["content"])
    whole, shares = line["verdict"] in ("content", "template"), (float(line["repeated"]), float(line["links"]))
    return Region(int(line["in"]), str(line["region"]), int(line["pages"]), *likely, whole, *shares)
