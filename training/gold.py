"""Labels of a page's texts from gold: a CSS selector, the content's text, or field values."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from dehusk.base.tree import Tree
from dehusk.bench.evaluation.datasets import SELECTED, Site, content_selector, inside
from dehusk.bench.evaluation.measures import SHINGLE, as_run, is_scorable, words
from dehusk.methods.evidence.regions import Leaf, Regions
from dehusk.page import Page

WORDS = 60
"""A text weighs as many words as it has, up to this: one long text must not outweigh a page."""

LONG_RUN = 40
"""Runs of gold on a page of at least this many shingles are alike: none of them is a headline."""

HEADINGS = frozenset({"h1", "h2", "h3"})

FIELDS, AROUND, FRAME = 1.0, 0.3, 0.5
"""What a product page's labelled fields weigh together, other texts of the record, and what repeats outside of it."""

FIELD_SHARE = 0.25
"""A text holds a field if the field is at least this share of it."""

FIELD_PAGES = 0.1
"""A region is where fields are if it holds them on this share of the pages."""

RECORD = 0.8
"""The record is the innermost region with this share of the fields."""

MOST_PAGES = 0.5
"""Outside the record, a text that this share of the pages has is template."""

Labels = dict[int, tuple[bool, float]]  # of a page's texts: content or not, and what that weighs


def labelled(site: Site) -> list[tuple[Page, Labels]]:
    """The pages of a site that have gold, each with the labels of its texts."""
    files = list(site.gold)
    pages = [Page(file.read_bytes(), name=str(file)) for file in files]
    if site.kind == "products":
        labels = by_fields(pages, [list(site.gold[file]) for file in files])
    elif site.kind in SELECTED:
        selector = content_selector(site.pages.parent)
        labels = [by_selector(page, selector) for page in pages]
    else:
        golds = [str(site.gold[file]) for file in files]
        labels = [
            by_stream(page.tree, gold) if is_scorable(gold) else {} for page, gold in zip(pages, golds, strict=True)
        ]
    return list(zip(pages, labels, strict=True))


def weight(text: str) -> float:
    """What a text weighs among those of its page."""
    return min(len(words(text)), WORDS) + 1.0


def by_selector(page: Page, selector: str) -> Labels:
    """Texts inside what a selector picks are content."""
    tree, content = page.tree, inside(page, selector)
    return weighed(tree, {node: bool(content[node]) for node, text in enumerate(tree.text) if text})


def by_stream(tree: Tree, gold: str) -> Labels:
    """Texts most of whose words are in shingles of the gold are content. Texts without words have no label.

    The words of the page are one stream, so that a link of two words is judged with its paragraph. A shingle of the
    gold stands for as many places on the page as the gold has it: the headline in a teaser is not the article's.
    """
    texts = {node: found for node, text in enumerate(tree.text) if text and (found := words(text))}
    stream = [word for found in texts.values() for word in found]
    owner = [node for node, found in texts.items() for _ in found]
    covered = Counter(owner[place] for place in covered_words(stream, gold, lambda place: heads(tree, owner[place])))
    lines = Counter(tuple(words(line)) for line in gold.split("\n"))
    often = Counter(tuple(found) for found in texts.values() if len(found) < SHINGLE)
    content = {}
    for node, found in texts.items():
        is_line = len(found) < SHINGLE and often[tuple(found)] <= lines[tuple(found)]
        content[node] = 2 * covered[node] > len(found) or is_line
    return weighed(tree, content)


def covered_words(stream: Sequence[str], gold: str, is_heading: Callable[[int], bool]) -> Iterator[int]:
    """The places of the words that the gold has, each shingle of it used once.

    Runs of gold take their shingles in turn: the longest first, then headings, then those near the longest one. A run
    is taken whole if the gold still has half of its shingles.
    """
    shingles = list(shingles_of(stream))
    left = Counter(shingles_of(words(gold)))
    runs = runs_of([shingle in left for shingle in shingles])
    start, end = max(runs, key=lambda run: run[1] - run[0], default=(0, 0))

    def turn(run: tuple[int, int]) -> tuple[int, bool, int]:
        far = max(0, run[0] - end, start - run[1])
        return -min(run[1] - run[0], LONG_RUN), not is_heading(run[0]), far

    taken: set[int] = set()
    for first, last in sorted(runs, key=turn):
        own = shingles[first:last]
        if 2 * sum(left[shingle] > 0 for shingle in own) >= len(own):
            left.subtract(own)
            taken.update(range(first, last + SHINGLE - 1))
    return iter(taken)


def shingles_of(run: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All runs of a few words; none if there are fewer."""
    return zip(*(run[k:] for k in range(SHINGLE)), strict=False)


def runs_of(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Where flags are set one after the other: from the first to after the last."""
    edges = [place for place, (before, now) in enumerate(pairwise([False, *flags, False])) if before != now]
    return list(zip(edges[::2], edges[1::2], strict=True))


def heads(tree: Tree, node: int) -> bool:
    """Whether a text is in a heading, or at most two elements below one."""
    above = node
    for _ in range(3):
        above = tree.parent[above]
        if above < 0 or tree.tag[above] in HEADINGS:
            return above >= 0
    return False


def weighed(tree: Tree, content: Mapping[int, bool]) -> Labels:
    """Labels that weigh one page together."""
    whole = sum(weight(tree.text[node]) for node in content)
    return {node: (label, weight(tree.text[node]) / whole) for node, label in content.items()}


def by_fields(pages: Sequence[Page], gold: Sequence[Sequence[str]]) -> list[Labels]:
    """Regions of labelled fields are content, and lightly what else varies in the record; what repeats outside is not.

    Nothing is said of the rest: of labels inside the record, and of teasers.
    """
    regions = Regions(pages)
    credit, texts = field_regions(regions, gold)
    inside = record(regions, credit)
    pages_with = Counter(text for leaves in regions.leaves for text in {leaf.text for leaf in leaves})
    often = MOST_PAGES * len(pages)
    found: list[Labels] = []
    for leaves in regions.leaves:
        others = [leaf for leaf in leaves if leaf.region not in credit]
        fields = {leaf.node: credit[leaf.region] / texts[leaf.region] for leaf in leaves if leaf.region in credit}
        varied = (leaf for leaf in others if inside[leaf.region] and leaf.link is None)
        around = {leaf.node: weight(leaf.text) for leaf in varied if pages_with[leaf.text] < often}
        outside = (leaf for leaf in others if not inside[leaf.region])
        frame = {leaf.node: weight(leaf.text) for leaf in outside if pages_with[leaf.text] >= often}
        parts = ((fields, True, FIELDS), (around, True, AROUND), (frame, False, FRAME))
        found.append(
            {
                node: (label, share / sum(part.values()) * total)
                for part, label, total in parts
                for node, share in part.items()
            }
        )
    return found


def field_regions(regions: Regions, gold: Sequence[Sequence[str]]) -> tuple[dict[int, int], Counter[int]]:
    """How many fields each region holds that holds some, and how many texts each has.

    A value that stands in several places is credited to the region most of whose texts are fields.
    """
    texts, hits = Counter[int](), Counter[int]()
    places: list[list[int]] = []
    for leaves, values in zip(regions.leaves, gold, strict=True):
        wanted = [as_run(value) for value in dict.fromkeys(values) if words(value)]
        holding: dict[str, list[int]] = defaultdict(list)
        for leaf in leaves:
            own = held(leaf, wanted)
            texts[leaf.region] += 1
            hits[leaf.region] += bool(own)
            for value in own:
                holding[value].append(leaf.region)
        places += holding.values()
    credit = Counter(max(where, key=lambda region: (hits[region] / texts[region], -region)) for where in places)
    enough = max(1.0, FIELD_PAGES * regions.count)
    return {region: count for region, count in credit.items() if count >= enough}, texts


def held(leaf: Leaf, values: Iterable[str]) -> list[str]:
    """The values that make up a good part of a text."""
    text = as_run(leaf.text)
    return [value for value in values if value in text and len(value) >= FIELD_SHARE * len(text)]


def record(regions: Regions, credit: Mapping[int, int]) -> bytearray:
    """Flags of the regions in the innermost one that holds most of the fields."""
    below = [credit.get(region, 0) for region in range(len(regions.label))]
    for region in range(len(below) - 1, 0, -1):
        below[regions.parent[region]] += below[region]
    top = 0
    for region in range(1, len(below)):
        if regions.parent[region] == top and below[region] >= RECORD * below[0]:
            top = region
    inside = bytearray(len(below))
    for region, parent in enumerate(regions.parent):
        inside[region] = region == top or (parent >= 0 and inside[parent])
    return inside
