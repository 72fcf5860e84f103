"""Site and page evidence: learning judges each region of the site once, and cleaning looks up the verdicts.

Our own method, built on papers: regions are top-down paths as in Vieira et al. 2009; presentation and content entropy
are those of Yi, Liu and Li 2003. Smoothing over the tree is from D. Chakrabarti, R. Kumar, K. Punera: Page-level
Template Detection via Isotonic Smoothing. WWW 2007; here a mean replaces the regression.

Steps: the pages are aligned into one tree of regions. Each region with text becomes a row of features. Boosted trees
(`make train`) predict how likely its text is content; a second pass also uses the predictions for the regions around
it. The probabilities are smoothed and cut where the expected F1 is largest. The verdicts are the template. Regions that
only a new page has are judged by that page.

Content is what annotators marked in the training data: an article or a record with its headings, labels and tables; not
menus, teasers, related links, tags, breadcrumbs, cookie banners, tables of contents or comments.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from math import isnan, nan
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

from dehusk.base.options import Option, one_of
from dehusk.base.tags import BLOCKS
from dehusk.kernels.columns import over, shares, with_below
from dehusk.methods.evidence.features import Figures, fields_of_records, measured
from dehusk.methods.evidence.model import WEIGHTS, Model, model_of
from dehusk.methods.evidence.modesty import overlooked
from dehusk.methods.evidence.quality import columns
from dehusk.methods.evidence.regions import WORDS, Regions
from dehusk.methods.evidence.second_look import PROSE, expected_f1
from dehusk.methods.evidence.verdicts import Evidence, Expected, Region
from dehusk.methods.rules import Learned
from dehusk.page import Page

GRAINS = ("regions", "nodes")
"""Regions keeps labels inside content, for reading and language models. Nodes removes all repeated text, for mining."""

FAVORS: Mapping[str | None, tuple[float, float]] = {None: (1.0, 0.0), "precision": (0.5, 0.5), "recall": (0.5, 0.0)}
"""Factor and summand that move the cut half-way to 1 for precision, or half-way to 0 for recall."""

SMOOTHING = 0.3
"""The weight of the parent region's probability, over all its text, in the probability of a region.

On sites left out of training (`training/ablation.py`), from 0 to this: Dragnet 0.916 to 0.921, Big9 0.942 to 0.946,
documentation the same within 0.001. Isotonic regression is not better.
"""

FIELD = 0.15
"""The probability from which a field of a record is kept.

On sites left out of training, 0.982 of the product fields are kept at 0.2 and 0.995 at this, with 0.49 of the text in
both cases. Big9 does not change.
"""

ARTICLE = 150
"""A page with at least this many expected letters of prose outside comments has an article."""

FORUM = 0.5
"""From this probability of a forum on, regions named as comments may hold the posts.

On sites left out of training, from 0.2 to this: Dragnet's blogs 0.939 to 0.952, single Dragnet pages 0.922 to 0.933 (F1
of words by region); forums and the others the same.
"""

MANUAL = 0.5
"""From this probability of documentation on, regions named as comments are no comments of readers."""

COMMENTS = 0.3
"""Factor for the probability of comments beside an article.

On sites left out of training: Dragnet's blogs 0.941 to 0.955, single Dragnet pages 0.924 to 0.934; CleanEval, which
counts comments as content, 0.944 to 0.942.
"""

LAXEST, STRICTEST = 0.2, 0.6
"""Bounds of the cut."""

NAMES: Mapping[str, str] = {"th": "td", "dt": "dd"}
"""Elements that hold a name, and the sibling elements that hold its value."""

NAMED_TAGS = frozenset(NAMES.values())
"""The elements that hold values."""

REPEATED_PAGES = 0.5
"""At the grain of nodes, a text on at least this share of the pages is template, wherever it is."""

NOTICE, NOTICE_SHARE, NOTICE_PAGES = 15, 0.8, 3
"""A text inside content is template from this many words on, on this share of the pages, if there are so many pages.

On sites left out of training: DAnIEL 0.927 to 0.931, other sets within 0.001.
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

    `favor` is "precision" or "recall". `weights` replaces the model: the JSON of a weights file, or a Model made from
    it by `model_of`. Making the model takes as long as learning from a few pages.
    """
    model = model_of(weights)
    regions = Regions(pages)
    figures = measured(regions)
    found = settled(model, regions, figures, favor)
    repeated = _repeated(regions) if grain == "nodes" else _notices(regions, found.likely, found.cut)
    verdicts = judged(regions, found.likely, found.cut)
    kind = max(found.kinds.items(), key=itemgetter(1)) if figures.regions else None
    quality = model.quality_of(found.columns) if figures.regions else None
    expected = Expected(quality, found.unfamiliar)
    return Learned(Evidence(len(pages), found.cut, verdicts, repeated, kind, model.digest, expected))


class Settled(NamedTuple):
    """How likely each region is content, after all rules; the cut; the kinds of page; the columns of OF_QUALITY.

    `unfamiliar` tells whether the site is unlike what was learned.
    """

    likely: dict[int, float]
    cut: float
    kinds: dict[str, float]
    columns: "array[float]"
    unfamiliar: bool


def settled(model: Model, regions: Regions, figures: Figures, favor: str | None = None) -> Settled:
    """Predicts and applies all rules. Training calls it too."""
    predicted = model.predict(regions, figures)
    likely = smoothed(regions, without_comments(regions, predicted.likely, predicted.kinds))
    times, plus = FAVORS[favor]
    cut = round(times * expected_cut(regions, likely) + plus, 4)
    more = overlooked(regions, figures, likely, cut)
    likely = decided(regions, figures, likely, cut, more.regions)
    row = columns(regions, figures, predicted.page, predicted.kinds, likely, cut) if figures.regions else array("d")
    return Settled(likely, cut, predicted.kinds, row, more.unfamiliar)


def without_comments(regions: Regions, likely: Mapping[int, float], kinds: Mapping[str, float]) -> Mapping[int, float]:
    """Lowers the probability of comments, if the pages have an article.

    Not for threads of a forum, nor for manuals: generators of API references name descriptions comments.
    """
    if (
        kinds["forum"] >= FORUM
        or kinds["documentation"] >= MANUAL
        or not any(map(regions.in_comments.__getitem__, likely))
    ):
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
    """Returns the probability from which regions are kept: half of the largest expected F1, which maximizes F1.

    So the cut depends on the pages: high where content is clear, low where little is certain.
    """
    sizes = array("d", [regions.direct.size[region] for region in likely])
    best = expected_f1(sizes, array("d", likely.values()))
    return min(STRICTEST, max(LAXEST, best / 2))


def decided(
    regions: Regions,
    figures: Figures,
    likely: Mapping[int, float],
    cut: float,
    overlooked: AbstractSet[int] = frozenset(),
) -> dict[int, float]:
    """Returns how likely each region is content, after rules that raise some to the cut. Training calls it too.

    These are fields of records that are likely enough, regions that the model overlooked (modesty.py), and then the
    names of values that are kept.
    """
    fields = {region for region in fields_of_records(figures) if likely[region] >= FIELD}
    fields |= overlooked
    kept = {region: max(p, cut) if region in fields else p for region, p in likely.items()}
    return kept | {region: max(kept[region], cut) for region in _names(regions, kept, cut)}


def _names(regions: Regions, likely: Mapping[int, float], cut: float) -> list[int]:
    """Returns the names of values that are content: "1.6 kg" needs its name, "Weight"."""
    if NAMES.keys().isdisjoint(regions.tag_names):
        return []
    every = overall(regions, likely)
    named = {
        (regions.parent[region], tag)
        for region, tag in enumerate(regions.tag)
        if tag in NAMED_TAGS and every[region] >= cut  # false without text, for NaN
    }
    return [region for region in likely if _name_place(regions, region) in named]


def _name_place(regions: Regions, region: int) -> tuple[int, str | None] | None:
    """If the region is in a name, returns its parent and the tag of the values beside it."""
    around = region
    while around >= 0 and regions.tag[around] not in NAMES and regions.tag[around] not in BLOCKS:
        around = regions.parent[around]
    return (regions.parent[around], NAMES.get(regions.tag[around])) if around >= 0 else None


def smoothed(regions: Regions, likely: Mapping[int, float], weight: float = SMOOTHING) -> dict[int, float]:
    """Moves each region's probability toward that of its parent: a label in an article is part of the article."""
    every = overall(regions, likely)
    drawn = {}
    for region, own in likely.items():
        parent = regions.parent[region]
        around = every[parent] if parent > 0 else nan
        drawn[region] = own if isnan(around) else (1 - weight) * own + weight * around
    return drawn


def overall(regions: Regions, likely: Mapping[int, float]) -> "array[float]":
    """Returns how likely the text at and below each region is content; NaN if there is no text."""
    size, total = (array("d", bytes(8 * len(regions.label))) for _ in range(2))
    for region, own in likely.items():
        size[region] = regions.direct.size[region]
        total[region] = own * size[region]
    return shares(with_below(total, regions.parent), with_below(size, regions.parent))


def judged(regions: Regions, likely: Mapping[int, float], cut: float) -> tuple[Region, ...]:
    """Returns the tree of verdicts, without the descendants of regions that are all content or all template."""
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
    """Returns the texts on at least REPEATED_PAGES of the pages, and on at least two."""
    pages = Counter(text for leaves in regions.leaves for text in {leaf.text for leaf in leaves})
    enough = max(2.0, REPEATED_PAGES * regions.count)
    return tuple(sorted(text for text, count in pages.items() if count >= enough))


def _notices(regions: Regions, likely: Mapping[int, float], cut: float) -> tuple[str, ...]:
    """Returns the long texts that nearly all pages have inside their content, such as copyright notices."""
    again = regions.direct.again
    kept = {region for region, p in likely.items() if p >= cut and again[region]}  # others have no text of two pages
    if regions.count < NOTICE_PAGES or not kept:
        return ()
    pages = Counter(chain.from_iterable(regions.texts_in(kept)))
    often = (text for text, count in pages.items() if count >= NOTICE_SHARE * regions.count)
    return tuple(sorted(text for text in often if len(WORDS.findall(text)) >= NOTICE))


load = Evidence.from_json
