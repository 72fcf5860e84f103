"""Marked pages: which nodes are removed, with reasons, after the method, edits and a guard."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import dataclass
from operator import or_

from dehusk.base.errors import PageWarning
from dehusk.base.shared import Shared
from dehusk.base.tree import Tree, covered, letters
from dehusk.marking._copies import copies
from dehusk.marking._flags import closed, enough, guarded, topmost, wholly
from dehusk.marking._leftovers import leftovers
from dehusk.marking.edits import Edit, PageEdits
from dehusk.metadata import Habits, PageTitle, Reader, may_lack_title
from dehusk.methods.rules import Marks, certain
from dehusk.page import Node, Page
from dehusk.page.elements import corrected, is_within, strings_of
from dehusk.page.places import ROOM, Naming
from dehusk.page.sharing import alone, own_property
from dehusk.roles import Judged, Role, judged

ASKED = "as asked for"
"""The reason for parts that are removed on request."""

TOOL = "a button, logo or crumb"
"""The reason for what methods leave because it has hardly any text."""

TWICE = "written twice on this page"
"""The reason for copies of what a page has twice."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A removed part of a page: its place, text and reason, and the confidence from 0 to 1.

    `path` names only this part, `kind` all parts at such a place on the pages of the site: see `dehusk.page.places`.
    If the parts of a page are all very deep, the last are named by an ancestor. The first word of the reason is the
    role of the part.
    """

    path: str
    text: str
    reason: str
    confidence: float
    kind: str


class Marking(Shared):
    """A marked page: the topmost nodes to remove and, on demand, the flag, role and reason of each node.

    If the method's quick walk leaves enough text, its nodes are used, and no tree is built. Otherwise, and for `flags`,
    each node gets a flag. A method may mark a wrapper that holds content; a node is removed only if all its descendants
    are. The title of the page stays, if the method leaves anything else. Edits override the method and the guard.
    """

    def __init__(
        self,
        page: Page,
        marks: Marks,
        *,
        family: str | None = None,
        edits: Sequence[Edit] = (),
        fit_of: Callable[[Page], float] = certain,
        habits: Habits | None = None,
    ) -> None:
        """`fit_of` measures how well a page matches the template, if the marks do not say it.

        `habits` are what the metadata of the site's pages have in common.
        """
        self.page, self.lock = page, page.lock
        self.family = family
        self.quality = marks.quality
        self._habits = habits or Habits()
        self._marks = marks
        self._fit_of = fit_of
        self._edits = PageEdits(page, edits) if edits else None
        self._unchosen: Marking | None = None
        self._left: Sequence[Node] = ()

    def __repr__(self) -> str:
        name = self.page.name or self.page.digest[:12]
        return f"<Marking of {name}: {len(self.gone)} parts, {self.share_removed:.0%} of the text removed>"

    @own_property
    def kind(self) -> tuple[str, float] | None:
        """The kind of page and its probability; None if it is not known, as for a page without text."""
        return self._marks.kind if self._marks.kind and any(self.page.strings_without(())) else None

    @property
    def presumed_kind(self) -> str | None:
        """The kind of page, whether it has text or not. Unlike `kind`, it leaves the document as it is."""
        return self._marks.kind[0] if self._marks.kind else None

    @own_property
    def fit(self) -> float:
        """How well the page matches the template, from 0 to 1."""
        return self._fit_of(self.page) if self._marks.fit is None else self._marks.fit

    @own_property
    def gone(self) -> Sequence[Node]:
        """The topmost nodes to remove, in document order; last, logos, crumbs and buttons."""
        if self._quick is not None:
            return self._quick
        nodes = self.page.nodes
        return [nodes[node] for node in self.topmost]

    @own_property
    def _quick(self) -> Sequence[Node] | None:
        """The topmost nodes to remove, found without a tree; None if the method or the guard needs one."""
        walked = self._marks.topmost
        if walked is None:
            return None
        title = self._lost_title
        titled = walked if title is None else corrected(self.page.root(), walked, {title: True})
        of_title = frozenset(() if title is None else strings_of(title))
        is_enough = enough(text for text in self.page.strings_without(titled) if text not in of_title)
        if not self._edits:
            return self._once(titled) if is_enough else None
        edited = self._edits.over(titled if is_enough else walked)
        return self._once(edited) if is_enough or enough(self.page.strings_without(edited)) else None

    def _once(self, gone: Sequence[Node]) -> Sequence[Node]:
        """Returns the topmost nodes to remove, with copies and leftovers, unless an edit keeps them."""
        # Not `self.kind`, which first looks for text on the page: without text there are no copies.
        kind = self._marks.kind[0] if self._marks.kind else None
        twice = copies(self.page, gone, kind) if self._marks.once else []
        if twice:
            both = [*gone, *twice]
            gone = self._edits.over(both) if self._edits else corrected(self.page.root(), both, {})
        more = leftovers(self.page, gone, kind) if self._marks.once else []
        if not more:
            return gone
        both = [*gone, *more]
        if not enough(self.page.strings_without(both)):
            return gone
        self._left = more
        return self._edits.over(both) if self._edits else both

    @own_property
    def reader(self) -> Reader:
        """Reads the metadata of the page."""
        return Reader(self.page, self._by_rules, self.kind[0] if self.kind else None, self._habits)

    @property
    def title(self) -> PageTitle | None:
        """The title of the page; None if it has none, or if its heading is removed by an edit or on request."""
        heading, said = self.reader.heading, self.reader.title
        if said is None or (heading is not None and self._is_removed_on_request(heading.node)):
            return None
        return PageTitle(said[0], heading.node if heading else None)

    def _is_removed_on_request(self, heading: Node) -> bool:
        if not is_within(heading, frozenset(self.gone)):
            return False
        return self._lost_title is not None or not is_within(heading, frozenset(self._by_rules))

    @own_property
    def _by_rules(self) -> Sequence[Node]:
        """The topmost nodes that the method removes."""
        if self._marks.topmost is not None:
            return self._marks.topmost
        nodes = self.page.nodes
        return [nodes[node] for node in topmost(self.page.tree, closed(self.page.tree, self._marks.flags))]

    @own_property
    def _lost_title(self) -> Node | None:
        """The title of the page, if it is a heading that the method removes."""
        gone = frozenset(self._by_rules)
        if not may_lack_title(self.page, gone, self._habits):
            return None  # most pages; saves reading their metadata
        title = self.reader.heading
        return title.node if title is not None and is_within(title.node, gone) else None

    @property
    def warnings(self) -> list[PageWarning]:
        """Warnings of the guard and of the method."""
        return [*(self._guarded[1] if self._quick is None else ()), *self._marks.warnings]

    @own_property
    def flags(self) -> bytearray:
        """A flag for each node of the page's tree; 1 is template."""
        flags, nodes = self._guarded[0], self.page.nodes
        if not self._marks.once:
            return flags
        gone = [nodes[node] for node in topmost(self.page.tree, flags)]
        once = self._once(gone)
        return flags if once is gone else bytearray(map(or_, flags, self.page.flagged(once)))

    @own_property
    def topmost(self) -> list[int]:
        """The numbers of the topmost nodes to remove. The root is never one of them."""
        return topmost(self.page.tree, self.flags)

    @own_property
    def _guarded(self) -> tuple[bytearray, list[PageWarning]]:
        """Flags after the method, edits and the guard, and warnings. The guard acts only if edits leave too little."""
        tree = self.page.tree
        flags = closed(tree, self._marks.flags)
        left, warnings = guarded(tree, flags)
        left = self._with_title(left)
        if not self._edits:
            return left, warnings
        alone = _edited(self.page, flags if warnings else left, self._edits)
        if not guarded(tree, alone)[1]:
            return alone, []
        return _edited(self.page, left, self._edits), warnings

    def _with_title(self, flags: bytearray) -> bytearray:
        """Returns closed flags that keep the title. The flags of a page without text stay as they are."""
        number = None if self._lost_title is None else self.page.numbers.get(self._lost_title)
        if number is None or all(flags):
            return flags
        size = self.page.tree.size[number]
        return closed(self.page.tree, bytearray(flags[:number] + bytes(size) + flags[number + size :]))

    @own_property
    def _by_method(self) -> frozenset[int] | None:
        """The topmost nodes that the method removes; None if the final ones are the same."""
        tree = self.page.tree
        if self._edits or (self._lost_title is not None and self._unchosen is None):
            return frozenset(topmost(tree, closed(tree, self._marks.flags)))
        return frozenset(self._unchosen.topmost) if self._unchosen is not None else None

    @own_property
    def roles(self) -> list[Judged]:
        """The role of each block of the page, in page order."""
        heading = self.reader.heading
        title = self.page.numbers.get(heading.node) if heading else None
        kind = self.kind[0] if self.kind else None
        return judged(self.page, self._flags_of_texts, kind, (title, heading.like) if title and heading else None)

    @own_property
    def _flags_of_texts(self) -> bytearray:
        """Flags that are right for texts and pictures. For empty elements the method's flags may differ."""
        return self.flags if self._quick is None else self.page.flagged(self._quick)

    @alone
    def role(self, node: int) -> Role | None:
        """Returns the role of most letters of a node; None if it has no text."""
        shares: Counter[Role] = Counter()
        for text in range(node, node + self.page.tree.size[node]):
            if text in self._role_of:
                shares[self._role_of[text]] += letters(self.page.tree.text[text])
        return shares.most_common(1)[0][0] if shares else None

    @own_property
    def _role_of(self) -> dict[int, Role]:
        return {text: judged.role for judged in self.roles for text in judged.block.texts}

    @alone
    def reason(self, node: int) -> str:
        """Returns the role of a node, and why it is removed, or that an edit keeps it."""
        edit = self._edit_that_counts(node)
        why = edit.reason if edit else self._reason_beside(node) or self._method_reason(node)
        role = self.role(node)
        return f"{role}, {why}" if role else why

    def _method_reason(self, node: int) -> str:
        judged_node = self._verdict_on(node)
        return self._marks.reason(judged_node) if judged_node is not None else ASKED

    def _reason_beside(self, node: int) -> str:
        """Returns the reason for a copy or a leftover; "" for what the method removes."""
        around = (node, *self.page.tree.ancestors(node))
        if self._copied.isdisjoint(around):
            return ""
        return TOOL if any(self.page.numbers.get(left) in around for left in self._left) else TWICE

    @own_property
    def _copied(self) -> frozenset[int]:
        """The topmost nodes that are removed as copies."""
        marking = self._unchosen or self
        return frozenset(node for node in marking.topmost if not marking._guarded[0][node])  # noqa: SLF001

    @alone
    def confidence(self, node: int) -> float:
        """Returns the confidence that a node is template, from 0 to 1."""
        judged_node = self._verdict_on(node) if self._edit_that_counts(node) is None else None
        return round(self._marks.confidence(judged_node), 4) if judged_node is not None else 1.0

    @alone
    def edit(self, node: int) -> Edit | None:
        """Returns the edit of a node or of its nearest edited ancestor; None if there is none."""
        return self._edits.nearest(node) if self._edits else None

    def _edit_that_counts(self, node: int) -> Edit | None:
        """Returns the edit that decided about a node; None if there is none, or if `chosen` overrides it."""
        edit = self.edit(node)
        return edit if edit is not None and edit.keep != self.flags[node] else None

    def _verdict_on(self, node: int) -> int | None:
        """Returns the node that the method's verdict is about; None if it is removed only on request."""
        method = self._by_method
        if method is None:
            return node
        return next((candidate for candidate in (node, *self.page.tree.ancestors(node)) if candidate in method), None)

    @alone
    def chosen(self, keep: Collection[str], drop: Collection[str]) -> "Marking":
        """Returns a marking that keeps or removes all parts with these roles, whatever the method says."""
        roles = self._role_of  # from the method's verdicts, so that roles do not change
        flags = bytearray(self._flags_of_texts)
        for asked, flag in ((keep, 0), (drop, 1)):
            texts = {text for text, role in roles.items() if role in asked}
            for node in (*wholly(self.page.tree, {text for text in texts if roles[text] is not Role.CAPTION}), *texts):
                flags[node] = flag  # a picture is not removed with its caption
        other = copy(self)
        other.flags = closed(self.page.tree, covered(self.page.tree, flags))
        other._quick = None  # noqa: SLF001
        other._unchosen = self._unchosen or self  # noqa: SLF001
        for cached in ("topmost", "gone", "_letters", "_by_method", "_flags_of_texts"):
            other.__dict__.pop(cached, None)
        return other

    def hidden(self, elements: Sequence[Node], keep: Collection[str]) -> Sequence[Node]:
        """Returns the topmost nodes of hidden elements, without the parts that have one of these roles."""
        tree, flags = self.page.tree, self.page.flagged(elements)
        for text, role in self._role_of.items():
            if role in keep:
                flags[text] = 0
        nodes = self.page.nodes
        return [nodes[node] for node in topmost(tree, closed(tree, flags))]

    @property
    @alone
    def removed(self) -> list[Removed]:
        """The removed parts that have text, with their reasons."""
        tree = self.page.tree
        naming = Naming(tree, ROOM * len(self.page.html), self.page.labels(("id",)))
        texts = ((node, _text(tree, node)) for node in self.topmost)
        return [
            Removed(naming.path(node), text, self.reason(node), self.confidence(node), naming.kind(node))
            for node, text in texts
            if text
        ]

    @property
    def length(self) -> int:
        """The length of the page's text before cleaning, in letters."""
        return sum(self._letters)

    @property
    def share_removed(self) -> float:
        """The share of the page's text that is removed, from 0 to 1."""
        return self._letters[1] / (self.length or 1)

    @own_property
    def _letters(self) -> tuple[int, int]:
        """The number of kept letters, and of removed ones."""
        if self._quick is not None:
            kept = letters(self.page.text_without(self._quick))
            return kept, letters("".join(self.page.texts_of(self._quick)))
        sizes = [0, 0]
        for text, flag in zip(self.page.tree.text, self.flags, strict=True):
            sizes[flag] += letters(text)
        return sizes[0], sizes[1]


def _edited(page: Page, flags: bytearray, edits: PageEdits) -> bytearray:
    """Applies edits to closed flags. Returns closed flags."""
    tree, nodes, numbers = page.tree, page.nodes, page.numbers
    edited = bytearray(len(tree))
    for node in edits.over([nodes[number] for number in topmost(tree, flags)]):
        number = numbers[node]
        edited[number : number + tree.size[number]] = b"\1" * tree.size[number]
    whole = edits.nearest(0)
    edited[0] = all(edited[1:]) and (flags[0] if whole is None else not whole.keep)
    return edited


def _text(tree: Tree, node: int) -> str:
    return " ".join(filter(None, tree.text[node : node + tree.size[node]]))
