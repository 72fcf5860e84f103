"""Labels of a page's texts from gold: a CSS selector, the content's text, or field values."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dehusk.evaluation.datasets import Site, content_selector, inside
from dehusk.evaluation.measures import as_run, words
from dehusk.evaluation.scoring import is_scorable
from dehusk.methods.evidence.regions import Leaf, Regions
from dehusk.page import Page
from dehusk.tree import Tree

WORDS = 60
"""A text weighs as many words as it has, up to this: one long text must not outweigh a page."""

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
        labels = by_fields([page.tree for page in pages], [list(site.gold[file]) for file in files])
    elif site.kind == "docs":
        selector = content_selector(site.pages.parent)
        labels = [by_selector(page, selector) for page in pages]
    else:
        golds = [str(site.gold[file]) for file in files]
        labels = [by_text(page, gold) if is_scorable(gold) else {} for page, gold in zip(pages, golds, strict=True)]
    return list(zip(pages, labels, strict=True))


def weight(text: str) -> float:
    """What a text weighs among those of its page."""
    return min(len(text.split()), WORDS) + 1.0


def by_selector(page: Page, selector: str) -> Labels:
    """Texts inside what a selector picks are content."""
    tree, content = page.tree, inside(page, selector)
    return weighed(tree, {node: bool(content[node]) for node, text in enumerate(tree.text) if text})


def by_text(page: Page, gold: str) -> Labels:
    """Texts most of whose shingles are in the gold are content, and the few words between two of them."""
    run = words(gold)
    shingles = {tuple(run[k : k + size]) for size in (3, 4) for k in range(len(run))}
    lines = {tuple(words(line)) for line in gold.split("\n")}
    texts = [(node, words(text)) for node, text in enumerate(page.tree.text) if text]
    found = [in_gold(text, shingles, lines) for _, text in texts]
    content = {}
    for k, (node, text) in enumerate(texts):
        near = [found[j] for j in (k - 1, k + 1) if 0 <= j < len(texts) and len(texts[j][1]) > 2]
        content[node] = found[k] or (len(text) < 3 and bool(near) and all(near))
    return weighed(page.tree, content)


def in_gold(text: Sequence[str], shingles: set[tuple[str, ...]], lines: set[tuple[str, ...]]) -> bool:
    """Whether a text is gold: by its shingles, or, too short for one, as a line of its own."""
    if len(text) < 3:
        return tuple(text) in lines
    size = min(4, len(text))
    own = [tuple(text[k : k + size]) for k in range(len(text) - size + 1)]
    return 2 * sum(shingle in shingles for shingle in own) > len(own)


def weighed(tree: Tree, content: Mapping[int, bool]) -> Labels:
    """Labels that weigh one page together."""
    whole = sum(weight(tree.text[node]) for node in content)
    return {node: (label, weight(tree.text[node]) / whole) for node, label in content.items()}


def by_fields(trees: Sequence[Tree], gold: Sequence[Sequence[str]]) -> list[Labels]:
    """Regions of labelled fields are content, and lightly what else varies in the record; what repeats outside is not.

    Nothing is said of the rest: of labels inside the record, and of teasers.
    """
    regions = Regions(trees)
    credit, texts = field_regions(regions, gold)
    inside = record(regions, credit)
    pages_with = Counter(text for leaves in regions.leaves for text in {leaf.text for leaf in leaves})
    often = MOST_PAGES * len(trees)
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
