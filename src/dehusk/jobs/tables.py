"""Tables of a source: learn its columns, make a row of each page, write a file for each table.

    table = dehusk.table(pages)
    table.columns                     # name, place, label, type, share of pages
    table.rows                        # plain dicts; to_csv, to_jsonl, to_parquet write them

`TableJob` does it for sources of any size, in several processes: rows are written to one file of records, which can be
continued after it was stopped, and then sorted into the tables.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dehusk.base import fields
from dehusk.base.errors import SourceError, UsageError
from dehusk.core import learn, pages_at
from dehusk.jobs.job import Job
from dehusk.jobs.result import Result, Skip, Tell
from dehusk.jobs.store import Store
from dehusk.outputs.tables import form_of, write_rows
from dehusk.outputs.target import refuse_sources, short, site_file
from dehusk.page import Page
from dehusk.tables.columns import BESIDE, Column
from dehusk.tables.records import edited_columns
from dehusk.templates.template import PageLike, Template, as_page

FIRST = ("page", "url")
"""The first columns of every table."""

APART = ("site", "family")
"""The columns that follow if one file has several tables."""

RECORDS, ITEMS = "records", "items"
"""The formats of the file that rows are collected in."""

COLLECTED = ".dehusk-records"
"""The end of the hidden name of that file, beside the output. No file of the user has it: it is overwritten."""

EXAMPLES = 3
"""How many values of a column are shown."""

NO_ITEMS = "no page here repeats a unit, such as a result or a post; leave --rows items out for a row of each page"
NO_COLUMNS = "no page has the columns of this template; learn it with dehusk learn --columns, from such pages"
NO_TABLE = "no two pages here share places whose text differs; a table needs several pages made from one template"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns, and a row for each page."""

    columns: tuple[Column, ...]
    rows: list[dict[str, Any]] = field(repr=False)
    site: str = ""
    family: str = "1"
    others: "tuple[Table, ...]" = field(default=(), repr=False)
    """Tables of other pages of the site, which have other places."""
    unfit: tuple[str, ...] = field(default=(), repr=False)
    """The names of pages that fit no table."""

    def __len__(self) -> int:
        return len(self.rows)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as CSV. Lists are JSON in their cells."""
        self._write(path, ".csv")

    def to_jsonl(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as JSON Lines."""
        self._write(path, ".jsonl")

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as a JSON array."""
        self._write(path, ".json")

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as Parquet. Needs pyarrow."""
        self._write(path, ".parquet")

    def _write(self, path: str | os.PathLike[str], suffix: str) -> None:
        write_rows(Path(path), types_of(self.rows), self.rows, suffix)


def table(pages: Iterable[PageLike] | PageLike | os.PathLike[str], **options: Any) -> Table:
    """Learns the columns of pages of a site, and returns a row for each page that has them.

    `pages` and `options` are those of `dehusk.learn`. If the pages have several tables, it is that with most rows; the
    others are in `others`. Raises SourceError if no pages share places whose text differs.
    """
    given = list(_pages(pages))
    template = learn(given, columns=True, **options)
    tables: dict[str, list[dict[str, Any]]] = {}
    unfit: list[str] = []
    for page in given:
        cleaned = template.clean(page)
        if cleaned.record is None:
            unfit.append(cleaned.page.name or cleaned.page.digest)
            continue
        row = {"page": cleaned.page.name, "url": cleaned.url, **cleaned.record.values}
        tables.setdefault(cleaned.record.name, []).append(row)
    if not tables:
        raise SourceError(NO_TABLE)
    first, *others = sorted(tables, key=lambda name: (-len(tables[name]), name))
    found = {name: Table(columns_of(template, name), tables[name], template.site, name) for name in tables}
    return replace(found[first], others=tuple(found[name] for name in others), unfit=tuple(unfit))


def item_table(pages: Iterable[PageLike], **options: Any) -> Table:
    """Returns a row for each item that pages of a site repeat, such as a post or a result: see `table`.

    Raises SourceError if they repeat none.
    """
    given = list(_pages(pages))
    template = learn(given, columns=True, **options)
    rows: dict[str, list[dict[str, Any]]] = {}
    for page in given:
        cleaned = template.clean(page)
        own = [{"page": cleaned.page.name, "url": cleaned.url, **item} for item in cleaned.items]
        if own:
            rows.setdefault(cleaned.family or "", []).extend(own)
    if not rows:
        raise SourceError(NO_ITEMS)
    found = []
    for family in sorted(rows, key=lambda name: (-len(rows[name]), name)):
        items = template.families[int(family) - 1].tables.items
        found.append(Table(items.described if items else (), rows[family], template.site, family))
    return replace(found[0], others=tuple(found[1:]))


def _pages(pages: Any) -> Iterator[Page]:
    if isinstance(pages, os.PathLike):
        return pages_at(pages)
    if isinstance(pages, Page | bytes | str):
        pages = [pages]
    elif not isinstance(pages, Iterable):
        raise UsageError(f"no table of {type(pages).__name__}; give a list of pages, or the Path of a folder")
    return map(as_page, pages)


def columns_of(template: Template, name: str) -> tuple[Column, ...]:
    """Returns the columns of a table by its name."""
    edits = [edit for edit in template.edits if edit.column]
    return tuple(edited_columns(learned_columns(template, name), edits).values())


def learned_columns(template: Template, name: str) -> tuple[Column, ...]:
    """Returns the columns of a table by its name, as they were learned."""
    family, _, number = name.partition(".")
    return template.families[int(family) - 1].tables.tables[int(number or 1) - 1].columns


def types_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the columns of some rows in order, each with a type for all of its values: str, float, or a list of one.

    Tables of several sites may disagree: a list is wider than one value, and text is wider than numbers.
    """
    kinds: dict[str, set[type]] = {}
    for row in rows:
        for name, value in row.items():
            values = value if isinstance(value, list) else [value]
            known = kinds.setdefault(name, set())
            known.update(float if isinstance(one, int | float) else str for one in values if one is not None)
            known.update([list] if isinstance(value, list) else [])
    return {name: _joined(known) for name, known in kinds.items()}


def _joined(kinds: set[type]) -> Any:
    kind = float if kinds - {list} == {float} else str
    return [kind] if list in kinds else kind


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a job wrote: the rows of each table by site and family, the files, and the pages without a row."""

    result: Result
    tables: "Mapping[TableName, Counted]"
    files: tuple[Path, ...]
    unfit: int
    left_out: int = 0
    """Rows of smaller tables that the one file has no place for."""


TableName = tuple[str, str]
"""The site and the family of a table."""


@dataclass(slots=True)
class Counted:
    """The rows of a table: how many, how many have a value in each column, and the first values."""

    rows: int = 0
    values: dict[str, list[str]] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Counts a row."""
        self.rows += 1
        for name, value in row.items():
            known = self.values.setdefault(name, [])
            texts = value if isinstance(value, list) else [] if value is None else [value]
            self.filled[name] = self.filled.get(name, 0) + bool(texts)
            known += [text for text in map(str, texts) if text not in known][: max(0, EXAMPLES - len(known))]

    @property
    def names(self) -> list[str]:
        """The names of the columns, without typed values."""
        beside = {name + end for name in self.values for end in BESIDE}
        return [name for name in self.values if name not in beside]


@dataclass(frozen=True, slots=True)
class TableJob:
    """A job whose output are tables: one file, or a folder with a file for each table."""

    job: Job
    output: Path
    """A file whose suffix is a format of tables; else a folder."""
    suffix: str = ".csv"
    """The format of the files in a folder."""
    items: bool = False
    """Whether each item of a page is a row, instead of the page."""
    beside: bool = False
    """Whether rows of items have the columns of their page, too."""
    folder: bool = False
    """Whether the output is a folder even if its name has a suffix."""

    def __post_init__(self) -> None:
        form_of(self.suffix if self.is_folder else self.output.suffix)

    @property
    def is_folder(self) -> bool:
        """Whether each table has its own file."""
        return self.folder or not self.output.suffix or self.output.is_dir()

    def run(self, *, progress: Tell, skipped: Skip) -> TableResult:
        """Runs the job and writes the tables. Raises SourceError if there are none."""
        place = self.output.resolve()
        records = place.parent / short(f".{place.name}{COLLECTED}")
        job = replace(self.job, leave_out=(*self.job.leave_out, *self._refused()))
        if records.is_symlink():  # its name can be guessed, and a link would lead elsewhere
            records.unlink()
        result, tables, unfit = _recorded(job, records, progress, skipped, items=self.items)
        try:
            files, left_out = self._written(records, tables)
        finally:
            records.unlink(missing_ok=True)
        return TableResult(result, tables, files, unfit, left_out)

    def _refused(self) -> list[Path]:
        """Returns the output, which the job refuses if it is one of its other files, before it reads.

        Raises UsageError if a file of the job in the output folder has the name of a table.
        """
        given = (*self.job.places, self.job.template, self.job.store, *self.job.leave_out)
        files = [Path(place) for place in given if isinstance(place, str | os.PathLike)]
        folder = self.output.resolve()
        inside = [file for file in files if file.resolve().parent == folder and self._is_table(file)]  # none in a file
        refuse_sources(inside, inside)
        return [self.output]

    def _is_table(self, file: Path) -> bool:
        """Whether a table can have the name of this file: see `_written`."""
        family = file.stem.rpartition("-")[2]
        return file.suffix.lower() == self.suffix and family.replace(".", "", 1).isdecimal()

    def _written(self, records: Path, tables: "Mapping[TableName, Counted]") -> tuple[tuple[Path, ...], int]:
        if self.is_folder:
            files = []
            several = len({site for site, _ in tables}) > 1
            for site, family in tables:
                name = site_file(site, f"-{family}{self.suffix}") if several or site else f"{family}{self.suffix}"
                self._write(self.output / name, records, {(site, family)}, FIRST)
                files.append(self.output / name)
            return tuple(files), 0
        if self.output.suffix.lower() == ".parquet" and len(tables) > 1:
            self._write(self.output, records, set(tables), (*FIRST, *APART))
            return (self.output,), 0
        if len({site for site, _ in tables}) > 1:
            raise UsageError(f"{len(tables)} tables do not fit in one file; give a folder, or a .parquet file")
        largest = max(tables, key=lambda name: tables[name].rows)
        self._write(self.output, records, {largest}, FIRST)
        return (self.output,), sum(table.rows for table in tables.values()) - tables[largest].rows

    def _write(self, path: Path, records: Path, tables: set[TableName], first: Sequence[str]) -> None:
        """Writes the rows of some tables to a file."""

        def rows() -> Iterator[dict[str, Any]]:
            for line in _lines(records):
                if (line["site"], line["family"]) in tables:
                    head = {name: line[name] for name in first} | (line["own"] if self.beside else {})
                    for row in line["rows"]:
                        yield head | {name if name not in head else f"item_{name}": row[name] for name in row}

        write_rows(path, types_of(rows()), rows())


@dataclass(frozen=True, slots=True)
class FoundColumn:
    """A column, in how many rows of its table it has a value, and some of its values."""

    column: Column
    rows: int
    values: tuple[str, ...]


def found_columns(job: Job, *, progress: Tell, skipped: Skip) -> dict[TableName, list[FoundColumn]]:
    """Returns the columns of each table of a source. Writes no table."""
    with TemporaryDirectory(prefix="dehusk-") as folder:
        result, tables, _ = _recorded(job, Path(folder) / "table.records", progress, skipped)
    found = {}
    for (site, family), counted in tables.items():
        columns = columns_of(_template(job, result, site), family)
        found[site, family] = [
            FoundColumn(one, counted.filled[one.name], tuple(counted.values[one.name])) for one in columns
        ]
    return found


def _template(job: Job, result: Result, site: str) -> Template:
    if result.templates is None:
        with Store(str(job.store), create=False) as store:
            return store.template(site)
    by_site = result.templates.by_site
    return by_site.get(site) or next(iter(by_site.values()))


def _recorded(
    job: Job, records: Path, progress: Tell, skipped: Skip, *, items: bool = False
) -> tuple[Result, dict[TableName, Counted], int]:
    """Writes the records of a source to a file. Returns the tables in it, and the number of pages without a row."""
    job = replace(job, output=records, format=ITEMS if items else RECORDS, columns=job.template is None)
    result = job.run(progress=progress, skipped=skipped)
    tables: dict[TableName, Counted] = {}
    unfit = 0
    for line in _lines(records):
        unfit += not line["rows"]
        for row in line["rows"]:
            tables.setdefault((line["site"], line["family"]), Counted()).add(row)
    if not tables:
        records.unlink()
        raise SourceError(NO_COLUMNS if job.template is not None else NO_ITEMS if items else NO_TABLE)
    return result, dict(sorted(tables.items())), unfit


def _lines(records: Path) -> Iterator[dict[str, Any]]:
    with records.open("rb") as file:
        for line in file:
            yield fields.parsed(line)
