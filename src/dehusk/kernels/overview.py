"""What the first pass says of a page as a whole: how much of it is likely content, and how that is named."""

from array import array
from math import log1p

FIRST = 8
"""How many numbers come before those of the kinds of names: two of each kind follow."""

SURE = 0.5
"""From here on a region is more likely content than not."""


def overview(
    sizes: "array[float]",
    texts: "array[float]",
    likely: "array[float]",
    bits: "array[int]",
    inside: bytearray,
    long_text: float,
    kinds: int,
    best: float,
) -> "array[float]":
    """The numbers of a page, or of the mean page of a site, in the order of `PAGE` of the default method.

    Of each region: its letters and texts a page, how likely it is content, the kinds of its names as bits, and whether
    it is in comments. A region whose texts have `long_text` letters on average is prose. `best` is the largest F1 that
    can be expected.
    """
    found = array("d", bytes(8 * (FIRST + 2 * kinds)))
    out = found
    letters = 0.0
    mass = 0.0
    sure = 0.0
    prose_outside = 0.0
    likely_outside = 0.0
    prose_inside = 0.0
    mass_inside = 0.0
    for k in range(len(sizes)):
        own = sizes[k] * likely[k]
        letters += sizes[k]
        mass += own
        if likely[k] > SURE:
            sure += own
        if inside[k]:
            mass_inside += own
        if sizes[k] >= long_text * texts[k]:
            if inside[k]:
                prose_inside += sizes[k]
            else:
                prose_outside += sizes[k]
                likely_outside += own
        for kind in range(kinds):
            if bits[k] >> kind & 1:
                out[FIRST + 2 * kind] = out[FIRST + 2 * kind] + own
                out[FIRST + 2 * kind + 1] = out[FIRST + 2 * kind + 1] + sizes[k]
    some = letters if letters > 0 else 1.0
    some_mass = mass if mass > 0 else 1.0
    out[0] = mass / some
    out[1] = sure / some_mass
    out[2] = log1p(letters)
    out[3] = best
    out[4] = log1p(likely_outside)
    out[5] = log1p(prose_outside)
    out[6] = log1p(prose_inside)
    out[7] = mass_inside / some_mass
    for kind in range(kinds):
        out[FIRST + 2 * kind] = out[FIRST + 2 * kind] / some_mass
        out[FIRST + 2 * kind + 1] = out[FIRST + 2 * kind + 1] / some
    return found
