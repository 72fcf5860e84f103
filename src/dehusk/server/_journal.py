"""What the service prints about its own failures: each of them once, so that no client can fill a log."""

import logging
import sys
from collections.abc import Callable

from dehusk.base.errors import shown

MOST_FAILURES = 20
"""Maximum number of different failures that are printed, with their tracebacks."""

MOST_LINES, LONGEST_LINE = 60, 500
"""Maximum lines of a traceback, the last ones, and characters of a line: a message may have a whole page in it."""

_LOGGERS = ("asyncio", "uvicorn.error")


class Journal(logging.Handler):
    """Prints each different failure once. Two failures are the same if they come from the same line of code."""

    def __init__(self, write: Callable[[str], object] | None = None) -> None:
        super().__init__(logging.ERROR)
        self._write = write or _to_stderr
        self._seen: set[str] = set()

    def note(self, trace: str) -> None:
        """Prints a traceback, unless it was printed before or there were too many."""
        lines = [shown(line[:LONGEST_LINE]) for line in trace.splitlines() if line.strip()][-MOST_LINES:]
        places = [line for line in lines if line.startswith("  File ")]
        name = places[-1] if places else "".join(lines[:1]).partition(":")[0]
        if name in self._seen or len(self._seen) > MOST_FAILURES:
            return
        self._seen.add(name)
        self._write("\n".join(lines if len(self._seen) <= MOST_FAILURES else ["dehusk: no more failures are printed"]))

    def emit(self, record: logging.LogRecord) -> None:
        """Prints what the server or the event loop reports."""
        self.note(self.format(record))

    def listen(self) -> None:
        """Replaces the handlers of the server and of the event loop, which print everything."""
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [self], False


def _to_stderr(text: str) -> None:
    if sys.stderr:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
