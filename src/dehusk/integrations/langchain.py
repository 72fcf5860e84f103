"""A loader, a transformer and a splitter for LangChain, with the types of langchain-core.

docs = DehuskLoader("crawl/").load()                        # a Document for each page
chunks = DehuskLoader("crawl/", chunk_size=1500).load()     # a Document for each chunk
docs = DehuskTransformer().transform_documents(html_docs)   # documents of another loader that have HTML
"""

import asyncio
from collections.abc import AsyncIterator, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from dehusk.base.errors import Skipped
from dehusk.base.extras import needs_extra
from dehusk.integrations._documents import Documents, Pages, Piece, Place, html_page, pages_at
from dehusk.jobs.arriving import Given
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.templates.chunks import SIZE

with needs_extra("langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document


class _Adapter:
    """The options that all three share."""

    def __init__(
        self,
        *,
        chunk_size: int | None = None,
        format: str = "text",  # noqa: A002  # as the command line has it
        template: Given | None = None,
        store: Place | None = None,
        by: str = "host",
        writing: Writing = AS_LEARNED,
        **learning: Any,
    ) -> None:
        """`format` is text or markdown. Without `template` and `store`, sites are learned from the pages themselves.

        With `chunk_size`, the maximum letters of a chunk, there is a document for each chunk. `by` and `learning` say
        how to learn, `writing` how to write.
        """
        self._documents = Documents(format, chunk_size, template, store, by, writing, learning)

    @property
    def skipped(self) -> list[Skipped]:
        """The pages of the last run that could not be read or cleaned, with the reasons."""
        return list(self._documents.skipped)


class DehuskLoader(_Adapter, BaseLoader):
    """Loads the pages of folders, files and archives: all that `dehusk clean` reads, but not the web. Or pages."""

    def __init__(self, source: Pages, **options: Any) -> None:
        super().__init__(**options)
        self._source = source

    def lazy_load(self) -> Generator[Document, None, None]:
        """Yields a document for each page or chunk."""
        for _, pieces in self._documents.of(pages_at(self._source)):
            yield from (_document(piece) for piece in pieces)

    async def alazy_load(self) -> AsyncIterator[Document]:
        """Yields the same. All is read in one thread, because a store belongs to a thread."""
        documents = self.lazy_load()
        with ThreadPoolExecutor(1) as thread:
            ask = partial(asyncio.get_running_loop().run_in_executor, thread)
            try:
                while (document := await ask(next, documents, None)) is not None:
                    yield document
            finally:
                await ask(documents.close)


class DehuskTransformer(_Adapter, BaseDocumentTransformer):
    """Cleans documents whose content is HTML and whose metadata has the URL as `source`. Other metadata is kept."""

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> list[Document]:
        """Returns a document for each page or chunk. What cannot be cleaned is left out: see `skipped`."""
        items = [html_page(one.metadata.get("source"), one.page_content, n) for n, one in enumerate(documents)]
        known = {id(item): one.metadata for item, one in zip(items, documents, strict=True)}
        return [_document(piece, known[id(page)]) for page, pieces in self._documents.of(items) for piece in pieces]


class DehuskSplitter(DehuskTransformer):
    """Splits such documents into chunks. Headings begin chunks; tables, code and sentences are cut only if large."""

    def __init__(self, chunk_size: int = SIZE, **options: Any) -> None:
        super().__init__(chunk_size=chunk_size, **options)

    def split_documents(self, documents: Sequence[Document]) -> list[Document]:
        """Returns the chunks, by the name that LangChain's text splitters have for it."""
        return self.transform_documents(documents)


def _document(piece: Piece, known: dict[str, Any] | None = None) -> Document:
    return Document(page_content=piece.text, metadata={**(known or {}), **piece.metadata}, id=piece.id)
