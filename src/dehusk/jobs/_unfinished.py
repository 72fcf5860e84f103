"""Resumable output to a single file. A job that was killed continues where it stopped when it is started again.

The folder OUT.unfinished next to OUT holds the output so far, the templates, the skipped items, and a note that says
how much of each is complete. The note is replaced about once a second, after everything it counts is on the disk.
Whatever was written after the last note is dropped when the job is started again. At the end the output is renamed to
OUT, and the folder is removed.
"""

import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Self

from dehusk.base import fields
from dehusk.base.errors import OutputError, Skipped, TemplateError
from dehusk.base.files import destination, settled, sync_folder, unwritable, writing
from dehusk.base.system import lock
from dehusk.jobs.result import Done, Tally
from dehusk.outputs import Output, in_one_file
from dehusk.templates.template import Template

SUFFIX = ".unfinished"

INTERVAL = 1.0
"""Seconds between notes. A kill loses the work since the last note; each note waits some milliseconds for the disk."""

_NOTE = "progress.json"
_NEXT_NOTE = "progress.json.part"
_OUTPUT = "output"
_PARTS = "parts"
_SKIPPED = "skipped.jsonl"
_TEMPLATES = "templates.jsonl"


def beside(out: Path) -> Path:
    """Returns the folder for the unfinished output of `out`."""
    return out.parent / f"{out.name}{SUFFIX}"


def open_unfinished(stack: ExitStack, path: str, form: str, job: str | None) -> "Unfinished | None":
    """Opens the unfinished output; returns None if the output is not a single file for all pages.

    It is registered with the stack before `begin`, so that a signal at any moment cannot leave it behind.
    """
    if not in_one_file(path, form):
        return None
    unfinished = Unfinished(Path(path), job)
    stack.push(unfinished)
    unfinished.begin()
    return unfinished


class Unfinished(AbstractContextManager["Unfinished"]):
    """The folder next to OUT while OUT is written. On exit without an error, OUT is complete and the folder is removed.

    After an error or an interruption the folder is kept if the job can be resumed from it.
    """

    def __init__(self, out: Path, job: str | None) -> None:
        """`job` identifies the job; None if it cannot be resumed, for example because pages are fetched."""
        self._out = destination(out)
        self.folder = beside(self._out)
        self.job = job
        """The identity written to notes. A job that changes its own input, such as its store, sets it again."""
        self._noted = time.monotonic()
        self._lock: int | None = None
        self._begun = False
        self._skipped: IO[bytes] | None = None
        self.restarted = False
        """Whether the folder belonged to a different job, whose work was dropped."""
        self.items = 0
        """Number of items of the source that are done."""
        self.written = 0
        """How much of the output is written, in the unit of its format."""
        self.tally = Tally()
        """Results of these items."""

    def __enter__(self) -> Self:
        self.begin()
        return self

    def begin(self) -> None:
        """Locks the folder and reads what an earlier run left. Register for cleanup before calling this."""
        self._begun = True
        try:
            self._lock = _locked(self.folder)
            note = self._read_note()
            self.restarted = note is None and (self.folder / _NOTE).exists()
            if note is None:
                self._empty()
            self._skipped = (self.folder / _SKIPPED).open("a+b")
            self._skipped.truncate(note["skipped"] if note else 0)
        except BaseException as error:
            self._leave()
            if isinstance(error, OSError):
                raise OutputError(f"cannot write {self._out}: {unwritable(error)}") from error
            raise
        if note:
            self.items, self.written, self.tally = note["items"], note["written"], note["tally"]

    @property
    def name(self) -> str:
        """The file name of OUT."""
        return self._out.name

    @property
    def parts(self) -> Path:
        """Folder for parts of the output that are joined at the end."""
        return self.folder / _PARTS

    @contextmanager
    def open(self, length: int) -> Iterator[IO[bytes]]:
        """Opens the output, cut to `length` bytes, for appending. It is synced to disk on exit without an error."""
        with (self.folder / _OUTPUT).open("a+b") as file:
            if file.seek(0, os.SEEK_END) < length:
                raise OutputError(f"{self.folder}: damaged; remove it to start from the beginning")
            file.truncate(length)
            file.seek(0, os.SEEK_END)
            yield file
            settled(file)

    def skipped(self) -> Iterator[Skipped]:
        """Yields the skipped items among those that are done."""
        self._noted_skips.seek(0)
        for line in self._noted_skips:
            yield Skipped(**fields.parsed(line))

    @property
    def _noted_skips(self) -> IO[bytes]:
        assert self._skipped is not None  # noqa: S101  # opened by begin
        return self._skipped

    def templates(self) -> tuple[list[Template], dict[str, str]] | None:
        """Returns the templates and errors of sites that an earlier run saved; None if there are none."""
        try:
            failed, *lines = (self.folder / _TEMPLATES).read_text("utf-8").splitlines()
            return [Template.from_json(fields.parsed(line)) for line in lines], fields.parsed(failed)
        except (OSError, ValueError, TemplateError):
            return None

    def keep(self, templates: list[Template], failed: Mapping[str, str]) -> None:
        """Saves the templates, and the errors of sites that could not be learned, for a later run."""
        with (self.folder / _TEMPLATES).open("w", encoding="utf-8", newline="\n") as file:
            for line in (failed, *(line.to_json() for line in templates)):
                file.write(json.dumps(line) + "\n")
            settled(file)
        self._note(self.written)

    def add(self, outcome: Done | Skipped, output: Output) -> None:
        """Counts an item as done. Writes a note if one is due and the output can be continued from here."""
        self.items += 1
        if isinstance(outcome, Skipped):
            line = json.dumps({"name": outcome.name, "reason": outcome.reason})
            self._noted_skips.write(line.encode() + b"\n")
        if self.job is None or time.monotonic() - self._noted < INTERVAL:
            return
        written = output.settle()
        if written is not None:
            self._note(written)

    def forget(self) -> None:
        """Removes the note: nothing is worth continuing."""
        self.job = None
        (self.folder / _NOTE).unlink(missing_ok=True)

    def _note(self, written: int) -> None:
        if self.job is None:
            return
        note = {"job": self.job, "items": self.items, "written": written, "skipped": settled(self._noted_skips)}
        partial = self.folder / _NEXT_NOTE
        with partial.open("w") as file:
            json.dump(note | {"tally": self.tally.to_json()}, file)
            settled(file)
        partial.replace(self.folder / _NOTE)
        sync_folder(self.folder)
        self._noted = time.monotonic()

    def _read_note(self) -> dict[str, Any] | None:
        """Returns the note if it is complete and of the same job, else None."""
        try:
            note = fields.parsed((self.folder / _NOTE).read_bytes())
            note["tally"] = Tally.from_json(note["tally"])
            ours = self.job is not None and note["job"] == self.job
            return note if ours and (self.folder / _SKIPPED).stat().st_size >= note["skipped"] else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None

    def _empty(self) -> None:
        """Empties the folder. Raises OutputError if it has files that dehusk did not write."""
        left = list(self.folder.iterdir())
        if {path.name for path in left} - {_NOTE, _NEXT_NOTE, _OUTPUT, _PARTS, _SKIPPED, _TEMPLATES}:
            raise OutputError(f"{self.folder} has files of others; move it, or choose another output")
        for path in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def __exit__(self, *exception: object) -> None:
        if self._skipped is not None:
            self._skipped.close()
        try:
            if exception[0] is None:
                self._finish()
        finally:
            self._leave()
        if exception[0] is KeyboardInterrupt and self.resumable:
            raise KeyboardInterrupt("run the same command again to continue from here") from None

    def _finish(self) -> None:
        """Renames the output to OUT. If that fails, the folder is kept, and a later run continues from it."""
        note, aside = self.folder / _NOTE, self.folder / _NEXT_NOTE
        with writing(self._out):
            # A job killed after this starts from the beginning: it cannot continue an output that is renamed.
            with suppress(FileNotFoundError):
                note.replace(aside)
            try:
                (self.folder / _OUTPUT).replace(self._out)
            except OSError:
                with suppress(FileNotFoundError):
                    aside.replace(note)
                raise
            sync_folder(self._out.parent)

    def _leave(self) -> None:
        """Unlocks the folder. Removes it first if no later run can continue from it."""
        if not self._begun:  # already done
            return
        self._begun = False
        with suppress(OSError, OutputError):
            if self._lock is not None and not self.resumable:
                self._empty()
                self.folder.rmdir()
        if self._lock is not None:  # else another process holds it, or it was not created
            os.close(self._lock)

    @property
    def resumable(self) -> bool:
        """Whether a later run can continue from the folder."""
        return (self.folder / _NOTE).exists()


def _locked(folder: Path) -> int:
    """Creates the folder and locks it against other processes; returns its file descriptor."""
    while True:
        folder.mkdir(exist_ok=True)
        if any(path.is_symlink() for path in (folder, *folder.rglob("*"))):  # would lead elsewhere
            raise OutputError(f"{folder} has symbolic links; remove it, or choose another output")
        with suppress(FileNotFoundError):  # the process that held it has finished and removed it
            descriptor = os.open(folder, os.O_RDONLY)
            if not lock(descriptor):
                os.close(descriptor)
                raise OutputError(f"{folder}: in use by another process; wait, or choose another output")
            if os.path.samestat(folder.stat(), os.fstat(descriptor)):
                return descriptor
            os.close(descriptor)
