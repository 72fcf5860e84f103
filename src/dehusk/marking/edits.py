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
from dehusk.page import Node, Page
from dehusk.page.elements import corrected
from dehusk.page.places import Finder, Place, place_of, written

SKETCH = 32
"""How many texts of a family an edit knows it by."""

MOST_EDITS = 2000
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

    `family` is how the family is known: by its name, as `Cleaned.family`, until the edit is part of a template, and by
    texts of its pages there (`Family.sketch`). None for an edit of the whole site. `id` is short and never changes.
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
        """An edit of now, of a place: a path or a kind, as `dehusk.page.places` has them.

        With the scope "family" it holds for the pages of one family alone; its name may be left out where there is
        only one. Raises UsageError where the path names no place, or there is no such scope.
        """
        if not isinstance(path, str):
            raise UsageError(f"{path!r:.80}: not a place; give a CSS selector from the body down")
        if scope not in list(Scope):
            raise UsageError(f"{scope!r:.80}: an edit is for the site or for a family of its pages")
        if scope != Scope.FAMILY and family is not None:
            raise UsageError(f"a family is given, and the scope is {scope!r:.80}; leave it out, or say scope='family'")
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

    def on(self, finder: Finder) -> list[Node]:
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
    if not isinstance(data, list) or len(data) > MOST_EDITS:
        raise TypeError("not a list of edits, or too long")
    return tuple(map(Edit.from_json, data))


def added(edits: Iterable[Edit], new: Edit) -> tuple[Edit, ...]:
    """The edits with another one, which is the last; one that said the same before is not needed any more."""
    others = tuple(edit for edit in edits if not edit.same(new))
    if len(others) >= MOST_EDITS:
        raise UsageError(f"there are {MOST_EDITS} edits, which is the limit; undo some, or name a place above them")
    return (*others, new)


def without(edits: Sequence[Edit], name: str) -> tuple[Edit, ...]:
    """The edits without the one of this id. Raises UsageError where there is none."""
    left = tuple(edit for edit in edits if edit.id != name)
    if len(left) == len(edits):
        has = ", ".join([*(edit.id for edit in edits[:10]), *(["..."] if len(edits) > 10 else [])])
        raise UsageError(f"no edit {name}; " + (f"there are {has}" if has else "there are no edits"))
    return left


class PageEdits:
    """The edits that have a place on a page: by its nodes, and by their numbers in its tree when that is asked for."""

    def __init__(self, page: Page, edits: Iterable[Edit]) -> None:
        """Of two edits of a node, the later one counts."""
        finder = Finder(page)
        self._page = page
        self._by_node = {node: edit for edit in edits for node in edit.on(finder)}

    def __bool__(self) -> bool:
        return bool(self._by_node)

    def over(self, gone: Sequence[Node]) -> list[Node]:
        """The topmost nodes that go, from those that would go without edits."""
        return corrected(self._page.root(), gone, {node: edit.keep for node, edit in self._by_node.items()})

    def nearest(self, number: int) -> Edit | None:
        """The edit that names a node of the tree, or the nearest one above it."""
        named = (node for node in (number, *self._page.tree.ancestors(number)) if node in self._by_number)
        return next((self._by_number[node] for node in named), None)

    @cached_property
    def _by_number(self) -> dict[int, Edit]:
        numbers = self._page.numbers
        return {numbers[node]: edit for node, edit in self._by_node.items()}


def _line(text: str) -> str:
    """A text on one line, without what a terminal would take for a command."""
    return "".join(filter(str.isprintable, " ".join(text.split())))
