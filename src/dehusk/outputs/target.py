"""One file to write, whatever holds it: standard output, a file of one page, or the unfinished file of a job."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from dehusk.base.errors import UsageError
from dehusk.base.files import settled, written_whole_bytes
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.outputs import Encode


GENERATOR = b'<meta name="generator" content="dehusk">'
"""What the head of a report and of a cleaned page has, and that of a page has not."""

_START = 1000


class Target(Protocol):
    """A file that an output is written to. An earlier run may have written a part of it."""

    @property
    def name(self) -> str:
        """What the file is called at the end; "" for standard output."""

    @property
    def written(self) -> int:
        """How much of it is there already, in the output's own unit: bytes, or parts."""

    @property
    def parts(self) -> Path | None:
        """A folder for parts of it that are put together at the end; None where a run cannot be continued."""

    def open(self, length: int) -> AbstractContextManager[IO[bytes]]:
        """The file after its first `length` bytes. It is on the disk when the context ends without an error."""


@dataclass(frozen=True, slots=True)
class StandardOutput:
    """Standard output, which begins empty and stays open."""

    stream: IO[str]
    name: str = ""
    written: int = 0
    parts: None = None

    @contextmanager
    def open(self, length: int) -> Iterator[IO[bytes]]:  # noqa: ARG002  # nothing is written before
        """The bytes below the text stream."""
        file: IO[bytes] = self.stream.buffer  # type: ignore[attr-defined]  # of a text stream over bytes
        yield file
        file.flush()


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is written at once: whole or not at all."""

    path: Path
    written: int = 0
    parts: None = None

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.name

    def open(self, length: int) -> AbstractContextManager[IO[bytes]]:  # noqa: ARG002  # nothing is written before
        """Takes the file's name at the end."""
        return written_whole_bytes(self.path)


def refuse_twice(places: Iterable[Path]) -> None:
    """Refuses to use one place for two things."""
    for place, times in Counter(place.resolve() for place in places).items():
        if times > 1:
            raise UsageError(f"{place} is given for two different things; choose another place for one")


def refuse_sources(written: Iterable[Path], files: Iterable[Path], places: Iterable[str | Path] = ()) -> None:
    """Refuses to write to a file that is read, to a place of the source, or over a page in a folder of the source.

    What dehusk wrote into such a folder before is no page.
    """
    given = [Path(place).resolve() for place in places]
    read = {*(file.resolve() for file in files), *given}
    folders = [place for place in given if place.is_dir()]
    for place in written:
        path = place.resolve()
        if path in read or (any(map(path.is_relative_to, folders)) and _has_pages(path)):
            raise source_and_output(place)


def _has_pages(path: Path) -> bool:
    """Whether a file is a page, or a folder has some."""
    # The suffix counts: a text `a.html.txt` may begin as HTML does.
    files = (file for file in path.rglob("*") if "htm" in file.suffix) if path.is_dir() else [path]
    return any(file.is_file() and _is_page(file) for file in files)


def _is_page(path: Path) -> bool:
    """Whether a file looks like HTML that dehusk did not write."""
    with path.open("rb") as file:
        start = file.read(_START).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"<") and GENERATOR not in start


def source_and_output(place: Path) -> UsageError:
    """What is raised before a file of the source would be written over."""
    return UsageError(f"{place} is both source and output; choose another output")


class Stream:
    """Puts pieces into an open file, one after the other."""

    def __init__(self, file: IO[bytes], encode: "Encode") -> None:
        self.encode = encode
        self._file = file

    def write(self, page: Page, piece: bytes) -> None:  # noqa: ARG002  # the piece says it all
        """The page as it is encoded."""
        self._file.write(piece)

    def settle(self) -> int:
        """How long the file is."""
        return settled(self._file)

    def close(self) -> None:
        """Nothing comes after the last piece."""
