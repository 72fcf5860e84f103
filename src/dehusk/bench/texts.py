"""The texts of pages, whole and as each method and tool leaves them. What was cleaned before comes from the cache."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from dehusk.bench.cache import Cache
from dehusk.bench.evaluation.datasets import brand, fold_of_brand, page_brand
from dehusk.bench.evaluation.layouts._gold import GoldGroup, GoldPage
from dehusk.bench.evaluation.scoring import SCORED, weights_without
from dehusk.bench.evaluation.timing import timed
from dehusk.bench.evaluation.tools import EXTRACTORS, Tool, installed, muted, text_of
from dehusk.core import Learning
from dehusk.methods import DEFAULT, METHODS, Method, typed_method
from dehusk.page import Page
from dehusk.page.elements import plain_text
from dehusk.templates.template import Template

NODES = f"{DEFAULT}:grain=nodes"
"""The default at the grain that is meant for mining: all that repeats goes, labels inside content too."""

ORIGINAL = "original"
"""The whole text of a page, as a cleaner that removes nothing."""

ABOVE = frozenset({"bench", "cli", "viewer", "evaluation"})
"""Rooms that have no part in cleaning: a change of them leaves texts in the cache valid."""

SHOWING = ("papers.py", "plots.py", "report.html", "report.py", "results.py", "views.py")
OUTSIDE = frozenset({"cli", "viewer", *(f"bench/{name}" for name in SHOWING)})
"""Rooms that have no part in measuring either, and files that only show what was measured."""


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """What a measuring process needs to know."""

    cache: Path | None = None
    weights: Path | None = None
    """A folder with weights of the default, each trained without a part of the brands."""
    methods: tuple[str, ...] = ()
    """Methods with options to measure beside all others, such as style-tree:threshold=0.5."""


class Texts(NamedTuple):
    """What a cleaner leaves of each page; None where it failed. Seconds to learn, and to clean each page.

    Of a method, also which nodes of a page are template, on the first pages with gold for nodes.
    """

    texts: list[str | None]
    learning: float
    cleaning: list[float]
    nodes: list[frozenset[int] | None]


def names(settings: BenchSettings) -> list[str]:
    """All cleaners: the methods, the default first, and the tools that are installed."""
    return [*METHODS, *settings.methods, *installed(EXTRACTORS)]


def missing_tools() -> dict[str, str]:
    """The tools that are not installed, with their packages."""
    here = installed(EXTRACTORS)
    return {name: package for name, (package, _) in EXTRACTORS.items() if name not in here}


def methods(settings: BenchSettings) -> list[str]:
    """Our own methods, and the default at both grains."""
    return list(dict.fromkeys([DEFAULT, NODES, *METHODS, *settings.methods]))


def method_of(cleaner: str) -> Method | None:
    """The method of a cleaner; None where it is a tool of others."""
    return METHODS.get(cleaner.partition(":")[0])


def texts(settings: BenchSettings, group: GoldGroup, cleaner: str, pages: Sequence[GoldPage]) -> Texts:
    """What a cleaner leaves of some pages of a group. A method learns from all pages of it."""
    store = Cache(settings.cache)
    if cleaner == ORIGINAL:
        return Texts([whole_text(page.html) for page in pages], 0.0, [0.0] * len(pages), [None] * len(pages))
    if method_of(cleaner):
        return _by_method(settings, store, group, cleaner, pages)
    tool = installed({cleaner: EXTRACTORS[cleaner]})[cleaner]
    package = f"{EXTRACTORS[cleaner][0]} {installed_version(EXTRACTORS[cleaner][0])}"
    found = [store.of(partial(_by_tool, tool, page.html), "tool", package, _digest(page.html)) for page in pages]
    return Texts([text for text, _ in found], 0.0, [seconds for _, seconds in found], [None] * len(pages))


def whole_text(html: bytes) -> str:
    """All that a page says."""
    return plain_text(Page(html).whole)


def learned(settings: BenchSettings, group: GoldGroup, method: str, **options: Any) -> Template:
    """The template of a group."""
    return learning(settings, group, method, **options).learn(pages_of(group.pages))


def learning(settings: BenchSettings, group: GoldGroup, method: str, **more: Any) -> Learning:
    """How a method, as a person types it, learns a group; `more` is what `dehusk.learn` takes."""
    chosen, (options, _) = typed_method(method, files=False)
    return Learning.of(chosen.name, **{**weights_for(settings, group, method), **options, **more})


def weights_for(settings: BenchSettings, group: GoldGroup, method: str) -> dict[str, Any]:
    """The option with weights that never saw the brand of a group; none if there are none to choose from."""
    if settings.weights is None or not method.startswith(DEFAULT):
        return {}
    first, name = group.pages[0], group.entry.name
    owner = page_brand(first.html, first.url) if first.url else brand(name)
    return {"weights": weights_without(settings.weights, fold_of_brand(owner, 0))}


def pages_of(pages: Iterable[GoldPage]) -> list[Page]:
    """Pages as dehusk takes them."""
    return [Page(page.html, url=page.url, name=page.name) for page in pages]


def group_key(settings: BenchSettings, group: GoldGroup, method: str) -> tuple[object, ...]:
    """What the template of a group depends on."""
    pages = [(page.name, page.url, _digest(page.html)) for page in group.pages]
    own = "" if settings.weights is None or not method.startswith(DEFAULT) else _weights_key(settings.weights)
    return (method, own, code_version(ABOVE), _digest(repr(pages).encode()))


def gold_key(pages: Iterable[GoldPage]) -> str:
    """What a score depends on besides the template: all that people said about these pages."""
    return _digest("\n".join(repr(replace(page, html=b"")) for page in pages).encode())


def measuring_version() -> str:
    """A digest of all code that has a part in measuring."""
    return code_version(OUTSIDE)


@cache
def code_version(without: frozenset[str] = frozenset()) -> str:
    """A digest of the code and weights of dehusk, without some rooms or files."""
    found = hashlib.blake2b(digest_size=16)
    for file in _sources(files("dehusk"), without):
        found.update(file.read_bytes())
    return found.hexdigest()


def installed_version(package: str) -> str:
    """The version of a package, or that it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _sources(place: Traversable, without: frozenset[str], name: str = "") -> Iterable[Traversable]:
    if name in without:
        return
    if place.is_dir():
        for one in sorted(place.iterdir(), key=lambda one: one.name):
            yield from _sources(one, without, f"{name}/{one.name}".lstrip("/"))
    elif place.name.endswith((".py", ".json", ".html")):
        yield place


def _by_method(
    settings: BenchSettings, store: Cache, group: GoldGroup, method: str, pages: Sequence[GoldPage]
) -> Texts:
    marked = [number for number, page in enumerate(group.pages) if page.has_gold and page.selector][:SCORED]
    key = ("texts", *group_key(settings, group, method), marked)
    found = store.of(partial(_cleaned, settings, group, method, marked), *key)
    place = {id(page): number for number, page in enumerate(group.pages)}
    chosen = [place[id(page)] for page in pages]
    flags = {int(number): bytes.fromhex(flags) for number, flags in found["flags"].items()}
    return Texts(
        [found["texts"][number] for number in chosen],
        found["learning"],
        [found["cleaning"][number] for number in chosen],
        [frozenset(node for node, flag in enumerate(flags[n]) if flag) if n in flags else None for n in chosen],
    )


def _cleaned(settings: BenchSettings, group: GoldGroup, method: str, marked: Sequence[int]) -> dict[str, Any]:
    template, learning = timed(partial(learned, settings, group, method))
    pages = pages_of(group.pages)
    each = [timed(partial(_text, template, page)) for page in pages]
    return {
        "learning": learning,
        "texts": [one.result for one in each],
        "cleaning": [one.seconds for one in each],
        "flags": {number: template.mark(pages[number]).flags.hex() for number in marked},
    }


def _text(template: Template, page: Page) -> str:
    return template.clean(page).text


def _by_tool(tool: Tool, html: bytes) -> tuple[str | None, float]:
    try:
        with muted():
            return timed(partial(text_of, tool, html))
    except Exception:  # noqa: BLE001  # tools of others fail in their own ways
        return None, 0.0


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@cache
def _weights_key(folder: Path) -> str:
    found = hashlib.blake2b(digest_size=16)
    for file in sorted(folder.glob("*.json")):
        found.update(file.read_bytes())
    return found.hexdigest()
