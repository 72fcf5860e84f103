"""Assigns the nodes of pages to regions, which are paths of labels from the root, and counts by region."""

from array import array
from collections.abc import Sequence
from math import log

_STYLE = 1_000_003
_STYLES = 0xFFFFFFFF
_VALUE_BITS = 32


def placed(
    parent: "array[int]",
    named: "array[int]",
    of_name: "array[int]",
    index: dict[int, int],
    above: "array[int]",
    labels: "array[int]",
) -> "tuple[array[int], array[int]]":
    """Returns the region of each node (for a text, that of its parent) and the style of each element.

    `named` has the number of each element's name, -1 for texts; `of_name` the label of each name, 0 for the root.
    `index` has the regions by parent region and label. New regions are added to it, to `above` (parents) and to
    `labels`. A style is a hash of the sequence of an element's children that is the same in every process.
    """
    size = len(named)
    regions = array("i", bytes(4 * size))
    styles = array("I", bytes(4 * size))
    at = regions
    style = styles
    for node in range(size):
        over = parent[node]
        region = at[over] if over >= 0 else -1
        if named[node] >= 0:
            label = of_name[named[node]] if over >= 0 else 0
            key = region
            key = key << _VALUE_BITS | label
            found = index.get(key)
            if found is None:
                found = index[key] = len(index)
                above.append(region)
                labels.append(label)
            region = found
            if over >= 0:
                style[over] = (style[over] * _STYLE + region + 1) & _STYLES
        at[node] = region
    return regions, styles


def with_bit(bits: "array[int]", bit: int) -> bytearray:
    """Flags the numbers that have a bit."""
    found = bytearray(len(bits))
    out = found
    for k in range(len(bits)):
        out[k] = 1 if bits[k] & bit else 0
    return found


def hinted(
    parent: "array[int]", hints: "array[int]", kinds: "array[int]", code: int, inline: int, comments: int
) -> "array[int]":
    """Returns the hints of each region's names that count: none in elements of code, no `comments` in inline ones.

    `kinds` has the bits `code` and `inline` for such elements.
    """
    found = array("i", bytes(4 * len(hints)))
    flags = bytearray(len(hints))
    out = found
    in_code = flags
    for region in range(len(hints)):
        over = parent[region]
        if kinds[region] & code or (over >= 0 and in_code[over]):
            in_code[region] = 1
        elif kinds[region] & inline:
            out[region] = hints[region] & ~comments
        else:
            out[region] = hints[region]
    return found


def inside(parent: "array[int]", hints: "array[int]", bit: int, but: bytearray) -> bytearray:
    """Flags the regions that are, or are in, regions with a bit in their hints, except those in `but` and the root."""
    found = bytearray(len(hints))
    out = found
    for region in range(len(hints)):
        over = parent[region]
        if over >= 0 and (out[over] or (hints[region] & bit and not but[region])):
            out[region] = 1
    return found


def counted(
    at: "array[int]", named: "array[int]", places: "array[float]", pages: "array[float]", squares: "array[float]"
) -> None:
    """Adds the places of each region on a page to `places`, 1 to `pages` if it has any, their square to `squares`."""
    here = array("i", bytes(4 * len(places)))
    seen = here
    for node in range(len(named)):
        if named[node] >= 0:
            seen[at[node]] = seen[at[node]] + 1
    for region in range(len(places)):
        if seen[region]:
            places[region] = places[region] + seen[region]
            pages[region] = pages[region] + 1
            squares[region] = squares[region] + seen[region] * seen[region]


def texts(
    parent: "array[int]", at: "array[int]", tags: Sequence[str], said: Sequence[str], targets: Sequence[str]
) -> "tuple[array[int], array[int], list[str], list[str | None]]":
    """Returns nodes, regions and strings of the texts, and the target of the link around each; None for no link."""
    size = len(tags)
    nodes = array("i", bytes(4 * size))
    regions = array("i", bytes(4 * size))
    number = nodes
    region = regions
    found: list[str] = []
    around: list[str | None] = []
    links: list[str | None] = []  # around each node
    count = 0
    for node in range(size):
        over = parent[node]
        link = targets[node] if tags[node] == "a" else links[over] if over >= 0 else None
        links.append(link)
        text = said[node]
        if text:
            number[count] = node
            region[count] = at[node]
            count += 1
            found.append(text)
            around.append(link)
    return nodes[:count], regions[:count], found, around


def held(
    parent: "array[int]",
    at: "array[int]",
    named: "array[int]",
    shows: "array[int]",
    texts: "array[int]",
    marks: "array[int]",
    sizes: "array[float]",
) -> "tuple[array[int], array[float]]":
    """Returns the bits of all marks at and below each node, and the sum of all sizes.

    An element has the marks that its region `shows`. `marks` and `sizes` are those of the nodes in `texts`.
    """
    bits = array("i", bytes(4 * len(parent)))
    totals = array("d", bytes(8 * len(parent)))
    mark = bits
    total = totals
    for node in range(len(parent)):
        if named[node] >= 0:
            mark[node] = shows[at[node]]
    for k in range(len(texts)):
        mark[texts[k]] = marks[k]
        total[texts[k]] = sizes[k]
    for node in range(len(parent) - 1, 0, -1):
        mark[parent[node]] = mark[parent[node]] | mark[node]
        total[parent[node]] = total[parent[node]] + total[node]
    return bits, totals


def tally(
    at: "array[int]",
    named: "array[int]",
    bits: "array[int]",
    totals: "array[float]",
    table: "array[float]",
    width: int,
) -> None:
    """Adds to the row of each place's region 1 for each of its bits, its size, and the square of its size."""
    for node in range(len(named)):
        if named[node] < 0:
            continue
        start = at[node] * width
        mark = bits[node]
        for k in range(width - 2):
            if mark >> k & 1:
                table[start + k] = table[start + k] + 1
        table[start + width - 2] = table[start + width - 2] + totals[node]
        table[start + width - 1] = table[start + width - 1] + totals[node] * totals[node]


def added(rows: "array[float]", width: int, at: "array[int]", table: "array[float]") -> None:
    """Adds each row of numbers to the row of its region."""
    for row in range(len(at)):
        start = at[row] * width
        for k in range(width):
            table[start + k] = table[start + k] + rows[row * width + k]


def styled(
    at: "array[int]",
    named: "array[int]",
    styles: "array[int]",
    flags: bytearray,
    places: "array[float]",
    seen: dict[int, int],
) -> None:
    """Counts the styles of elements in flagged regions with several places: a single one does not vary.

    Keys of `seen` combine region and style.
    """
    for node in range(len(named)):
        if named[node] >= 0 and flags[at[node]] and places[at[node]] > 1:
            key = at[node]
            key = key << _VALUE_BITS | styles[node]
            seen[key] = seen.get(key, 0) + 1


def entropies(seen: dict[int, int], count: int) -> "tuple[array[float], array[float]]":
    """Returns how much values vary in each region, from 0 (all equal) to 1 (no two equal), and the number of values.

    `seen` has how often each region has each value, with keys as in `styled`.
    """
    varied, kinds = array("d", bytes(8 * count)), array("d", bytes(8 * count))
    entropy = varied
    different = kinds
    totals = array("d", bytes(8 * count))
    wholes = array("d", bytes(8 * count))
    total = totals
    whole = wholes
    for key in sorted(seen):  # sorted, because sums of floats depend on the order
        region = key >> _VALUE_BITS
        run = seen[key]
        different[region] = different[region] + 1
        whole[region] = whole[region] + run
        if run > 1:
            total[region] = total[region] + run * log(run)
    for region in range(count):
        if different[region] > 1:
            most = log(whole[region])
            entropy[region] = min(1.0, (most - total[region] / whole[region]) / most)
    return varied, kinds
