"""Site and page evidence: each region of the site is judged once, while learning, and cleaning is a look-up.

Our own, on the shoulders of the papers: regions are top-down paths as in Vieira et al. 2009, their presentation and
content entropies those of Yi, Liu and Li 2003. That verdicts are smoothed over the tree is the idea of D. Chakrabarti,
R. Kumar, K. Punera: Page-level Template Detection via Isotonic Smoothing. WWW 2007; a mean does here for a regression.

The steps: the pages become one tree of regions; each region that holds text becomes a row of figures; boosted trees
with weights from `make train` say how likely its text is content, a second time with a look at what is around it; that
is smoothed, and cut where the expected F1 is largest; the verdicts are the template. Regions that a new page alone has
are judged by that page.

Content is what people marked as such in the training data: an article or a record with its headings, labels and tables;
not menus, teasers, related links, tags, breadcrumbs, cookie banners, tables of contents or comments.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan, nan
from operator import itemgetter
from typing import Annotated, Any

from dehusk.base.options import Option, one_of
from dehusk.base.tags import MODEL_BLOCKS
from dehusk.kernels.columns import over, shares, with_below
from dehusk.methods.evidence.features import Figures, fields_of_records, measured
from dehusk.methods.evidence.model import WEIGHTS, Model, model_of
from dehusk.methods.evidence.regions import WORDS, Regions
from dehusk.methods.evidence.second_look import PROSE, expected_f1
from dehusk.methods.evidence.verdicts import Evidence, Region
from dehusk.methods.rules import Learned
from dehusk.page import Page

GRAINS = ("regions", "nodes")
"""Regions: labels inside content stay, for reading and language models. Nodes: all that repeats goes, for mining."""

FAVORS: Mapping[str | None, tuple[float, float]] = {None: (1.0, 0.0), "precision": (0.5, 0.5), "recall": (0.5, 0.0)}
"""How the model's cut is moved by what is favored: half-way to certainty, or half-way to anything goes."""

SMOOTHING = 0.3
"""How much of a region's probability is that of all the text around it, in the region that it is in.

On sites left out of training (`training/ablation.py`), from none to this: Dragnet 0.916 to 0.921, Big9 0.942 to
0.946, documentation the same within 0.001. Isotonic regression does no better.
"""

FIELD = 0.15
"""This likely is enough for a field of a record.

On sites left out of training: 0.982 of the product fields are kept at 0.2, and 0.995 at this, with 0.49 of the text
both times; Big9 is the same.
"""

ARTICLE = 150
"""A page that likely has this many letters of prose outside of its comments has an article."""

FORUM = 0.2
"""A page that is this likely a thread of a forum may have its posts in what is called comments."""

COMMENTS = 0.3
"""How far comments beside an article count as content.

On sites left out of training: Dragnet's blogs 0.941 to 0.955, single Dragnet pages 0.924 to 0.934; CleanEval, whose
people kept comments, 0.944 to 0.942.
"""

LAXEST, STRICTEST = 0.2, 0.6
"""The cut is never lower or higher than these."""

NAMES: Mapping[str, str] = {"th": "td", "dt": "dd"}
"""Elements that name what is in others beside them."""

NAMED_TAGS = frozenset(NAMES.values())
"""Those others."""

REPEATED_PAGES = 0.5
"""At the grain of nodes, a text that this share of the pages has is template wherever it stands."""

NOTICE, NOTICE_SHARE, NOTICE_PAGES = 15, 0.8, 3
"""Inside content, a text of this many words on this share of at least so many pages is template.

On sites left out of training: DAnIEL 0.927 to 0.931, all else within 0.001.
"""


def learn(
    pages: Sequence[Page],
    *,
    grain: Annotated[str, Option("keep labels inside content, or remove all that repeats", one_of(GRAINS))] = "regions",
    favor: Annotated[
        str | None, Option("what to prefer where in doubt", one_of(filter(None, FAVORS)), unset="neither")
    ] = None,
    weights: Annotated[
        Mapping[str, Any] | Model | None,
        Option("a model of your own, as training writes it", WEIGHTS, unset="the one in dehusk"),
    ] = None,
) -> Learned:
    """Judges every region of the site.

    `favor` is "precision" or "recall"; `weights` replaces the model: what is in a file that the training wrote, or
    `model_of` it, which takes as long as to learn from a few pages.
    """
    model = model_of(weights)
    regions = Regions(pages)
    figures = measured(regions)
    likely, kinds = model.likely(regions, figures)
    likely = smoothed(regions, without_comments(regions, likely, kinds["forum"]))
    times, plus = FAVORS[favor]
    cut = round(times * expected_cut(regions, likely) + plus, 4)
    settled = decided(regions, figures, likely, cut)
    repeated = _repeated(regions) if grain == "nodes" else _notices(regions, settled, cut)
    verdicts = judged(regions, settled, cut)
    kind = max(kinds.items(), key=itemgetter(1)) if figures.regions else None
    return Learned(Evidence(len(pages), cut, verdicts, repeated, kind, model.digest))


def without_comments(regions: Regions, likely: Mapping[int, float], forum: float) -> Mapping[int, float]:
    """Where a page has an article and is no thread of a forum, what is called comments is less likely content."""
    if forum >= FORUM or not any(map(regions.in_comments.__getitem__, likely)):
        return likely
    direct = regions.direct
    article = sum(
        direct.size[region] * p
        for region, p in likely.items()
        if p >= 0.5 and not regions.in_comments[region] and direct.size[region] >= PROSE * direct.texts[region]
    )
    if article < ARTICLE * regions.count:
        return likely
    return {region: p * COMMENTS if regions.in_comments[region] else p for region, p in likely.items()}


def expected_cut(regions: Regions, likely: Mapping[int, float]) -> float:
    """How likely is enough: half of the largest F1 that can be expected, which is where F1 is largest.

    So it goes by the page: strict where content is plain to see, lax where little is sure.
    """
    sizes = array("d", [regions.direct.size[region] for region in likely])
    best = expected_f1(sizes, array("d", likely.values()))
    return min(STRICTEST, max(LAXEST, best / 2))


def decided(regions: Regions, figures: Figures, likely: Mapping[int, float], cut: float) -> dict[int, float]:
    """How likely each region is content, after the rules that keep more than the cut does. Training calls it too.

    Kept are fields of records that are likely enough, then the names of values that are kept.
    """
    fields = fields_of_records(figures)
    kept = {region: max(p, cut) if region in fields and p >= FIELD else p for region, p in likely.items()}
    return kept | {region: max(kept[region], cut) for region in _names(regions, kept, cut)}


def _names(regions: Regions, likely: Mapping[int, float], cut: float) -> list[int]:
    """The names of values that are content: without "Weight", nobody knows what "1.6 kg" is."""
    if not NAMES.keys() & set(regions.tag):
        return []
    every = overall(regions, likely)
    named = {
        (regions.parent[region], tag)
        for region, tag in enumerate(regions.tag)
        if tag in NAMED_TAGS and every[region] >= cut  # false where there is no text
    }
    return [region for region in likely if _name_place(regions, region) in named]


def _name_place(regions: Regions, region: int) -> tuple[int, str | None] | None:
    """Where the values are that a text in this region names, if it is a name: beside it, in such an element."""
    around = region
    while around >= 0 and regions.tag[around] not in NAMES and regions.tag[around] not in MODEL_BLOCKS:
        around = regions.parent[around]
    return (regions.parent[around], NAMES.get(regions.tag[around])) if around >= 0 else None


def smoothed(regions: Regions, likely: Mapping[int, float], weight: float = SMOOTHING) -> dict[int, float]:
    """Draws each region toward all the text of what it is in: a label in an article is part of it."""
    every = overall(regions, likely)
    drawn = {}
    for region, own in likely.items():
        parent = regions.parent[region]
        around = every[parent] if parent > 0 else nan
        drawn[region] = own if isnan(around) else (1 - weight) * own + weight * around
    return drawn


def overall(regions: Regions, likely: Mapping[int, float]) -> "array[float]":
    """How likely the text at and below each region is content; not a number where there is none."""
    size, total = (array("d", bytes(8 * len(regions.label))) for _ in range(2))
    for region, own in likely.items():
        size[region] = regions.direct.size[region]
        total[region] = own * size[region]
    return shares(with_below(total, regions.parent), with_below(size, regions.parent))


def judged(regions: Regions, likely: Mapping[int, float], cut: float) -> tuple[Region, ...]:
    """The tree of verdicts, without what is below regions that are one thing throughout."""
    every = overall(regions, likely)
    again, links = (over(part, regions.below.size) for part in (regions.below.again, regions.below.link))
    content, template = (array("d", bytes(8 * len(every))) for _ in range(2))
    for region, p in likely.items():
        (content if p >= cut else template)[region] = 1
    content, template = with_below(content, regions.parent), with_below(template, regions.parent)
    number: dict[int, int] = {}
    verdicts: list[Region] = []
    for region, parent in enumerate(regions.parent):
        if isnan(every[region]) or (parent >= 0 and (parent not in number or verdicts[number[parent]].whole)):
            continue
        number[region] = len(verdicts)
        own, whole = likely.get(region), parent >= 0 and not (content[region] and template[region])
        alone = None if own is None or whole else round(own, 4)
        shares = round(every[region], 4), whole, round(again[region], 3), round(links[region], 3)
        label, pages = regions.label[region], int(regions.pages[region])
        verdicts.append(Region(number.get(parent, -1), label, pages, alone, *shares))
    return tuple(verdicts)


def _repeated(regions: Regions) -> tuple[str, ...]:
    """The texts that many pages have, and two at least."""
    pages = Counter(text for leaves in regions.leaves for text in {leaf.text for leaf in leaves})
    enough = max(2.0, REPEATED_PAGES * regions.count)
    return tuple(sorted(text for text, count in pages.items() if count >= enough))


def _notices(regions: Regions, likely: Mapping[int, float], cut: float) -> tuple[str, ...]:
    """The long texts that nearly all pages have inside their content: who may copy it, where to subscribe."""
    again = regions.direct.again
    if regions.count < NOTICE_PAGES or not any(p >= cut and again[region] for region, p in likely.items()):
        return ()
    pages = Counter(
        text for leaves in regions.leaves for text in {leaf.text for leaf in leaves if likely[leaf.region] >= cut}
    )
    often = (text for text, count in pages.items() if count >= NOTICE_SHARE * regions.count)
    return tuple(sorted(text for text in often if len(WORDS.findall(text)) >= NOTICE))


load = Evidence.from_json
