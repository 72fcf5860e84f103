"""Machine-readable metadata of a page: JSON-LD, microdata, RDFa, and old and new meta tags."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from html import unescape
from typing import Any

from dehusk.base import fields
from dehusk.base.shared import Shared
from dehusk.page import Node, Page
from dehusk.page.elements import attribute, attributes, first, select, text_of

LONGEST_VALUE = 1000
"""Values are cut after this many characters."""

MOST_THINGS = 1000
"""Maximum number of meta tags, and of JSON-LD objects, that are read."""

MOST_JSON = 1_000_000
"""A longer JSON-LD script is ignored (in characters)."""

# Zero-width joiners stay: they are part of words in Persian and Hindi, and of emoji.
_INVISIBLE = re.compile(r"[\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+")
_IN_NAMES = re.compile("[:/#]")
_TRAILING = re.compile(r",(\s*[\]}])")
_BEFORE = ("<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[")
_BEHIND = ("-->", "//]]>", "/*]]>*/", "]]>", ";")

ARTICLES = re.compile(
    "Article|Posting|(?:Report|Question|Recipe|Review|HowTo|Book|Movie|Product|VideoObject|Event|Course)$"
)
"""Types of objects that a page is about. They have priority over the page itself and its site."""

# Names of meta tags, most reliable first. `date` is used with many meanings.
PUBLISHED = (
    *("article:published_time", "og:article:published_time", "article:published", "og:published_time", "datepublished"),
    *("originalpublicationdate", "pdate", "pubdate", "publishdate", "publish_date", "publish-date", "published"),
    *("published_date", "published-date", "w-published-date", "publication_date", "parsely-pub-date", "sailthru.date"),
    *("cxenseparse:recs:publishtime", "cxenseparse:publishtime", "shareaholic:article_published_time", "displaydate"),
    *("citation_publication_date", "citation_online_date", "citation_date", "prism.publicationdate"),
    *("article.published", "dc.date.issued", "dcterms.issued", "dc.date.created", "dcterms.created", "dc.date"),
    *("dcterms.date", "datecreated", "created", "date"),
)
MODIFIED = (
    *("article:modified_time", "og:article:modified_time", "og:updated_time", "datemodified", "dc.date.modified"),
    *("dcterms.modified", "shareaholic:article_modified_time", "article.updated", "lastmod", "last-modified"),
    *("revised", "modified"),
)
AUTHOR = (
    *("author", "article:author", "citation_author", "citation_authors", "dc.creator", "dcterms.creator"),
    *("parsely-author", "sailthru.author", "byl", "cxenseparse:author", "shareaholic:article_author_name", "creator"),
    *("og:article:author", "article.author"),
)
DESCRIPTION = (
    *("description", "og:description", "twitter:description", "dc.description", "dcterms.description"),
    "dcterms.abstract",
)
TITLE = ("og:title", "twitter:title", "dc.title")
LANGUAGE = ("content-language", "dc.language", "og:locale", "language")
SITE_NAME = ("og:site_name", "application-name")
APP_NAME = "apple-mobile-web-app-title"
TYPE = "og:type"
LABELLED = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
"""Pairs of tags with a label, such as "Written by", and its value."""
_KNOWN = {*PUBLISHED, *MODIFIED, *AUTHOR, *DESCRIPTION, *TITLE, *LANGUAGE, *SITE_NAME, APP_NAME, TYPE}.union(*LABELLED)
_NAMES = ("property", "name", "itemprop")

_MAIN_KEYS = ("@graph", "mainEntity", "mainEntityOfPage")

Thing = Mapping[str, Any]


def plain(text: object) -> str:
    """Returns a value on one line, without control and invisible characters, cut if too long; "" if not a str."""
    if not isinstance(text, str):
        return ""
    if len(text) > 4 * LONGEST_VALUE:
        text = text[: 4 * LONGEST_VALUE]
    if "&" in text:
        text = unescape(text)
    text = " ".join(text.split())
    if not text.isprintable():
        text = " ".join(_CONTROLS.sub(" ", _INVISIBLE.sub("", text)).split())
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE].rstrip()


class Stated(Shared):
    """The machine-readable metadata of a page. Microdata and RDFa are read on first use."""

    def __init__(self, page: Page) -> None:
        self._document = page.whole
        self.metas: Mapping[str, Sequence[str]] = _metas(self._document)
        """The contents of known meta tags, by name or property in lower case."""
        top, self._by_id = _things(self._document)
        self.things = [thing for thing in top if not _is(thing, "WebSite", "Organization", "Person", "BreadcrumbList")]
        """The JSON-LD objects that the page may be about, articles first."""
        self.things.sort(key=lambda thing: not ARTICLES.search(_type(thing)))
        self.sites = self._sites(top)
        """The names of the site and its publisher."""

    def meta(self, *names: str) -> list[str]:
        """Returns the contents of the first of these tags that the page has."""
        metas = self.metas
        for name in names:
            if name in metas:
                return list(metas[name])
        return []

    def all_meta(self, names: Iterable[str]) -> list[str]:
        """Returns the contents of all of these tags."""
        metas = self.metas
        return [content for name in names if name in metas for content in metas[name]]

    def _sites(self, things: Iterable[Thing]) -> list[str]:
        names = self.all_meta((*SITE_NAME, APP_NAME))
        for thing in things:
            names += self.names(thing.get("publisher"))
            if _is(thing, "WebSite", "Organization"):
                names += self.names(thing)
        return list(dict.fromkeys(names))

    def said(self, *keys: str) -> Iterator[str]:
        """Yields the texts that JSON-LD objects have under these keys, first key first."""
        for key in keys:
            for thing in self.things:
                value = thing.get(key)
                yield from filter(None, map(plain, value if isinstance(value, list) else [value]))

    def people(self, *keys: str) -> list[str]:
        """Returns the names under these keys of the first JSON-LD object that has any."""
        for thing in self.things:
            for key in keys:
                if people := self.names(thing.get(key)):
                    return people
        return []

    def names(self, value: object) -> list[str]:
        """Returns the names in a JSON-LD value: a text, an object with a name, a reference by id, or a list."""
        names: list[str] = []
        for item in value[:MOST_THINGS] if isinstance(value, list) else [value]:
            thing: object = item
            if isinstance(item, dict) and not item.get("name"):
                thing = self._by_id.get(str(item.get("@id")), item)
            name = thing.get("name") if isinstance(thing, dict) else thing
            names += map(plain, name if isinstance(name, list) else [name])
        return list(dict.fromkeys(filter(None, names)))

    def author(self, name: str) -> str:
        """Returns the name in the first element with this microdata or RDFa property; "" if there is none."""
        element = self._properties.get(name)
        if element is None:
            return ""
        inner = first(element, '[itemprop~="name"]')
        named = element if inner is None else inner
        return plain(attribute(element, "content") or attribute(named, "content") or text_of(named))

    def date(self, name: str) -> str:
        """Returns the raw date in the first element with this property; "" if there is none."""
        element = self._properties.get(name)
        if element is None:
            return ""
        return plain(attribute(element, "content") or attribute(element, "datetime") or text_of(element))

    @cached_property
    def _properties(self) -> Mapping[str, Node]:
        """The first element with each microdata or RDFa property, by its name without the vocabulary."""
        elements: dict[str, Node] = {}
        for element in list(filter(_is_marked, select(self._document, "[itemprop],[property]")))[:MOST_THINGS]:
            names = attribute(element, "itemprop") or attribute(element, "property") or ""
            for name in names.split():
                elements.setdefault(_IN_NAMES.split(name)[-1].lower(), element)
        return elements


def _metas(document: Node) -> dict[str, list[str]]:
    contents: dict[str, list[str]] = {}
    for tag in select(document, "meta")[:MOST_THINGS]:
        by_property, by_name, by_itemprop = attributes(tag, _NAMES)
        name = (by_property or by_name or by_itemprop or "").strip().lower()
        if name in _KNOWN and (content := plain(attribute(tag, "content"))):
            contents.setdefault(name, []).append(content)
    return contents


def _things(document: Node) -> tuple[list[Thing], dict[str, Thing]]:
    """Returns the top-level JSON-LD objects, and all that have an id, by id."""
    things: list[Thing] = []
    by_id: dict[str, Thing] = {}
    for script in select(document, 'script[type*="ld+json"]')[:MOST_THINGS]:
        if len(things) < MOST_THINGS:
            things += _top(read_json(text_of(script)))
    for thing in things:
        if isinstance(thing.get("@id"), str) and len(thing) > 1:
            by_id.setdefault(thing["@id"], thing)
    return things, by_id


_PROPERTIES = ("author", "datePublished", "dateModified", "headline", "dateCreated")
_RDFA = {*_PROPERTIES, *(f"schema:{name}" for name in _PROPERTIES), "dc:date", "dc:creator", "dc:title", "dcterms:date"}


def _is_marked(element: Node) -> bool:
    """Returns whether an element has one of the known properties."""
    tokens, exact = attributes(element, ("itemprop", "property"))
    return exact in _RDFA or (tokens is not None and any(name in _PROPERTIES for name in tokens.split()))


def read_json(text: str) -> object:
    """Parses JSON leniently: inside comments, with line breaks in strings, with trailing commas. None if not JSON."""
    if len(text) > MOST_JSON:
        return None
    unwrapped = _unwrapped(text)
    for attempt in (text, unwrapped, _TRAILING.sub(r"\1", unwrapped)):
        try:
            return fields.parsed(attempt, strict=False)
        except ValueError:
            continue
    return None


def _unwrapped(text: str) -> str:
    """Returns a script without the comment marks that hide it from old browsers."""
    text = text.strip()
    for mark in _BEFORE:
        text = text.removeprefix(mark)
    for mark in _BEHIND:
        text = text.removesuffix(mark).rstrip()
    return text


def _top(value: object) -> list[Thing]:
    """Returns top-level objects, those of graphs, and main entities; not objects nested in them."""
    things: list[Thing] = []
    waiting: deque[object] = deque([value])
    while waiting and len(things) < MOST_THINGS:
        item = waiting.popleft()
        if isinstance(item, list):
            waiting.extendleft(reversed(item))
        elif isinstance(item, dict):
            things.append(item)
            waiting.extendleft(item[key] for key in reversed(_MAIN_KEYS) if isinstance(item.get(key), dict | list))
    return things


def _type(thing: Thing) -> str:
    value = thing.get("@type")
    types: Iterable[object] = value if isinstance(value, list) else [value]
    return " ".join(name for name in types if isinstance(name, str))


def _is(thing: Thing, *types: str) -> bool:
    return any(name in _type(thing) for name in types)
