"""Maps the nodes of two outlines to each other: equal ones first, then similar ones between them."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from dehusk.base.order import increasing, unique_matches
from dehusk.base.tree import Classes
from dehusk.comparing._outline import LINE, Outline

MOST_EDITS = 200
"""Ranges without unique items that differ in more than this many items are treated as having nothing in common."""

DEEPEST_STRETCH = 40
"""Maximum recursion depth into ranges between matches."""

Range = tuple[int, int, int, int]
Match = tuple[int, int]


def common(old: Sequence[int], new: Sequence[int]) -> list[Match]:
    """Pairs of indices of equal items, increasing in both sequences.

    A patience diff: matches equal beginnings and ends, then items that both have exactly once, and repeats this between
    the matches. Ranges without such items are compared item by item.
    """
    matches: list[Match] = []
    waiting = [((0, len(old), 0, len(new)), 0)]
    while waiting:
        stretch, depth = waiting.pop()
        equal, (a, b, c, d) = _trimmed(old, new, stretch)
        matches += equal
        if a == b or c == d or set(old[a:b]).isdisjoint(new[c:d]):
            continue
        anchors = _unique(old, new, (a, b, c, d)) if depth < DEEPEST_STRETCH else []
        if anchors:
            matches += anchors
            waiting += [(between, depth + 1) for between in _between(anchors, (a, b, c, d))]
        else:
            matches += _few_edits(old[a:b], new[c:d], a, c)
    return sorted(matches)


def _trimmed(old: Sequence[int], new: Sequence[int], stretch: Range) -> tuple[list[Match], Range]:
    """Matches equal beginnings and ends; returns the matches and the range between them."""
    a, b, c, d = stretch
    matches = []
    while a < b and c < d and old[a] == new[c]:
        matches.append((a, c))
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
        matches.append((b, d))
    return matches, (a, b, c, d)


def _unique(old: Sequence[int], new: Sequence[int], stretch: Range) -> list[Match]:
    """Matches items that occur exactly once on each side, in the same order."""
    a, b, c, d = stretch
    return [(a + i, c + k) for k, i in unique_matches(new[c:d], old[a:b])]


def _between(anchors: Sequence[Match], stretch: Range) -> Iterator[Range]:
    a, b, c, d = stretch
    for i, j in [*anchors, (b, d)]:
        yield a, i, c, j
        a, c = i + 1, j + 1


def _few_edits(old: Sequence[int], new: Sequence[int], first: int, second: int) -> list[Match]:
    """A longest common subsequence, if at most MOST_EDITS items are not in it; else nothing.

    E. Myers: An O(ND) difference algorithm and its variations. Algorithmica 1986.
    """
    n, m = len(old), len(new)
    far = {1: 0}
    trace = []
    for edits in range(min(n + m, MOST_EDITS) + 1):
        trace.append(far.copy())
        for k in range(-edits, edits + 1, 2):
            x = far[k + 1] if _down(far, k, edits) else far[k - 1] + 1
            while x < n and x - k < m and old[x] == new[x - k]:
                x += 1
            far[k] = x
            if x >= n and x - k >= m:
                return [(first + i, second + j) for i, j in _way_back(trace, n, m)]
    return []


def _down(far: dict[int, int], k: int, edits: int) -> bool:
    """Whether the furthest path on diagonal k comes from an insertion (a step down), not from a deletion."""
    return k == -edits or (k != edits and far[k - 1] < far[k + 1])


def _way_back(trace: Sequence[dict[int, int]], x: int, y: int) -> Iterator[Match]:
    """The matches on the path, last first."""
    for edits in range(len(trace) - 1, -1, -1):
        k = x - y
        k += 1 if _down(trace[edits], k, edits) else -1
        before = trace[edits][k]
        while x > max(before, 0) and y > max(before - k, 0):
            x, y = x - 1, y - 1
            yield x, y
        x, y = before, before - k


ALIKE = 0.3
"""Two nodes are alike if their Dice coefficient (of words and subtrees) is at least this."""

LOOKED_AT = 400
"""Maximum number of words of a line, and of nodes of an element, that are compared."""

COMMON_NODES = 8
"""A feature of more nodes than this is ignored: it does not tell them apart."""

SHORT_TO_MOVE = 20
"""A text with fewer letters is never reported as moved: an equal one may be there by accident."""

_ANY_NUMBER = "#0"
"""Feature of any number, so that lines with different numbers are slightly alike."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mapping:
    """The new node of each old node, the old node of each new one (-1 for none), and the new lines that moved."""

    new: "array[int]"
    old: "array[int]"
    moved: frozenset[int]


def mapped(old: Outline, new: Outline) -> Mapping:
    """Maps the nodes of two outlines to each other. Moved lines are equal in both, and not short."""
    return _Mapper(old, new).mapped()


class _Mapper:
    """Maps two outlines, step by step."""

    def __init__(self, old: Outline, new: Outline) -> None:
        self._outlines = old, new
        classes = Classes()
        self._keys = [classes.subtrees(_labels(side), side.parent) for side in (old, new)]
        self._mates = array("i", [-1]) * len(old), array("i", [-1]) * len(new)

    def mapped(self) -> Mapping:
        self._from_the_top()
        self._elsewhere()
        moved = self._out_of_order()
        self._lines_between(moved)
        return Mapping(*self._mates, frozenset(moved))

    def _match(self, a: int, b: int) -> None:
        self._mates[0][a], self._mates[1][b] = b, a

    def _part(self, b: int) -> None:
        """Removes the mate of a new node, if any."""
        if self._mates[1][b] >= 0:
            self._mates[0][self._mates[1][b]] = -1
        self._mates[1][b] = -1

    def _match_all(self, a: int, b: int) -> None:
        for step in range(self._outlines[0].size[a]):
            self._match(a + step, b + step)

    def _from_the_top(self) -> None:
        waiting = [(0, 0)]
        old, new = (outline.size for outline in self._outlines)
        while waiting:
            a, b = waiting.pop()
            if self._keys[0][a] == self._keys[1][b]:
                self._match_all(a, b)
                continue
            self._match(a, b)
            if old[a] == 1 or new[b] == 1:
                continue
            if old[a + 1] == old[a] - 1 and new[b + 1] == new[b] - 1:  # one child each, similar or not
                waiting += self._replaced(a + 1, b + 1)
            else:
                waiting += self._children(a, b)

    def _children(self, a: int, b: int) -> Iterator[Pair]:
        """Pairs of children of two mapped elements: equal ones, and similar ones between them."""
        olds, news = _children(self._outlines[0], a), _children(self._outlines[1], b)
        known = self._known(olds, news)
        i = j = 0
        for p, q in [*known, (len(olds), len(news))]:
            if p - i == q - j == 1:
                yield from self._replaced(olds[i], news[j])
            elif i < p and j < q:
                yield from self._alike(olds[i:p], news[j:q], known=not known)
            if p < len(olds) and q < len(news):
                yield olds[p], news[q]
            i, j = p + 1, q + 1

    def _replaced(self, a: int, b: int) -> list[Pair]:
        """The pair of a node and the one in its place, if they have the same tag."""
        return [(a, b)] if self._outlines[0].tag[a] == self._outlines[1].tag[b] else []

    def _known(self, olds: Sequence[int], news: Sequence[int]) -> list[Pair]:
        """Pairs of indices of equal or similar children, as many as possible in order; moved ones are left out."""
        old, new = [self._keys[0][node] for node in olds], [self._keys[1][node] for node in news]
        if len(old) == len(new):
            equal = [(k, k) for k, (a, b) in enumerate(zip(old, new, strict=True)) if a == b]
            if _alternate(equal, len(old)):
                return equal
        equal = common(old, new)
        taken = {p for p, _ in equal}, {q for _, q in equal}
        rest = [
            [k for k in range(len(nodes)) if k not in used] for nodes, used in zip((olds, news), taken, strict=True)
        ]
        best = self._most_alike([olds[k] for k in rest[0]], [news[k] for k in rest[1]])
        both = sorted([*equal, *((rest[0][i], rest[1][j]) for i, j in best)], key=lambda pair: pair[1])
        return [both[k] for k in increasing([p for p, _ in both])]

    def _alike(self, olds: Sequence[int], news: Sequence[int], *, known: bool) -> Iterator[Pair]:
        """Pairs from two lists of siblings, in order: similar ones, and between them lists with the same tags.

        If it is `known` already that none are similar, they are not compared again.
        """
        best = [] if known else self._most_alike(olds, news)
        kept = [best[k] for k in increasing([i for i, _ in best])]
        i = j = 0
        for p, q in [*kept, (len(olds), len(news))]:
            if self._shape(0, olds[i:p]) == self._shape(1, news[j:q]):
                yield from zip(olds[i:p], news[j:q], strict=True)
            if p < len(olds) and q < len(news):
                yield olds[p], news[q]
            i, j = p + 1, q + 1

    def _shape(self, which: int, nodes: Sequence[int]) -> list[str]:
        return [self._outlines[which].tag[node] for node in nodes]

    def _most_alike(self, olds: Sequence[int], news: Sequence[int]) -> list[Pair]:
        """Pairs of indices of the most similar old and new nodes, each used once, in the order of the new ones."""
        having: dict[object, list[int]] = defaultdict(list)
        features = [self._features(0, node) for node in olds]
        for i, own in enumerate(features):
            for feature in own:
                having[feature].append(i)
        telling = {feature: places for feature, places in having.items() if len(places) <= COMMON_NODES}
        tags, sizes = self._shape(0, olds), [len(own) for own in features]
        scored = []
        for j, node in enumerate(news):
            own = self._features(1, node)
            shared = Counter(chain.from_iterable([telling[feature] for feature in own if feature in telling]))
            tag, size = self._outlines[1].tag[node], len(own)
            scored += [
                (-score, abs(i - j), j, i)
                for i, count in shared.items()
                if (score := 2 * count / (sizes[i] + size)) >= ALIKE and tags[i] == tag
            ]
        pairs: dict[int, int] = {}
        taken = set()
        for *_, j, i in sorted(scored):  # the most similar first, then the nearest
            if j not in pairs and i not in taken:
                pairs[j] = i
                taken.add(i)
        return [(pairs[j], j) for j in sorted(pairs)]

    def _features(self, which: int, node: int) -> set[object]:
        """The features of a node: the subtrees and words below it, up to a limit."""
        outline = self._outlines[which]
        end = node + min(outline.size[node], LOOKED_AT)
        features: set[object] = set(self._keys[which][node:end])
        for words in outline.words[node:end]:
            if not words:
                continue
            if len(words) > LOOKED_AT:
                words = words[:LOOKED_AT]  # noqa: PLW2901
            features.update(words)
            if any(map(str.isdecimal, words)):
                features.add(_ANY_NUMBER)
            if len(features) > 2 * LOOKED_AT:
                break
        return features

    def _elsewhere(self) -> None:
        """Matches equal subtrees without mates, the largest first, each to the next free one."""
        free: dict[int, list[int]] = defaultdict(list)
        for node in range(len(self._outlines[0]) - 1, 0, -1):
            if self._mates[0][node] < 0:
                free[self._keys[0][node]].append(node)
        node = 1
        while node < len(self._outlines[1]):
            mate = self._free(free, node) if self._mates[1][node] < 0 else -1
            if mate >= 0:
                self._match_all(mate, node)
                node += self._outlines[1].size[node]
            else:
                node += 1

    def _free(self, free: "dict[int, list[int]]", node: int) -> int:
        """The first old subtree that equals a new one; no part of either may have a mate. -1 for none."""
        waiting = free.get(self._keys[1][node], [])
        if not waiting or any(self._mates[1][part] >= 0 for part in self._outlines[1].below(node)):
            return -1
        while waiting:
            mate = waiting.pop()
            if all(self._mates[0][part] < 0 for part in self._outlines[0].below(mate)):
                return mate
        return -1

    def _out_of_order(self) -> set[int]:
        """The new lines whose mates are in another order. Short and rewritten lines lose their mates instead."""
        lines = [line for line in self._outlines[1].lines(0) if self._mates[1][line] >= 0]
        kept = {lines[k] for k in increasing([self._mates[1][line] for line in lines])}
        moved = set()
        for line in lines:
            if line not in kept and self._keys[0][self._mates[1][line]] == self._keys[1][line]:
                moved.add(line)
            elif line not in kept:
                self._part(line)
        for node in self._topmost(moved):
            words = [word for line in self._outlines[1].lines(node) for word in self._outlines[1].words[line]]
            if sum(map(len, words)) < SHORT_TO_MOVE:
                for below in self._outlines[1].below(node):
                    self._part(below)
                moved.difference_update(self._outlines[1].lines(node))
        return moved

    def _topmost(self, lines: set[int]) -> list[int]:
        """The topmost nodes with a mate whose lines are all in `lines`."""
        outline = self._outlines[1]
        whole = bytearray(self._mates[1][node] >= 0 for node in range(len(outline)))
        for node in range(len(outline) - 1, 0, -1):
            if outline.tag[node] == LINE and node not in lines:
                whole[node] = 0
            whole[outline.parent[node]] &= whole[node]
        return [node for node in range(1, len(outline)) if whole[node] and not whole[outline.parent[node]]]

    def _lines_between(self, moved: set[int]) -> None:
        """Matches similar lines without a mate, between lines that did not move."""
        olds: list[int] = []
        news: list[int] = []
        rest = iter(self._outlines[0].lines(0))
        gone = {self._mates[1][line] for line in moved}
        for line in [*self._outlines[1].lines(0), -1]:
            mate = self._mates[1][line] if line >= 0 else -1
            if line >= 0 and (mate < 0 or line in moved):
                news += [line] * (mate < 0)
                continue
            for old in rest:
                if old == mate:
                    break
                olds += [old] * (self._mates[0][old] < 0 and old not in gone)
            if olds and news:
                best = self._most_alike(olds, news)
                for k in increasing([i for i, _ in best]):
                    self._match(olds[best[k][0]], news[best[k][1]])
            olds, news = [], []


def _alternate(equal: Sequence[Pair], length: int) -> bool:
    """Whether equal siblings are at the same places, with at most one other between them: each replaces another."""
    last = -1
    for p, q in [*equal, (length, length)]:
        if p != q or p - last > 2:
            return False
        last = p
    return True


def _labels(outline: Outline) -> list[str]:
    """The label of each node: its tag, or the text of a line after a quotation mark, which begins no tag."""
    return [
        '"' + " ".join(words) if tag == LINE else tag for tag, words in zip(outline.tag, outline.words, strict=True)
    ]


def _children(outline: Outline, node: int) -> list[int]:
    child, end, children = node + 1, node + outline.size[node], []
    while child < end:
        children.append(child)
        child += outline.size[child]
    return children
