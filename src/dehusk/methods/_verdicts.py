"""The verdicts on the regions of a site: a tree of labels to look pages up in, and what of a page it does not know."""

import re
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from dehusk.methods._regions import Labels
from dehusk.page import Page
from dehusk.rules import Marks
from dehusk.tree import PICTURES, TEXT, Tree, covered

KEEP: Mapping[str, re.Pattern[str]] = {
    "comments": re.compile(r"comment|discuss|repl(?:y|ies)\b"),
    "breadcrumbs": re.compile(r"crumb"),
    "contents": re.compile(r"toc\b|contents"),
    "related": re.compile(r"relat|similar|recommend"),
}
"""What some want and others do not, and how authors name it."""

_STRANGER = -2  # in place of the region that a verdict comes from: the page itself
_ONE_PAGE = "learned from one page: judged by what the page looks like, without a site to compare it with"
_NOTHING = "learned from no page: nothing was removed"


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the template and why it is what it is.

    `own` is how likely the texts directly in it are content (None where there are none), `all` how likely all text
    below it is. A `whole` region has one verdict for all that is in it, and for all that turns up there later.
    """

    parent: int
    label: str
    pages: int
    own: float | None
    all: float
    whole: bool
    repeated: float
    links: float


class Evidence:
    """The verdicts on the regions of a site."""

    def __init__(
        self,
        pages: int,
        cut: float,
        keep: tuple[str, ...],
        regions: tuple[Region, ...],
        repeated: Collection[str],
    ) -> None:
        self.pages, self.cut, self.keep = pages, cut, keep
        self.regions, self._repeated = regions, frozenset(repeated)
        self._index = {(region.parent, region.label): number for number, region in enumerate(regions)}
        tokens = frozenset(token for region in regions for token in region.label.split(" ")[1:])
        self._known = tokens if pages > 1 else None

    def mark(self, page: Page) -> Marks:
        """Looks up each text and picture by its path; what the template does not know is judged by the page."""
        tree = page.tree
        if not self.pages:
            return Marks(bytearray(len(tree)), lambda _: _NOTHING, (_NOTHING,))
        likely, source = array("d", [1.0]) * len(tree), array("i", [-1]) * len(tree)
        labels = Labels(self._known)
        strangers = self._look_up(tree, labels, likely, source)
        if strangers:
            self._judge(tree, labels, strangers, likely, source)
        shown = bytearray(tag == TEXT or tag in PICTURES for tag in tree.tag)
        flags = bytearray(here and p < self.cut for here, p in zip(shown, likely, strict=True))
        if self._repeated:
            for node, text in enumerate(tree.text):
                flags[node] |= bool(text) and text in self._repeated
        warnings = (_ONE_PAGE,) if self.pages == 1 else ()
        return Marks(covered(tree, flags), lambda node: self._reason(source[node], likely[node]), warnings)

    def _look_up(self, tree: Tree, labels: Labels, likely: "array[float]", source: "array[int]") -> list[int]:
        """Fills in what the template knows, and gives the topmost nodes that it does not know."""
        at = array("i", [-1]) * len(tree)
        strangers = []
        node = 0
        while node < len(tree):
            parent = tree.parent[node]
            above = at[parent] if parent >= 0 else -1
            if tree.tag[node] == TEXT:
                own = self.regions[above].own if above >= 0 else None
                source[node] = above
                if own is None:
                    strangers.append(node)
                else:
                    likely[node] = own
                node += 1
                continue
            number = self._index.get((above, labels.label(tree, node)), -1) if above >= 0 or node == 0 else -1
            if number < 0:
                end = node + tree.size[node]
                source[node] = above
                if above < 0 or any(tree.text[node:end]):
                    strangers.append(node)
                else:  # pictures without a word go with what they are in
                    for below in range(node, end):
                        likely[below], source[below] = self.regions[above].all, above
                node = end
                continue
            at[node] = source[node] = number
            region = self.regions[number]
            likely[node] = region.all
            if not region.whole:
                node += 1
                continue
            for below in range(node, node + tree.size[node]):
                likely[below], source[below] = region.all, number
            node += tree.size[node]
        return strangers

    def _judge(
        self, tree: Tree, labels: Labels, strangers: Sequence[int], likely: "array[float]", source: "array[int]"
    ) -> None:
        """Judges what only this page has by what it is in, and by how much of it is links."""
        for top in strangers:
            near = self.regions[source[top]].all if source[top] >= 0 else None
            p = 1.0 if self._to_keep(tree, labels, top) else stranger(near, *_sizes(tree, top))
            for node in range(top, top + tree.size[top]):
                likely[node], source[node] = p, _STRANGER

    def _to_keep(self, tree: Tree, labels: Labels, node: int) -> bool:
        names = "" if tree.tag[node] == TEXT else labels.label(tree, node).partition(" ")[2].lower()
        return bool(names) and any(KEEP[name].search(names) for name in self.keep)

    def _reason(self, number: int, likely: float) -> str:
        sure = f"{max(likely, 1 - likely):.0%} sure"
        if number < 0:
            return f"on this page alone, and looks like template; {sure}"
        region = self.regions[number]
        return (
            f"on {region.pages} of {self.pages} pages, {region.repeated:.0%} repeated, {region.links:.0%} links; {sure}"
        )

    def to_json(self) -> dict[str, Any]:
        """The verdicts in a list: a region names the one it is in by number, and what it shares with others."""
        data: dict[str, Any] = {
            "pages": self.pages,
            "cut": self.cut,
            "keep": list(self.keep),
            "regions": [_region_to_json(region, self.cut) for region in self.regions],
        }
        if self._repeated:
            data["repeated"] = sorted(self._repeated)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """What `to_json` wrote. Raises ValueError where regions do not form a tree, or a thing to keep is unknown."""
        regions = tuple(_region_from_json(number, line) for number, line in enumerate(data["regions"]))
        keep = tuple(map(str, data["keep"]))
        if not set(keep) <= set(KEEP):
            raise ValueError(f"unknown things to keep: {keep}")
        return cls(int(data["pages"]), float(data["cut"]), keep, regions, tuple(map(str, data.get("repeated", ()))))


def stranger(near: float | None, size: int, linked: int) -> float:
    """How likely a region is content that a page alone has, by its text, how much of it is links, and what it is in."""
    own = 1 - linked / size if size else 0.5
    return own if near is None else (own + near) / 2


def _sizes(tree: Tree, top: int) -> tuple[int, int]:
    """How much text is at and below a node, and how much of that is in links."""
    size = linked = 0
    until = top  # inside a link up to here
    node = tree.parent[top]
    while node >= 0 and tree.tag[node] != "a":
        node = tree.parent[node]
    if node >= 0:
        until = top + tree.size[top]
    for below in range(top, top + tree.size[top]):
        if tree.tag[below] == "a":
            until = max(until, below + tree.size[below])
        size += len(tree.text[below])
        linked += len(tree.text[below]) if below < until else 0
    return size, linked


def _region_to_json(region: Region, cut: float) -> dict[str, Any]:
    verdict = "mixed" if not region.whole else "content" if region.all >= cut else "template"
    line: dict[str, Any] = {"in": region.parent, "region": region.label, "verdict": verdict, "content": region.all}
    if region.own is not None and not region.whole:
        line["own"] = region.own
    return line | {"pages": region.pages, "repeated": region.repeated, "links": region.links}


def _region_from_json(number: int, line: dict[str, Any]) -> Region:
    if not -1 <= int(line["in"]) < number:
        raise ValueError(f"region {number} is in one that comes later")
    if line["verdict"] not in ("mixed", "content", "template"):
        raise ValueError(f"unknown verdict {line['verdict']!r}")
    own = line.get("own")
    return Region(
        int(line["in"]),
        str(line["region"]),
        int(line["pages"]),
        None if own is None else float(own),
        float(line["content"]),
        line["verdict"] != "mixed",
        float(line["repeated"]),
        float(line["links"]),
    )
