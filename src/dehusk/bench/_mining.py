"""Texts of pages about several categories from several sites, before and after cleaning: what mining is tried on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._results import used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.bench.evaluation.measures import words
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import ORIGINAL, BenchSettings, methods, texts

MINED_SITES = 40
"""Sites of a set that are taken, where not all are."""

LEAST_PAGES = 2
"""A word that fewer pages have says nothing about other pages."""

VERTICALS = "verticals"
"""Pages by what their site is about: most sites have one category."""

WITHIN = {
    ("movie", "genre"): ("drama", "comedy", "thriller", "romance", "action"),
    ("job", "title"): ("developer", "engineer", "analyst"),
}
"""Fields of SWDE's verticals with words that pages of most sites have: there each site has pages of all categories.

That is how the shops of the papers were. A page counts where its field has one of the words and no other of them.
"""

TEMPLATE_ALONE = "template alone, by rtdm"
"""Words that rtdm removes, as if they were the page: what the template says about the category."""

FIELDS_ALONE = "gold fields alone"
"""The field values that people marked, as if they were the page: a text without a word of template."""

FIELDS_NOTE = (
    f"The row '{FIELDS_ALONE}' has the values of fields that people marked, the category among them where it is one."
)
ALONE = frozenset({TEMPLATE_ALONE, FIELDS_ALONE})
"""What no cleaner makes, to compare with."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pages: what each is about, whose it is, its gold, and its text by cleaner."""

    category: tuple[str, ...]
    site: tuple[str, ...]
    fields: tuple[Mapping[str, tuple[str, ...]], ...]
    texts: Mapping[str, tuple[str, ...]]
    used: dict[str, tuple[int, int]]

    @property
    def categories(self) -> list[str]:
        """What pages are about, in order."""
        return sorted(set(self.category))

    def counts(self, cleaner: str) -> Any:
        """How often each page has each word: a sparse matrix, a page a row. Words of one page alone are left out."""
        vectors = import_module("sklearn.feature_extraction.text")
        if cleaner == FIELDS_ALONE:  # few words, so all of them count
            said = [" ".join(value for values in fields.values() for value in values) for fields in self.fields]
            return vectors.CountVectorizer(analyzer=words).fit_transform(said)
        counter = vectors.CountVectorizer(analyzer=words, min_df=LEAST_PAGES)
        if cleaner != TEMPLATE_ALONE:
            return counter.fit_transform(self.texts[cleaner])
        before = counter.fit_transform(self.texts[ORIGINAL])
        gone = (before - counter.transform(self.texts["rtdm"])).maximum(0)
        return gone[:, ((gone > 0).sum(axis=0) >= LEAST_PAGES).nonzero()[1]]

    def within(self, vertical: str, field: str, labels: Sequence[str]) -> "Corpus":
        """The pages of a vertical that have just one of some words in a field, by that word."""
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
    """Pages by vertical, and by what a field of theirs says where sites have pages of several categories."""
    whole = corpus(bench, experiment)
    parts = {VERTICALS: whole}
    for (vertical, field), labels in WITHIN.items():
        part = whole.within(vertical, field, labels)
        if len(set(part.category)) > 1:
            parts[f"{vertical}, {field}"] = part
    return parts


def corpus(bench: Bench, experiment: str) -> Corpus:
    """The pages that have a category, cleaned by all methods. Raises SourceError where there are fewer than two."""
    entries = bench.draw(MINED_SITES, lambda entry: entry.category is not None)
    if len({entry.category for entry in entries}) < 2:
        raise SourceError(f"{experiment}: {bench.data.root} has no pages of several categories, such as SWDE has")
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
"""Of each page its fields, and by cleaner its text."""


def cleaned(settings: BenchSettings, cleaners: Sequence[str], group: GoldGroup) -> Cleaned:
    """The pages of a group."""
    pages = group.golden
    own = {cleaner: [text or "" for text in texts(settings, group, cleaner, pages).texts] for cleaner in cleaners}
    return [dict(page.fields) for page in pages], own


def named_cleaners(better: Sequence[str], cleaners: Sequence[str]) -> str:
    """Which of some cleaners do better, in few words."""
    worse = [cleaner for cleaner in cleaners if cleaner not in better]
    if not better or not worse:
        return "no method" if worse else "every method"
    return ", ".join(better) if len(better) <= len(worse) else f"every method but {', '.join(worse)}"


def gain(before: float, after: float) -> float:
    """How much better a figure is, as a share of what it was."""
    return after / before - 1 if before else 0.0
