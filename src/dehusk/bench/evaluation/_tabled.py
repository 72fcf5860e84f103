"""Measures of tables: how well columns that were found hold the values that people noted."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from dehusk.bench.evaluation.measures import Score, set_score, words

PageValues = Mapping[str, Sequence[str]]
"""The values of each column on a page."""

Words = tuple[str, ...]


class Chosen(NamedTuple):
    """A column that was chosen on some pages, and its score on others."""

    column: str | None
    score: Score


def folded(text: str) -> Words:
    """Returns the words of a value in lower case."""
    return tuple(words(text))


def page_score(column: str, rows: Sequence[PageValues], gold: Sequence[AbstractSet[Words]]) -> Score:
    """Returns the page-level score of a column: a page is right if a gold value is among the column's values there.

    Values beside it count against precision by their share.
    """
    given = wanted = right = 0
    precise = 0.0
    for row, known in zip(rows, gold, strict=True):
        values = [folded(value) for value in row.get(column, ())]
        hits = sum(value in known for value in values)
        given += bool(values)
        precise += hits / len(values) if values else 0
        wanted += bool(known)
        right += hits > 0
    return _score(precise / given if given else 0.0, right / wanted if wanted else 0.0)


def best_column(rows: Sequence[PageValues], gold: Sequence[Sequence[str]]) -> Chosen | None:
    """Chooses the column that fits best on pages with even numbers, and scores it on those with odd ones.

    None if no page with an odd number has a value.
    """
    known = [frozenset(map(folded, values)) for values in gold]
    if not any(known[1::2]):
        return None
    columns = sorted({name for row in rows for name in row})
    best = max(columns, key=lambda name: page_score(name, rows[::2], known[::2]).f1, default=None)
    return Chosen(best, page_score(best or "", rows[1::2], known[1::2]))


def named_column(
    names: Sequence[str], asked: Sequence[str], rows: Sequence[PageValues], gold: Sequence[Sequence[str]]
) -> Chosen | None:
    """Chooses a column by its name alone, and scores it on all pages. None if no page has a value.

    The first of the asked names that is the name of a column, or begins or ends one, or is in one, as whole words.
    """
    known = [frozenset(map(folded, values)) for values in gold]
    if not any(known):
        return None
    column = by_name(names, asked)
    return Chosen(column, page_score(column or "", rows, known))


def by_name(names: Sequence[str], asked: Sequence[str]) -> str | None:
    """Returns the column that the asked names choose; None if none has one of them."""
    for wanted in map(folded, asked):
        for fits in (_is, _ends, _holds):
            for name in names:
                if fits(folded(name.replace("_", " ")), wanted):
                    return name
    return None


def _is(name: Words, wanted: Words) -> bool:
    return name == wanted


def _ends(name: Words, wanted: Words) -> bool:
    return wanted in (name[: len(wanted)], name[-len(wanted) :])


def _holds(name: Words, wanted: Words) -> bool:
    return any(name[at : at + len(wanted)] == wanted for at in range(len(name)))


def list_score(values: Sequence[str], gold: Sequence[str]) -> Score:
    """Returns the score of the values of a page as a set."""
    return set_score(frozenset(map(folded, values)), frozenset(map(folded, gold)))


def best_list(rows: Sequence[PageValues], gold: Sequence[Sequence[str]]) -> list[float]:
    """Chooses the column whose values fit best on the first page with gold. Returns its F1 on each of the others."""
    pages = [(row, values) for row, values in zip(rows, gold, strict=True) if values]
    if len(pages) < 2:
        return []
    first, wanted = pages[0]
    best = max(sorted(first), key=lambda name: list_score(first[name], wanted).f1, default="")
    return [list_score(row.get(best, ()), values).f1 for row, values in pages[1:]]


SUBJECT = "topic_entity_name"
"""The label of what a page is about. No page shows it."""


def gold_pairs(labels: Mapping[str, Sequence[str]]) -> set[tuple[Words, Words]]:
    """Returns the pairs of label and value that people noted on a page."""
    pairs = set()
    for label, values in labels.items():
        if label != SUBJECT:
            last = folded(label.split("&&&")[0].split(" | ")[-1])
            pairs |= {(last, value) for value in map(folded, values) if value != last}
    return pairs


def pair_score(shown: Sequence[set[tuple[Words, Words]]], gold: Sequence[set[tuple[Words, Words]]]) -> Score:
    """Returns the score of all pairs of a site's pages."""
    hits = sum(len(ours & theirs) for ours, theirs in zip(shown, gold, strict=True))
    ours, theirs = sum(map(len, shown)), sum(map(len, gold))
    return _score(hits / ours if ours else 0.0, hits / theirs if theirs else 0.0)


def _score(precision: float, recall: float) -> Score:
    both = precision + recall
    return Score(precision, recall, 2 * precision * recall / both if both else 0.0)
