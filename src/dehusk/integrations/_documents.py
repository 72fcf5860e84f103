"""What loaders and splitters for retrieval share: pages become texts with metadata, whole or in chunks."""

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from dehusk.base.errors import Skipped, UsageError
from dehusk.jobs.arriving import Given, clean_all_of
from dehusk.jobs.site_templates import Templates
from dehusk.page import LARGEST, Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources import Source, open_source
from dehusk.sources.jsonl import row_page
from dehusk.templates.chunks import OPTION, Chunk
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.template import Template

Place = str | os.PathLike[str]

Pages = Place | Sequence[Place | Page] | Source
"""Paths of folders, files and archives, an open source, or a list of pages."""

FORMATS = ("text", "markdown")
"""Allowed values of `format`."""

METADATA = ("title", "author", "date", "language", "description", "kind", "quality")
"""Fields of a row that documents have as metadata: those that are single values, as vector databases need them."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Piece:
    """The content of a page, or a chunk of it."""

    text: str
    metadata: dict[str, Any]
    id: str | None = None
    """The id of a chunk: the same text has the same id everywhere."""


@dataclass(slots=True)
class Documents:
    """How pages become documents. `skipped` has the pages that could not be read or cleaned, with the reasons."""

    format: str = "text"
    chunk_size: int | None = None
    """Maximum letters of a chunk; None for one document a page."""
    template: Given | None = None
    """A template, or the file or folder of saved ones."""
    store: Place | None = None
    """The file of a store. Without it and without a template, sites are learned from the pages."""
    by: str = "host"
    writing: Writing = AS_LEARNED
    learning: Mapping[str, Any] = field(default_factory=dict)
    """Options of `dehusk.learn`."""
    skipped: list[Skipped] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise UsageError(f"unknown format {self.format!r}: choose one of {', '.join(FORMATS)}")
        if self.chunk_size is not None:
            OPTION.check(self.chunk_size)

    def of(self, items: Iterable[Page | Skipped]) -> Iterator[tuple[Page, list[Piece]]]:
        """Yields each page with its pieces. `items` is a list or a source: it is iterated twice to learn."""
        self.skipped.clear()
        cleaned = clean_all_of(
            items,
            self._pieces,
            template=self.template,
            store=self.store,
            by=self.by,
            writing=self.writing,
            **self.learning,
        )
        for item, outcome in cleaned:
            if isinstance(outcome, Skipped):
                self.skipped.append(outcome)
                _log.warning("%s: %s", outcome.name, outcome.reason)
            elif isinstance(item, Page):
                yield item, outcome.piece

    def _pieces(self, cleaned: Cleaned, site: str) -> list[Piece]:
        text = cleaned.markdown if self.format == "markdown" else cleaned.text
        row = cleaned.to_dict((), site=site)
        metadata = {"source": cleaned.url or cleaned.page.name, "site": site or None}
        metadata |= {name: row[name] for name in METADATA}
        if self.chunk_size is None:
            return [Piece(text, _known(metadata))]
        chunks = cleaned.chunks(self.chunk_size, markdown=self.format == "markdown")
        return [Piece(chunk.text, _known(metadata | _place(chunk)), chunk.id) for chunk in chunks]


def _place(chunk: Chunk) -> dict[str, Any]:
    """Returns where a chunk is on its page."""
    return {"url": chunk.url, "path": chunk.path, "position": chunk.position, "role": chunk.role and chunk.role.value}


def _known(metadata: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if value is not None}


def saved(template: Given | None, writing: Writing) -> dict[str, Any]:
    """Returns both as JSON data, for pipelines that are saved. A path stays a path."""
    known: Any = template
    if isinstance(template, Templates):
        known = {"by": template.by, "by_site": {site: one.to_json() for site, one in template.by_site.items()}}
    elif isinstance(template, Template):
        known = template.to_json()
    elif template is not None:
        known = os.fspath(template)
    values = {one.name: getattr(writing, one.name) for one in fields(writing)}
    plain = {name: list(map(str, value)) if isinstance(value, tuple) else value for name, value in values.items()}
    return {"template": known, "writing": plain}


def restored_template(data: Any) -> Given | None:
    """Returns the template that `saved` was given. What was never saved stays as it is."""
    if not isinstance(data, Mapping):
        given: Given | None = data
        return given
    if "by_site" not in data:
        return Template.from_json(data)
    return Templates({site: Template.from_json(one) for site, one in data["by_site"].items()}, data["by"])


def restored_writing(data: Writing | Mapping[str, Any]) -> Writing:
    """Returns the options that `saved` was given. What was never saved stays as it is."""
    return data if isinstance(data, Writing) else Writing(**data)


def pages_at(source: Pages) -> Iterable[Page | Skipped]:
    """Returns the pages of folders, files and archives; of an open source or a list of pages as they are."""
    if isinstance(source, str | os.PathLike):
        return open_source([source])
    if not isinstance(source, Sequence):
        return source
    pages = [one for one in source if isinstance(one, Page)]
    places = [one for one in source if not isinstance(one, Page)]
    if pages and places:
        raise UsageError("give paths or pages, not both in one list")
    return open_source(places) if places else pages


def html_page(url: object, html: object, number: int) -> Page | Skipped:
    """Returns the page of a document that has HTML. Without a URL it is named by its number."""
    return row_page(url, html, f"document {number}", LARGEST)
