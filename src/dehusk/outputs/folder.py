"""A folder that mirrors the names of the pages, one file each."""

import hashlib
import os
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.errors import OutputError
from dehusk.files import unwritable, written_whole_bytes
from dehusk.outputs.names import file_names, page_file, same
from dehusk.outputs.target import refuse_sources, source_and_output
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.outputs import Encode


class Folder(AbstractContextManager["Folder"]):
    """Writes `a/b.html` to `a/b.txt` below the folder, whole or not at all. Never over a file of the source."""

    def __init__(
        self,
        root: Path,
        encode: "Encode",
        suffix: str,
        *,
        names: Sequence[str] = (),
        sources: Collection[Path] = (),
    ) -> None:
        """`encode` makes a page into a file with this suffix. `names` are those of the pages, as far as known."""
        self.encode = encode
        self._root = root
        self._suffix = suffix
        self._files = file_names([name for name in names if "://" not in name], suffix)
        self._seen = {same(file): 1 for file in self._files.values()}
        self._new = not root.exists()
        refuse_sources((root / file for file in self._files.values()), sources)
        inside = root.resolve()
        self._read = frozenset(file for file in map(Path.resolve, sources) if inside in file.parents)
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot write to {root}: {unwritable(error)}") from error

    def write(self, page: Page, piece: bytes) -> None:
        """The page in a file of its own. A second run writes over what a killed run left of it."""
        path = self._root / self._file(page)
        meanwhile = f".dehusk-{hashlib.blake2b(os.fsencode(path.name), digest_size=6).hexdigest()}.part"
        with written_whole_bytes(path, meanwhile=meanwhile) as file:
            file.write(piece)

    def settle(self) -> None:
        """Does nothing: a file is whole or not there, and a job that is started again writes all files again."""

    def close(self) -> None:
        """Every file is finished."""

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
        """Removes the folder if it is new and empty."""
        if self._new and self._root.is_dir() and not any(self._root.iterdir()):
            self._root.rmdir()
