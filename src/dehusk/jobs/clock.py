"""A clock for pages that are read in this process, without workers: see `system.time_limit`."""

from collections.abc import Callable, Iterable, Iterator

from dehusk.base.errors import Skipped, SlowError
from dehusk.base.system import time_limit
from dehusk.page import Page


def in_time(
    pages: Iterable[Page], seconds: float, read: Callable[[Page], object], skipped: Callable[[Skipped], object]
) -> Iterator[Page]:
    """Yields the pages for which `read` takes at most `seconds` of processor time; 0 for no limit. Skips the others.

    `read` should leave on the page what later steps need, which are then quick.
    """
    for page in pages:
        try:
            with time_limit(seconds):
                read(page)
        except SlowError as error:
            skipped(Skipped(page.name, str(error)))
        else:
            yield page
