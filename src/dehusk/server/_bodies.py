"""The bodies and parameters of requests."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, StringConstraints, create_model

from dehusk.base.options import Option
from dehusk.methods import METHODS
from dehusk.methods.evidence.judging import GRAINS
from dehusk.render.writing import OPTIONS, Writing
from dehusk.templates.chunks import SIZE

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
Offset = Annotated[int, Field(ge=0, le=1_000_000, description="How many to leave out at the beginning.")]
Limit = Annotated[int, Field(ge=1, le=MOST_LISTED, description="How many to list at most.")]
Family = Annotated[str, Field(max_length=10, description="The name of a family of pages, as in `family` of a page.")]
Size = Annotated[int, Field(ge=1, le=1_000_000, description="Maximum letters of a chunk.")]
Version = Annotated[str, Field(max_length=100, description="The id of a version of the page.")]
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


class Written(create_model("Writing", __base__=Asked, **_written())):  # type: ignore[misc]  # declared elsewhere
    """A page, and how to write it."""

    html: Html
    url: Url = ""
    site: Site | None = None

    @property
    def writing(self) -> Writing:
        """How to write the page."""
        return Writing(**{option.name: getattr(self, option.name) for option in OPTIONS})


class Clean(Written):
    """A page to clean, and how to write it."""

    format: Literal["text", "markdown", "html"] = "text"


class Chunks(Written):
    """A page to cut into chunks of at most `size` letters, as text or Markdown."""

    size: Size = SIZE
    format: Literal["text", "markdown"] = "text"


class Links(Written):
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


class CorrectColumn(Asked):
    """A correction of a column of tables: another `name`, or with `keep` false that it is left out.

    `column` is its name now, or when it was learned.
    """

    column: Annotated[str, Field(min_length=1, max_length=200)]
    keep: bool = True
    name: Annotated[str, Field(max_length=200)] = ""
    by: Words = ""
    why: Words = ""
