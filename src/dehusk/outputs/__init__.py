"""Where results go, and in which formats."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Protocol

from dehusk.errors import UsageError
from dehusk.outputs.folder import Folder
from dehusk.outputs.jsonl import JsonLines
from dehusk.outputs.stream import Stream
from dehusk.sources import Source
from dehusk.template import Cleaned

RENDERERS: dict[str, tuple[str, Callable[[Cleaned], str]]] = {
    "text": (".txt", lambda cleaned: cleaned.text),
    "markdown": (".md", lambda cleaned: cleaned.markdown),
    "html": (".html", lambda cleaned: cleaned.html),
}
"""The formats that write one file a page, with its suffix."""


class Output(Protocol):
    """Takes cleaned pages one by one."""

    def write(self, cleaned: Cleaned) -> None:
        """Writes one page, whole or not at all."""


def open_output(place: str, form: str, source: Source, stdout: IO[str]) -> AbstractContextManager[Output]:
    """A folder of one file a page, or with `jsonl` a file of one line a page; `-` is standard output.

    The names of the source decide where two pages would get the same file; its own files are never written to.
    """
    if place != "-" and Path(place).resolve() in {path.resolve() for path in source.files}:
        raise UsageError(f"{place} is both source and output; choose another output")
    if form == "jsonl":
        return JsonLines(stdout if place == "-" else Path(place))
    suffix, render = RENDERERS[form]
    if place != "-":
        return Folder(Path(place), suffix, render, source.names, source.files)
    if len(source.names) > 1:
        raise UsageError(
            f"{len(source.names)} pages do not fit on standard output as {form}; give a folder, or --format jsonl"
        )
    return Stream(stdout, render)
