"""Pages as records of tables, one JSON object on each line: what `dehusk table` makes its files from."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dehusk.outputs.target import Stream, Target
from dehusk.templates.cleaned import Cleaned

ITEMS = "items"
"""The format whose records are the items of a page: posts, results, offers."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Turns a page into a line. A page that fits no table is a line without rows, so that it is counted."""

    items: bool = False
    """Whether each item of a page is a row, instead of the page."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """Returns the line."""
        line = json.dumps(self.made(cleaned, site), ensure_ascii=False) + "\n"
        return line.encode("utf-8", "backslashreplace")

    def made(self, cleaned: Cleaned, site: str) -> dict[str, Any]:
        """Returns the page with the names of its site and table, its rows, and its own values beside items."""
        record = cleaned.record
        own = {} if record is None else record.values
        line = {"page": cleaned.page.name, "url": cleaned.url, "site": site}
        if self.items:
            return line | {"family": cleaned.family, "rows": cleaned.items, "own": own}
        return line | {"family": record and record.name, "rows": [own] if record else []}


@contextmanager
def opened(form: str, target: Target) -> Iterator[Stream]:
    """Opens a file of lines."""
    with target.open(target.written) as file:
        yield Stream(file, RecordLine(items=form == ITEMS))
