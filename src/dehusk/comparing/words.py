"""Word diffs of lines, and changes that are only dates, times or counters."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from dehusk.comparing._mapping import common
from dehusk.metadata import dates
from dehusk.render import Word

WORDS_AROUND = 6
"""Number of unchanged words shown before and after each change."""

_CHANGE_MARKS = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}


def words(before: Sequence[str], after: Sequence[str]) -> list[Word]:
    """The words of both lines in order, marked same, removed or added; removed words come before added ones."""
    start, ends = 0, (len(before), len(after))
    while start < min(ends) and before[start] == after[start]:
        start += 1
    while start < min(ends) and before[ends[0] - 1] == after[ends[1] - 1]:
        ends = ends[0] - 1, ends[1] - 1
    line = [Word("same", word) for word in after[:start]]
    line += _between(before[start : ends[0]], after[start : ends[1]])
    line += [Word("same", word) for word in after[ends[1] :]]
    return line


def _between(before: Sequence[str], after: Sequence[str]) -> list[Word]:
    """The words of two lines that begin and end with different words."""
    if set(before).isdisjoint(after):
        return [*(Word("removed", word) for word in before), *(Word("added", word) for word in after)]
    numbers: dict[str, int] = {}
    old, new = ([numbers.setdefault(word, len(numbers)) for word in line] for line in (before, after))
    line: list[Word] = []
    i = j = 0
    for p, q in [*common(old, new), (len(before), len(after))]:
        line += [Word("removed", word) for word in before[i:p]]
        line += [Word("added", word) for word in after[j:q]]
        if q < len(after):
            line.append(Word("same", after[q]))
        i, j = p + 1, q + 1
    return line


def inline_diff(line: Sequence[Word]) -> str:
    """The changes in a line with a few words around each: [-removed-] {+added+}."""
    near = bytearray(len(line))
    for position, word in enumerate(line):
        if word.kind != "same":
            for near_by in range(max(0, position - WORDS_AROUND), min(len(line), position + WORDS_AROUND + 1)):
                near[near_by] = 1
    pieces = []
    for (mark, shown), group in groupby(zip(line, near, strict=True), key=lambda word: (word[0].kind, word[1])):
        text = " ".join(word.text for word, _ in group)
        pieces.append(_CHANGE_MARKS[mark].format(text) if shown else "…")
    return " ".join(pieces)


def most_likeness(before: Sequence[str], after: Sequence[str]) -> float:
    """An upper bound of `likeness`, from the words in any order. Faster than `words`."""
    olds, news = Counter(before), Counter(after)
    same = sum(2 * len(word) * min(count, news[word]) for word, count in olds.items() if word in news)
    both = sum(map(len, before)) + sum(map(len, after))
    return same / both if both else 1.0


def likeness(line: Sequence[Word]) -> float:
    """The share of letters that two lines have in common, from 0 to 1."""
    same = sum(2 * len(word.text) for word in line if word.kind == "same")
    other = sum(len(word.text) for word in line if word.kind != "same")
    return same / (same + other) if line else 1.0


_MASK = "⁂"

STAMP_WORDS = 8
"""Maximum number of words besides dates and counters. In a longer line, a date is part of the content."""

_DIGIT = re.compile(r"\d")
_TIME = re.compile(r"\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:UTC|GMT|CES?T|[ECMP][SD]T))?", re.IGNORECASE)
_YEARS = re.compile(
    r"(©|\(c\)|copyright)((?:[^\w©]|and)*(?:(?:19|20)\d\d)(?:\s*[-–—,]\s*(?:19|20)\d\d)*)", re.IGNORECASE
)
_SPAN = (
    r"(?:sec(?:ond)?|min(?:ute)?|hour|hr|day|week|month|year)s?|(?:sekunde|minute|stunde|woche)n?|(?:tag|monat|jahr)e?n?|"
    r"(?:seconde|minute|heure|jour|semaine|an|année)s?|mois|(?:segundo|minuto|hora|día|semana|año)s?|mes(?:es)?"
)
_AGO = re.compile(
    rf"\b(?:(?:an?|one|\d+)\s+(?:{_SPAN})\s+(?:ago|fa|geleden)\b|(?:vor|il y a|hace|há)\s+(?:\w+)\s+(?:{_SPAN})\b)"
    r"|(?<!\d)\d+\s?(?:秒|分钟|小时|天|分鐘|小時)前",
    re.IGNORECASE,
)
_COUNTED = (
    r"views?|visits?|visitors?|reads?|hits?|likes?|shares?|votes?|comments?|repl(?:y|ies)|downloads?|followers?|"
    r"subscribers?|online|ratings?|reviews?|aufrufe?|besucher|kommentare?|antworten?|vues?|visites?|commentaires?|réponses?|"
    r"visitas?|comentarios?|respuestas?|wyświetleń|komentarzy|просмотр\w*|комментари\w*"
)
_NUMBER = r"\d+(?:[.,  ]\d{3}){0,6}(?:[.,]\d)?\s?[kKM]?"
_COUNTER = re.compile(
    rf"\b{_NUMBER}\s+(?:{_COUNTED})\b|\b(?:{_COUNTED})\s*+[:(]?\s*+{_NUMBER}(?![\w.,]{{0,20}}\d)|(?<=\s\(){_NUMBER}(?=\)$)",
    re.IGNORECASE,
)


def stamp(before: str, after: str) -> str:
    """Returns "date", "time" or "counter" if two texts differ only in that; else "".

    A date in a long text does not count, nor do prices and measures.
    """
    if max(len(before), len(after)) > dates.LONGEST_SEARCHED or not (_DIGIT.search(before) or _DIGIT.search(after)):
        return ""
    masks, hidden = [], before
    for name, masked in _MASKS:
        hidden = masked(hidden)
        masks.append((name, masked, hidden))
    if _MASK not in hidden:  # most lines have nothing to mask, and then the other version need not be read
        return ""
    for name, masked, hidden in masks:
        after = masked(after)
        if hidden == after:
            return name if sum(word[0].isalnum() for word in after.split()) <= STAMP_WORDS else ""
    return ""


def _undated(text: str) -> str:
    """The text with each date replaced by a mark, which is not a letter."""
    text = _YEARS.sub(rf"\1 {_MASK}", text)
    pieces = []
    while (date := dates.search(text)) is not None:
        start, end, _ = date
        pieces.append(text[:start])
        text = text[end:]
    return _MASK.join([*pieces, text])


_MASKS = (
    ("date", _undated),
    ("time", lambda text: _AGO.sub(_MASK, _TIME.sub(_MASK, text) if ":" in text else text)),
    ("counter", lambda text: _COUNTER.sub(_MASK, text)),
)
