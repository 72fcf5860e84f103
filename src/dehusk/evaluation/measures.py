"""The measures: shingles for articles, field values for records."""

import re
from collections import Counter
from typing import NamedTuple

SHINGLE = 4
"""Words in a shingle, as in the article-extraction benchmark."""

_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W\u3040-\u30ff\u4e00-\u9fff]+")


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
    return _WORD.findall(text.lower())


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


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    run = words(text)
    return Counter(tuple(run[k : k + SHINGLE]) for k in range(max(1, len(run) - SHINGLE + 1)))
