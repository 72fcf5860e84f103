"""Counts properties of texts (words, sentences, dates, ...) in one pass over their characters, for any language."""

from array import array

WIDTH = 18
"""Number of values for a text; `texts` lists them."""

_ENDS = ".!?。！？…"
_CLOSERS = "\"'”’»)]"
_STOPS = ".,;:?!。、，；：？！،؛؟।"
_COMMAS = ",，、;"
_SEPARATORS = "|»›•·→←>«‹/"
_QUOTES = '"“”„«»‘’'
_MONEY = "$€£¥₹₽"
_YEARS = "年月"
_WIDE_EXTRA = 2
_OTHER, _SPACE, _WIDE = range(3)
_WORD, _LOWER, _UPPER, _DIGIT = range(3, 7)  # characters of words
_ASCII = 128
_SIZES = 7
_BEYOND_ASCII = "\x80"
_TITLE_WORDS = 30  # a text with more words is not a title


def wide(c: str) -> bool:
    """Returns whether a character is Chinese, Japanese or Korean, and counts like about three of other scripts."""
    return (
        "\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" or "\uf900" <= c <= "\ufaff"
    )


def kind_of(c: str) -> int:
    """Returns the class of a character, one of the constants above."""
    if wide(c):
        return _WIDE
    if c.isalnum():
        return _LOWER if c.islower() else _DIGIT if c.isdigit() else _UPPER if c.isupper() else _WORD
    return _SPACE if c.isspace() else _WORD if c == "_" else _OTHER


_KINDS = bytes([kind_of(chr(k)) for k in range(_ASCII)])


def texts(found: list[str], titles: frozenset[str]) -> "array[float]":
    """Returns the values of all texts in one array, WIDTH for each text.

    They are: size, punctuation marks, words, letters in words, size if it ends like a sentence, sentences, commas,
    words with a capital, words in capitals, digits, dates, separators, amounts of money, a colon at the end, question
    marks, exclamation marks, quotation marks, and the share of its words that are in the page's titles.
    """
    numbers = array("d", bytes(8 * WIDTH * len(found)))
    out = numbers
    begins = bytearray(_ASCII)
    for word in titles:
        if word[0] < _BEYOND_ASCII:
            size = 1 << (len(word) & _SIZES)
            begins[ord(word[0])] = begins[ord(word[0].upper())] = begins[ord(word[0])] | size
    for k in range(len(found)):
        scan(found[k], titles, begins, out, k * WIDTH)
    return numbers


def scan(text: str, titles: frozenset[str], begins: bytearray, out: "array[float]", at: int) -> None:
    """Writes the values of one text to `out[at:]`.

    `begins` has for the ASCII letters that title words begin with the sizes of these words, modulo 8, as bits.
    """
    length = len(text)
    sized = text.isascii()  # other words may change their size in lower case
    extra = stops = words = letters = sentences = commas = capitals = upper = digits = 0
    dates = separators = money = questions = exclamations = quotes = titled = 0
    begin = -1  # start of the current word
    first = _OTHER  # class of its first character
    cased = True  # whether it is in capitals so far
    run = 0  # consecutive digits
    hour = False  # whether a number of up to two digits and a colon came before
    joint = 0  # consecutive numbers of up to two digits followed by a point, slash or dash
    ended = spaced = False  # whether the last mark ends a sentence, and whether it needs a space after it
    for k in range(length + 1):
        c = text[k] if k < length else " "
        kind = _KINDS[ord(c)] if c < _BEYOND_ASCII else kind_of(c)
        if kind >= _WORD:
            ended = False
            if begin < 0:
                begin = k
                first = kind
                cased = True
            if kind == _LOWER:
                cased = False
            elif kind == _DIGIT:
                digits += 1
                run += 1
                continue
        elif begin >= 0:  # a word ends here
            words += 1
            letters += k - begin
            initial = text[begin]
            if first == _UPPER:
                capitals += 1
                if cased and k - begin > 1:
                    upper += 1
            if (
                words <= _TITLE_WORDS
                and titles
                and (
                    begins[ord(initial)] >> ((k - begin) & _SIZES) & 1
                    if sized
                    else initial >= _BEYOND_ASCII or begins[ord(initial)]
                )
                and text[begin:k].lower() in titles
            ):
                titled += 1
            begin = -1
        if run:  # a number ends here
            if run == 4 and joint == 0 and (text[k - 4 : k - 2] == "19" or text[k - 4 : k - 2] == "20"):
                dates += 1
            if c == ":" and run <= 2:
                hour = True
            else:
                if hour and run == 2:
                    dates += 1
                hour = False
                if c in "./-" and run <= 2:
                    joint += 1
                else:
                    if joint == 2 and run >= 2:
                        dates += 1
                    joint = 0
            if c in _MONEY:
                money += 1
            run = 0
        else:
            joint = 0
            hour = False
        if kind >= _WORD:
            continue
        if kind == _WIDE:
            extra += _WIDE_EXTRA
            words += 1
            letters += 1
            ended = False
            if c in _YEARS:
                dates += 1
            if words <= _TITLE_WORDS and titles and c in titles:
                titled += 1
            continue
        if kind == _SPACE:
            if ended:
                sentences += spaced
                ended = k == length
            continue
        if c in _ENDS:
            ended = True
            spaced = c not in "。！？"  # these end a sentence without a space
            sentences += not spaced
        elif c not in _CLOSERS:
            ended = False
        if c in _STOPS:
            stops += 1
            if c in _COMMAS:
                commas += 1
            elif c in "?？":
                questions += 1
            elif c in "!！":
                exclamations += 1
        if c in _SEPARATORS:
            separators += 1
        if c in _QUOTES:
            quotes += 1
        if (
            c in _MONEY
            and k + 1 < length
            and (text[k + 1].isdigit() or (text[k + 1] == " " and text[k + 2 : k + 3].isdigit()))
        ):
            money += 1
    out[at] = length + extra
    out[at + 1] = stops
    out[at + 2] = words
    out[at + 3] = letters
    out[at + 4] = length + extra if ended else 0
    out[at + 5] = sentences
    out[at + 6] = commas
    out[at + 7] = capitals
    out[at + 8] = upper
    out[at + 9] = digits
    out[at + 10] = dates
    out[at + 11] = separators
    out[at + 12] = money
    out[at + 13] = text.endswith((":", "："))
    out[at + 14] = questions
    out[at + 15] = exclamations
    out[at + 16] = quotes
    out[at + 17] = titled / words if 2 <= words <= _TITLE_WORDS else 0
