"""Blocks that a page has twice: one copy stays.

Two kinds of copies are removed. Beside each other: an element whose text is that of the element before it, such as a
version for phones. Apart: a long run of blocks that is also elsewhere on the page in other elements, such as a summary
that is also the first paragraph. The rest stays: quotations, code, cells, items of a list, the same words at the same
place of several records, refrains.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from dehusk.base.tags import CELLS, INLINE, PICTURES
from dehusk.kernels.shapes import size_of
from dehusk.page import Node, Page
from dehusk.page.elements import attribute, closest, first, parent_of, tag_of, text_of, texts_in
from dehusk.page.hiding import hidden_in

LONG = 60
"""A page without two equal texts of this many characters is not searched. With 30, twice as many are, for nothing."""

BESIDE = 70
"""Minimum size of a copy beside the original: about 15 words."""

APART = 190
"""Minimum size of a copy apart from the original: about 40 words."""

SHARE = 0.3
"""A copy apart from the original is at least this share of the element it is in. A paragraph of many is none."""

FORUM, WHOLE = "forum", 0.4
"""In a forum, a copy is beside the original and has at least this share of the text: a thread, not a post."""

NEVER = "documentation"
"""A kind of page that says things twice on purpose, and on which nothing is removed."""

MOST_RUNS = 200
"""How many runs of repeated texts are examined on a page."""

_QUOTED = 'blockquote, q, pre, code, [class*="quote" i]'
_ENTRIES = CELLS | {"dd", "dt", "li", "tr"}
_PICTURES = ", ".join(sorted(PICTURES))
_DIGITS = dict.fromkeys(map(ord, "0123456789"))


def copies(page: Page, gone: Sequence[Node], kind: str | None) -> list[Node]:
    """Returns the elements to remove from a page without `gone`, because their text is on it a second time.

    `kind` is the kind of page. Each removed text is left at least once. Hidden elements do not count.
    """
    # Two quick checks. Most pages end here: to look at their nodes would take longer than to parse them.
    if kind == NEVER or not _repeats(said := page.all_strings_without(gone)):
        return []
    if not any(
        _may_be_beside(said, run, kind) or _may_be_apart(said, run, kind) for run in islice(_runs(said), MOST_RUNS)
    ):
        return []
    hidden = hidden_in(page.without(gone))
    return _Search(texts_in(page.without([*gone, *hidden] if hidden else gone))).copies(kind)


def _repeats(texts: Iterable[str]) -> bool:
    """Returns whether two long texts are equal."""
    long = [text for text in texts if len(text) >= LONG]
    return len(set(long)) < len(long)


class _Run(NamedTuple):
    """Consecutive texts that are on the page twice: where they begin, before and again, and how many they are."""

    before: int
    again: int
    length: int

    def of(self, words: Sequence[str]) -> Sequence[str]:
        """Returns its texts."""
        return words[self.again : self.again + self.length]


class _Copy(NamedTuple):
    """The outermost elements that hold only texts of a run, and the numbers of these texts."""

    elements: list[Node]
    texts: list[int]


class _Search:
    """The search for copies among the texts of a page."""

    def __init__(self, texts: Iterable[tuple[str, Node]]) -> None:
        on_one_line = ((" ".join(text.split()), node) for text, node in texts)
        said = [(words, node) for words, node in on_one_line if words]
        self._words = [words for words, _ in said]
        self._nodes = [node for _, node in said]
        self._count = Counter(self._words)
        self._left = self._count.copy()

    def copies(self, kind: str | None) -> list[Node]:
        """Returns the elements to remove."""
        elements: list[Node] = []
        for run in islice(_runs(self._words), MOST_RUNS):
            copy = self._copy(run, kind)
            if copy is not None and self._is_left(copy):
                self._left.subtract(self._words[number] for number in copy.texts)
                elements += copy.elements
        return elements

    def _is_left(self, copy: _Copy) -> bool:
        """Returns whether each text of a copy is left elsewhere: with three copies, another one may be gone."""
        count = Counter(self._words[number] for number in copy.texts)
        return all(self._left[words] > often for words, often in count.items())

    def _copy(self, run: _Run, kind: str | None) -> _Copy | None:
        """Returns the copy to remove; None if both stay."""
        beside, apart = _may_be_beside(self._words, run, kind), _may_be_apart(self._words, run, kind)
        if not beside and not apart:
            return None
        before, again = (self._covered(begin, begin + run.length) for begin in (run.before, run.again))
        if not before.texts or not again.texts or self._is_quoted(before) or self._is_quoted(again):
            return None
        if beside and self._are_beside(run, before, again):
            return before if _has_picture(again) and not _has_picture(before) else again
        return self._apart(before, again) if apart and self._is_twice(run) else None

    def _is_twice(self, run: _Run) -> bool:
        """Returns whether the longest text of a run is on the page twice, not more often: else it is a refrain."""
        return self._count[max(run.of(self._words), key=len)] == 2

    def _covered(self, begin: int, end: int) -> _Copy:
        """Returns the outermost elements that hold texts of a run and no other text. Parts of a block are left out."""
        outside: set[Node] = set()
        for number in (begin - 1, end):
            if 0 <= number < len(self._nodes):
                outside.update(_above(self._nodes[number]))
        outermost: dict[Node, Node | None] = {}
        copy = _Copy([], [])
        for number in range(begin, end):
            element = _outermost(self._nodes[number], outside, outermost)
            if element is not None and tag_of(element) not in INLINE:
                copy.texts.append(number)
                if not copy.elements or copy.elements[-1] is not element:
                    copy.elements.append(element)
        return copy

    def _is_quoted(self, copy: _Copy) -> bool:
        """Returns whether a copy begins or ends in a quotation or in code."""
        ends = (parent_of(self._nodes[number]) for number in (copy.texts[0], copy.texts[-1]))
        return any(end is not None and closest(end, _QUOTED) is not None for end in ends)

    def _are_beside(self, run: _Run, before: _Copy, again: _Copy) -> bool:
        """Returns whether two copies are one whole element each, with the same parent and different names."""
        if not all(len(copy.elements) == 1 and len(copy.texts) == run.length for copy in (before, again)):
            return False
        (one,), (other,) = before.elements, again.elements
        if parent_of(one) is not parent_of(other) or not _ENTRIES.isdisjoint((tag_of(one), tag_of(other))):
            return False
        return self._names(before) != self._names(again)

    def _names(self, copy: _Copy) -> list[str]:
        """Returns tag, id and class, without digits, of the elements around the first text of a copy."""
        top = parent_of(copy.elements[0])
        path = takewhile(lambda element: element is not top, _above(self._nodes[copy.texts[0]]))
        named = ((tag_of(element), attribute(element, "id"), attribute(element, "class")) for element in path)
        return [" ".join(filter(None, names)).translate(_DIGITS) for names in named]

    def _apart(self, before: _Copy, again: _Copy) -> _Copy | None:
        """Returns the copy with less text around it, if it is a block of its own, and both are at different places."""
        paths = self._path(before, again), self._path(again, before)
        tags = [[tag_of(element) for element in path] for path in paths]
        if tags[0] == tags[1]:
            return None
        if any(tag_of(element) in _ENTRIES for copy in (before, again) for element in _around(copy, paths)):
            return None
        sides = [len(text_of(path[-1])) for path in paths]
        copy, other = (before, again) if sides[0] < sides[1] else (again, before)
        size, holder = sum(size_of(self._words[number]) for number in copy.texts), parent_of(copy.elements[0])
        if size < APART or holder is None or size < SHARE * size_of(text_of(holder)):
            return None
        return copy if _has_picture(other) or not _has_picture(copy) else None

    def _path(self, copy: _Copy, other: _Copy) -> list[Node]:
        """Returns the blocks around the first text of a copy that do not hold that of the other, innermost first."""
        shared = set(_above(self._nodes[other.texts[0]]))
        above = takewhile(lambda element: element not in shared, _above(self._nodes[copy.texts[0]]))
        return [element for element in above if tag_of(element) not in INLINE]


def _around(copy: _Copy, paths: Iterable[Sequence[Node]]) -> Iterator[Node]:
    """Yields the elements of a copy, and those of its path that are around them."""
    yield from copy.elements
    for path in paths:
        if copy.elements[0] in path:
            yield from path[path.index(copy.elements[0]) :]


def _above(node: Node) -> Iterator[Node]:
    """Yields the elements around a node, innermost first."""
    above = parent_of(node)
    while above is not None:
        yield above
        above = parent_of(above)


def _outermost(node: Node, outside: set[Node], known: dict[Node, Node | None]) -> Node | None:
    """Returns the outermost element around a node below those of `outside`; None if there is none.

    `known` remembers the results: many texts may be in one deep element.
    """
    path = list(takewhile(lambda element: element not in outside and element not in known, _above(node)))
    holder = parent_of(path[-1] if path else node)
    element = known[holder] if holder in known else path[-1] if path else None
    known.update(dict.fromkeys(path, element))
    return element


def _has_picture(copy: _Copy) -> bool:
    return any(first(element, _PICTURES) is not None for element in copy.elements)


def _may_be_beside(words: Sequence[str], run: _Run, kind: str | None) -> bool:
    """Returns whether a run follows the same run and is long enough. In a forum it has much of the page's text."""
    if run.before + run.length < run.again:
        return False
    size = sum(map(size_of, run.of(words)))
    return size >= BESIDE and (kind != FORUM or size >= WHOLE * sum(map(size_of, words)))


def _may_be_apart(words: Sequence[str], run: _Run, kind: str | None) -> bool:
    """Returns whether a run may be a copy that is apart from the original, by the kind of page and its size."""
    return kind not in (None, FORUM) and sum(map(size_of, run.of(words))) >= APART


def _runs(words: Sequence[str]) -> Iterator[_Run]:
    """Yields the runs around long texts that are also before them on the page; each text is in one run at most."""
    places: dict[str, int] = {}
    done = 0
    for at, text in enumerate(words):
        if len(text) >= LONG:
            if text in places and at >= done:
                run = _run_around(words, places[text], at)
                yield run
                done = run.again + run.length
            places[text] = at


def _run_around(words: Sequence[str], before: int, again: int) -> _Run:
    """Returns the longest run around two equal texts, without overlap; if they repeat often, from the first on."""
    start = 0
    while start < before and again - start - 1 > before and words[before - start - 1] == words[again - start - 1]:
        start += 1
    first, second = before - start, again - start
    length = start + 1
    while first + length < second and second + length < len(words) and words[first + length] == words[second + length]:
        length += 1
    return _Run(first, second, length)
