"""Where results go, and in which formats.

A format has two halves. Its `encode` makes of a cleaned page what is written of it, in whatever process the page was
cleaned; its output takes these pieces, in the order of the pages, and only puts them down.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from dehusk.errors import UsageError
from dehusk.files import writing, written_whole_bytes
from dehusk.outputs.folder import RENDERERS, Folder, Rendered
from dehusk.outputs.stream import Stream
from dehusk.page import Page
from dehusk.sources import Source
from dehusk.template import Cleaned

FORMATS = (*RENDERERS, "jsonl", "parquet", "wet", "warc")


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

    def close(self) -> None:
        """Writes what comes behind the last page."""


@contextmanager
def open_output(place: str, form: str, source: Source, stdout: IO[str], *, markdown: bool = False) -> Iterator[Output]:
    """A folder of one file a page, or one file of all pages, as the format asks for; `-` is standard output.

    The names of the source decide where two pages would get the same file; its own files are never written to.
    `markdown` puts Markdown instead of text into the rows of JSON Lines and Parquet.
    """
    if place != "-" and Path(place).resolve() in {path.resolve() for path in source.files}:
        raise UsageError(f"{place} is both source and output; choose another output")
    if place == "-":
        if form in RENDERERS and (source.names is None or len(source.names) > 1):
            raise UsageError(f"many pages do not fit on standard output as {form}; give a folder, or --format jsonl")
        stream: IO[bytes] = stdout.buffer  # type: ignore[attr-defined]  # of a text stream over bytes
        with writing("to standard output"):
            output = _one_file(stream, "", form, markdown=markdown)
            yield output
            output.close()
            stream.flush()
    elif form in RENDERERS:
        with Folder(Path(place), form, source.names or (), source.files) as folder:
            yield folder
    else:
        with written_whole_bytes(Path(place)) as file:
            output = _one_file(file, Path(place).name, form, markdown=markdown)
            yield output
            output.close()


def _one_file(file: IO[bytes], name: str, form: str, *, markdown: bool) -> Output:
    """An output into an open file called `name`, packed if that says so."""
    packed = name.endswith(".gz")
    if form == "parquet":
        from dehusk.outputs.parquet import Parquet

        return Parquet(file, markdown=markdown)
    if form in ("wet", "warc"):
        from dehusk.outputs.warc import Conversion, Warc

        return Warc(file, Conversion("text/plain" if form == "wet" else "text/html", packed=packed), name)
    if form == "jsonl":
        from dehusk.outputs.jsonl import Line

        return Stream(file, Line(markdown=markdown, packed=packed))
    return Stream(file, Rendered(form))
