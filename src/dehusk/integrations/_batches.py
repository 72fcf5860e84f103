"""What libraries of distributed tables share: sample batches of rows, learn from the samples, and clean batches.

Sampling keeps the pages of each site with the smallest hashes, so the templates do not depend on how rows were split.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dehusk.base.errors import Skipped, UsageError
from dehusk.core import Learning
from dehusk.jobs.arriving import clean_all_of
from dehusk.jobs.result import Done
from dehusk.jobs.site_templates import Templates, learn_source
from dehusk.outputs.parquet import ParquetRow
from dehusk.page import LARGEST, Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources.jsonl import row_page
from dehusk.templates.sampling import Samples
from dehusk.templates.site_names import BY, site_of

if TYPE_CHECKING:
    from pyarrow import Schema, Table

Place = str | os.PathLike[str]

FORMATS = ("text", "markdown")
"""Allowed values of `format`."""


@dataclass(frozen=True, slots=True)
class Batches:
    """How batches of rows are cleaned. Can be pickled and sent to other machines."""

    url: str = "url"
    """The column of URLs."""
    html: str = "html"
    """The column of HTML, text or bytes."""
    format: str = "text"
    by: str = "host"
    writing: Writing = AS_LEARNED
    learning: Learning = field(default_factory=Learning)

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise UsageError(f"unknown format {self.format!r}: choose one of {', '.join(FORMATS)}")
        if self.by not in BY:
            raise UsageError(f"by={self.by!r}: choose {' or '.join(BY)}")
        if self.learning.looked_at is None:
            raise UsageError("sample=None: for batches, sample must be a number of pages")
        self.writing.check(self.format)

    def check(self, columns: Iterable[str]) -> None:
        """Raises UsageError if a column is missing."""
        known = list(columns)
        for name in (self.url, self.html):
            if name not in known:
                raise UsageError(f"no column {name}; there are {', '.join(known)}: name the ones to read")

    @property
    def schema(self) -> "Schema":
        """The columns of the result: those of `--format parquet`, and why a page was skipped."""
        import pyarrow as pa

        return ParquetRow(markdown=self.format == "markdown").schema.append(pa.field("skipped", pa.string()))

    def sampled(self, batch: "Table") -> "Table":
        """Returns the rows of a batch that may be learned from, with the columns url and html."""
        import pyarrow as pa

        with Samples(self.learning.looked_at) as samples:
            for page in self._items(batch):
                if isinstance(page, Page):
                    samples.add(site_of(page, self.by), page)
            chosen = [page for site in samples.sites for page in samples.pages(site)]
        data = [page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace") for page in chosen]
        columns = pa.schema([(self.url, pa.string()), (self.html, pa.binary())])
        return pa.table({self.url: [page.url for page in chosen], self.html: data}, schema=columns)

    def learned(self, samples: "Table") -> Templates:
        """Returns the templates of all sites; none if there is no page at all."""
        if not samples.num_rows:
            return Templates({}, self.by)
        return learn_source(self._items(samples), self.learning, by=self.by)

    def cleaned(self, batch: "Table", *, template: Templates | Place | None, store: Place | None = None) -> "Table":
        """Returns a row for each row of a batch. `skipped` is the reason if a page cannot be cleaned, else null."""
        import pyarrow as pa

        row = ParquetRow(markdown=self.format == "markdown")
        done = clean_all_of(self._items(batch), row, template=template, store=store, by=self.by, writing=self.writing)
        return pa.Table.from_pylist([self._row(item, outcome) for item, outcome in done], schema=self.schema)

    def _items(self, batch: "Table") -> list[Page | Skipped]:
        rows = zip(batch[self.url].to_pylist(), batch[self.html].to_pylist(), strict=True)
        return [row_page(url, html, "", LARGEST) for url, html in rows]

    def _row(self, item: Page | Skipped, outcome: Done | Skipped) -> dict[str, Any]:
        if isinstance(outcome, Done):
            return {**outcome.piece, "skipped": None}
        site = site_of(Page(b"", url=item.name), self.by)
        return {"name": item.name, "url": item.name or None, "site": site, "skipped": outcome.reason}
