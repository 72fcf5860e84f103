"""WCXB (Foley 2026): pages of seven kinds.

    html/0001.html.gz      ground-truth/0001.json: url, page type, main_content, with, without, title, author, date

The folder may also contain `dev` and `test`, each with these two folders. Pages of one host are cleaned together.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dehusk.base import fields
from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.layouts._gold import (
    Entry,
    GoldGroup,
    GoldPage,
    Missing,
    by_host,
    page_bytes,
    parts_with,
    read_each,
    tried,
)


def recognises(root: Path) -> bool:
    """Whether its two folders exist."""
    return any(True for _ in parts_with(root, "ground-truth"))


def index(root: Path) -> Iterator[Entry]:
    """Lists the hosts."""
    for part in parts_with(root, "ground-truth"):
        names = ((file.stem, _address(file)) for file in sorted((part / "ground-truth").glob("*.json")))
        for host, stems in by_host(names).items():
            yield Entry("wcxb" if part == root else f"wcxb-{part.name}", host, (part, tuple(stems)), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads pages with all their gold."""
    return read_each(entries, _pages)


def _address(file: Path) -> str | None:
    try:
        url = fields.parsed(file.read_text("utf-8")).get("url")
    except (OSError, ValueError, AttributeError):  # reported when the page is read
        return None
    return url if isinstance(url, str) else None


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    part, stems = entry.where
    for stem in stems:
        with tried(f"{part.name}/{stem}", missing):
            said = fields.parsed((part / "ground-truth" / f"{stem}.json").read_text("utf-8"))
            packed = part / "html" / f"{stem}.html.gz"
            yield _page(stem, page_bytes(packed if packed.exists() else packed.with_suffix("")), said)


def _page(stem: str, html: bytes, said: dict[str, Any]) -> GoldPage:
    gold = said.get("ground_truth", said)
    return GoldPage(
        stem,
        html,
        url=said.get("url"),
        text=gold["main_content"],
        kind=_kind(said),
        title=gold.get("title"),
        author=gold.get("author"),
        date=gold.get("publish_date") or gold.get("date"),
        must=tuple(gold.get("with") or ()),
        must_not=tuple(gold.get("without") or ()),
    )


def _kind(said: dict[str, Any]) -> str | None:
    kind = said.get("page_type") or said.get("_internal", {}).get("page_type")
    return kind.get("primary") if isinstance(kind, dict) else kind
