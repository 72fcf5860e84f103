"""What each text of a page adds to the sums of its region."""

from array import array
from math import log1p

from dehusk.kernels.scanning import WIDTH

SUMS = 34
"""How many numbers there are for a text, in the order of `Sums` of the default method."""

PLAIN, LINK, SAME_PAGE, LINK_AGAIN = 0, 1, 2, 3
"""Where a text stands: in no link, in a link, in one to the same page, in one that other pages have too."""

# The same as C numbers, which other modules cannot see.
_SUMS, _WIDTH = SUMS, WIDTH
_PLAIN, _SAME_PAGE, _LINK_AGAIN = PLAIN, SAME_PAGE, LINK_AGAIN


def weighed(
    numbers: "array[float]",
    link: bytearray,
    elsewhere: "array[float]",
    in_slot: "array[float]",
    apart: bytearray,
    title: int,
    long_text: int,
) -> "array[float]":
    """A row for each text of a page.

    `numbers` are those of `scanning.texts`; `elsewhere` is the share of the other pages that have the text, `in_slot`
    that of those that have it in the same region; `apart` flags texts that are not the page's own, such as comments.
    `title` is the text that is the page's title, -1 if there is none.
    """
    count = len(link)
    rows = array("d", bytes(8 * _SUMS * count))
    out = rows
    whole = 0.0
    own = 0.0
    begin = 0.0
    for k in range(count):
        size = numbers[k * _WIDTH]
        if k == title:
            begin = whole + size / 2
        whole += size
        if link[k] == _PLAIN and elsewhere[k] == 0 and not apart[k]:
            own += size
    if whole == 0:
        whole = 1.0
    if own == 0:
        own = 1.0
    before = 0.0
    for k in range(count):
        at = k * _SUMS
        scan = k * _WIDTH
        size = numbers[scan]
        middle = before + size / 2
        long = size if size >= long_text else 0.0
        out[at] = 1
        out[at + 1] = size
        if link[k] != _PLAIN:
            out[at + 2] = size
            if link[k] == _SAME_PAGE:
                out[at + 3] = size
            elif link[k] == _LINK_AGAIN:
                out[at + 4] = size
        out[at + 5] = long
        if elsewhere[k] > 0:
            out[at + 6] = size
            out[at + 7] = size * elsewhere[k]
            out[at + 8] = size * in_slot[k]
        elif link[k] == _PLAIN and not apart[k]:
            out[at + 9] = size
            out[at + 10] = long
            out[at + 12] = size / own
        out[at + 11] = size / whole
        out[at + 13] = size * middle / whole
        out[at + 14] = size * numbers[scan + 17]
        if title >= 0:
            far = middle - begin
            out[at + 15] = size * far / whole
            out[at + 16] = size * (log1p(far) if far >= 0 else -log1p(-far))
        out[at + 17] = 1 if numbers[scan + 2] <= 3 else 0
        for j in range(1, 17):
            out[at + 17 + j] = numbers[scan + j]
        before += size
    return rows
