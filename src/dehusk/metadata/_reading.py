"""Chooses the value of each metadata field among the sources of a page."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import islice
from typing import Annotated, Any, NamedTuple

from dehusk.base.shared import Shared
from dehusk.base.urls import joined, split
from dehusk.kernels.walking import folded
from dehusk.metadata import _shown as shown
from dehusk.metadata import _wording as authors
from dehusk.metadata import _wording as titles
from dehusk.metadata import dates
from dehusk.metadata._habits import Habits
from dehusk.metadata._ranking import HEADINGS, LESS, Naming, RankedHeading, ranked, same
from dehusk.metadata.stated import (
    AUTHOR,
    DESCRIPTION,
    LABELLED,
    LANGUAGE,
    MODIFIED,
    PUBLISHED,
    SITE_NAME,
    TITLE,
    TYPE,
    Stated,
    plain,
)
from dehusk.page import Node, Page
from dehusk.page.elements import is_within, tag_of, tagged, words_of

LIKE = 0.2
"""A heading is the title if it shares at least this part of all words with the titles of the page.

In annotated pages, a heading that shares less is as often a slogan or the name of the site as the title.
"""

LIKE_ONE_OF_MANY = 0.4
"""LIKE for one of several h1 headings."""

LIKE_FRONT = 0.5
"""LIKE for a heading of the front page, which is often a slogan."""

FORUM = "forum"
WRITTEN = ("article", FORUM)
"""The kinds of pages that have a date and an author, so that the whole page is searched for them."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

Found = tuple[str, str]
"""A value, and where it was found."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page, each field with its meaning. `Reader` has a property for each but the last.

    A new field is declared only here: rows, tables, the service and the documentation read it from here.
    """

    title: Annotated[str | None, "the title, without the name of the site"] = None
    authors: Annotated[tuple[str, ...], "the names of the authors"] = ()
    date: Annotated[str | None, "the date of publication, in ISO 8601"] = None
    modified: Annotated[str | None, "the date of the last change, in ISO 8601"] = None
    language: Annotated[str | None, "its language, such as de or pt-BR"] = None
    description: Annotated[str | None, "the description that the page gives"] = None
    site_name: Annotated[str | None, "the name that the site gives itself"] = None
    kind: Annotated[str | None, "the kind of page: article, forum, product and more"] = None
    canonical_url: Annotated[str | None, "the canonical URL that the page declares"] = None
    sources: Annotated[Mapping[str, str], "the source of each metadata field"] = field(default_factory=dict)

    @property
    def author(self) -> str | None:
        """The names of all authors, joined with commas."""
        return ", ".join(self.authors) or None


def read(
    page: Page,
    *,
    gone: Sequence[Node] = (),
    kind: str | None = None,
    habits: Habits | None = None,
    only: Sequence[str] = (),
) -> Metadata:
    """Reads the metadata of a page, or `only` some fields of it.

    `gone` are its template nodes, `kind` is its kind, `habits` what the pages of its site share.
    """
    return Reader(page, gone, kind, habits or Habits()).read(only)


def may_lack_title(page: Page, gone: frozenset[Node], habits: Habits) -> bool:
    """Returns whether a heading among `gone` may be the title of a page: quickly, without reading its metadata.

    It is an h1, unless pages with other titles have it, too. If no h1 with text is kept, it may be a lesser heading.
    """
    headings = list(tagged(page.root(), ("h1", "h2", "h3")))
    main = [heading for heading in headings if tag_of(heading) == "h1"]
    first = [heading for heading in main[:HEADINGS] if words_of(heading).strip()]
    lost = [heading for heading in first if is_within(heading, gone)]
    if first and not lost:
        return False
    title = folded(page.title)
    if any(_is_own(folded(titles.tidy(words_of(heading))), title, habits) for heading in lost):
        return True
    if len(lost) < len(first):
        return False
    lesser = islice((heading for heading in headings if tag_of(heading) != "h1"), HEADINGS)
    return any(
        _may_start_or_end(title, text := words_of(heading))
        and _starts_or_ends(title, folded(text))
        and is_within(heading, gone)
        for heading in lesser
    )


def _is_own(name: str, title: str, habits: Habits) -> bool:
    """Returns whether an h1, folded, may be of this page alone, and not of its site or section."""
    if name not in habits.headings_folded:
        return name != "" and name not in habits.names_folded
    return _starts_or_ends(title, name) and not any(site in name for site in habits.names_folded)


def _may_start_or_end(title: str, text: str) -> bool:
    """Returns whether a folded title may start or end with a text. False for most, which saves folding the text."""
    first, last = text[:1], text[-1:]
    if not (first.isascii() and first.isalnum() and last.isascii() and last.isalnum()):
        return True
    return title[:1] == first.lower() or title[-1:] == last.lower()


def _starts_or_ends(title: str, name: str) -> bool:
    return name != "" and (title.startswith(name) or title.endswith(name))


_FIELDS = sorted((field.name for field in fields(Metadata) if field.name != "sources"), key="authors".__eq__)
"""The fields in the order of `sources`: authors last."""


class PageTitle(NamedTuple):
    """The title of a page, and the heading that shows it; None if it is only in the head of the page."""

    text: str
    heading: Node | None


class Reader(Shared):
    """Reads the metadata of one page. Fields are computed on access, from data read at the start."""

    def __init__(self, page: Page, gone: Sequence[Node], kind: str | None, habits: Habits) -> None:
        self._page = page
        self._habits = habits
        self._kind = kind
        self._stated = Stated(page)
        self._canonical = page.canonical_url
        self._url = page.url or self._canonical or ""
        self._host, self._is_front = _address(self._url)
        # Folded names of the site, and these with all parts that titles share.
        names = frozenset(map(folded, self._stated.sites))
        self._sites, self._parts = habits.names_folded | names, habits.parts_folded | names
        self._first_headings = list(islice(page.headings("h1"), HEADINGS))
        named = {folded(titles.tidy(heading.text)) for heading in self._first_headings}
        self._own = (named & self._parts) - self._sites
        self._called = self._titles()
        barred = {*self._sites, *habits.headings_folded, folded(self._host), ""}
        naming = Naming([text for text, _ in self._called], barred, habits.names_folded, self._without_site)
        self._ranked = ranked(page, self._first_headings, naming, frozenset(gone))
        # The heading most like the titles. Among equals, content before template, and h1 before others.
        self._heading = max(self._ranked, key=RankedHeading.order, default=None)

    def read(self, only: Sequence[str] = ()) -> Metadata:
        """Returns the metadata, or `only` some fields of it."""
        _ = self._page.whole  # puts back what writers took out since the start: fields search the document
        said = {name: pair for name in only or _FIELDS if (pair := getattr(self, name))}
        values: dict[str, Any] = {name: value for name, (value, _) in said.items()}
        return Metadata(**values, sources={name: source for name, (_, source) in said.items()})

    @property
    def heading(self) -> RankedHeading | None:
        """The heading that is the title of the page; None if no heading is enough like its titles."""
        heading = self._heading
        return heading if heading and (heading.like >= self._like_enough or not self._called) else None

    @property
    def title(self) -> Found | None:
        """The heading that is like the titles of the page; else the first of the titles, without the site."""
        if heading := self.heading:
            return titles.without_section(self._without_label(heading)), "heading"
        for text, source in self._called:
            led = not folded(self._page.title).startswith(folded(text))
            return titles.without_section(titles.after_section(text) if led else text), source
        return None

    def _without_label(self, heading: RankedHeading) -> str:
        """Returns the words of a heading without what is before a title of the page: a label, a date or an invitation.

        On all seven such pages that rules were made from, the title is right.
        """
        name = folded(heading.text) if heading.like <= LESS else ""
        return next((title for title, _ in self._called if name.endswith(folded(title))), heading.text)

    @property
    def _like_enough(self) -> float:
        """How much a heading must be like the titles of the page."""
        if self._is_front:
            return LIKE_FRONT
        return LIKE if sum(heading.tag == "h1" for heading in self._ranked) < 2 else LIKE_ONE_OF_MANY

    @property
    def authors(self) -> tuple[tuple[str, ...], str] | None:
        """The names of the authors. A visible byline has priority if the stated author is only the site."""
        names, source = self._named
        if not self._by_people and (seen := self._shown.people or self._signed):
            names, source = seen, "byline"
        names = names or self._seen_anywhere
        return (tuple(names), source or "byline") if names else None

    @property
    def _seen_anywhere(self) -> list[str]:
        """Names without a label: in a link to a person, in an element called so, or beside the date of an article."""
        if self._shown.linked or not self._is_written:
            return [self._shown.linked] if self._shown.linked else []
        names = shown.named_element(self._page.body, self._aside)
        return names or ([self._shown.beside] if self._shown.beside and self._kind != FORUM else [])

    @property
    def kind(self) -> Found | None:
        """The kind of page, from the template."""
        return (self._kind, "template") if self._kind else None

    @property
    def _signed(self) -> list[str]:
        return shown.signed(self._page.body, self._aside) if self._is_written else []

    @property
    def _is_written(self) -> bool:
        """Whether the page is of a kind that has an author and a date, so that all of it is searched for them."""
        return self._kind in WRITTEN or "article" in self._stated.meta(TYPE)

    @cached_property
    def _by_people(self) -> bool:
        """Whether the stated authors include someone other than the site."""
        return any(folded(name) not in self._sites for name in self._named[0])

    @cached_property
    def _named(self) -> tuple[list[str], str]:
        """The author names in machine-readable metadata, and their source."""
        for texts, source in self._namings():
            if texts and (names := authors.people(";".join(texts))):
                return [name for name in names if folded(name) not in self._sites] or names, source
        return [], ""

    def _namings(self) -> Iterator[tuple[list[str], str]]:
        stated = self._stated
        yield stated.people("author", "creator"), "json-ld"
        for name in AUTHOR:
            if name in stated.metas:
                yield stated.meta(name), "meta"
        for label, value in LABELLED:
            if any(authors.after_label(text) == len(text) for text in stated.meta(label)):
                yield stated.meta(value), "meta"
        for name in ("author", "creator"):
            if author := stated.author(name):
                yield [author], "microdata"

    @property
    def date(self) -> Found | None:
        """The publication date from, in this order, the URL, meta tags, visible text, JSON-LD or microdata.

        Where two of them differ, the earlier in this order is right more often.
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
        if self._is_written and (alone := shown.anywhere(self._page.body, self._aside, day_first=self._day_first)):
            return alone, "shown"
        return None if self._kind in WRITTEN else self.modified

    @cached_property
    def modified(self) -> Found | None:
        """The date of the last change."""
        if stated := next(self._dated("dateModified", MODIFIED), None):
            return stated
        seen = self._shown.modified
        return (seen, "shown") if seen else None

    def _published(self) -> Iterator[Found]:
        return self._dated("datePublished", PUBLISHED)

    def _dated(self, key: str, names: Sequence[str]) -> Iterator[Found]:
        """Yields the dates in machine-readable metadata, one from each source."""
        stated = self._stated
        if date := _first_date(stated.all_meta(names)):
            yield date, "meta"
        if date := _first_date(stated.said(key)):
            yield date, "json-ld"
        if date := dates.iso(stated.date(key.lower())):
            yield date, "microdata"

    @cached_property
    def language(self) -> Found | None:
        """The language as a tag such as de or pt-BR, and its source."""
        for text, source in self._languages():
            tag = text.replace("_", "-")
            if _LANGUAGE.fullmatch(tag):
                return tag, source
        return None

    def _languages(self) -> Iterator[Found]:
        yield plain(self._page.language), "html"
        yield from ((text, "meta") for text in self._stated.meta(*LANGUAGE))
        yield from ((text, "json-ld") for text in self._stated.said("inLanguage"))

    @property
    def description(self) -> Found | None:
        """The description that the page gives."""
        descriptions = self._stated.meta(*DESCRIPTION)
        return (descriptions[0], "meta") if descriptions else _first(self._stated.said("description"), "json-ld")

    @property
    def site_name(self) -> Found | None:
        """The name that the site gives itself, else the part that its titles share."""
        if names := self._stated.meta(*SITE_NAME):
            return names[0], "meta"
        title = folded(self._page.title)
        ours = (name for name in self._habits.names if folded(name) in title)  # other parts of a site have other names
        return _first(self._stated.sites, "json-ld") or _first(ours, "site")

    @property
    def canonical_url(self) -> Found | None:
        """The canonical URL of the page; absolute if the URL of the page is known."""
        url = joined(self._url, self._canonical) if self._canonical else None
        return None if url is None else (plain(url), "link")

    def _titles(self) -> list[Found]:
        """Returns the stated titles of the page (title, meta, JSON-LD) without the name of the site."""
        stated = [(self._page.title, "title")]
        stated += [(text, "meta") for text in self._stated.meta(*TITLE)[:1]]
        stated += [(text, "json-ld") for text in islice(self._stated.said("headline"), 1)]
        tidied = [(titles.tidy(text), source) for text, source in stated]
        shared = self._habits.names_folded
        return [
            (self._without_site(text), source)
            for text, source in tidied
            if (name := folded(text)) and name not in shared
        ]

    def _without_site(self, text: str) -> str:
        return titles.without_site(text, self._parts, self._host, front=self._is_front, own=self._own)

    @cached_property
    def _shown(self) -> shown.ShownMetadata:
        return shown.around(
            self._page.body, self._habits, self._aside, named=self._by_people, day_first=self._day_first
        )

    @cached_property
    def _aside(self) -> shown.Aside:
        return shown.Aside(self._place, forum=self._kind == FORUM)

    @property
    def _place(self) -> Node | None:
        """The element that shows the title: a heading, or another one."""
        heading = self.heading
        if heading is None and self._is_written:
            element = shown.place_of(same(text for text, _ in self._called), self._page.body)
            if element is not None:
                return element
        heading = heading or self._heading
        return heading.node if heading else None

    @property
    def _day_first(self) -> bool:
        return self.language is not None and self.language[0].lower() not in ("en", "en-us")


def _first_date(texts: Iterable[str]) -> str | None:
    for text in texts:
        if date := dates.iso(text):
            return date
    return None


def _address(url: str) -> tuple[str, bool]:
    """Returns the host of a URL, and whether the URL is that of the front page."""
    parts = split(url)
    return ("", False) if parts is None else (parts.hostname or "", parts.path in ("", "/") and bool(parts.hostname))


def _first(texts: Iterable[str], source: str) -> Found | None:
    return next(((text, source) for text in texts), None)
