"""The pages of a site aligned into one tree of regions, and the sums from which features are computed.

A region is a path of labels from the root: all nodes with that path, on any page, are its places. A label is the tag
with the id, class and role tokens that recur on the site. Digits are folded, so that `post-1234` and `post-1235` are
places of the same region.

The loops over nodes and texts are compiled; this module puts their arrays together.
"""

import re
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple, Self

from dehusk.base.shared import Shared
from dehusk.base.tags import BLOCKS, CODE, HEADINGS, INLINE, PREFORMATTED
from dehusk.base.tree import Tree
from dehusk.kernels import places, recurring, scanning
from dehusk.kernels.columns import depths, picked, rows_with_below, split
from dehusk.kernels.recurring import PLAIN, weighed
from dehusk.kernels.walking import Name, names
from dehusk.methods.evidence._hints import bits, hints_of
from dehusk.page import Page

TOKEN_PAGES = 0.2
"""A token is used in labels if this share of the pages, at least two, has it: rarer ones name single things."""

ROOT = "body"
"""The label of every page's root."""

LONG_TEXT = 80
"""From this many letters on, a text is prose rather than a label or a title: about a line and a half."""

MOST_OWN_TEXT = 0.6
"""The innermost region with this share of the pages' own text is the content area."""

_COMMENTS = bits("comments")
FRAME_HINTS = bits("navigation", "frame", "comments", "promotion", "consent")
"""The kinds of names that speak against content, as bits."""

_WITH_CODE = CODE | PREFORMATTED
_IN_CODE, _IN_LINE, _BLOCK = 1, 2, 4  # kinds of elements, as bits

HOLDS: Mapping[str, tuple[str, ...]] = {
    "heading": tuple(sorted(HEADINGS)),
    "image": ("img", "picture", "video"),
    "link": ("a",),
    "control": ("button", "input", "form", "label"),
    "list": ("li", "dt", "tr"),
}
"""What a place of a region may hold, and the elements that show it."""

_HELD_BITS = {tag: 1 << number for number, tags in enumerate(HOLDS.values()) for tag in tags}
_DATED, _LONG = 1 << len(HOLDS), 2 << len(HOLDS)
HELD = (*HOLDS, "date", "long", "size", "square")
"""Columns for the places of a region: how many hold each thing, the sum of their letters, and of the squares."""

_HEADINGS = {**dict.fromkeys(sorted(HEADINGS), 1.2), "h1": 1.5}
_MOST_HEADING = max(_HEADINGS.values())
_BARS = re.compile(r"\s[|\-–—:»·]\s|[|»_]")
WORDS = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
_TITLE_WORDS = 6  # a text with this many words of the title counts as the whole title


class _Traits(NamedTuple):
    """What a label says: its tag, the kinds of its names, the kinds of its element, and what it shows, as bits."""

    tag: str
    hints: int
    kinds: int
    shows: int


@lru_cache(1 << 16)
def _traits(label: str) -> _Traits:
    """Returns what a label says. Cached, because sites share many names."""
    tag, _, names = label.partition(" ")
    kinds = _IN_CODE * (tag in _WITH_CODE) | _IN_LINE * (tag in INLINE) | _BLOCK * (tag in BLOCKS)
    return _Traits(tag, hints_of(names), kinds, _HELD_BITS.get(tag, 0))


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the texts of each region: a column for each sum, in letters unless the comment says otherwise."""

    texts: "array[float]"  # how many texts
    size: "array[float]"  # how much text
    link: "array[float]"  # in links
    same_page: "array[float]"  # in links to a place on the same page
    link_again: "array[float]"  # in links whose target other pages link to as well
    long: "array[float]"  # in texts of a line or more
    again: "array[float]"  # in texts that another page has too
    spread: "array[float]"  # size times the share of the other pages that have the text, anywhere
    slot_spread: "array[float]"  # size times the share of the other pages that have the text in this region
    own: "array[float]"  # in texts that are in no link and on no other page
    own_long: "array[float]"  # in texts that are own and long
    share: "array[float]"  # shares of each page's text, summed
    own_share: "array[float]"  # shares of each page's own text, summed
    place: "array[float]"  # size times where on the page, from 0 to 1
    title: "array[float]"  # size times the share of words that are in the page's titles
    after_title: "array[float]"  # size times how far after the title it is, as a share of the page
    letters_after: "array[float]"  # size times the logarithm of the letters since the title; negative before it
    short: "array[float]"  # texts of three words or fewer
    stops: "array[float]"  # punctuation marks
    words: "array[float]"  # words
    word_letters: "array[float]"  # letters in words
    ends: "array[float]"  # in texts that end like a sentence
    sentences: "array[float]"  # sentences
    commas: "array[float]"  # commas
    capitals: "array[float]"  # words that begin with a capital
    upper: "array[float]"  # words in capitals
    digits: "array[float]"  # digits
    dates: "array[float]"  # dates, years and times of day
    separators: "array[float]"  # bars, bullets, arrows
    money: "array[float]"  # amounts of money
    colons: "array[float]"  # texts that end with a colon
    questions: "array[float]"  # question marks
    exclamations: "array[float]"  # exclamation marks
    quotes: "array[float]"  # quotation marks


SUMS = tuple(column.name for column in fields(Sums))


def label_of(name: Name, known: frozenset[str] | None) -> str:
    """Returns the label of a tag, id, class and role. `known` are the tokens to use, None for all."""
    label = recurring.label(*name)
    return label if known is None else recurring.of_known(label, known)


def labels_of(names: Iterable[Name], pages: Sequence["array[int]"]) -> list[str]:
    """Returns the label of each name. `pages` has for each page the numbers of its names, -1 for none."""
    every = [recurring.label(*name) for name in names]
    known = known_tokens(every, pages)
    return every if known is None else [recurring.of_known(label, known) for label in every]


def known_tokens(labels: Sequence[str], pages: Sequence["array[int]"]) -> frozenset[str] | None:
    """Returns the tokens that recur on the site, or None, which means all, for a single page."""
    if len(pages) < 2:
        return None
    tokens = [label.split(" ")[1:] for label in labels]
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({token for number in set(page) - {-1} for token in tokens[number]})
    enough = max(2.0, TOKEN_PAGES * len(pages))
    return frozenset(token for token, count in seen.items() if count >= enough)


class Leaf(NamedTuple):
    """A text of a page, its node, the region it is directly in, and the target of the link around it."""

    node: int
    region: int
    text: str
    link: str | None


class _Texts(NamedTuple):
    """The texts of a page, with node, region and target of the link around each."""

    nodes: "array[int]"
    regions: "array[int]"
    texts: list[str]
    links: list[str | None]


class Regions(Shared):
    """The tree of regions of some pages. Region 0 is the body; parents come before their children."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.count = len(pages)
        trees = [page.tree for page in pages]
        index: dict[Name, int] = {}
        named = [names(page.nodes, tree.tag, index) for page, tree in zip(pages, trees, strict=True)]
        # The body's id and classes are ignored: they differ between pages of a template, and so would all paths.
        numbers = {ROOT: 0}
        of_name = array("i", [numbers.setdefault(label, len(numbers)) for label in labels_of(index, named)])
        self._labelled, self.parent = array("i"), array("i")  # the label and the parent of each region
        known: dict[int, int] = {}
        placed = [
            places.placed(tree.parent, names_of_page, of_name, known, self.parent, self._labelled)
            for tree, names_of_page in zip(trees, named, strict=True)
        ]
        self.at = [at for at, _ in placed]  # the region of each node, page by page
        self._labels = list(numbers)
        shows = self._say(list(map(_traits, self._labels)))
        self.depth = depths(self.parent)
        self.places, self.pages, self.squares = (array("d", bytes(8 * len(self.parent))) for _ in range(3))
        for at, names_of_page in zip(self.at, named, strict=True):
            places.counted(at, names_of_page, self.places, self.pages, self.squares)
        self.presentation = self._presentation(named, [styles for _, styles in placed])
        self._texts = [
            _Texts(*places.texts(tree.parent, at, tree.tag, tree.text, tree.link))
            for tree, at in zip(trees, self.at, strict=True)
        ]
        self._measure(pages, trees, named, shows)

    def _say(self, traits: Sequence[_Traits]) -> "array[int]":
        """Computes what the labels of the regions say; returns what each region shows, as bits."""
        labelled, tags = self._labelled, dict[str, int]()
        numbers = array("i", [tags.setdefault(said.tag, len(tags)) for said in traits])
        self.tag_names, self.tag_numbers = list(tags), picked(numbers, labelled)
        """The distinct tags, and the number of each region's tag."""
        hints, kinds, shows = (picked(array("i", column), labelled) for column in list(zip(*traits, strict=True))[1:])
        self.blocks = places.with_bit(kinds, _BLOCK)
        """Flags the regions that are block elements."""
        self.hints = places.hinted(self.parent, hints, kinds, _IN_CODE, _IN_LINE, _COMMENTS)
        """The kinds of names that count: none inside code, where names are for colours; no comments inline."""
        return shows

    @cached_property
    def label(self) -> list[str]:
        """The label of each region."""
        return list(map(self._labels.__getitem__, self._labelled))

    @cached_property
    def tag(self) -> list[str]:
        """The tag of each region."""
        return list(map(self.tag_names.__getitem__, self.tag_numbers))

    @property
    def leaves(self) -> list[list[Leaf]]:
        """The texts of each page."""
        return [list(map(Leaf, texts.nodes, texts.regions, texts.texts, texts.links)) for texts in self._texts]

    def texts_in(self, chosen: Container[int]) -> Iterator[set[str]]:
        """Yields the texts of each page that are directly in these regions."""
        for page in self._texts:
            yield {text for text, region in zip(page.texts, page.regions, strict=True) if region in chosen}

    def forget(self) -> None:
        """Frees the texts. Features and verdicts need only the sums and the tree."""
        self._texts, self.at = [], []

    def _presentation(self, named: Sequence["array[int]"], styles: Sequence["array[int]"]) -> "array[float]":
        """Returns the presentation entropy: how much the sequence of a block's children varies, from 0 to 1."""
        seen: dict[int, int] = {}
        for at, names_of_page, of_page in zip(self.at, named, styles, strict=True):
            places.styled(at, names_of_page, of_page, self.blocks, self.places, seen)
        return places.entropies(seen, len(self.parent))[0]

    def _measure(
        self, pages: Sequence[Page], trees: Sequence[Tree], named: Sequence["array[int]"], shows: "array[int]"
    ) -> None:
        """Computes the sums of each region, what its places hold, and the entropy of its texts."""
        seen = _Seen(self._texts)
        titles = [_Titles.of(page) for page in pages]
        numbers = [scanning.texts(texts.texts, own.words) for texts, own in zip(self._texts, titles, strict=True)]
        matches = [
            own.best_match(tree, texts, scan)
            for own, tree, texts, scan in zip(titles, trees, self._texts, numbers, strict=True)
        ]
        self.titles = dict[int, float]()  # how well the regions of the pages' titles match them
        for texts, (title, score) in zip(self._texts, matches, strict=True):
            if title >= 0:
                region = texts.regions[title]
                self.titles[region] = self.titles.get(region, 0.0) + score
        self.in_comments = self._in_comments()
        apart = self._comments_apart(seen, numbers)
        table = array("d", bytes(8 * len(SUMS) * len(self.parent)))
        held = array("d", bytes(8 * len(HELD) * len(self.parent)))
        for number, (tree, texts, scan) in enumerate(zip(trees, self._texts, numbers, strict=True)):
            flags = bytearray(map(apart.__getitem__, texts.regions))
            again = seen.link[number], seen.elsewhere[number], seen.in_slot[number]
            rows = weighed(scan, *again, flags, matches[number][0], LONG_TEXT)
            places.added(rows, len(SUMS), texts.regions, table)
            at, called = self.at[number], named[number]
            marks = recurring.marks(scan, LONG_TEXT, _LONG, _DATED)
            shown = places.held(tree.parent, at, called, shows, texts.nodes, marks, scan[:: scanning.WIDTH])
            places.tally(at, called, *shown, held, len(HELD))
        self.direct = Sums(*split(table, len(SUMS)))
        self.below = Sums(*split(rows_with_below(table, len(SUMS), self.parent), len(SUMS)))
        """The sums of each region and its descendants."""
        self.held = {name: held[k :: len(HELD)] for k, name in enumerate(HELD)}
        self.variety, self.distinct = places.entropies(seen.in_regions, len(self.parent))
        """Content entropy: how much the texts directly in a region vary, from 0 (all alike) to 1 (no two alike)."""
        self.tags = [Counter(tree.tag) for tree in trees]

    @property
    def title(self) -> int:
        """The region where most pages have their title; -1 if there is none."""
        return max(sorted(self.titles), key=self.titles.__getitem__, default=-1)

    def around(self, *inside: int) -> set[int]:
        """Returns these regions (-1 for none) and all regions around them."""
        found = {-1}
        for region in inside:
            above = region
            while above not in found and above < len(self.parent):  # pages without a body have no region 0
                found.add(above)
                above = self.parent[above]
        return found - {-1}

    def _in_comments(self) -> bytearray:
        """Flags of the regions that are, or are in, what is called comments of readers; not around the page's title."""
        around = bytearray(len(self.parent))
        for region in self.around(0, self.title) if self.parent else ():
            around[region] = 1
        return places.inside(self.parent, self.hints, _COMMENTS, around)

    def _comments_apart(self, seen: "_Seen", numbers: Sequence["array[float]"]) -> bytearray:
        """Flags the regions whose texts do not count as the page's own because they are comments.

        Comments can be most of a page's own text, and would look like its content. If pages have no long text of their
        own outside comments, none are flagged: the name is probably wrong.
        """
        inside = self.in_comments
        if not any(inside):
            return inside
        with_own_text = 0
        for number, (texts, scan) in enumerate(zip(self._texts, numbers, strict=True)):
            link, elsewhere = seen.link[number], seen.elsewhere[number]
            with_own_text += any(
                not inside[region] and scan[k * scanning.WIDTH] >= LONG_TEXT and link[k] == PLAIN and not elsewhere[k]
                for k, region in enumerate(texts.regions)
            )
        return inside if 2 * with_own_text >= self.count else bytearray(len(self.parent))


class _Seen:
    """How many other pages have each text and link target: lists with an entry for each page."""

    def __init__(self, pages: Sequence[_Texts]) -> None:
        texts: dict[str, int] = {}
        slots: dict[int, int] = {}
        keys = [recurring.numbered(page.texts, texts) for page in pages]
        placed = [recurring.paired(page.regions, of_page, slots) for page, of_page in zip(pages, keys, strict=True)]
        self.elsewhere = recurring.elsewhere(keys, len(texts))
        """The share of the other pages that have each text."""
        self.in_slot = recurring.elsewhere(placed, len(slots))
        """The share of the other pages that have each text in the same region."""
        self.in_regions = dict(zip(slots, recurring.tallied(placed, len(slots)), strict=True))
        """How often each region has each text."""
        targets = Counter(chain.from_iterable(set(page.links) for page in pages)) if len(pages) > 1 else Counter()
        linked = {link: count for link, count in targets.items() if link}
        self.link = [recurring.standing(page.links, linked) for page in pages]
        """Whether each text is in a link, and in which kind."""


class _Titles(NamedTuple):
    """The words of a page's titles, and the titles and their parts as sequences of words."""

    words: frozenset[str]
    parts: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, page: Page) -> Self:
        """Returns the titles of a page."""
        parts = {tuple(WORDS.findall(part.lower())) for title in page.titles for part in (title, *_BARS.split(title))}
        return cls(frozenset(word for part in parts for word in part), frozenset(parts))

    def best_match(self, tree: Tree, texts: _Texts, scan: "array[float]") -> tuple[int, float]:
        """Returns the text that matches the titles best, and how well; -1 if none matches."""
        most = max(1, min(len(self.words), _TITLE_WORDS))
        best, where = 0.0, -1
        for k, share in enumerate(scan[17 :: scanning.WIDTH]):
            if share:
                words = scan[k * scanning.WIDTH + 2]
                same = share == 1 and tuple(WORDS.findall(texts.texts[k].lower())) in self.parts
                match = same + share * min(1.0, words / most)
                if match * _MOST_HEADING > best + 1e-9:  # for most texts, ancestors need not be checked
                    score = match * _heading(tree, texts.nodes[k], words)
                    if score > best + 1e-9:
                        best, where = score, k
        return where, best


def _heading(tree: Tree, node: int, words: float) -> float:
    """Returns a factor for a text as a title, from the heading that it is in."""
    for above in tree.ancestors(node):
        if tree.tag[above] in _HEADINGS:
            return _HEADINGS[tree.tag[above]]
    return 1.0 if words > 3 else 0.6
