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
def written_whole(path: Path, *, inside: Path | None = None) -> Iterator[IO[str]]:
    """Opens a UTF-8 file that appears under its name only when complete; on an error nothing is left behind.

    `inside` is its output folder: see `destination`. Surrogates, which come from file names that are not valid UTF-8,
    are written as backslash escapes.
    """
    with (
        written_whole_bytes(path, inside=inside) as file,
        TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="\n") as text,
    ):
        yield text


@contextmanager
def written_whole_bytes(
    path: Path, *, meanwhile: Path | None = None, inside: Path | None = None
) -> Iterator[IO[bytes]]:
    """Opens a binary file that appears under its name only when complete.

    Until then it is at `meanwhile`, or, if that is not given or on another disk, at a temporary path beside it.
    `inside` is its output folder: see `destination`.
    """
    try:
        path = destination(path, inside)
        on_this_disk = meanwhile and meanwhile.parent.stat().st_dev == path.parent.stat().st_dev
        with nullcontext(meanwhile) if meanwhile and on_this_disk else _part(path) as partial:
            try:
                with open(partial, "wb", opener=_unfollowed) as file:
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
        if part.is_symlink():  # its name can be guessed, and a link would lead elsewhere
            part.unlink()
        descriptor = _unfollowed(part, os.O_RDWR | os.O_CREAT)
        try:
            if not lock(descriptor):
                raise OutputError(f"cannot write {path}: another process is writing it; wait for it to end")
            if _is(part, descriptor):
                yield part
                return
        finally:  # try again if the previous writer renamed the file between our open and our lock
            os.close(descriptor)


def _unfollowed(path: str | os.PathLike[str], flags: int) -> int:
    """Opens a file, as `os.open`, but not through a symbolic link."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


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


def destination(path: Path, inside: Path | None = None) -> Path:
    """The resolved path to write to; creates its folder.

    A symbolic link that the user names is followed. But names of files in an output folder (`inside`) come from pages,
    and who else may write there is not known: there a link to a file is replaced, and a link to a folder is an error.
    """
    try:
        if path.exists() and not path.is_file() and not (inside and path.is_symlink()):
            obstacle = "a folder is in the way" if path.is_dir() else "not a regular file"
            raise OutputError(f"cannot write {path}: {obstacle}; choose another output")
        if inside:
            path = _without_links(path, inside)
        else:
            path = path.resolve()
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {unwritable(error)}") from error
    return path


def _without_links(path: Path, inside: Path) -> Path:
    """The path with its output folder resolved. Creates the folders between; raises OutputError if one is a link."""
    inside.mkdir(parents=True, exist_ok=True)
    folder = inside.resolve()
    *steps, name = path.relative_to(inside).parts
    for step in steps:
        folder /= step
        if folder.is_symlink():
            raise OutputError(f"cannot write {path}: {folder} is a symbolic link; remove it, or choose another output")
        if not folder.is_dir():
            folder.mkdir(exist_ok=True)
    return folder / name


def beside(path: Path, suffix: str) -> Path:
    """The path of a file of ours beside one that the user named. Raises OutputError if it is a link."""
    found = path.with_name(f"{path.name}{suffix}")
    if found.is_symlink():
        raise OutputError(f"cannot write {found}: a symbolic link; remove it")
    return found


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


def escaped(text: str) -> str:
    """A text as valid Unicode: surrogates, as those of file names that are not UTF-8, become backslash escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


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
