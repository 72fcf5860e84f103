"""The article-extraction benchmark (Zyte 2020): single pages of news and blogs.

ground-truth.json: by the id of a page its articleBody and url      html/ID.html.gz
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dehusk.base.errors import Skipped, SourceError
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage, Missing, page_bytes, read_each, tried

DATASET = "articles"
"""The set that is scored by its own measure as well."""


def recognises(root: Path) -> bool:
    """Whether its gold and its pages are there."""
    return (root / "ground-truth.json").is_file() and (root / "html").is_dir()


def index(root: Path) -> Iterator[Entry]:
    """The pages that have gold."""
    for name, gold in sorted(_gold(root / "ground-truth.json").items()):
        yield Entry(DATASET, name, (root / "html" / f"{name}.html.gz", gold), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Pages with the text of the article."""
    return read_each(entries, _page)


def _page(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    file, gold = entry.where
    with tried(entry.name, missing):
        yield GoldPage(entry.name, page_bytes(file), url=gold.get("url"), text=gold["articleBody"])


def _gold(file: Path) -> dict[str, Any]:
    """All gold is in one file: without it there is nothing to go on with."""
    try:
        gold = json.loads(file.read_text("utf-8"))
    except FileNotFoundError as error:
        raise SourceError(f"{file}: no gold file; see docs/bench.md for layouts") from error
    except ValueError as error:
        raise SourceError(f"{file}: damaged: {error}; get it again") from error
    if not isinstance(gold, dict):
        raise SourceError(f"{file}: no gold by the ids of pages; see docs/bench.md for layouts")
    return gold
