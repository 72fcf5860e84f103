"""The measures: shingles for articles, field recall for records."""

import re
from collections import Counter
from typing import NamedTuple

SHINGLE = 4
"""Words to a shingle, as in the article-extraction benchmark."""


_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W\u3040-\u30ff\u4e00-\u9fff]+")


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def words(text: str) -> list[str]:
    """Lower-cased runs of letters, digits and underscores; Chinese and Japanese by the character."""
    return _WORD.findall(text.lower())


def shingle_score(found: str, gold: str) -> Score:
    """How much of the found text is gold, and of the gold found, in multisets of shingles."""
    ours, theirs = _shingles(found), _shingles(gold)
    common = (ours & theirs).total()
    precision, recall = common / max(1, ours.total()), common / max(1, theirs.total())
    return Score(precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0)


def field_recall(found: str, whole: str, fields: list[str]) -> float | None:
    """The share of the field values on the whole page that are still in the text; None if the page has none."""
    present = [_run(value) for value in fields if words(value) and _run(value) in _run(whole)]
    return sum(value in _run(found) for value in present) / len(present) if present else None


def share_kept(found: str, whole: str) -> float:
    """How long the text is, compared with all of the page's."""
    return len(_run(found)) / len(_run(whole))


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    run = words(text)
    return Counter(tuple(run[k : k + SHINGLE]) for k in range(max(1, len(run) - SHINGLE + 1)))


def _run(text: str) -> str:
    return f" {' '.join(words(text))} "
