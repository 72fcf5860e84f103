"""dehusk show: write a report that shows what is template and what is content."""

import argparse
import shlex
import time
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from dehusk.base.errors import OutputError, UsageError, did_you_mean, listed
from dehusk.base.files import reason, written_whole
from dehusk.base.urls import on_the_web
from dehusk.cli import examples
from dehusk.cli._common import add_page_seconds, add_source, add_template, add_writing, count, writing_of
from dehusk.cli._learning import add_learning, job_for, method_for
from dehusk.cli._telling import Bar, plural, say, tell_outliers, tell_skipped
from dehusk.jobs.result import Skips
from dehusk.jobs.site_templates import Templates
from dehusk.jobs.work import Work
from dehusk.methods import Method, TypedOptions
from dehusk.render import Files, no_files
from dehusk.server.viewer.page_views import Beside, archived
from dehusk.server.viewer.report import PAGES, Report, ShownSite, report_on, site_name
from dehusk.sources import STDIN
from dehusk.sources.beside import archived_files
from dehusk.templates.site_names import folder_name
from dehusk.templates.template import Template

REPORT = "report.html"
_OURS, _HEAD = '<meta name="generator" content="dehusk">', 2000  # what the first letters of a report contain
_LISTED_SITES = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk show`."""
    add_source(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help=f"the report to write, one HTML file (default: {REPORT} beside SOURCE)"
    )
    parser.add_argument("--open", action="store_true", help="open the report in your browser (default: do not)")
    parser.add_argument("--site", metavar="NAME", help="show this site (default: the only site of SOURCE)")
    parser.add_argument(
        "--pages",
        type=count,
        default=PAGES,
        metavar="N",
        help="number of pages to include; the others appear only in the map (default: %(default)s)",
    )
    add_template(parser)
    add_writing(parser, no_effect=["front_matter"])
    add_learning(parser, several=True)
    add_page_seconds(parser)
    examples(
        parser,
        "dehusk show crawl/ --open",
        "dehusk show crawl.warc.gz --site example.org --method evidence --method rtdm -o report.html",
    )


def run(options: argparse.Namespace) -> int:
    """Learns if necessary, measures all pages and writes the report."""
    started = time.perf_counter()
    if STDIN in options.source:
        raise UsageError("a report shows a site; give a folder")
    if options.output is None:
        options.output = str(_beside(options.source[0]))
    names = options.method or []
    options.method = names[0] if names else None
    more = [method_for(options, words, strict=False) for words in dict.fromkeys(names[1:])]
    skips = Skips()
    job = job_for(
        options,
        options.output,
        site=options.site,
        writing=writing_of(options),
        page_seconds=options.page_seconds,
        columns=not options.template,
    )
    with Bar(options) as bar, job.open(progress=bar, skipped=skips.add) as work:
        templates = work.learn()
        learned = of_one_site(templates, options.site)
        others = [of_one_site(learned_by(work, *method), options.site) for method in more]
        report = report_of(options, work, [learned, *others], bar, skips)
    with written_whole(Path(options.output)) as file:
        file.write(report.html)
    tell_skipped(skips.reasons, skips.first, options)
    if not options.template:
        tell_outliers(templates, options)
    families = f"{len(learned.families)} families" if len(learned.families) > 1 else "one family"
    limited = f", {report.shown} of them with a view (--pages)" if report.shown < report.pages else ""
    seconds = time.perf_counter() - started
    said = f"{plural(report.pages, 'page')} in {families}{limited}, {seconds:.1f} s"
    opened = options.open and webbrowser.open(Path(options.output).resolve().as_uri())
    say(f"{said}: {'opened' if opened else 'open'} {options.output} in {'your' if opened else 'a'} browser", options)
    return 0


def _beside(source: str) -> Path:
    """The report beside a source: in the folder of a file or folder, or in this folder for a URL.

    Only a report of dehusk is replaced without being asked.
    """
    path = Path(REPORT) if on_the_web(source) else Path(source).resolve().parent / REPORT
    here = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    try:
        ours = not path.exists() or _OURS in path.read_text("utf-8", "replace")[:_HEAD]
    except OSError as error:
        raise OutputError(f"cannot read {here}: {reason(error)}; name the report with -o") from error
    if not ours:
        raise UsageError(f"{here} is not a report of dehusk, and is not replaced; name the report with -o")
    return here


def report_of(
    options: argparse.Namespace,
    work: Work,
    templates: Sequence[Template],
    bar: Bar,
    skips: Skips,
    table: Sequence[Sequence[str]] = (),
) -> Report:
    """The report on the pages of a job, with a view for each template. `table` compares their methods."""
    total = None if work.source.names is None else len(work.source.names)
    places = [place if on_the_web(place) else folder_name(Path(place)) for place in options.source[:3]]
    otherwise = options.site or " and ".join(places)
    shown = ShownSite(
        name=site_name(templates[0], otherwise),
        templates=templates,
        source=shlex.join(options.source),
        template=options.template,
        pages=options.pages,
        writing=work.job.writing,
        page_seconds=work.job.page_seconds,
        files=_files(options.source),
        table=table,
    )
    return report_on(
        work.source, shown, measured=lambda done: bar.show("measuring", done, total, "page"), skipped=skips.add
    )


def learned_by(work: Work, method: Method, options: TypedOptions) -> Templates:
    """The templates that another method learns from the same pages."""
    job = replace(work.job, source=work.source, site=None, method=method.name, method_options=options.values)
    return job.learn()


def _files(places: Sequence[str]) -> Callable[[str], Files]:
    """A function from page names to the style sheets and pictures in the folder or archives of the pages."""
    if len(places) == 1 and Path(places[0]).is_dir():
        return Beside(Path(places[0])).of
    found = {url: text for place in places for url, text in archived_files(place).items()}
    return partial(archived, found.get) if found else lambda _: no_files


def of_one_site(templates: Templates, site: str | None) -> Template:
    """The template to show; raises UsageError if it is not clear which."""
    known = list(templates.by_site)
    if len(known) == 1:
        return templates.by_site[known[0]]
    if site is not None and site in templates.by_site:
        return templates.by_site[site]
    names = listed(known, _LISTED_SITES)
    if site is not None:
        raise UsageError(f"no template for {site}; there are templates for {names}{did_you_mean(site, known)}")
    raise UsageError(f"{len(known)} sites in the source; a report shows one, choose it with --site: {names}")
