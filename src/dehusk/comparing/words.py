"""What changed inside a line, word by word."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from dehusk.comparing._sequences import common
from dehusk.render import Word

WORDS_AROUND = 6
"""Words that are told before and after those that changed."""

_CHANGE_MARKS = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}


def words(before: Sequence[str], after: Sequence[str]) -> list[Word]:
    """The words of both lines in order: those that stay, and those that went before those that came."""
    numbers: dict[str, int] = {}
    old, new = ([numbers.setdefault(word, len(numbers)) for word in line] for line in (before, after))
    found: list[Word] = []
    i = j = 0
    for p, q in [*common(old, new), (len(before), len(after))]:
        found += [Word("removed", word) for word in before[i:p]]
        found += [Word("added", word) for word in after[j:q]]
        found += [Word("same", word) for word in after[q : q + 1]]
        i, j = p + 1, q + 1
    return found


def told(found: Sequence[Word]) -> str:
    """What changed in a line, with a few words around each change: [-gone-] {+new+}."""
    near = bytearray(len(found))
    for place, one in enumerate(found):
        if one.kind != "same":
            for other in range(max(0, place - WORDS_AROUND), min(len(found), place + WORDS_AROUND + 1)):
                near[other] = 1
    pieces = []
    for (kind, shown), group in groupby(zip(found, near, strict=True), key=lambda one: (one[0].kind, one[1])):
        text = " ".join(word.text for word, _ in group)
        pieces.append(_CHANGE_MARKS[kind].format(text) if shown else "…")
    return " ".join(pieces)


def most_likeness(before: Sequence[str], after: Sequence[str]) -> float:
    """How much of two lines can be the same at most: their words in any order. Found in less time than `words`."""
    olds, news = Counter(before), Counter(after)
    same = sum(2 * len(word) * min(count, news[word]) for word, count in olds.items() if word in news)
    both = sum(map(len, before)) + sum(map(len, after))
    return same / both if both else 1.0


def likeness(found: Sequence[Word]) -> float:
    """How much of two lines is the same, from 0 to 1, by letters."""
    same = sum(2 * len(one.text) for one in found if one.kind == "same")
    other = sum(len(one.text) for one in found if one.kind != "same")
    return same / (same + other) if found else 1.0
