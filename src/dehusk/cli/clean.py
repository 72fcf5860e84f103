"""dehusk clean: strip the template from every page of a site."""

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from dehusk.cleaning import Done
from dehusk.cli.common import (
    SkippedPages,
    add_method,
    add_source,
    add_store,
    add_template,
    count,
    progress,
    report_outliers,
    say,
    source_for,
    stored_for,
    templates_for,
)
from dehusk.errors import DehuskError, SourceError, UsageError
from dehusk.files import written_whole
from dehusk.outputs import FORMATS, open_output
from dehusk.run import Templates, clean_source
from dehusk.sources import Skipped, Source
from dehusk.store import Stored
from dehusk.workers import cores

_WARNINGS = 20  # so many are shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk clean`."""
    add_source(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="a folder; with jsonl, parquet, wet or warc a file; - for standard output"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    parser.add_argument("--markdown", action="store_true", help="Markdown instead of text in jsonl and parquet")
    add_template(parser)
    add_store(parser)
    parser.add_argument(
        "--store-version",
        type=count,
        metavar="N",
        help="with --store: clean with version N of each site's template, or its last before (default: the newest)",
    )
    add_method(parser)
    parser.add_argument(
        "-j",
        "--jobs",
        type=jobs,
        default=cores(),
        metavar="N",
        help="processes that clean (default: all cores, here %(default)s)",
    )
    parser.add_argument("--log", metavar="FILE", help="write skipped pages and reasons as JSON Lines")


def run(options: argparse.Namespace) -> int:
    """Learns if need be, then cleans page after page."""
    with ExitStack() as stack:
        log = stack.enter_context(written_whole(Path(options.log))) if options.log else None
        job = Job(options, SkippedPages(log))
        try:
            job.run()
        except DehuskError as error:
            failure = error  # the log is written all the same
        else:
            return 0
    raise failure


class Job:
    """One run: what was cleaned and skipped so far."""

    def __init__(self, options: argparse.Namespace, skipped: SkippedPages) -> None:
        self.options = options
        self.skipped = skipped
        self.cleaned = 0
        self.length = 0
        self.removed = 0.0
        self.warnings: list[str] = []
        self.odd = 0

    def run(self) -> None:
        """From the source to the closing line."""
        options, started = self.options, time.perf_counter()
        place = _output(options)
        with ExitStack() as stack:
            source = source_for(options, stack, place, options.log, options.template, options.store)
            output = stack.enter_context(
                open_output(place, options.format, source, sys.stdout, markdown=options.markdown)
            )
            unread: list[Skipped] = []
            try:
                learned = self._learned(source, stack, lambda one: unread.append(one) if len(unread) < 1000 else None)
            except DehuskError:
                for one in unread:
                    self.skipped.add(one)
                raise
            results = stack.enter_context(closing(clean_source(source, learned, output, jobs=options.jobs)))
            for result in progress(results, source, "cleaning", options):
                self._count(result)
        self._close(time.perf_counter() - started)

    def _learned(self, source: Source, stack: ExitStack, skipped: Callable[[Skipped], object]) -> Templates | Stored:
        if self.options.store:
            return stored_for(self.options, source, stack, skipped)
        learned = templates_for(self.options, source, skipped)
        report_outliers(learned, self.options)
        return learned

    def _count(self, result: Done | Skipped) -> None:
        if isinstance(result, Skipped):
            self.skipped.add(result)
            return
        self.cleaned += 1
        self.length += result.length
        self.removed += result.length * result.share_removed
        self.odd += len(result.warnings)
        if len(self.warnings) < _WARNINGS:
            self.warnings += [f"warning: {result.name}: {warning}" for warning in result.warnings]

    def _close(self, seconds: float) -> None:
        """Names what was skipped or odd, and says the closing line."""
        self.skipped.tell(self.options)
        for line in self.warnings:
            say(line, self.options)
        if self.odd > len(self.warnings):
            say(f"... and {self.odd - len(self.warnings)} more warnings; --format jsonl has them all", self.options)
        share = self.removed / self.length if self.length else 0.0
        say(
            f"{len(self.skipped) + self.cleaned} pages read, {self.cleaned} cleaned, {len(self.skipped)} skipped, "
            f"{share:.0%} of the text removed, {seconds:.1f} s",
            self.options,
        )
        if not self.cleaned and (first := self.skipped.first):
            raise SourceError(f"no page could be cleaned; the first, {first.name}: {first.reason}")
        if not self.cleaned:
            raise SourceError("no page could be cleaned; the source is empty")


def _output(options: argparse.Namespace) -> str:
    if options.store_version and not options.store:
        raise UsageError("--store-version is that of a store; name it with --store")
    if options.source == ["-"]:
        return options.output or "-"
    if not options.output:
        raise UsageError("where to? give an output with -o")
    same = [place for place in options.source if Path(place).resolve() == Path(options.output).resolve()]
    if same:
        raise UsageError(f"{same[0]} is both source and output; choose another output")
    output: str = options.output
    return output


def jobs(text: str) -> int:
    """A number of processes."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes")
    return int(text)
