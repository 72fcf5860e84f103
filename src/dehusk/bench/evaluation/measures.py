"""Measures of extracted text against gold: for single pages, sites and records."""

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib import import_module
from itertools import islice
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from dehusk.base import fields
from dehusk.bench.evaluation.datasets import Site
from dehusk.marking.marking import Marking
from dehusk.page import Page
from dehusk.page.elements import html_of, plain_text

SHINGLE = 4
"""Words in a shingle, as in the article-extraction benchmark."""

_MEASURED_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W\u3040-\u30ff\u4e00-\u9fff]+")


# As in the article-extraction benchmark: Chinese and Japanese characters are not split.
_ARTICLE_WORD = re.compile(r"\w+")


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, common: int, predicted: int, wanted: int) -> "Score":
        """From the numbers of true positives, predicted and wanted items. All are 0 if nothing is in common."""
        if not common:
            return cls(0.0, 0.0, 0.0)
        return cls(common / predicted, common / wanted, 2 * common / (predicted + wanted))


def words(text: str) -> list[str]:
    """The words in lower case; Chinese and Japanese are split into characters."""
    return _MEASURED_WORD.findall(text.lower())


def as_run(text: str) -> str:
    """The words of a text, each with spaces around it. A value is in a text if its run is a substring of the text's."""
    return f" {' '.join(words(text))} "


def shingle_score(extracted: str, gold: str) -> Score:
    """Precision and recall of the multisets of shingles."""
    ours, theirs = _shingles(extracted), _shingles(gold)
    return Score.of((ours & theirs).total(), ours.total(), theirs.total())


def field_recall(extracted: str, whole: str, fields: list[str]) -> float | None:
    """The share of the field values on the page that are in the extracted text; None if the page has none."""
    page, text = as_run(whole), as_run(extracted)
    present = [run for value in fields if words(value) and (run := as_run(value)) in page]
    return sum(run in text for run in present) / len(present) if present else None


def share_kept(extracted: str, whole: str) -> float:
    """The length of the extracted text as a share of the whole text."""
    return len(as_run(extracted)) / len(as_run(whole))


def word_score(extracted: str, gold: str) -> Score:
    """Precision and recall of the multisets of words, in any order."""
    ours, theirs = Counter(words(extracted)), Counter(words(gold))
    return Score.of((ours & theirs).total(), ours.total(), theirs.total())


def set_score(predicted: AbstractSet[Hashable], wanted: AbstractSet[Hashable]) -> Score:
    """Precision and recall of sets: template terms (Vieira et al. 2006, section 6.1) or nodes (Alarte et al. 2015).

    Two empty sets score 1.
    """
    if not predicted and not wanted:
        return Score(1.0, 1.0, 1.0)
    return Score.of(len(predicted & wanted), len(predicted), len(wanted))


def rouge_lsum(extracted: str, gold: str) -> Score:
    """ROUGE-LSum: longest common subsequences of lines, with words of any script."""
    score = _rouge().score(gold, extracted)["rougeLsum"]
    return Score(score.precision, score.recall, score.fmeasure)


class Snippets(NamedTuple):
    """The share of required snippets that are there, and of forbidden ones that are not; None if there are none."""

    there: float | None
    not_there: float | None


def snippets(extracted: str, must: Collection[str], must_not: Collection[str]) -> Snippets:
    """Looks for required and forbidden snippets in a text, by words."""
    text = as_run(extracted)
    here, gone = ([as_run(snippet) in text for snippet in group if words(snippet)] for group in (must, must_not))
    return Snippets(fmean(here) if here else None, 1 - fmean(gone) if gone else None)


class SegmentCounts(NamedTuple):
    """Segments of the content that were found and missed, and other segments that were found."""

    found: int
    missed: int
    wrong: int


def segment_counts(extracted: str, must: Iterable[str], must_not: Iterable[str]) -> SegmentCounts:
    """The counts of trafilatura's evaluation: a segment is found if the text has it, white space aside."""
    text = " ".join(extracted.split())
    here, gone = ([" ".join(segment.split()) in text for segment in group] for group in (must, must_not))
    return SegmentCounts(sum(here), len(here) - sum(here), sum(gone))


def segment_score(pages: Iterable[SegmentCounts]) -> Score:
    """Precision, recall and F1 over the segments of all pages."""
    found, missed, wrong = (sum(column) for column in zip(*pages, strict=True))
    return Score.of(found, found + wrong, found + missed)


class Counts(NamedTuple):
    """The shares of shingles that are right, wrong and missing: shares, so that long pages do not count more."""

    right: float
    wrong: float
    missing: float


def article_counts(extracted: str, gold: str) -> Counts:
    """The counts of the article-extraction benchmark for one page. Its shingles are case-sensitive."""
    ours, theirs = (Counter(_runs(_ARTICLE_WORD.findall(text))) for text in (extracted, gold))
    counts = ((ours & theirs).total(), (ours - theirs).total(), (theirs - ours).total())
    whole = sum(counts) or 1
    return Counts(*(count / whole for count in counts))


def article_score(pages: Iterable[Counts]) -> Score:
    """The score of the article-extraction benchmark: mean precision, mean recall, and F1 of these means."""
    counted = list(pages)
    precision = [page.right / (page.right + page.wrong) for page in counted if page.right + page.wrong]
    recall = [page.right / (page.right + page.missing) for page in counted if page.right + page.missing]
    if not precision or not recall or not any(precision):
        return Score(0.0, 0.0, 0.0)
    p, r = fmean(precision), fmean(recall)
    return Score(p, r, 2 * p * r / (p + r))


class Said(NamedTuple):
    """Whether a title, author or date is exactly right, shares half of the words, or is missing."""

    exact: bool
    partly: bool
    missing: bool


def said_score(stated: str | None, gold: str) -> Said:
    """Compares a title, author or date with the gold, ignoring case and punctuation."""
    ours, theirs = words(stated or ""), words(gold)
    both, either = set(ours) & set(theirs), set(ours) | set(theirs)
    return Said(bool(stated) and ours == theirs, len(both) >= len(either) / 2 > 0, not stated)


class Shares(NamedTuple):
    """The shares of template in the text, nodes and bytes of a page (Ma et al. 2003, Table 1)."""

    text: float
    nodes: float
    bytes: float


class Interval(NamedTuple):
    """A mean difference with its 95% confidence interval."""

    mean: float
    low: float
    high: float


def bootstrap(differences: Sequence[float], *, rounds: int = 1000, seed: int = 0) -> Interval:
    """The mean difference and its confidence interval, by bootstrap resampling."""
    draw = random.Random(seed)  # noqa: S311  # not for secrets
    means = sorted(fmean(draw.choices(differences, k=len(differences))) for _ in range(rounds))
    return Interval(fmean(differences), means[int(0.025 * rounds)], means[min(int(0.975 * rounds), rounds - 1)])


_Z = 1.959964  # of a 95% interval


def share_interval(right: int, cases: int) -> tuple[float, float]:
    """The 95% interval of a share, by Wilson's formula; cases count as independent."""
    square = _Z * _Z / cases
    middle = right / cases + square / 2
    half = sqrt(square * (right / cases * (1 - right / cases) + square / 4))
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


TIED = 0.0005
"""Where no interval is known, differences of F1 up to this are called a tie: reports show three digits."""

BETTER, TIE, WORSE = "better", "a tie", "worse"


def verdict(change: Sequence[float]) -> str:
    """What a mean change and its interval say: better or worse only if the interval excludes 0."""
    _, low, high = change
    return BETTER if low > 0 else WORSE if high < 0 else TIE


@cache
def _rouge() -> Any:
    scorer: Any = import_module("rouge_score_rs.rouge_scorer")
    return scorer.RougeScorer(["rougeLsum"], tokenizer=_Words())


class _Words:
    """A tokenizer object for the ROUGE library, using `words`."""

    def tokenize(self, text: str) -> list[str]:
        return words(text)


def _runs(run: Sequence[str]) -> list[tuple[str, ...]]:
    """All shingles; all words as one if there are fewer words than in a shingle; nothing if there are no words."""
    return [tuple(run[k : k + SHINGLE]) for k in range(max(1, len(run) - SHINGLE + 1))] if run else []


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    return Counter(_runs(words(text)) or [()])  # two texts without words are equal


SCORED = 5
"""Number of pages of a site that are scored: the first ones with gold."""

LEAST_GOLD = 20
"""Minimum number of words of gold; shorter gold tells too little."""

Cleaner = Callable[[bytes], str]
"""A function from the HTML of a page to the text of its content."""


class KeptShares(NamedTuple):
    """The shares of field values and of text that are kept on record pages."""

    fields: float
    text: float


def is_scorable(gold: str | Sequence[str]) -> bool:
    """Whether the gold suffices to score a page."""
    return len(words(gold)) >= LEAST_GOLD if isinstance(gold, str) else bool(gold)


def scored_pages(site: Site) -> list[Path]:
    """The pages of a site that are scored."""
    return list(islice((page for page, gold in site.gold.items() if is_scorable(gold)), SCORED))


def score(site: Site, clean: Cleaner) -> Score | KeptShares | None:
    """The mean scores over a site's scored pages; None if there are none."""
    scores = [score_page(page.read_bytes(), site.gold[page], clean) for page in scored_pages(site)]
    known = [page_score for page_score in scores if page_score]
    return means(known) if known else None


def score_page(html: bytes, gold: str | Sequence[str], clean: Cleaner) -> Score | KeptShares | None:
    """The score of a page; None if the whole page has none of the field values."""
    text = clean(html)
    if isinstance(gold, str):
        return shingle_score(text, gold)
    whole = plain_text(Page(html).whole)
    fields = field_recall(text, whole, list(gold))
    return None if fields is None else KeptShares(fields, share_kept(text, whole))


def template_shares(marking: Marking) -> Shares:
    """The share of template in a page: of its text, nodes and bytes."""
    removed = sum(len(html_of(node).encode("utf-8", "replace")) for node in marking.gone)
    whole = len(html_of(marking.page.whole).encode("utf-8", "replace"))
    return Shares(marking.share_removed, sum(marking.flags) / len(marking.flags), removed / whole)


def means(scores: Iterable[Score | KeptShares]) -> Score | KeptShares:
    """The mean of each number, over scores of one type."""
    rows = list(scores)
    return type(rows[0])(*(fmean(column) for column in zip(*rows, strict=True)))


def weights_file(folder: Path, assignment: int, left_out: int) -> Path:
    """The file of the weights trained without one fold, for one assignment of sites to folds."""
    return folder / f"{assignment}-{left_out}.json"


@cache
def weights_without(folder: Path, left_out: int, assignment: int = 0) -> Mapping[str, Any]:
    """The weights trained without one fold."""
    weights: Mapping[str, Any] = fields.parsed(weights_file(folder, assignment, left_out).read_text("utf-8"))
    return weights
