"""What the service knows and does, apart from HTTP: a question, which is one of `models`, to its answer.

Questions are answered in processes of their own (see `work`), each with a `Desk`.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from dehusk.base.errors import DehuskError, UsageError, did_you_mean
from dehusk.base.urls import normal
from dehusk.comparing import Change, ChangeKind, Diff, diff
from dehusk.core import Learning
from dehusk.jobs.store import Store
from dehusk.marking.edits import Edit
from dehusk.methods import DEFAULT, typed_method
from dehusk.page import Page, unusable
from dehusk.render import Sheets, no_sheets
from dehusk.server import _models as models
from dehusk.server.snapshots import Snapshots
from dehusk.server.viewer.page_views import page_view
from dehusk.server.viewer.sheets import Beside
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.links import among, candidates, complete_subdigraph
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Template

NAMELESS = "-"
"""How requests and answers call the site of pages that have no address."""

SIBLINGS = 3
"""Pages that a correction is tried on before it is saved."""


RECENT = 32
"""Lists of pages, and templates by other methods, that a process remembers."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class MissingError(DehuskError):
    """A site, page or correction that is not there."""


@dataclass(frozen=True, slots=True)
class ServiceFiles:
    """The files of a service. `folders` are those that sites were learned from: their style sheets lie there."""

    store: Path
    snapshots: Snapshots
    folders: Mapping[str, Path] = field(default_factory=dict)


class Desk:
    """Answers questions, one at a time. It has the store open."""

    def __init__(self, place: ServiceFiles) -> None:
        self._store = Store(place.store)
        self._snapshots = place.snapshots
        self._sheets = {site: Beside(folder) for site, folder in place.folders.items()}
        self._measured = _Recent[str, list[models.PageRow]]()
        self._relearned = _Recent[tuple[str, str | None, str | None], Template]()

    def sites(self, query: str, offset: int, limit: int) -> list[models.SiteOut]:
        """The sites of the store with this in their names; a store may have very many, and each is read from it."""
        found = (site for site in self._store.sites() if query.casefold() in _called(site))
        return [self._summary(site) for site in islice(found, offset, offset + limit)]

    def learn(self, asked: models.Learn) -> list[models.SiteOut]:
        """Learns pages into the store; the sites that they are of."""
        pages = [_page(one.html, one.url, one.name) for one in asked.pages]
        site = self._site_given(asked.site)
        names = {site} if site is not None else {site_of(page, self._store.by) for page in pages}
        self._store.add(pages, update=asked.update, site=None if site is None else lambda _: site)
        return [self._summary(name) for name in sorted(names)]

    def clean(self, asked: models.Clean) -> models.CleanedOut:
        """Cleans a page."""
        page = _page(asked.html, asked.url)
        site, template = self._template(page, asked.site)
        cleaned = (template or Learning().learn([page])).clean(page, keep=asked.keep, drop=asked.drop)
        return models.CleanedOut(
            template=site,
            metadata=_plain(asdict(cleaned.metadata)),
            fit=cleaned.fit,
            family=cleaned.family,
            kind=cleaned.kind[0] if cleaned.kind else None,
            share_removed=cleaned.share_removed,
            warnings=list(cleaned.warnings),
            **{asked.format: getattr(cleaned, asked.format)},
        )

    def mark(self, asked: models.MarkRequest) -> models.PageView:
        """A page to look at."""
        page = _page(asked.html, asked.url)
        site, template = self._template(page, asked.site)
        if template is None:
            template = _learning(asked.method, asked.grain).learn([page])
        elif site is not None:
            template = self._by(site, template, asked.method, asked.grain)
        for one in asked.trial:
            family = template.clean(page).family if one.scope == "family" else None
            template = template.edited(one.path, keep=one.keep, scope=one.scope, family=family)
        return _view(template.clean(page), site)

    def candidates(self, asked: models.Candidates) -> models.UrlsOut:
        """The links of a page to load, the best first."""
        return models.UrlsOut(urls=candidates(_page(asked.html, asked.url), asked.limit))

    def template(self, asked: models.FindTemplate) -> models.TemplateView:
        """Finds pages that link to each other among those given, and learns from them and the page itself."""
        key = _page(asked.html, asked.url)
        given = [_page(one.html, one.url, one.name) for one in asked.pages]
        found = complete_subdigraph(key, among(given)).pages
        pages, site = [key, *found], site_of(key, self._store.by)
        if asked.save:
            self._store.add(pages, site=lambda _: site)
            template = self._store.template(site)
        else:
            template = replace(Learning().learn(pages, site, self._store.by), edits=self._store.edits(site))
        view = _view(template.clean(key), _called(site) if found or asked.save else None)
        return models.TemplateView(**view.model_dump(), chosen=[page.url or "" for page in found])

    def diff(self, asked: models.Compare) -> models.DiffOut:
        """What changed between two versions of a page."""
        old, new = _page(asked.old, asked.url), _page(asked.new, asked.url)
        site, template = self._template(new, asked.site)
        found = diff(old, new, template)
        changes = _changes(found)
        content = sum(not one.husk for one in changes)
        return models.DiffOut(
            verdict=found.verdict, template=site, content=content, husk=len(changes) - content, changes=changes
        )

    def visit(self, asked: models.VisitRequest) -> models.VisitOut:
        """What changed since the last visit; this one is kept."""
        address = normal(asked.url)
        if address is None:
            raise UsageError("url: not an address of the web; give one with http or https")
        page = _page(asked.html, address)
        site, template = self._template(page, None)
        seen = self._snapshots.visit(page, template, private=asked.private)
        return models.VisitOut(
            first=seen.diff is None,
            since=seen.since,
            kept=seen.kept,
            verdict=seen.diff.verdict if seen.diff else None,
            template=site,
            changes=_changes(seen.diff) if seen.diff else [],
        )

    def snapshots(self) -> list[models.Snapshot]:
        """What is kept of visits."""
        return [models.Snapshot(url=one.name, seen=one.seen, size=one.size) for one in self._snapshots.listed()]

    def forget(self, url: str | None) -> models.Forgotten:
        """Deletes what is kept of an address, or all of it."""
        return models.Forgotten(deleted=self._snapshots.forget(None if url is None else normal(url) or url))

    def pages(self, site: str, query: str, offset: int, limit: int) -> models.PageList:
        """The sample of a site, the pages first that do not share the template, then those with the most of it."""
        rows = [
            row for row in self._rows(self._known(site)) if query.casefold() in f"{row.title} {row.name}".casefold()
        ]
        return models.PageList(total=len(rows), pages=rows[offset : offset + limit])

    def page(self, site: str, digest: str, method: str | None, grain: str | None) -> models.PageView:
        """A page of the sample to look at."""
        name = self._known(site)
        template = self._by(site, self._store.template(name), method, grain)
        page = self._sampled(name, digest)
        sheets = self._sheets[name].of(page.name) if name in self._sheets else no_sheets
        return _view(template.clean(page), _called(name), sheets)

    def edits(self, site: str) -> list[models.EditOut]:
        """The corrections of a site, the first one first."""
        name = self._known(site)
        template = self._store.template(name)
        return [_edit(one, template) for one in template.edits]

    def edit(self, site: str, asked: models.Correct) -> models.EditOut:
        """Saves a correction."""
        name = self._known(site)
        family = self._family(name, asked)
        new = self._store.edit(
            name, asked.path, keep=asked.keep, scope=asked.scope, family=family, by=asked.by, why=asked.why
        )
        return _edit(new, self._store.template(name))

    def undo(self, site: str, edit: str) -> models.Forgotten:
        """Takes a correction back."""
        name = self._known(site)
        if edit not in {one.id for one in self._store.edits(name)}:
            raise MissingError(f"no edit {edit} of {site}; list its edits")
        self._store.undo(name, edit)
        return models.Forgotten(deleted=1)

    def preview(self, site: str, asked: models.Preview) -> list[models.Effect]:
        """What a correction does to other pages of the sample, those first that have its place."""
        name = self._known(site)
        template, family = self._store.template(name), self._family(name, asked)
        edited = template.edited(asked.path, keep=asked.keep, scope=asked.scope, family=family)
        new = edited.edits[-1]
        having: list[Page] = []
        others: list[Page] = []
        for page in self._store.pages(name):
            if page.digest != asked.page:
                (having if new in edited.edits_on(page) else others).append(page)
            if len(having) == SIBLINGS:
                break
        return [
            _effect(template.clean(page), edited.clean(page), found=page in having)
            for page in (*having, *others)[:SIBLINGS]
        ]

    def _family(self, name: str, asked: models.Preview) -> str | None:
        """The family that a correction is for; None if it is for the site, or if nothing says which."""
        if asked.scope != "family":
            return None
        if asked.family is None and asked.page is not None:
            return self._store.template(name).clean(self._sampled(name, asked.page)).family
        return asked.family

    def _rows(self, name: str) -> list[models.PageRow]:
        """All pages of a sample, measured once for a template."""
        template = self._store.template(name)

        def measured() -> list[models.PageRow]:
            rows = [_row(page.digest, template.clean(page), template) for page in self._store.pages(name)]
            return sorted(rows, key=lambda row: (not row.outlier, row.fit, -row.share_removed, row.name))

        return self._measured.of(name, template, measured)

    def _sampled(self, name: str, digest: str) -> Page:
        for page in self._store.pages(name):
            if page.digest == digest:
                return page
        raise MissingError(f"{digest}: no such page of {_called(name)}; list its pages")

    def _template(self, page: Page, given: str | None) -> tuple[str | None, Template | None]:
        """The site of a page and its template, None for both if the store has none. A site that is given must exist."""
        if given is not None:
            return given, self._store.template(self._known(given))
        site = site_of(page, self._store.by)
        template = self._store.latest(site) if site else None
        return (_called(site), template) if template is not None else (None, None)

    def _by(self, site: str, template: Template, method: str | None, grain: str | None) -> Template:
        """The template of a site as another method or grain finds it in the same sample."""
        if not method and not grain:
            return template

        def relearned() -> Template:
            pages = self._store.pages(template.site)
            learned = _learning(method, grain).learn(pages, template.site, self._store.by)
            return replace(learned, edits=template.edits)

        return self._relearned.of((site, method, grain), template, relearned)

    def _known(self, site: str) -> str:
        """The name of a site that the store has."""
        name = self._site_given(site) or ""
        if name not in self._store:
            sites = [_called(one) for one in self._store.sites()]
            raise MissingError(f"no template for {site}; learn it first{did_you_mean(site, sites)}")
        return name

    def _site_given(self, site: str | None) -> str | None:
        return "" if site == NAMELESS else site

    def _summary(self, name: str) -> models.SiteOut:
        template, versions = self._store.template(name), self._store.versions(name)
        return models.SiteOut(
            site=_called(name),
            name=next(iter(template.habits.names), _called(name)),
            pages=template.pages,
            learned_from=template.pages - len(template.outliers),
            families=len(template.families),
            method=template.method,
            edits=len(template.edits),
            versions=len(versions),
            learned=versions[-1].learned,
        )


class _Recent(Generic[_Key, _Value]):
    """What was made from templates, the last of it: good for as long as the store gives the same template."""

    def __init__(self) -> None:
        self._made: OrderedDict[_Key, tuple[Template, _Value]] = OrderedDict()

    def of(self, key: _Key, template: Template, make: Callable[[], _Value]) -> _Value:
        """What is known of this template, or is made now."""
        known = self._made.pop(key, None)
        if known is None or known[0] is not template:
            known = (template, make())
        self._made[key] = known
        if len(self._made) > RECENT:
            self._made.popitem(last=False)
        return known[1]


Answer = BaseModel | Sequence[BaseModel]
QUESTIONS: Mapping[str, Callable[..., Answer]] = {
    one.__name__: one
    for one in (
        Desk.sites,
        Desk.learn,
        Desk.clean,
        Desk.mark,
        Desk.candidates,
        Desk.template,
        Desk.diff,
        Desk.visit,
        Desk.snapshots,
        Desk.forget,
        Desk.pages,
        Desk.page,
        Desk.edits,
        Desk.edit,
        Desk.undo,
        Desk.preview,
    )
}
"""What a desk can be asked."""


def _page(html: str, url: str = "", name: str = "") -> Page:
    """A page of a request. It was decoded by whoever sent it, whatever it says of its encoding."""
    data = html.encode()
    if why := unusable(data):
        raise UsageError(f"{name or url or 'the page'}: {why}; give an HTML page")
    return Page(data, url=url or None, name=name or None, encoding="utf-8")


def _learning(method: str | None, grain: str | None) -> Learning:
    """How to learn, as far as a request says it. It may not name files of this machine."""
    chosen, (options, _) = typed_method(method or DEFAULT, files=False)
    return Learning(chosen.name, options=options | ({"grain": grain} if grain else {}))


def _view(cleaned: Cleaned, site: str | None, sheets: Sheets = no_sheets) -> models.PageView:
    return models.PageView.model_validate({**page_view(cleaned, sheets), "template": site})


def _row(digest: str, cleaned: Cleaned, template: Template) -> models.PageRow:
    page = cleaned.page
    return models.PageRow(
        id=digest,
        name=page.name,
        title=cleaned.metadata.title or page.name,
        family=cleaned.family,
        share_removed=cleaned.share_removed,
        length=cleaned.length,
        fit=cleaned.fit,
        outlier=cleaned.family is None or (page.name or digest) in template.outliers,
    )


def _edit(one: Edit, template: Template) -> models.EditOut:
    """A correction as it is told, with the name that its family has now."""
    return models.EditOut(**{**asdict(one), "scope": one.scope.value, "family": template.family_of(one)})


def _effect(before: Cleaned, after: Cleaned, *, found: bool) -> models.Effect:
    had, has = Counter(_lines(before)), Counter(_lines(after))
    return models.Effect(
        id=before.page.digest,
        name=before.page.name,
        title=before.metadata.title or before.page.name,
        removed_before=before.share_removed,
        removed_after=after.share_removed,
        gained="\n".join((has - had).elements()),
        lost="\n".join((had - has).elements()),
        place_found=found,
    )


def _lines(cleaned: Cleaned) -> list[str]:
    return [line for line in cleaned.text.splitlines() if line.strip()]


def _changes(found: Diff) -> list[models.ChangeOut]:
    return [_change(one) for one in found.changes]


_WHAT: Mapping[ChangeKind, Literal["added", "removed", "moved", "rewritten", "link"]] = {
    ChangeKind.ADDED: "added",
    ChangeKind.REMOVED: "removed",
    ChangeKind.MOVED: "moved",
    ChangeKind.CHANGED: "rewritten",
    ChangeKind.LINK: "link",
}


def _change(one: Change) -> models.ChangeOut:
    gone = one.kind is ChangeKind.REMOVED
    return models.ChangeOut(
        what=_WHAT[one.kind],
        husk=bool(one.husk),
        why=one.husk,
        path=one.near if gone else one.path,
        where=("within" if one.within else "after") if gone else "at",
        before=one.before,
        after=one.after,
    )


def _called(site: str) -> str:
    """A site as answers call it."""
    return site or NAMELESS


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    """What is known, as JSON has it."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items() if value}
