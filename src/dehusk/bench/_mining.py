"""The corpus of the mining experiments: pages of several categories and sites, before and after cleaning."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._results import Cell, used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.bench.evaluation.measures import words
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import ORIGINAL, BenchSettings, methods, texts

MINED_SITES = 40
"""Maximum number of sites of a set without --all."""

PAPER_CLEANERS = {"original": ORIGINAL, "style tree": "style-tree", "RTDM-TD": "rtdm", "pagelets": "pagelets"}
"""The names of our cleaners for those in the papers' rows."""

LEAST_PAGES = 2
"""Words on fewer pages are left out: they tell nothing about other pages."""

VERTICALS = "verticals"
"""The corpus with the vertical as category: most sites have one category."""

WITHIN = {
    ("movie", "genre"): ("drama", "comedy", "thriller", "romance", "action"),
    ("job", "title"): ("developer", "engineer", "analyst"),
}
"""Fields of SWDE's verticals, and words in them that serve as categories: each site has pages of all of them.

The shops in the papers were like that. A page is used if its field has exactly one of the words.
"""

TEMPLATE_ALONE = "template alone, by rtdm"
"""Only the words that rtdm removes: shows how much the template tells about the category."""

FIELDS_ALONE = "gold fields alone"
"""Only the field values marked by people: a text without any template."""

FIELDS_NOTE = f"The row '{FIELDS_ALONE}' uses only the field values marked by people, which may include the category."
ALONE = frozenset({TEMPLATE_ALONE, FIELDS_ALONE})
"""Texts for comparison that no cleaner makes."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pages: category, site and gold fields of each, and its text by cleaner."""

    category: tuple[str, ...]
    site: tuple[str, ...]
    fields: tuple[Mapping[str, tuple[str, ...]], ...]
    texts: Mapping[str, tuple[str, ...]]
    used: dict[str, tuple[int, int]]

    @property
    def categories(self) -> list[str]:
        """The categories, sorted."""
        return sorted(set(self.category))

    def counts(self, cleaner: str, least: int = LEAST_PAGES) -> Any:
        """A sparse matrix of word counts, one row for each page. Words on fewer pages than `least` are left out."""
        vectors = import_module("sklearn.feature_extraction.text")
        if cleaner == FIELDS_ALONE:  # few words, so all of them count
            said = [" ".join(value for values in fields.values() for value in values) for fields in self.fields]
            return vectors.CountVectorizer(analyzer=words).fit_transform(said)
        counter = vectors.CountVectorizer(analyzer=words, min_df=least)
        if cleaner != TEMPLATE_ALONE:
            return counter.fit_transform(self.texts[cleaner])
        before = counter.fit_transform(self.texts[ORIGINAL])
        gone = (before - counter.transform(self.texts["rtdm"])).maximum(0)
        return gone[:, ((gone > 0).sum(axis=0) >= least).nonzero()[1]]

    def within(self, vertical: str, field: str, labels: Sequence[str]) -> "Corpus":
        """The pages of a vertical that have exactly one of the labels in a field, with the label as category."""
        chosen = {}
        for page, (category, fields) in enumerate(zip(self.category, self.fields, strict=True)):
            said = {word for value in fields.get(field, ()) for word in words(value)}
            matching = [label for label in labels if label in said]
            if category == vertical and len(matching) == 1:
                chosen[page] = matching[0]
        return Corpus(
            tuple(chosen.values()),
            tuple(self.site[page] for page in chosen),
            tuple(self.fields[page] for page in chosen),
            {cleaner: tuple(own[page] for page in chosen) for cleaner, own in self.texts.items()},
            self.used,
        )


def corpora(bench: Bench, experiment: str) -> dict[str, Corpus]:
    """Corpora by field value, where each site has pages of several categories as in the papers; then by vertical."""
    whole = corpus(bench, experiment)
    return {**by_fields(whole), VERTICALS: whole}


def by_fields(whole: Corpus) -> dict[str, Corpus]:
    """The corpora by field value that have at least two categories."""
    parts = {}
    for (vertical, field), labels in WITHIN.items():
        part = whole.within(vertical, field, labels)
        if len(set(part.category)) > 1:
            parts[f"{vertical}, {field}"] = part
    return parts


def corpus(bench: Bench, experiment: str) -> Corpus:
    """All pages with a category, cleaned by all methods. Raises SourceError if there are fewer than two categories."""
    entries = bench.draw(MINED_SITES, lambda entry: entry.category is not None)
    if len({entry.category for entry in entries}) < 2:
        raise SourceError(f"{experiment}: {bench.data.root} has no pages of several categories, as SWDE has")
    cleaners = (ORIGINAL, *methods(bench.settings))
    groups = list(bench.map(experiment, partial(cleaned, bench.settings, cleaners), entries))
    return Corpus(
        tuple(str(entry.category) for entry, (fields, _) in groups for _ in fields),
        tuple(entry.site or entry.name for entry, (fields, _) in groups for _ in fields),
        tuple(page_fields for _, (fields, _) in groups for page_fields in fields),
        {cleaner: tuple(text for _, (_, own) in groups for text in own[cleaner]) for cleaner in cleaners},
        used_of((entry, len(fields)) for entry, (fields, _) in groups),
    )


Cleaned = tuple[list[dict[str, tuple[str, ...]]], dict[str, list[str]]]
"""The fields of each page, and the texts of all pages by cleaner."""


def cleaned(settings: BenchSettings, cleaners: Sequence[str], group: GoldGroup) -> Cleaned:
    """Cleans the pages of a group by each cleaner, learned from all its pages, as in the papers."""
    pages = group.golden
    made = {cleaner: texts(settings, group, cleaner, pages, sample=None) for cleaner in cleaners}
    own = {cleaner: [text or "" for text in by.texts] for cleaner, by in made.items()}
    return [dict(page.fields) for page in pages], own


def named_cleaners(better: Sequence[str], cleaners: Sequence[str]) -> str:
    """Names the better cleaners, or "every method but" the others if that is shorter."""
    worse = [cleaner for cleaner in cleaners if cleaner not in better]
    if not better or not worse:
        return "no method" if worse else "every method"
    return ", ".join(better) if len(better) <= len(worse) else f"every method but {', '.join(worse)}"


def outlined(place: float, rows: Sequence[Sequence[Cell]]) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yields the names and places of a chart's outlined marks, from rows of papers that begin with a name and F."""
    for name, f, *_ in rows:
        said, _, cleaner = str(name).partition(": ")
        if isinstance(f, float) and cleaner in PAPER_CLEANERS:
            yield f"{PAPER_CLEANERS[cleaner]}: {said}, {cleaner}", (place, f)


def gain(before: float, after: float) -> float | None:
    """The relative gain; None if there was nothing before."""
    return after / before - 1 if before else None
