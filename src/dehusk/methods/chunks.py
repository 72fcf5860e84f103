"""Text chunks: the template is every run of text between two delimiting tags that many pages have.

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
"""The paper's delimiters, "table tag or image map tag": the layout of pages of its day."""

BLOCKS = TABLES | frozenset(
    {"article", "aside", "center", "details", "dialog", "div", "dl", "fieldset", "figure", "footer", "form", "header"}
    | {"main", "menu", "nav", "ol", "search", "section", "ul"}
)
"""What lays pages out today: boxes and lists as wholes.

Not their paragraphs, items and cells, for the reason that the paper gives against rows and cells: so small a unit is
often a single word, which recurs in content too. Measured with all block elements: 0.898 for 0.924 on documentation,
0.817 for 0.803 and 0.799 for 0.796 on news (F1), 0.958 for 0.988 of the fields of products.
"""

DELIMITERS = {"blocks": BLOCKS, "tables": TABLES}
"""The delimiters that have a name."""


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
"""A chunk on more than this share of the pages is template: 4 of 13 pages is the only value that the paper gives."""

SINGLE = 1
"""What no second page has is never template, however few the pages and whatever the threshold."""


class Chunk(NamedTuple):
    """Consecutive text without a delimiter's tag in between: that of the nodes from `first` to before `end`."""

    first: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks that are template, with their document frequency over the pages, duplicates not counted."""

    pages: int
    threshold: int
    delimiters: frozenset[str]
    frequency: Mapping[str, int]

    def mark(self, page: Page) -> Marks:
        """The second pass, over any page: the chunks known as template."""
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
    """What `to_json` wrote."""
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
    """The first pass (section 3): document frequencies of chunks, duplicates out of the count.

    `delimiters` are tags, or the name of a set of them; `threshold` is a number of pages, by default a share of them.
    """
    tags = _tags(delimiters)
    counted = originals(pages)
    limit = int(THRESHOLD * len(counted)) if threshold is None else threshold
    limit = max(SINGLE, limit)
    frequency = Counter(text for page in counted for text in {chunk.text for chunk in chunks(page.tree, tags)})
    template = {text: df for text, df in frequency.items() if df > limit}
    return Learned(Chunks(len(counted), limit, tags, template))


def chunks(tree: Tree, delimiters: AbstractSet[str]) -> Iterator[Chunk]:
    """The text chunks of a page in order: every start and every end tag of a delimiter ends one."""
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
    """Template table discovery ratio of a page, found over actual, and recall.

    The ratio compares numbers only, so that a chunk missed and a chunk taken by mistake cancel: recall does not.
    """
    if not actual:
        return Discovery(float("inf") if discovered else 1.0, 1.0)
    return Discovery(len(discovered) / len(actual), len(discovered & actual) / len(actual))


def _tags(delimiters: str | Collection[str]) -> frozenset[str]:
    return DELIMITERS[delimiters] if isinstance(delimiters, str) else frozenset(delimiters)
