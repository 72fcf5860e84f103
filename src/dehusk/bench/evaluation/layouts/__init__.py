"""The table of data set layouts: public data sets are read as published.

A layout is a module with three functions. `recognises(root)` tells whether a folder has this layout. `index(root)`
lists its entries without reading pages. `read(root, entries)` yields the groups of some entries, one in memory at a
time, and a `Skipped` for each page that cannot be used. To add a layout, write such a module and add a line here.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from dehusk.base.errors import Skipped, SourceError, UsageError, did_you_mean
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup

LAYOUTS = {
    "swde": "SWDE: folders VERTICAL-SITE(N) of pages, a groundtruth file for each field",
    "expanded-swde": "expanded SWDE: a gold file VERTICAL-SITE(N).json beside or apart from each folder of pages",
    "segments": "trafilatura's evaluation: evaldata.json, and pages in cache/ or eval/",
    "recipes": "recipe-scrapers: test_data/HOST/NAME.testhtml and NAME.json",
    "wcxb": "WCXB: html/*.html.gz and ground-truth/*.json",
    "articles": "the article-extraction benchmark: ground-truth.json and html/*.html.gz",
    "l3s": "L3S-GN1: original/*.html and annotated/*.html with x-nc-sel spans",
    "cleaneval": "CleanEval and CleanPortalEval: <text> pages and <p> gold",
    "dragnet": "Dragnet: HTML/*.html and Corrected/*.html.corrected.txt",
    "daniel": "DAnIEL: html/DATE_HOST_ID and reference/DATE_HOST_ID",
    "folders": "docs/, manuals/, news/, products/ and pages/, as dehusk.bench.evaluation.datasets describes them",
    "teco": "TECO: folders of one site each, with a key page that has TECO_notTemplate classes",
}
"""The layouts, in the order in which they are tried on a folder."""


@dataclass(frozen=True, slots=True)
class Data:
    """A data set on disk."""

    root: Path
    layout: str
    entries: tuple[Entry, ...]
    _read: Callable[[Path, Iterable[Entry]], Iterator[GoldGroup | Skipped]]

    def read(self, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
        """Reads the groups of some entries; yields a `Skipped` for each page that cannot be used."""
        return self._read(self.root, entries)


def open_data(root: Path, *, layout: str | None = None, selector: str | None = None) -> Data:
    """Opens the data set in a folder. With `selector`, it is a folder of pages with that selector of the content."""
    if not root.is_dir():
        raise SourceError(f"{root}: no such folder; give the folder of a data set")
    if selector is not None:
        from dehusk.bench.evaluation.layouts import _selected as selected

        entries = tuple(selected.index(root, selector))
        return _checked(Data(root, "selector", entries, selected.read))
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(
            f"unknown layout {layout!r}: choose one of {', '.join(LAYOUTS)}{did_you_mean(layout, LAYOUTS)}"
        )
    for name in LAYOUTS if layout is None else (layout,):
        module = import_module(f"dehusk.bench.evaluation.layouts._{name.replace('-', '_')}")
        if layout is not None or module.recognises(root):
            return _checked(Data(root, name, tuple(module.index(root)), module.read))
    raise SourceError(f"{root}: unknown layout of a data set; see docs/bench.md for layouts, or give --selector")


def _checked(data: Data) -> Data:
    if not data.entries:
        raise SourceError(f"{data.root}: no site or page in the layout {data.layout}")
    return data
