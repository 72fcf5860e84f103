"""What the answers of a worker share: its files, and the templates and pages in them."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from dehusk.base.errors import DehuskError, did_you_mean
from dehusk.core import Learning, columned
from dehusk.jobs.store import Store
from dehusk.methods import DEFAULT, typed_method
from dehusk.page import Page
from dehusk.server import _bodies as bodies
from dehusk.server import _models as models
from dehusk.server._replies import RECENT, Recent, called, name_of, page_of
from dehusk.server._shelf import Shelf
from dehusk.server.catalogue import Catalogue, beside
from dehusk.server.snapshots import Snapshots
from dehusk.server.viewer.page_views import Beside
from dehusk.tables.records import Tables
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Template


class MissingError(DehuskError):
    """The site, page, version or correction does not exist."""


@dataclass(frozen=True, slots=True)
class ServiceFiles:
    """The files of a service. `folders` maps sites to the folders they were learned from, which have style sheets."""

    store: Path
    snapshots: Snapshots
    folders: Mapping[str, Path] = field(default_factory=dict)


class Desk:
    """Where a worker answers requests, one at a time, with an open store."""

    def __init__(self, files: ServiceFiles) -> None:
        self.store = Store(files.store)
        self.snapshots = files.snapshots
        self.beside = {site: Beside(folder) for site, folder in files.folders.items()}
        self.shelf = Shelf(self.store, Catalogue(beside(files.store)))
        self._columns = OrderedDict[tuple[str, str], tuple[Tables, ...]]()
        self._relearned = Recent[tuple[str, str | None, str | None], Template]()

    def cleaned(self, asked: bodies.Written) -> tuple[Cleaned, str, Template | None]:
        """Cleans the page of a request; returns also its site, and the template if the store has one."""
        page = page_of(asked.html, asked.url)
        site, template = self.template(page, asked.site)
        return (template or Learning().learn([page])).clean(page, writing=asked.writing), site, template

    def template(self, page: Page, given: str | None) -> tuple[str, Template | None]:
        """The site of a page, and its template if the store has one. A `given` site must exist."""
        if given is not None:
            return name_of(given), self.store.template(self.known(given))
        site = site_of(page, self.store.by)
        return site, self.store.latest(site) if site else None

    def by(self, template: Template, method: str | None, grain: str | None) -> Template:
        """The template that another method or grain learns from the sample of a site."""
        if not method and not grain:
            return template

        def relearned() -> Template:
            pages = self.store.pages(template.site)
            learned = learning(method, grain).learn(pages, template.site, self.store.by)
            return replace(learned, edits=template.edits)

        return self._relearned.of((template.site, method, grain), template, relearned)

    def with_columns(self, name: str, method: str | None, grain: str | None) -> Template:
        """The template of a site by a method and grain, with the columns of its tables.

        They are learned from the sample of the site, if the store has none, and not again when only a name changes.
        """
        template, way = self.by(self.store.template(name), method, grain), (name, self.way(name, method, grain))
        known = self._columns.pop(way, None)
        if known is None:
            learned = columned(template, list(self.store.pages(name)))
            known = tuple(family.tables for family in learned.families)
        self._columns[way] = known
        if len(self._columns) > RECENT:
            self._columns.popitem(last=False)
        families = zip(template.families, known, strict=True)
        return replace(template, families=tuple(replace(family, tables=tables) for family, tables in families))

    def way(self, name: str, method: str | None, grain: str | None) -> str:
        """A name of what the tables of a site depend on."""
        return f"{self.shelf.key(name)} {method or ''} {grain or ''}"

    def page(self, name: str, key: str) -> Page:
        """A page of a site by its id. Raises MissingError if there is none."""
        page = self.shelf.page(name, key)
        if page is None:
            raise MissingError(f"{key}: no such page of {called(name)}; list its pages")
        return page

    def known(self, site: str) -> str:
        """The store's name of a site; raises MissingError if the store does not have it."""
        name = name_of(site)
        if name not in self.store:
            sites = [called(name) for name in self.store.sites()]
            raise MissingError(f"no template for {site}; learn it first{did_you_mean(site, sites)}")
        return name

    def summary(self, name: str) -> models.SiteOut:
        """A site with figures of its template."""
        template, versions = self.store.template(name), self.store.versions(name)
        return models.SiteOut(
            site=called(name),
            name=next(iter(template.habits.names), called(name)),
            pages=len(self.shelf.listed(name)),
            learned_from=template.pages - len(template.outliers),
            families=len(template.families),
            method=template.method,
            edits=len(template.edits),
            versions=len(versions),
            learned=versions[-1].learned,
        )


def learning(method: str | None, grain: str | None) -> Learning:
    """The `Learning` that a request asks for. Requests must not name local files."""
    chosen, (options, _) = typed_method(method or DEFAULT, files=False)
    return Learning(chosen.name, options=options | ({"grain": grain} if grain else {}))
