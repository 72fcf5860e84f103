"""dehusk table: what differs between the pages of a site, as a table."""

import argparse
import time
from pathlib import Path

from dehusk.base.errors import UsageError
from dehusk.cli import examples
from dehusk.cli._common import add_processes, add_source, add_store, add_template
from dehusk.cli._learning import add_learning, job_for
from dehusk.cli._telling import Bar, plural, say, tell_skipped
from dehusk.jobs.tables import TableJob, TableResult, found_columns
from dehusk.outputs import STDOUT
from dehusk.outputs.tables import FORMS

SHOWN_NAMES = 5
_LONGEST_VALUE = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk table`."""
    add_source(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help=f"a file ({' '.join(FORMS)}), or a folder with a file for each table (default: none)",
    )
    parser.add_argument(
        "--format",
        choices=[suffix[1:] for suffix in FORMS],
        default="csv",
        help="the format of the files in a folder (default: %(default)s)",
    )
    parser.add_argument(
        "--rows",
        choices=("pages", "items"),
        default="pages",
        help="a row for each page, or for each item of lists, results and threads (default: %(default)s)",
    )
    parser.add_argument(
        "--page-columns", action="store_true", help="with --rows items: the columns of the page in each row, too"
    )
    parser.add_argument("--columns", action="store_true", help="print the columns instead of writing the table")
    add_template(parser)
    add_store(parser)
    add_learning(parser)
    add_processes(parser)
    examples(parser, "dehusk table crawl/ -o lamps.csv", "dehusk table crawl/ --columns")


def run(options: argparse.Namespace) -> int:
    """Writes the tables, or prints their columns."""
    if bool(options.output) == options.columns:
        raise UsageError("give a file or a folder for the table with -o, or --columns to print what was found")
    if options.page_columns and options.rows != "items":
        raise UsageError("--page-columns needs --rows items")
    if options.columns and options.rows == "items":
        raise UsageError("--columns prints the columns of pages; leave --rows items out")
    if options.output == STDOUT:
        raise UsageError("a table cannot be written to standard output; give a file with -o")
    return _print_columns(options) if options.columns else _write(options)


def _write(options: argparse.Namespace) -> int:
    started = time.perf_counter()
    job = job_for(options, store=options.store, jobs=options.jobs, page_seconds=options.page_seconds)
    with Bar(options) as bar:
        tables = TableJob(
            job,
            Path(options.output),
            f".{options.format}",
            items=options.rows == "items",
            beside=options.page_columns,
            folder=options.output.endswith("/"),
        )
        written = tables.run(progress=bar, skipped=lambda _: None)
    tell_skipped(written.result.reasons, written.result.first_skipped, options)
    say(f"{_told(written, options.rows[:-1])}, {time.perf_counter() - started:.1f} s: {options.output}", options)
    return 0


def _told(written: TableResult, what: str) -> str:
    """What was found, in one line."""
    pages = sum(table.rows for table in written.tables.values()) + (written.unfit if what == "page" else 0)
    line = f"{plural(pages, what)}, {plural(len(written.tables), 'table')}"
    if len(written.tables) == 1:
        (only,) = written.tables.values()
        names = [*only.names[:SHOWN_NAMES], *(["..."] if len(only.names) > SHOWN_NAMES else [])]
        line += f" of {plural(len(only.names), 'column')}: {', '.join(names)}"
    if written.left_out:
        line += f"; {plural(written.left_out, 'row')} of other tables left out: give a folder to write them all"
    if written.unfit:
        line += f"; {plural(written.unfit, 'page')} fit{'s' * (written.unfit == 1)} none"
    return line


def _print_columns(options: argparse.Namespace) -> int:
    """Prints the columns of each table: name, type, number of rows, place, and some values."""
    job = job_for(options, store=options.store, jobs=options.jobs, page_seconds=options.page_seconds)
    with Bar(options) as bar:
        tables = found_columns(job, progress=bar, skipped=lambda _: None)
    for (site, family), columns in tables.items():
        if len(tables) > 1:
            print(f"{site or 'pages'}, table {family}:")
        wide = max(len(one.column.name) for one in columns)
        for one in columns:
            kind = f"{one.column.type}{' list' if one.column.many else ''}"
            values = " | ".join(_short(value) for value in one.values)
            print(f"{one.column.name:{wide}}  {kind:11} {one.rows:5}  {values}")
            print(f"{'':{wide}}  {one.column.place}" + (f'  after "{one.column.label}"' if one.column.label else ""))
    return 0


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."
