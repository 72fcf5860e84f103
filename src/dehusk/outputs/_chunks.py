"""Chunks of all pages, as JSON Lines or Parquet. A chunk that several pages share is written once, with their names."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, get_type_hints

from dehusk.base.packing import gzipped, is_gzip
from dehusk.outputs._spool import line_of, rows_of, spooled
from dehusk.outputs.parquet import ParquetTable
from dehusk.outputs.target import Stream, Target
from dehusk.templates.chunks import SIZE, Chunk
from dehusk.templates.cleaned import Cleaned


@dataclass(frozen=True, slots=True)
class ChunkLines:
    """Turns a page into the lines of its chunks."""

    size: int = SIZE
    markdown: bool = False

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """Returns the lines. The site comes first."""
        rows = ({"site": site, **chunk.to_dict()} for chunk in cleaned.chunks(self.size, markdown=self.markdown))
        return b"".join(map(line_of, rows))


class ChunkOutput(Stream):
    """Collects the chunks of all pages in a file of its own. At the end, each is written once."""

    def __init__(self, spool: IO[bytes], target: Target, encode: ChunkLines) -> None:
        super().__init__(spool, encode)
        self._target = target

    def close(self) -> None:
        """Writes the chunks in the order of pages."""
        shared = self._shared()
        rows = (row | {"pages": shared.pop(row["id"], row["pages"])} for row in self._once())
        if self._target.name.endswith(".parquet"):
            with self._target.open(0) as file, ParquetTable(file, COLUMNS) as table:
                for row in rows:
                    table.add(row)
            return
        packed = is_gzip(self._target.name)
        with self._target.open(0) as file:
            for row in rows:
                file.write(gzipped(line_of(row)) if packed else line_of(row))

    def _once(self) -> Iterator[dict[str, Any]]:
        """Yields the first of all chunks with the same id."""
        seen: set[str] = set()
        for row in rows_of(self._file):
            if row["id"] not in seen:
                seen.add(row["id"])
                yield row

    def _shared(self) -> dict[str, list[str]]:
        """Returns the pages of chunks that several pages have, by id."""
        first: dict[str, str] = {}
        shared: dict[str, list[str]] = {}
        for row in rows_of(self._file):
            page = first.setdefault(row["id"], row["page"])
            if page != row["page"]:
                pages = shared.setdefault(row["id"], [page])
                if pages[-1] != row["page"]:
                    pages.append(row["page"])
        return shared


COLUMNS = {"site": str, **get_type_hints(Chunk)}
"""The fields of a row, with their types."""


@contextmanager
def opened(_: str, target: Target, *, chunk_size: int = SIZE, markdown: bool = False) -> Iterator[ChunkOutput]:
    """Opens a file of chunks. Until the end, they are in a file beside it, or in a temporary one."""
    with spooled(target) as spool:
        yield ChunkOutput(spool, target, ChunkLines(chunk_size, markdown))
