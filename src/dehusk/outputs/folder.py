"""A folder that mirrors the names of the pages, one file each."""

import hashlib
import os
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from dehusk.errors import OutputError
from dehusk.files import unwritable, written_whole_bytes
from dehusk.outputs.target import refuse_sources
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.outputs import Encode

# Bytes that a name may have: common file systems allow 255, and a clash may add some. A longer one gets `_SHORT`.
_LONGEST = 240
_SHORT = 200
_NO_HOST = "no-host"


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
        self._seen: dict[str, int] = {}
        self._new = not root.exists()
        refuse_sources((root / file for file in self._files.values()), sources)
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
        first = file = url_file(page.url or f"//{_NO_HOST}/{quote(page.name)}", self._suffix)
        while file in self._seen:  # an archive may hold a page twice
            self._seen[first] += 1
            file = f"{first.removesuffix(self._suffix)}-{self._seen[first]}{self._suffix}"
        self._seen[file] = 1
        return file

    def __exit__(self, *exception: object) -> None:
        """Removes the folder if it is new and empty."""
        if self._new and self._root.is_dir() and not any(self._root.iterdir()):
            self._root.rmdir()


def file_names(names: Sequence[str], suffix: str) -> dict[str, str]:
    """A file for every page: its name with the new suffix, or its full old name and that where two would clash."""
    short = {name: _short(PurePosixPath(name).with_suffix(suffix).as_posix(), suffix) for name in names}
    wanted = Counter(short.values())
    folders = {above.as_posix() for name in names for above in PurePosixPath(name).parents}
    files: dict[str, str] = {}
    taken = {file for file, pages in wanted.items() if pages == 1} - folders
    for name in names:
        file = short[name]
        if wanted[file] > 1 or file in folders:
            file = _short(name + suffix, suffix)
            while file in taken or file in folders:
                file += suffix
            taken.add(file)
        files[name] = file
    return files


def url_file(url: str, suffix: str) -> str:
    """A file for the page at a URL: host and path, a hash for the query; different URLs have different files."""
    try:
        parts = urlsplit(url)
    except ValueError:  # not a URL
        parts = urlsplit(f"//{_NO_HOST}/{quote(url, safe='')}")
    steps = [quote(step, safe="%~!$&'()*+,;=@") for step in parts.path.split("/") if step not in ("", ".", "..")]
    if not steps or parts.path.endswith("/"):
        steps.append("index")
    if parts.query:
        steps[-1] += f"-{hashlib.blake2b(parts.query.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"
    host = quote(parts.netloc.rpartition("@")[2], safe="")
    folders = [host if host.strip(".") else _NO_HOST, *steps[:-1]]
    # A folder with the suffix of files could be in the way of one.
    folders = [_short(f"{step}_" if step.endswith(suffix) else step, "") for step in folders]
    return "/".join([*folders, _short(steps[-1] + suffix, suffix)])


def _short(file: str, suffix: str) -> str:
    """The path, with a last part that is short enough for every file system; a hash replaces what is left out."""
    folder, _, last = file.rpartition("/")
    if len(os.fsencode(last)) <= _LONGEST:
        return file
    digest = hashlib.blake2b(os.fsencode(last), digest_size=6).hexdigest()
    start = os.fsdecode(os.fsencode(last)[:_SHORT]).encode("utf-8", "ignore").decode()
    return f"{folder}/{start}-{digest}{suffix}" if folder else f"{start}-{digest}{suffix}"
