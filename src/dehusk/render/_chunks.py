"""Chunks: the content of a page in pieces for search and retrieval, cut along its own structure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import ceil
from typing import NamedTuple

from dehusk.base.tree import letters
from dehusk.kernels import blocks
from dehusk.kernels.blocks import Block, Line, is_heading
from dehusk.kernels.plain_text import write as plain_text
from dehusk.kernels.reading import read
from dehusk.page import Node, Page
from dehusk.page.dom import dom
from dehusk.page.elements import attribute, element_before, first, parent_of, tag_of, text_of
from dehusk.render._addresses import Addresses
from dehusk.render._markdown import markdown_writer
from dehusk.render.writing import AS_LEARNED, Writing

Unit = Block | Line

SMALL = 1 / 2
"""A section below this share of a chunk goes with its neighbours: alone, it would say too little to be found."""

LONGEST_HEADING = 300
LONGEST_ANCHOR = 200
"""Longer headings are cut where they stand above a chunk, and longer anchors are ignored: each chunk repeats them."""

_SENTENCE_END = re.compile(r"[.!?…]{1,3}[\"'”’»)\]]{0,2}\s+|[。！？]{1,3}[」』”]{0,2}")
_SPACE = re.compile(r"\s")
_ANCHOR = "a[id], a[name], [id]"
_CUT_INSIDE = frozenset({blocks.LIST, blocks.TABLE, blocks.QUOTATION, blocks.DEFINITIONS, blocks.PRE})
_LEVELS_UP = 2  # a section that begins with its heading often has the anchor


class Chunked(NamedTuple):
    """A piece of a page: the headings above it, from the outside in, its anchor, its text, and its plain text."""

    headings: tuple[str, ...]
    anchor: str
    text: str
    plain: str


@dataclass(slots=True)
class _Section:
    """Headings, with their levels, and what follows the last one of them."""

    path: list[tuple[int, str]] = field(default_factory=list)
    anchor: str = ""
    units: list[Unit] = field(default_factory=list)
    only_headings: bool = True

    def next(self, heading: Block) -> "_Section":
        """Returns the section of the next heading. A heading without text goes with it."""
        level, title = int(tag_of(heading.node)[1]), " ".join(_plain([heading]).split())[:LONGEST_HEADING].rstrip()
        above = [(one, said) for one, said in self.path if one < level]
        units = self.units if self.only_headings else []
        units.append(heading)
        return _Section([*above, (level, title)], _anchor(heading.node) or self.anchor, units)

    def shared(self, other: "_Section") -> list[tuple[int, str]]:
        """Returns the headings that are above both sections."""
        both = zip(self.path, other.path, strict=False)
        return [mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], both)]

    def add(self, unit: Unit) -> None:
        self.units.append(unit)
        self.only_headings = False


def chunked(
    page: Page, gone: Sequence[Node], size: int, *, markdown: bool = False, writing: Writing = AS_LEARNED
) -> list[Chunked]:
    """Returns the content in pieces of at most `size` letters of plain text, in page order.

    Headings begin pieces. A table, a code block, a list item or a sentence is cut only if it is larger than `size`.
    """
    addresses = Addresses(page, writing)  # reads the document, so before nodes are removed from it
    lent = dom(page)
    inside = lent.without(gone)
    units = read(inside, lambda: lent.gaps, marked=True).inside
    write = markdown_writer(inside, addresses) if markdown else _plain
    found = []
    for section in _merged(_sections(units), size):
        headings = tuple(said for _, said in section.path if said)
        for text, plain in _Cutter(size, write).pieces(section):
            if plain.strip():
                found.append(Chunked(headings, section.anchor, text, plain))
    return found


def _sections(units: Iterable[Unit]) -> Iterator[_Section]:
    section = _Section()
    for unit in units:
        if isinstance(unit, Line) or unit.kind != blocks.HEADING or not is_heading(unit):
            section.add(unit)
            continue
        following = section.next(unit)
        if not section.only_headings:
            yield section
        section = following
    if section.units:
        yield section


def _merged(sections: Iterable[_Section], size: int) -> Iterator[_Section]:
    """Yields the sections; small ones of one chapter together, as far as they fit."""
    held: _Section | None = None
    most = 0
    for section in sections:
        own = letters(_plain(section.units))
        shared = held.shared(section) if held else []
        if held and min(most, own) < SMALL * size and most + own <= size:
            held.path, held.only_headings = shared, False
            held.units += section.units  # in place: there may be as many sections as elements
            most += own
            continue
        if held:
            yield held
        held, most = section, own
    if held:
        yield held


class _Cutter:
    """Packs the units of a section into pieces, and cuts those that are too large."""

    def __init__(self, size: int, write: Callable[[Sequence[Unit]], str]) -> None:
        self._size, self._write = size, write

    def pieces(self, section: _Section) -> Iterator[tuple[str, str]]:
        """Yields the pieces of a section, as written and as plain text."""
        units = [(unit, letters(_plain([unit]))) for unit in self._fitting(section.units)]
        total = sum(own for _, own in units)
        goal = total / ceil(total / self._size or 1)  # so that the last piece is not a small rest
        packed: list[Unit] = []
        held = 0
        for unit, own in units:
            if packed and not _is_title(packed[-1]) and (held + own > self._size or held + own / 2 > goal):
                yield from self._written(packed)
                packed, held = [], 0
            packed.append(unit)
            held += own
        yield from self._written(packed)

    def _written(self, units: list[Unit]) -> Iterator[tuple[str, str]]:
        """Yields the text of these units: in several pieces if the last one is a text that is too large."""
        plain, text = _plain(units), self._write(units)
        if letters(plain) <= self._size or not isinstance(units[-1], Line):
            yield text, plain
            return
        for sentences in packed_sentences(text, self._size):
            yield sentences, sentences

    def _fitting(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """Yields these units, with those that are too large cut where their members end."""
        for unit in units:
            if isinstance(unit, Line) or unit.kind not in _CUT_INSIDE or letters(_plain([unit])) <= self._size:
                yield unit
            else:
                yield from self._cut(unit)

    def _cut(self, block: Block) -> Iterator[Unit]:
        """Yields blocks of the same kind, each with some members. Every part of a table begins with its head."""
        members = _code_lines(block) if block.kind == blocks.PRE else block.inside
        rows = blocks.blocks(block)
        head = rows[:1] if block.kind == blocks.TABLE and len(rows) > 1 and blocks.is_headed(rows) else []
        above = letters(_plain(head))
        some: list[Unit] = []
        held, number = above, block.number
        for member in members[len(head) :]:
            own = letters(_plain([_like(block, [member], number)]))
            if some and held + own > self._size:
                yield _like(block, [*head, *some], number)
                number += len(some) if number else 0
                some, held = [], above
            some.append(member)
            held += own
        if some:
            yield _like(block, [*head, *some], number)


def _code_lines(block: Block) -> list[Unit]:
    texts = (text for line in block.inside if isinstance(line, Line) for text in line.text.split("\n"))
    return [Line(text, [text], free=True) for text in texts]


def _is_title(unit: Unit) -> bool:
    return isinstance(unit, Block) and unit.kind == blocks.HEADING


def _like(block: Block, inside: list[Unit], number: int) -> Block:
    """Returns a block like another one, with other members."""
    made = Block(block.kind, block.node)
    made.divided, made.header, made.number, made.inside = block.divided, block.header, number, inside
    return made


def _plain(units: Sequence[Unit]) -> str:
    around = Block(0, None)
    around.inside = list(units)
    return plain_text(around).strip()


def packed_sentences(text: str, size: int) -> Iterator[str]:
    """Yields a text in pieces of at most `size` letters that end with a sentence; else with a word, if one is long."""
    start = end = held = 0  # `held`: the letters from `start` on, counted once, for time linear in the text
    for stop in (*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)):
        own = letters(text[end:stop])
        held += own
        if held > size:
            if before := text[start:end].strip():
                yield before
                start, held = end, own
            while held > size:
                cut = _word_end(text, start, start + size)
                yield text[start:cut].strip()
                held -= letters(text[start:cut])
                start = cut
        end = stop
    if text[start:].strip():
        yield text[start:].strip()


def _word_end(text: str, start: int, most: int) -> int:
    """Returns where to cut a sentence: after its last space before `most`, if there is one in the second half."""
    for place in range(most, start + (most - start) // 2, -1):
        if _SPACE.match(text, place - 1):
            return place
    return most


def _anchor(heading: Node) -> str:
    """Returns the anchor of a heading: its own, one inside, one just before, or of the section that it begins."""
    inside = first(heading, _ANCHOR)
    before = element_before(heading)
    beside = before if before is not None and tag_of(before) == "a" and not text_of(before).strip() else None
    for place in (heading, inside, beside):
        if place is not None and (name := _name(place)):
            return name
    inner: Node | None = heading
    for _ in range(_LEVELS_UP):
        if inner is None or (element_before(inner) is not None):
            return ""
        inner = parent_of(inner)
        if inner is not None and (name := _name(inner)):
            return name
    return ""


def _name(place: Node) -> str:
    """Returns the name by which a URL can point to an element; "" if it has none, or a very long one."""
    name = attribute(place, "id") or (attribute(place, "name") if tag_of(place) == "a" else "") or ""
    return name if len(name) <= LONGEST_ANCHOR else ""
