"""The texts that methods and tools extract from pages, and a cache of them."""

import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from dehusk.base import fields
from dehusk.base.errors import OutputError
from dehusk.base.sqlite import SqliteFile, SqliteFormat
from dehusk.bench.evaluation.datasets import FOLDS, brand, fold_of_brand, page_brand
from dehusk.bench.evaluation.layouts._gold import GoldGroup, GoldPage
from dehusk.bench.evaluation.measures import SCORED, weights_file, weights_without
from dehusk.bench.evaluation.tools import EXTRACTORS, SITE_TOOLS, Tool, installed, muted, text_of, timed
from dehusk.core import SAMPLE, Learning
from dehusk.methods import DEFAULT, METHODS, Method, typed_method
from dehusk.page import Page
from dehusk.page.elements import plain_text
from dehusk.templates.template import Template

RESULTS = SqliteFormat(
    "a cache of dehusk bench",
    0x62656E63,  # "benc"
    "CREATE TABLE results (key TEXT PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL)",
    advice="choose another with --cache FILE, or delete it",
    error=OutputError,
)


class Cache:
    """A file of cached results; without a path nothing is cached."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._file = None if path is None else SqliteFile(path, RESULTS)
        if self._file is not None:
            try:
                self._do("SELECT count(*) FROM results")
            except OutputError as error:
                if type(error.__cause__) is not sqlite3.DatabaseError:
                    raise
                self._file.path.unlink()  # not a database, or damaged: results are computed again

    def of(self, make: Callable[[], Any], *parts: object) -> Any:
        """The cached JSON result for a key made of `parts`; calls `make` and stores its result if there is none."""
        if self._file is None:
            return make()
        key = hashlib.blake2b(json.dumps(parts, default=str).encode(), digest_size=16).hexdigest()
        with suppress(OutputError):  # a result that cannot be read is computed again
            rows = self._do("SELECT value FROM results WHERE key = ?", key)
            if rows:
                self._do("UPDATE results SET used = ? WHERE key = ?", time.time_ns(), key)
                return fields.parsed(zlib.decompress(rows[0][0]))
        made = make()
        packed = zlib.compress(json.dumps(made).encode(), 1)
        with suppress(OutputError):  # not cached if the disk is full
            self._do("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", key, packed, time.time_ns())
        return made

    def trim(self, limit: int) -> None:
        """Deletes the least recently used results until the rest is within the limit in bytes."""
        if self._file is not None:
            with suppress(OutputError):  # the disk may be full or the file damaged: trim it in a later run
                self._trim(limit)

    def _trim(self, limit: int) -> None:
        rows = self._do("SELECT key, length(value) FROM results ORDER BY used DESC")
        kept, dropped = 0, []
        for key, size in rows:
            kept += size
            if kept > limit:
                dropped.append(key)
        for key in dropped:
            self._do("DELETE FROM results WHERE key = ?", key)
        if dropped:
            self._do("VACUUM")

    def clear(self) -> None:
        """Deletes all results."""
        if self._file is not None:
            self._do("DELETE FROM results")
            self._do("VACUUM")

    def _do(self, command: str, *values: object) -> list[Any]:
        assert self._file is not None  # noqa: S101  # callers check it
        with closing(self._file.open("synchronous = OFF")) as db, self._file.explained():  # safe if killed
            return db.execute(command, values).fetchall()


NODES = f"{DEFAULT}:grain=nodes"
"""The default at the grain for mining: removes all repeated nodes, even labels inside content."""

ORIGINAL = "original"
"""A cleaner that removes nothing: the whole text of a page."""

ABOVE = frozenset({"bench", "cli", "server"})
"""Packages that do not affect cleaning: cached texts stay valid when these change."""

OUTSIDE = frozenset(
    {"cli", "server", "bench/_results.py", "bench/_drawing.py", "bench/bench_report.py", "bench/report.html"}
)
"""Packages and files that do not affect measuring: they only show results."""


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """The settings of a measuring process."""

    cache: Path | None = None
    weights: Path | None = None
    """A folder with cross-validation weights of the default, each trained without one fold of the brands."""
    assignment: int = 0
    """The assignment of brands to folds whose weights are used."""
    methods: tuple[str, ...] = ()
    """More methods with options to measure, for example style-tree:threshold=0.5."""


class Texts(NamedTuple):
    """The text of each page by a cleaner (None if it failed), and the seconds to learn and to clean each page.

    For methods, `nodes` are the template nodes of the first pages that have gold for nodes.
    """

    texts: list[str | None]
    learning: float
    cleaning: list[float]
    nodes: list[frozenset[int] | None]


def names(settings: BenchSettings) -> list[str]:
    """All cleaners: the methods, the default first, and the installed tools."""
    return [*METHODS, *settings.methods, *SITE_TOOLS, *installed(EXTRACTORS)]


def missing_tools() -> dict[str, str]:
    """The tools that are not installed, with their packages."""
    here = installed(EXTRACTORS)
    return {name: package for name, (package, _) in EXTRACTORS.items() if name not in here}


def methods(settings: BenchSettings) -> list[str]:
    """All methods, with the default at both grains."""
    return list(dict.fromkeys([DEFAULT, NODES, *METHODS, *settings.methods]))


def method_of(cleaner: str) -> Method | None:
    """The method of a cleaner; None if it is another tool."""
    return METHODS.get(cleaner.partition(":")[0])


def texts(
    settings: BenchSettings, group: GoldGroup, cleaner: str, pages: Sequence[GoldPage], *, sample: int | None = SAMPLE
) -> Texts:
    """Extracts the texts of some pages of a group. Methods learn from its pages, at most `sample` of a family."""
    store = Cache(settings.cache)
    if cleaner == ORIGINAL:
        return Texts([whole_text(page.html) for page in pages], 0.0, [0.0] * len(pages), [None] * len(pages))
    if method_of(cleaner):
        return _by_method(settings, store, group, cleaner, pages, sample)
    if cleaner in SITE_TOOLS:
        return _by_rule(cleaner, group, pages)
    tool = installed({cleaner: EXTRACTORS[cleaner]})[cleaner]
    package = f"{EXTRACTORS[cleaner][0]} {installed_version(EXTRACTORS[cleaner][0])}"
    made = [
        store.of(partial(_by_tool, tool, page.html), "tool", package, _tools_version(), _digest(page.html))
        for page in pages
    ]
    return Texts([text for text, _ in made], 0.0, [seconds for _, seconds in made], [None] * len(pages))


def _by_rule(name: str, group: GoldGroup, pages: Sequence[GoldPage]) -> Texts:
    whole = [whole_text(page.html) for page in group.pages]
    cleaned, seconds = timed(partial(SITE_TOOLS[name], whole))
    text_of_page = {id(page): text for page, text in zip(group.pages, cleaned, strict=True)}
    each = seconds / len(whole)
    return Texts([text_of_page[id(page)] for page in pages], 0.0, [each] * len(pages), [None] * len(pages))


def whole_text(html: bytes) -> str:
    """The whole text of a page."""
    return plain_text(Page(html).whole)


def learned(settings: BenchSettings, group: GoldGroup, method: str, **options: Any) -> Template:
    """The template of a group."""
    return learning(settings, group, method, **options).learn(pages_of(group.pages))


def learning(settings: BenchSettings, group: GoldGroup, method: str, **more: Any) -> Learning:
    """The `Learning` for a group and a method given as on the command line; `more` are options of `dehusk.learn`."""
    chosen, (options, _) = typed_method(method, files=False)
    return Learning.of(chosen.name, **{**weights_for(settings, group, method), **options, **more})


def weights_for(settings: BenchSettings, group: GoldGroup, method: str) -> dict[str, Any]:
    """The `weights` option with weights trained without the brand of the group; {} without a weights folder."""
    if settings.weights is None or not method.startswith(DEFAULT):
        return {}
    first, name = group.pages[0], group.entry.name
    owner = page_brand(first.html, first.url) if first.url else brand(name)
    number = settings.assignment
    return {"weights": weights_without(settings.weights, fold_of_brand(owner, number), number)}


def assignments(folder: Path) -> list[int]:
    """The assignments of brands to folds that have the weights of every fold in a folder, beginning with the first."""

    def has_weights(number: int) -> bool:
        return all(weights_file(folder, number, left_out).is_file() for left_out in range(FOLDS))

    return list(takewhile(has_weights, count()))


def by_assignment(settings: BenchSettings, method: str) -> list[BenchSettings]:
    """The settings of each assignment; only the given ones without a weights folder, and for other methods."""
    if settings.weights is None or not method.startswith(DEFAULT):
        return [settings]
    return [replace(settings, assignment=number) for number in assignments(settings.weights)]


def pages_of(pages: Iterable[GoldPage]) -> list[Page]:
    """Converts to Page objects."""
    return [Page(page.html, url=page.url, name=page.name) for page in pages]


def group_key(settings: BenchSettings, group: GoldGroup, method: str) -> tuple[object, ...]:
    """The cache key of the template of a group."""
    pages = [(page.name, page.url, _digest(page.html)) for page in group.pages]
    own = "" if settings.weights is None or not method.startswith(DEFAULT) else _weights_key(settings.weights)
    return (method, own, settings.assignment, code_version(ABOVE), _digest(repr(pages).encode()))


def gold_key(pages: Iterable[GoldPage]) -> str:
    """The cache key of the gold of some pages."""
    return _digest("\n".join(repr(replace(page, html=b"")) for page in pages).encode())


def measuring_version() -> str:
    """A digest of all code that affects measuring."""
    return code_version(OUTSIDE)


@cache
def code_version(without: frozenset[str] = frozenset()) -> str:
    """A digest of the code and weights of dehusk, without some packages or files."""
    return _digest(b"".join(file.read_bytes() for file in _sources(files("dehusk"), without)))


@cache
def _tools_version() -> str:
    """A digest of how other tools are called."""
    return _digest((files("dehusk") / "bench" / "evaluation" / "tools.py").read_bytes())


def installed_version(package: str) -> str:
    """The version of a package, or "not installed"."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _sources(folder: Traversable, without: frozenset[str], name: str = "") -> Iterable[Traversable]:
    if name in without:
        return
    if folder.is_dir():
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            yield from _sources(entry, without, f"{name}/{entry.name}".lstrip("/"))
    elif folder.name.endswith((".py", ".json", ".html")):
        yield folder


def _by_method(
    settings: BenchSettings,
    store: Cache,
    group: GoldGroup,
    method: str,
    pages: Sequence[GoldPage],
    sample: int | None,
) -> Texts:
    marked = [number for number, page in enumerate(group.pages) if page.has_gold and page.selector][:SCORED]
    key = ("texts", *group_key(settings, group, method), marked, sample)
    made = store.of(partial(_cleaned, settings, group, method, marked, sample), *key)
    number_of = {id(page): number for number, page in enumerate(group.pages)}
    chosen = [number_of[id(page)] for page in pages]
    flags = {int(number): bytes.fromhex(flags) for number, flags in made["flags"].items()}
    return Texts(
        [made["texts"][number] for number in chosen],
        made["learning"],
        [made["cleaning"][number] for number in chosen],
        [frozenset(node for node, flag in enumerate(flags[n]) if flag) if n in flags else None for n in chosen],
    )


def _cleaned(
    settings: BenchSettings, group: GoldGroup, method: str, marked: Sequence[int], sample: int | None
) -> dict[str, Any]:
    template, learning = timed(partial(learned, settings, group, method, sample=sample))
    pages = pages_of(group.pages)
    cleaned = [timed(partial(_text, template, page)) for page in pages]
    return {
        "learning": learning,
        "texts": [text.result for text in cleaned],
        "cleaning": [text.seconds for text in cleaned],
        "flags": {number: template.mark(pages[number]).flags.hex() for number in marked},
    }


def _text(template: Template, page: Page) -> str:
    return template.clean(page).text


def _by_tool(tool: Tool, html: bytes) -> tuple[str | None, float]:
    try:
        with muted():
            return timed(partial(text_of, tool, html))
    except Exception:  # noqa: BLE001  # other tools may raise anything
        return None, 0.0


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@cache
def _weights_key(folder: Path) -> str:
    return _digest(b"".join(file.read_bytes() for file in sorted(folder.glob("*.json"))))
