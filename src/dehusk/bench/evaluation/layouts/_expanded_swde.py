"""Expanded SWDE (Lockard et al., NAACL 2019): all facts on pages of SWDE, by the label beside them.

    VERTICAL/VERTICAL-SITE(N).json        an object of page file to an object of label to values
    VERTICAL/VERTICAL-SITE(N)/0000.htm    the pages, as in SWDE; also in webpages/VERTICAL/

A file of gold may be packed, and pages may be in a folder `webpages` beside the verticals.
"""

import gzip
import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dehusk.base.errors import Skipped
from dehusk.base.fields import parsed
from dehusk.bench.evaluation.layouts._gold import (
    NO_GOLD,
    Entry,
    GoldGroup,
    GoldPage,
    Missing,
    an_object,
    page_bytes,
    read_each,
    tried,
)

_NAME = re.compile(r"(?P<folder>(?P<vertical>[^-]+)-(?P<site>.+)\(\d+\))\.json(?:\.gz)?")


def recognises(root: Path) -> bool:
    """Whether a vertical has a gold file of a site."""
    return any(True for _ in index(root))


def index(root: Path) -> Iterator[Entry]:
    """Lists the sites with gold."""
    for file in sorted(root.glob("*/*.json*")):
        if name := _NAME.fullmatch(file.name):
            places = (root, file, name["folder"], name["vertical"])
            site = name["site"]
            yield Entry("expanded-swde", f"{name['vertical']}/{site}", places, category=name["vertical"], site=site)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads sites with the labelled values of their pages."""
    return read_each(entries, _pages)


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    root, file, name, vertical = entry.where
    data = file.read_bytes()
    gold = an_object(parsed((gzip.decompress(data) if file.suffix == ".gz" else data).decode("utf-8-sig")))
    beside, apart = file.parent / name, root / "webpages" / vertical / name
    folder = beside if beside.is_dir() else apart
    if not folder.is_dir():
        raise ValueError(f"no folder {name} of pages")
    for page in sorted(folder.glob("*.htm*")):
        with tried(f"{name}/{page.name}", missing):
            yield GoldPage(page.name, page_bytes(page), fields=_fields(an_object(gold[page.name.removesuffix(".gz")])))


def _fields(labels: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """The values by label; a label may have a single text instead of a list."""
    fields = {}
    for label, values in labels.items():
        texts = [values] if isinstance(values, str) else list(values)
        present = tuple(html.unescape(text).strip() for text in texts if isinstance(text, str) and text.strip())
        if present:
            fields[label] = present
    if not fields:
        raise ValueError(NO_GOLD)
    return fields
