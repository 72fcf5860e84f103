"""CleanEval (2007) and CleanPortalEval (2011): pages in a <text> element, gold in paragraphs.

    orig/1.html       clean/1.txt or clean/1-cleaned.txt      CleanEval; also named en_original and en_cleaned
    input/1.html      GoldStandard/1.txt                      CleanPortalEval, and the final set of CleanEval

The first line of gold may be `URL: ADDRESS`. Pages of one host are cleaned together, as intended by CleanPortalEval.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import gold_text
from dehusk.bench.evaluation.layouts._gold import (
    Entry,
    GoldGroup,
    GoldPage,
    Missing,
    by_host,
    page_bytes,
    read_each,
    tried,
)

_FOLDERS = (("input", "GoldStandard"), ("orig", "clean"), ("en_original", "en_cleaned"))
_WRAPPER = re.compile(rb"(?i)^\s*<text\b[^>]*>\s*|\s*</text>\s*$")
_URL = re.compile(r"(?i)\A\s*URL:\s*(\S+)[^\n]*\n?")
_GOLD_MARK = re.compile(r"(?i)<[phl]\d?>")


def recognises(root: Path) -> bool:
    """Whether its two folders exist."""
    return _folders(root) is not None


def index(root: Path) -> Iterator[Entry]:
    """Lists the hosts, and each page without a known URL by itself."""
    folders = _folders(root)
    if folders is None:
        return
    pages, gold = folders
    dataset = "cleanportaleval" if "portal" in root.name.lower() else "cleaneval"
    files = {file.stem: file for file in sorted(pages.glob("*.htm*"))}
    for host, stems in by_host((stem, _address(gold, stem)) for stem in files).items():
        yield Entry(dataset, host, (gold, tuple(files[stem] for stem in stems)), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads pages without the <text> wrapper, and gold without markup."""
    return read_each(entries, _pages)


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    gold, files = entry.where
    for file in files:
        with tried(f"{file.parent.name}/{file.name}", missing):
            text = gold_text(_gold(gold, file.stem))
            url = _URL.match(text)
            said = _GOLD_MARK.sub("\n", _URL.sub("", text)).strip()
            yield GoldPage(file.name, _WRAPPER.sub(b"", page_bytes(file)), url=url[1] if url else None, text=said)


def _folders(root: Path) -> tuple[Path, Path] | None:
    pairs = ((root / pages, root / gold) for pages, gold in _FOLDERS)
    return next(((pages, gold) for pages, gold in pairs if pages.is_dir() and gold.is_dir()), None)


def _gold(folder: Path, stem: str) -> Path:
    cleaned = folder / f"{stem}-cleaned.txt"
    return cleaned if cleaned.exists() else folder / f"{stem}.txt"


def _address(gold: Path, stem: str) -> str | None:
    file = _gold(gold, stem)
    match = _URL.match(gold_text(file)) if file.exists() else None
    return match[1] if match else None
