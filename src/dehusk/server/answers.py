"""The request handlers of the service, independent of HTTP.

They run in worker processes (see `_work`), each with a `Desk`. To add one, write a method of `Desk` with the signature
of the route, and add a line to `QUESTIONS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import inf
from pathlib import Path

from pydantic import BaseModel

from dehusk.base.errors import DehuskError, UsageError, did_you_mean
from dehusk.base.urls import normal
from dehusk.comparing import diff
from dehusk.core import Learning
from dehusk.jobs.key_pages import by_votes
from dehusk.jobs.store import Store
from dehusk.jobs.tables import item_table, table
from dehusk.marking.edits import Edit
from dehusk.methods import DEFAULT, typed_method
from dehusk.methods.etdm import VOTES
from dehusk.page import Page
from dehusk.server import _models as models
from dehusk.server._correcting import effects, exported, reach
from dehusk.server._replies import (
    Recent,
    called,
    changes_of,
    column_out,
    edit_of,
    name_of,
    page_of,
    used,
    view_of,
)
from dehusk.server._shelf import Shelf
from dehusk.server.catalogue import Catalogue, Listed, beside
from dehusk.server.snapshots import Snapshots
from dehusk.server.viewer.page_views import MOST_SEARCHED, Beside, edited_texts
from dehusk.templates.cleaned import MEASURES, Cleaned
from dehusk.templates.drift import state_of
from dehusk.templates.links import among, candidates, complete_subdigraph
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Template

QUICK = 0.1
"""How long the pages of a list are measured if it is asked for without measures, in seconds.

It is enough for all pages of a small site: a page takes 2 to 10 ms.
"""

_NOT_SAVED = "method: a template by votes is of one page and is not saved; leave out save, or leave out method"
_NO_VOTES = "pages: none of them can vote; send pages of the same site that the page links to"


class MissingError(DehuskError):
    """The site, page or correction does not exist."""


@dataclass(frozen=True, slots=True)
class ServiceFiles:
    """The files of a service. `folders` maps sites to the folders they were learned from, which have style sheets."""

    store: Path
    snapshots: Snapshots
    folders: Mapping[str, Path] = field(default_factory=dict)


class Desk:
    """Handles requests, one at a time, with an open store."""

    def __init__(self, files: ServiceFiles) -> None:
        self._store = Store(files.store)
        self._snapshots = files.snapshots
        self._sheets = {site: Beside(folder) for site, folder in files.folders.items()}
        self._shelf = Shelf(self._store, Catalogue(beside(files.store)))
        self._relearned = Recent[tuple[str, str | None, str | None], Template]()

    def sites(
        self, query: models.Looked = "", offset: models.Offset = 0, limit: models.Limit = 200
    ) -> list[models.SiteOut]:
        """The sites in the store, sorted by name."""
        matching = (site for site in self._store.sites() if query.casefold() in called(site))
        return [self._summary(site) for site in islice(matching, offset, offset + limit)]

    def learn(self, asked: models.Learn) -> list[models.SiteOut]:
        """Adds pages to the store and learns from them; returns their sites."""
        pages = [page_of(page.html, page.url, page.name) for page in asked.pages]
        site = None if asked.site is None else name_of(asked.site)
        names = {site} if site is not None else {site_of(page, self._store.by) for page in pages}
        self._store.add(pages, update=asked.update, site=None if site is None else lambda _: site)
        return [self._summary(name) for name in sorted(names)]

    def table(self, asked: models.MakeTable) -> list[models.TableOut]:
        """Returns what differs between pages as tables, that with most rows first."""
        pages = [page_of(page.html, page.url, page.name) for page in asked.pages]
        first = item_table(pages) if asked.rows == "items" else table(pages)
        return [
            models.TableOut(
                family=one.family,
                columns=[models.ColumnOut(**column_out(column)) for column in one.columns],
                rows=one.rows,
            )
            for one in (first, *first.others)
        ]

    def clean(self, asked: models.Clean) -> models.CleanedOut:
        """Returns a page without its template."""
        asked.writing.check(asked.format)
        cleaned, site, template = self._cleaned(asked)
        row = cleaned.to_dict((asked.format, *MEASURES), site=site)
        return models.CleanedOut(**row, template=used(site, template))

    def chunks(self, asked: models.Chunks) -> models.ChunksOut:
        """Returns the content of a page in chunks for search and retrieval."""
        cleaned, site, template = self._cleaned(asked)
        found = cleaned.chunks(asked.size, markdown=asked.format == "markdown")
        return models.ChunksOut(chunks=found, template=used(site, template))

    def links(self, asked: models.Links) -> models.LinksOut:
        """Returns the links of a page, each with the role of the part it is in."""
        cleaned, site, template = self._cleaned(asked)
        return models.LinksOut(links=cleaned.links, template=used(site, template))

    def check(self, asked: models.CheckPages) -> models.StateOut:
        """Returns whether the template of a site still holds for these pages."""
        pages = [page_of(page.html, page.url, page.name) for page in asked.pages]
        site, template = self._template(pages[0], asked.site)
        if template is None:
            raise UsageError(f"{called(site)} has no template; learn it first")
        return models.StateOut(state_of(template, pages, site))

    def _cleaned(self, asked: models.Clean | models.Chunks | models.Links) -> tuple[Cleaned, str, Template | None]:
        page = page_of(asked.html, asked.url)
        site, template = self._template(page, asked.site)
        return (template or Learning().learn([page])).clean(page, writing=asked.writing), site, template

    def mark(self, asked: models.MarkRequest) -> models.PageView:
        """Returns a page to view: what is removed, what is kept, and why."""
        page = page_of(asked.html, asked.url)
        site, template = self._template(page, asked.site)
        if template is None:
            shown = _learning(asked.method, asked.grain).learn([page])
        else:
            shown = self._by(site, template, asked.method, asked.grain)
        for trial in asked.trial:
            family = shown.clean(page).family if trial.scope == "family" else None
            own = page.name if trial.scope == "page" else None
            shown = shown.edited(Edit.new(trial.path, keep=trial.keep, scope=trial.scope, family=family, page=own))
        return view_of(shown.clean(page), site, used(site, template))

    def candidates(self, asked: models.Candidates) -> models.UrlsOut:
        """Returns links of a page that may lead to pages with the same template, the best first."""
        return models.UrlsOut(urls=candidates(page_of(asked.html, asked.url), asked.limit))

    def template(self, asked: models.FindTemplate) -> models.TemplateView:
        """Finds the template of a page by comparing it with pages that it links to."""
        key = page_of(asked.html, asked.url)
        given = [page_of(page.html, page.url, page.name) for page in asked.pages]
        followed = complete_subdigraph(key, among(given))
        linked, by_vote = followed.pages, asked.method == "etdm"
        if by_vote and (asked.save or not linked):
            raise UsageError(_NOT_SAVED if asked.save else _NO_VOTES)
        pages, site = [key, *linked], site_of(key, self._store.by)
        if asked.save:
            self._store.add(pages, site=lambda _: site)
            template = self._store.template(site)
        else:
            learned = by_votes(pages) if by_vote else Learning().learn(pages, site, self._store.by)
            template = replace(learned, edits=self._store.edits(site))
        view = view_of(template.clean(key), site, called(site) if linked or asked.save else None)
        return models.TemplateView(
            **view.model_dump(),
            chosen=[page.url or "" for page in linked],
            loaded=followed.loaded,
            votes=min(VOTES, len(linked)) if by_vote else None,
        )

    def diff(self, asked: models.Compare) -> models.DiffOut:
        """Returns what changed between two versions of a page."""
        old, new = page_of(asked.old, asked.url), page_of(asked.new, asked.url)
        site, template = self._template(new, asked.site)
        compared = diff(old, new, template)
        changes = changes_of(compared)
        content = sum(not change.husk for change in changes)
        return models.DiffOut(
            verdict=compared.verdict,
            template=used(site, template),
            content=content,
            husk=len(changes) - content,
            changes=changes,
        )

    def visit(self, asked: models.VisitRequest) -> models.VisitOut:
        """Returns what changed on a page since the last visit. Saves this visit, unless it is private."""
        address = normal(asked.url)
        if address is None:
            raise UsageError("url: not an http or https URL")
        page = page_of(asked.html, address)
        site, template = self._template(page, None)
        seen = self._snapshots.visit(page, template, private=asked.private)
        return models.VisitOut(
            first=seen.diff is None,
            since=seen.since,
            kept=seen.kept,
            verdict=seen.diff.verdict if seen.diff else None,
            template=used(site, template),
            changes=changes_of(seen.diff) if seen.diff else [],
        )

    def snapshots(self) -> list[models.Snapshot]:
        """The saved snapshots, the newest first."""
        return [models.Snapshot(url=kept.name, seen=kept.seen, size=kept.size) for kept in self._snapshots.listed()]

    def forget(self, url: models.Address | None = None) -> models.Forgotten:
        """Deletes the snapshot of a URL, or all snapshots."""
        return models.Forgotten(deleted=self._snapshots.forget(None if url is None else normal(url) or url))

    def pages(
        self,
        site: models.Site,
        query: models.Looked = "",
        offset: models.Offset = 0,
        limit: models.Limit = 100,
        method: models.MethodName | None = None,
        grain: models.Grain | None = None,
        measured: bool = True,
    ) -> models.PageList:
        """The pages of a site, optionally by another method or grain. Outliers come first.

        With `measured=false` this is quick for any number of pages: they are sorted by name, and figures of pages that
        were not measured yet are null. `measures` then measures them, some at a time.
        """
        name, wanted = self._known(site), query.casefold()
        rows = self._rows(name, self._shelf.listed(name), method, grain, inf if measured else QUICK)
        if measured:
            rows.sort(key=lambda row: (not row.outlier, row.fit or 0, -(row.share_removed or 0), row.name))
        rows = [row for row in rows if wanted in f"{row.title or ''} {row.name}".casefold()]
        return models.PageList(total=len(rows), missing=self._shelf.missing(name), pages=rows[offset : offset + limit])

    def measures(
        self,
        site: models.Site,
        offset: models.Offset = 0,
        limit: models.Limit = 20,
        method: models.MethodName | None = None,
        grain: models.Grain | None = None,
    ) -> models.PageList:
        """Measures some pages of a site, in the order of their names."""
        name = self._known(site)
        listed = self._shelf.listed(name)
        rows = self._rows(name, listed[offset : offset + limit], method, grain)
        return models.PageList(total=len(listed), missing=self._shelf.missing(name), pages=rows)

    def page(
        self, site: models.Site, page: str, method: models.MethodName | None = None, grain: models.Grain | None = None
    ) -> models.PageView:
        """Returns a page of a site to view, optionally by another method or grain."""
        name = self._known(site)
        template = self._by(site, self._store.template(name), method, grain)
        sampled = self._sampled(name, page)
        sheets = self._sheets[name].of(sampled.name) if name in self._sheets else self._shelf.sheets(sampled)
        return view_of(template.clean(sampled), name, called(name), sheets)

    def edits(self, site: models.Site) -> list[models.EditOut]:
        """The corrections of a site, the oldest first."""
        name = self._known(site)
        return self._told(name, self._store.template(name).edits)

    def edit(self, site: models.Site, asked: models.Correct) -> models.EditOut:
        """Saves a correction of a site. It applies to all versions of its template."""
        name = self._known(site)
        return self._told(name, [self._store.edit(name, self._correction(name, asked))])[0]

    def undo(self, site: models.Site, edit: str) -> models.Forgotten:
        """Undoes a correction."""
        name = self._known(site)
        if edit not in {saved.id for saved in self._store.edits(name)}:
            raise MissingError(f"no edit {edit} of {site}; list its edits")
        self._store.undo(name, edit)
        return models.Forgotten(deleted=1)

    def preview(self, site: models.Site, asked: models.Preview) -> list[models.Effect]:
        """Returns the effect of a correction on three other pages of the site."""
        name = self._known(site)
        template = self._store.template(name)
        others = (page for page in self._store.pages(name) if page.digest != asked.page)
        return effects(template, template.edited(self._correction(name, asked)), others)

    def reach(
        self, site: models.Site, asked: models.Preview, offset: models.Offset = 0, limit: models.Limit = 20
    ) -> models.Reach:
        """Counts on which of these pages of a site a correction finds its place, and of which it leaves nothing."""
        name = self._known(site)
        template, listed = self._store.template(name), self._shelf.listed(name)
        keys = [one.id for one in listed[offset : offset + limit]]
        pages, emptied = reach(
            template, template.edited(self._correction(name, asked)), (self._sampled(name, key) for key in keys)
        )
        return models.Reach(total=len(listed), looked=len(keys), pages=pages, emptied=emptied)

    def export(self, site: models.Site, form: models.Form) -> models.Exported:
        """A template for other programs: a template file, a style sheet, or a site config that wallabag reads."""
        name = self._known(site)
        return exported(self._store.template(name), self._store.pages(name), called(name), form)

    def _told(self, name: str, edits: Sequence[Edit]) -> list[models.EditOut]:
        """Saved corrections, with the texts at their places."""
        template = self._store.template(name)
        named = {edit.page for edit in edits}
        own = (self._sampled(name, one.id) for one in self._shelf.listed(name) if one.name in named)
        said = edited_texts(edits, chain(own, islice(self._store.pages(name), MOST_SEARCHED)))
        return [edit_of(edit, template, said.get(edit.id, "")) for edit in edits]

    def _correction(self, name: str, asked: models.Preview) -> Edit:
        """The edit that a request asks for. Its family may be given by a page of the site."""
        family = asked.family if asked.scope == "family" else None
        if asked.scope == "page" and asked.page is None:
            raise UsageError("page: the id of the page is missing; give it, or another scope")
        page = None if asked.page is None or asked.scope == "site" else self._sampled(name, asked.page)
        if asked.scope == "family" and family is None and page is not None:
            family = self._store.template(name).clean(page).family
        said = {"by": asked.by, "why": asked.why} if isinstance(asked, models.Correct) else {}
        own = page.name if page is not None and asked.scope == "page" else None
        return Edit.new(asked.path, keep=asked.keep, scope=asked.scope, family=family, page=own, **said)

    def _rows(
        self, name: str, listed: Sequence[Listed], method: str | None, grain: str | None, seconds: float = inf
    ) -> list[models.PageRow]:
        template = self._by(called(name), self._store.template(name), method, grain)
        return self._shelf.rows(name, listed, template, f"{method or ''} {grain or ''}", seconds=seconds)

    def _sampled(self, name: str, key: str) -> Page:
        page = self._shelf.page(name, key)
        if page is None:
            raise MissingError(f"{key}: no such page of {called(name)}; list its pages")
        return page

    def _template(self, page: Page, given: str | None) -> tuple[str, Template | None]:
        """The site of a page, and its template if the store has one. A `given` site must exist."""
        if given is not None:
            return name_of(given), self._store.template(self._known(given))
        site = site_of(page, self._store.by)
        return site, self._store.latest(site) if site else None

    def _by(self, site: str, template: Template, method: str | None, grain: str | None) -> Template:
        """The template that another method or grain learns from the sample of a site."""
        if not method and not grain:
            return template

        def relearned() -> Template:
            pages = self._store.pages(template.site)
            learned = _learning(method, grain).learn(pages, template.site, self._store.by)
            return replace(learned, edits=template.edits)

        return self._relearned.of((site, method, grain), template, relearned)

    def _known(self, site: str) -> str:
        """The store's name of a site; raises MissingError if the store does not have it."""
        name = name_of(site)
        if name not in self._store:
            sites = [called(name) for name in self._store.sites()]
            raise MissingError(f"no template for {site}; learn it first{did_you_mean(site, sites)}")
        return name

    def _summary(self, name: str) -> models.SiteOut:
        template, versions = self._store.template(name), self._store.versions(name)
        return models.SiteOut(
            site=called(name),
            name=next(iter(template.habits.names), called(name)),
            pages=len(self._shelf.listed(name)),
            learned_from=template.pages - len(template.outliers),
            families=len(template.families),
            method=template.method,
            edits=len(template.edits),
            versions=len(versions),
            learned=versions[-1].learned,
        )


def _learning(method: str | None, grain: str | None) -> Learning:
    """The `Learning` that a request asks for. Requests must not name local files."""
    chosen, (options, _) = typed_method(method or DEFAULT, files=False)
    return Learning(chosen.name, options=options | ({"grain": grain} if grain else {}))


Answer = BaseModel | Sequence[BaseModel]


@dataclass(frozen=True, slots=True)
class Question:
    """A route of the service. The signature of `answer` defines its parameters, body and response."""

    method: str
    path: str
    answer: Callable[..., Answer]

    @property
    def name(self) -> str:
        """The name of the method that answers."""
        return self.answer.__name__


QUESTIONS: Mapping[str, Question] = {
    question.name: question
    for question in (
        Question("GET", "/sites", Desk.sites),
        Question("POST", "/learn", Desk.learn),
        Question("POST", "/clean", Desk.clean),
        Question("POST", "/chunks", Desk.chunks),
        Question("POST", "/links", Desk.links),
        Question("POST", "/check", Desk.check),
        Question("POST", "/table", Desk.table),
        Question("POST", "/mark", Desk.mark),
        Question("POST", "/candidates", Desk.candidates),
        Question("POST", "/template", Desk.template),
        Question("POST", "/diff", Desk.diff),
        Question("POST", "/visit", Desk.visit),
        Question("GET", "/snapshots", Desk.snapshots),
        Question("DELETE", "/snapshots", Desk.forget),
        Question("GET", "/sites/{site}/pages", Desk.pages),
        Question("GET", "/sites/{site}/measures", Desk.measures),
        Question("GET", "/sites/{site}/pages/{page}", Desk.page),
        Question("GET", "/sites/{site}/edits", Desk.edits),
        Question("POST", "/sites/{site}/edits", Desk.edit),
        Question("DELETE", "/sites/{site}/edits/{edit}", Desk.undo),
        Question("POST", "/sites/{site}/preview", Desk.preview),
        Question("POST", "/sites/{site}/reach", Desk.reach),
        Question("GET", "/sites/{site}/export", Desk.export),
    )
}
"""All routes, by name; the only list of them."""
