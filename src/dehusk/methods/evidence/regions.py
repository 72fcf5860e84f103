"""The pages of a site aligned into one tree of regions, and the figures of each region that verdicts rest on.

A region is a top-down path of labels: all nodes with that path, on whichever page and however often, are its places. A
label is the tag with those id, class and role tokens that recur on the site, digits folded: `post-1234` is on one page
alone, and must not keep apart what is one place of the site.
"""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Self

from dehusk.kernels.columns import with_below
from dehusk.methods._labels import tokens
from dehusk.methods._measures import entropy
from dehusk.tree import TEXT, Tree

TOKEN_PAGES = 0.2
"""A token belongs to the site if this share of its pages has it, and two at least: fewer are names of single things."""

ROOT = "body"
"""The label of every page's root."""

LONG_TEXT = 80
"""From this size on a text is prose rather than a label or a title: about a line and a half of type."""

MOST = 0.6
"""The innermost region with this share of the pages' own text is where the site's content lies."""

# Chinese, Japanese and Korean say in one character what takes others about three.
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WIDE_EXTRA = 2
_STOPS = re.compile("[.,;:?!。、，；：？！،؛؟।]")

BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)

# The vocabulary of HTML and ARIA, and words every author names things by; no generator's and no theme's.
HINTS: Mapping[str, re.Pattern[str]] = {
    "navigation": re.compile(r"nav|menu|crumb|pager|paginat|toolbar|tabs|\btoc\b|contents|@directory"),
    "frame": re.compile(r"footer|\bfoot|header\b|masthead|sidebar|side\b|banner|@contentinfo|@complementary|copyright"),
    "comments": re.compile(r"comment|repl(?:y|ies)\b|respon[ds]|discuss"),
    "promotion": re.compile(
        r"relat|promo|\bads?\b|advert|sponsor|share|sharing|social|recommend|popular|recent|latest|newsletter|subscri|"
        r"widget|teaser|similar|also|more\b|login|search|signup"
    ),
    "about": re.compile(r"meta|byline|author|date|time|tag|categor|info|credit|caption"),
    "content": re.compile(r"content|article|body|main|story|post\b|entry|text|@main"),
    "record": re.compile(
        r"product|item|detail|spec|price|descr|title|name|summary|fact|attribute|propert|rating|review"
    ),
}


@dataclass(frozen=True, slots=True)
class Sums:
    """What the texts of each region add up to: a column for each sum, in letters where nothing else is said."""

    texts: "array[float]"  # how many texts
    size: "array[float]"  # how much text
    link: "array[float]"  # in links
    same_page: "array[float]"  # in links to a place on the same page
    link_again: "array[float]"  # in links whose target other pages link to as well
    stops: "array[float]"  # punctuation marks
    long: "array[float]"  # in texts of a line or more
    again: "array[float]"  # in texts that another page has too
    spread: "array[float]"  # size times the share of the other pages that have the text, anywhere
    slot_spread: "array[float]"  # the same, in the same region
    own: "array[float]"  # in texts that are in no link and on no other page
    own_long: "array[float]"  # that, and a line or more
    share: "array[float]"  # shares of each page's text, summed
    own_share: "array[float]"  # shares of each page's own text, summed
    place: "array[float]"  # size times where on the page, from 0 to 1

    @classmethod
    def zero(cls, regions: int) -> Self:
        """Nothing yet."""
        return cls(*(array("d", bytes(8 * regions)) for _ in fields(cls)))

    def with_below(self, parent: "array[int]") -> "Sums":
        """The sums of each region and of all regions below it."""
        return Sums(*(with_below(getattr(self, one.name), parent) for one in fields(self)))


class Labels:
    """Labels of nodes, given the tokens that count; None lets all of them count, where there is no site."""

    def __init__(self, known: frozenset[str] | None) -> None:
        self._known = known
        self._labels: dict[tuple[str, str | None, str | None, str | None], str] = {}

    def of(self, tree: Tree) -> list[str]:
        """One label a node; that of a text is empty."""
        return ["" if tag == TEXT else self.label(tree, node) for node, tag in enumerate(tree.tag)]

    def label(self, tree: Tree, node: int) -> str:
        """The label of an element."""
        if not node:
            # What a page's body is called differs between pages of one template, and would keep all below it apart.
            return ROOT
        get = tree.attributes[node].get
        key = (tree.tag[node], get("id"), get("class"), get("role"))
        label = self._labels.get(key)
        if label is None:
            label = self._labels[key] = label_of(key, self._known)
        return label


def label_of(names: tuple[str, str | None, str | None, str | None], known: frozenset[str] | None) -> str:
    """A tag, id, class and role as a label, of the tokens that count."""
    found = tokens(*(name or "" for name in names[1:]))
    return " ".join([names[0], *(token for token in found if known is None or token in known)])


def known_tokens(trees: Sequence[Tree]) -> frozenset[str] | None:
    """The tokens that recur on the site; None, for all, where a single page shows no recurrence."""
    if len(trees) < 2:
        return None
    seen: Counter[str] = Counter()
    for tree in trees:
        keys = set()
        for tag, attributes in zip(tree.tag, tree.attributes, strict=True):
            if tag != TEXT and attributes:
                keys.add((attributes.get("id", ""), attributes.get("class", ""), attributes.get("role", "")))
        seen.update({token for key in keys for token in tokens(*key)})
    enough = max(2.0, TOKEN_PAGES * len(trees))
    return frozenset(token for token, pages in seen.items() if pages >= enough)


def size_of(text: str) -> int:
    """How much a text says, in letters of an alphabet."""
    return len(text) if text.isascii() else len(text) + _WIDE_EXTRA * len(_WIDE.findall(text))


class Leaf(NamedTuple):
    """A text of a page: its node, the region it is directly in, its size, and the target of the link around it."""

    node: int
    region: int
    text: str
    size: int
    link: str | None


class Regions:
    """The tree of regions of some pages. Region 0 is the body; a region comes after the one it is in."""

    def __init__(self, trees: Sequence[Tree], labels: Labels | None = None) -> None:
        self.count = len(trees)
        self.label: list[str] = []
        self.tag: list[str] = []
        self.parent = array("i")
        self.depth = array("d")
        self.pages = array("d")  # how many pages have it
        self.places = array("d")  # how often it stands on all of them
        self.squares = array("d")  # the squares of its places on each page, summed
        self.in_comments = bytearray()  # whether it is in what its author calls comments
        self.at: list[array[int]] = []  # the region of each node, page by page
        self.leaves: list[list[Leaf]] = []
        self._styles: list[Counter[int]] = []
        self._index: dict[tuple[int, str], int] = {}
        self.names = names = labels or Labels(known_tokens(trees))
        for tree in trees:
            self._add(tree, names.of(tree))
        self.values: dict[int, Counter[str]] = defaultdict(Counter)
        self.direct = self._measured()
        self.below = self.direct.with_below(self.parent)

    def _add(self, tree: Tree, labels: Sequence[str]) -> None:
        """Gives each node of a page its region."""
        at = array("i", bytes(4 * len(tree)))
        link: list[str | None] = [None] * len(tree)
        styles: list[int] = [0] * len(tree)
        leaves: list[Leaf] = []
        seen: Counter[int] = Counter()
        for node, tag in enumerate(tree.tag):
            parent = tree.parent[node]
            if tag == TEXT:
                at[node] = at[parent]
                text = tree.text[node]
                leaves.append(Leaf(node, at[node], text, size_of(text), link[parent]))
                continue
            above = at[parent] if parent >= 0 else -1
            key = (above, labels[node])
            region = self._index.get(key, -1)
            if region < 0:
                region = self._open(key, tag)
            at[node] = region
            self.places[region] += 1
            seen[region] += 1
            if parent >= 0:
                link[node] = tree.link[node] if tag == "a" else link[parent]
                # A style is the sequence of children; as a number that is the same in every process.
                styles[parent] = (styles[parent] * 1_000_003 + region + 1) & 0xFFFFFFFF
        for region, places in seen.items():
            self.pages[region] += 1
            self.squares[region] += places * places
        for node, tag in enumerate(tree.tag):
            if tag in BLOCKS:
                self._styles[at[node]][styles[node]] += 1
        self.at.append(at)
        self.leaves.append(leaves)

    def _open(self, key: tuple[int, str], tag: str) -> int:
        region = self._index[key] = len(self.label)
        parent, label = key
        # The root is the page itself: what it is called says nothing of its parts.
        named = parent >= 0 and HINTS["comments"].search(label[len(tag) :].lower()) is not None
        self.in_comments.append(named or (parent >= 0 and bool(self.in_comments[parent])))
        self.parent.append(parent)
        self.label.append(label)
        self.tag.append(tag)
        self.depth.append(self.depth[parent] + 1 if parent >= 0 else 0)
        self.pages.append(0)
        self.places.append(0)
        self.squares.append(0.0)
        self._styles.append(Counter())
        return region

    def _measured(self) -> Sums:
        """The sums of each region over the texts that are directly in it."""
        sums = Sums.zero(len(self.label))
        with_text: Counter[str] = Counter()
        with_value: Counter[tuple[int, str]] = Counter()
        with_target: Counter[str] = Counter()
        for leaves in self.leaves:
            with_text.update({leaf.text for leaf in leaves})
            with_value.update({(leaf.region, leaf.text) for leaf in leaves})
            with_target.update({leaf.link for leaf in leaves if leaf.link})
        others = max(1, self.count - 1)
        apart = self._comments_apart(with_text)
        for leaves in self.leaves:
            whole = sum(leaf.size for leaf in leaves) or 1
            own = sum(leaf.size for leaf in leaves if _own(leaf, with_text) and not apart[leaf.region]) or 1
            before = 0
            for _, region, text, size, link in leaves:
                elsewhere = with_text[text] - 1
                sums.texts[region] += 1
                sums.size[region] += size
                sums.stops[region] += len(_STOPS.findall(text))
                sums.share[region] += size / whole
                sums.place[region] += size * (before + size / 2) / whole
                sums.long[region] += size if size >= LONG_TEXT else 0
                if link is not None:
                    sums.link[region] += size
                    sums.same_page[region] += size if link.startswith("#") else 0
                    sums.link_again[region] += size if with_target[link] > 1 and not link.startswith("#") else 0
                if elsewhere:
                    sums.again[region] += size
                    sums.spread[region] += size * elsewhere / others
                    sums.slot_spread[region] += size * (with_value[region, text] - 1) / others
                elif link is None and not apart[region]:
                    sums.own[region] += size
                    sums.own_share[region] += size / own
                    sums.own_long[region] += size if size >= LONG_TEXT else 0
                before += size
                self.values[region][text] += 1
        return sums

    def _comments_apart(self, with_text: Mapping[str, int]) -> bytearray:
        """Flags of the regions whose texts are not the page's own because they are comments.

        Comments can be most of what a page alone has, and would pass for its content. Where pages have no long text of
        their own outside of them, the name is not believed.
        """
        found = 0
        for leaves in self.leaves:
            outside = (leaf for leaf in leaves if not self.in_comments[leaf.region])
            found += any(leaf.size >= LONG_TEXT and _own(leaf, with_text) for leaf in outside)
        return self.in_comments if 2 * found >= self.count else bytearray(len(self.label))

    def presentation(self, region: int) -> float:
        """Presentation entropy: how much the sequence of children varies from place to place, from 0 to 1."""
        return entropy(self._styles[region].values())

    def variety(self, region: int) -> float:
        """Content entropy: how much the texts directly in a region vary, from 0 (all alike) to 1 (no two alike)."""
        return entropy(self.values[region].values()) if region in self.values else 0.0


def _own(leaf: Leaf, with_text: Mapping[str, int]) -> bool:
    """Whether a text is in no link and on no other page."""
    return leaf.link is None and with_text[leaf.text] == 1
