"""recipe-scrapers' test data: recipes of many hosts, with ingredients and instructions.

    test_data/HOST/NAME.testhtml      a page
    test_data/HOST/NAME.json          ingredients and instructions_list: lists of texts

DATA is the folder `test_data`, or one with it inside (`tests/test_data`). The folder of a host is a site.
"""

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

_FIELDS = ("ingredients", "instructions_list")
_INSIDE = ("", "test_data", "tests/test_data")
_SUFFIXES = ("", ".gz")


def recognises(root: Path) -> bool:
    """Whether a folder in it has pages with their suffix."""
    return any(True for _ in index(root))


def index(root: Path) -> Iterator[Entry]:
    """Lists the hosts with a page."""
    for inside in _INSIDE:
        for folder in sorted(path for path in (root / inside).glob("*/") if path.is_dir()):
            if any(True for suffix in _SUFFIXES for _ in folder.glob(f"*.testhtml{suffix}")):
                yield Entry("recipes", folder.name, folder)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads hosts with the ingredients and instructions of their pages."""
    return read_each(entries, _pages)


def _pages(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    for file in sorted(path for suffix in _SUFFIXES for path in entry.where.glob(f"*.testhtml{suffix}")):
        name = file.name.removesuffix(".gz").removesuffix(".testhtml")
        with tried(f"{entry.name}/{name}", missing):
            gold = an_object(parsed((file.parent / f"{name}.json").read_text("utf-8-sig")))
            fields = {field: values for field in _FIELDS if (values := _texts(gold.get(field)))}
            if not fields:
                raise ValueError(NO_GOLD)
            yield GoldPage(name, page_bytes(file), fields=fields)


def _texts(values: Any) -> tuple[str, ...]:
    """The texts of a list, as they are on the page: without white space around."""
    if values is not None and not isinstance(values, list):
        raise ValueError("a field is not a list of texts")
    return tuple(value.strip() for value in values or () if isinstance(value, str) and value.strip())
