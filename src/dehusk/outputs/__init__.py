"""Where results go, and in which formats."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Protocol

from dehusk.errors import UsageError
from dehusk.outputs.folder import Folder
from dehusk.outputs.stream import Stream
from dehusk.sources import Source
from dehusk.template import Cleaned

RENDERERS: dict[str, tuple[str, Callable[[Cleaned], str]]] = {
    "text": (".txt", lambda cleaned: cleaned.text),
    "markdown": (".md", lambda cleaned: cleaned.markdown),
    "html": (".html", lambda cleaned: cleaned.html),
}
"""The formats that write one file a page, with its suffix."""

FORMATS = (*RENDERERS, "jsonl", "parquet", "wet", "warc")


class Output(Protocol):
    """Takes cleaned pages one by one."""

    def write(self, cleaned: Cleaned, *, site: str = "") -> None:
        """Writes one page, whole or not at all."""


def open_output(
    place: str, form: str, source: Source, stdout: IO[str], *, markdown: bool = False
) -> AbstractContextManager[Output]:
    """A folder of one file a page, or one file of all pages, as the format asks for; `-` is standard output.

    The names of the source decide where two pages would get the same file; its own files are never written to.
    `markdown` puts Markdown instead of text into the rows of JSON Lines and Parquet.
    """
    if place != "-" and Path(place).resolve() in {path.resolve() for path in source.files}:
        raise UsageError(f"{place} is both source and output; choose another output")
    if form not in RENDERERS:
        return _one_file(place, form, stdout, markdown=markdown)
    suffix, render = RENDERERS[form]
    if place != "-":
        return Folder(Path(place), suffix, render, source.names or (), source.files)
    if source.names is None or len(source.names) > 1:
        raise UsageError(f"many pages do not fit on standard output as {form}; give a folder, or --format jsonl")
    return Stream(stdout, render)


def _one_file(place: str, form: str, stdout: IO[str], *, markdown: bool) -> AbstractContextManager[Output]:
    if form == "jsonl":
        from dehusk.outputs.jsonl import JsonLines

        return JsonLines(stdout if place == "-" else Path(place), markdown=markdown)
    file = stdout.buffer if place == "-" else Path(place)  # type: ignore[attr-defined]  # of a text stream over bytes
    if form == "parquet":
        from dehusk.outputs.parquet import Parquet

        return Parquet(file, markdown=markdown)
    if form == "wet":
        from dehusk.outputs.wet import Wet

        return Wet(file)
    from dehusk.outputs.warc import Warc

    return Warc(file)
