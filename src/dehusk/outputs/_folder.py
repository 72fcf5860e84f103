"""A folder with a file for each page."""

import os
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import OutputError
from dehusk.base.files import remove_part, unwritable, written_whole_bytes
from dehusk.base.system import lock
from dehusk.outputs.target import Stream, Target, file_names, page_file, refuse_sources, same, source_and_output
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned

if TYPE_CHECKING:
    from dehusk.outputs import Encode


@dataclass(frozen=True, slots=True)
class Rendered:
    """Turns a page into the content of a text, Markdown, HTML or TEI file."""

    form: str

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:  # noqa: ARG002  # the file name has the site
        """The file's content."""
        content: str = getattr(cleaned, self.form)
        return content.encode("utf-8", "backslashreplace")


@contextmanager
def opened(form: str, target: Target) -> Iterator[Stream]:
    """A file for one page."""
    with target.open(target.written) as file:
        yield Stream(file, Rendered(form))


class FolderOutput(AbstractContextManager["FolderOutput"]):
    """Writes `a/b.html` to `a/b.txt` in the folder, whole or not at all. Never overwrites a file of the source.

    Several jobs may write into one folder. Each writes to a part file of its own and renames it for every page. Part
    files of killed jobs are removed by the next job that has the folder to itself.
    """

    def __init__(
        self, root: Path, encode: "Encode", suffix: str, *, names: Sequence[str] = (), sources: Collection[Path] = ()
    ) -> None:
        """`encode` makes the content of a file with this suffix. `names` are the names of the pages, if known."""
        self.encode = encode
        self._root = root
        self._suffix = suffix
        self._files = file_names([name for name in names if "://" not in name], suffix)
        self._seen = {same(file): 1 for file in self._files.values()}
        self._new = not root.exists()
        refuse_sources((root / file for file in self._files.values()), sources)
        inside = root.resolve()
        self._read = frozenset(file for file in map(Path.resolve, sources) if inside in file.parents)
        self._part = root / f".dehusk-{secrets.token_hex(6)}.part"
        self._written: list[str] = []
        try:
            root.mkdir(parents=True, exist_ok=True)
            self._open = os.open(root, os.O_RDONLY)
            if lock(self._open):
                for left in root.glob(".dehusk-*.part"):
                    remove_part(left)
            lock(self._open, wait=True, shared=True)  # no job gets an exclusive lock until all have closed the folder
        except OSError as error:
            raise OutputError(f"cannot write to {root}: {unwritable(error)}") from error

    def write(self, page: Page, piece: bytes) -> None:
        """Writes the page to its own file."""
        self._check()
        name = self._file(page)
        path = self._root / name
        with written_whole_bytes(path, meanwhile=self._part, inside=self._root) as file:
            file.write(piece)
        self._written.append(name)

    def _check(self) -> None:
        """Raises OutputError if the folder was removed or replaced."""
        try:
            there = os.path.samestat(self._root.stat(), os.fstat(self._open))
        except OSError:
            there = False
        if not there:
            raise OutputError(f"{self._root} was removed or replaced while it was written; run the same command again")

    def settle(self) -> None:
        """Does nothing: each file is written whole, and a job that writes a folder cannot be continued."""

    def close(self) -> None:
        """Does nothing: every file is finished."""

    def _file(self, page: Page) -> str:
        if page.url is None and page.name in self._files:
            return self._files[page.name]
        first = file = page_file(page.url, page.name, self._suffix)
        while same(file) in self._seen:  # an archive may hold a page twice
            self._seen[same(first)] += 1
            file = f"{first.removesuffix(self._suffix)}-{self._seen[same(first)]}{self._suffix}"
        self._seen[same(file)] = 1
        if self._read and (self._root / file).resolve() in self._read:
            raise source_and_output(self._root / file)
        return file

    def __exit__(self, *exception: object) -> None:
        """Checks that all files still exist. Removes the folder if it is new and empty."""
        try:
            if exception[0] is None:
                self._check()
                gone = [name for name in self._written if not (self._root / name).exists()]
                if gone:
                    lost = f"{len(gone)} files in {self._root}, such as {gone[0]}, were removed in the meantime"
                    raise OutputError(f"{lost}; run the same command again")
        finally:
            os.close(self._open)
        if self._new and self._root.is_dir() and not any(self._root.iterdir()):
            self._root.rmdir()
