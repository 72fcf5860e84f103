"""Finds known words in the ids, classes and roles of elements, in one pass for all kinds of words."""

from collections.abc import Iterable

Word = tuple[str, int, bool, bool, str]
"""A word of two letters or more; the bit of its kind; whether it begins, and ends, a word; what does not follow it."""

_PART = 31  # the bits of a letter that tell it from others, whatever its case


class Vocabulary:
    """Words to find in names, by their first two letters."""

    __slots__ = ("begins", "words")

    def __init__(self, words: Iterable[Word]) -> None:
        self.words: dict[str, list[Word]] = {}
        self.begins = bytearray((_PART + 1) * (_PART + 1))
        for word in words:
            self.words.setdefault(word[0][:2], []).append(word)
            self.begins[(ord(word[0][0]) & _PART) << 5 | (ord(word[0][1]) & _PART)] = 1

    def kinds(self, names: str) -> int:
        """Returns the kinds of words that some names have, as bits. The names are in lower case."""
        begins = self.begins
        last = len(names)
        bits = 0
        for at in range(last - 1):
            if begins[(ord(names[at]) & _PART) << 5 | (ord(names[at + 1]) & _PART)]:
                known = self.words.get(names[at : at + 2])
                if known is not None:
                    for word, bit, first, final, other in known:
                        if names.startswith(word, at):
                            end = at + len(word)
                            if first and at > 0 and is_letter(names[at - 1]):
                                continue
                            if final and end < last and is_letter(names[end]):
                                continue
                            if not other or not names.startswith(other, end):
                                bits |= bit
        return bits


def is_letter(char: str) -> bool:
    """Returns whether a character is part of a word: a letter, a digit or `_`."""
    return char.isalnum() or char == "_"
