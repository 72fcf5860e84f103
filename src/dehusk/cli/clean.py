"""dehusk clean: strip the template from every page of a site."""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from dehusk.cli.common import (
    add_method,
    add_source,
    add_template,
    progress,
    report_outliers,
    say,
    template_for,
    written,
)
from dehusk.errors import SourceError, UsageError
from dehusk.files import written_whole
from dehusk.outputs import RENDERERS, open_output
from dehusk.run import Done, clean_source
from dehusk.sources import Skipped, open_source

_WARNINGS = 20  # so many are shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk clean`."""
    add_source(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="a folder, or with jsonl a file; - for standard output")
    parser.add_argument("--format", choices=[*RENDERERS, "jsonl"], default="text", help="default: %(default)s")
    add_template(parser)
    add_method(parser)
    parser.add_argument("--log", metavar="FILE", help="write skipped pages and reasons as JSON Lines")


def run(options: argparse.Namespace) -> int:
    """Learns if need be, then cleans page after page."""
    started = time.perf_counter()
    place = _output(options)
    source = open_source(options.source, leave_out=written(place, options.log, options.template))
    results: list[Done | Skipped] = []
    try:
        with open_output(place, options.format, source, sys.stdout) as output:
            learned = template_for(options, source, results)
            report_outliers(learned, options)
            results.clear()
            results += progress(clean_source(source, learned, output), len(source.names), "cleaning", options)
    finally:
        if options.log:
            _write_log(Path(options.log), results)
    return _close(results, time.perf_counter() - started, options)


def _write_log(place: Path, results: Iterable[Done | Skipped]) -> None:
    with written_whole(place) as log:
        for one in results:
            if isinstance(one, Skipped):
                log.write(json.dumps({"name": one.name, "reason": one.reason}, ensure_ascii=False) + "\n")


def _output(options: argparse.Namespace) -> str:
    if options.source == ["-"]:
        if not options.template:
            raise UsageError("one page on standard input needs a template; give one with -t")
        return options.output or "-"
    if "-" in options.source:
        raise UsageError("standard input cannot be mixed with other sources")
    if not options.output:
        raise UsageError("where to? give an output with -o")
    same = [place for place in options.source if Path(place).resolve() == Path(options.output).resolve()]
    if same:
        raise UsageError(f"{same[0]} is both source and output; choose another output")
    output: str = options.output
    return output


def _close(results: Sequence[Done | Skipped], seconds: float, options: argparse.Namespace) -> int:
    """Names what was skipped or odd, says the closing line, and gives the exit code."""
    skipped = [result for result in results if isinstance(result, Skipped)]
    done = [result for result in results if isinstance(result, Done)]
    for one in skipped:
        say(f"skipped {one.name}: {one.reason}", options)
    odd = [f"warning: {page.name}: {warning}" for page in done for warning in page.warnings]
    for line in odd[:_WARNINGS]:
        say(line, options)
    if len(odd) > _WARNINGS:
        say(f"... and {len(odd) - _WARNINGS} more warnings; --format jsonl has them all", options)
    length = sum(page.length for page in done)
    removed = sum(page.length * page.share_removed for page in done) / length if length else 0.0
    say(
        f"{len(skipped) + len(done)} pages read, {len(done)} cleaned, {len(skipped)} skipped, "
        f"{removed:.0%} of the text removed, {seconds:.1f} s",
        options,
    )
    if not done:
        raise SourceError(f"no page could be cleaned; the first, {skipped[0].name}: {skipped[0].reason}")
    return 0
