"""Atomic file writes, file locks, and messages for write errors."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from dehusk.base.errors import OutputError
from dehusk.base.system import lock


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """Opens a UTF-8 file that appears under its name only when complete; on an error nothing is left behind.

    Surrogates, which come from file names that are not valid UTF-8, are written as backslash escapes.
    """
    with (
        written_whole_bytes(path) as file,
        TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="\n") as text,
    ):
        yield text


@contextmanager
def written_whole_bytes(path: Path, *, meanwhile: Path | None = None) -> Iterator[IO[bytes]]:
    """Opens a binary file that appears under its name only when complete.

    Until then it is at `meanwhile`, which must be on the same disk, or at a temporary path beside it.
    """
    try:
        path = destination(path)
        with nullcontext(meanwhile) if meanwhile else _part(path) as partial:
            try:
                with partial.open("wb") as file:
                    yield file
                partial.replace(path)
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {unwritable(error)}") from error


@contextmanager
def _part(path: Path) -> Iterator[Path]:
    """Locks and yields the temporary path of a file that is being written.

    A later process reuses the file that a killed process left there.
    """
    part = path.parent / f".dehusk-{hashlib.blake2b(os.fsencode(path.name), digest_size=6).hexdigest()}.part"
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not lock(descriptor):
                raise OutputError(f"cannot write {path}: another process is writing it; wait for it to end")
            if _is(part, descriptor):
                yield part
                return
        finally:  # try again if the previous writer renamed the file between our open and our lock
            os.close(descriptor)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Locks a file while it is read and replaced, so that another process waits and then reads the new content."""
    while (descriptor := _opened(path)) is not None:
        try:
            lock(descriptor, wait=True)
            if _is(path, descriptor):
                yield
                return
        finally:
            os.close(descriptor)
    yield


def _opened(path: Path) -> int | None:
    """A descriptor of the file; None if it cannot be opened (the caller's own read reports the error)."""
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None


def _is(path: Path, descriptor: int) -> bool:
    """Whether the path still points to the open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def remove_part(part: Path) -> None:
    """Removes a temporary file that a killed process left, unless another process is writing it (see `_part`).

    Errors are ignored: a leftover does no harm.
    """
    with suppress(OSError):
        descriptor = os.open(part, os.O_RDONLY)
        try:
            if lock(descriptor):
                part.unlink()
        finally:
            os.close(descriptor)


def destination(path: Path) -> Path:
    """The resolved path to write to; creates its folder. A symbolic link is followed, not replaced."""
    try:
        if path.exists() and not path.is_file():
            obstacle = "a folder is in the way" if path.is_dir() else "not a regular file"
            raise OutputError(f"cannot write {path}: {obstacle}; choose another output")
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {unwritable(error)}") from error
    return path


def settled(file: IO[str] | IO[bytes]) -> int:
    """Flushes a file to disk (fsync) and returns its size."""
    file.flush()
    os.fsync(file.fileno())
    return os.fstat(file.fileno()).st_size


def sync_folder(folder: Path) -> None:
    """Flushes the entries of a folder to disk (fsync)."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def writing(target: object) -> Iterator[None]:
    """Turns OSError into OutputError, which ends the job: for files shared by many pages.

    BrokenPipeError passes through.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {target}: {unwritable(error)}") from error


def reason(error: OSError) -> str:
    """The operating system's message for an error, in lower case."""
    return (error.strerror or str(error)).lower()


def unwritable(error: OSError) -> str:
    """The reason for a write error, with advice for common reasons."""
    words = reason(error)
    advice = {
        "no space left on device": "free some space, or write elsewhere",
        "permission denied": "choose a place you may write to",
        "not a directory": "a file is in the way; choose another output",
        "file exists": "a file is in the way; choose another output",
        "is a directory": "a folder is in the way; choose another output",
    }.get(words)
    return f"{words}; {advice}" if advice else words
