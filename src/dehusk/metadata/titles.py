"""The title of a page: without the name of its site, marks of links or the section it is in."""

import re
from collections.abc import Collection, Sequence

from dehusk.metadata.stated import plain

_SEPARATOR = re.compile(r"\s+(?:[-–—|·•»«›‹:/\\~→*<>]|::|\|\||--)\s+|\s*[|»›]\s*|(?<=\w)[:：]\s+|\s[–—]")
_COLONS = (":", "：")
_MARKS = ("¶", "§", "🔗", " #")
_WORD = re.compile(r"[^\W_]+")
# Labels of a host that name no site.
_COMMON = frozenset(
    ["www", "co", "com", "org", "net", "ac", "gov", "edu", "blog", "forum", "forums", "news", "docs", "en", "m"]
)
_SHORTEST = 3

LAST, FIRST = 0.25, 0.6
"""How much of the last and of the first part of a title its host must say, to be the name of the site.

The Motley Fool is at fool.com. What begins with the name of a shop may be one of its products.
"""

SECTION = 3
"""A section has no more words, and a title more."""


def folded(text: str) -> str:
    """The letters and digits of a text in lower case: names that differ in nothing else are the same."""
    return "".join(_WORD.findall(text.casefold()))


def alike(one: str, other: str) -> float:
    """How much of all the words of two titles both have, from 0 to 1."""
    a, b = set(_WORD.findall(one.casefold())), set(_WORD.findall(other.casefold()))
    return len(a & b) / len(a | b) if a or b else 0.0


def tidy(text: str | None) -> str:
    """A title on one line, without the marks that generators put after headings."""
    title = plain(text)
    while title.endswith(_MARKS):
        title = title[:-1].rstrip()
    return title


def parts(title: str) -> list[tuple[int, int]]:
    """Where the parts of a title begin and end, between separators."""
    found, start = [], 0
    for mark in _SEPARATOR.finditer(title):
        found.append((start, mark.start()))
        start = mark.end()
    return [*found, (start, len(title))]


def without_site(title: str, names: Collection[str], host: str, *, front: bool = False) -> str:
    """A title without the parts at its ends that name the site, and the section before those; one part always stays.

    The front page of a site, `front`, is called by the site's name.
    """
    known = set(map(folded, names))
    left = parts(title)
    every = len(left)
    while len(left) > 1 and _is_site(title[slice(*left[-1])], known, host, LAST):
        left.pop()
    while len(left) > 1 and not front and _is_site(title[slice(*left[0])], known, host, FIRST):
        left.pop(0)
    if 1 < len(left) < every and _is_section(title, left[0], left[-2:]):
        left.pop()
    return title[left[0][0] : left[-1][1]].strip() or title


def without_section(heading: str) -> str:
    """A heading up to a bar: what follows is the section or the site, if what precedes it is more than a word."""
    first = heading.partition(" | ")[0].strip()
    return first if " " in first else heading


def _is_section(title: str, first: tuple[int, int], last: Sequence[tuple[int, int]]) -> bool:
    """Whether the last part beside the name of the site is a section: short beside a title that is not."""
    colon = title[last[0][1] : last[1][0]].strip() in _COLONS
    return not colon and len(title[slice(*last[1])].split()) <= SECTION < len(title[slice(*first)].split())


def _is_site(part: str, known: Collection[str], host: str, share: float) -> bool:
    """Whether a part of a title names the site: by a known name, or by the one in its address, of at least a share."""
    name = folded(part)
    if not name or name in known or name == folded(host.removeprefix("www.")):
        return True
    initials = "".join(word[0] for word in _WORD.findall(part.casefold()))
    labels = (folded(label) for label in host.split(".")[:-1] if label not in _COMMON and len(label) >= _SHORTEST)
    return any(
        (label in name and len(label) >= share * len(name))
        or label == initials
        or (name in label and len(name) >= _SHORTEST)
        for label in labels
    )
