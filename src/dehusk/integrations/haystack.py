"""Components for Haystack: a converter of HTML to documents, and one that gives chunks.

DehuskConverter().run(sources=["page.html", ByteStream(html, meta={"url": url})])["documents"]
DehuskConverter(chunk_size=1500).run(sources=[...])["documents"]      # a document for each chunk
"""

import os
from pathlib import Path
from typing import Any, Self

from dehusk.base.errors import Skipped
from dehusk.base.extras import needs_extra
from dehusk.integrations._documents import (
    Documents,
    Piece,
    Place,
    html_page,
    restored_template,
    restored_writing,
    saved,
)
from dehusk.jobs.arriving import Given
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.templates.chunks import SIZE

with needs_extra("haystack"):
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.components.converters.utils import get_bytestream_from_source, normalize_metadata
    from haystack.dataclasses import ByteStream


class _Component:
    """The options that both components share. They are saved with a pipeline."""

    def __init__(
        self,
        *,
        chunk_size: int | None = None,
        format: str = "text",  # noqa: A002  # as the command line has it
        template: Given | dict[str, Any] | None = None,
        store: Place | None = None,
        by: str = "host",
        writing: Writing | dict[str, Any] = AS_LEARNED,
        **learning: Any,
    ) -> None:
        """`template` is one, or the path of what `dehusk learn` wrote; `store` is the path of a store.

        Without them, sites are learned. `by` and `learning` say how to learn, `writing` how to write. In a saved
        pipeline, `template` and `writing` are JSON data.
        """
        given, written = restored_template(template), restored_writing(writing)
        self._documents = Documents(format, chunk_size, given, store, by, written, learning)

    @property
    def skipped(self) -> list[Skipped]:
        """What could not be read or cleaned in the last run, with the reasons."""
        return list(self._documents.skipped)

    def to_dict(self) -> dict[str, Any]:
        """Returns the component for a saved pipeline."""
        own = self._documents
        options = {
            "chunk_size": own.chunk_size,
            "format": own.format,
            "store": None if own.store is None else os.fspath(own.store),
            "by": own.by,
            **saved(own.template, own.writing),
            **own.learning,
        }
        made: dict[str, Any] = default_to_dict(self, **options)
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Makes the component from a saved pipeline."""
        made: Self = default_from_dict(cls, data)
        return made

    def _cleaned(self, items: list[Page | Skipped], metas: list[dict[str, Any]]) -> dict[str, list[Document]]:
        known = {id(item): meta for item, meta in zip(items, metas, strict=True)}
        found = [_document(piece, known[id(page)]) for page, pieces in self._documents.of(items) for piece in pieces]
        return {"documents": found}


@component
class DehuskConverter(_Component):
    """Converts HTML to documents, as `HTMLToDocument` does, but learns what the pages of a site share."""

    @component.output_types(documents=list[Document])
    def run(
        self, sources: list[str | Path | ByteStream], meta: dict[str, Any] | list[dict[str, Any]] | None = None
    ) -> dict[str, list[Document]]:
        """Returns `documents`. The URL of a source is `url` in its meta; `meta` is one for all, or one for each."""
        items: list[Page | Skipped] = []
        metas: list[dict[str, Any]] = []
        for number, (source, own) in enumerate(zip(sources, normalize_metadata(meta, len(sources)), strict=True)):
            try:
                stream = get_bytestream_from_source(source)
            except (OSError, ValueError) as error:
                items.append(Skipped(str(source), f"cannot be read: {error}"))
                metas.append({})
                continue
            metas.append({**stream.meta, **own})
            items.append(html_page(metas[-1].get("url"), stream.data, number))
        return self._cleaned(items, metas)


@component
class DehuskSplitter(_Component):
    """Splits documents whose content is HTML, and whose meta has the `url`, into chunks."""

    def __init__(self, chunk_size: int = SIZE, **options: Any) -> None:
        _Component.__init__(self, chunk_size=chunk_size, **options)  # the decorator makes another class: no super()

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Returns the chunks as `documents`, each with the `source_id` of its document."""
        items = [html_page(one.meta.get("url"), one.content, number) for number, one in enumerate(documents)]
        return self._cleaned(items, [{**one.meta, "source_id": one.id} for one in documents])


def _document(piece: Piece, known: dict[str, Any]) -> Document:
    """Returns a document. Its `url` is that of the page, with the anchor of a chunk."""
    about = dict(piece.metadata)
    address = about.pop("source")
    if "position" in about:
        about["split_id"] = about.pop("position")  # as Haystack's own splitters name it
    return Document(content=piece.text, meta={**known, "url": address, **about})
