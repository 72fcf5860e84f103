"""Text chunks: a run of text between two delimiting tags is template if many pages have it.

L. Ma, N. Goharian, A. Chowdhury, M. Chung: Extracting Unstructured Data from Template Generated Web Documents. CIKM
2003.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from dehusk.base import fields
from dehusk.base.options import Option, Values, whole
from dehusk.base.tags import PICTURES
from dehusk.base.tree import Tree, covered
from dehusk.methods._imatch import originals
from dehusk.methods.rules import Learned, Marks
from dehusk.page import Page

TABLES = frozenset({"table", "map"})
"""The paper's delimiters, "table tag or image map tag": pages of 2003 were laid out with them."""

BLOCKS = TABLES | frozenset(
    {"article", "aside", "center", "details", "dialog", "div", "dl", "fieldset", "figure", "footer", "form", "header"}
    | {"main", "menu", "nav", "ol", "search", "section", "ul"}
)
"""Elements that lay out pages today: boxes, and lists as a whole.

Paragraphs, items and cells are left out, as the paper leaves out rows and cells: such a small unit is often a single
word, which recurs in content too. With all block elements instead: F1 0.898 (now 0.924) on documentation, 0.817 (0.803)
and 0.799 (0.796) on news; 0.958 (0.988) of the fields of products are kept.
"""

DELIMITERS = {"blocks": BLOCKS, "tables": TABLES}
"""Named sets of delimiters."""


def _checked(delimiters: str | Collection[str]) -> str | Collection[str]:
    if delimiters not in DELIMITERS if isinstance(delimiters, str) else not all(isinstance(t, str) for t in delimiters):
        raise ValueError(delimiters)
    return delimiters


_TAGS = Values(
    f"{', '.join(DELIMITERS)}, or tags joined with +, such as div+ul",
    lambda typed: frozenset(filter(None, typed.split("+"))) if "+" in typed else typed,
    _checked,
)

THRESHOLD = Fraction(4, 13)
"""A chunk on more than this share of the pages is template. 4 of 13 pages is the only value in the paper."""

SINGLE = 1
"""The lowest threshold: a chunk on a single page is never template."""


class Chunk(NamedTuple):
    """Consecutive text without a delimiter in between: that of the nodes from `first` up to, not including, `end`."""

    first: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks that are template, with their document frequency. Duplicate pages are not counted."""

    pages: int
    threshold: int
    delimiters: frozenset[str]
    frequency: Mapping[str, int]

    def mark(self, page: Page) -> Marks:
        """Second pass: marks the chunks of a page that are template."""
        tree = page.tree
        flags = bytearray(len(tree))
        support: dict[int, int] = {}
        for chunk in chunks(tree, self.delimiters):
            if pages := self.frequency.get(chunk.text):
                for node in range(chunk.first, chunk.end):
                    if tree.text[node] or tree.tag[node] in PICTURES:
                        flags[node] = 1
                        support[node] = pages
        return Marks(covered(tree, flags), lambda node: self._reason(tree, node, support))

    def _reason(self, tree: Tree, node: int, support: Mapping[int, int]) -> str:
        supports = [support[below] for below in range(node, node + tree.size[node]) if below in support]
        if not supports:
            return "holds neither text nor picture"
        return f"its text is on {min(supports)} of {self.pages} sampled pages, more than {self.threshold}"

    def to_json(self) -> dict[str, Any]:
        """The chunks as readable text, the most frequent first."""
        return {
            "pages": self.pages,
            "threshold": self.threshold,
            "delimiters": sorted(self.delimiters),
            "chunks": dict(sorted(self.frequency.items(), key=lambda chunk: (-chunk[1], chunk[0]))),
        }


def load(data: dict[str, Any]) -> Chunks:
    """Reads the output of `to_json`."""
    chunks = fields.table(data, "chunks")
    frequency = {text: fields.number(chunks, text) for text in chunks}
    pages, threshold = fields.number(data, "pages"), fields.number(data, "threshold")
    return Chunks(pages, threshold, frozenset(fields.texts(data, "delimiters")), frequency)


def learn(
    pages: Sequence[Page],
    *,
    delimiters: Annotated[
        str | Collection[str], Option("the tags that end a chunk of text", _TAGS, paper="tables")
    ] = "blocks",
    threshold: Annotated[
        int | None,
        Option("the pages that a chunk must exceed", whole(0), unset="4 of 13 of the pages", paper="4 of 13"),
    ] = None,
) -> Learned:
    """First pass (section 3): counts document frequencies of chunks, without duplicate pages.

    `delimiters` are tags, or a name in DELIMITERS. `threshold` is a number of pages; the default is a share of them.
    """
    tags = _tags(delimiters)
    counted = originals(pages)
    limit = int(THRESHOLD * len(counted)) if threshold is None else threshold
    limit = max(SINGLE, limit)
    frequency = Counter(text for page in counted for text in {chunk.text for chunk in chunks(page.tree, tags)})
    template = {text: df for text, df in frequency.items() if df > limit}
    return Learned(Chunks(len(counted), limit, tags, template))


def chunks(tree: Tree, delimiters: AbstractSet[str]) -> Iterator[Chunk]:
    """Yields the text chunks of a page in order: every start and end tag of a delimiter ends a chunk."""
    splits = bytearray(len(tree) + 1)
    splits[-1] = 1
    for node, tag in enumerate(tree.tag):
        if tag in delimiters:
            splits[node] = splits[node + tree.size[node]] = 1
    first = 0
    while first < len(tree):
        end = splits.index(1, first + 1)
        if text := " ".join(filter(None, tree.text[first:end])):
            yield Chunk(first, end, text)
        first = end


class Discovery(NamedTuple):
    """How much of the template was found (section 4.4)."""

    ttdr: float
    recall: float


def discovery(discovered: AbstractSet[Chunk], actual: AbstractSet[Chunk]) -> Discovery:
    """Returns the template table discovery ratio of a page (discovered over actual chunks) and the recall.

    The ratio compares numbers only, so a missed chunk and a wrong one cancel out; in recall they do not.
    """
    if not actual:
        return Discovery(float("inf") if discovered else 1.0, 1.0)
    return Discovery(len(discovered) / len(actual), len(discovered & actual) / len(actual))


def _tags(delimiters: str | Collection[str]) -> frozenset[str]:
    return DELIMITERS[delimiters] if isinstance(delimiters, str) else frozenset(delimiters)
