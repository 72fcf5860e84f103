"""Writing files whole or not at all."""

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
    """A file to write UTF-8 to that takes its name only when all of it is written; on any error nothing is left.

    File names may hold bytes that are not Unicode; they are escaped as in JSON.
    """
    with (
        written_whole_bytes(path) as file,
        TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="\n") as text,
    ):
        yield text


@contextmanager
def written_whole_bytes(path: Path, *, meanwhile: Path | None = None) -> Iterator[IO[bytes]]:
    """A file of bytes that takes its name only when all of it is written; `meanwhile`, on the same disk, until then."""
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
    """Where a file is while it is written: nobody else writes there, and the next takes over what a killed one left."""
    part = path.parent / f".dehusk-{hashlib.blake2b(os.fsencode(path.name), digest_size=6).hexdigest()}.part"
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not lock(descriptor):
                raise OutputError(f"cannot write {path}: another process is writing it; wait for it to end")
            if _is(part, descriptor):
                yield part
                return
        finally:  # whoever had it before may have given it its name in between
            os.close(descriptor)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Around reading a file and replacing it: who else holds it waits, and then reads what has been written."""
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
    """The file; None where it cannot be read, which whoever reads it will tell."""
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None


def _is(path: Path, descriptor: int) -> bool:
    """Whether an open file has this name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def remove_part(part: Path) -> None:
    """Removes what a killed process left, unless another writes there: see `_part`. Nobody needs it to be gone."""
    with suppress(OSError):
        descriptor = os.open(part, os.O_RDONLY)
        try:
            if lock(descriptor):
                part.unlink()
        finally:
            os.close(descriptor)


def destination(path: Path) -> Path:
    """Where a file is to be written: the place itself, whose folder is there; a link is followed, not replaced."""
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
def writing(target: object) -> Iterator[None]:
    """Around a write to a file that many pages share: what fails there must end the job, not cost one page."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {target}: {unwritable(error)}") from error


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
