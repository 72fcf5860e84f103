"""The result of comparing two versions of a page: a verdict and a list of changes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dehusk import metadata, methods, render
from dehusk.base.errors import PageWarning
from dehusk.base.garbage import uncollected
from dehusk.base.shared import Shared
from dehusk.base.tree import TEXT, letters
from dehusk.comparing._changes import ChangeKind, Delta, Flags, Links, agreed, before, deltas
from dehusk.comparing._headline import content_clauses, husk_parts, sentence
from dehusk.comparing._mapping import Mapping, mapped
from dehusk.comparing._outline import LINE, Outline, outline
from dehusk.comparing.words import inline_diff
from dehusk.marking.marking import Marking
from dehusk.page import Page
from dehusk.page.places import ROOM, Naming
from dehusk.page.sharing import Locks, alone, own_property
from dehusk.roles import Role
from dehusk.templates.families import signature
from dehusk.templates.template import Family, PageLike, Template, as_page

SHOWN_CHANGES = 10
"""Number of changes in a summary."""

LONGEST_CHANGE = 300
"""Maximum length of a change in a summary."""


class Verdict(StrEnum):
    """What changed, in a word. REDESIGNED needs a template.

    Changes of attributes, comments and scripts are husk.
    """

    NOTHING = "nothing"
    HUSK = "husk only"
    CONTENT = "content"
    REDESIGNED = "redesigned"


@dataclass(frozen=True, slots=True)
class Change:
    """One part of a page that changed.

    `path` is its CSS path on the new page, or on the old one if it was removed. `husk` is why it is not content:
    "template", "date", "time", "counter" or "query"; "" for content. `before` and `after` are the old and new text, or
    the old and new URL of a link. `words` is the word diff of a rewritten line. `near` says where on the new page a
    removed part would be: after this element or, if `within`, at its start.
    """

    kind: ChangeKind
    path: str
    before: str
    after: str
    husk: str
    words: Sequence[render.Word] = ()
    near: str = ""
    within: bool = False

    def to_json(self) -> dict[str, str]:
        """The change as a JSON object, without `words`, which can be derived from both texts."""
        return {name: str(getattr(self, name)) for name in ("kind", "path", "before", "after", "husk")}


class Diff(Shared):
    """What changed between two versions of a page."""

    def __init__(self, old: Page, new: Page, template: Template | None, dates: tuple[str, str] = ("", "")) -> None:
        self.old, self.new = old, new
        self.dates = dates
        self.lock = Locks((old, new))
        self._template = template

    def __repr__(self) -> str:
        return f"<Diff of {self.new.name or self.new.digest[:12]}: {self.verdict}, {len(self.changes)} changes>"

    @own_property
    def _marks(self) -> tuple[Marking, Marking]:
        """What the template marks on both versions; without one, what is marked on each of them by itself."""
        old, new = ((self._template or _alone(page)).mark(page) for page in (self.old, self.new))
        return old, new

    @own_property
    def _outlines(self) -> tuple[Outline, Outline]:
        return outline(self.old.tree), outline(self.new.tree)

    @own_property
    def _mapping(self) -> Mapping:
        return mapped(*self._outlines)

    @own_property
    def _deltas(self) -> list[Delta]:
        with uncollected():
            return self._found()

    def _found(self) -> list[Delta]:
        old, new = self._outlines
        if (self.old.digest, self.old.encoding) == (self.new.digest, self.new.encoding):
            return []
        husks = _flags(old, self._marks[0]), _flags(new, self._marks[1])
        if self._template is None:
            husks = agreed((old, new), self._mapping, husks)
        room = ROOM * (len(self.old.html) + len(self.new.html))
        links = Links(self.old.tree, self.new.tree, (self.old.base_url, self.new.base_url), room)
        return deltas(old, new, self._mapping, husks, links)

    @own_property
    def _namings(self) -> tuple[Naming, Naming]:
        old, new = (Naming(page.tree, ROOM * len(page.html)) for page in (self.old, self.new))
        return old, new

    @own_property
    def changes(self) -> list[Change]:
        """All changes in the order of the new page; removed parts are where they would have been."""
        deltas = self._deltas
        with uncollected():
            return [self._change(delta) for delta in deltas]

    def _change(self, delta: Delta) -> Change:
        if delta.link is not None:
            path = self._namings[1].path(delta.link.new)
            return Change(delta.change, path, delta.link.before, delta.link.after, delta.husk, delta.words)
        old, new = self._outlines
        side, node = (new, delta.new) if delta.new >= 0 else (old, delta.old)
        said = new.text(delta.new) if delta.new >= 0 else ""
        at = node if side.tag[node] != LINE else side.parent[node]
        return Change(
            delta.change,
            self._namings[delta.new >= 0].path(side.nodes[at][0]),
            said if delta.change is ChangeKind.MOVED else old.text(delta.old) if delta.old >= 0 else "",
            said,
            delta.husk,
            delta.words,
            *(self._near(delta.old) if delta.new < 0 else ()),
        )

    def _near(self, node: int) -> tuple[str, bool]:
        """Where a removed part would be: after an element of the new page (and False), or at its start (and True)."""
        tree, name = self.new.tree, self._namings[1].path
        follows, around = self._place(node)
        for last in follows:
            before = next((up for up in (last, *tree.ancestors(last)) if tree.parent[up] == around), around)
            if before != around and tree.tag[before] != TEXT:
                return name(before), False
        return name(around), True

    @own_property
    def verdict(self) -> Verdict:
        """What changed, in a word. REDESIGNED if the template fits the old version but not the new one."""
        if self._template is not None:
            known = [PageWarning.OTHER_SITE not in marking.warnings for marking in self._marks]
            if known == [True, False]:
                return Verdict.REDESIGNED
        if not self._deltas and self.old.digest == self.new.digest:
            return Verdict.NOTHING
        return Verdict.HUSK if all(delta.husk for delta in self._deltas) else Verdict.CONTENT

    @property
    def content(self) -> list[Change]:
        """The changes that are content."""
        return [change for change in self.changes if not change.husk]

    @property
    def summary(self) -> str:
        """The verdict, the number of changes, and the first changes of content."""
        content = self.content
        lines = [line for change in content[:SHOWN_CHANGES] for line in ("", *_summary_lines(change))]
        more = ["", f"and {len(content) - SHOWN_CHANGES} more"] if len(content) > SHOWN_CHANGES else []
        return "\n".join([self.headline, *lines, *more]) + "\n"

    @property
    def headline(self) -> str:
        """What changed, in a sentence without a full stop."""
        clauses = content_clauses(self._deltas, self._outlines)
        husk = husk_parts(self._deltas, self._role)
        if clauses or husk:
            said = sentence(clauses, husk)
        elif self.verdict is Verdict.NOTHING:
            said = "Nothing changed"
        else:
            said = "Nothing that can be seen changed, only the markup"
        return f"The page was redesigned. {said}" if self.verdict is Verdict.REDESIGNED else said

    def _role(self, delta: Delta) -> Role | None:
        """The role of the first text of a change."""
        which, node = (1, delta.new) if delta.new >= 0 else (0, delta.old)
        side = self._outlines[which]
        return self._marks[which].role(side.nodes[side.lines(node)[0]][0]) if self._marks else None

    @property
    def json(self) -> str:
        """The verdict and all changes as JSON."""
        data = {
            "old": self.old.name,
            "new": self.new.name,
            "verdict": self.verdict,
            "content": len(self.content),
            "husk": len(self.changes) - len(self.content),
            "changes": [change.to_json() for change in self.changes],
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"

    @property
    @alone
    def html(self) -> str:
        """The new page with additions in yellow, removals in grey, and moved parts marked; safe to open."""
        husk = self._marks[1].topmost if self._marks else []
        with uncollected():
            return render.compared_html(self.new, self.overview, self.shown, husk)

    @property
    def overview(self) -> render.Overview:
        """The headline, the title of the page, and the names and dates of both versions."""
        old, new = map(render.Version, (self.old.name, self.new.name), self.dates)
        return render.Overview(self.headline, " ".join(self.new.title.split()), old, new)

    @property
    def shown(self) -> list[render.ShownChange]:
        """The changes as they are shown."""
        return [self._edit(delta) for delta in self._deltas]

    def _edit(self, delta: Delta) -> render.ShownChange:
        old, new = self._outlines
        which, node = (1, delta.new) if delta.new >= 0 else (0, delta.old)
        under = self._outlines[which].heading(node, self._headings[which])
        if delta.link is not None:
            nodes: Sequence[int] = [delta.link.new]
            text, within = delta.link.before, 0
        elif delta.new < 0:
            text = old.text(delta.old)
            nodes, within = self._place(delta.old)
        else:
            text, nodes, within = "" if delta.words else new.text(delta.new), new.nodes[delta.new], 0
        return render.ShownChange(delta.change, delta.husk, text, nodes, within, delta.words, under)

    @own_property
    def _headings(self) -> tuple[Sequence[int], Sequence[int]]:
        old, new = (side.headings() for side in self._outlines)
        return old, new

    def _place(self, node: int) -> tuple[list[int], int]:
        """Where a removed part would be on the new page: the node before it, if any, and the element around it."""
        old, new = self._outlines
        within = old.parent[node]
        while (around := self._mapping.new[within]) < 0:
            within = old.parent[within]
        last = self._before[node]
        follows = [new.nodes[last][-1]] if last in new.below(around) else []
        return follows, new.nodes[around][0]

    @own_property
    def _before(self) -> list[int]:
        return before(self._outlines[0], self._mapping)


def diff(old: PageLike, new: PageLike, template: Template | None = None, *, dates: tuple[str, str] = ("", "")) -> Diff:
    """Compares two versions of a page, given as bytes, str or Page objects.

    The template of their site tells which changes are content and which are husk. Without a template, each version is
    judged by itself, as `dehusk.clean` does. `dates` says when the versions were made or seen,
    which the HTML shows.
    """
    return Diff(as_page(old), as_page(new), template, dates)


def _alone(page: Page) -> Template:
    """The template of a site of which only this page is known."""
    rules = methods.method(methods.DEFAULT).learn([page]).rules
    return Template(methods.DEFAULT, (Family(signature([page]), rules),), 1, habits=metadata.learn([page]))


def _flags(lines: Outline, marking: Marking) -> Flags:
    """A function that tells whether at least half of the letters of a line are template."""
    text, flags = marking.page.tree.text, marking.flags

    def is_template(line: int) -> bool:
        sizes = [(letters(text[node]) or 1, flags[node]) for node in lines.nodes[line]]
        return 2 * sum(size for size, gone in sizes if gone) >= sum(size for size, _ in sizes)

    return is_template


def _summary_lines(change: Change) -> list[str]:
    """The lines of a summary for one change, shortened if too long."""
    head = f"{change.kind} {change.path}"
    if change.words:
        return [head, f"  {_short(inline_diff(change.words))}"]
    mark = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-", ChangeKind.MOVED: "="}[change.kind]
    return [head, *(f"  {mark} {line}" for line in _short(change.after or change.before).splitlines())]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CHANGE else text[: LONGEST_CHANGE - 1] + "…"
