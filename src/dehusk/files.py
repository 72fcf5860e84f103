"""Writing files whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from dehusk.errors import OutputError


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """A file to write UTF-8 to that takes its name only when all of it is written; on any error nothing is left.

    File names may hold bytes that are not Unicode; they are escaped as in JSON.
    """
    with (
        written_whole_bytes(path) as file,
        TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="\n") as text,
    ):
        yield text


@contextmanager
def written_whole_bytes(path: Path, *, meanwhile: str | None = None) -> Iterator[IO[bytes]]:
    """The same for bytes. `meanwhile` is its name until then: the next run writes over what a killed one left."""
    partial: Path | None = None
    try:
        path = destination(path)
        try:
            # Named before it is opened: an interruption in between must not leave it behind.
            partial = path.parent / (meanwhile or f".dehusk-{secrets.token_hex(6)}.part")
            with partial.open("wb") as file:
                yield file
            partial.replace(path)
        except BaseException:
            if partial is not None:
                partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {unwritable(error)}") from error


def destination(path: Path) -> Path:
    """Where a file is to be written: the place itself, whose folder is there; a link is followed, not replaced."""
    try:
        if path.exists() and not path.is_file():
            kind = "a folder is in the way" if path.is_dir() else "not a regular file"
            raise OutputError(f"cannot write {path}: {kind}; choose another output")
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {unwritable(error)}") from error
    return path


def settled(file: IO[str] | IO[bytes]) -> int:
    """Waits until all of a file is on the disk; how long it is."""
    file.flush()
    os.fsync(file.fileno())
    return os.fstat(file.fileno()).st_size


def sync_folder(folder: Path) -> None:
    """Waits until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def writing(place: object) -> Iterator[None]:
    """Around a write to a file that many pages share: what fails there must end the job, not cost one page."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {place}: {unwritable(error)}") from error


def reason(error: OSError) -> str:
    """The operating system's words for an error."""
    return (error.strerror or str(error)).lower()


def unwritable(error: OSError) -> str:
    """Why something could not be written, and what to do about the usual reasons."""
    words = reason(error)
    advice = {
        "no space left on device": "free some space, or write elsewhere",
        "permission denied": "choose a place you may write to",
        "not a directory": "a file is in the way; choose another output",
        "file exists": "a file is in the way; choose another output",
        "is a directory": "a folder is in the way; choose another output",
    }.get(words)
    return f"{words}; {advice}" if advice else words
