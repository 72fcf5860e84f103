"""Tables of Dask: `clean_pages(frame)` learns the sites of a data frame and cleans its pages, part by part."""

from typing import Any

from dehusk.base.extras import needs_extra
from dehusk.core import Learning
from dehusk.integrations._batches import Batches, Place
from dehusk.jobs.site_templates import Templates
from dehusk.render.writing import AS_LEARNED, Writing

with needs_extra("dask"):
    import dask.dataframe as dd
    import pandas as pd
    import pyarrow as pa


def clean_pages(
    pages: dd.DataFrame,
    *,
    template: Templates | Place | None = None,
    store: Place | None = None,
    format: str = "text",  # noqa: A002  # as the command line has it
    url: str = "url",
    html: str = "html",
    by: str = "host",
    writing: Writing = AS_LEARNED,
    **learning: Any,
) -> dd.DataFrame:
    """Returns a data frame with a row for each page: the columns of `--format parquet`, and `skipped`.

    Without `template` and `store`, which are paths that all workers can read, templates are learned now, from samples
    of all partitions; pages are cleaned when the result is used. `learning` has the options of `dehusk.learn`.
    """
    batches = Batches(url, html, format, by, writing, Learning.of(**learning))
    batches.check(pages.columns)
    rows = pages[[url, html]]
    if template is None and store is None:
        empty = pd.DataFrame({url: pd.Series(dtype=object), html: pd.Series(dtype=object)})
        samples = rows.map_partitions(_sampled, batches, meta=empty).compute()
        template = batches.learned(_table(samples))
    meta = batches.schema.empty_table().to_pandas()
    return rows.map_partitions(_cleaned, batches, template, store, meta=meta)


def schema(format: str = "text") -> pa.Schema:  # noqa: A002
    """Returns the columns of the result, for `to_parquet`: Dask cannot tell the types of lists by itself."""
    return Batches(format=format).schema


def _sampled(part: pd.DataFrame, batches: Batches) -> pd.DataFrame:
    found = batches.sampled(_table(part)).to_pydict()
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in found.items()})


def _cleaned(
    part: pd.DataFrame, batches: Batches, template: Templates | Place | None, store: Place | None
) -> pd.DataFrame:
    frame: pd.DataFrame = batches.cleaned(_table(part), template=template, store=store).to_pandas()
    return frame.set_index(part.index)


def _table(part: pd.DataFrame) -> pa.Table:
    return pa.table({name: part[name].astype(object).where(part[name].notna(), None).tolist() for name in part.columns})
