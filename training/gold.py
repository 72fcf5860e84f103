"""Labels for the texts of a page, from gold: a CSS selector, the content's text, or field values."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from dehusk.base.tree import Tree
from dehusk.bench.evaluation.datasets import SELECTED, Site, content_selector, inside
from dehusk.bench.evaluation.measures import SHINGLE, as_run, is_scorable, words
from dehusk.methods.evidence.regions import Leaf, Regions
from dehusk.page import Page

WORDS = 60
"""The weight of a text is its number of words, up to this, so that a long text does not outweigh a page."""

LONG_RUN = 40
"""Runs of at least this many shingles have the same priority: none of them is a headline."""

HEADINGS = frozenset({"h1", "h2", "h3"})

FIELDS, AROUND, FRAME = 1.0, 0.3, 0.5
"""Total weights on a product page: of labelled fields, of other texts of the record, of repeated texts outside it."""

FIELD_SHARE = 0.25
"""A text contains a field if the field is at least this share of the text."""

FIELD_PAGES = 0.1
"""A region counts as one with fields if it contains fields on at least this share of the pages."""

RECORD = 0.8
"""The record is the innermost region with at least this share of the fields."""

MOST_PAGES = 0.5
"""Outside the record, a text on at least this share of the pages is template."""

FRAME_PAGES = 3
"""With fewer pages of a host, what repeats outside the record is unknown."""

Labels = dict[int, tuple[bool, float]]  # by text node: whether it is content, and its weight


def labelled(site: Site) -> list[tuple[Page, Labels]]:
    """The pages of a site with gold, each with the labels of its texts."""
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
    """The weight of a text within its page."""
    return min(len(words(text)), WORDS) + 1.0


def by_selector(page: Page, selector: str) -> Labels:
    """Labels texts as content if they are inside the selected elements."""
    tree, content = page.tree, inside(page, selector)
    return weighed(tree, {node: bool(content[node]) for node, text in enumerate(tree.text) if text})


def by_stream(tree: Tree, gold: str) -> Labels:
    """Labels texts as content if most of their words are in shingles of the gold. Texts without words get no label.

    The words of the page form one stream, so that a link of two words is judged with its paragraph. Each shingle of the
    gold matches only as often as it occurs in the gold, so that the headline in a teaser does not count as content.
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
    """The positions of the words that match the gold, using each shingle of the gold once.

    Matching runs are taken in order: the longest first, then headings, then those nearest to the longest one. A run is
    taken as a whole if at least half of its shingles are still unused in the gold.
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
    """All shingles; none if there are too few words."""
    return zip(*(run[k:] for k in range(SHINGLE)), strict=False)


def runs_of(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """The ranges (start, end) of consecutive set flags."""
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
    """Labels with weights that sum to 1."""
    whole = sum(weight(tree.text[node]) for node in content)
    return {node: (label, weight(tree.text[node]) / whole) for node, label in content.items()}


def by_fields(pages: Sequence[Page], gold: Sequence[Sequence[str]]) -> list[Labels]:
    """Labels regions with fields as content, and with less weight other varying texts of the record.

    Repeated texts outside the record are template. Others get no label: for example captions of fields, and teasers.
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
        found.append(shared_out(fields, around, frame))
    return found


def by_values(pages: Sequence[Page], gold: Sequence[Sequence[str]]) -> list[Labels]:
    """Labels the texts of the values as content, and with less weight the other texts of the record.

    For records of one to three pages a host. Values may be split over several texts. What is outside the record is
    unknown, except for texts that all pages share, if there are FRAME_PAGES.
    """
    pages_with = Counter(text for page in pages for text in set(page.tree.text))
    found: list[Labels] = []
    for page, values in zip(pages, gold, strict=True):
        regions = Regions([page])
        leaves = regions.leaves[0]
        matches = by_stream(page.tree, "\n".join(dict.fromkeys(values)))
        fields = {node: share for node, (label, share) in matches.items() if label}
        inside = record(regions, Counter(leaf.region for leaf in leaves if leaf.node in fields))
        others = [leaf for leaf in leaves if leaf.node not in fields]
        around = {leaf.node: weight(leaf.text) for leaf in others if inside[leaf.region] and leaf.link is None}
        shared = (leaf for leaf in others if not inside[leaf.region] and pages_with[leaf.text] == len(pages))
        frame = {leaf.node: weight(leaf.text) for leaf in shared} if len(pages) >= FRAME_PAGES else {}
        found.append(shared_out(fields, around, frame) if fields else {})
    return found


def shared_out(fields: Mapping[int, float], around: Mapping[int, float], frame: Mapping[int, float]) -> Labels:
    """The labels of a record, with the total weights of its parts."""
    parts = ((fields, True, FIELDS), (around, True, AROUND), (frame, False, FRAME))
    return {
        node: (label, share / sum(part.values()) * total)
        for part, label, total in parts
        for node, share in part.items()
    }


def field_regions(regions: Regions, gold: Sequence[Sequence[str]]) -> tuple[dict[int, int], Counter[int]]:
    """The number of fields of each region that has enough of them, and the number of texts of each region.

    A value that occurs in several regions is credited to the region with the highest share of fields.
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
    """The values that make up at least FIELD_SHARE of a text."""
    text = as_run(leaf.text)
    return [value for value in values if value in text and len(value) >= FIELD_SHARE * len(text)]


def record(regions: Regions, credit: Mapping[int, int]) -> bytearray:
    """Flags for the regions inside the record: the innermost region with most of the fields."""
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
