"""The article-extraction benchmark (Zyte 2020): single pages of news and blogs.

html/ID.html.gz      ground-truth.json: articleBody and url of each page, by ID
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dehusk.base import fields
from dehusk.base.errors import Skipped, SourceError
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage, Missing, page_bytes, read_each, tried

DATASET = "articles"
"""The name of the set, which is also scored by its own measure."""


def recognises(root: Path) -> bool:
    """Whether its gold file and its folder of pages exist."""
    return (root / "ground-truth.json").is_file() and (root / "html").is_dir()


def index(root: Path) -> Iterator[Entry]:
    """Lists the pages with gold."""
    for name, gold in sorted(_gold(root / "ground-truth.json").items()):
        yield Entry(DATASET, name, (root / "html" / f"{name}.html.gz", gold), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads pages with the text of the article."""
    return read_each(entries, _page)


def _page(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    file, gold = entry.where
    with tried(entry.name, missing):
        yield GoldPage(entry.name, page_bytes(file), url=gold.get("url"), text=gold["articleBody"])


def _gold(file: Path) -> dict[str, Any]:
    """The gold of all pages; raises SourceError if the file is missing or damaged."""
    try:
        gold = fields.parsed(file.read_text("utf-8"))
    except FileNotFoundError as error:
        raise SourceError(f"{file}: no gold file; see docs/bench.md for layouts") from error
    except ValueError as error:
        raise SourceError(f"{file}: damaged: {error}; get it again") from error
    if not isinstance(gold, dict):
        raise SourceError(f"{file}: not an object with gold by page id; see docs/bench.md for layouts")
    return gold
