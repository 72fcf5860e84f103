"""Where output is written: file names, files, and checks that no source is overwritten."""

import hashlib
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Protocol
from urllib.parse import SplitResult, quote

from dehusk.base import urls
from dehusk.base.errors import UsageError
from dehusk.base.files import settled, written_whole_bytes
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.outputs import Encode


# The longest file name in bytes. Common file systems allow 255; resolving a clash may add a few. Longer names are cut.
_LONGEST = 240
_CUT_NAME = 200
_LONGEST_PATH = 800  # bytes of a relative path; some systems allow 1,024 for the whole path
_NO_HOST = "no-host"
_SAFE = "%~!$&'()+,;=@"
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}
)


def same(file: str) -> str:
    """A key that is equal for names that some file systems treat as one: Unicode normalized, case folded."""
    return unicodedata.normalize("NFC", file).casefold()


def file_names(names: Sequence[str], suffix: str) -> dict[str, str]:
    """The file name of each page: its name with the new suffix; on a clash, the suffix is appended to its full name."""
    short = {name: _portable(PurePosixPath(name).with_suffix(suffix).as_posix(), suffix) for name in names}
    wanted = Counter(map(same, short.values()))
    folders = {same(above.as_posix()) for name in names for above in PurePosixPath(name).parents}
    files: dict[str, str] = {}
    taken = {file for file, pages in wanted.items() if pages == 1} - folders
    for name in names:
        file = short[name]
        if wanted[same(file)] > 1 or same(file) in folders:
            file = _portable(name + suffix, suffix)
            while same(file) in taken or same(file) in folders:
                file += suffix
            taken.add(same(file))
        files[name] = file
    return files


def page_file(url: str | None, name: str, suffix: str) -> str:
    """The file name of a page with or without a URL."""
    return url_file(url or f"//{_NO_HOST}/{_quoted(name)}", suffix)


def url_file(url: str, suffix: str) -> str:
    """The file name for a URL: host, path, and a hash of the query. Different URLs have different files."""
    parts = urls.split(url) or SplitResult("", _NO_HOST, f"/{_quoted(url)}", "", "")
    steps = [_quoted(step, _SAFE) for step in parts.path.split("/") if step not in ("", ".", "..")]
    if not steps or parts.path.endswith("/"):
        steps.append("index")
    if parts.query:
        steps[-1] += f"-{hashlib.blake2b(parts.query.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
    host = _quoted(parts.netloc.rpartition("@")[2])
    folders = [host if host.strip(".") else _NO_HOST, *steps[:-1]]
    # A folder could have the same name as a file if it had its suffix. Some systems drop a dot at the end of a name.
    folders = [f"{step}_" if step.lower().endswith((suffix, ".")) else step for step in folders]
    return _portable("/".join([*(short(step) for step in folders), steps[-1] + suffix]), suffix)


def short(name: str, suffix: str = "") -> str:
    """Shortens a name so that it fits every file system. A hash replaces the removed end."""
    if len(os.fsencode(name)) <= _LONGEST:
        return name
    digest = hashlib.blake2b(os.fsencode(name), digest_size=16).hexdigest()
    start = os.fsdecode(os.fsencode(name)[:_CUT_NAME]).encode("utf-8", "ignore").decode()
    return f"{start}-{digest}{suffix}"


def site_file(site: str, suffix: str) -> str:
    """The file name of a site, which no other site gets. A name that had to be changed begins with `+`."""
    name = _quoted(site)
    own = name and name == short(name) == _spared(name)
    return f"{name if own else '+' + (short(name) or 'no-site')}{suffix}"


def _portable(file: str, suffix: str) -> str:
    """Makes a relative path valid on every file system. A long one keeps its first and last step only."""
    *folders, last = file.split("/")
    steps = [*map(_spared, folders), _spared(short(last, suffix))]
    whole = "/".join(steps)
    if len(os.fsencode(whole)) <= _LONGEST_PATH or len(steps) < 3:
        return whole
    digest = hashlib.blake2b(os.fsencode(whole), digest_size=6).hexdigest()
    return "/".join([steps[0], f"long-{digest}", steps[-1]])


def _spared(step: str) -> str:
    """A step of a path, changed if it is `..` or the name of a Windows device."""
    if step == "..":
        return ".._"
    stem, dot, rest = step.partition(".")
    return f"{stem}_{dot}{rest}" if stem.lower() in _DEVICES else step


def _quoted(text: str, safe: str = "") -> str:
    """Percent-encodes a text. Unpaired surrogates are encoded like characters."""
    return quote(text, safe=safe, errors="surrogatepass")


GENERATOR = b'<meta name="generator" content="dehusk">'
"""Marks reports and cleaned pages in their head, to tell them from pages of a source."""

_START = 1000


class Target(Protocol):
    """A file to write to. An earlier run may have written its beginning."""

    @property
    def name(self) -> str:
        """The name of the finished file; "" for standard output."""

    @property
    def written(self) -> int:
        """How much was written by an earlier run, in the unit of the output: bytes or parts."""

    @property
    def parts(self) -> Path | None:
        """A folder for parts that are joined at the end; None if the job cannot be continued."""

    def open(self, length: int) -> AbstractContextManager[IO[bytes]]:
        """Opens the file after its first `length` bytes. It is on disk when the context ends without an error."""


@dataclass(frozen=True, slots=True)
class StandardOutput:
    """Standard output, which begins empty and stays open."""

    stream: IO[str]
    name: str = ""
    written: int = 0
    parts: None = None

    @contextmanager
    def open(self, length: int) -> Iterator[IO[bytes]]:  # noqa: ARG002  # nothing is written before
        """Opens the binary buffer of the text stream."""
        file: IO[bytes] = self.stream.buffer  # type: ignore[attr-defined]  # of a text stream over bytes
        yield file
        file.flush()


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is written completely or not at all."""

    path: Path
    written: int = 0
    parts: None = None

    @property
    def name(self) -> str:
        """The file name without its folder."""
        return self.path.name

    def open(self, length: int) -> AbstractContextManager[IO[bytes]]:  # noqa: ARG002  # nothing is written before
        """Opens a part file, which is renamed at the end."""
        return written_whole_bytes(self.path)


def refuse_twice(paths: Iterable[Path]) -> None:
    """Raises UsageError if one path is given for two different purposes."""
    for path, times in Counter(path.resolve() for path in paths).items():
        if times > 1:
            raise UsageError(f"{path} is given for two different things; choose another place for one")


def refuse_sources(written: Iterable[Path], files: Iterable[Path], places: Iterable[str | Path] = ()) -> None:
    """Raises UsageError if a path to write is a file of the source, or a page in one of its folders.

    Files that dehusk itself wrote into such a folder may be overwritten.
    """
    given = [Path(path).resolve() for path in places]
    read = {*(file.resolve() for file in files), *given}
    folders = [path for path in given if path.is_dir()]
    for path in written:
        whole = path.resolve()
        if whole in read or (any(map(whole.is_relative_to, folders)) and _has_pages(whole)):
            raise source_and_output(path)


def _has_pages(path: Path) -> bool:
    """Whether a file is a page, or a folder contains pages."""
    # In a folder only files with an HTML suffix count: a text file `a.html.txt` may also begin with "<".
    files = (file for file in path.rglob("*") if "htm" in file.suffix) if path.is_dir() else [path]
    return any(file.is_file() and _is_page(file) for file in files)


def _is_page(path: Path) -> bool:
    """Whether a file looks like HTML that dehusk did not write."""
    with path.open("rb") as file:
        start = file.read(_START).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"<") and GENERATOR not in start


def source_and_output(path: Path) -> UsageError:
    """The error for an output that would overwrite a file of the source."""
    return UsageError(f"{path} is both source and output; choose another output")


class Stream:
    """Appends pieces to an open file."""

    def __init__(self, file: IO[bytes], encode: "Encode") -> None:
        self.encode = encode
        self._file = file

    def write(self, page: Page, piece: bytes) -> None:  # noqa: ARG002  # the piece is complete
        """Writes the encoded page."""
        self._file.write(piece)

    def settle(self) -> int:
        """Flushes the file to the disk and returns its length."""
        return settled(self._file)

    def close(self) -> None:
        """Does nothing: the last piece ends the file."""
