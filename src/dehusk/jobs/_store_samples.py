"""The samples in a store: the pages that each version of a template was learned from, in the tables of its file."""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dehusk.base import packing
from dehusk.base.errors import TemplateError
from dehusk.jobs._store_file import StoreFile
from dehusk.page import Page
from dehusk.templates.sampling import Sampled, Samples
from dehusk.templates.template import LARGEST

_NO_LIMIT = 2**62
_NEWEST = "SELECT id, number, revision FROM version WHERE site = ? AND number <= ? ORDER BY number DESC LIMIT 1"


class VersionRow(NamedTuple):
    """A version in the file, and how often its sample has changed."""

    id: int
    number: int
    revision: int


def site_key(site: str) -> str:
    """A site as the database can hold it: a damaged URL may name what is no Unicode."""
    return site.encode("utf-8", "backslashreplace").decode()


def newest(file: StoreFile, site: str, version: int | None = None) -> VersionRow | None:
    """The newest version of a site, or the newest that is not above a given one."""
    row = file.row((int, int, int), _NEWEST, site_key(site), _NO_LIMIT if version is None else version)
    return VersionRow(*row) if row else None


def sampled_pages(file: StoreFile, version: VersionRow, site: str) -> Iterator[Page]:
    """The pages of a version, in the order of their hashes. Raises TemplateError where one is damaged."""
    query = "SELECT digest, name, url, encoding, html FROM page WHERE version = ? ORDER BY digest"
    rows = map(Sampled._make, file.rows((str, bytes, bytes, str, bytes), query, version.id))
    return (_page(row, file, site) for row in rows)


def _page(row: Sampled, file: StoreFile, site: str) -> Page:
    try:
        int(row.digest, 16)  # pages are sampled by it
        return row._replace(html=packing.inflated(row.html, LARGEST)).page()
    except (zlib.error, ValueError) as error:
        raise TemplateError(f"{file.path}: a page of {site} is damaged; learn into another store") from error


def merge(
    file: StoreFile, db: sqlite3.Connection, site: str, samples: Samples, most: int | None, *, update: bool
) -> VersionRow | None:
    """The version of a site that its new sample changed or began; None where it changed nothing."""
    rows = {row.digest: row for row in samples.rows(site)}
    version, number, revision = newest(file, site) or (None, 0, 0)
    query = "SELECT digest, name, url, encoding FROM page WHERE version = ?"
    have = {digest: tuple(origin) for digest, *origin in file.rows((str, bytes, bytes, str), query, version)}
    if update and have != {digest: row.origin for digest, row in rows.items()}:
        version, have = None, {}
    wanted = set(sorted({*have, *rows})[:most])
    new = [row for row in rows.values() if row.digest in wanted and _is_news(row, have)]
    if not new:
        return None
    if version is None:
        number, revision = number + 1, 0
        cursor = db.execute("INSERT INTO version VALUES (NULL, ?, ?, 0, 0, '', NULL)", (site_key(site), number))
        version = cursor.lastrowid
    gone = [(version, digest) for digest in have.keys() - wanted]
    db.executemany("DELETE FROM page WHERE version = ? AND digest = ?", gone)
    db.executemany(
        "INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?)",
        [(version, *row._replace(html=zlib.compress(row.html))) for row in new],
    )
    db.execute(
        "UPDATE version SET revision = ?, pages = ?, template = NULL WHERE id = ?",
        (revision + 1, len(wanted), version),
    )
    return VersionRow(int(version or 0), number, revision + 1)


def _is_news(row: Sampled, have: Mapping[str, tuple[Any, ...]]) -> bool:
    """Whether a page is new to a sample, or has a name that comes before the one it is known by."""
    return row.digest not in have or row.origin < have[row.digest]
