"""Labels: which texts of a site's pages name the values beside or below them."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from dehusk.base import fields
from dehusk.tables.lines import Read

MOST_WORDS, LONGEST = 6, 50
"""A label has at most so many words and characters."""

LABELS = 0.5
"""A place has labels if a text there is on this share of the pages that have the place, in the mean."""

COMMON = 0.3
"""A label without a colon is on this share of the pages that have its place."""

_SPLIT = re.compile(r"([^:：]{1,50})[:：](?!//|(?<=\d:)\d)\s*(.*)", re.DOTALL)
"""A label, a colon and a value; not a URL or a time."""
_SECOND = re.compile(r"[^\W\d_]: ")
"""Another label: "City: 16 Highway: 23" is one value."""
_LETTER = re.compile(r"[^\W\d_]")
_NAMING = frozenset({"th", "dt", "label"})
_MARKS = r"[\s,;|/&·•»>()\[\]\-–—+*…:.]*"
_SEPARATOR = re.compile(rf"{_MARKS}(?:(?:and|or|und|oder|et|ou|y|e|o){_MARKS})?", re.IGNORECASE)
_LONGEST_SEPARATOR = 10


def label_text(text: str) -> str:
    """Returns a label as people read it: without the colon behind it."""
    return text.rstrip(" :：")


def folded(text: str) -> str:
    """Returns a label for comparison."""
    return label_text(text).casefold()


def may_be_label(text: str) -> bool:
    """Whether a text is short enough for a label, and has a letter."""
    return len(text) <= LONGEST and text.count(" ") < MOST_WORDS and _LETTER.search(text) is not None


def is_separator(text: str) -> bool:
    """Whether a text stands between the values of a list: marks, or a word such as "and"."""
    return len(text) <= _LONGEST_SEPARATOR and _SEPARATOR.fullmatch(text) is not None


def split(text: str) -> tuple[str, str] | None:
    """Returns label and value of a text such as "Price: 9"; None if it has no such form."""
    parts = _SPLIT.match(text)
    if not parts or not may_be_label(parts[1]) or _SECOND.search(parts[2], 0, LONGEST):
        return None
    return parts[1].strip(), parts[2]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The labels of a family's pages, folded."""

    strong: frozenset[str]
    """Texts that end with a colon, or are in elements for labels."""
    weak: frozenset[tuple[str, str]]
    """Texts with the place where they are labels."""
    heads: frozenset[str]
    """What stands before the colon in texts such as "Price: 9"."""

    def to_json(self) -> dict[str, Any]:
        """Returns readable JSON."""
        places: dict[str, list[str]] = defaultdict(list)
        for place, text in sorted(self.weak):
            places[place].append(text)
        return {"anywhere": sorted(self.strong), "before_colon": sorted(self.heads), "at": places}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the output of `to_json`."""
        places = fields.table(data, "at")
        weak = frozenset((place, text) for place in places for text in fields.texts(places, place))
        return cls(frozenset(fields.texts(data, "anywhere")), weak, frozenset(fields.texts(data, "before_colon")))


class _Counts:
    """On how many pages texts are, at which places, and in which form."""

    def __init__(self) -> None:
        self.at: Counter[tuple[str, str]] = Counter()
        self.places: Counter[str] = Counter()
        self.heads: Counter[str] = Counter()
        self.marked: Counter[str] = Counter()
        """Texts with a colon, or in elements for labels."""

    def add(self, page: Read) -> None:
        """Counts the texts of a page."""
        at: set[tuple[str, str]] = set()
        heads: set[str] = set()
        marked: set[str] = set()
        for line in page.lines:
            naming = page.tree.tag[line.block] in _NAMING
            for node in line.pieces:
                text = page.tree.text[node]
                parts = split(text)
                if parts and parts[1]:
                    heads.add(parts[0].casefold())
                if not may_be_label(text):
                    at.add((page.path(node), text[: 4 * LONGEST]))
                    continue
                name = folded(text)
                at.add((page.path(node), name))
                if parts or naming or page.within(node, _NAMING, line.block):
                    marked.add(name)
        self.at.update(at)
        self.places.update({place for place, _ in at})
        self.heads.update(heads)
        self.marked.update(marked)


def learn(pages: Sequence[Read], *, marked: bool = False) -> Vocabulary:
    """Learns the labels of a family from some of its pages: texts that several pages have.

    With `marked`, only those with a colon, or in elements for labels.
    """
    counts = _Counts()
    for page in pages:
        counts.add(page)
    naming = frozenset() if marked else _naming_places(counts)
    weak = (
        (place, text)
        for (place, text), count in counts.at.items()
        if count > 1 and place in naming and count >= COMMON * counts.places[place] and may_be_label(text)
    )
    strong, heads = (
        frozenset(text for text, count in counted.items() if count > 1) for counted in (counts.marked, counts.heads)
    )
    return Vocabulary(strong, frozenset(weak), heads)


def _naming_places(counts: _Counts) -> frozenset[str]:
    """Returns the places of labels: a text there is on most pages that have the place."""
    every: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    for (place, _), count in counts.at.items():
        every[place] += count
        shared[place] += count * count if count > 1 else 0
    return frozenset(place for place, count in every.items() if shared[place] >= LABELS * count * counts.places[place])
