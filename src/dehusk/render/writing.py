"""Options for writing pages, shared by text, Markdown and HTML.

A new option is a field of `Writing`, and is then available on the command line, in Python, in the service and in Spark.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import quote

from dehusk.base.errors import UsageError, did_you_mean
from dehusk.base.options import Option, one_of
from dehusk.base.urls import host, joined, on_the_web
from dehusk.page import Page
from dehusk.roles import Role

BESIDE_BODY = (Role.TITLE, Role.BYLINE, Role.DATE, Role.CAPTION)
"""The roles that `article_body` drops. Some news benchmarks do not count them as text of the article."""

LINK, KEEP, DROP = "link", "keep", "drop"
_IMAGES = Option(
    "how to write pictures: as links to click, as pictures (showing them tells their sites), or not at all",
    one_of((LINK, KEEP, DROP)),
    unset="link in HTML, keep in Markdown",
    name="images",
    metavar=f"{{{LINK},{KEEP},{DROP}}}",
)


def _declared(default: Any, option: Option) -> Any:
    return field(default=default, metadata={"option": option})


def _roles(names: Iterable[str]) -> tuple[Role, ...]:
    """Returns the roles with these names, in the order of Role. Raises UsageError for an unknown name."""
    if isinstance(names, str):
        raise UsageError(f"{names!r}: give a list of roles, such as [{names!r}]")
    asked = list(names)
    known = list(map(str, Role)) if asked else []
    for name in asked:
        if name not in known:
            meant = did_you_mean(str(name), known)
            raise UsageError(f"{name!r} is not a role; choose from {', '.join(known)}{meant}")
    return tuple(role for role in Role if role in asked)


def _is_address(text: str) -> bool:
    return on_the_web(text) and bool(host(text))


@dataclass(frozen=True, slots=True)
class Writing:
    """Options for writing pages. Validated at construction, once for all pages of a job. Can be pickled."""

    keep: Collection[str] = _declared(
        (), Option("always keep parts with this role", one_of(Role), many=True, metavar="ROLE")
    )
    drop: Collection[str] = _declared(
        (), Option("always drop parts with this role", one_of(Role), many=True, metavar="ROLE")
    )
    base_url: str | None = _declared(
        None,
        Option("the URL of the folder that pages without a URL come from; makes their links absolute", metavar="URL"),
    )
    article_body: bool = _declared(
        option=Option(f"write only the text of an article: short for --drop {','.join(BESIDE_BODY)}"), default=False
    )
    images: str | None = _declared(None, _IMAGES)
    links: bool = _declared(
        option=Option("the addresses of links and pictures in Markdown, HTML and TEI; the text of links stays"),
        default=True,
    )
    front_matter: bool = _declared(
        option=Option("begin Markdown with its metadata as YAML: title, author, date, url, site, kind and quality"),
        default=False,
    )

    def __post_init__(self) -> None:
        if self.article_body:
            object.__setattr__(self, "drop", (*_roles(self.drop), *BESIDE_BODY))
        for name in ("keep", "drop"):
            object.__setattr__(self, name, _roles(getattr(self, name)))
        for role in self.keep:
            if role in self.drop:
                raise UsageError(f"{role} is in both keep and drop; remove it from one of them")
        if self.base_url is not None and not _is_address(self.base_url):
            raise UsageError(f"base_url={self.base_url!r}: not an http or https URL")
        _IMAGES.check(self.images)

    @property
    def html_images(self) -> str:
        """How to write pictures in HTML. By default as links: a page that is opened must not tell anyone."""
        return self.images or LINK

    @property
    def html_base(self) -> bool:
        """Whether HTML has addresses that need a base URL."""
        return self.links or self.images == KEEP

    @property
    def markdown_images(self) -> str:
        """How to write pictures in Markdown. By default as pictures: Markdown is text, and loads nothing by itself.

        Without links, pictures are their words, unless they are to be kept.
        """
        return self.images or (KEEP if self.links else LINK)

    def check(self, content: str) -> None:
        """Raises UsageError if an option has no effect on this format of the content."""
        if self.front_matter and content != "markdown":
            raise UsageError(f"front matter is the beginning of Markdown, and {content} has none; choose markdown")

    def also(self, keep: Iterable[str], drop: Iterable[str]) -> "Writing":
        """Returns a copy with more roles to keep and to drop."""
        if not keep and not drop:
            return self
        return replace(self, keep=(*self.keep, *_roles(keep)), drop=(*self.drop, *_roles(drop)))

    def base_of(self, page: Page) -> str:
        """Returns the base URL of a page; "" if it is not known."""
        whole = joined(self.base_url, quote(page.name, errors="surrogatepass")) if self.base_url else None
        return page.base_from(whole or "")


AS_LEARNED = Writing()
"""The default options."""

OPTIONS = tuple(replace(one.metadata["option"], name=one.name, default=one.default) for one in fields(Writing))
"""The options of Writing, for the command line and other callers."""
