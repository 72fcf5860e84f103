"""The shape of a text, from one pass over its characters, and words in names and URLs."""

from collections.abc import Mapping

_DIGITS_OF_ARTICLE = 5
_PIECES_OF_TITLE = 4
_SMALL, _LARGE, _DIGIT, _OTHER = range(1, 5)


class Shape:
    """Properties of a text that do not depend on its place.

    `may_be_dated`, `may_be_priced` and `may_reserve_rights` are only quick checks before a closer look.
    """

    def __init__(self, text: str) -> None:
        self.size = 0
        """Its size: characters without spaces, where a Chinese character counts as three."""
        self.words = 0
        """Number of letters and digits."""
        self.first = -1
        """Where the first word begins; -1 if there is none."""
        self.is_number = True
        """Whether it has no letters, like a page number or an arrow."""
        self.ends_sentence = False
        self.ends_in_colon = text.endswith(":")
        self.has_steps = False
        """Whether it has a separator of breadcrumbs between spaces."""
        self.may_be_dated = False
        self.may_be_priced = False
        self.may_reserve_rights = False
        self.dated = 0.0
        self.priced = False
        self.reserves_rights = False
        self.begins_byline = False
        self.said: tuple[int, ...] = ()
        """The numbers of the roles that its phrases suggest."""
        self.plain: str | None = None
        self._read(text)

    def _read(self, text: str) -> None:
        count = len(text)
        size = words = 0
        first = -1
        number = True
        before = " "
        for k in range(count):
            char = text[k]
            if char == " ":
                before = char
                continue
            size += 1
            if char.isalnum():
                words += 1
                if first < 0:
                    first = k
                if number and char.isalpha():
                    number = False
                if char == "r" or char == "R":
                    if _begins_rights(text, k, count):
                        self.may_reserve_rights = True
                elif char > "~":
                    if "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af":
                        size += 2
                        if char == "\u5e74":  # year
                            self.may_be_dated = True
                        elif char == "\u7248":  # rights
                            self.may_reserve_rights = True
                    elif char == "\u043f" or char == "\u041f":
                        self.may_reserve_rights = True
                    elif char == "\u0440" and _follows_number(text, k):
                        self.may_be_priced = True
                elif char == "z" or char == "E" or char == "U" or char == "C":
                    if _follows_number(text, k):
                        self.may_be_priced = True
                elif (char == "1" or char == "2") and _begins_year(text, k, count):
                    if before == " " or before == "." or before == "," or before == "-":
                        self.may_be_dated = True
            elif char == "_":
                if first < 0:
                    first = k
            else:
                self._read_mark(text, k, count)
                if "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af":
                    size += 2
                if char == "\n" or char == "\t" or char == "\xa0":
                    size -= 1
            before = char
        self.size = size
        self.words = words
        self.first = first
        self.is_number = number

    def _read_mark(self, text: str, k: int, count: int) -> None:
        """Reads a character that is not a letter or digit."""
        char = text[k]
        if char == "." or char == "-" or char == "/" or char == ":":
            if 0 < k < count - 1 and text[k - 1].isdecimal() and text[k + 1].isdecimal():
                self.may_be_dated = True
        if char == "." or char == "!" or char == "?" or char == "\u2026":
            after = k + 1
            while after < count and text[after] in "\"'\u201d\u2019\xbb)]":
                after += 1
            if after == count or text[after].isspace():
                self.ends_sentence = True
        elif char == "\u3002" or char == "\uff01" or char == "\uff1f":
            self.ends_sentence = True
        elif char == "\xa9" or char == "(":
            self.may_reserve_rights = True
        elif char in "$\u20ac\xa3\xa5\u20bd":
            self.may_be_priced = True
        elif char in ">\xbb\u203a\u2192:/\u2039\uff1e":
            pass
        else:
            return
        if char in ">\xbb\u203a\u2192:/\u2039\uff1e" and (k == 0 or text[k - 1].isspace()):
            if char != ":" and (k + 1 == count or text[k + 1].isspace()):
                self.has_steps = True
            elif (char == ">" or char == ":") and k + 1 < count and text[k + 1] == char:
                if k + 2 == count or text[k + 2].isspace():
                    self.has_steps = True


def _follows_number(text: str, k: int) -> bool:
    """Returns whether a digit, and perhaps a space, is before this position."""
    if k and text[k - 1].isdecimal():
        return True
    return k > 1 and text[k - 1].isspace() and text[k - 2].isdecimal()


def _begins_rights(text: str, k: int, count: int) -> bool:
    """Returns whether "right" or "recht" may begin here."""
    if k + 2 >= count:
        return False
    vowel, end = text[k + 1], text[k + 2]
    if vowel == "e" or vowel == "E":
        return end == "c" or end == "C"
    return (end == "g" or end == "G") and (vowel == "i" or vowel == "I" or vowel == "\u0131" or vowel == "\u0130")


def _begins_year(text: str, k: int, count: int) -> bool:
    if k + 3 >= count or not text[k + 2].isdecimal() or not text[k + 3].isdecimal():
        return False
    return (text[k] == "1" and text[k + 1] == "9") or (text[k] == "2" and text[k + 1] == "0")


def size_of(text: str) -> int:
    """Returns the size of a text: characters without spaces, where a Chinese character counts as three."""
    size = 0
    for k in range(len(text)):
        char = text[k]
        if char == " " or char == "\n" or char == "\t" or char == "\xa0":
            continue
        size += 1
        if "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af":
            size += 2
    return size


def letters_in(text: str) -> int:
    """Returns the number of characters of a text that are not spaces."""
    count = 0
    for k in range(len(text)):
        if text[k] != " ":
            count += 1
    return count


def words_of(names: str) -> str:
    """Returns the words of names in lower case, separated by spaces: `navBar_top2` gives "nav bar top 2"."""
    words: list[str] = []
    start = -1
    before = 0  # class of the last character
    for k in range(len(names)):
        char = names[k]
        here = _OTHER
        if "a" <= char <= "z":
            here = _SMALL
        elif "A" <= char <= "Z":
            here = _LARGE
        elif char.isdecimal():
            here = _DIGIT
        elif char == "_" or not char.isalnum():
            if start >= 0:
                words.append(names[start:k])
                start = -1
            before = 0
            continue
        if start < 0:
            start = k
        elif here != before and before != _OTHER and here != _OTHER and not (before == _LARGE and here == _SMALL):
            words.append(names[start:k])
            start = k
        before = here
    if start >= 0:
        words.append(names[start:])
    return " ".join(words).lower()


def names_in(address: str, numbers: Mapping[str, int]) -> int:
    """Returns as bits the numbers of the words in a URL (in lower case) that have one."""
    bits = 0
    start = -1
    count = len(address)
    for k in range(count + 1):
        if k < count and "a" <= address[k] <= "z":
            if start < 0:
                start = k
        elif start >= 0:
            if k - start > 1:
                number = numbers.get(address[start:k])
                if number is not None:
                    bits |= 1 << number
            start = -1
    return bits


def is_article(address: str) -> bool:
    """Returns whether a URL looks like that of an article: a long number, a date, or four words joined by dashes."""
    digits = pieces = letters = 0
    count = len(address)
    for k in range(count):
        char = address[k]
        if char.isdecimal():
            digits += 1
            if digits == _DIGITS_OF_ARTICLE:
                return True
        else:
            digits = 0
        if char == "-":
            pieces = pieces + 1 if letters else 0
            letters = 0
        elif char == "/":
            pieces = letters = 0
            if k + 6 < count and (address[k + 5] == "/" or address[k + 5] == "-") and address[k + 6].isdecimal():
                if _begins_year(address, k + 1, count):
                    return True
        else:
            letters += 1
            if pieces == _PIECES_OF_TITLE - 1:
                return True
    return False
