"""Pages as JSON Lines: one object per line."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dehusk.base.packing import gzipped, is_gzip
from dehusk.outputs.target import Stream, Target
from dehusk.templates.cleaned import Cleaned


@dataclass(frozen=True, slots=True)
class Row:
    """Turns a page into a row with site, metadata and content. See `dehusk.templates.cleaned`."""

    markdown: bool = False
    """Whether the content is Markdown instead of text."""
    parts: bool = False
    """Whether to add all parts of the page with their roles, removed parts included."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The optional fields of the row."""
        return ("markdown" if self.markdown else "text", *(["parts"] if self.parts else []))


@dataclass(frozen=True, slots=True)
class JsonLine(Row):
    """Turns a page into a line. A packed line is a gzip member of its own, so any process can make it."""

    packed: bool = False

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """Returns the line. Bytes of a file name that are not Unicode are escaped."""
        line = json.dumps(cleaned.to_dict(self.asked, site=site), ensure_ascii=False) + "\n"
        data = line.encode("utf-8", "backslashreplace")
        return gzipped(data) if self.packed else data


@contextmanager
def opened(_: str, target: Target, *, markdown: bool = False, parts: bool = False) -> Iterator[Stream]:
    """Opens a file of lines. If the file name ends in `.gz`, each line is packed separately."""
    with target.open(target.written) as file:
        yield Stream(file, JsonLine(markdown=markdown, parts=parts, packed=is_gzip(target.name)))
