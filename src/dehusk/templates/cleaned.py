"""A page without its template, and its fields in rows, tables and services."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from operator import attrgetter
from typing import Any, get_args, get_origin, get_type_hints

from dehusk import render
from dehusk.base.errors import PageWarning, UsageError, did_you_mean
from dehusk.base.shared import Shared
from dehusk.base.urls import host
from dehusk.marking.edits import Edit
from dehusk.marking.marking import Marking, Removed
from dehusk.metadata import Metadata, languages
from dehusk.page import Node
from dehusk.page.sharing import alone, own_property
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.roles import Role
from dehusk.tables.lines import Read
from dehusk.tables.records import Record, Tables, edited, edited_columns
from dehusk.templates.chunks import OPTION, SIZE, Chunk, chunks_of
from dehusk.templates.outlinks import Link, links_of
from dehusk.templates.parts import Part, parts_of
from dehusk.templates.posts import posts_of


@dataclass(frozen=True, slots=True)
class CleanedField:
    """A field of a cleaned page: its name, Python type and meaning, and a function for its value."""

    name: str
    type: Any
    meaning: str
    value: "Callable[[Cleaned], Any]"
    on_demand: bool = False
    """Whether it is included only on request, because it takes time or is long."""


CONTENT = ("text", "markdown", "html")
"""The content of a page in each format; on demand."""

MEASURES = ("fit", "length")
"""How well a page matches its template, and its length; on demand."""

BRIEF = ("title", "authors", "date")
"""The metadata shown above the content in short output."""


def _stated() -> Iterator[CleanedField]:
    """Yields the metadata fields, and all authors in one text. The kind is left out: FIELDS has it already."""
    for name, hint in get_type_hints(Metadata, include_extras=True).items():
        stored, meaning = get_args(hint)
        if name == "authors":
            yield CleanedField("author", str | None, "all authors in one text", attrgetter("metadata.author"))
        if name != "kind":
            as_json = _AS_JSON.get(get_origin(stored))
            value = attrgetter(f"metadata.{name}")
            yield CleanedField(name, stored, meaning, partial(_converted, as_json, value) if as_json else value)


_AS_JSON: Mapping[Any, Callable[[Any], object]] = {tuple: list, Mapping: dict}
"""Conversions of types that JSON does not have."""


def _converted(as_json: Callable[[Any], object], value: "Callable[[Cleaned], Any]", cleaned: "Cleaned") -> object:
    return as_json(value(cleaned))


def _rounded(name: str, cleaned: "Cleaned") -> float:
    value: float = getattr(cleaned, name)
    return round(value, 4)


def _parts(cleaned: "Cleaned") -> list[dict[str, Any]]:
    return [part.to_dict() for part in cleaned.parts]


def _warnings(cleaned: "Cleaned") -> list[str]:
    return [warning.value for warning in cleaned.warnings]  # plain texts, which every library of tables takes


FIELDS = (
    CleanedField("name", str, "its path in the source, or its URL", attrgetter("page.name")),
    CleanedField("url", str | None, "its URL, or the canonical URL that it declares", attrgetter("url")),
    CleanedField("site", str, "the name of its site; empty for pages without a URL", lambda _: ""),
    CleanedField("family", str | None, "the family of pages it belongs to; null for none", attrgetter("family")),
    CleanedField(
        "kind", str | None, "the kind of page: article, forum, product ...; null if unknown", attrgetter("kind")
    ),
    CleanedField("kind_confidence", float | None, "the confidence of the kind, 0 to 1", attrgetter("kind_confidence")),
    CleanedField(
        "quality",
        float | None,
        "the F1 that can be expected of the pages of its family, 0 to 1; null if unknown",
        attrgetter("quality"),
    ),
    *_stated(),
    CleanedField("text", str, "the content as plain text", attrgetter("text"), on_demand=True),
    CleanedField("markdown", str, "the content as Markdown", attrgetter("markdown"), on_demand=True),
    CleanedField("html", str, "the content as HTML", attrgetter("html"), on_demand=True),
    CleanedField("parts", list[Part], "all its text in parts, each with its role", _parts, on_demand=True),
    CleanedField("fit", float, "how well it matches the template, 0 to 1", partial(_rounded, "fit"), on_demand=True),
    CleanedField(
        "length", int, "the length of its text before cleaning, in letters", attrgetter("length"), on_demand=True
    ),
    CleanedField(
        "share_removed", float, "the share of its text that was removed, 0 to 1", partial(_rounded, "share_removed")
    ),
    CleanedField("warnings", list[str], "warnings about the page, for people", _warnings),
)


_ON_DEMAND = [field.name for field in FIELDS if field.on_demand]


def fields_with(asked: Collection[str]) -> list[CleanedField]:
    """Returns the fields of a page, including the requested ones on demand. Raises UsageError for an unknown field."""
    for name in asked:
        if name not in _ON_DEMAND:
            raise UsageError(
                f"no field {name!r} to ask for; there are {', '.join(_ON_DEMAND)}{did_you_mean(name, _ON_DEMAND)}"
            )
    return [field for field in FIELDS if not field.on_demand or field.name in asked]


class Cleaned(Shared):
    """A page without its template. Its properties are computed on access, from one parse of the page."""

    def __init__(
        self, marking: Marking, writing: Writing = AS_LEARNED, tables: Tables | None = None, edits: Sequence[Edit] = ()
    ) -> None:
        self.page, self.lock = marking.page, marking.lock
        self.marking = marking
        self.fit = marking.fit
        """How well the page matches the template, from 0 to 1: see `Template.fit`."""
        self.family = marking.family
        """The family of pages it belongs to; None if it fits none."""
        self._writing = writing
        self._tables, self._edits = tables or Tables(), edits

    def __repr__(self) -> str:
        start = self.text[:40].split("\n")[0]
        return f"<Cleaned {self.page.name or self.page.digest[:12]}: {len(self.text):,} characters, {start!r}>"

    def _repr_html_(self) -> str:
        """The page in a notebook: its text, with what was removed folded away."""
        removed = self.removed  # first: the text needs the page without its template
        gone = "".join(f"<li>{escape(one.reason)}: {escape(' '.join(one.text.split()))}</li>" for one in removed)
        title = escape(self.metadata.title or self.page.name)
        return (
            f"<b>{title}</b><pre style='white-space:pre-wrap'>{escape(self.text)}</pre>"
            f"<details><summary>{len(removed)} parts removed ({self.share_removed:.0%} of the text)</summary>"
            f"<ul>{gone}</ul></details>"
        )

    @property
    def kind(self) -> str | None:
        """The kind of page of its family (article, forum, product, ...); None if it is not known."""
        return self.marking.kind[0] if self.marking.kind else None

    @property
    def kind_confidence(self) -> float | None:
        """The probability of the kind, from 0 to 1; None if it is not known."""
        return round(self.marking.kind[1], 4) if self.marking.kind else None

    @own_property
    def metadata(self) -> Metadata:
        """Title, authors, dates, language and more, each with its source.

        A language that the page does not state is that of its text, if `dehusk[language]` is installed.
        """
        stated = self.marking.reader.read()
        language = languages.detected(self.text) if stated.language is None and languages.detector_version() else None
        if language is None:
            return stated
        return replace(stated, language=language, sources={**stated.sources, "language": "text"})

    def to_dict(self, asked: Collection[str] = ("text",), *, site: str = "") -> dict[str, Any]:
        """Returns the fields of the page for JSON: all of `FIELDS`, those on demand only if they are in `asked`.

        `site` is the name of its site.
        """
        chosen = fields_with(asked)
        # First the fields that need the page without its template, because metadata puts the template back.
        for name in ("share_removed", *(name for name in CONTENT if name in asked)):
            getattr(self, name)
        row = {field.name: field.value(self) for field in chosen}
        row["site"] = site
        return row

    @property
    def quality(self) -> float | None:
        """The F1 that can be expected of the pages of its family, from 0 to 1; None without text or a prediction.

        0 if nothing is left of the page.
        """
        if self.marking.quality is None or self.marking.kind is None:
            return None
        return 0.0 if self.share_removed == 1 else self.marking.quality

    @property
    def url(self) -> str | None:
        """The URL of the page, else the canonical URL that it declares."""
        return self.page.url or self.metadata.canonical_url

    @property
    def address(self) -> str | None:
        """The URL of the page, or the one that `Writing.base_url` gives it."""
        return self.url or self._writing.base_of(self.page) or None

    @own_property
    def text(self) -> str:
        """The content as plain text: paragraphs, list items and table rows on lines of their own."""
        posts = posts_of(self.page, self.unseen, self.marking.presumed_kind, signed=False)
        return render.text(self.page, self.unseen, self._writing, posts)

    @own_property
    def markdown(self) -> str:
        """The content as Markdown, with absolute links if the page's URL is known. The title is its first heading."""
        # The metadata and the title first: they are read from the whole document.
        head = self._front_matter() if self._writing.front_matter else ""
        title = None if Role.TITLE in self._writing.drop else self.marking.title
        posts = posts_of(self.page, self.unseen, self.marking.presumed_kind, signed=True)
        return head + render.markdown(self.page, self.unseen, self._writing, title, posts)

    def _front_matter(self) -> str:
        about = self._about
        chosen: dict[str, str | float | None] = {name: about[name] for name in ("title", "author", "date", "url")}
        site = about["site"] or host(self.url) or None
        return render.front_matter(chosen | {"site": site, "kind": self.kind, "quality": self.quality})

    @own_property
    def html(self) -> str:
        """The content as a self-contained HTML page that is safe to open: no scripts, frames or trackers.

        Unless `Writing.images` is "keep", it loads no pictures either.
        """
        return self.html_with(render.no_files)

    @alone
    def html_with(self, files: render.Files) -> str:
        """The content as HTML with the pictures that `files` returns as data URLs, by their addresses on the page."""
        return render.html(self.page, self.unseen, self._writing, files)

    @own_property
    def tei(self) -> str:
        """The content and its metadata as XML of the Text Encoding Initiative (TEI P5)."""
        return render.tei(self.page, self.unseen, self._about, self._writing)

    @property
    def _about(self) -> dict[str, str | None]:
        """The metadata that a document has at its beginning."""
        stated = self.metadata
        return {
            "title": stated.title,
            "author": stated.author,
            "date": stated.date,
            "url": self.url,
            "site": stated.site_name,
            "description": stated.description,
            "language": stated.language,
        }

    @own_property
    def record(self) -> Record | None:
        """The values of the page by column, if the template has columns; None if it is no record of a table."""
        return self._record and edited(self._record, self._edits)

    @own_property
    def _record(self) -> Record | None:
        """The record with the names that the columns were learned with."""
        if not self._tables or self.family is None:
            return None
        return self._tables.record(self._read, self.family)

    @own_property
    def cells(self) -> dict[str, list[int]]:
        """The text nodes of the values that the page shows, by column."""
        if self._record is None:
            return {}
        names = {old: column.name for old, column in edited_columns(self._record.columns, self._edits).items()}
        return {names[old]: nodes for old, nodes in self._tables.cells(self._read).items() if old in names}

    @own_property
    def items(self) -> list[dict[str, Any]]:
        """A row for each item that the page repeats, such as a post or a result, if the template has columns."""
        return self._tables.items.rows(self._read) if self._tables.items else []

    @property
    def _read(self) -> Read:
        """What is left of the page, as lines."""
        return Read(self.page, self.page.flagged(self.marking.gone))

    @own_property
    def parts(self) -> list[Part]:
        """All text of the page in parts, kept or removed, each with its role, in page order."""
        return parts_of(self.marking, self.unseen, self._writing)

    @alone
    def chunks(self, size: int = SIZE, *, markdown: bool = False) -> list[Chunk]:
        """The content in pieces of at most `size` letters, for search and retrieval, as text or Markdown.

        Headings begin chunks. A table, a code block, a list item or a sentence is cut only if it is larger than `size`.
        """
        OPTION.check(size)
        title, url = self.metadata.title, self.address
        pieces = render.chunked(self.page, self.unseen, size, markdown=markdown, writing=self._writing)
        return chunks_of(self.marking, pieces, title, url)

    @own_property
    def links(self) -> list[Link]:
        """The links to other pages, in page order, each with the role of the part it is in.

        Links are absolute: a page without a URL has only those that are written so, unless `Writing.base_url` is given.
        """
        return links_of(self.marking, self.address, self._writing.base_of(self.page))

    @own_property
    def removed(self) -> list[Removed]:
        """The removed parts: their text, place, reason and confidence. The first word of each reason is a role."""
        return self.marking.removed

    @property
    def length(self) -> int:
        """The length of the page's text before cleaning, in letters."""
        return self.marking.length

    @property
    def share_removed(self) -> float:
        """The share of the page's text that was removed, from 0 to 1."""
        return self.marking.share_removed

    @property
    def warnings(self) -> list[PageWarning]:
        """Warnings about the cleaning of this page, as texts that are members of `PageWarning`."""
        return self.marking.warnings

    @own_property
    def unseen(self) -> Sequence[Node]:
        """The nodes that are not written: template and hidden elements."""
        gone = self.marking.gone
        unseen = render.unseen(self.page, gone)
        if not self._writing.keep or len(unseen) == len(gone):
            return unseen
        return [*gone, *self.marking.hidden(unseen[len(gone) :], self._writing.keep)]
