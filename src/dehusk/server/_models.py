"""The bodies of responses."""

from collections.abc import Collection
from typing import Any, Literal

from pydantic import BaseModel, Field, RootModel, create_model

from dehusk.server._bodies import Scope
from dehusk.server.viewer.page_views import SHOWN
from dehusk.templates.chunks import Chunk
from dehusk.templates.cleaned import CONTENT, MEASURES, fields_with
from dehusk.templates.drift import SiteState
from dehusk.templates.outlinks import Link


class Error(BaseModel):
    """An error message that says what to do."""

    error: str


class LimitsOut(BaseModel):
    """Limits of requests: bytes of the body, seconds, and requests at once."""

    body: int
    seconds: float
    at_once: int


class Status(BaseModel):
    """Version, methods, roles, limits and store of the service."""

    version: str
    methods: list[str]
    grains: list[str]
    roles: dict[str, str]
    limits: LimitsOut
    store: str


class ColumnOut(BaseModel):
    """A column of a table: the name, where its values are, the label before them, their type, and how many pages."""

    name: str
    place: str
    label: str
    type: str
    many: bool
    share: float


class TableOut(BaseModel):
    """A table: its columns, and a row for each page or item."""

    family: str
    columns: list[ColumnOut]
    rows: list[dict[str, Any]]


class SiteOut(BaseModel):
    """A site in the store: its host, its name in page titles, and figures of its template."""

    site: str
    name: str
    pages: int
    learned_from: int
    families: int
    method: str
    edits: int
    versions: int
    learned: str


def _row_with(asked: Collection[str], **more: Any) -> type[BaseModel]:
    """A model of a cleaned page, with the fields declared in `dehusk.templates.cleaned` and `more`."""
    declared: dict[str, Any] = {
        field.name: (field.type, Field(description=field.meaning)) for field in fields_with(asked)
    }
    return create_model("CleanedRow", **declared | more)


class CleanedOut(_row_with(MEASURES, **dict.fromkeys(CONTENT, (str | None, None)))):  # type: ignore[misc]  # see above
    """A page without its template: its row, with the content in the requested format.

    `template` is the site whose template was used; null if only the page itself was used.
    """

    template: str | None


class ChunksOut(BaseModel):
    """The content of a page in chunks."""

    chunks: list[Chunk]
    template: str | None


class LinksOut(BaseModel):
    """The links of a page."""

    links: list[Link]
    template: str | None


class StateOut(RootModel[SiteState]):
    """Whether the template of a site still holds."""


class RegionOut(BaseModel):
    """A region of a page: where it is, whether it is removed, its role and the reason."""

    n: int
    path: str
    kind: str
    removed: bool
    role: str | None
    reason: str
    confidence: float
    pages: str | None
    text: str
    edit: str | None


class PageView(_row_with(SHOWN)):  # type: ignore[misc]  # as above
    """A page to view: its row, its regions, and its full HTML with numbered regions."""

    regions: list[RegionOut]
    tinted: str
    template: str | None


class TemplateView(PageView):
    """A page view with the URLs of the pages that the page was compared with, and the number of pages looked at.

    `votes` is how many of the chosen pages had to have a part of the template; null for the default method.
    """

    chosen: list[str]
    loaded: int
    votes: int | None


class UrlsOut(BaseModel):
    """URLs, the best first."""

    urls: list[str]


class WordsOut(BaseModel):
    """Consecutive words of a rewritten line that are the same, added or removed."""

    kind: Literal["same", "added", "removed"]
    text: str


class ChangeOut(BaseModel):
    """A change. `husk` is true if it is not content; `why` is then template, date, time, counter or query.

    `path` is an element of the new page. A removed part would be after this element, or within it at its start. For a
    link with a new target, `before` and `after` are URLs. `words` are those of a rewritten line; else empty.
    """

    what: Literal["added", "removed", "moved", "rewritten", "link"]
    husk: bool
    why: str
    path: str
    where: Literal["at", "after", "within"]
    before: str
    after: str
    words: list[WordsOut]


class DiffOut(BaseModel):
    """What changed between two versions of a page."""

    verdict: str
    template: str | None
    content: int
    husk: int
    changes: list[ChangeOut]


class VisitOut(BaseModel):
    """What changed since the last visit at `since` (UTC)."""

    first: bool
    since: str | None
    kept: bool
    verdict: str | None
    template: str | None
    changes: list[ChangeOut]


class Snapshot(BaseModel):
    """A saved visited page: its URL, when it was seen (UTC), and its size in bytes."""

    url: str
    seen: str
    size: int


class Forgotten(BaseModel):
    """The number of deleted items."""

    deleted: int


class PageRow(BaseModel):
    """A page of a site. Its title and figures are null if it has not been measured."""

    id: str
    name: str
    title: str | None = None
    family: str | None = None
    share_removed: float | None = None
    length: int | None = None
    fit: float | None = None
    outlier: bool = False


class PageList(BaseModel):
    """Pages of a site. `missing` is the number of pages that the source has, but the service has not."""

    total: int
    missing: int
    pages: list[PageRow]


class EditOut(BaseModel):
    """A saved correction. `text` is what it keeps or removes on one of its pages; "" if it is on none.

    `column` is the name of a column that it is about, and `name` the new name; else both are "".
    """

    id: str
    path: str
    keep: bool
    scope: Scope
    family: str | None
    by: str
    at: str
    why: str
    page: str | None
    text: str
    column: str
    name: str


class Effect(BaseModel):
    """The effect of a correction on a page: the share removed before and after, and the text gained and lost."""

    id: str
    name: str
    title: str | None
    removed_before: float
    removed_after: float
    gained: str
    lost: str
    place_found: bool


class Reach(BaseModel):
    """Of `total` pages, on how many of those `looked` at a correction finds its place, and how many it empties."""

    total: int
    looked: int
    pages: int
    emptied: int


class Exported(BaseModel):
    """A file to save: its name, and its text."""

    name: str
    text: str


class TableHead(BaseModel):
    """A table of a site: its name, and its columns."""

    name: str
    columns: list[ColumnOut]


class TableRow(BaseModel):
    """The row of a page: the table that it is in, and its values by column. Both are empty if it fits no table."""

    id: str
    name: str
    table: str | None
    values: dict[str, Any]


class TableRows(BaseModel):
    """Rows of some pages of a site, and how many pages there are."""

    total: int
    rows: list[TableRow]


class CellOut(BaseModel):
    """Where a page shows a value of a column."""

    column: str
    path: str


class CellsOut(BaseModel):
    """The row of a page, and where the page shows its values."""

    row: TableRow
    cells: list[CellOut]


class VersionOut(BaseModel):
    """Another version of a page that is kept: where it comes from, and when it was seen or learned from (UTC)."""

    id: str
    source: Literal["visit", "learned", "crawl"]
    when: str | None


class PageChanges(DiffOut):
    """What changed between a kept version of a page and the page, and the page with its changes marked."""

    html: str
