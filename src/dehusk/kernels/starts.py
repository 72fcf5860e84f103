"""Counts start tags, and finds those that a page is searched for before it is parsed, in one pass over its bytes."""

_LOWER = 32  # this bit of an ASCII letter is its case


def tags(html: bytes) -> int:
    """Returns the number of start tags: of each `<` that has no slash after it."""
    data = html
    last = len(html) - 1
    count = 0
    for at in range(last):
        count += (data[at] == 60) & (data[at + 1] != 47)  # < and /
    return count + (last >= 0 and data[last] == 60)


def roots(html: bytes) -> int:
    """Returns how many tags begin that may be `html` or `body`: a quick check, several bytes at once if compiled."""
    data = html
    count = 0
    for at in range(len(html) - 2):
        # Without branches, which the compiler needs to compare many bytes at once.
        count += (data[at] == 60) & (  # <
            (((data[at + 1] | 32) == 104) & ((data[at + 2] | 32) == 116))  # ht
            | (((data[at + 1] | 32) == 98) & ((data[at + 2] | 32) == 111))  # bo
        )
    return count


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
