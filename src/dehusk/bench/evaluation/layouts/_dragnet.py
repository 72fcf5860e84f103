"""Dragnet (Peters and Lecocq, WWW 2013): single pages of blogs and news.

    HTML/PAGE.html      Corrected/PAGE.html.corrected.txt

In the gold, a line of !@#$%^&*() precedes the comments, which are not part of the article.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import gold_text
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage, Missing, page_bytes, read_each, tried

COMMENTS = "!@#$%^&*()"


def recognises(root: Path) -> bool:
    """Whether its two folders exist."""
    return (root / "HTML").is_dir() and _gold(root).is_dir()


def index(root: Path) -> Iterator[Entry]:
    """Lists the pages."""
    for file in sorted((root / "HTML").glob("*.html")):
        yield Entry("dragnet", file.stem, (file, _gold(root) / f"{file.name}.corrected.txt"), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads pages with the text of the article."""
    return read_each(entries, _page)


def _page(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    file, gold = entry.where
    with tried(file.name, missing):
        yield GoldPage(file.name, page_bytes(file), text=gold_text(gold).partition(COMMENTS)[0].strip())


def _gold(root: Path) -> Path:
    """The folder of the gold, beside the pages or nested."""
    nested = root / "corrected" / "Corrected"
    return nested if nested.is_dir() else root / "Corrected"
