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

_PATIENCE = 60
_SCHEMA = "create table if not exists results (key text primary key, value blob not null, used integer not null)"


class Cache:
    """A file of results; without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                try:
                    self._do(_SCHEMA)
                except sqlite3.DatabaseError as error:
                    if isinstance(error, sqlite3.OperationalError):
                        raise
                    path.unlink()  # no cache, or damaged: what it held is made again
                    self._do(_SCHEMA)
            except (OSError, sqlite3.OperationalError) as error:
                raise OutputError(
                    f"cannot write the cache {path}: {error}; choose another with --cache FILE"
                ) from error

    def of(self, make: Callable[[], Any], *parts: object) -> Any:
        """The result for a key of these parts: JSON, made now if it was not before."""
        if self.path is None:
            return make()
        key = hashlib.blake2b(json.dumps(parts, default=str).encode(), digest_size=16).hexdigest()
        with suppress(sqlite3.DatabaseError):  # a result that cannot be had is made again
            found = self._do("select value from results where key = ?", key)
            if found:
                self._do("update results set used = ? where key = ?", time.time_ns(), key)
                return json.loads(zlib.decompress(found[0][0]))
        made = make()
        packed = zlib.compress(json.dumps(made).encode(), 1)
        with suppress(sqlite3.DatabaseError):  # or not kept, where the disk is full
            self._do("insert or replace into results values (?, ?, ?)", key, packed, time.time_ns())
        return made

    def trim(self, limit: int) -> None:
        """Drops what was not asked for the longest, until the rest is within the limit in bytes."""
        if self.path is not None:
            with suppress(sqlite3.DatabaseError):  # on another day, where the disk is full or the file damaged
                self._trim(limit)

    def _trim(self, limit: int) -> None:
        rows = self._do("select key, length(value) from results order by used desc")
        kept, dropped = 0, []
        for key, size in rows:
            kept += size
            if kept > limit:
                dropped.append(key)
        for key in dropped:
            self._do("delete from results where key = ?", key)
        if dropped:
            self._do("vacuum")

    def clear(self) -> None:
        """Drops all."""
        if self.path is not None:
            self._do("delete from results")
            self._do("vacuum")

    def _do(self, command: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(str(self.path), timeout=_PATIENCE, isolation_level=None)) as file:
            file.execute("pragma synchronous = off")  # a killed process loses nothing by it
            return file.execute(command, values).fetchall()
