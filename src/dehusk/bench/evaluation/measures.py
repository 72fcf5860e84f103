"""The measures: of texts, of records, of nodes, of a site's template, and how sure a difference is."""

import random
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib import import_module
from statistics import fmean
from typing import Any, NamedTuple

SHINGLE = 4
"""Words in a shingle, as in the article-extraction benchmark."""

_MEASURED_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W\u3040-\u30ff\u4e00-\u9fff]+")


# The article-extraction benchmark's own: no character of any script stands alone.
_ARTICLE_WORD = re.compile(r"\w+")


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, common: int, found: int, wanted: int) -> "Score":
        """From counts of what is both found and wanted, found, and wanted. Nothing in common scores 0."""
        if not common:
            return cls(0.0, 0.0, 0.0)
        return cls(common / found, common / wanted, 2 * common / (found + wanted))


def words(text: str) -> list[str]:
    """Words in lower case, as regular expressions know them; Chinese and Japanese character by character."""
    return _MEASURED_WORD.findall(text.lower())


def as_run(text: str) -> str:
    """The words of a text with a space around each: a value is in a text if its run is in the text's run."""
    return f" {' '.join(words(text))} "


def shingle_score(found: str, gold: str) -> Score:
    """How much of the found text is gold, and how much of the gold was found, in multisets of shingles."""
    ours, theirs = _shingles(found), _shingles(gold)
    return Score.of((ours & theirs).total(), ours.total(), theirs.total())


def field_recall(found: str, whole: str, fields: list[str]) -> float | None:
    """The share of the field values on the whole page that are still in the text; None if the page has none."""
    page, text = as_run(whole), as_run(found)
    present = [run for value in fields if words(value) and (run := as_run(value)) in page]
    return sum(run in text for run in present) / len(present) if present else None


def share_kept(found: str, whole: str) -> float:
    """How long the text is, compared with all of the page's."""
    return len(as_run(found)) / len(as_run(whole))


def word_score(found: str, gold: str) -> Score:
    """The same in multisets of words: their order does not count."""
    ours, theirs = Counter(words(found)), Counter(words(gold))
    return Score.of((ours & theirs).total(), ours.total(), theirs.total())


def set_score(found: AbstractSet[Hashable], wanted: AbstractSet[Hashable]) -> Score:
    """The same in sets: of a template's terms (Vieira et al. 2006, section 6.1), or of nodes (Alarte et al. 2015).

    Where nothing is wanted, to find nothing is right.
    """
    if not found and not wanted:
        return Score(1.0, 1.0, 1.0)
    return Score.of(len(found & wanted), len(found), len(wanted))


def rouge_lsum(found: str, gold: str) -> Score:
    """ROUGE-LSum: the longest common subsequences of the lines of both, with words of any script."""
    score = _rouge().score(gold, found)["rougeLsum"]
    return Score(score.precision, score.recall, score.fmeasure)


class Snippets(NamedTuple):
    """The share of snippets that must be there and are, and of those that must not and are not; None of no snippets."""

    there: float | None
    not_there: float | None


def snippets(found: str, must: Collection[str], must_not: Collection[str]) -> Snippets:
    """Which snippets are in a text, as runs of words."""
    text = as_run(found)
    here, gone = ([as_run(one) in text for one in some if words(one)] for some in (must, must_not))
    return Snippets(fmean(here) if here else None, 1 - fmean(gone) if gone else None)


class Counts(NamedTuple):
    """Shingles that are right, wrong and missing, as shares of all of them: so a long page counts as a short one."""

    right: float
    wrong: float
    missing: float


def article_counts(found: str, gold: str) -> Counts:
    """The counts of the article-extraction benchmark for one page: its shingles keep capitals."""
    ours, theirs = (Counter(_runs(_ARTICLE_WORD.findall(text))) for text in (found, gold))
    counts = ((ours & theirs).total(), (ours - theirs).total(), (theirs - ours).total())
    whole = sum(counts) or 1
    return Counts(*(count / whole for count in counts))


def article_score(pages: Iterable[Counts]) -> Score:
    """The measure of the article-extraction benchmark: means of precision and recall, and F1 of the two means."""
    every = list(pages)
    precision = [one.right / (one.right + one.wrong) for one in every if one.right + one.wrong]
    recall = [one.right / (one.right + one.missing) for one in every if one.right + one.missing]
    if not precision or not recall or not any(precision):
        return Score(0.0, 0.0, 0.0)
    p, r = fmean(precision), fmean(recall)
    return Score(p, r, 2 * p * r / (p + r))


class Said(NamedTuple):
    """Whether a title, author or date is right: word for word, by half of all words of both, or not given at all."""

    exact: bool
    partly: bool
    missing: bool


def said_score(found: str | None, gold: str) -> Said:
    """What is said about a page against what people wrote down. Case and punctuation do not count."""
    ours, theirs = words(found or ""), words(gold)
    both, either = set(ours) & set(theirs), set(ours) | set(theirs)
    return Said(bool(found) and ours == theirs, len(both) >= len(either) / 2 > 0, not found)


class Shares(NamedTuple):
    """How much of a page is template: of its text, of its nodes, and of its bytes (Ma et al. 2003, Table 1)."""

    text: float
    nodes: float
    bytes: float


class Interval(NamedTuple):
    """A mean difference, and between which two values it lies with 95% certainty."""

    mean: float
    low: float
    high: float


def bootstrap(differences: Sequence[float], *, rounds: int = 1000, seed: int = 0) -> Interval:
    """How sure a mean difference is: that of as many values, drawn from them again and again."""
    draw = random.Random(seed)  # noqa: S311  # not for secrets
    means = sorted(fmean(draw.choices(differences, k=len(differences))) for _ in range(rounds))
    return Interval(fmean(differences), means[int(0.025 * rounds)], means[min(int(0.975 * rounds), rounds - 1)])


@cache
def _rouge() -> Any:
    scorer: Any = import_module("rouge_score_rs.rouge_scorer")
    return scorer.RougeScorer(["rougeLsum"], tokenizer=_Words())


class _Words:
    """Our words, for a library that asks an object for them."""

    def tokenize(self, text: str) -> list[str]:
        return words(text)


def _runs(run: Sequence[str]) -> list[tuple[str, ...]]:
    """All shingles, or all words where there are fewer; none of no words."""
    return [tuple(run[k : k + SHINGLE]) for k in range(max(1, len(run) - SHINGLE + 1))] if run else []


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    return Counter(_runs(words(text)) or [()])  # two texts without words are the same
