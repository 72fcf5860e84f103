"""Progress and messages on standard error."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Self

from dehusk import kernels
from dehusk.base.errors import Skipped, listed, shown
from dehusk.jobs.result import Phase, Progress, kind_of
from dehusk.jobs.site_templates import Templates
from dehusk.marking.edits import Edit

if TYPE_CHECKING:
    from tqdm import tqdm

NOT_COMPILED = (
    "dehusk runs without its compiled kernels: same results, but several times slower; reinstall it with a C compiler"
)

KINDS = 10
"""Maximum number of kinds of reasons that are printed. The others are counted."""


class Bar(AbstractContextManager["Bar"]):
    """Progress on standard error: a bar if it is a terminal, and a line if a job resumes an earlier one."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.shown = not options.quiet and sys.stderr is not None and sys.stderr.isatty()
        self._bar: tqdm[Any] | None = None
        self._task = ""

    def __enter__(self) -> Self:
        if not kernels.compiled():
            say(NOT_COMPILED, self._options)
        return self

    def __call__(self, progress: Progress) -> None:
        """Shows one step of a job."""
        if progress.phase is Phase.RESUMING:
            say(f"resuming: {plural(progress.done, 'page')} done in an earlier run", self._options)
        elif progress.phase is Phase.RESTARTING:
            left = f"{self._options.output} was left unfinished by another job"
            say(f"{left}; starting from the beginning", self._options)
        else:
            units = {Phase.LEARNING: "site", Phase.WRITING: "file"}
            self.show(progress.phase, progress.done, progress.total, units.get(progress.phase, "page"))

    def show(self, task: str, done: int, total: int | None, unit: str) -> None:
        """Shows progress. The bar for pages appears only after a second, as each takes little time."""
        if not self.shown:
            return
        if self._bar is None or task != self._task:
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # without a second thread: processes of a job are forked where there is one
            self.close()
            delay = 1 if unit == "page" else 0
            start = max(0, done - 1) if delay else done
            fixed: dict[str, Any] = {"leave": False, "file": sys.stderr, "dynamic_ncols": True}
            self._task = task
            self._bar = tqdm(None, task, total, unit=unit, delay=delay, initial=start, **fixed)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Removes the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __exit__(self, *_: object) -> None:
        self.close()


def say(line: str, options: argparse.Namespace) -> None:
    """Prints a line on standard error, unless `-q` is given."""
    if not options.quiet:
        print(shown(line), file=sys.stderr)


def tell_skipped(reasons: Mapping[str, int], first: Sequence[Skipped], options: argparse.Namespace) -> None:
    """Prints a line for each kind of reason, with the number of pages and an example; the most common ones first."""
    kinds: Counter[str] = Counter()
    for reason, pages in reasons.items():
        kinds[kind_of(reason)] += pages
    named = {kind_of(page.reason): page for page in first}
    shown = [kind for kind, _ in kinds.most_common() if kind in named][:KINDS]
    for kind in shown:
        many = "" if kinds[kind] == 1 else f"{plural(kinds[kind], 'page')}, such as "
        say(f"skipped {many}{named[kind].name}: {named[kind].reason}", options)
    if others := kinds.keys() - set(shown):
        pages = sum(kinds[kind] for kind in others)
        say(f"skipped {plural(pages, 'page')} for {plural(len(others), 'other reason')}", options)
    if kinds.total() > len(shown) and hasattr(options, "log"):
        say(f"all of them are in {options.log}" if options.log else "to list them all, use --log FILE", options)


def tell_outliers(learned: Templates, options: argparse.Namespace) -> None:
    """Prints the pages that were not used for learning."""
    names = learned.outliers
    if names:
        without = f"learned without {len(names)} of {learned.pages} pages that do not share the template"
        say(f"{without}: {listed(names, 5)}", options)
    if learned.left_out:
        without = f"learned without {plural(len(learned.left_out), 'page')} that would take too much memory or time"
        say(f"{without}: {listed(learned.left_out, 5)}", options)


def tell_missing(missing: Mapping[str, Sequence[Edit]], options: argparse.Namespace) -> None:
    """Warns about edits whose place is on no page of their site any more."""
    for site, edits in missing.items():
        for edit in edits:
            selector = f"{edit.path}{f' of {site}' if site else ''}"
            say(
                f"warning: the place of edit {edit.id}, {selector}, is on no page; undo it with dehusk edit --undo",
                options,
            )


def plural(number: int, thing: str) -> str:
    """A number with its noun, for example "2 pages"."""
    return f"{number:,} {thing}{'s' * (number != 1)}"
