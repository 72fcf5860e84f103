"""Tables: how well the columns that are found hold the values that people noted."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from html import unescape
from pathlib import Path
from statistics import fmean
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._results import ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation._tabled import (
    PageValues,
    best_column,
    best_list,
    folded,
    gold_pairs,
    named_column,
    pair_score,
)
from dehusk.bench.evaluation.datasets import label_values
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage
from dehusk.bench.evaluation.measures import bootstrap, shingle_score
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, learned, pages_of
from dehusk.methods import DEFAULT
from dehusk.page import Page
from dehusk.templates.template import Template

MOST_SITES = 600
"""Maximum number of sites of a set without --all."""

CHOSEN_ON = 2
"""How many sites of a vertical, the first by alphabet, the names were chosen on. They are not scored by name."""

NAMES = {
    "auto.model": ("title", "model", "vehicle", "car", "heading"),
    "auto.price": ("msrp", "price", "retail price", "invoice", "starting msrp"),
    "auto.engine": ("engine", "standard engine", "engines", "cylinders", "motor"),
    "auto.fuel_economy": ("mpg", "fuel economy", "city", "mileage", "epa"),
    "book.title": ("title", "name", "book", "product", "heading"),
    "book.author": ("author", "authors", "by", "contributor", "writer"),
    "book.isbn_13": ("isbn 13", "isbn13", "ean", "isbn", "isbn 10"),
    "book.publisher": ("publisher", "published by", "imprint", "publisher name", "published"),
    "book.publication_date": ("publication date", "published", "pub date", "date", "release date"),
    "job.title": ("title", "job title", "position", "job", "heading"),
    "job.company": ("company", "company name", "employer", "hiring organization", "organization"),
    "job.location": ("location", "city", "job location", "region", "place"),
    "job.date_posted": ("posted", "date", "date posted", "post date", "posting date"),
    "movie.title": ("title", "name", "movie", "film", "heading"),
    "movie.director": ("director", "directed by", "directors", "directed", "director s"),
    "movie.genre": ("genre", "genres", "category", "types", "categories"),
    "movie.mpaa_rating": ("mpaa rating", "rated", "rating", "mpaa", "certificate"),
}
"""Names that a column may have for a field: at most five, chosen on the first sites of each vertical."""

FORUMS = "news-forum"
RECIPE_FIELDS = ("ingredients", "steps")


def run(bench: Bench) -> ExperimentResult:
    """Learns the columns of each site, and scores them."""
    entries = bench.draw(MOST_SITES, is_measured)
    asked = {entry.name for entry in _later_sites(bench.data.entries)}
    groups = list(bench.map("table", partial(measure, bench.settings, asked), entries))
    if not any(scores for _, scores in groups):
        raise SourceError(f"table: no site of {bench.data.root} has the values of several fields as gold")
    scores: dict[str, list[float]] = defaultdict(list)
    for _, measured in groups:
        for name, values in measured.items():
            scores[name] += values
    means = {name: fmean(values) for name, values in scores.items() if values}
    kinds = {kind: _mean(means, kind) for kind in ("best", "named", "pairs", "recipe", "posts")}
    return ExperimentResult(
        [_said(kinds, means)],
        [_table(means)],
        [_plot(scores, means)],
        ["A value counts if its words in lower case are equal to those of a gold value."],
        used=used_of((entry, int(sum(measured["pages"]))) for entry, measured in groups if measured),
        figures={"means": means},
    )


def is_measured(entry: Entry) -> bool:
    """Whether a set has the values of fields: products, posts of forums, recipes of hosts with several pages."""
    return entry.dataset in ("products", "swde", FORUMS) or (entry.dataset.endswith("recipes") and _several(entry))


def _several(entry: Entry) -> bool:
    return not isinstance(entry.where, tuple) or len(entry.where[1]) > 1


def _later_sites(entries: Sequence[Entry]) -> list[Entry]:
    """Returns the sites that names are scored on: those of a vertical after the first."""
    verticals: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.category:
            verticals[entry.category].append(entry)
    return [one for some in verticals.values() for one in sorted(some, key=lambda one: one.name)[CHOSEN_ON:]]


def measure(settings: BenchSettings, asked: set[str], group: GoldGroup) -> dict[str, list[float]]:
    """Returns the scores of a site by measure and field."""
    template = learned(settings, group, DEFAULT, columns=True)
    pages = pages_of(group.pages)
    if group.entry.dataset == FORUMS:
        posts = [
            shingle_score(_posts(template, page), gold.text or "")
            for page, gold in zip(pages, group.pages, strict=True)
        ]
        return {"pages": [len(pages)], "posts": [fmean(score.f1 for score in posts)]}
    rows = [values_of(template, page) for page in pages]
    scores: dict[str, list[float]] = {"pages": [len(pages)], "columns": [_count(template)]}
    if group.entry.dataset.endswith("recipes"):
        for field in RECIPE_FIELDS:
            found = best_list(rows, [page.fields.get(field, ()) for page in group.pages])
            scores[f"recipe {field}"] = [fmean(found)] if found else []
        return scores
    names = [column.name for family in template.families for table in family.tables.tables for column in table.columns]
    vertical = group.entry.category or ""
    for field in sorted({field for page in group.pages for field in page.fields}):
        gold = _gold(group.pages, field)
        if best := best_column(rows, gold):
            scores[f"best {vertical}.{field}"] = [best.score.f1]
        asked_for = NAMES.get(f"{vertical}.{field}", ())
        if group.entry.name in asked and (named := named_column(names, asked_for, rows, gold)):
            scores[f"named {vertical}.{field}"] = [named.score.f1]
    if isinstance(group.entry.where, Path) and (pairs := label_values(group.entry.where)):
        known = [gold_pairs(pairs.get(Path(page.name).stem, {})) for page in group.pages]
        scores["pairs"] = [pair_score([_pairs(template, page) for page in pages], known).f1]
    return scores


def _gold(pages: Sequence[GoldPage], field: str) -> list[list[str]]:
    return [[unescape(value) for value in page.fields.get(field, ())] for page in pages]


def values_of(template: Template, page: Page) -> PageValues:
    """Returns the texts of each column on a page."""
    record = template.clean(page).record
    return record.texts if record else {}


def _posts(template: Template, page: Page) -> str:
    """Returns the texts of the items of a page."""
    return "\n".join(item.get("text") or "" for item in template.clean(page).items)


def _count(template: Template) -> int:
    return max((len(table.columns) for family in template.families for table in family.tables.tables), default=0)


def _pairs(template: Template, page: Page) -> set[Any]:
    """Returns the pairs of visible label and value on a page."""
    record = template.clean(page).record
    if record is None:
        return set()
    return {
        (folded(label), folded(value))
        for name, values in record.texts.items()
        if (label := record.labels[name])
        for value in values
    }


def _mean(means: Mapping[str, float], kind: str) -> float | None:
    values = [value for name, value in means.items() if name.startswith(kind)]
    return fmean(values) if values else None


def _said(kinds: Mapping[str, float | None], means: Mapping[str, float]) -> str:
    words = {
        "best": "best column",
        "named": "column chosen by name",
        "pairs": "pairs of label and value",
        "recipe": "lists of recipes",
        "posts": "4-word shingles of posts",
    }
    scores = ", ".join(f"{words[kind]} {value:.3f}" for kind, value in kinds.items() if value is not None)
    columns = f" {means['columns']:.0f} columns a site, in the mean." if "columns" in means else ""
    return f"F1: {scores}.{columns}"


def _table(means: Mapping[str, float]) -> Table:
    fields = sorted({name.split(" ", 1)[1] for name in means if " " in name})
    rows = [
        [field, means.get(f"best {field}"), means.get(f"named {field}"), means.get(f"recipe {field}")]
        for field in fields
    ]
    return Table("F1 by field", ["field", "best column", "by name", "best list"], rows)


def _plot(scores: Mapping[str, Sequence[float]], means: Mapping[str, float]) -> Plot:
    fields = sorted(name.removeprefix("best ") for name in means if name.startswith("best "))
    names = {"best": f"{DEFAULT}, best column", "named": f"{DEFAULT}, by its name"}
    series = {
        name: [(float(at), means.get(f"{kind} {field}", 0.0)) for at, field in enumerate(fields)]
        for kind, name in names.items()
    }
    intervals = {
        name: [bootstrap(scores.get(f"{kind} {field}") or [0.0])[1:] for field in fields]
        for kind, name in names.items()
    }
    title = "F1 by field, with 95% intervals over sites"
    return Plot(title, "bars", "", "F1", series, ticks=fields, intervals=intervals)
