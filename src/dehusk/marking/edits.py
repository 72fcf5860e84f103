"""Edits: what a person corrects in a template.

An edit says of a place that it stays or goes, whatever was learned. On a page, the later of two edits of a node wins,
and that of a deeper node over that of one above it.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.errors import UsageError
from dehusk.base.tree import Tree
from dehusk.page import Element, Text
from dehusk.page.places import Finder, Place, nodes_at, place_of, written

SKETCH = 32
"""How many texts of a family an edit knows it by."""

MOST = 2000
"""The most edits of a site: each is looked for on every page."""

_ID_BYTES = 4
_SKETCH = re.compile(rf"(?:[0-9a-f]{{8}}(?: [0-9a-f]{{8}}){{0,{SKETCH - 1}}})?")


class Scope(StrEnum):
    """Where an edit holds: on all pages of the site, or on those of one family."""

    SITE = "site"
    FAMILY = "family"


@dataclass(frozen=True)
class Edit:
    """A correction: the place, whether it stays, where it holds, who made it, when (UTC) and why.

    `family` is how the family is known (`Family.sketch`), None for an edit of the whole site. `id` is short and never
    changes.
    """

    path: str
    keep: bool
    scope: Scope = Scope.SITE
    family: str | None = None
    by: str = ""
    at: str = ""
    why: str = ""
    id: str = ""

    @classmethod
    def new(
        cls, path: str, *, keep: bool, scope: str = Scope.SITE, family: str | None = None, by: str = "", why: str = ""
    ) -> Self:
        """An edit of now. Raises UsageError where the path names no place, or there is no such scope."""
        if not isinstance(path, str):
            raise UsageError(f"{path!r:.80}: not a place; give a CSS selector from the body down")
        if scope not in list(Scope):
            raise UsageError(f"{scope!r:.80}: an edit is for the site or for a family of its pages")
        path = written(place_of(path))
        at = datetime.now(UTC).isoformat(timespec="seconds").removesuffix("+00:00")
        said = "\0".join([path, str(keep), scope, family or "", by, at, why])
        name = hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES).hexdigest()
        return cls(path, bool(keep), Scope(scope), family, _line(by), at, _line(why), name)

    @cached_property
    def place(self) -> Place:
        """The path, read once."""
        return place_of(self.path)

    @cached_property
    def _steps(self) -> tuple[str, ...]:
        return tuple(map(str, self.place))

    @cached_property
    def texts(self) -> frozenset[int]:
        """The numbers of texts that the family is known by."""
        return frozenset(int(number, 16) for number in (self.family or "").split())

    def on(self, finder: Finder) -> list[Element]:
        """The elements of a page at the place."""
        return finder.at(self.place, self._steps)

    @property
    def reason(self) -> str:
        """What the edit says of its place, who said so, when and why."""
        name = f" of {self.by}" if self.by else ""
        why = f": {self.why}" if self.why else ""
        return f"{'kept' if self.keep else 'removed'} by an edit{name}, {self.at[:10]}{why}"

    def same(self, other: "Edit") -> bool:
        """Whether another edit says the same of the same place."""
        return (self.path, self.keep, self.family) == (other.path, other.keep, other.family)

    def to_json(self) -> dict[str, Any]:
        """The edit as it stands in a template file. The family is told even if its pages share no text: as nothing."""
        said = asdict(self).items()
        return {name: value for name, value in said if value is not None and (value != "" or name == "family")}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What `to_json` wrote. Raises LookupError, TypeError, ValueError or UsageError for anything else."""
        if type(data["keep"]) is not bool:
            raise TypeError("keep is neither true nor false")
        said = {"family": None, "by": "", "at": "", "why": "", **data}
        family = None if said["family"] is None else fields.text(said, "family")
        texts = {name: _line(fields.text(said, name)) for name in ("by", "at", "why", "id")}
        path = written(place_of(fields.text(data, "path")))
        edit = cls(path, data["keep"], Scope(fields.text(data, "scope")), family, **texts)
        if (edit.scope is Scope.FAMILY) != (family is not None) or not _SKETCH.fullmatch(family or ""):
            raise ValueError("an edit of a family names it, and no other")
        return edit


def from_list(data: object) -> tuple[Edit, ...]:
    """Edits as `to_json` wrote each of them. Raises what `Edit.from_json` does."""
    if not isinstance(data, list) or len(data) > MOST:
        raise TypeError("not a list of edits, or too long")
    return tuple(map(Edit.from_json, data))


def added(edits: Iterable[Edit], new: Edit) -> tuple[Edit, ...]:
    """The edits with another one, which is the last; one that said the same before is not needed any more."""
    others = tuple(one for one in edits if not one.same(new))
    if len(others) >= MOST:
        raise UsageError(f"there are {MOST} edits, which is the limit; undo some, or name a place above them")
    return (*others, new)


def without(edits: Sequence[Edit], name: str) -> tuple[Edit, ...]:
    """The edits without the one of this id. Raises UsageError where there is none."""
    left = tuple(one for one in edits if one.id != name)
    if len(left) == len(edits):
        has = ", ".join([*(one.id for one in edits[:10]), *(["..."] if len(edits) > 10 else [])])
        raise UsageError(f"no edit {name}; " + (f"there are {has}" if has else "there are no edits"))
    return left


def decided(tree: Tree, edits: Iterable[Edit]) -> dict[int, Edit]:
    """The edit that counts for each node of a page that one names."""
    return {node: edit for edit in edits for node in nodes_at(tree, edit.place)}


def decided_elements(root: Element, edits: Iterable[Edit]) -> dict[Element, Edit]:
    """The same by the parser's nodes, whose root is the body."""
    finder = Finder(root)
    return {node: edit for edit in edits for node in edit.on(finder)}


def edited_flags(tree: Tree, flags: bytearray, edits: Mapping[int, Edit]) -> bytearray:
    """Flags of what goes, where whole nodes were edited: the deeper ones last. They are not closed."""
    changed = bytearray(flags)
    for node in sorted(edits):
        size = tree.size[node]
        changed[node : node + size] = bytes([not edits[node].keep]) * size
    return changed


def edited_nodes(root: Element, gone: Sequence[Any], edits: Mapping[Element, Edit]) -> list[Any]:
    """The topmost nodes that go, in document order, from those that would go without edits.

    The walk enters only what has some of both below it.
    """
    inner = _above([*gone, *edits], root)
    opened = _above([node for node, edit in edits.items() if edit.keep], root)  # they cannot go as a whole
    method = frozenset(gone)
    found: list[Any] = []
    # What an edit or the method says of all that is inside; None where neither did.
    first = edits[root].keep if root in edits else None
    open_nodes = [(iter(root), first)]
    while open_nodes:
        children, said = open_nodes[-1]
        for child in children:
            if type(child) is Text:
                if said is False or (said is None and child in method):
                    found += [child] if child.data.strip() else []
                continue
            if type(child) is not Element:
                continue
            edit = edits.get(child)
            keep = edit.keep if edit is not None else False if said is None and child in method else said
            if keep is False and child not in opened:
                found.append(child)
            elif child in inner:
                open_nodes.append((iter(child), keep))
                break
        else:
            open_nodes.pop()
    return found


def _above(nodes: Iterable[Any], root: Element) -> set[Any]:
    """All that these nodes are in, up to the root."""
    found: set[Any] = set()
    for node in nodes:
        above = node.parent if node != root else None
        while above is not None and above not in found:
            found.add(above)
            above = above.parent if above != root else None
    return found


def _line(text: str) -> str:
    """A text on one line, without what a terminal would take for a command."""
    return "".join(filter(str.isprintable, " ".join(text.split())))
