"""Training data from sites and single pages: a row of features for each region, and how much of it is content.

Computing all rows takes some minutes. A cache folder keeps them for each state of the data and the code.
"""

import hashlib
import pickle
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, TypeVar

import numpy as np  # type: ignore[import-not-found,unused-ignore]
from gold import Labels, by_stream, by_values, labelled

import dehusk
from dehusk.base.files import written_whole_bytes
from dehusk.bench.evaluation.datasets import (
    NEVER_TRAINED_ON,
    SELECTED,
    SinglePage,
    Site,
    brand,
    page_brand,
    single_pages,
    sites,
)
from dehusk.bench.evaluation.measures import SCORED, Score, as_run, is_scorable, words
from dehusk.core import SAMPLE
from dehusk.methods.evidence.features import FEATURES, Figures, measured
from dehusk.methods.evidence.regions import Regions
from dehusk.page import Page
from dehusk.templates.copies import originals
from dehusk.templates.families import families_of
from dehusk.templates.sampling import sample_of
from dehusk.templates.site_names import site_of

Matrix = Any
"""A numpy array."""

SIZES = (8, 4, 1)
"""Each site is used as a whole and in samples of these sizes, so that the model also works with few pages."""

ALONE = 0.5
"""The weight of a single page if its host has several pages; the rest is for the pages of the host together."""

MEASURED_BY = (
    "bench/evaluation/datasets.py",
    "bench/evaluation/measures.py",
    "kernels/columns.py",
    "kernels/surroundings.py",
    "kernels/recurring.py",
    "kernels/places.py",
    "kernels/scanning.py",
    "kernels/walking.py",
    "core.py",
    "methods/_labels.py",
    "methods/_style_nodes.py",
    "methods/evidence/second_look.py",
    "methods/evidence/features.py",
    "methods/evidence/regions.py",
    "methods/evidence/_page_view.py",
    "page/_decoding.py",
    "page/dom.py",
    "page/elements.py",
    "page/_page.py",
    "templates/copies.py",
    "templates/families.py",
    "base/tree.py",
)
"""The modules that the rows depend on."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Held:
    """The gold of a page by region, identified by the number of its row.

    `words`: how many words of each region are content (for records none is known), and how many it has. `fields` (for
    records): for each field value the regions that contain it.
    """

    words: dict[int, tuple[int, int]]
    fields: list[list[int]]

    def score(self, kept: Sequence[bool]) -> float:
        """F1 of the words if these regions are kept; for records, the share of fields kept."""
        if self.fields:
            return fmean(any(kept[row] for row in rows) for rows in self.fields)
        gold = sum(content for content, _ in self.words.values())
        right = sum(content for row, (content, _) in self.words.items() if kept[row])
        size = sum(size for row, (_, size) in self.words.items() if kept[row])
        return Score.of(right, size, gold).f1 if size + gold else 1.0

    def share(self, kept: Sequence[bool]) -> float:
        """The share of the words that are kept."""
        return sum(size for row, (_, size) in self.words.items() if kept[row]) / (
            sum(s for _, s in self.words.values()) or 1
        )


@dataclass(frozen=True, slots=True)
class Known:
    """A page with its gold, the labels of its texts, and its kind if known."""

    page: Page
    gold: str | Sequence[str]
    labels: Labels
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The source of rows: the set, the name of the site or URL of the page, and its brand."""

    dataset: str
    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows of some pages of a site, one for each region with text, with the weights of its content and template.

    `whole` tells whether these are the pages that the site is learned from. `part` is their weight among all samples of
    the site. `kind` is the kind of page, if known and the same for all pages. `pages` is the gold of the first pages by
    region; only a whole site has it.
    """

    source: Source
    whole: bool
    part: float
    kind: str | None
    regions: Regions
    site: "array[float]"
    numbers: "array[int]"
    rows: Matrix
    content: Matrix
    template: Matrix
    pages: list[Held]

    @property
    def figures(self) -> Figures:
        """The rows in the form that the method uses."""
        own = self.rows[:, len(self.site) :]
        return Figures(self.site, self.numbers, array("d", own.astype(np.float64).tobytes()))

    @property
    def may_train(self) -> bool:
        """Whether it may be used for training."""
        return self.source.owner not in NEVER_TRAINED_ON


def all_examples(data: Path, cache: Path | None = None) -> list[Examples]:
    """The rows of all data: sites, then single pages."""
    found: list[Examples] = []
    for name, files, make in datasets(data):
        found += remembered(cache, name, digest([*code(), *map(state, files)]), make)
    return found


def datasets(data: Path) -> Iterator[tuple[str, list[Path], Callable[[], list[Examples]]]]:
    """Each set: its name, its files, and a function that makes its rows."""
    news = {folder.name.partition("-")[0] for folder in data.glob("news/*")}
    patterns = {
        **{kind: f"{kind}/*" for kind in SELECTED},
        **{f"news-{name}": f"news/{name}-*" for name in sorted(news)},
        "products": "products/*/*",
    }
    for kind, pattern in patterns.items():
        files = sorted(file for folder in data.glob(pattern) for file in folder.rglob("*") if file.is_file())
        if files:
            yield kind, files, partial(of_sites, data, kind)
    for file in sorted(data.glob("pages/*.jsonl.gz")):
        name = file.name.removesuffix(".jsonl.gz")
        yield f"pages-{name}", [file], partial(of_single_pages, data, name)


def of_sites(data: Path, kind: str) -> list[Examples]:
    """The rows of the sites of a set."""
    return [one for site in sites(data, kind) for one in of_site(site)]


def of_single_pages(data: Path, name: str) -> list[Examples]:
    """The rows of the single pages of a set: each page by itself, and those of a host also together."""
    hosts: dict[str, list[SinglePage]] = defaultdict(list)
    for page in single_pages(data, name):
        hosts[site_of(Page("", url=page.url))].append(page)
    return [one for pages in hosts.values() for one in of_pages(pages)]


def of_site(site: Site) -> Iterator[Examples]:
    """The rows of a site: of as many pages as learning uses, and of some smaller samples."""
    known = {page.digest: Known(page, site.gold[Path(page.name)], labels) for page, labels in labelled(site)}
    order = [
        page.digest for page in originals(sample_of((one.page for one in known.values()), None, memory=None).pages)
    ]
    random = Random(site.name)  # reproducible
    chosen = [order[:SAMPLE], *(sorted(random.sample(order, size)) for size in SIZES if size < len(order))]
    source = Source(site.kind, site.name, brand(site.name))
    for digests in chosen:
        whole = digests is chosen[0]
        yield measured_of(source, [known[one] for one in digests], 1 / len(chosen), whole=whole)


def of_pages(pages: Sequence[SinglePage]) -> Iterator[Examples]:
    """The rows of the pages of a host."""
    known: dict[str, tuple[Source, Known]] = {}
    parsed = [Page(one.html, url=one.url, name=one.url) for one in pages]
    for one, page, labels in zip(pages, parsed, labels_of_pages(pages, parsed), strict=True):
        source = Source(f"pages-{one.dataset}", one.url, page_brand(one.html, one.url))
        known[page.digest] = source, Known(page, one.gold, labels, one.kind)
    order = originals(sample_of((one.page for _, one in known.values()), None, memory=None).pages)
    for source, one_page in known.values():
        alone = len(order) == 1
        yield measured_of(source, [one_page], 1.0 if alone else ALONE, whole=alone)
    for family in families_of(order, mixed=True) if len(order) > 1 else ():
        chosen = [known[page.digest] for page in family[:SAMPLE]]
        part = (1 - ALONE) * len(chosen)
        yield measured_of(chosen[0][0], [one_page for _, one_page in chosen], part, whole=True)


def labels_of_pages(pages: Sequence[SinglePage], parsed: Sequence[Page]) -> list[Labels]:
    """The labels of the pages of a host: from the text of their content or, if that is unknown, from field values."""
    if pages[0].text is None:
        return by_values(parsed, [one.gold for one in pages])
    return [
        by_stream(page.tree, one.text or "") if words(one.text or "") else {}
        for one, page in zip(pages, parsed, strict=True)
    ]


def measured_of(source: Source, chosen: Sequence[Known], part: float, *, whole: bool) -> Examples:
    """The rows of some pages. All weights sum to `part`, in equal shares for each page with labels."""
    regions = Regions([one.page for one in chosen])
    found = measured(regions)
    number = {region: row for row, region in enumerate(found.regions)}
    content, template = np.zeros(len(number)), np.zeros(len(number))
    with_gold = sum(bool(one.labels) for one in chosen) or 1
    for one, leaves in zip(chosen, regions.leaves, strict=True):
        for leaf in leaves:
            if leaf.node in one.labels:
                label, share = one.labels[leaf.node]
                (content if label else template)[number[leaf.region]] += share / with_gold * part
    kinds = {one.kind for one in chosen}
    own = np.array(found.rows, np.float32).reshape(len(number), len(FEATURES))
    rows = np.hstack([np.tile(np.array(found.site, np.float32), (len(own), 1)), own])
    pages = holdings(regions, chosen, number) if whole else []
    kind = kinds.pop() if len(kinds) == 1 else None
    regions.forget()
    return Examples(source, whole, part, kind, regions, found.site, found.regions, rows, content, template, pages)


def holdings(regions: Regions, chosen: Sequence[Known], number: dict[int, int]) -> list[Held]:
    """The gold by region of the first pages with gold."""
    found = []
    for leaves, one in zip(regions.leaves, chosen, strict=True):
        if isinstance(one.gold, str):
            if is_scorable(one.gold):
                held: dict[int, tuple[int, int]] = {}
                for leaf in leaves:
                    size, row = len(words(leaf.text)), number[leaf.region]
                    content, whole = held.get(row, (0, 0))
                    held[row] = content + size * one.labels.get(leaf.node, (False, 0.0))[0], whole + size
                found.append(Held(held, []))
            continue
        runs = [(number[leaf.region], as_run(leaf.text)) for leaf in leaves]
        values = [as_run(value) for value in dict.fromkeys(one.gold) if words(value)]
        fields = [sorted({row for row, run in runs if value in run}) for value in values]
        if fields := [where for where in fields if where]:
            sizes = Counter[int]()
            for leaf in leaves:
                sizes[number[leaf.region]] += len(words(leaf.text))
            found.append(Held({row: (0, size) for row, size in sizes.items()}, fields))
    return found[:SCORED]


def remembered(cache: Path | None, name: str, key: str, make: Callable[[], T]) -> T:
    """The cached result for a key; calls `make` and caches its result if there is none."""
    if cache is None:
        return make()
    file = cache / f"{name}-{key}.pickle"
    if file.exists():
        return pickle.loads(file.read_bytes())  # type: ignore[no-any-return]  # noqa: S301  # we wrote it
    made = make()
    cache.mkdir(parents=True, exist_ok=True)
    with written_whole_bytes(file) as out:
        pickle.dump(made, out, protocol=pickle.HIGHEST_PROTOCOL)
    return made


def code() -> Iterator[str]:
    """The source code that the rows depend on, for the cache key."""
    package, here = Path(dehusk.__file__).parent, Path(__file__).parent
    for file in (*(package / name for name in MEASURED_BY), here / "rows.py", here / "gold.py"):
        yield file.read_text("utf-8")


def state(file: Path) -> str:
    """Name, size and time of a file, for the cache key."""
    found = file.stat()
    return f"{file} {found.st_size} {found.st_mtime_ns}"


def digest(texts: Iterable[str]) -> str:
    """A short hash of some texts."""
    found = hashlib.blake2b(digest_size=8)
    for text in texts:
        found.update(hashlib.blake2b(text.encode(), digest_size=16).digest())
    return found.hexdigest()
