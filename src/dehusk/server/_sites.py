"""Answers about sites in the store, and their pages."""

from collections.abc import Sequence
from itertools import chain, islice
from math import inf

from dehusk.base.errors import UsageError
from dehusk.marking.edits import Edit
from dehusk.server import _bodies as bodies
from dehusk.server import _correcting as correcting
from dehusk.server import _models as models
from dehusk.server._desk import Desk, MissingError
from dehusk.server._replies import called, edit_of, view_of
from dehusk.server.catalogue import Listed
from dehusk.server.viewer.page_views import MOST_SEARCHED, edited_texts

QUICK = 0.1
"""How long the pages of a list are measured if it is asked for without measures, in seconds.

It is enough for all pages of a small site: a page takes 2 to 10 ms.
"""


def sites(
    desk: Desk, query: bodies.Looked = "", offset: bodies.Offset = 0, limit: bodies.Limit = 200
) -> list[models.SiteOut]:
    """The sites in the store, sorted by name."""
    matching = (site for site in desk.store.sites() if query.casefold() in called(site))
    return [desk.summary(site) for site in islice(matching, offset, offset + limit)]


def pages(
    desk: Desk,
    site: bodies.Site,
    query: bodies.Looked = "",
    offset: bodies.Offset = 0,
    limit: bodies.Limit = 100,
    method: bodies.MethodName | None = None,
    grain: bodies.Grain | None = None,
    measured: bool = True,
) -> models.PageList:
    """The pages of a site, optionally by another method or grain. Outliers come first.

    With `measured=false` this is quick for any number of pages: they are sorted by name, and figures of pages that
    were not measured yet are null. `measures` then measures them, some at a time.
    """
    name, wanted = desk.known(site), query.casefold()
    rows = _rows(desk, name, desk.shelf.listed(name), method, grain, inf if measured else QUICK)
    if measured:
        rows.sort(key=lambda row: (not row.outlier, row.fit or 0, -(row.share_removed or 0), row.name))
    rows = [row for row in rows if wanted in f"{row.title or ''} {row.name}".casefold()]
    return models.PageList(total=len(rows), missing=desk.shelf.missing(name), pages=rows[offset : offset + limit])


def measures(
    desk: Desk,
    site: bodies.Site,
    offset: bodies.Offset = 0,
    limit: bodies.Limit = 20,
    method: bodies.MethodName | None = None,
    grain: bodies.Grain | None = None,
) -> models.PageList:
    """Measures some pages of a site, in the order of their names."""
    name = desk.known(site)
    listed = desk.shelf.listed(name)
    rows = _rows(desk, name, listed[offset : offset + limit], method, grain)
    return models.PageList(total=len(listed), missing=desk.shelf.missing(name), pages=rows)


def page(
    desk: Desk, site: bodies.Site, page: str, method: bodies.MethodName | None = None, grain: bodies.Grain | None = None
) -> models.PageView:
    """Returns a page of a site to view, optionally by another method or grain."""
    name = desk.known(site)
    template = desk.by(desk.store.template(name), method, grain)
    sampled = desk.page(name, page)
    files = desk.beside[name].of(sampled.name) if name in desk.beside else desk.shelf.files(sampled)
    return view_of(template.clean(sampled), name, called(name), files)


def edits(desk: Desk, site: bodies.Site) -> list[models.EditOut]:
    """The corrections of a site, the oldest first."""
    name = desk.known(site)
    return _told(desk, name, desk.store.template(name).edits)


def edit(desk: Desk, site: bodies.Site, asked: bodies.Correct) -> models.EditOut:
    """Saves a correction of a site. It applies to all versions of its template."""
    name = desk.known(site)
    return _told(desk, name, [desk.store.edit(name, _correction(desk, name, asked))])[0]


def undo(desk: Desk, site: bodies.Site, edit: str) -> models.Forgotten:
    """Undoes a correction."""
    name = desk.known(site)
    if edit not in {saved.id for saved in desk.store.edits(name)}:
        raise MissingError(f"no edit {edit} of {site}; list its edits")
    desk.store.undo(name, edit)
    return models.Forgotten(deleted=1)


def preview(desk: Desk, site: bodies.Site, asked: bodies.Preview) -> list[models.Effect]:
    """Returns the effect of a correction on three other pages of the site."""
    name = desk.known(site)
    template = desk.store.template(name)
    others = (page for page in desk.store.pages(name) if page.digest != asked.page)
    return correcting.effects(template, template.edited(_correction(desk, name, asked)), others)


def reach(
    desk: Desk, site: bodies.Site, asked: bodies.Preview, offset: bodies.Offset = 0, limit: bodies.Limit = 20
) -> models.Reach:
    """Counts on which of these pages of a site a correction finds its place, and of which it leaves nothing."""
    name = desk.known(site)
    template, listed = desk.store.template(name), desk.shelf.listed(name)
    keys = [one.id for one in listed[offset : offset + limit]]
    having, emptied = correcting.reach(
        template, template.edited(_correction(desk, name, asked)), (desk.page(name, key) for key in keys)
    )
    return models.Reach(total=len(listed), looked=len(keys), pages=having, emptied=emptied)


def export(desk: Desk, site: bodies.Site, form: bodies.Form) -> models.Exported:
    """A template for other programs: a template file, a style sheet, or a site config that wallabag reads."""
    name = desk.known(site)
    # A template file has the columns of tables, with the names that were given to them.
    template = desk.with_columns(name, None, None) if form == "template" else desk.store.template(name)
    return correcting.exported(template, desk.store.pages(name), called(name), form)


def _told(desk: Desk, name: str, edits: Sequence[Edit]) -> list[models.EditOut]:
    """Saved corrections, with the texts at their places."""
    template = desk.store.template(name)
    named = {edit.page for edit in edits}
    own = (desk.page(name, one.id) for one in desk.shelf.listed(name) if one.name in named)
    said = edited_texts(edits, chain(own, islice(desk.store.pages(name), MOST_SEARCHED)))
    return [edit_of(edit, template, said.get(edit.id, "")) for edit in edits]


def _correction(desk: Desk, name: str, asked: bodies.Preview) -> Edit:
    """The edit that a request asks for. Its family may be given by a page of the site."""
    family = asked.family if asked.scope == "family" else None
    if asked.scope == "page" and asked.page is None:
        raise UsageError("page: the id of the page is missing; give it, or another scope")
    page = None if asked.page is None or asked.scope == "site" else desk.page(name, asked.page)
    if asked.scope == "family" and family is None and page is not None:
        family = desk.store.template(name).clean(page).family
    said = {"by": asked.by, "why": asked.why} if isinstance(asked, bodies.Correct) else {}
    own = page.name if page is not None and asked.scope == "page" else None
    return Edit.new(asked.path, keep=asked.keep, scope=asked.scope, family=family, page=own, **said)


def _rows(
    desk: Desk, name: str, listed: Sequence[Listed], method: str | None, grain: str | None, seconds: float = inf
) -> list[models.PageRow]:
    template = desk.by(desk.store.template(name), method, grain)
    return desk.shelf.rows(name, listed, template, f"{method or ''} {grain or ''}", seconds=seconds)
