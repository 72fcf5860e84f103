"""Answers about pages that a request brings."""

from dataclasses import replace

from dehusk.base.errors import UsageError
from dehusk.base.urls import normal
from dehusk.comparing import diff as compared
from dehusk.core import Learning
from dehusk.jobs import tables
from dehusk.jobs.key_pages import by_votes
from dehusk.marking.edits import Edit
from dehusk.methods.etdm import VOTES
from dehusk.server import _bodies as bodies
from dehusk.server import _models as models
from dehusk.server._desk import Desk, learning
from dehusk.server._replies import called, changes_of, diff_of, name_of, page_of, used, view_of
from dehusk.server.viewer.page_views import column_out
from dehusk.templates import links as linked_pages
from dehusk.templates.cleaned import MEASURES
from dehusk.templates.drift import state_of
from dehusk.templates.site_names import site_of

_NOT_SAVED = "method: a template by votes is of one page and is not saved; leave out save, or leave out method"
_NO_VOTES = "pages: none of them can vote; send pages of the same site that the page links to"


def learn(desk: Desk, asked: bodies.Learn) -> list[models.SiteOut]:
    """Adds pages to the store and learns from them; returns their sites."""
    pages = [page_of(page.html, page.url, page.name) for page in asked.pages]
    site = None if asked.site is None else name_of(asked.site)
    names = {site} if site is not None else {site_of(page, desk.store.by) for page in pages}
    desk.store.add(pages, update=asked.update, site=None if site is None else lambda _: site)
    return [desk.summary(name) for name in sorted(names)]


def table(_: Desk, asked: bodies.MakeTable) -> list[models.TableOut]:
    """Returns what differs between pages as tables, that with most rows first."""
    pages = [page_of(page.html, page.url, page.name) for page in asked.pages]
    first = tables.item_table(pages) if asked.rows == "items" else tables.table(pages)
    return [
        models.TableOut(
            family=one.family,
            columns=[models.ColumnOut(**column_out(column)) for column in one.columns],
            rows=one.rows,
        )
        for one in (first, *first.others)
    ]


def clean(desk: Desk, asked: bodies.Clean) -> models.CleanedOut:
    """Returns a page without its template."""
    asked.writing.check(asked.format)
    cleaned, site, template = desk.cleaned(asked)
    row = cleaned.to_dict((asked.format, *MEASURES), site=site)
    return models.CleanedOut(**row, template=used(site, template))


def chunks(desk: Desk, asked: bodies.Chunks) -> models.ChunksOut:
    """Returns the content of a page in chunks for search and retrieval."""
    cleaned, site, template = desk.cleaned(asked)
    found = cleaned.chunks(asked.size, markdown=asked.format == "markdown")
    return models.ChunksOut(chunks=found, template=used(site, template))


def links(desk: Desk, asked: bodies.Links) -> models.LinksOut:
    """Returns the links of a page, each with the role of the part it is in."""
    cleaned, site, template = desk.cleaned(asked)
    return models.LinksOut(links=cleaned.links, template=used(site, template))


def check(desk: Desk, asked: bodies.CheckPages) -> models.StateOut:
    """Returns whether the template of a site still holds for these pages."""
    pages = [page_of(page.html, page.url, page.name) for page in asked.pages]
    site, template = desk.template(pages[0], asked.site)
    if template is None:
        raise UsageError(f"{called(site)} has no template; learn it first")
    return models.StateOut(state_of(template, pages, site))


def mark(desk: Desk, asked: bodies.MarkRequest) -> models.PageView:
    """Returns a page to view: what is removed, what is kept, and why."""
    page = page_of(asked.html, asked.url)
    site, template = desk.template(page, asked.site)
    if template is None:
        shown = learning(asked.method, asked.grain).learn([page])
    else:
        shown = desk.by(template, asked.method, asked.grain)
    for trial in asked.trial:
        family = shown.clean(page).family if trial.scope == "family" else None
        own = page.name if trial.scope == "page" else None
        shown = shown.edited(Edit.new(trial.path, keep=trial.keep, scope=trial.scope, family=family, page=own))
    return view_of(shown.clean(page), site, used(site, template))


def candidates(_: Desk, asked: bodies.Candidates) -> models.UrlsOut:
    """Returns links of a page that may lead to pages with the same template, the best first."""
    return models.UrlsOut(urls=linked_pages.candidates(page_of(asked.html, asked.url), asked.limit))


def template(desk: Desk, asked: bodies.FindTemplate) -> models.TemplateView:
    """Finds the template of a page by comparing it with pages that it links to."""
    key = page_of(asked.html, asked.url)
    given = [page_of(page.html, page.url, page.name) for page in asked.pages]
    followed = linked_pages.complete_subdigraph(key, linked_pages.among(given))
    linked, by_vote = followed.pages, asked.method == "etdm"
    if by_vote and (asked.save or not linked):
        raise UsageError(_NOT_SAVED if asked.save else _NO_VOTES)
    pages, site = [key, *linked], site_of(key, desk.store.by)
    if asked.save:
        desk.store.add(pages, site=lambda _: site)
        template = desk.store.template(site)
    else:
        learned = by_votes(pages) if by_vote else Learning().learn(pages, site, desk.store.by)
        template = replace(learned, edits=desk.store.edits(site))
    view = view_of(template.clean(key), site, called(site) if linked or asked.save else None)
    return models.TemplateView(
        **view.model_dump(),
        chosen=[page.url or "" for page in linked],
        loaded=followed.loaded,
        votes=min(VOTES, len(linked)) if by_vote else None,
    )


def diff(desk: Desk, asked: bodies.Compare) -> models.DiffOut:
    """Returns what changed between two versions of a page."""
    old, new = page_of(asked.old, asked.url), page_of(asked.new, asked.url)
    site, template = desk.template(new, asked.site)
    return diff_of(compared(old, new, template), used(site, template))


def visit(desk: Desk, asked: bodies.VisitRequest) -> models.VisitOut:
    """Returns what changed on a page since the last visit. Saves this visit, unless it is private."""
    address = normal(asked.url)
    if address is None:
        raise UsageError("url: not an http or https URL")
    page = page_of(asked.html, address)
    site, template = desk.template(page, None)
    seen = desk.snapshots.visit(page, template, private=asked.private)
    return models.VisitOut(
        first=seen.diff is None,
        since=seen.since,
        kept=seen.kept,
        verdict=seen.diff.verdict if seen.diff else None,
        template=used(site, template),
        changes=changes_of(seen.diff) if seen.diff else [],
    )


def snapshots(desk: Desk) -> list[models.Snapshot]:
    """The saved snapshots, the newest first."""
    return [models.Snapshot(url=kept.name, seen=kept.seen, size=kept.size) for kept in desk.snapshots.listed()]


def forget(desk: Desk, url: bodies.Address | None = None) -> models.Forgotten:
    """Deletes the snapshot of a URL, or all snapshots."""
    return models.Forgotten(deleted=desk.snapshots.forget(None if url is None else normal(url) or url))
