"""A file of rows beside an output, for formats that can write the first row only after the last page."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, Any

from dehusk.base import fields
from dehusk.base.errors import OutputError
from dehusk.base.files import settled
from dehusk.outputs.target import Target

_NAME = "rows.jsonl"


@contextmanager
def spooled(target: Target) -> Iterator[IO[bytes]]:
    """Opens the rows that an earlier run left, to be continued; a temporary file if the job cannot be continued."""
    if target.parts is None:
        with TemporaryFile() as file:
            yield file
        return
    target.parts.mkdir(exist_ok=True)
    with (target.parts / _NAME).open("a+b") as file:
        if file.seek(0, os.SEEK_END) < target.written:
            raise OutputError(f"{target.parts}: damaged; remove its folder to start from the beginning")
        file.truncate(target.written)
        yield file
        settled(file)


def line_of(row: dict[str, Any]) -> bytes:
    """Returns a row as a line of JSON."""
    return (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def rows_of(file: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Yields all rows of a file."""
    file.seek(0)
    yield from map(fields.parsed, file)
