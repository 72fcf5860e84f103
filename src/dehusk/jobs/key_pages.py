"""The template of one page (the key page), found by comparing it with pages that it links to."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from dehusk import methods
from dehusk.base.errors import SourceError, UsageError
from dehusk.base.files import reason
from dehusk.base.urls import on_the_web
from dehusk.methods import etdm
from dehusk.page import Page, unusable
from dehusk.sources.web.fetching import Fetching
from dehusk.templates.families import signature
from dehusk.templates.links import LIMIT, SIZE, Load, PageFolder, complete_subdigraph, over
from dehusk.templates.template import Family, Template


def by_votes(pages: Sequence[Page], votes: int = etdm.VOTES) -> Template:
    """Learns the template of the first page from the votes of the others (TeMex)."""
    method = methods.method("etdm")
    rules = method.learn(pages, **method.check({"key": pages[0], "votes": votes})).rules
    return Template(method.name, (Family(signature(pages), rules),), len(pages))


@dataclass(frozen=True, slots=True)
class LinkedTemplate:
    """A template found through the links of a key page, with statistics."""

    template: Template
    pages: Sequence[Page]
    """The key page, followed by the pages it was compared with."""
    loaded: int
    failed: int
    """Number of links that could not be loaded as pages."""

    @property
    def key(self) -> Page:
        """The key page."""
        return self.pages[0]

    @property
    def share_removed(self) -> float:
        """The share of the key page's text that is template, from 0 to 1."""
        return self.template.mark(self.key).share_removed

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings from cleaning the key page."""
        return self.template.mark(self.key).warnings


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPage:
    """A page whose template is wanted, and options for finding pages to compare it with."""

    place: str
    """A URL, or a file whose links lead to other files."""
    root: Path | None = None
    """Only files in this folder are read. None: the folder of the page."""
    size: int = SIZE
    """Number of pages to compare it with."""
    votes: int = etdm.VOTES
    """A node that is on at least this many of them is template."""
    limit: int = LIMIT
    """Maximum number of links to follow."""
    fetching: Fetching = field(default_factory=Fetching)

    @property
    def on_the_web(self) -> bool:
        """Whether pages are fetched from the web."""
        return on_the_web(self.place)

    def find(self) -> LinkedTemplate:
        """Follows links until enough pages link to each other, then learns the template of the key page from them."""
        with ExitStack() as stack:
            key, load = self._fetched(stack) if self.on_the_web else self._saved()
            linked = complete_subdigraph(key, load, size=self.size, limit=self.limit)
        if not linked.pages:
            raise SourceError(f"{self.place}: no link leads to another page{self._advice()}")
        pages = [key, *linked.pages]
        if not self.on_the_web:  # files had URLs only to resolve their links
            pages = [Page(page.html, name=page.name) for page in pages]
        return LinkedTemplate(by_votes(pages, self.votes), pages, linked.loaded, linked.failed)

    @property
    def folder(self) -> Path:
        """The folder to which reading files is restricted."""
        return self.root or Path(self.place).parent

    def _fetched(self, stack: ExitStack) -> tuple[Page, Load]:
        """Returns the key page from the web, and a loader for its links."""
        if self.root:
            raise UsageError(f"--root is for files; {self.place} is a URL")
        fetcher = stack.enter_context(self.fetching.open())
        return fetcher.fetch(self.place), over(fetcher.fetch)

    def _saved(self) -> tuple[Page, Load]:
        """Returns the key page from a file, and a loader for the files that it links to."""
        if "://" in self.place:
            raise UsageError(f"{self.place}: only http and https are fetched")
        file, folder = Path(self.place), PageFolder(self.folder)
        address = folder.url(file)
        if address is None:
            raise UsageError(f"{file} is not inside {self.folder}; give a --root that holds it")
        if file.is_dir():
            raise UsageError(f"{file} is a folder; name the page in it whose template you want")
        try:
            data = file.read_bytes()
        except OSError as error:
            raise SourceError(f"cannot read {file}: {reason(error)}") from error
        if why := unusable(data):
            raise SourceError(f"{file}: {why}; give an HTML page")
        name = file.resolve().relative_to(self.folder.resolve()).as_posix()
        return Page(data, url=address, name=name), folder

    def _advice(self) -> str:
        if self.on_the_web:
            return " of its host that can be fetched; start from a page with a menu"
        return f" in {self.folder}; give the folder of the whole site with --root"
