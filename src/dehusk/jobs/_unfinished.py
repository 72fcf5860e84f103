"""One file that takes long to write. A job that is killed and started again continues where it was.

Beside OUT, a folder OUT.unfinished holds what is written so far, what was learned, what was skipped, and a note that
says how much of these is good. The note is replaced about once a second, when all that it counts is on the disk.
Whatever was written later is dropped when the job is started again. At the end the output is renamed to OUT, and the
folder is removed.
"""

import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Self

from dehusk.base.errors import OutputError, Skipped, TemplateError
from dehusk.base.files import destination, settled, sync_folder, unwritable, writing
from dehusk.base.system import lock
from dehusk.jobs.result import Done, Tally
from dehusk.outputs import Output, in_one_file
from dehusk.templates.template import Template

SUFFIX = ".unfinished"

INTERVAL = 1.0
"""Seconds between two notes. A kill costs the work since the last; each note waits some milliseconds for the disk."""

_NOTE = "progress.json"
_NEXT_NOTE = "progress.json.part"
_OUTPUT = "output"
_PARTS = "parts"
_SKIPPED = "skipped.jsonl"
_TEMPLATES = "templates.jsonl"


def beside(out: Path) -> Path:
    """The folder of the unfinished file."""
    return out.parent / f"{out.name}{SUFFIX}"


def open_unfinished(stack: ExitStack, path: str, form: str, job: str | None) -> "Unfinished | None":
    """The unfinished file of an output, if it is one file of all pages.

    It is left with the stack, which knows of it before there is anything: a signal may come at any moment.
    """
    if not in_one_file(path, form):
        return None
    unfinished = Unfinished(Path(path), job)
    stack.push(unfinished)
    unfinished.begin()
    return unfinished


class Unfinished(AbstractContextManager["Unfinished"]):
    """The folder beside OUT while it is written. Left without an error, OUT has its name and the folder is gone.

    After an error or an interruption the folder stays if there is anything to continue from.
    """

    def __init__(self, out: Path, job: str | None) -> None:
        """`job` is what tells this job from others; None for one that cannot be resumed, as when pages are fetched."""
        self._out = destination(out)
        self.folder = beside(self._out)
        self.job = job
        """Which job the notes are about. A job that changes what it depends on, such as its store, sets it again."""
        self._noted = time.monotonic()
        self._lock: int | None = None
        self._begun = False
        self._skipped: IO[bytes] | None = None
        self.restarted = False
        """Whether the folder was of another job, whose work is gone."""
        self.items = 0
        """How many items of the source are done."""
        self.written = 0
        """How much is written of them, in the output's own terms."""
        self.tally = Tally()
        """What became of them."""

    def __enter__(self) -> Self:
        self.begin()
        return self

    def begin(self) -> None:
        """Takes the folder, with what is there already. Whoever is to leave it knows of it before: see `__exit__`."""
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
        """What OUT is called."""
        return self._out.name

    @property
    def parts(self) -> Path:
        """Where parts of the output are written that are put together at its end."""
        return self.folder / _PARTS

    @contextmanager
    def open(self, length: int) -> Iterator[IO[bytes]]:
        """The output after its first `length` bytes. It is on the disk when the context ends without an error."""
        with (self.folder / _OUTPUT).open("a+b") as file:
            if file.seek(0, os.SEEK_END) < length:
                raise OutputError(f"{self.folder}: damaged; remove it to start from the beginning")
            file.truncate(length)
            file.seek(0, os.SEEK_END)
            yield file
            settled(file)

    def skipped(self) -> Iterator[Skipped]:
        """What was skipped among the items that are done."""
        self._noted_skips.seek(0)
        for line in self._noted_skips:
            yield Skipped(**json.loads(line))

    @property
    def _noted_skips(self) -> IO[bytes]:
        assert self._skipped is not None  # noqa: S101  # it is open once the folder is ours
        return self._skipped

    def templates(self) -> tuple[list[Template], dict[str, str]] | None:
        """What was learned before, if anything was, and the sites that could not be learned."""
        try:
            failed, *lines = (self.folder / _TEMPLATES).read_text("utf-8").splitlines()
            return [Template.from_json(json.loads(line)) for line in lines], json.loads(failed)
        except (OSError, ValueError, TemplateError):
            return None

    def keep(self, templates: list[Template], failed: Mapping[str, str]) -> None:
        """Keeps what was learned, so that it need not be learned again, and the sites that could not be learned."""
        with (self.folder / _TEMPLATES).open("w", encoding="utf-8", newline="\n") as file:
            for line in (failed, *(line.to_json() for line in templates)):
                file.write(json.dumps(line) + "\n")
            settled(file)
        self._note(self.written)

    def add(self, outcome: Done | Skipped, output: Output) -> None:
        """One more item is done; when it is time, and the output can say how far it has come, that is noted."""
        self.items += 1
        if isinstance(outcome, Skipped):
            line = json.dumps({"name": outcome.name, "reason": outcome.reason})
            self._noted_skips.write(line.encode() + b"\n")
        if self.job is None or time.monotonic() - self._noted < INTERVAL:
            return
        written = output.settle()
        if written is not None:
            self._note(written)

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
        """The note of this very job, if all is there."""
        try:
            note = json.loads((self.folder / _NOTE).read_text())
            note["tally"] = Tally.from_json(note["tally"])
            ours = self.job is not None and note["job"] == self.job
            return note if ours and (self.folder / _SKIPPED).stat().st_size >= note["skipped"] else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None

    def _empty(self) -> None:
        """Takes away what another job left; nothing that we did not write."""
        left = list(self.folder.iterdir())
        if {path.name for path in left} - {_NOTE, _NEXT_NOTE, _OUTPUT, _PARTS, _SKIPPED, _TEMPLATES}:
            raise OutputError(f"{self.folder} is in the way; move it, or choose another output")
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
        """Gives the output its name. Where that fails, the work stays, and a later run continues from it."""
        note, aside = self.folder / _NOTE, self.folder / _NEXT_NOTE
        with writing(self._out):
            # If we are killed here, the job starts again: better than to continue after an output that is gone.
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
        """Leaves the folder to the next job if that can continue from it; else removes it."""
        if not self._begun:  # it is left already
            return
        self._begun = False
        with suppress(OSError, OutputError):
            if self._lock is not None and not self.resumable:
                self._empty()
                self.folder.rmdir()
        if self._lock is not None:  # else it is another's, or nobody's
            os.close(self._lock)

    @property
    def resumable(self) -> bool:
        """Whether there is something to continue from."""
        return (self.folder / _NOTE).exists()


def _locked(folder: Path) -> int:
    """Makes the folder, and opens it so that no other process can have it at the same time."""
    while True:
        folder.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):  # the one that had it has finished, and taken the folder away
            descriptor = os.open(folder, os.O_RDONLY)
            if not lock(descriptor):
                os.close(descriptor)
                raise OutputError(f"{folder}: another process is at work there; wait, or choose another output")
            if os.path.samestat(folder.stat(), os.fstat(descriptor)):
                return descriptor
            os.close(descriptor)
