"""Features of the second pass: the surroundings of each region, and the page as a whole, by the first pass."""

from array import array
from math import log1p, nan

FIRST = 8
"""Number of values before those of the kinds of names; two for each kind follow."""

SURE = 0.5
"""Above this probability a region is more likely content than not."""


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
    """Returns the values of a page, or of the mean page of a site, in the order of `PAGE` of the default method.

    The arrays have for each region its letters and texts per page, how likely it is content, the kinds of its names as
    bits, and whether it is in comments. A region whose texts have `long_text` letters on average is prose. `best` is
    the largest expected F1.
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


WIDTH = 26
"""Number of values for a region, in the order of `AROUND_COLUMNS` of the default method."""

NEAR, FAR = 300.0, 1500.0
"""How many letters before and after a region are considered."""

EDGE = 0.05
"""The content begins and ends where this share of it is before and after."""


def surroundings(
    parent: "array[int]",
    regions: "array[int]",
    sizes: "array[float]",
    likely: "array[float]",
    tags: "array[int]",
    order: "array[int]",
    ranks: "array[int]",
    best: float,
) -> "array[float]":
    """Returns a row for each region of `regions`, given with their sizes and probabilities.

    `order` has their numbers by position on the page, `ranks` from the most likely to the least. `best` is the largest
    expected F1. `tags` are the numbers of their tags.
    """
    count = len(regions)
    found = array("d", bytes(8 * WIDTH * count))
    out = found
    whole = 0.0
    mass = 0.0
    most = 0.0
    doubt = 0.0
    kinds = 0
    for k in range(count):
        whole += sizes[k]
        mass += sizes[k] * likely[k]
        most = max(most, likely[k])
        doubt += sizes[k] * (likely[k] - 0.5 if likely[k] > 0.5 else 0.5 - likely[k])
        kinds = tags[k] + 1 if tags[k] >= kinds else kinds
    some = whole if whole > 0 else 1e-9
    some_mass = max(1e-09, mass)
    # The letters at and below each region, and how many of them are expected to be content.
    size_below = array("d", bytes(8 * len(parent)))
    mass_below = array("d", bytes(8 * len(parent)))
    below = size_below
    likely_below = mass_below
    for k in range(count):
        below[regions[k]] = sizes[k]
        likely_below[regions[k]] = sizes[k] * likely[k]
    for r in range(len(parent) - 1, 0, -1):
        below[parent[r]] = below[parent[r]] + below[r]
        likely_below[parent[r]] = likely_below[parent[r]] + likely_below[r]
    tag_sizes = array("d", bytes(8 * (kinds + 1)))
    tag_masses = array("d", bytes(8 * (kinds + 1)))
    tag_size = tag_sizes
    tag_mass = tag_masses
    for k in range(count):
        tag_size[tags[k]] = tag_size[tags[k]] + sizes[k]
        tag_mass[tags[k]] = tag_mass[tags[k]] + sizes[k] * likely[k]
    # In page order: letters, and expected letters of content, before each region.
    letters_before = array("d", bytes(8 * (count + 1)))
    masses_before = array("d", bytes(8 * (count + 1)))
    letters = letters_before
    masses = masses_before
    start = 0.0
    end = 0.0
    begun = False
    over = False
    for i in range(count):
        k = order[i]
        letters[i + 1] = letters[i] + sizes[k]
        masses[i + 1] = masses[i] + sizes[k] * likely[k]
        middle = letters[i] + sizes[k] / 2
        if not begun and masses[i + 1] >= EDGE * some_mass:
            begun = True
            start = middle
        if not over and masses[i + 1] >= (1 - EDGE) * some_mass:
            over = True
            end = middle
    near_from = 0
    far_from = 0
    near_to = 0
    far_to = 0
    for i in range(count):
        k = order[i]
        at = k * WIDTH
        out[at] = likely[k]
        for j in range(1, 4):
            out[at + j] = likely[order[i - j]] if i >= j else nan
            out[at + 3 + j] = likely[order[i + j]] if i + j < count else nan
        while letters[near_from] < letters[i] - NEAR:
            near_from += 1
        while letters[far_from] < letters[i] - FAR:
            far_from += 1
        while near_to < count and letters[near_to] <= letters[i + 1] + NEAR:
            near_to += 1
        while far_to < count and letters[far_to] <= letters[i + 1] + FAR:
            far_to += 1
        out[at + 7] = mean(masses, letters, near_from, i)
        out[at + 8] = mean(masses, letters, i + 1, near_to)
        out[at + 9] = mean(masses, letters, far_from, i)
        out[at + 10] = mean(masses, letters, i + 1, far_to)
        r = regions[k]
        up = max(parent[r], 0)
        grand = max(parent[up], 0)
        great = max(parent[grand], 0)
        great = max(parent[great], 0)
        out[at + 11] = likely_below[up] / below[up] if below[up] > 0 else nan
        beside = below[up] - below[r]
        out[at + 12] = (likely_below[up] - likely_below[r]) / beside if beside > 1e-6 else nan
        out[at + 13] = likely_below[grand] / below[grand] if below[grand] > 0 else nan
        out[at + 14] = likely_below[great] / below[great] if below[great] > 0 else nan
        out[at + 15] = most
        out[at + 16] = tag_mass[tags[k]] / tag_size[tags[k]] if tag_size[tags[k]] > 0 else nan
        middle = letters[i] + sizes[k] / 2
        out[at + 17] = (middle - start) / some
        out[at + 18] = (middle - end) / some
        out[at + 19] = 1 if start <= middle <= end else 0
        out[at + 20] = mass / some
        out[at + 21] = doubt / some
        out[at + 23] = best
        out[at + 24] = masses[i] / some_mass
        out[at + 25] = 1 - masses[i + 1] / some_mass
    for i in range(count):
        out[ranks[i] * WIDTH + 22] = i / count
    return found


def mean(masses: "array[float]", letters: "array[float]", begin: int, end: int) -> float:
    """Returns how likely the letters of a stretch are content; NaN if it has none."""
    size = letters[end] - letters[begin] if end > begin else 0.0
    return (masses[end] - masses[begin]) / size if size > 0 else nan


def best_f1(regions: list[tuple[float, float]], gold: float) -> float:
    """Returns the largest F1 of keeping the first n regions, given as probability and size, most likely first.

    `gold` is the expected amount of content in all regions.
    """
    kept = 0.0
    right = 0.0
    best = 0.0
    for k in range(len(regions)):
        likely, size = regions[k]
        kept += size
        right += size * likely
        if kept + gold > 0:
            best = max(best, 2 * right / (kept + gold))
    return best
