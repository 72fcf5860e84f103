"""Datasets of Ray: `clean_pages(dataset)` learns the sites of a dataset and cleans all its pages, batch by batch."""

from typing import Any

from dehusk.base.extras import needs_extra
from dehusk.core import Learning
from dehusk.integrations._batches import Batches, Place
from dehusk.jobs.site_templates import Templates
from dehusk.render.writing import AS_LEARNED, Writing

with needs_extra("ray"):
    import pyarrow as pa
    from ray.data import Dataset

BATCH_ROWS = 64
"""Pages of a batch. The default of Ray, 1024, is for small rows."""


def clean_pages(
    pages: Dataset,
    *,
    template: Templates | Place | None = None,
    store: Place | None = None,
    format: str = "text",  # noqa: A002  # as the command line has it
    url: str = "url",
    html: str = "html",
    by: str = "host",
    writing: Writing = AS_LEARNED,
    **learning: Any,
) -> Dataset:
    """Returns a dataset with a row for each page: the columns of `--format parquet`, and `skipped`.

    Without `template` and `store`, which are paths that all workers can read, templates are learned now, from samples
    of all batches; pages are cleaned when the result is used. `learning` has the options of `dehusk.learn`.
    """
    import ray

    batches = Batches(url, html, format, by, writing, Learning.of(**learning))
    batches.check(pages.columns() or ())
    rows = pages.select_columns([url, html])
    given: Any = template
    if template is None and store is None:
        samples = rows.map_batches(batches.sampled, batch_format="pyarrow", batch_size=BATCH_ROWS)
        parts = list(samples.iter_batches(batch_format="pyarrow", batch_size=None))
        given = batches.learned(pa.concat_tables(parts))
    shared = ray.put(given)  # once for each machine, not for each batch

    def clean(batch: pa.Table) -> pa.Table:
        return batches.cleaned(batch, template=ray.get(shared), store=store)

    return rows.map_batches(clean, batch_format="pyarrow", batch_size=BATCH_ROWS)
