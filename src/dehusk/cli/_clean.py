"""dehusk clean: strip the template from every page of a site."""

import argparse
import json
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path

from dehusk.base.errors import DehuskError, PageWarning, Skipped, SourceError, UsageError
from dehusk.base.files import written_whole
from dehusk.cli import examples
from dehusk.cli._common import (
    add_choice,
    add_options,
    add_processes,
    add_source,
    add_store,
    add_template,
    add_writing,
    chosen_options,
    count,
    writing_of,
)
from dehusk.cli._learning import add_learning, job_for
from dehusk.cli._telling import Bar, plural, say, tell_outliers, tell_skipped
from dehusk.jobs.job import Job
from dehusk.jobs.result import Result
from dehusk.outputs import CHOICES, DEFAULT, FORMATS, OPTIONS, STDOUT
from dehusk.sources import STDIN

_STRANGE_SHARE = 0.1  # above this share of pages unlike the template, suggest learning again


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dehusk clean`."""
    add_source(parser, stdin=True)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="a folder, or a file whose suffix is the format; - for standard output (default: - for a single page)",
    )
    add_choice(parser, "--format", CHOICES, f"the format of OUT (default: by its suffix, else {DEFAULT})")
    add_options(parser, (option for option in OPTIONS if option not in FORMATS["links"].options))
    add_job(parser)
    examples(parser, "dehusk clean crawl/ -o text/", "dehusk clean crawl.warc.gz -o text.jsonl --log skipped.jsonl")


def add_job(parser: argparse.ArgumentParser, no_effect: Collection[str] = ()) -> None:
    """Adds the options of all jobs that clean pages, except options for writing that have no effect."""
    add_template(parser)
    add_store(parser)
    parser.add_argument(
        "--store-version",
        type=count,
        metavar="N",
        help="with --store: use version N of each template, or the latest one before it (default: the newest)",
    )
    parser.add_argument(
        "--language",
        dest="languages",
        type=lambda text: text.split(","),
        action="extend",
        default=[],
        metavar="TAG",
        help="write only pages in this language, such as de, or de,fr; others are skipped and counted (default: all)",
    )
    add_writing(parser, no_effect)
    add_learning(parser)
    add_processes(parser)
    parser.add_argument(
        "--log", metavar="FILE", help="write skipped pages and reasons to this file, as JSON Lines (default: none)"
    )


def run(options: argparse.Namespace) -> int:
    """Runs the job and prints a summary."""
    job = job_for(
        options,
        options.log,
        output=STDOUT if options.output is None and options.source == [STDIN] else options.output,
        format=options.format,
        output_options=chosen_options(options, (option for option in OPTIONS if option.name in options)),
        writing=writing_of(options),
        languages=options.languages,
        store=options.store,
        store_version=options.store_version,
        jobs=options.jobs,
        page_seconds=options.page_seconds,
    )
    _tell(_logged(job, options), options)
    return 0


def _logged(job: Job, options: argparse.Namespace) -> Result:
    """Runs the job and returns its result. Writes the log even if the job fails."""
    with ExitStack() as stack:
        log = stack.enter_context(written_whole(Path(options.log))) if options.log else None

        def skipped(page: Skipped) -> None:
            if log:
                log.write(json.dumps({"name": page.name, "reason": page.reason}, ensure_ascii=False) + "\n")

        try:
            with Bar(options) as bar:
                return job.run(progress=bar, skipped=skipped)
        except UsageError:  # nothing was read
            raise
        except DehuskError as error:
            failure = error
    raise failure


def _written(result: Result) -> str:
    """Where the pages were written."""
    if not result.cleaned:
        return "nothing written"
    return ", ".join("standard output" if place == STDOUT else place for place in result.outputs)


def _tell(result: Result, options: argparse.Namespace) -> None:
    """Prints skipped pages, warnings and the final summary; raises SourceError if no page was cleaned."""
    if result.templates and not options.template and not result.resumed:  # learned in this run
        tell_outliers(result.templates, options)
    tell_skipped(result.reasons, result.first_skipped, options)
    for name, warning in result.first_warnings:
        pages = result.warnings[warning]
        say(f"warning: {name if pages == 1 else f'{pages:,} pages, such as {name}'}: {warning}", options)
    strange = result.warnings.get(PageWarning.OTHER_SITE, 0)
    if (options.template or options.store) and strange > result.cleaned * _STRANGE_SHARE:
        say(
            f"{strange} of {plural(result.cleaned, 'page')} do not look like the pages this template was learned from; "
            "the site may have been redesigned: learn again",
            options,
        )
    say(
        f"{plural(result.read, 'page')} read, {result.cleaned:,} cleaned, {result.skipped:,} skipped, "
        f"{result.share_removed:.0%} of the text removed, {result.seconds:.1f} s: {_written(result)}",
        options,
    )
    if result.cleaned:
        return
    if result.first_skipped:
        first = result.first_skipped[0]
        raise SourceError(f"no page could be cleaned; the first, {first.name}: {first.reason}")
    raise SourceError("no page could be cleaned; the source is empty")
