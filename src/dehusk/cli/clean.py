"""dehusk clean: strip the template from every page of a site."""

import argparse
import hashlib
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from dehusk.cli.common import (
    SkippedPages,
    add_method,
    add_options,
    add_source,
    add_store,
    add_template,
    count,
    plural,
    progress,
    report_outliers,
    say,
    source_for,
    stored_for,
    templates_for,
)
from dehusk.errors import DehuskError, Skipped, SourceError, UsageError
from dehusk.files import written_whole
from dehusk.jobs.cleaning import Tally, cores
from dehusk.jobs.run import Templates, clean_source
from dehusk.jobs.store import Stored
from dehusk.jobs.unfinished import Unfinished, beside, open_unfinished
from dehusk.outputs import FORMATS, OPTIONS, open_output
from dehusk.sources import STDIN, Source, fetched

_FEW = 0.1  # so many pages of a site may look like no other
_NO_MATTER = ("run", "jobs", "quiet", "log")  # options that the output does not depend on


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `dehusk clean`."""
    add_source(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="a folder; with jsonl, parquet, wet or warc a file; - for standard output"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    add_options(parser, OPTIONS)
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
        self.tally = Tally()

    def run(self) -> None:
        """From the source to the closing line."""
        options, started = self.options, time.perf_counter()
        place = _output(options)
        with ExitStack() as stack:
            own = (
                place,
                options.log,
                options.template,
                options.store,
                None if place == "-" else str(beside(Path(place))),
            )
            source = source_for(options, stack, *own)
            kept = stack.enter_context(open_unfinished(place, options.format, source.files, _job(options, source)))
            if kept:
                stack.enter_context(_to_be_continued(kept))
                self._continue(kept)
            output = stack.enter_context(
                open_output(
                    place,
                    options.format,
                    names=source.names,
                    files=source.files,
                    unfinished=kept,
                    **{one.name: getattr(options, one.name) for one in FORMATS[options.format].options},
                )
            )
            learned = self._learned(source, stack, kept)
            results = stack.enter_context(closing(clean_source(source, learned, output, jobs=options.jobs, kept=kept)))
            for result in progress(results, source, "cleaning", options, done=kept.items if kept else 0):
                self.skipped.add(result) if isinstance(result, Skipped) else self.tally.add(result)
        self._close(time.perf_counter() - started)

    def _continue(self, kept: Unfinished) -> None:
        """Takes up what an earlier run has done."""
        self.tally = kept.tally
        for one in kept.skipped():
            self.skipped.add(one)
        if kept.anew:
            say(f"{kept.folder} was of another job; starting anew", self.options)
        if kept.items:
            say(f"going on behind {plural(kept.items, 'page')} that were done before", self.options)

    def _learned(self, source: Source, stack: ExitStack, kept: Unfinished | None) -> Templates | Stored:
        """The templates: given, in a store, learned before a run was killed, or learned now."""
        options = self.options
        unread: list[Skipped] = []

        def skipped(one: Skipped) -> None:
            if len(unread) < 1000:
                unread.append(one)

        try:
            if options.store:
                stored = stored_for(options, source, stack, skipped)
                if kept:
                    kept.job = _job(options, source)  # the store may have been added to
                return stored
            if kept and (templates := kept.templates()):
                learned = Templates({one.site: one for one in templates}, options.by or "host")
            else:
                learned = templates_for(options, source, skipped)
                if kept and not options.template:
                    kept.keep(list(learned.by_site.values()))
        except DehuskError:
            for one in unread:
                self.skipped.add(one)
            raise
        report_outliers(learned, options)
        return learned

    def _close(self, seconds: float) -> None:
        """Names what was skipped or odd, and says the closing line."""
        self.skipped.tell(self.options)
        tally = self.tally
        for warning in tally.warnings:
            say(f"warning: {warning}", self.options)
        if tally.odd > len(tally.warnings):
            say(f"... and {tally.odd - len(tally.warnings)} more warnings; --format jsonl has them all", self.options)
        if (self.options.template or self.options.store) and tally.strange > tally.cleaned * _FEW:
            say(
                f"{tally.strange} of {plural(tally.cleaned, 'page')} do not look like the pages this template was "
                "learned from; the site may have been redesigned: learn again",
                self.options,
            )
        share = tally.removed / tally.length if tally.length else 0.0
        say(
            f"{len(self.skipped) + tally.cleaned} pages read, {tally.cleaned} cleaned, {len(self.skipped)} skipped, "
            f"{share:.0%} of the text removed, {seconds:.1f} s",
            self.options,
        )
        if not tally.cleaned and (first := self.skipped.first):
            raise SourceError(f"no page could be cleaned; the first, {first.name}: {first.reason}")
        if not tally.cleaned:
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


@contextmanager
def _to_be_continued(kept: Unfinished) -> Iterator[None]:
    """Says, when a person interrupts, that the work so far is not lost."""
    try:
        yield
    except KeyboardInterrupt:
        if kept.resumable:
            raise KeyboardInterrupt("the same command goes on from here") from None
        raise


def _job(options: argparse.Namespace, source: Source) -> str | None:
    """What tells this job from others: all that its output depends on. None if that is not all here."""
    from importlib.metadata import version

    if STDIN in options.source or any(map(fetched, options.source)):
        return None
    ours = {name: value for name, value in vars(options).items() if name not in _NO_MATTER}
    read = [Path(place) for place in (options.template, options.weights, options.store) if place]
    files = [file for place in read for file in (sorted(place.iterdir()) if place.is_dir() else [place])]
    states = [(str(file), *_state(file)) for file in (*source.files, *files)]
    return hashlib.blake2b(
        repr((version("dehusk"), sorted(ours.items()), states)).encode("utf-8", "replace")
    ).hexdigest()


def _state(file: Path) -> tuple[int, int]:
    """The size of a file and when it was changed; nothing for one that cannot be read."""
    try:
        state = file.stat()
    except OSError:
        return (0, 0)
    return state.st_size, state.st_mtime_ns


def jobs(text: str) -> int:
    """A number of processes."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes")
    return int(text)
