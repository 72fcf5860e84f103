"""Edits: corrections of a template by a user.

An edit keeps or removes a place, whatever was learned. On a page, a later edit of a node overrides an earlier one, and
an edit of a deeper node overrides that of an ancestor.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Self

from dehusk.base import fields
from dehusk.base.errors import UsageError
from dehusk.base.shared import Shared
from dehusk.page import Node, Page
from dehusk.page.elements import corrected
from dehusk.page.places import Finder, Place, place_of, written

SKETCH = 32
"""How many texts an edit stores to recognize its family."""

MOST_EDITS = 2000
"""Maximum number of edits of a site. Each is searched on every page."""

_ID_BYTES = 4
_PAGE = "body"
_SKETCH = re.compile(rf"(?:[0-9a-f]{{8}}(?: [0-9a-f]{{8}}){{0,{SKETCH - 1}}})?")


class Scope(StrEnum):
    """Where an edit applies: to all pages of the site, to those of one family, or to one page."""

    SITE = "site"
    FAMILY = "family"
    PAGE = "page"


@dataclass(frozen=True)
class Edit(Shared):
    """A correction: the place, whether it is kept, its scope, who made it, when (UTC) and why.

    `family` identifies the family: by its name (`Cleaned.family`) until the edit is part of a template, and then by
    texts of its pages (`Family.sketch`). `page` is the URL or name of the only page that the edit applies to. Both are
    None for other edits. `id` is short and never changes.
    """

    path: str
    keep: bool
    scope: Scope = Scope.SITE
    family: str | None = None
    by: str = ""
    at: str = ""
    why: str = ""
    id: str = ""
    page: str | None = None
    column: str = ""
    """The name of a column of tables, for an edit of a column. Its path, the whole page, then means nothing."""
    name: str = ""
    """The new name of the column; "" to keep its name."""

    @classmethod
    def of_column(cls, column: str, *, keep: bool = True, name: str = "", by: str = "", why: str = "") -> Self:
        """Makes an edit of a column: drops it, keeps it after all, or gives it another name."""
        if not column.strip() or (name and not name.isidentifier()):
            raise UsageError(f"{name or column!r:.80}: not a name for a column; give one word of letters, digits and _")
        edit = cls.new(_PAGE, keep=keep, by=by, why=why)
        said = f"{edit.id}\0{column}\0{name}"
        own = hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES).hexdigest()
        return replace(edit, column=_line(column), name=name, id=own)

    @classmethod
    def new(
        cls,
        path: str,
        *,
        keep: bool,
        scope: str = Scope.SITE,
        family: str | None = None,
        page: str | None = None,
        by: str = "",
        why: str = "",
    ) -> Self:
        """Makes an edit, dated now. `path` is a path or a kind (see `dehusk.page.places`).

        With the scope "family" it applies only to the pages of one family. Its name may be left out if there is only
        one. With the scope "page" it applies only to the `page` with this URL or name. Raises UsageError if the path is
        not a place, or the scope is unknown.
        """
        if not isinstance(path, str):
            raise UsageError(f"{path!r:.80}: not a place; give a CSS selector from the body down")
        if scope not in list(Scope):
            raise UsageError(f"{scope!r:.80}: an edit is for the site, for a family of its pages, or for a page")
        if (scope == Scope.PAGE) != (page is not None):
            wrong = "say which page" if page is None else f"a page is given, and the scope is {scope!r:.80}"
            raise UsageError(f"{wrong}; with scope='page', give the URL or name of the page, and else no page")
        if scope != Scope.FAMILY and family is not None:
            raise UsageError(f"a family is given, and the scope is {scope!r:.80}; leave it out, or say scope='family'")
        path = written(place_of(path))
        at = datetime.now(UTC).isoformat(timespec="seconds").removesuffix("+00:00")
        said = "\0".join([path, str(keep), scope, family or page or "", by, at, why])
        name = hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES).hexdigest()
        return cls(path, bool(keep), Scope(scope), family, _line(by), at, _line(why), name, page)

    def dated(self) -> Self:
        """Returns the edit as `new` makes it: checked, dated now, and with an id."""
        said = {"by": self.by, "why": self.why}
        return self.new(self.path, keep=self.keep, scope=self.scope, family=self.family, page=self.page, **said)

    @cached_property
    def place(self) -> Place:
        """The parsed path."""
        return place_of(self.path)

    @cached_property
    def _steps(self) -> tuple[str, ...]:
        return tuple(map(str, self.place))

    @cached_property
    def texts(self) -> frozenset[int]:
        """The hashes of texts that identify the family."""
        return frozenset(int(number, 16) for number in (self.family or "").split())

    def on(self, finder: Finder) -> list[Node]:
        """Returns the elements of a page at the place; none for an edit of a column."""
        return [] if self.column else finder.at(self.place, self._steps)

    @property
    def reason(self) -> str:
        """A description of the edit: what it does, who made it, when and why."""
        name = f" of {self.by}" if self.by else ""
        why = f": {self.why}" if self.why else ""
        return f"{'kept' if self.keep else 'removed'} by an edit{name}, {self.at[:10]}{why}"

    def same(self, other: "Edit") -> bool:
        """Returns whether another edit does the same to the same place."""
        if self.column or other.column:
            return (self.column, self.keep, self.name) == (other.column, other.keep, other.name)
        ours, theirs = ((edit.path, edit.keep, edit.family, edit.page) for edit in (self, other))
        return ours == theirs

    def to_json(self) -> dict[str, Any]:
        """Returns the edit as in a template file. `family` may be "", if its pages share no text."""
        said = asdict(self).items()
        return {name: value for name, value in said if value is not None and (value != "" or name == "family")}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the output of `to_json`. Raises LookupError, TypeError, ValueError or UsageError for anything else."""
        if type(data["keep"]) is not bool:
            raise TypeError("keep is neither true nor false")
        said = {"family": None, "by": "", "at": "", "why": "", "column": "", "name": "", **data}
        family = None if said["family"] is None else fields.text(said, "family")
        texts = {name: _line(fields.text(said, name)) for name in ("by", "at", "why", "id", "column", "name")}
        path = written(place_of(fields.text(data, "path")))
        page = fields.text(data, "page") if "page" in data else None
        edit = cls(path, data["keep"], Scope(fields.text(data, "scope")), family, **texts, page=page)
        if (edit.scope is Scope.FAMILY) != (family is not None) or not _SKETCH.fullmatch(family or ""):
            raise ValueError("scope and family do not agree, or the family is not valid")
        if (edit.scope is Scope.PAGE) != (page is not None):
            raise ValueError("scope and page do not agree")
        return edit


def from_list(data: object) -> tuple[Edit, ...]:
    """Reads a list of edits. Raises the same errors as `Edit.from_json`."""
    if not isinstance(data, list) or len(data) > MOST_EDITS:
        raise TypeError("not a list of edits, or too long")
    return tuple(map(Edit.from_json, data))


def added(edits: Iterable[Edit], new: Edit) -> tuple[Edit, ...]:
    """Returns the edits with another one at the end, which replaces an earlier one that does the same."""
    others = tuple(edit for edit in edits if not edit.same(new))
    if len(others) >= MOST_EDITS:
        raise UsageError(f"there are {MOST_EDITS} edits, which is the limit; undo some, or name a place above them")
    return (*others, new)


def without(edits: Sequence[Edit], name: str) -> tuple[Edit, ...]:
    """Returns the edits without the one with this id. Raises UsageError if there is none."""
    left = tuple(edit for edit in edits if edit.id != name)
    if len(left) == len(edits):
        has = ", ".join([*(edit.id for edit in edits[:10]), *(["..."] if len(edits) > 10 else [])])
        raise UsageError(f"no edit {name}; " + (f"there are {has}" if has else "there are no edits"))
    return left


class PageEdits(Shared):
    """The edits whose places are on a page, by node."""

    def __init__(self, page: Page, edits: Iterable[Edit]) -> None:
        """Of several edits of a node, the last one counts."""
        finder = Finder(page)
        self._page = page
        self._by_node = {node: edit for edit in edits for node in edit.on(finder)}

    def __bool__(self) -> bool:
        return bool(self._by_node)

    def over(self, gone: Sequence[Node]) -> list[Node]:
        """Returns the topmost nodes to remove. `gone` are those to remove without edits."""
        return corrected(self._page.root(), gone, {node: edit.keep for node, edit in self._by_node.items()})

    def nearest(self, number: int) -> Edit | None:
        """Returns the edit of a node of the tree, or of its nearest edited ancestor; None if there is none."""
        named = (node for node in (number, *self._page.tree.ancestors(number)) if node in self._by_number)
        return next((self._by_number[node] for node in named), None)

    @cached_property
    def _by_number(self) -> dict[int, Edit]:
        numbers = self._page.numbers
        return {numbers[node]: edit for node, edit in self._by_node.items()}


def _line(text: str) -> str:
    """Returns a text on one line, without control characters for terminals."""
    return "".join(filter(str.isprintable, " ".join(text.split())))
