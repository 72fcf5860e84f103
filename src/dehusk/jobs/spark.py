"""Crawls of any size on a Spark cluster, with the same templates and rows as on one machine.

    from dehusk.jobs.spark import clean_pages
    clean_pages(spark.read.parquet("crawl")).write.parquet("text")

Each step runs on all machines. The content hash of every page is computed. The pages of each site with the smallest
hashes are its sample, and its template is learned from them. Then every page is cleaned as a stream. Only the sample of
a site is held in memory, never all of its pages.
Needs pyspark 3.4 or newer on the driver, and dehusk, pandas and pyarrow wherever Python runs (`dehusk[spark]`).
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from dehusk import methods
from dehusk.base import fields
from dehusk.base.errors import Skipped, TemplateError, UsageError
from dehusk.core import SAMPLE, Learning
from dehusk.jobs._tasks import Cleaning, clean_page, no_template
from dehusk.jobs.result import Done
from dehusk.outputs.parquet import ParquetRow
from dehusk.page import LARGEST, Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources.jsonl import row_page
from dehusk.templates.site_names import BY, site_of
from dehusk.templates.template import Template

if TYPE_CHECKING:
    from pandas import DataFrame as Frame
    from pyarrow import DataType, RecordBatch
    from pyspark.sql import Column, DataFrame, SparkSession

BATCH_ROWS = 64
"""Pages per batch in a Python worker. The default of Spark, 10,000, is for small rows."""

FEW_PAGES = 4_000_000
"""Up to this many sampled pages, their keys are sent to every machine, and pages are joined without a shuffle."""

FEW_TEMPLATES = 128_000_000
"""Up to this many characters, templates are sent to every machine (compressed to a fifth), else joined to pages."""

PARSED_TEMPLATES = 128
"""Templates that a Python worker caches. Parsing one again takes less time than cleaning a page."""

CONTENT = ("text", "markdown")
"""Allowed values of `format`."""

_KEYS = {"site": "string", "digest": "string", "name": "string", "row": "bigint"}
_TEMPLATES = {"site": "string", "template": "string", "problem": "string"}


@dataclass(frozen=True, slots=True)
class _Reading:
    """How rows are read as pages."""

    by: str
    decoded: bool
    """Whether the HTML column is text, not bytes."""
    one_site: bool
    """Whether there is no URL column: all pages are of one site."""

    def items(self, batch: "RecordBatch | Frame") -> Iterator[tuple[str, Page | Skipped]]:
        """Yields the site and the page of each row, or the reason if the row is not a page."""
        for url, html in zip(*(map(_value, batch[name]) for name in ("url", "html")), strict=True):
            site = self.site(url)
            item = row_page(_text(url), _text(html) if self.decoded else html, "", LARGEST)
            if isinstance(item, Page) and not site and not self.one_site:
                item = Skipped(item.name, "no URL that tells its site")
            yield site, item

    def pages(self, batch: "RecordBatch | Frame") -> Iterator[Page]:
        """Yields the pages among the rows."""
        return (item for _, item in self.items(batch) if isinstance(item, Page))

    def site(self, url: bytes | None) -> str:
        """Returns the site of a URL; "" if there is none."""
        return site_of(Page(b"", url=_text(url)), self.by)


def clean_pages(
    pages: "DataFrame",
    *,
    templates: "DataFrame | None" = None,
    format: str = "text",  # noqa: A002  # as the command line has it
    parts: bool = False,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    writing: Writing = AS_LEARNED,
    by: str = "host",
    url: str | None = "url",
    html: str = "html",
    **learning: Any,
) -> "DataFrame":
    """Removes the templates from all pages. Returns a row for each page, with the columns of `--format parquet`.

    `url` and `html` name columns of text or bytes; with `url=None`, all pages are of one site. `format` is text or
    markdown. `parts` adds the parts of pages with their roles. `keep` and `drop` name roles of parts that are kept or
    removed; `writing` has further options for the output. If a page cannot be cleaned, the column `skipped` has the
    reason; otherwise it is null.

    `templates` is a result of `learn_sites`. Without it, templates are learned immediately, with the other arguments as
    options of `learn_sites`. Pages are cleaned when the result is used. If the session has the default limit of 10,000
    rows per Arrow batch, it is set to 64, because pages are large.
    """
    from pyspark.sql import functions as F  # noqa: N812  # the usual name

    if format not in CONTENT:
        raise UsageError(f"unknown format {format!r}: choose one of {', '.join(CONTENT)}")
    writing = writing.also(keep, drop)  # raises for unknown roles here, not on the cluster
    writing.check(format)
    if templates is not None and learning:
        raise UsageError(f"these templates are learned already; leave out {', '.join(learning)}")
    rows, reading = _rows(pages, by=by, url=url, html=html)
    known = learn_sites(pages, by=by, url=url, html=html, **learning) if templates is None else templates
    ((size,),) = known.agg(F.sum(F.length("template"))).collect()
    row = ParquetRow(markdown=format == "markdown", parts=parts)
    clean = partial(_clean, reading=reading, row=row, writing=writing)
    if (size or 0) > FEW_TEMPLATES:
        pack = F.udf(lambda template: _packed(template), "binary")  # noqa: PLW0108  # as in _site
        packed = known.select("site", pack("template").alias("template"), "problem")
        joined = rows.withColumn("site", _site(reading)).join(packed, "site", "left")
        return joined.select("url", "html", "template", "problem").mapInArrow(clean, _columns(row))
    by_site = {site: (_packed(template), problem) for site, template, problem in known.select(*_TEMPLATES).collect()}
    if templates is None:
        known.unpersist()
    return rows.select("url", "html").mapInArrow(partial(clean, known=by_site), _columns(row))


def learn_sites(
    pages: "DataFrame",
    *,
    method: str = methods.DEFAULT,
    sample: int = SAMPLE,
    dedupe: bool = True,
    by: str = "host",
    url: str | None = "url",
    html: str = "html",
    **options: Any,
) -> "DataFrame":
    """Learns a template for each site. Returns a row for each site, with the template as JSON or the problem.

    Runs immediately and persists the result on the cluster; call `unpersist()` when it is no longer needed. The result
    can also be saved and later given to `clean_pages`. The options are those of `dehusk.learn`.
    """
    from pyspark.sql import functions as F  # noqa: N812

    learning = Learning(method, sample, dedupe, options)  # raises for invalid options here, not on the cluster
    if learning.looked_at is None:
        raise UsageError("sample=None: on a cluster, sample must be a number of pages")
    rows, reading = _rows(pages, by=by, url=url, html=html)
    keys = rows.mapInArrow(partial(_keys, reading=reading), _types(_KEYS))
    sampled = _sampled(keys, learning.looked_at).persist()
    few = sampled.count() <= FEW_PAGES
    chosen = (
        rows.join(F.broadcast(sampled) if few else sampled, "row", "left_semi")
        .dropDuplicates(["url", "row"])
        .withColumn("site", _site(reading))
        .select("site", "url", "html")
    )
    learn = lambda key, group: _learn(key, group, reading=reading, learning=learning)  # noqa: E731  # as in _site
    learned = chosen.groupBy("site").applyInPandas(learn, _types(_TEMPLATES)).persist()
    learned.count()
    sampled.unpersist()
    return learned


def _rows(pages: "DataFrame", *, by: str, url: str | None, html: str) -> "tuple[DataFrame, _Reading]":
    """Returns the two columns as bytes, because Spark strings may not be valid Unicode, and a hash of each row."""
    from pyspark.sql import functions as F  # noqa: N812

    if by not in BY:
        raise UsageError(f"by={by!r}: choose {' or '.join(BY)}")
    types = dict(pages.dtypes)
    for column in (html,) if url is None else (url, html):
        if column not in types:
            raise UsageError(f"no column {column}; there are {', '.join(types)}: name the ones to read")
        if types[column] not in ("string", "binary"):
            raise UsageError(f"column {column} is {types[column]}; it has to be string or binary")
    _small_batches(pages.sparkSession)
    address = F.lit(None) if url is None else F.col(_quoted(url))
    rows = pages.select(address.cast("binary").alias("url"), F.col(_quoted(html)).cast("binary").alias("html"))
    reading = _Reading(by, decoded=types[html] == "string", one_site=url is None)
    return rows.withColumn("row", F.xxhash64("url", "html")), reading


def _quoted(column: str) -> str:
    """Quotes a column name, which may contain dots."""
    return "`" + column.replace("`", "``") + "`"


def _small_batches(spark: "SparkSession") -> None:
    """Lowers the default limit of rows per Arrow batch, because pages are large."""
    limit = "spark.sql.execution.arrow.maxRecordsPerBatch"
    if spark.conf.get(limit) == "10000":
        spark.conf.set(limit, str(BATCH_ROWS))


def _site(reading: _Reading) -> "Column":
    """Returns a column with the site of each row."""
    from pyspark.sql import functions as F  # noqa: N812

    return F.udf(lambda url: reading.site(url), "string")("url")  # noqa: PLW0108  # Spark warns of hints it cannot use


def _keys(batches: "Iterable[RecordBatch]", *, reading: _Reading) -> "Iterator[RecordBatch]":
    """Yields what sampling needs of each page, without the page."""
    import pyarrow as pa

    columns = pa.schema([(name, pa.int64() if name == "row" else pa.string()) for name in _KEYS])
    for batch in batches:
        keys = [
            {"site": site, "digest": item.digest, "name": item.name, "row": row}
            for row, (site, item) in zip(batch["row"].to_pylist(), reading.items(batch), strict=True)
            if isinstance(item, Page)
        ]
        yield pa.RecordBatch.from_pylist(keys, schema=columns)


def _sampled(keys: "DataFrame", most: int) -> "DataFrame":
    """Returns the rows with the smallest content hashes of each site. Of equal pages, the first by name is taken.

    Rows are first ranked within groups of equal first digits, so that no machine handles all keys of a huge site.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F  # noqa: N812

    once = keys.groupBy("site", F.substring("digest", 1, 2).alias("digits"), "digest").agg(
        F.min(F.struct("name", "row")).alias("first")
    )
    for group in (("site", "digits"), ("site",)):
        rank = F.row_number().over(Window.partitionBy(*group).orderBy("digest"))
        once = once.withColumn("rank", rank).where(F.col("rank") <= most)
    return once.select("first.row").distinct()


def _learn(key: tuple[str], pages: "Frame", *, reading: _Reading, learning: Learning) -> "Frame":
    """Returns the template of a site. An error is reported on the pages of the site; other sites are not affected."""
    import pandas as pd

    (site,) = key
    learned, problem = None, None
    try:
        learned = json.dumps(learning.learn(reading.pages(pages), site, reading.by).to_json())
    except Exception as error:  # noqa: BLE001  # must not stop the other sites
        problem = f"the template of {site} could not be learned: {type(error).__name__}: {error}"
    return pd.DataFrame({"site": [site], "template": [learned], "problem": [problem]})


def _packed(text: str | None) -> bytes | None:
    return None if text is None else zlib.compress(text.encode())


@lru_cache(PARSED_TEMPLATES)
def _template(packed: bytes) -> Template:
    return Template.from_json(fields.parsed(zlib.decompress(packed)))


def _clean(
    batches: "Iterable[RecordBatch]",
    *,
    reading: _Reading,
    row: ParquetRow,
    writing: Writing = AS_LEARNED,
    known: dict[str, tuple[bytes | None, str | None]] | None = None,
) -> "Iterator[RecordBatch]":
    """Yields a row for each page. Templates are in `known`, or else in columns of the page."""
    import pyarrow as pa

    cleaning = Cleaning(row, writing)
    columns = row.schema.append(pa.field("skipped", pa.string()))
    for batch in batches:
        done = []
        for number, (site, item) in enumerate(reading.items(batch)):
            if known is None:
                packed, problem = (batch[name][number].as_py() for name in ("template", "problem"))
            else:
                packed, problem = known.get(site, (None, None))
            done.append(_cleaned(item, site, packed, problem, cleaning))
        yield pa.RecordBatch.from_pylist(done, schema=columns)


def _cleaned(
    item: Page | Skipped, site: str, packed: bytes | None, problem: str | None, cleaning: Cleaning
) -> dict[str, object]:
    """Returns the cleaned page as a row, or a row with the reason why it was skipped."""
    if isinstance(item, Page) and packed is not None:
        try:
            result = clean_page(item, site, _template(packed), cleaning)
        except (TemplateError, ValueError) as error:  # the caller may pass any text
            problem = f"the template of {site} cannot be read: {error}"
        else:
            if isinstance(result, Done):
                piece: dict[str, object] = result.piece
                return piece
            item = result
    reason = item.reason if isinstance(item, Skipped) else problem or no_template(site)
    return {"name": item.name, "url": item.name or None, "site": site, "skipped": reason}


def _columns(row: ParquetRow) -> str:
    """Returns the columns of the result as a Spark schema string."""
    columns = {field.name: _type(field.type) for field in row.schema}
    return _types({**columns, "skipped": "string"})


def _type(arrow_type: "DataType") -> str:
    """Returns the Spark name of an Arrow type."""
    import pyarrow as pa

    if pa.types.is_list(arrow_type):
        return f"array<{_type(arrow_type.value_type)}>"
    if pa.types.is_struct(arrow_type):
        return f"struct<{', '.join(f'{field.name}: {_type(field.type)}' for field in arrow_type)}>"
    return {"bool": "boolean"}.get(str(arrow_type), str(arrow_type))


def _types(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {column_type}" for name, column_type in columns.items())


def _value(cell: Any) -> bytes | None:
    """Returns the value of a cell of Arrow or pandas."""
    value: bytes | None = cell.as_py() if hasattr(cell, "as_py") else cell
    return value


def _text(data: bytes | None) -> str | None:
    return None if data is None else bytes(data).decode("utf-8", "replace")
