"""trafilatura's own evaluation: single pages, with segments of text that belong to the content and others that do not.

    evaldata.json      an object of address to {"file": NAME, "with": [segment, ...], "without": [segment, ...]}
    cache/NAME         the pages; some are in eval/NAME

Pages of one host are cleaned together. Segments are counted over all pages: see `segment_counts`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dehusk.base.errors import Skipped, SourceError
from dehusk.base.fields import parsed
from dehusk.bench.evaluation.layouts._gold import (
    NO_GOLD,
    Entry,
    GoldGroup,
    GoldPage,
    Missing,
    an_object,
    by_host,
    page_bytes,
    read_each,
    tried,
)

DATASET = "segments"
_GOLD = "evaldata.json"
_FOLDERS = ("cache", "eval")


def recognises(root: Path) -> bool:
    """Whether its gold file exists."""
    return (root / _GOLD).is_file()


def index(root: Path) -> Iterator[Entry]:
    """Lists the hosts."""
    gold = _gold(root / _GOLD)
    for host, addresses in by_host((address, address) for address in gold).items():
        yield Entry(DATASET, host, (root, {address: gold[address] for address in addresses}), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads pages with their segments."""
    return read_each(entries, _pages)


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    root, gold = entry.where
    for address, said in gold.items():
        with tried(address, missing):
            must, must_not = (_segments(an_object(said), key) for key in ("with", "without"))
            if not must and not must_not:
                raise ValueError(NO_GOLD)
            html = page_bytes(_file(root, said.get("file")))
            yield GoldPage(address, html, url=address, must=must, must_not=must_not)


def _segments(said: dict[str, Any], key: str) -> tuple[str, ...]:
    """The segments under a key. A string where a list belongs would be taken letter by letter."""
    segments = said.get(key) or []
    if not isinstance(segments, list) or not all(isinstance(segment, str) for segment in segments):
        raise ValueError(f"{key} is not a list of texts")
    return tuple(segment for segment in segments if segment.strip())


def _file(root: Path, name: Any) -> Path:
    """The file of a page: in the first folder that has it, packed or not."""
    if not isinstance(name, str) or not name or Path(name).name != name:
        raise ValueError(f"{'no name' if name is None else f'{name!r} is not the name'} of a file")
    places = [root / folder / f"{name}{suffix}" for folder in _FOLDERS for suffix in ("", ".gz")]
    return next((place for place in places if place.is_file()), places[0])


def _gold(file: Path) -> dict[str, Any]:
    try:
        gold = parsed(file.read_text("utf-8-sig"))
    except FileNotFoundError as error:
        raise SourceError(f"{file}: no gold file; see docs/bench.md for layouts") from error
    except ValueError as error:
        raise SourceError(f"{file}: damaged: {error}; get it again") from error
    if not isinstance(gold, dict):
        raise SourceError(f"{file}: not an object with gold by address; see docs/bench.md for layouts")
    return gold
