"""The bodies of requests and responses."""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, RootModel, StringConstraints, create_model

from dehusk.base.options import Option
from dehusk.methods import METHODS
from dehusk.methods.evidence.judging import GRAINS
from dehusk.render.writing import OPTIONS, Writing
from dehusk.server.viewer.page_views import SHOWN
from dehusk.templates.chunks import SIZE, Chunk
from dehusk.templates.cleaned import CONTENT, MEASURES, fields_with
from dehusk.templates.drift import SiteState
from dehusk.templates.outlinks import Link

MOST_PAGES = MOST_LISTED = 500
"""Maximum number of pages in a request, and in a response that lists pages."""


def _well_formed(text: object) -> object:
    """Joins or replaces surrogates, so that the text can be encoded as UTF-8. Browser scripts may send lone ones."""
    if not isinstance(text, str):
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


Html = Annotated[
    str, Field(min_length=1, description="The HTML of a page.", examples=["<p>Hello."]), BeforeValidator(_well_formed)
]
Url = Annotated[
    str, Field(max_length=8192, pattern=r"^[^\x00-\x20\x7f]*$", description='The URL of the page; "" for none.')
]
Address = Annotated[str, Field(max_length=8192, pattern=r"^https?://[^\x00-\x20\x7f]+$")]
"""An http or https URL."""
Site = Annotated[
    str,
    StringConstraints(min_length=1, max_length=253, pattern=r"^[^/\\\x00-\x20\x7f.][^/\\\x00-\x1f\x7f]*$"),
    Field(description='The name of a site; "-" for pages without a URL.', examples=["example.org"]),
]
Path = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4096,
        description="A place on a page, as a CSS selector from body down.",
        examples=["body > main > div.teasers"],
    ),
]
Words = Annotated[str, Field(max_length=1000)]
Looked = Annotated[str, Field(max_length=200, description="Text to search for in names and titles.")]
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
Limit = Annotated[int, Field(ge=1, le=MOST_LISTED)]
Family = Annotated[str, Field(max_length=10, description="The name of a family of pages, as in `family` of a page.")]
Digest = Annotated[str, Field(max_length=64, description="The id of a page of the site.")]
Scope = Literal["site", "family", "page"]
Form = Literal["template", "css", "wallabag"]
MethodName = Annotated[str, Field(json_schema_extra={"enum": list(METHODS)}, pattern=f"^({'|'.join(METHODS)})$")]
Grain = Annotated[str, Field(json_schema_extra={"enum": list(GRAINS)}, pattern=f"^({'|'.join(GRAINS)})$")]


class Asked(BaseModel):
    """Base class of requests. Unknown fields and values of a wrong type are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class PageIn(Asked):
    """A page."""

    html: Html
    url: Url = ""
    name: Annotated[str, Field(max_length=1000)] = ""


Pages = Annotated[list[PageIn], FailFast(), Field(min_length=1, max_length=MOST_PAGES)]


class Learn(Asked):
    """Pages of one or more sites to learn from. Set `update` if the sites have been redesigned."""

    pages: Pages
    site: Site | None = None
    update: bool = False


class CheckPages(Asked):
    """Pages of one site, to check whether its template still holds for them."""

    pages: Pages
    site: Site | None = None


class MakeTable(Asked):
    """Pages of one site, to make tables of what differs between them."""

    pages: Pages
    rows: Literal["pages", "items"] = "pages"


def _written() -> dict[str, Any]:
    """Model fields for the writing options declared in `dehusk.render.writing`."""
    return {option.name: (_type(option), Field(option.default, description=option.help)) for option in OPTIONS}


def _type(option: Option) -> Any:
    if option.choices:
        names = list(map(str, option.choices))
        name = Annotated[str, Field(json_schema_extra={"enum": names}, pattern=f"^({'|'.join(names)})$")]
        return Annotated[list[name], Field(max_length=len(names))] if option.many else name | None
    return bool if option.type is bool else Annotated[str, Field(max_length=8192)] | None


class _Written(create_model("Writing", __base__=Asked, **_written())):  # type: ignore[misc]  # declared elsewhere
    """A page, and how to write it."""

    html: Html
    url: Url = ""
    site: Site | None = None

    @property
    def writing(self) -> Writing:
        """How to write the page."""
        return Writing(**{option.name: getattr(self, option.name) for option in OPTIONS})


class Clean(_Written):
    """A page to clean, and how to write it."""

    format: Literal["text", "markdown", "html"] = "text"


class Chunks(_Written):
    """A page to cut into chunks of at most `size` letters, as text or Markdown."""

    size: Annotated[int, Field(ge=1, le=1_000_000)] = SIZE
    format: Literal["text", "markdown"] = "text"


class Links(_Written):
    """A page whose links are listed."""


class Trial(Asked):
    """A correction: keeps or removes what is at this place, on all pages of the site or of a family, or on one page."""

    path: Path
    keep: bool
    scope: Scope = "site"


class MarkRequest(Asked):
    """A page to view, optionally by another method or grain; the corrections in `trial` are not saved."""

    html: Html
    url: Url = ""
    site: Site | None = None
    method: MethodName | None = None
    grain: Grain | None = None
    trial: Annotated[list[Trial], Field(max_length=100)] = []


class Candidates(Asked):
    """A page to find links on that may lead to pages with the same template."""

    html: Html
    url: Address
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class FindTemplate(Asked):
    """A page, and pages that it links to.

    Method `etdm` is that of TeMex: what is on two of three linked pages is template. It is not saved.
    """

    html: Html
    url: Address
    pages: Pages
    save: bool = False
    method: Literal["evidence", "etdm"] = "evidence"


class Compare(Asked):
    """Two versions of a page."""

    old: Html
    new: Html
    url: Url = ""
    site: Site | None = None


class VisitRequest(Asked):
    """A visited page. If `private`, nothing is saved."""

    html: Html
    url: Address
    private: bool = False


class Preview(Trial):
    """A correction to try on other pages of the site.

    For scope "family", the family is given by name, or is that of the page; for scope "page" it is the `page` itself.
    """

    page: Digest | None = None
    family: Family | None = None


class Correct(Preview):
    """A correction to save, with author and reason."""

    by: Words = ""
    why: Words = ""


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
    """A saved correction. `text` is what it keeps or removes on one of its pages; "" if it is on none."""

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
