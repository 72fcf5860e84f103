"""The template of one page, found through its links: pages that link to each other are loaded, and compared with it."""

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


@dataclass(frozen=True, slots=True)
class LinkedTemplate:
    """A template found through the links of a key page, and what it took."""

    template: Template
    pages: Sequence[Page]
    """The key page, then the pages that it was compared with."""
    loaded: int
    failed: int
    """Links that led to no page."""

    @property
    def key(self) -> Page:
        """The page that the template is of."""
        return self.pages[0]

    @property
    def share_removed(self) -> float:
        """How much of the key page's text is template, from 0 to 1."""
        return self.template.mark(self.key).share_removed

    @property
    def warnings(self) -> Sequence[str]:
        """What a person should know about the key page's cleaning."""
        return self.template.mark(self.key).warnings


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPage:
    """A page whose template is wanted, and how to look for pages to compare it with."""

    place: str
    """A URL, or a file whose links lead to other files."""
    root: Path | None = None
    """No file outside this folder is read. None: the folder of the page."""
    size: int = SIZE
    """Pages to compare it with."""
    votes: int = etdm.VOTES
    """What is on at least this many of them is template."""
    limit: int = LIMIT
    """Links to follow at most."""
    fetching: Fetching = field(default_factory=Fetching)

    @property
    def on_the_web(self) -> bool:
        """Whether pages are fetched."""
        return on_the_web(self.place)

    def find(self) -> LinkedTemplate:
        """Follows links until enough pages link to each other, and learns from them the template of the key page."""
        with ExitStack() as stack:
            key, load = self._fetched(stack) if self.on_the_web else self._saved()
            linked = complete_subdigraph(key, load, size=self.size, limit=self.limit)
        if not linked.pages:
            raise SourceError(f"{self.place}: no link leads to another page{self._advice()}")
        pages = [key, *linked.pages]
        if not self.on_the_web:  # files were given addresses only to resolve their links
            pages = [Page(page.html, name=page.name) for page in pages]
        method = methods.method("etdm")
        rules = method.learn(pages, **method.check({"key": pages[0], "votes": self.votes})).rules
        template = Template(method.name, (Family(signature(pages), rules),), len(pages))
        return LinkedTemplate(template, pages, linked.loaded, linked.failed)

    @property
    def folder(self) -> Path:
        """The folder outside which no file is read."""
        return self.root or Path(self.place).parent

    def _fetched(self, stack: ExitStack) -> tuple[Page, Load]:
        """The key page from the web, and a loader for its links."""
        if self.root:
            raise UsageError(f"--root is for files; {self.place} is a URL")
        fetcher = stack.enter_context(self.fetching.open())
        return fetcher.fetch(self.place), over(fetcher.fetch)

    def _saved(self) -> tuple[Page, Load]:
        """The key page from a file, and a loader for the files its links lead to."""
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
