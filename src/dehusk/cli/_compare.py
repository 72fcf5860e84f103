"""dehusk compare: what all methods do to a site without gold, in one table."""

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from dehusk.base.errors import SourceError, UsageError
from dehusk.base.files import written_whole
from dehusk.cli import examples
from dehusk.cli._common import add_page_seconds, add_source, count
from dehusk.cli._learning import add_learning, job_for, method_for
from dehusk.cli._show import learned_by, of_one_site, report_of
from dehusk.cli._telling import Bar, plural, say, tell_skipped
from dehusk.jobs.method_rows import MethodRow, Tried, compared
from dehusk.jobs.result import Skips
from dehusk.jobs.work import Work
from dehusk.methods import DEFAULT, METHODS, Method, TypedOptions
from dehusk.sources import STDIN
from dehusk.templates.template import Template

PAGES = 10
"""Pages with a view in the report. There is a view for each method, and each takes as long as cleaning 30 pages."""

_HEAD = ("method", "removed", "agrees", "learning", "a page")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk compare`."""
    add_source(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="also write a report to look at: an .html file, or a folder for report.html (default: only the table)",
    )
    parser.add_argument("--site", metavar="NAME", help="compare on this site (default: the only site of SOURCE)")
    parser.add_argument(
        "--pages", type=count, default=PAGES, metavar="N", help="number of pages in the report (default: %(default)s)"
    )
    add_learning(parser, several=True)
    add_page_seconds(parser, "count a page as failed that takes a method")
    parser.set_defaults(template=None)
    examples(
        parser,
        "dehusk compare crawl/",
        "dehusk compare crawl/ -o report.html --method evidence --method style-tree:threshold=0.5",
    )


def run(options: argparse.Namespace) -> int:
    """Learns by each method, cleans all pages by each, and prints the table."""
    started = time.perf_counter()
    if STDIN in options.source:
        raise UsageError("methods are compared on a site; give a folder")
    file = _report_file(options.output) if options.output else None
    words = list(dict.fromkeys(options.method or [DEFAULT, *(name for name in METHODS if name != DEFAULT)]))
    methods = {one: method_for(options, one, strict=False) for one in words}
    options.method = words[0]
    skips = Skips()
    own = str(file) if file else None
    job = job_for(options, own, site=options.site, page_seconds=options.page_seconds)
    with Bar(options) as bar, job.open(progress=bar, skipped=skips.add) as work:
        first = Tried.of(words[0], lambda: of_one_site(work.learn(), options.site))
        others = (Tried.of(one, partial(_template, work, options, *methods[one])) for one in words[1:])
        tried = [first, *others]
        templates = [one.template for one in tried if one.template]
        if not templates:
            raise SourceError(f"no method could learn; {first.name}: {first.problem}")
        rows = _rows(work, tried, bar)
        if file:
            options.output = str(file)
            table = [list(_HEAD), *(cells(row) for row in rows)]
            report = report_of(options, work, templates, bar, skips, table=table)
            with written_whole(file) as opened:
                opened.write(report.html)
    for line in lines(rows):
        print(line)
    tell_skipped(skips.reasons, skips.first, options)
    pages = max(row.pages + row.failed for row in rows)
    where = f": open {file} in a browser" if file else ""
    seconds = time.perf_counter() - started
    say(f"{plural(pages, 'page')} cleaned by {plural(len(templates), 'method')}, {seconds:.1f} s{where}", options)
    return 0


def _report_file(output: str) -> Path:
    """The file of the report; raises UsageError for the name of another file."""
    path = Path(output)
    if path.suffix.lower() in (".html", ".htm") and not output.endswith("/") and not path.is_dir():
        return path
    if path.suffix and not output.endswith("/") and not path.is_dir():
        raise UsageError(f"{output}: the report is an .html file, or in a folder; end the name of a folder with /")
    return path / "report.html"


def _template(work: Work, options: argparse.Namespace, method: Method, typed: TypedOptions) -> Template:
    return of_one_site(learned_by(work, method, typed), options.site)


def _rows(work: Work, tried: Sequence[Tried], bar: Bar) -> list[MethodRow]:
    total = None if work.source.names is None else len(work.source.names)
    return compared(
        work.source,
        tried,
        page_seconds=work.job.page_seconds,
        measured=lambda done: bar.show("comparing", done, total, "page"),
    )


def cells(row: MethodRow) -> list[str]:
    """The row as texts; the second is its problem, if it could not learn."""
    if row.problem or not row.pages:
        return [row.name, f"failed: {row.problem}" if row.problem else f"failed on {plural(row.failed, 'page')}, all"]
    shares = ["" if share is None else f"{share:.0%}" for share in (row.share_removed, row.agreement)]
    each = f"{row.cleaning / row.pages * 1e3:.1f} ms"
    failed = [f"failed on {plural(row.failed, 'page')}"] if row.failed else []
    return [row.name, *shares, f"{row.learning:.2f} s", each, *failed]


def lines(rows: Sequence[MethodRow]) -> Iterator[str]:
    """The table, with columns of equal width."""
    table = [list(_HEAD), *map(cells, rows)]
    full = [row for row in table if len(row) >= len(_HEAD)]
    widths = [max(len(row[0]) for row in table), *(max(len(row[k]) for row in full) for k in range(1, len(_HEAD)))]
    for row in table:
        if row in full:
            start = [
                f"{row[0]:<{widths[0]}}",
                *(f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=False)),
            ]
            yield "  ".join([*start, *row[len(_HEAD) :]]).rstrip()
        else:
            yield f"{row[0]:<{widths[0]}}  {row[1]}"
