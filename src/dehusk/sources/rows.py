"""Pages from the rows of a table: what JSON Lines, Parquet and Spark have in common."""

from collections.abc import Collection

from dehusk.base.errors import TOO_LARGE, Skipped, listed
from dehusk.page import Page, unusable

_OPTIONS = "--url-column and --html-column"
_NAMED = 20  # columns that are named; a table may have hundreds


def missing(wanted: Collection[str], there: Collection[str]) -> str | None:
    """Which of the wanted columns a table lacks, and which it has; None if it lacks none."""
    lacking = [column for column in wanted if column not in there]
    if not lacking:
        return None
    named = listed(there, _NAMED) or "none"
    return f"no column {' and no column '.join(lacking)}; it has {named}: name the ones to read with {_OPTIONS}"


def row_page(url: object, html: object, place: str, limit: int) -> Page | Skipped:
    """The page of a row. A row without an address is named by its `place`."""
    address = url if isinstance(url, str) and url else None
    name = address or place
    if html is None:
        return Skipped(name, "empty")
    if not isinstance(html, str | bytes):
        return Skipped(name, "not HTML")
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if len(data) > limit:
        return Skipped(name, TOO_LARGE)
    if why := unusable(data):
        return Skipped(name, why)
    return Page(html, url=address, name=name)
