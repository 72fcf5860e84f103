"""Pages in files and folders, and a page on standard input."""

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from dehusk.base.errors import TOO_LARGE, Skipped, SourceError
from dehusk.base.files import reason
from dehusk.base.packing import GZIP
from dehusk.base.shared import Shared
from dehusk.base.urls import on_the_web
from dehusk.page import LARGEST, Page, may_be_page, unusable
from dehusk.sources._mhtml import root_page
from dehusk.sources._mirror import address_of
from dehusk.sources.web.bodies import BodyError, decompressed

_SAVED = (".mhtml", ".mht")


class Stdin(Shared):
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
    out. With `mirror`, the folders are hosts, and the pages have URLs.
    """

    def __init__(self, paths: Sequence[Path], *, leave_out: Collection[Path] = (), mirror: bool = False) -> None:
        for path in paths:
            if not path.exists():
                advice = f"; for a page of the web, give https://{path}" if str(path).lower().startswith("www.") else ""
                raise SourceError(f"{path}: no such file or folder{advice}")
        whole = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  # resolve() would follow links
        folder = len(whole) == 1 and whole[0].is_dir()
        root = whole[0] if folder else Path(os.path.commonpath([path.parent for path in whole]))
        left_out = {path.resolve() for path in leave_out}
        files = {file for path in whole for file in _files(path, left_out)}
        self._mirror = root.name if mirror else None
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
            url = None if self._mirror is None else address_of(data, name, self._mirror)
            yield file_page(data, name, url)


def file_page(data: bytes, name: str, url: str | None = None) -> Page | Skipped:
    """The page in a file, which may be compressed (`.html.gz`) or saved by a browser (`.mhtml`)."""
    charset = None
    try:
        if data.startswith(GZIP) and name.lower().endswith(".gz"):
            data = decompressed(data, ["gzip"], LARGEST)
    except BodyError as error:
        return Skipped(name, str(error))
    if name.lower().endswith(_SAVED):
        if (found := root_page(data)) is None:
            return Skipped(name, "no page in this MHTML file")
        data, address, charset = found
        url = url or (address if address and on_the_web(address) else None)
    why = unusable(data)
    return Skipped(name, why) if why else Page(data, url=url, name=name, encoding=charset)


def is_page_file(name: str) -> bool:
    """Whether a file in a folder may be a page, by its name. Mirroring tools may append the query to it."""
    return may_be_page(name.partition("?")[0], packed=True) or name.lower().endswith(_SAVED)


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
        yield from (folder / name for name in filter(wanted, files) if is_page_file(name))
