"""Steps for datatrove: learn the sites of a crawl into a store, then clean its documents from the store.

    learn = LocalPipelineExecutor([WarcReader("crawl/"), DehuskLearner("crawl.store")], tasks=8)
    steps = [WarcReader("crawl/"), DehuskCleaner("crawl.store"), JsonlWriter("text/")]
    LocalPipelineExecutor(steps, tasks=8, depends=learn).run()

`DehuskExtractor` cleans each document by itself, in the place of another extractor.
"""

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from dehusk.base.errors import Skipped, UsageError
from dehusk.base.extras import needs_extra
from dehusk.core import clean
from dehusk.jobs.arriving import Arriving
from dehusk.jobs.store import Store
from dehusk.page import LARGEST, Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources.jsonl import row_page
from dehusk.templates.cleaned import Cleaned

with needs_extra("datatrove"):
    from datatrove.data import Document, DocumentsPipeline
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.pipeline.writers.disk_base import DiskWriter
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints

CONTENT = ("text", "markdown")
"""Allowed values of `format`."""

TIMEOUT = 10.0
"""Seconds for a document of the extractor. The largest pages take a few seconds."""


class DehuskLearner(PipelineStep):
    """Learns the sites of documents whose text is HTML, and whose metadata has their `url`, into a store.

    Many tasks may write one store, on a disk that they share; the templates do not depend on how documents were split.
    It passes no documents on: run a second pipeline to clean.
    """

    type = "🌾 - DEHUSK"
    name = "📚 learner"

    def __init__(self, store: str | os.PathLike[str], *, by: str | None = None, **learning: Any) -> None:
        """`learning` has the options of `dehusk.learn`. They are fixed when the store is created."""
        super().__init__()
        self._store, self._learning = os.fspath(store), {"by": by, **learning}
        Store(self._store, **self._learning).close()  # raises for invalid options here, not in a task

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:  # noqa: ARG002
        """Adds all documents to the store."""
        with Store(self._store, **self._learning) as store:
            added = store.add(self._pages(data))
        self.stat_update("sites", value=added.sites)
        for why in added.failed.values():
            self.stat_update("failed_sites")
            logger.warning(why)
        yield from ()

    def _pages(self, data: DocumentsPipeline) -> Iterator[Page]:
        for document in data:
            self.stat_update(StatHints.total)
            page = _page(document)
            if isinstance(page, Page):
                self.stat_update("learned")
                yield page


class DehuskCleaner(PipelineStep):
    """Replaces the HTML of documents by their content, with the templates of a store or template file.

    Metadata of the page are added, unless the document has them. What cannot be cleaned is dropped, counted by its
    reason, and written by `exclusion_writer`, if given, with the reason as `filter_reason`.
    """

    type = "🌾 - DEHUSK"
    name = "🧹 cleaner"

    def __init__(
        self,
        store: str | os.PathLike[str] | None = None,
        *,
        template: str | os.PathLike[str] | None = None,
        format: str = "text",  # noqa: A002  # as the command line has it
        writing: Writing = AS_LEARNED,
        exclusion_writer: DiskWriter | None = None,
    ) -> None:
        super().__init__()
        if (store is None) == (template is None):
            raise UsageError("clean with what? give the store of a DehuskLearner, or template=")
        if format not in CONTENT:
            raise UsageError(f"unknown format {format!r}: choose one of {', '.join(CONTENT)}")
        self._given: dict[str, Any] = {"store": store} if template is None else {"template": template}
        self._format, self._writing, self._exclusion_writer = format, writing, exclusion_writer

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:  # noqa: ARG002
        """Yields the documents that were cleaned."""
        arriving: Arriving[None] = Arriving(**self._given)
        with contextlib.closing(arriving), self._exclusion_writer or contextlib.nullcontext() as writer:
            for document in data:
                self.stat_update(StatHints.total)
                with self.track_time():
                    why = self._clean(document, arriving)
                if why is None:
                    self.stat_update(StatHints.forwarded)
                    self.update_doc_stats(document)
                    yield document
                    continue
                self.stat_update(StatHints.dropped, f"dropped_{why}")
                logger.warning(f"{document.metadata.get('url', document.id)}: {why}")
                if writer is not None:
                    document.metadata["filter_reason"] = why
                    writer.write(document, rank)

    def _clean(self, document: Document, arriving: Arriving[None]) -> str | None:
        """Cleans a document; returns the reason if it cannot be cleaned."""
        page = _page(document)
        outcome = page if isinstance(page, Skipped) else arriving.clean(page, self._row, self._writing)
        if isinstance(outcome, Skipped):
            return outcome.reason
        document.text = outcome.piece.pop(self._format)
        document.metadata = {**outcome.piece, **document.metadata}
        return None

    def _row(self, cleaned: Cleaned, site: str) -> dict[str, Any]:
        return cleaned.to_dict((self._format,), site=site)


class DehuskExtractor(BaseExtractor):
    """Cleans each document by itself: less accurate than with a store, but without a first pipeline."""

    name = "🌾 dehusk"

    def __init__(self, timeout: float = TIMEOUT, *, format: str = "text") -> None:  # noqa: A002
        super().__init__(timeout)
        if format not in CONTENT:
            raise UsageError(f"unknown format {format!r}: choose one of {', '.join(CONTENT)}")
        self._format = format

    def extract(self, text: str) -> str:
        """Returns the content of a page; nothing for what is not a page."""
        page = row_page(None, text, "", LARGEST)
        content: str = "" if isinstance(page, Skipped) else getattr(clean(page), self._format)
        return content


def _page(document: Document) -> Page | Skipped:
    return row_page(document.metadata.get("url"), document.text, document.id, LARGEST)
