"""Crawls of any size on a Spark cluster: the same templates and the same rows as on one machine.

    from dehusk.jobs.spark import clean_pages
    clean_pages(spark.read.parquet("crawl")).write.parquet("text")

In steps, each over all machines: the content hash of every page; of each site the pages with the smallest ones; a
template from those; every page cleaned as it streams by. What is held for a site is its sample, never all of its pages.
Needs pyspark 3.4 or newer on the driver, and dehusk, pandas and pyarrow wherever Python runs (`dehusk[spark]`).
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from dehusk import methods
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
"""Pages that a Python worker holds at a time. Spark's own 10,000 are made for rows of numbers."""

FEW_PAGES = 4_000_000
"""Up to this many sampled pages, their keys fit on every machine, and no page has to be sent to be joined."""

FEW_TEMPLATES = 128_000_000
"""Up to this many characters of templates go to every machine, packed to a fifth; more are joined to their pages."""

PARSED_TEMPLATES = 128
"""Templates that a Python worker keeps ready: to read one again takes less than to clean a page."""

CONTENT = ("text", "markdown")
"""What may be asked for."""

_KEYS = {"site": "string", "digest": "string", "name": "string", "row": "bigint"}
_TEMPLATES = {"site": "string", "template": "string", "problem": "string"}


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a row becomes a page."""

    by: str
    decoded: bool
    """Whether the column of HTML is text."""
    one_site: bool
    """Whether there is no column of addresses."""

    def items(self, batch: "RecordBatch | Frame") -> Iterator[tuple[str, Page | Skipped]]:
        """The rows as pages, each with its site; for a row that is not a page, the reason."""
        for url, html in zip(*(map(_value, batch[name]) for name in ("url", "html")), strict=True):
            site = self.site(url)
            item = row_page(_text(url), _text(html) if self.decoded else html, "", LARGEST)
            if isinstance(item, Page) and not site and not self.one_site:
                item = Skipped(item.name, "no URL that tells its site")
            yield site, item

    def pages(self, batch: "RecordBatch | Frame") -> Iterator[Page]:
        """The pages among the rows."""
        return (item for _, item in self.items(batch) if isinstance(item, Page))

    def site(self, url: bytes | None) -> str:
        """The site of an address; "" where there is none."""
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
    """Strips the templates of all sites from all pages: a row for each page, with the columns of `--format parquet`.

    `url` and `html` name columns of text or bytes; `url=None` says that all pages are of one site. `format` is text or
    markdown; `parts` adds the parts of pages with their roles; `keep` and `drop` name roles of parts that stay or go,
    `writing` has all that can be said about how to write. A page that cannot be cleaned has the reason in the column
    `skipped`, which is null elsewhere.

    Templates are learned when this is called, with the other options of `learn_sites`, unless it has learned them
    before; pages are cleaned when the result is used. A session that has Spark's own limit of 10,000 rows for a batch
    of Arrow is given one of 64, since pages are large.
    """
    from pyspark.sql import functions as F  # noqa: N812  # the name that everybody gives them

    if format not in CONTENT:
        raise UsageError(f"unknown format {format!r}: choose one of {', '.join(CONTENT)}")
    writing = writing.also(keep, drop)  # roles that are unknown are refused here, not by the cluster
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
    """Learns a template for each site: a row with the site and its template as JSON, or the problem there was.

    Runs when it is called and keeps the result on the cluster; `unpersist()` it when it is no longer needed, or write
    it down and give what was read back to `clean_pages`. The options are those of `dehusk.learn`.
    """
    from pyspark.sql import functions as F  # noqa: N812

    learning = Learning(method, sample, dedupe, options)  # what makes no sense is refused here, not by the cluster
    if learning.looked_at is None:
        raise UsageError("sample=None: on a cluster, a site is learned from a number of its pages")
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
    """The two columns as bytes, since Spark's text may be no Unicode, and a number that tells the rows apart."""
    from pyspark.sql import functions as F  # noqa: N812

    if by not in BY:
        raise UsageError(f"by={by!r}: sites are told apart by {' or '.join(BY)}")
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
    """A name that may have a dot in it."""
    return "`" + column.replace("`", "``") + "`"


def _small_batches(spark: "SparkSession") -> None:
    """Lowers Spark's default limit of rows for a batch of Arrow, since pages are large."""
    limit = "spark.sql.execution.arrow.maxRecordsPerBatch"
    if spark.conf.get(limit) == "10000":
        spark.conf.set(limit, str(BATCH_ROWS))


def _site(reading: _Reading) -> "Column":
    """The site of a row."""
    from pyspark.sql import functions as F  # noqa: N812

    return F.udf(lambda url: reading.site(url), "string")("url")  # noqa: PLW0108  # Spark warns of hints it cannot use


def _keys(batches: "Iterable[RecordBatch]", *, reading: _Reading) -> "Iterator[RecordBatch]":
    """What decides about each page that can be learned from, without the page."""
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
    """The rows with the smallest hashes of each site, each content once, by the first of its names.

    Ranked among those with the same first digits, then among what is left: no machine sees all keys of a huge site.
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
    """The template of a site. What goes wrong is told to its pages; other sites are not affected."""
    import pandas as pd

    (site,) = key
    learned, problem = None, None
    try:
        learned = json.dumps(learning.learn(reading.pages(pages), site, reading.by).to_json())
    except Exception as error:  # noqa: BLE001  # one site of millions
        problem = f"the template of {site} could not be learned: {type(error).__name__}: {error}"
    return pd.DataFrame({"site": [site], "template": [learned], "problem": [problem]})


def _packed(text: str | None) -> bytes | None:
    return None if text is None else zlib.compress(text.encode())


@lru_cache(PARSED_TEMPLATES)
def _template(packed: bytes) -> Template:
    return Template.from_json(json.loads(zlib.decompress(packed)))


def _clean(
    batches: "Iterable[RecordBatch]",
    *,
    reading: _Reading,
    row: ParquetRow,
    writing: Writing = AS_LEARNED,
    known: dict[str, tuple[bytes | None, str | None]] | None = None,
) -> "Iterator[RecordBatch]":
    """A row for each page. The template is in `known`, or else comes with the page."""
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
    """The page as a row, or one that says why it could not be cleaned."""
    if isinstance(item, Page) and packed is not None:
        try:
            result = clean_page(item, site, _template(packed), cleaning)
        except (TemplateError, ValueError) as error:  # not learned here
            problem = f"the template of {site} cannot be read: {error}"
        else:
            if isinstance(result, Done):
                piece: dict[str, object] = result.piece
                return piece
            item = result
    reason = item.reason if isinstance(item, Skipped) else problem or no_template(site)
    return {"name": item.name, "url": item.name or None, "site": site, "skipped": reason}


def _columns(row: ParquetRow) -> str:
    """The columns of the result, as Spark writes types."""
    columns = {field.name: _type(field.type) for field in row.schema}
    return _types({**columns, "skipped": "string"})


def _type(arrow_type: "DataType") -> str:
    """A type of Arrow, as Spark writes it."""
    import pyarrow as pa

    if pa.types.is_list(arrow_type):
        return f"array<{_type(arrow_type.value_type)}>"
    if pa.types.is_struct(arrow_type):
        return f"struct<{', '.join(f'{field.name}: {_type(field.type)}' for field in arrow_type)}>"
    return {"bool": "boolean"}.get(str(arrow_type), str(arrow_type))


def _types(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {column_type}" for name, column_type in columns.items())


def _value(cell: Any) -> bytes | None:
    """What is in a cell of Arrow or of pandas."""
    value: bytes | None = cell.as_py() if hasattr(cell, "as_py") else cell
    return value


def _text(data: bytes | None) -> str | None:
    return None if data is None else bytes(data).decode("utf-8", "replace")
