"""Which of all that a page says about itself is believed, field by field."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import chain, islice
from typing import Annotated, Any
from urllib.parse import urljoin, urlsplit

from dehusk.metadata import _shown as shown
from dehusk.metadata import _wording as authors
from dehusk.metadata import _wording as titles
from dehusk.metadata import dates
from dehusk.metadata._habits import Habits
from dehusk.metadata.stated import Stated, plain
from dehusk.page import Heading, Node, Page
from dehusk.page.elements import is_within

HEADINGS = 100
"""How many headings are compared with what the page calls itself."""

LIKE = 0.2
"""A heading is the title if it shares this part of all words with what the page calls itself.

On pages with gold, people take a heading with less for a slogan or the name of the site as often as for the title.
"""

LIKE_ONE_OF_MANY = 0.4
"""What one of several headings of the first rank must share."""

LIKE_FRONT = 0.5
"""What a heading of the front page must share: it is often a slogan."""

WRITTEN = ("article", "forum")
"""The kinds of pages that have a date and an author, wherever they are."""

LESS = 0.99
"""Other words in the same number are less than the same words."""

# Best first. `date` and those after it are of all ages and mean many things.
PUBLISHED = (
    *("article:published_time", "og:article:published_time", "article:published", "og:published_time", "datepublished"),
    *("originalpublicationdate", "pdate", "pubdate", "publishdate", "publish_date", "publish-date", "published"),
    *("published_date", "published-date", "w-published-date", "publication_date", "parsely-pub-date", "sailthru.date"),
    *("cxenseparse:recs:publishtime", "cxenseparse:publishtime", "shareaholic:article_published_time", "displaydate"),
    *("citation_publication_date", "citation_online_date", "citation_date", "prism.publicationdate"),
    *("article.published", "dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date"),
    *("dcterms.date", "datecreated", "created", "date"),
)
_MODIFIED = (
    *("article:modified_time", "og:article:modified_time", "og:updated_time", "datemodified", "dc.date.modified"),
    *("dcterms.modified", "shareaholic:article_modified_time", "article.updated", "lastmod", "last-modified"),
    *("revised", "modified"),
)
_AUTHOR = (
    *("author", "article:author", "citation_author", "citation_authors", "dc.creator", "dcterms.creator"),
    *("parsely-author", "sailthru.author", "byl", "cxenseparse:author", "shareaholic:article_author_name", "creator"),
    *("og:article:author", "article.author"),
)
_DESCRIPTION = (
    *("description", "og:description", "twitter:description", "dc.description", "dcterms.description"),
    "dcterms.abstract",
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

Found = tuple[str, str]
"""A value, and where it was found."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself, each field with its meaning. `_Reader` has a property for each but the last.

    A new field is declared here alone: rows, tables, the service and the documentation take it from here.
    """

    title: Annotated[str | None, "what the page is called, without the name of its site"] = None
    authors: Annotated[tuple[str, ...], "the names of those who wrote it"] = ()
    date: Annotated[str | None, "when it was published, in ISO 8601"] = None
    modified: Annotated[str | None, "when it was changed last, in ISO 8601"] = None
    language: Annotated[str | None, "its language, such as de or pt-BR"] = None
    description: Annotated[str | None, "what it says it is about"] = None
    site_name: Annotated[str | None, "what its site calls itself"] = None
    kind: Annotated[str | None, "the kind of page: article, forum, product and more"] = None
    canonical_url: Annotated[str | None, "the address that it says is its own"] = None
    sources: Annotated[Mapping[str, str], "where each of these was found"] = field(default_factory=dict)

    @property
    def author(self) -> str | None:
        """The names of all authors in one text."""
        return ", ".join(self.authors) or None


def read(
    page: Page,
    *,
    gone: Sequence[Node] = (),
    kind: str | None = None,
    habits: Habits | None = None,
    only: Sequence[str] = (),
) -> Metadata:
    """Reads a page, or `only` some fields of it.

    `gone` is what of it is template, `kind` its kind, `habits` what the pages of its site share.
    """
    reader = _Reader(page, gone, kind, habits or Habits())
    said = {name: pair for name in only or _FIELDS if (pair := getattr(reader, name))}
    values: dict[str, Any] = {name: value for name, (value, _) in said.items()}
    return Metadata(**values, sources={name: source for name, (_, source) in said.items()})


_FIELDS = sorted((field.name for field in fields(Metadata) if field.name != "sources"), key="authors".__eq__)
"""What is read, in the order that `sources` has: authors last."""


@dataclass(frozen=True, slots=True)
class _Ranked:
    node: Node
    tag: str
    text: str
    like: float
    gone: bool


class _Reader:
    """Reads one page, each field when it is asked for."""

    def __init__(self, page: Page, gone: Sequence[Node], kind: str | None, habits: Habits) -> None:
        self._page = page
        self._gone = frozenset(gone)
        self._habits = habits
        self._kind = kind
        self._stated = Stated(page)
        self._canonical = page.canonical_url
        self._url = page.url or self._canonical or ""

    @cached_property
    def title(self) -> Found | None:
        """The heading that says what the page calls itself; else what it calls itself, without the site."""
        heading = self._heading
        if heading is not None and (heading.like >= self._like_enough or not self._called):
            return titles.without_section(heading.text), "heading"
        for text, source in self._called:
            return titles.without_section(text), source
        return None

    @property
    def _like_enough(self) -> float:
        """How much a heading must be like the page's titles."""
        if self._address[1]:
            return LIKE_FRONT
        return LIKE if sum(heading.tag == "h1" for heading in self._ranked) < 2 else LIKE_ONE_OF_MANY

    @cached_property
    def authors(self) -> tuple[tuple[str, ...], str] | None:
        """The names of the authors. A byline that people read is believed before a site that names itself."""
        names, source = self._named
        if not self._by_people and (seen := self._shown.people or self._signed):
            names, source = seen, "byline"
        if not names and self._shown.linked:
            names, source = [self._shown.linked], "byline"
        return (tuple(names), source) if names else None

    @property
    def kind(self) -> Found | None:
        """The kind of page, which the template tells."""
        return (self._kind, "template") if self._kind else None

    @property
    def _signed(self) -> list[str]:
        return shown.signed(self._page.body) if self._is_written else []

    @cached_property
    def _is_written(self) -> bool:
        """Whether the page is of a kind that somebody writes on some day, so that all of it is searched for both."""
        return self._kind in WRITTEN or "article" in self._stated.meta("og:type")

    @cached_property
    def _named(self) -> tuple[list[str], str]:
        """The names that are stated for machines."""
        for texts, source in self._namings():
            if texts and (names := authors.people(";".join(texts))):
                return names, source
        return [], ""

    @cached_property
    def _by_people(self) -> bool:
        """Whether it is stated that the author is somebody else than the site."""
        sites = {titles.folded(name) for name in self._sites}
        return any(titles.folded(name) not in sites for name in self._named[0])

    def _namings(self) -> Iterator[tuple[list[str], str]]:
        stated = self._stated
        yield stated.people("author", "creator"), "json-ld"
        for name in _AUTHOR:
            if name in stated.metas:
                yield stated.meta(name), "meta"
        for name in ("author", "creator"):
            yield [stated.author(name)], "microdata"

    @cached_property
    def date(self) -> Found | None:
        """When the page was published: by its address, by meta tags, by what it shows, by JSON-LD or microdata.

        They are asked in this order, since each is right more often than the next where they differ.
        """
        if in_url := dates.of_url(self._url):
            return next((pair for pair in self._published() if pair[0].startswith(in_url)), (in_url, "url"))
        stated = next(self._published(), None)
        if stated and stated[1] == "meta":
            return stated
        seen = self._shown.date or self._shown.modified
        if seen and not (stated and dates.may_be_same(seen, stated[0])):
            return seen, "shown"
        if stated:
            return stated
        if not self._is_written:
            return self.modified
        alone = shown.anywhere(self._page.body, day_first=self._day_first)
        return (alone, "shown") if alone else None

    @cached_property
    def modified(self) -> Found | None:
        """When the page was changed last."""
        if stated := next(self._dated("dateModified", _MODIFIED), None):
            return stated
        seen = self._shown.modified
        return (seen, "shown") if seen else None

    def _published(self) -> Iterator[Found]:
        return self._dated("datePublished", PUBLISHED)

    def _dated(self, key: str, names: Sequence[str]) -> Iterator[Found]:
        """The dates that are stated for machines, one of each kind."""
        for texts, source in self._datings(key, names):
            if date := next(filter(None, map(dates.iso, texts)), None):
                yield date, source

    def _datings(self, key: str, names: Sequence[str]) -> Iterator[tuple[Iterable[str], str]]:
        stated = self._stated
        yield chain.from_iterable(stated.metas.get(name, ()) for name in names), "meta"
        yield stated.said(key), "json-ld"
        yield [stated.date(key.lower())], "microdata"

    @property
    def language(self) -> Found | None:
        """The language as a tag such as de or pt-BR."""
        for text, source in (
            (plain(self._page.language), "html"),
            *((text, "meta") for text in self._stated.meta("content-language", "dc.language", "og:locale", "language")),
            *((text, "json-ld") for text in self._stated.said("inLanguage")),
        ):
            tag = text.replace("_", "-")
            if _LANGUAGE.fullmatch(tag):
                return tag, source
        return None

    @property
    def description(self) -> Found | None:
        """What the page says it is about."""
        descriptions = self._stated.meta(*_DESCRIPTION)
        return (descriptions[0], "meta") if descriptions else _first(self._stated.said("description"), "json-ld")

    @property
    def site_name(self) -> Found | None:
        """What the site calls itself, else what its titles share."""
        if names := self._stated.meta("og:site_name", "application-name"):
            return names[0], "meta"
        return _first(self._stated.sites, "json-ld") or _first(self._habits.names, "site")

    @property
    def canonical_url(self) -> Found | None:
        """The address that the page says is its own, absolute where its address is known."""
        try:
            return (plain(urljoin(self._url, self._canonical)), "link") if self._canonical else None
        except ValueError:
            return None

    @cached_property
    def _sites(self) -> list[str]:
        return [*self._stated.sites, *self._habits.names]

    @cached_property
    def _called(self) -> list[Found]:
        """What the page calls itself for machines, without the site."""
        stated = [(titles.tidy(self._page.title), "title")]
        stated += [
            (titles.tidy(text), "meta") for text in self._stated.meta("og:title", "twitter:title", "dc.title")[:1]
        ]
        stated += [(titles.tidy(text), "json-ld") for text in islice(self._stated.said("headline"), 1)]
        shared = set(map(titles.folded, self._habits.names)) | {""}
        return [(self._without_site(text), source) for text, source in stated if titles.folded(text) not in shared]

    def _without_site(self, text: str) -> str:
        host, front = self._address
        return titles.without_site(text, [*self._sites, *self._habits.sections], host, front=front)

    @cached_property
    def _address(self) -> tuple[str, bool]:
        """The host of the page, and whether it is the front page."""
        try:
            parts = urlsplit(self._url)
            return parts.hostname or "", parts.path in ("", "/") and bool(parts.hostname)
        except ValueError:
            return "", False

    @cached_property
    def _ranked(self) -> list[_Ranked]:
        """The headings that may be the title: of the first rank, or with the very words of the page's titles."""
        ranked = [self._rank(heading) for heading in islice(self._page.headings("h1"), HEADINGS)]
        if not any(heading.like == 1 for heading in ranked if heading):
            lower = islice(self._page.headings("h2", "h3"), HEADINGS)
            ranked += [
                self._rank(heading)
                for heading in lower
                if not self._called or titles.folded(titles.tidy(heading.text)) in self._same
            ]
        return [heading for heading in ranked if heading]

    def _rank(self, heading: Heading) -> _Ranked | None:
        text = self._without_site(titles.tidy(heading.text))
        name, gone = titles.folded(text), is_within(heading.node, self._gone)
        if name and name in self._same:
            return _Ranked(heading.node, heading.tag, text, 1.0, gone)
        if not name or name in self._barred or (gone and heading.tag != "h1"):
            return None
        like = max((titles.alike(text, called) for called, _ in self._called), default=0.0)
        return _Ranked(heading.node, heading.tag, text, min(like, LESS), gone)

    @cached_property
    def _same(self) -> frozenset[str]:
        """What the page calls itself, and what that begins with: headings that say so are the title."""
        called = [text for text, _ in self._called]
        return frozenset(titles.folded(text) for name in called for text in (name, name[: titles.parts(name)[0][1]]))

    @cached_property
    def _barred(self) -> frozenset[str]:
        """Headings that are not the title."""
        return frozenset(map(titles.folded, (*self._sites, *self._habits.headings, self._address[0])))

    @cached_property
    def _heading(self) -> _Ranked | None:
        """The heading most like the titles; of several, one that is not template, of the higher rank."""
        return max(self._ranked, key=lambda ranked: (ranked.like, not ranked.gone, ranked.tag == "h1"), default=None)

    @cached_property
    def _shown(self) -> shown.ShownMetadata:
        heading = self._heading.node if self._heading else None
        return shown.around(heading, self._page.body, self._habits, named=self._by_people, day_first=self._day_first)

    @property
    def _day_first(self) -> bool:
        return self.language is not None and self.language[0].lower() not in ("en", "en-us")


def _first(texts: Iterable[str], source: str) -> Found | None:
    return next(((text, source) for text in texts), None)
