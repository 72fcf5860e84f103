"""A page marked: each node template or content, and why."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from dehusk.base.errors import PageWarning
from dehusk.base.tags import FRAME, INLINE
from dehusk.base.tree import TEXT, Tree, covered, letters
from dehusk.marking.edits import Edit, edited_flags
from dehusk.methods.rules import Marks
from dehusk.page import Node, Page
from dehusk.page.places import ROOM, Naming
from dehusk.roles import Judged, Role, judged

NEARLY_ALL = 0.02
FEW_CHARACTERS = 10
"""A template is not trusted on a page where it leaves less than this share of the text, and fewer word characters."""

ASKED = "as asked for"
"""Why a part goes that the method would keep."""

_GLANCE = 40

_TITLE = "h1"


@dataclass(frozen=True, slots=True)
class Removed:
    """One part of a page that went: where it was, what it said, why it went, and how sure that is, from 0 to 1.

    `path` is this part alone, `kind` all parts at such a place on the pages of the site: see `dehusk.page.places`. Of a
    page whose parts are all very deep, the last are named by an element above them. The first word of the reason is the
    role of the part.
    """

    path: str
    text: str
    reason: str
    confidence: float
    kind: str


class Marking:
    """A page with each node marked template or content.

    A method may call a wrapper template although it holds content: a node goes only if all below it goes too. What a
    person decided about nodes of the page counts for more than the method and than the guard.
    """

    def __init__(
        self, page: Page, marks: Marks, *, family: str | None = None, edits: Mapping[int, Edit] | None = None
    ) -> None:
        self.page = page
        self.family = family
        self.fit, self.kind = marks.fit, marks.kind
        self._reason, self._confidence = marks.reason, marks.confidence
        self._found: frozenset[int] | None = None
        self._edits = edits or {}
        flags = _closed(page.tree, marks.flags)
        self.flags, self.warnings = _guarded(page.tree, flags)
        if edits:
            self._found = frozenset(_topmost(page.tree, flags))
            self.flags, self.warnings = _edited(page.tree, flags, edits)
        self.warnings += marks.warnings

    @cached_property
    def topmost(self) -> list[int]:
        """The topmost nodes that go, in document order; the root itself always stays."""
        return _topmost(self.page.tree, self.flags)

    @cached_property
    def gone(self) -> list[Node]:
        """The same nodes, as the parser has them."""
        nodes = self.page.nodes
        return [nodes[node] for node in self.topmost]

    @cached_property
    def roles(self) -> list[Judged]:
        """The role of each block of the page, in page order."""
        return judged(self.page, self.flags, self.kind[0] if self.kind else None)

    def role(self, node: int) -> Role | None:
        """The role of most of a node's letters; None where it has no text."""
        shares: Counter[Role] = Counter()
        for text in range(node, node + self.page.tree.size[node]):
            if text in self._role_of:
                shares[self._role_of[text]] += letters(self.page.tree.text[text])
        return shares.most_common(1)[0][0] if shares else None

    @cached_property
    def _role_of(self) -> dict[int, Role]:
        return {text: one.role for one in self.roles for text in one.block.texts}

    def reason(self, node: int) -> str:
        """The role of a node, and why it is template; of one that stays by an edit, that it does."""
        edit = self._edit_that_counts(node)
        found = self._verdict_on(node)
        why = edit.reason if edit is not None else self._reason(found) if found is not None else ASKED
        role = self.role(node)
        return f"{role}, {why}" if role else why

    def confidence(self, node: int) -> float:
        """How sure it is that a node is template, from 0 to 1."""
        found = self._verdict_on(node) if self._edit_that_counts(node) is None else None
        return round(self._confidence(found), 4) if found is not None else 1.0

    def edit(self, node: int) -> Edit | None:
        """The edit that names a node, or the nearest one above it."""
        if not self._edits:
            return None
        return next((self._edits[one] for one in (node, *self.page.tree.ancestors(node)) if one in self._edits), None)

    def _edit_that_counts(self, node: int) -> Edit | None:
        """The edit that made a node what it is; none where the caller wanted it otherwise."""
        edit = self.edit(node)
        return edit if edit is not None and edit.keep != self.flags[node] else None

    def _verdict_on(self, node: int) -> int | None:
        """The node that the method's verdict is about; None where only the caller wanted it to go."""
        if self._found is None:
            return node
        return next((one for one in (node, *self.page.tree.ancestors(node)) if one in self._found), None)

    def chosen(self, keep: Collection[str], drop: Collection[str]) -> "Marking":
        """The same page where what has one of these roles stays or goes, whatever the method says."""
        roles = self._role_of  # by the method's verdicts, so that they stay the same
        flags = bytearray(self.flags)
        for some, flag in ((keep, 0), (drop, 1)):
            texts = {text for text, role in roles.items() if role in some}
            for node in (*_wholly(self.page.tree, {text for text in texts if roles[text] is not Role.CAPTION}), *texts):
                flags[node] = flag  # a picture does not go with what is said about it
        other = copy(self)
        other.flags = _closed(self.page.tree, covered(self.page.tree, flags))
        other._found = frozenset(self.topmost) if self._found is None else self._found  # noqa: SLF001
        for cached in ("topmost", "gone"):
            other.__dict__.pop(cached, None)
        return other

    @property
    def removed(self) -> list[Removed]:
        """The topmost nodes that hold text, with their reasons."""
        tree = self.page.tree
        naming = Naming(tree, ROOM * len(self.page.html))
        found = ((node, _text(tree, node)) for node in self.topmost)
        return [
            Removed(naming.path(node), text, self.reason(node), self.confidence(node), naming.kind(node))
            for node, text in found
            if text
        ]

    @property
    def length(self) -> int:
        """How long the page's text is, in letters."""
        return sum(map(letters, self.page.tree.text))

    @property
    def share_removed(self) -> float:
        """How much of the page's text is template, from 0 to 1."""
        texts = zip(self.page.tree.text, self.flags, strict=True)
        return sum(letters(text) for text, gone in texts if gone) / (self.length or 1)


def enough(kept: Iterable[str]) -> bool:
    """Whether texts have enough word characters to do without the guard. The first words of a page mostly have."""
    count = 0
    for text in kept:
        count += sum(map(str.isalnum, text[:_GLANCE]))
        if count >= FEW_CHARACTERS:
            return True
    return False


def _closed(tree: Tree, flags: bytearray) -> bytearray:
    """Flags of nodes whose whole subtree is flagged."""
    closed = bytearray(flags)
    for node in range(len(tree) - 1, 0, -1):
        if not closed[node]:
            closed[tree.parent[node]] = 0
    return closed


def _topmost(tree: Tree, flags: bytearray) -> list[int]:
    """The nodes that go without one above them that goes; not the root."""
    parent = tree.parent
    return [node for node, gone in enumerate(flags) if gone and node and (parent[node] == 0 or not flags[parent[node]])]


def _edited(tree: Tree, flags: bytearray, edits: Mapping[int, Edit]) -> tuple[bytearray, list[PageWarning]]:
    """Flags as a person wants them. The guard gives back nothing where edits leave enough without it."""
    guarded, warnings = _guarded(tree, flags)
    alone = _closed(tree, edited_flags(tree, flags, edits))
    if not _guarded(tree, alone)[1]:
        return alone, []
    return _closed(tree, edited_flags(tree, guarded, edits)), warnings


def _guarded(tree: Tree, flags: bytearray) -> tuple[bytearray, list[PageWarning]]:
    """Flags that leave the page's own text, and a warning where the template was not trusted."""
    kept = [text for text, gone in zip(tree.text, flags, strict=True) if not gone and text]
    whole = sum(map(len, tree.text))
    if not whole:
        return flags, [PageWarning.NO_TEXT]
    if sum(map(len, kept)) >= NEARLY_ALL * whole or sum(map(str.isalnum, "".join(kept))) >= FEW_CHARACTERS:
        return flags, []
    own = bytearray(flags)
    for node in _own_texts(tree):
        own[node] = 0
    if all(own[node] for node, text in enumerate(tree.text) if text):
        own = bytearray(len(flags))
    return _closed(tree, own), [PageWarning.NEARLY_ALL]


def _wholly(tree: Tree, texts: Collection[int]) -> Iterable[int]:
    """These texts, and the elements with all that is in them that hold no other text; never the root."""
    other, some = bytearray(len(tree)), bytearray(len(tree))
    for node, text in enumerate(tree.text):
        some[node], other[node] = node in texts, bool(text) and node not in texts
    for node in range(len(tree) - 1, 0, -1):
        some[tree.parent[node]] |= some[node]
        other[tree.parent[node]] |= other[node]
    inside = bytearray(len(tree))
    for node in range(1, len(tree)):
        inside[node] = inside[tree.parent[node]] or (some[node] and not other[node])
        if inside[node]:
            yield node


def _own_texts(tree: Tree) -> list[int]:
    """The texts that a page has for itself: its title, and what is in no frame of it. Links only inside a sentence."""
    size = len(tree)
    frame, linked, block = bytearray(size), bytearray(size), [0] * size
    texts, with_words = [], set()
    for node, tag in enumerate(tree.tag):
        above = max(0, tree.parent[node])
        frame[node] = tag != _TITLE and (tag in FRAME or frame[above])
        linked[node] = tag == "a" or linked[above]
        block[node] = block[above] if tag == TEXT or tag in INLINE else node
        if tag == TEXT and not frame[node]:
            texts.append(node)
            if not linked[node]:
                with_words.add(block[node])
    return [node for node in texts if not linked[node] or block[node] in with_words]


def _text(tree: Tree, node: int) -> str:
    return " ".join(filter(None, tree.text[node : node + tree.size[node]]))
