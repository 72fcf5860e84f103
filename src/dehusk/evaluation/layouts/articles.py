"""The article-extraction benchmark (Zyte 2020): single pages of news and blogs.

ground-truth.json: by the id of a page its articleBody and url      html/ID.html.gz
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.errors import Skipped
from dehusk.evaluation.layouts.gold import Entry, GoldPage, Group, Missing, page_bytes, read_each, tried

DATASET = "articles"
"""The set that is scored by its own measure as well."""


def recognises(root: Path) -> bool:
    """Whether its gold and its pages are there."""
    return (root / "ground-truth.json").is_file() and (root / "html").is_dir()


def index(root: Path) -> Iterator[Entry]:
    """The pages that have gold."""
    for name, gold in sorted(json.loads((root / "ground-truth.json").read_text("utf-8")).items()):
        yield Entry(DATASET, name, (root / "html" / f"{name}.html.gz", gold), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[Group | Skipped]:
    """Pages with the text of the article."""
    return read_each(entries, _page)


def _page(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    file, gold = entry.where
    with tried(entry.name, missing):
        yield GoldPage(entry.name, page_bytes(file), url=gold.get("url"), text=gold["articleBody"])
