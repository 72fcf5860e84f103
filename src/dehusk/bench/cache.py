"""What was measured before, so that it is not measured again: a file of results by what they were made from.

A result is found by a key of the data, the method and the version. It is written as soon as it is there, so that a run
that was killed goes on where it was. Several processes use the file at once.
"""

import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from dehusk.base.errors import OutputError
from dehusk.base.sqlite import SqliteFile, SqliteFormat

RESULTS = SqliteFormat(
    "a cache of dehusk bench",
    0x62656E63,  # "benc"
    "CREATE TABLE results (key TEXT PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL)",
    advice="choose another with --cache FILE",
    error=OutputError,
)


class Cache:
    """A file of results; without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._file = None if path is None else SqliteFile(path, RESULTS)
        if self._file is not None:
            try:
                self._do("SELECT count(*) FROM results")
            except OutputError as error:
                if type(error.__cause__) is not sqlite3.DatabaseError:
                    raise
                self._file.path.unlink()  # no database, or damaged: what it held is made again

    def of(self, make: Callable[[], Any], *parts: object) -> Any:
        """The result for a key of these parts: JSON, made now if it was not before."""
        if self._file is None:
            return make()
        key = hashlib.blake2b(json.dumps(parts, default=str).encode(), digest_size=16).hexdigest()
        with suppress(OutputError):  # a result that cannot be had is made again
            rows = self._do("SELECT value FROM results WHERE key = ?", key)
            if rows:
                self._do("UPDATE results SET used = ? WHERE key = ?", time.time_ns(), key)
                return json.loads(zlib.decompress(rows[0][0]))
        made = make()
        packed = zlib.compress(json.dumps(made).encode(), 1)
        with suppress(OutputError):  # or not kept, where the disk is full
            self._do("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", key, packed, time.time_ns())
        return made

    def trim(self, limit: int) -> None:
        """Drops what was not asked for the longest, until the rest is within the limit in bytes."""
        if self._file is not None:
            with suppress(OutputError):  # on another day, where the disk is full or the file damaged
                self._trim(limit)

    def _trim(self, limit: int) -> None:
        rows = self._do("SELECT key, length(value) FROM results ORDER BY used DESC")
        kept, dropped = 0, []
        for key, size in rows:
            kept += size
            if kept > limit:
                dropped.append(key)
        for key in dropped:
            self._do("DELETE FROM results WHERE key = ?", key)
        if dropped:
            self._do("VACUUM")

    def clear(self) -> None:
        """Drops all."""
        if self._file is not None:
            self._do("DELETE FROM results")
            self._do("VACUUM")

    def _do(self, command: str, *values: object) -> list[Any]:
        assert self._file is not None  # noqa: S101  # nobody asks without a file
        with closing(self._file.open("synchronous = OFF")) as db, self._file.explained():  # a kill loses nothing by it
            return db.execute(command, values).fetchall()
