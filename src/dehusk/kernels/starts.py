"""Finds the start tags that a page is searched for before it is parsed, in one pass over its bytes."""

_LOWER = 32  # this bit of an ASCII letter is its case


def starts(html: bytes) -> list[int]:
    """Returns where tags begin that may be `html`, `body`, `iframe`, `textarea` or `title`: by their first two letters.

    The rest is for the caller: few other tags begin so. A regular expression takes twice as long.
    """
    data = html
    found: list[int] = []
    for at in range(len(html) - 2):
        if data[at] == 60:  # <
            letter = data[at + 1] | _LOWER
            if letter == 104 or letter == 98 or letter == 105 or letter == 116:  # h, b, i, t
                after = data[at + 2] | _LOWER
                if (
                    (letter == 104 and after == 116)  # ht
                    or (letter == 98 and after == 111)  # bo
                    or (letter == 105 and after == 102)  # if
                    or (letter == 116 and (after == 101 or after == 105))  # te, ti
                ):
                    found.append(at)
    return found
