"""Edits of one site, in its template file or in a store."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dehusk.base.errors import Skipped, SourceError, UsageError, did_you_mean
from dehusk.base.files import held
from dehusk.jobs.clock import in_time
from dehusk.jobs.store import Store
from dehusk.marking.edits import Edit
from dehusk.page import Page
from dehusk.sources import Reading, open_source, pages_of
from dehusk.sources.web.fetching import Fetching
from dehusk.tables.records import is_free
from dehusk.templates.site_names import site_of
from dehusk.templates.template import PageLike, Template, load


class Editable(Protocol):
    """A stored template that can be edited."""

    def template(self) -> Template:
        """Returns the current template, with all edits."""

    def edit(self, edit: Edit) -> Edit:
        """Adds an edit; returns it as the template stores it: see `Template.edited`."""

    def undo(self, name: str) -> None:
        """Removes the edit with this id."""

    def sample(self) -> Iterator[Page] | None:
        """Yields the pages that the template was learned from; None if they are not stored."""


@dataclass(frozen=True, slots=True)
class InFile:
    """A template in a file."""

    path: Path

    def template(self) -> Template:
        """Loads the file."""
        if self.path.is_dir():
            raise UsageError(f"{self.path} has the templates of several sites; name the file of one of them")
        return load(self.path)

    def edit(self, edit: Edit) -> Edit:
        """Rewrites the file with one more edit."""
        with held(self.path):
            edited = self.template().edited(edit)
            edited.save(self.path)
        return edited.edits[-1]

    def undo(self, name: str) -> None:
        """Rewrites the file without this edit."""
        with held(self.path):
            self.template().without_edit(name).save(self.path)

    def sample(self) -> None:
        """Returns None: a template file has no pages."""


class InStore(AbstractContextManager["InStore"]):
    """The newest template of a site in a store."""

    def __init__(self, path: Path, site: str) -> None:
        self._store = Store(path, create=False)
        self._site = site

    def template(self) -> Template:
        """Returns the template from the store."""
        return self._store.template(self._site)

    def edit(self, edit: Edit) -> Edit:
        """Adds an edit to the site."""
        return self._store.edit(self._site, edit)

    def undo(self, name: str) -> None:
        """Removes an edit of the site."""
        self._store.undo(self._site, name)

    def sample(self) -> Iterator[Page]:
        """Yields the sampled pages of the site."""
        return self._store.pages(self._site)

    def __exit__(self, *_: object) -> None:
        self._store.close()


def column_edit(
    template: Template, column: str, *, keep: bool = True, name: str = "", by: str = "", why: str = ""
) -> Edit:
    """Makes an edit of a column that a template has. `column` is its name now, or when it was learned.

    Raises UsageError if there is no such column, or another one has the new `name`.
    """
    edits = [edit for edit in template.edits if edit.column]
    tables = [table.columns for family in template.families for table in family.tables.tables]
    names = [one.name for columns in tables for one in columns] + [edit.name for edit in edits if edit.name]
    if column not in names:
        known = did_you_mean(column, names) or "; dehusk table SOURCE --columns lists them"
        raise UsageError(f"the template has no column {column}{known}")
    if name and not all(is_free(name, column, columns, edits) for columns in tables):
        raise UsageError(f"{name} is the name of another column; choose another name")
    return Edit.of_column(column, keep=keep, name=name, by=by, why=why)


@dataclass(frozen=True, slots=True)
class Checked:
    """How many pages were checked, and on how many of them each edit applies, by its id."""

    pages: int
    pages_with: Counter[str]


def check(template: Template, pages: Iterable[PageLike]) -> Checked:
    """Counts the pages to which each edit applies."""
    pages_with: Counter[str] = Counter()
    number = 0
    for page in pages:
        number += 1
        pages_with.update(edit.id for edit in template.edits_on(page))
    return Checked(number, pages_with)


def read_within(
    template: Template, pages: Iterable[Page], seconds: float, skipped: Callable[[Skipped], object]
) -> Iterator[Page]:
    """Yields pages that are parsed and marked, so that finding places on them is quick. Skips those that take longer.

    `seconds` is of processor time; 0 for no limit.
    """
    return in_time(pages, seconds, lambda page: template.mark(page).flags, skipped)


def pages_for(template: Template, places: Iterable[str], fetching: Fetching) -> Iterator[Page]:
    """Yields the pages of the template's site from some sources. Raises SourceError if there are none."""
    none = True
    with ExitStack() as stack:
        reading = Reading(fetcher=lambda: stack.enter_context(fetching.open()))
        for page in pages_of(open_source(list(places), reading)):
            if not template.site or site_of(page, template.by) in ("", template.site):
                none = False
                yield page
    if none:
        raise SourceError(f"no page of the site {template.site}; give pages that the template is for")
