"""Writing files whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from dehusk.errors import OutputError


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """A file to write UTF-8 to that takes its name only when all of it is written; on any error nothing is left.

    File names may hold what is no Unicode; it is written as JSON would escape it.
    """
    partial: Path | None = None
    try:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            number, name = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".part", dir=path.parent)
            partial = Path(name)
            with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
                yield file
            partial.chmod(0o666 & ~_umask())
            partial.replace(path)
        except BaseException:
            if partial is not None:
                partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {reason(error)}") from error


def reason(error: OSError) -> str:
    """The operating system's words for an error, and what to do about the usual ones."""
    words = (error.strerror or str(error)).lower()
    advice = {
        "no space left on device": "free some, or write elsewhere",
        "permission denied": "choose a place you may write to",
        "not a directory": "a file is in the way; choose another output",
        "file exists": "a file is in the way; choose another output",
        "is a directory": "a folder is in the way; choose another output",
    }.get(words)
    return f"{words}; {advice}" if advice else words


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
