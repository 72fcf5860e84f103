"""dehusk clean: strip the template from every page of a site."""

import argparse
import json
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from dehusk.cli.common import add_method, add_source, add_template, progress, report_outliers, say, template_for
from dehusk.errors import SourceError, UsageError
from dehusk.files import written_whole
from dehusk.outputs import RENDERERS, open_output
from dehusk.run import Done, clean_source
from dehusk.sources import Skipped, open_source

_NAMED = 20  # so many skipped pages are named on the terminal; --log names all


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
    source = open_source(options.source, leave_out=None if place == "-" else Path(place))
    with ExitStack() as stack:
        log = stack.enter_context(written_whole(Path(options.log))) if options.log else None
        output = stack.enter_context(open_output(place, options.format, source.names, sys.stdout))
        learned = template_for(options, source)
        report_outliers(learned, options)
        results = list(progress(clean_source(source, learned, output), len(source.names), "cleaning", options))
        if log:
            for skipped in results:
                if isinstance(skipped, Skipped):
                    log.write(json.dumps({"name": skipped.name, "reason": skipped.reason}, ensure_ascii=False) + "\n")
    return _close(results, time.perf_counter() - started, options)


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


def _close(results: Iterable[Done | Skipped], seconds: float, options: argparse.Namespace) -> int:
    """Names what was skipped or odd, says the closing line, and gives the exit code."""
    skipped = [result for result in results if isinstance(result, Skipped)]
    done = [result for result in results if isinstance(result, Done)]
    odd = [f"{page.name}: {warning}" for page in done for warning in page.warnings]
    for lines in ([f"skipped {one.name}: {one.reason}" for one in skipped], [f"warning: {line}" for line in odd]):
        for line in lines[:_NAMED]:
            say(line, options)
        if len(lines) > _NAMED:
            say(f"... and {len(lines) - _NAMED} more", options)
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
