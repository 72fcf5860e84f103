"""Answers about what the viewer shows beside a page: the tables of its site, its chunks, and its kept versions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from dehusk.comparing import diff
from dehusk.jobs.editing import column_edit
from dehusk.jobs.tables import learned_columns
from dehusk.page import Page
from dehusk.server import _bodies as bodies
from dehusk.server import _models as models
from dehusk.server._desk import Desk, MissingError
from dehusk.server._replies import called, diff_of, edit_of, used
from dehusk.server.catalogue import Listed
from dehusk.server.viewer.page_views import cell_paths, table_heads
from dehusk.tables.records import Record, edited
from dehusk.templates.chunks import SIZE

Source = Literal["visit", "learned", "crawl"]


def tables(
    desk: Desk, site: bodies.Site, method: bodies.MethodName | None = None, grain: bodies.Grain | None = None
) -> list[models.TableHead]:
    """The tables that the pages of a site make, without their rows."""
    template = desk.with_columns(desk.known(site), method, grain)
    return [models.TableHead.model_validate(head) for head in table_heads(template)]


def rows(
    desk: Desk,
    site: bodies.Site,
    offset: bodies.Offset = 0,
    limit: bodies.Limit = 20,
    method: bodies.MethodName | None = None,
    grain: bodies.Grain | None = None,
) -> models.TableRows:
    """The rows of some pages of a site in its tables, in the order of their names."""
    name = desk.known(site)
    listed, template = desk.shelf.listed(name), desk.with_columns(name, method, grain)
    asked = listed[offset : offset + limit]
    edits = [edit for edit in template.edits if edit.column]
    # Rows are kept with the names that the columns were learned with, so that a new name needs no new rows.
    plain = replace(template, edits=tuple(edit for edit in template.edits if not edit.column))
    found = desk.shelf.measured(
        name, asked, f"rows {method or ''} {grain or ''}", lambda page: _values(plain.clean(page).record)
    )

    def row(one: Listed) -> models.TableRow:
        table, values = found[one.id]["table"], found[one.id]["values"]
        record = table and Record(table, values, learned_columns(template, table))
        return _row(one, record and edited(record, edits))

    return models.TableRows(total=len(listed), rows=[row(one) for one in asked])


def cells(
    desk: Desk,
    site: bodies.Site,
    page: str,
    method: bodies.MethodName | None = None,
    grain: bodies.Grain | None = None,
) -> models.CellsOut:
    """The row of a page in the tables of its site, and where the page shows each value."""
    name = desk.known(site)
    template, shown = desk.with_columns(name, method, grain), desk.page(name, page)
    cleaned = template.clean(shown)
    return models.CellsOut(
        row=_row(Listed(page, shown.name), cleaned.record),
        cells=[models.CellOut(column=column, path=path) for column, path in cell_paths(cleaned)],
    )


def column(desk: Desk, site: bodies.Site, asked: bodies.CorrectColumn) -> models.EditOut:
    """Gives a column of the tables of a site another name, or leaves it out. It is saved like other corrections."""
    name = desk.known(site)
    template = desk.with_columns(name, None, None)
    edit = column_edit(template, asked.column, keep=asked.keep, name=asked.name, by=asked.by, why=asked.why)
    return edit_of(desk.store.edit(name, edit), template, "")


def pieces(
    desk: Desk,
    site: bodies.Site,
    page: str,
    size: bodies.Size = SIZE,
    method: bodies.MethodName | None = None,
    grain: bodies.Grain | None = None,
) -> models.ChunksOut:
    """The content of a page of a site in chunks for search and retrieval."""
    name = desk.known(site)
    template = desk.by(desk.store.template(name), method, grain)
    return models.ChunksOut(chunks=template.clean(desk.page(name, page)).chunks(size), template=called(name))


def versions(desk: Desk, site: bodies.Site, page: str) -> list[models.VersionOut]:
    """The other versions of a page that are kept, the newest visit first."""
    name = desk.known(site)
    return [told for told, _ in _versions(desk, name, desk.page(name, page))]


def changes(
    desk: Desk,
    site: bodies.Site,
    page: str,
    version: bodies.Version,
    method: bodies.MethodName | None = None,
    grain: bodies.Grain | None = None,
) -> models.PageChanges:
    """What changed from a kept version of a page to the page as it is in the list of its site."""
    name = desk.known(site)
    new = desk.page(name, page)
    found = next(((told, old) for told, old in _versions(desk, name, new) if told.id == version), None)
    if found is None:
        raise MissingError(f"no version {version} of {new.name}; list its versions")
    told, old = found
    template = desk.by(desk.store.template(name), method, grain)
    compared = diff(old, new, template, dates=(f"{told.when}Z" if told.when else "", ""))
    return models.PageChanges(**diff_of(compared, used(name, template)).model_dump(), html=compared.html)


def _values(record: Record | None) -> dict[str, Any]:
    return {"table": record and record.name, "values": record.values if record else {}}


def _row(listed: Listed, record: Record | None) -> models.TableRow:
    return models.TableRow(id=listed.id, name=listed.name, **_values(record))


def _versions(desk: Desk, name: str, page: Page) -> Iterator[tuple[models.VersionOut, Page]]:
    """The versions of a page that differ from it: of the last visit, of the crawl, and of older templates."""
    seen = {page.digest}

    def told(key: str, source: Source, when: str | None, old: Page) -> Iterator[tuple[models.VersionOut, Page]]:
        if old.digest not in seen:
            seen.add(old.digest)
            yield models.VersionOut(id=key, source=source, when=when), old

    visited = desk.snapshots.last(page)
    if visited is not None:
        yield from told("visit", "visit", visited[1], visited[0])
    for one in desk.shelf.named(name, page):
        yield from told(one.id, "crawl", None, desk.page(name, one.id))
    for version in reversed(desk.store.versions(name)):
        for old in desk.store.pages(name, version.number):
            if old.name == page.name:
                yield from told(f"{version.number}-{old.digest}", "learned", version.learned, old)
