"""Names and texts that recur on the pages of a site, and what each text adds to the sums of its region."""

from array import array
from collections.abc import Sequence
from math import log1p

from dehusk.kernels.scanning import WIDTH

SUMS = 34
"""Number of values for a text, in the order of `Sums` of the default method."""

PLAIN, LINK, SAME_PAGE, LINK_AGAIN = 0, 1, 2, 3
"""Kinds of texts: in no link, in a link, in a link to the same page, in a link that other pages have too."""

# The constants as C numbers, which other modules cannot import.
_SUMS, _WIDTH = SUMS, WIDTH
_BEYOND_ASCII = "\x80"
_PLAIN, _LINK, _SAME_PAGE, _LINK_AGAIN = PLAIN, LINK, SAME_PAGE, LINK_AGAIN


def label(tag: str, identity: str | None, classes: str | None, role: str | None) -> str:
    """Returns the tag and the distinct tokens, sorted: `#` and an id, `.` and a class, `@` and a role."""
    found: list[str] = []
    if identity:
        add(found, "#", identity)
    if classes:
        add(found, ".", classes)
    if role:
        add(found, "@", role)
    if not found:
        return tag
    if len(found) == 1:
        return tag + " " + found[0]
    found.sort()
    for k in range(1, len(found)):
        if found[k] == found[k - 1]:
            found = sorted(set(found))
            break
    return tag + " " + " ".join(found)


def add(found: list[str], mark: str, names: str) -> None:
    """Adds each name with its mark. Numbers become 0, because names such as `post-1234` are on one page only."""
    spaced = False
    for c in names:
        if c < _BEYOND_ASCII:
            if "0" <= c <= "9":
                names = folded(names)
                break
            spaced = spaced or c <= " "
        elif c.isdecimal() or c.isspace():
            names = folded(names)
            break
    else:
        if not spaced:  # a single name, as most are
            found.append(mark + names)
            return
    for name in names.split():
        found.append(mark + name)  # noqa: PERF401  # faster when compiled


def of_known(label: str, known: frozenset[str]) -> str:
    """Returns a label with only the tokens that are known."""
    every = label.split(" ")
    count = len(every)
    kept = every[:1]
    for k in range(1, count):
        if every[k] in known:
            kept.append(every[k])
    return label if len(kept) == count else " ".join(kept)


def folded(name: str) -> str:
    """Returns the name with each run of digits replaced by 0."""
    if name.isascii():
        data = name.encode()
        written = bytearray(len(data))
        chars = data
        out = written
        size = 0
        for k in range(len(data)):
            if not 48 <= chars[k] <= 57:
                out[size] = chars[k]
                size += 1
            elif k == 0 or not 48 <= chars[k - 1] <= 57:
                out[size] = 48
                size += 1
        return written[:size].decode()
    parts = []
    start = 0
    inside = False
    for k in range(len(name)):
        digit = name[k].isdecimal()
        if digit and not inside:
            parts.append(name[start:k] + "0")
        if digit:
            start = k + 1
        inside = digit
    parts.append(name[start:])
    return "".join(parts)


_VALUE_BITS = 32


def numbered(texts: list[str], index: dict[str, int]) -> "array[int]":
    """Returns the number of each text. New texts are added to `index`."""
    found = array("I", bytes(4 * len(texts)))
    out = found
    for k in range(len(texts)):
        number = index.get(texts[k])
        if number is None:
            number = index[texts[k]] = len(index)
        out[k] = number
    return found


def paired(regions: "array[int]", keys: "array[int]", index: dict[int, int]) -> "array[int]":
    """Returns a number for each pair of a region and a text number. New pairs are added to `index`."""
    found = array("I", bytes(4 * len(keys)))
    out = found
    for k in range(len(keys)):
        key = regions[k]
        key = key << _VALUE_BITS | keys[k]
        number = index.get(key)
        if number is None:
            number = index[key] = len(index)
        out[k] = number
    return found


def elsewhere(pages: "list[array[int]]", count: int) -> "list[array[float]]":
    """Returns for each number on each page the share of the other pages that have it. Numbers are below `count`."""
    if len(pages) == 1:  # there is no other page
        return [array("d", bytes(8 * len(pages[0])))]
    having, latest = array("i", bytes(4 * count)), array("i", bytes(4 * count))
    many = having
    last = latest
    for page in range(len(pages)):
        keys = pages[page]
        for k in range(len(keys)):
            if last[keys[k]] <= page:  # first time on this page
                last[keys[k]] = page + 1
                many[keys[k]] = many[keys[k]] + 1
    found = []
    others = max(1, len(pages) - 1)
    for page in range(len(pages)):
        keys = pages[page]
        shares = array("d", bytes(8 * len(keys)))
        out = shares
        for k in range(len(keys)):
            out[k] = (many[keys[k]] - 1) / others
        found.append(shares)
    return found


def tallied(pages: "list[array[int]]", count: int) -> "array[int]":
    """Returns how often each number occurs."""
    found = array("i", bytes(4 * count))
    out = found
    for page in range(len(pages)):
        keys = pages[page]
        for k in range(len(keys)):
            out[keys[k]] = out[keys[k]] + 1
    return found


def standing(links: "list[str | None]", pages: dict[str, int]) -> bytearray:
    """Returns the kind of each text, from the target of the link around it. `pages` counts the pages with a target."""
    found = bytearray(len(links))
    out = found
    for k in range(len(links)):
        link = links[k]
        if link is None:
            out[k] = _PLAIN
        elif link.startswith("#"):
            out[k] = _SAME_PAGE
        else:
            out[k] = _LINK_AGAIN if pages.get(link, 0) > 1 else _LINK
    return found


def marks(numbers: "array[float]", long_text: int, long: int, dated: int) -> "array[int]":
    """Returns for each text of `scanning.texts` the bit `long` if it has so many letters, and `dated` for a date."""
    count = len(numbers) // _WIDTH
    found = array("i", bytes(4 * count))
    out = found
    for k in range(count):
        if numbers[k * _WIDTH] >= long_text:
            out[k] = long
        if numbers[k * _WIDTH + 10] > 0:
            out[k] = out[k] | dated
    return found


def sayings(parent: "array[int]", tags: Sequence[str], texts: Sequence[str], length: int) -> set[str]:
    """Returns the beginning of each text with the tags of the three elements around it, outermost first."""
    found = set()
    for node in range(len(texts)):
        text = texts[node]
        if text:
            inner = parent[node]
            middle = parent[inner] if inner > 0 else 0  # at the top, body is repeated
            outer = parent[middle] if middle > 0 else 0
            found.add(f"{tags[outer]} {tags[middle]} {tags[inner]}: {text[:length]}")
    return found


def weighed(
    numbers: "array[float]",
    link: bytearray,
    elsewhere: "array[float]",
    in_slot: "array[float]",
    apart: bytearray,
    title: int,
    long_text: int,
) -> "array[float]":
    """Returns a row of sums for each text of a page.

    `numbers` are those of `scanning.texts`. `elsewhere` is the share of the other pages that have the text, `in_slot`
    of those that have it in the same region. `apart` flags texts that do not count as the page's own, such as comments.
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
