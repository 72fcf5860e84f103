"""Site and page evidence: each region of the site is judged once, while learning, and cleaning is a look-up.

Our own, on the shoulders of the papers: regions are top-down paths as in Vieira et al. 2009, their presentation and
content entropies those of Yi, Liu and Li 2003. That verdicts are smoothed over the tree is the idea of D. Chakrabarti,
R. Kumar, K. Punera: Page-level Template Detection via Isotonic Smoothing. WWW 2007; a mean does here for a regression.

The steps: the pages become one tree of regions; each region that holds text becomes a row of figures; boosted trees
with weights from `make train` say how likely its text is content; that is smoothed; the verdicts are the template.
Regions that a new page alone has are judged by that page.

Content is what people marked as such in the training data: an article or a record with its headings, labels and tables;
not menus, teasers, related links, tags, breadcrumbs, cookie banners or comments. A table of contents goes where it is
the site's, and stays where it is part of the text. `keep` has some of these back.
"""

import json
import os
import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, Self

from dehusk.errors import UsageError
from dehusk.methods._figures import FEATURES, rows
from dehusk.methods._forest import Forest
from dehusk.methods._regions import Labels, Regions
from dehusk.page import Page
from dehusk.rules import Learned, Marks
from dehusk.tree import PICTURES, TEXT, Tree, covered

GRAINS = ("regions", "nodes")
"""Regions: labels inside content stay, for reading and language models. Nodes: all that repeats goes, for mining."""

CUTS: Mapping[str | None, float] = {None: 0.5, "precision": 0.75, "recall": 0.3}
"""From this probability on a region is content, by what is favored.

On training sites left out of their fold, larger cuts gain on news what they lose on records: at 0.6 fewer than 98 of
100 product fields are kept.
"""

KEEP: Mapping[str, re.Pattern[str]] = {
    "comments": re.compile(r"comment|discuss|repl(?:y|ies)\b"),
    "breadcrumbs": re.compile(r"crumb"),
    "contents": re.compile(r"toc\b|contents"),
    "related": re.compile(r"relat|similar|recommend"),
}
"""What some want and others do not, and how authors name it."""

SMOOTHING = 0.3
"""How much of a region's probability is that of all the text around it, in the region that it is in.

On training sites left out of their fold, with two settings of the training, from 0 to 0.3: documentation 0.929 to 0.957
and 0.973 to 0.975, blogs and news the same within 0.002.
"""

REPEATED_PAGES = 0.5
"""At the grain of nodes, a text that this share of the pages has is template wherever it stands."""

_STRANGER = -2  # in place of the region that a verdict comes from: the page itself
_ONE_PAGE = "learned from one page: judged by what the page looks like, without a site to compare it with"
_NOTHING = "learned from no page: judged by what the page looks like"


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


def learn(
    pages: Sequence[Page],
    *,
    grain: str = "regions",
    favor: str | None = None,
    keep: Collection[str] = (),
    weights: str | os.PathLike[str] | Mapping[str, Any] | None = None,
) -> Learned:
    """Judges every region of the site.

    `favor` is "precision" or "recall"; `keep` names what is kept although it is not the page's own content (comments,
    breadcrumbs, contents, related); `weights` replaces the model, as a file that the training wrote, or as its content.
    """
    _check(grain, favor, keep)
    given = read_weights(weights) if weights is not None else None
    forest = forest_of(given)
    trees = [page.tree for page in pages]
    regions = Regions(trees)
    likely = smoothed(regions, likelihoods(regions, forest, keep))
    repeated = _repeated(regions) if grain == "nodes" else ()
    rules = Evidence(
        len(pages), grain, favor, tuple(sorted(set(keep))), given, judged(regions, likely, CUTS[favor]), repeated
    )
    return Learned(rules)


def likelihoods(regions: Regions, forest: Forest, keep: Collection[str] = ()) -> dict[int, float]:
    """How likely the text directly in each region is content."""
    found = {region: forest.probability(row) for region, row in rows(regions).items()}
    for region in _kept(regions, keep):
        if region in found:
            found[region] = 1.0
    return found


def _kept(regions: Regions, keep: Collection[str]) -> Iterator[int]:
    """The regions inside anything whose name says that it is to be kept."""
    patterns = [KEEP[name] for name in keep]
    inside = bytearray(len(regions.label))
    for region, parent in enumerate(regions.parent):
        names = regions.label[region].partition(" ")[2].lower() if parent >= 0 else ""
        here = bool(names) and any(pattern.search(names) for pattern in patterns)
        inside[region] = here or (parent >= 0 and inside[parent])
        if inside[region]:
            yield region


def smoothed(regions: Regions, likely: Mapping[int, float], weight: float = SMOOTHING) -> dict[int, float]:
    """Draws each region toward all the text of what it is in: a label in an article is part of it."""
    every = _overall(regions, likely)
    found = {}
    for region, own in likely.items():
        parent = regions.parent[region]
        around = every[parent] if parent > 0 else None
        found[region] = own if around is None else (1 - weight) * own + weight * around
    return found


def _overall(regions: Regions, likely: Mapping[int, float]) -> list[float | None]:
    """How likely the text at and below each region is content; None where there is none."""
    size, total = [0.0] * len(regions.label), [0.0] * len(regions.label)
    for region, own in likely.items():
        size[region] = regions.direct[region].size
        total[region] = own * size[region]
    for region in range(len(size) - 1, 0, -1):
        size[regions.parent[region]] += size[region]
        total[regions.parent[region]] += total[region]
    return [part / whole if whole else None for part, whole in zip(total, size, strict=True)]


def judged(regions: Regions, likely: Mapping[int, float], cut: float) -> tuple[Region, ...]:
    """The tree of verdicts, without what is below regions that are one thing throughout."""
    every = _overall(regions, likely)
    has: list[set[bool]] = [set() for _ in every]
    for region, p in likely.items():
        has[region].add(p >= cut)
    for region in range(len(every) - 1, 0, -1):
        has[regions.parent[region]] |= has[region]
    number: dict[int, int] = {}
    found: list[Region] = []
    for region, parent in enumerate(regions.parent):
        overall = every[region]
        if overall is None or (parent >= 0 and (parent not in number or found[number[parent]].whole)):
            continue
        number[region] = len(found)
        own, whole = likely.get(region), len(has[region]) == 1 and parent >= 0
        found.append(
            Region(
                number.get(parent, -1),
                regions.label[region],
                regions.pages[region],
                None if own is None or whole else round(own, 4),
                round(overall, 4),
                whole,
                round(regions.share(region, "again"), 3),
                round(regions.share(region, "link"), 3),
            )
        )
    return tuple(found)


def _repeated(regions: Regions) -> tuple[str, ...]:
    """The texts that many pages have, and two at least."""
    pages = Counter(text for leaves in regions.leaves for text in {leaf.text for leaf in leaves})
    enough = max(2.0, REPEATED_PAGES * regions.count)
    return tuple(sorted(text for text, count in pages.items() if count >= enough))


class Evidence:
    """The verdicts on the regions of a site."""

    def __init__(
        self,
        pages: int,
        grain: str,
        favor: str | None,
        keep: tuple[str, ...],
        weights: Mapping[str, Any] | None,
        regions: tuple[Region, ...],
        repeated: tuple[str, ...],
    ) -> None:
        self.pages, self.grain, self.favor, self.keep = pages, grain, favor, keep
        self.regions, self._weights, self._repeated = regions, weights, frozenset(repeated)
        self._cut = CUTS[favor]
        self._index = {(region.parent, region.label): number for number, region in enumerate(regions)}
        tokens = frozenset(token for region in regions for token in region.label.split(" ")[1:])
        self._known = tokens if pages > 1 else None

    @cached_property
    def _forest(self) -> Forest:
        return forest_of(self._weights)

    def mark(self, page: Page) -> Marks:
        """Looks up each text and picture by its path; what the template does not know is judged by the page."""
        tree = page.tree
        likely, source = array("d", [1.0]) * len(tree), array("i", [-1]) * len(tree)
        labels = Labels(self._known)
        strangers = self._look_up(tree, labels, likely, source)
        if strangers:
            self._judge(tree, labels, strangers, likely, source)
        shown = bytearray(tag == TEXT or tag in PICTURES for tag in tree.tag)
        flags = bytearray(here and p < self._cut for here, p in zip(shown, likely, strict=True))
        if self._repeated:
            for node, text in enumerate(tree.text):
                flags[node] |= bool(text) and text in self._repeated
        warnings = (_NOTHING,) if not self.pages else (_ONE_PAGE,) if self.pages == 1 else ()
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
        """Judges what only this page has by the page, drawn half-way to what it is in."""
        regions = Regions([tree], labels)
        of_page = likelihoods(regions, self._forest, self.keep)
        every = _overall(regions, of_page)
        for top in strangers:
            near = self.regions[source[top]].all if source[top] >= 0 else None
            for node in range(top, top + tree.size[top]):
                region = regions.at[0][node]
                found = of_page.get(region) if tree.tag[node] == TEXT else every[region]
                if found is None:  # a picture without a word near it goes with what it is in
                    likely[node] = likely[tree.parent[node]] if node else 1.0
                else:
                    likely[node] = found if near is None else (found + near) / 2
                source[node] = _STRANGER

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
            "grain": self.grain,
            "favor": self.favor,
            "keep": list(self.keep),
            "regions": [_region_to_json(region, self._cut) for region in self.regions],
        }
        if self._repeated:
            data["repeated"] = sorted(self._repeated)
        if self._weights is not None:
            data["weights"] = self._weights
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """What `to_json` wrote. Raises ValueError where regions do not form a tree, or options are not known."""
        regions = tuple(_region_from_json(number, line) for number, line in enumerate(data["regions"]))
        weights = data.get("weights")
        grain, favor, keep = data["grain"], data["favor"], tuple(map(str, data["keep"]))
        try:
            _check(grain, favor, keep)
            if weights is not None:
                forest_of(weights)
        except UsageError as error:
            raise ValueError(str(error)) from error
        return cls(int(data["pages"]), grain, favor, keep, weights, regions, tuple(map(str, data.get("repeated", ()))))


load = Evidence.from_json


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


def read_weights(weights: str | os.PathLike[str] | Mapping[str, Any]) -> Mapping[str, Any]:
    """The content of a file of weights, or itself."""
    if isinstance(weights, Mapping):
        return weights
    try:
        data = json.loads(Path(weights).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read weights {weights}: {error.strerror}") from error
    except ValueError:
        data = None
    if not isinstance(data, dict) or "trees" not in data:
        raise UsageError(f"{weights}: no weights of the evidence method; make some with make train")
    return data


def forest_of(weights: Mapping[str, Any] | None) -> Forest:
    """The model with these weights, or with those that came with the package."""
    if weights is None:
        shipped = resources.files("dehusk.methods").joinpath("evidence.json").read_text("utf-8")
        weights = json.loads(shipped)
    try:
        return Forest.from_json(weights, FEATURES)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise UsageError("the weights do not fit this version of dehusk; make some with make train") from error


def _check(grain: str, favor: str | None, keep: Collection[str]) -> None:
    """Refuses what cannot be meant."""
    if grain not in GRAINS:
        raise UsageError(f"grain={grain!r}: choose regions or nodes")
    if favor not in CUTS:
        raise UsageError(f"favor={favor!r}: choose precision or recall, or None for neither")
    if isinstance(keep, str) or not set(keep) <= set(KEEP):
        raise UsageError(f"keep={keep!r}: give a list of any of {', '.join(KEEP)}")
