"""DAnIEL (Lejeune et al. 2012): news in several languages.

    html/DATE_HOST_ID      reference/DATE_HOST_ID, with or without .txt

Each language may have a folder with these two in it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import gold_text
from dehusk.bench.evaluation.layouts._gold import (
    Entry,
    GoldGroup,
    GoldPage,
    Missing,
    page_bytes,
    parts_with,
    read_each,
    tried,
)

_FILE_NAME = re.compile(r"(?P<date>[^_]+)_(?P<host>.+)_(?P<id>[^_]+)")
_GOLD_MARK = re.compile(r"(?i)</?(?:p|h\d?|title|doc|text)\b[^>]*>")


def recognises(root: Path) -> bool:
    """Whether its two folders exist."""
    return any(True for _ in parts_with(root, "reference"))


def index(root: Path) -> Iterator[Entry]:
    """Lists the hosts of each language."""
    for part in parts_with(root, "reference"):
        language = None if part == root else part.name
        hosts = defaultdict(list)
        for file in sorted(path for path in (part / "html").iterdir() if path.is_file()):
            name = _FILE_NAME.fullmatch(file.name.removesuffix(".html"))
            hosts[name["host"] if name else file.name].append(file)
        for host, files in hosts.items():
            site = f"{language}/{host}" if language else host
            yield Entry("daniel", site, (part, tuple(files)), language=language)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads hosts with the texts of their articles."""
    return read_each(entries, _pages)


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    part, files = entry.where
    for file in files:
        with tried(f"html/{file.name}", missing):
            gold = part / "reference" / file.name
            named = gold if gold.exists() else gold.with_name(f"{file.name.removesuffix('.html')}.txt")
            yield GoldPage(file.name, page_bytes(file), text=_GOLD_MARK.sub("\n", gold_text(named)).strip())
