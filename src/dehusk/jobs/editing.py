"""The corrections of one site: in its template file, or in a store."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dehusk.base.errors import SourceError, UsageError
from dehusk.base.files import held
from dehusk.jobs.store import Store
from dehusk.marking.edits import Edit
from dehusk.page import Page
from dehusk.sources import Reading, open_source, pages_of
from dehusk.sources.web.fetching import Fetching
from dehusk.templates.site_names import site_of
from dehusk.templates.template import PageLike, Template, load


class Editable(Protocol):
    """Where the template of a site is, and the corrections that a person made."""

    def template(self) -> Template:
        """The template as it is now, with all edits."""

    def edit(self, edit: Edit) -> Edit:
        """Adds an edit, and gives it as the template has it: see `Template.edited`."""

    def undo(self, name: str) -> None:
        """Takes the edit of this id back."""

    def sample(self) -> Iterator[Page] | None:
        """The pages that the template was learned from; None where they were not kept."""


@dataclass(frozen=True, slots=True)
class InFile:
    """The template of a file."""

    path: Path

    def template(self) -> Template:
        """What is in the file."""
        if self.path.is_dir():
            raise UsageError(f"{self.path} has the templates of several sites; name the file of one of them")
        return load(self.path)

    def edit(self, edit: Edit) -> Edit:
        """Writes the file again, with one more edit."""
        with held(self.path):
            edited = self.template().edited(edit)
            edited.save(self.path)
        return edited.edits[-1]

    def undo(self, name: str) -> None:
        """Writes the file again, without this edit."""
        with held(self.path):
            self.template().without_edit(name).save(self.path)

    def sample(self) -> None:
        """A file has no pages."""


class InStore(AbstractContextManager["InStore"]):
    """The newest template of a site in a store."""

    def __init__(self, path: Path, site: str) -> None:
        self._store = Store(path, create=False)
        self._site = site

    def template(self) -> Template:
        """What is in the store."""
        return self._store.template(self._site)

    def edit(self, edit: Edit) -> Edit:
        """Adds an edit of the site."""
        return self._store.edit(self._site, edit)

    def undo(self, name: str) -> None:
        """Takes an edit of the site back."""
        self._store.undo(self._site, name)

    def sample(self) -> Iterator[Page]:
        """The pages in the store."""
        return self._store.pages(self._site)

    def __exit__(self, *_: object) -> None:
        self._store.close()


@dataclass(frozen=True, slots=True)
class Checked:
    """How many pages were looked at, and on how many of them each edit found its place, by its id."""

    pages: int
    pages_with: Counter[str]


def check(template: Template, pages: Iterable[PageLike]) -> Checked:
    """Looks for the places of all edits on some pages."""
    pages_with: Counter[str] = Counter()
    number = 0
    for page in pages:
        number += 1
        pages_with.update(edit.id for edit in template.edits_on(page))
    return Checked(number, pages_with)


def pages_for(template: Template, places: Iterable[str], fetching: Fetching) -> Iterator[Page]:
    """The pages of some places that are of the template's site. Raises SourceError where there is none."""
    none = True
    with ExitStack() as stack:
        reading = Reading(fetcher=lambda: stack.enter_context(fetching.open()))
        for page in pages_of(open_source(list(places), reading)):
            if not template.site or site_of(page, template.by) in ("", template.site):
                none = False
                yield page
    if none:
        raise SourceError(f"no page of the site {template.site}; give pages that the template is for")
