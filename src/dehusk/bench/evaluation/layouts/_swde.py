"""SWDE (Hao et al., SIGIR 2011): records of several verticals, ten sites each.

    webpages/VERTICAL/VERTICAL-SITE(N)/0000.htm         the first tag of a page is a <base> with its URL
    groundtruth/VERTICAL/VERTICAL-SITE-FIELD.txt        two header lines, then one line a page: number, count, values

Columns are separated by tabs, and <NULL> means no value. Without a folder `webpages`, verticals are in the root.
"""

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import gold_text
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage, Missing, page_bytes, read_each, tried

_FOLDER = re.compile(r"(?P<vertical>[^-]+)-(?P<site>.+)\((?P<pages>\d+)\)")
_NONE = "<NULL>"
_HEADS = 2


def recognises(root: Path) -> bool:
    """Whether it has a `groundtruth` folder and a folder named VERTICAL-SITE(N)."""
    return (root / "groundtruth").is_dir() and any(True for _ in index(root))


def index(root: Path) -> Iterator[Entry]:
    """Lists the sites of all verticals."""
    for folder in sorted(root.glob("**/*-*(*)")):
        name = _FOLDER.fullmatch(folder.name)
        if name and folder.is_dir():
            vertical, site = name["vertical"], name["site"]
            yield Entry("swde", f"{vertical}/{site}", (root, folder), category=vertical, site=site)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads sites with the field values of their pages."""
    return read_each(entries, _pages)


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    root, folder = entry.where
    gold = _gold(root / "groundtruth" / str(entry.category), f"{entry.category}-{entry.site}-")
    for file in sorted(folder.glob("*.htm*")):
        with tried(f"{folder.name}/{file.name}", missing):
            yield GoldPage(file.name, page_bytes(file), fields=gold[file.stem])


def _gold(folder: Path, prefix: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The field values of each page of a site."""
    values_of: dict[str, dict[str, tuple[str, ...]]] = {}
    for file in sorted(folder.glob(f"{prefix}*.txt")):
        field = file.stem.removeprefix(prefix)
        for line in gold_text(file).split("\n")[_HEADS:]:
            page, *values = line.rstrip("\r").split("\t")
            present = tuple(html.unescape(value) for value in values[1:] if value and value != _NONE)
            values_of.setdefault(page, {}).update({field: present} if present else {})
    return values_of
