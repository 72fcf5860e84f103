"""Pages in files and folders, and a page on standard input."""

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from dehusk.base.errors import TOO_LARGE, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.page import LARGEST, Page, may_be_page, unusable


class Stdin:
    """Standard input as a source of one page."""

    names = ("standard input",)
    files: tuple[Path, ...] = ()

    @cached_property
    def _data(self) -> bytes:
        if sys.stdin is None:
            raise SourceError("standard input is closed; give a page on it")
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise SourceError(f"standard input: {TOO_LARGE}; one page is at most {LARGEST // 10**6} MB")
        return data

    def __iter__(self) -> Iterator[Page | Skipped]:
        why = unusable(self._data)
        yield Skipped(self.names[0], why) if why else Page(self._data, name=self.names[0])


class Paths:
    """All pages in the given folders, and all given files, sorted by name.

    The name of a page is its path relative to the folder; with several places, to their common parent folder. In a
    folder, hidden files, links to folders, and files with suffixes of other types (style sheets, images, ...) are left
    out.
    """

    def __init__(self, paths: Sequence[Path], *, leave_out: Collection[Path] = ()) -> None:
        for path in paths:
            if not path.exists():
                raise SourceError(f"{path}: no such file or folder")
        whole = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  # resolve() would follow links
        folder = len(whole) == 1 and whole[0].is_dir()
        root = whole[0] if folder else Path(os.path.commonpath([path.parent for path in whole]))
        left_out = {path.resolve() for path in leave_out}
        files = {file for path in whole for file in _files(path, left_out)}
        self._files = dict(sorted((path.relative_to(root).as_posix(), path) for path in files))
        self.names = list(self._files)
        self.files = list(self._files.values())
        if not self.names:
            raise SourceError(f"{paths[0]}: no pages; give a folder that holds HTML files")

    def __iter__(self) -> Iterator[Page | Skipped]:
        for name, path in self._files.items():
            if path.exists() and not path.is_file():  # reading a pipe might never end
                yield Skipped(name, "not a regular file")
                continue
            try:
                if path.stat().st_size > LARGEST:
                    yield Skipped(name, TOO_LARGE)
                    continue
                data = path.read_bytes()
            except OSError as error:
                yield Skipped(name, reason(error))
                continue
            why = unusable(data)
            yield Skipped(name, why) if why else Page(data, name=name)


def _files(root: Path, left_out: Collection[Path]) -> Iterator[Path]:
    if not root.is_dir():
        yield root
        return
    names = {path.name for path in left_out}
    for parent, folders, files in os.walk(root):
        folder = Path(parent)

        def wanted(name: str, folder: Path = folder) -> bool:
            return name[0] != "." and not (name in names and (folder / name).resolve() in left_out)

        folders[:] = filter(wanted, folders)
        # Mirroring tools may append the query to the file name.
        pages = (name for name in filter(wanted, files) if may_be_page(name.partition("?")[0], packed=True))
        yield from (folder / name for name in pages)
