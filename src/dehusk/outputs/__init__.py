"""Where results go, and in which formats.

A format has two halves. Its `encode` makes of a cleaned page what is written of it, in whatever process the page was
cleaned; its output takes these pieces, in the order of the pages, and only puts them down.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from dehusk import packing
from dehusk.cleaned import Cleaned
from dehusk.errors import UsageError
from dehusk.files import settled, writing
from dehusk.options import Option
from dehusk.outputs.folder import RENDERERS, Folder, Rendered
from dehusk.outputs.stream import Stream
from dehusk.page import Page
from dehusk.sources import Source

if TYPE_CHECKING:
    from dehusk.jobs.unfinished import Unfinished

STDOUT = "-"

_MARKDOWN = Option("markdown", "Markdown instead of text in the rows", default=False)


@dataclass(frozen=True, slots=True)
class Format:
    """A format by name: how its files are called, and what it can be told."""

    name: str
    suffixes: tuple[str, ...]
    """What the name of a file in this format ends with."""
    one_file: bool = True
    """Whether all pages go into one file; else each page has its own, in a folder."""
    options: tuple[Option, ...] = ()


FORMATS: Mapping[str, Format] = {
    one.name: one
    for one in (
        Format("text", (".txt",), one_file=False),
        Format("markdown", (".md",), one_file=False),
        Format("html", (".html", ".htm"), one_file=False),
        Format("jsonl", (".jsonl", ".jsonl.gz"), options=(_MARKDOWN,)),
        Format("parquet", (".parquet",), options=(_MARKDOWN,)),
        Format("wet", (".wet", ".wet.gz")),
        Format("warc", (".warc", ".warc.gz")),
    )
}
"""All formats, and the only place that lists them."""

DEFAULT = "text"


def chosen(place: str, form: str | None) -> str:
    """The format for an output: the given one, else the one that the suffix of the place says, else text.

    A form and a suffix that say different things are refused. A folder that exists is a folder, whatever its name.
    """
    if form is not None and form not in FORMATS:
        raise UsageError(f"unknown format {form!r}: choose one of {', '.join(FORMATS)}")
    said = None if place == STDOUT else _said(place)
    if said and not FORMATS[said].one_file and (place.endswith("/") or Path(place).is_dir()):
        said = None
    if form and said and form != said:
        raise UsageError(f"{place} is the name of a file in the format {said}, not {form}; change one of them")
    return form or said or DEFAULT


def _said(place: str) -> str | None:
    """The format that a suffix stands for; None if it is the suffix of none."""
    inside, packed = packing.kind(place)
    for one in FORMATS.values():
        if inside + packed in one.suffixes:
            return one.name
        if inside in one.suffixes:
            raise UsageError(f"{place}: {one.name} is not written as {packed}; choose {' or '.join(one.suffixes)}")
    return None


class Encode(Protocol):
    """Makes a cleaned page into what is written of it. Goes to other processes, so that it can be pickled."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> Any:
        """The piece of the output that is this page."""


class Output(Protocol):
    """Takes pages one by one, each as the piece that `encode` made of it."""

    @property
    def encode(self) -> Encode:
        """What makes the pieces."""

    def write(self, page: Page, piece: Any) -> None:
        """Writes one page, whole or not at all."""

    def settle(self) -> int | None:
        """Waits until what is written is on the disk, and says how much it is; None if that cannot be said now."""

    def close(self) -> None:
        """Writes what comes behind the last page."""


def open_kept(
    place: str, form: str, source: Source, job: str | None = None
) -> AbstractContextManager["Unfinished | None"]:
    """Where the output is kept while it is written, if it is one file; `job` tells it from what others left there.

    Nothing is ever written over a file of the source.
    """
    if place == "-" or form in RENDERERS:
        return nullcontext()
    if Path(place).resolve() in {path.resolve() for path in source.files}:
        raise UsageError(f"{place} is both source and output; choose another output")
    from dehusk.jobs.unfinished import Unfinished

    return Unfinished(Path(place), job)


@contextmanager
def open_output(
    place: str, form: str, source: Source, stdout: IO[str], *, markdown: bool = False, kept: "Unfinished | None" = None
) -> Iterator[Output]:
    """A folder of one file a page, or one file of all pages, as the format asks for; `-` is standard output.

    The names of the source decide where two pages would get the same file; its own files are never written to.
    `markdown` puts Markdown instead of text into the rows of JSON Lines and Parquet. One file is written where `kept`,
    which `open_kept` gave, keeps it.
    """
    if kept and form == "parquet":
        from dehusk.outputs.parquet import Parquet, Parts

        with writing(place):
            yield (parts := Parquet(Parts(kept.parts, kept.place, kept.written), markdown=markdown))
            parts.close()
    elif kept:
        with writing(place), kept.open() as file:
            yield (output := _one_file(file, form, Path(place).name, markdown=markdown, begun=kept.written > 0))
            output.close()
            settled(file)
    elif place != "-":
        with Folder(Path(place), form, source.names or (), source.files) as folder:
            yield folder
    else:
        if form in RENDERERS and (source.names is None or len(source.names) > 1):
            raise UsageError(f"many pages do not fit on standard output as {form}; give a folder, or --format jsonl")
        stream: IO[bytes] = stdout.buffer  # type: ignore[attr-defined]  # of a text stream over bytes
        with writing("to standard output"):
            yield (output := _one_file(stream, form, markdown=markdown))
            output.close()
            stream.flush()


def _one_file(file: IO[bytes], form: str, name: str = "", *, markdown: bool, begun: bool = False) -> Output:
    """An output into an open file called `name`, packed if that says so; `begun` is whether there are pages in it."""
    packed = name.endswith(".gz")
    if form == "parquet":
        from dehusk.outputs.parquet import Parquet

        return Parquet(file, markdown=markdown)
    if form in ("wet", "warc"):
        from dehusk.outputs.warc import Conversion, Warc

        conversion = Conversion("text/plain" if form == "wet" else "text/html", packed=packed)
        return Warc(file, conversion, name, begun=begun)
    if form == "jsonl":
        from dehusk.outputs.jsonl import Line

        return Stream(file, Line(markdown=markdown, packed=packed))
    return Stream(file, Rendered(form))
