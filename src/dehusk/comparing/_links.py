"""Links that say the same in both versions of a page and lead elsewhere."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dehusk.base.tree import TEXT, Tree
from dehusk.base.urls import normal

QUERY = "query"
"""Why such a change is one of the husk: only what follows the question mark differs, often a session or a version."""

_NOWHERE = ("javascript:", "data:", "about:")


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A link of both versions: its nodes in their trees, where it led and where it leads, and what it says.

    `husk` is why it says nothing that it leads elsewhere; "" if it does.
    """

    old: int
    new: int
    before: str
    after: str
    text: str
    husk: str


class Links:
    """The links of two versions of a page. Addresses are made whole by those of the pages, where these are known.

    `room` is for what this adds to all addresses that are told. Where there is none left, they are told as written.
    """

    def __init__(self, old: Tree, new: Tree, bases: tuple[str, str], room: int) -> None:
        self._trees = old, new
        self._around = _around(old), _around(new)
        self._bases = bases[0] or bases[1], bases[1] or bases[0]
        self._room = room

    def changed(self, old: Sequence[int], new: Sequence[int]) -> Iterator[LinkChange]:
        """The links in two lines that lead elsewhere; the lines are texts and pictures with the same words."""
        if [self._trees[0].link[self._around[0][node]] for node in old] == [
            self._trees[1].link[self._around[1][node]] for node in new
        ]:
            return
        words = [(around, word) for node in new for around, word in self._words(1, node)]
        pairs: dict[tuple[int, int], list[str]] = {}
        before = [around for node in old for around, _ in self._words(0, node)]
        for one, (other, word) in zip(before, words, strict=True):
            if one and other:
                pairs.setdefault((one, other), []).append(word)
        for (one, other), said in pairs.items():
            was, now = self._address(0, one), self._address(1, other)
            if was and now and was != now and not self._same(one, other):
                husk = QUERY if was.partition("?")[0] == now.partition("?")[0] else ""
                yield LinkChange(one, other, *self._told(one, other, was, now), " ".join(said), husk)

    def _words(self, which: int, node: int) -> list[tuple[int, str]]:
        """The words of a node, each with the link that it is in; 0 for none."""
        tree = self._trees[which]
        words = tree.text[node].split() if tree.tag[node] == TEXT else ["[picture]"]
        return [(self._around[which][node], word) for word in words]

    def _address(self, which: int, node: int) -> str:
        """Where a link leads, without the place on that page; "" for nowhere."""
        link = self._written(which, node)
        if not link or link.lower().startswith(_NOWHERE):
            return ""
        return normal(link, self._bases[which]) or link

    def _told(self, old: int, new: int, was: str, now: str) -> tuple[str, str]:
        """Two addresses, whole if there is room."""
        written = self._written(0, old), self._written(1, new)
        more = len(was) + len(now) - len(written[0]) - len(written[1])
        if more > self._room:
            return written
        self._room -= max(0, more)
        return was, now

    def _same(self, old: int, new: int) -> bool:
        """Whether two links are written alike: then they lead elsewhere only because the page has moved."""
        return self._written(0, old) == self._written(1, new)

    def _written(self, which: int, node: int) -> str:
        return self._trees[which].link[node].partition("#")[0].strip()


def _around(tree: Tree) -> "array[int]":
    """The innermost link that each node is or is in; 0 for none."""
    found = array("i", [0]) * len(tree)
    for node in range(1, len(tree)):
        found[node] = node if tree.tag[node] == "a" and tree.link[node] else found[tree.parent[node]]
    return found
