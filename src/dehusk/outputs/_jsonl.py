"""Pages as JSON Lines: one object on each line."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dehusk.base.packing import gzipped, is_gzip
from dehusk.outputs.target import Stream, Target
from dehusk.templates.cleaned import Cleaned


@dataclass(frozen=True, slots=True)
class Row:
    """Makes a page into a row: its site, what it says about itself, and its content. See `dehusk.templates.cleaned`."""

    markdown: bool = False
    """Whether the content is Markdown instead of text."""
    parts: bool = False
    """Whether all that the page says is there too, what went included, in parts with roles."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The fields on demand."""
        return ("markdown" if self.markdown else "text", *(["parts"] if self.parts else []))


@dataclass(frozen=True, slots=True)
class JsonLine(Row):
    """Makes a page into a line. A packed line is a gzip member of its own, so that any process can make it."""

    packed: bool = False

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """All that is known about the page. What is not Unicode in a file name is escaped as in JSON."""
        line = json.dumps(cleaned.to_dict(self.asked, site=site), ensure_ascii=False) + "\n"
        data = line.encode("utf-8", "backslashreplace")
        return gzipped(data) if self.packed else data


@contextmanager
def opened(_: str, target: Target, *, markdown: bool = False, parts: bool = False) -> Iterator[Stream]:
    """A file of lines, each packed by itself if the file's name says that it is packed."""
    with target.open(target.written) as file:
        yield Stream(file, JsonLine(markdown=markdown, parts=parts, packed=is_gzip(target.name)))
