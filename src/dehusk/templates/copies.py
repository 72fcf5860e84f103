"""Copies: pages of a site with the same content, such as print versions, mirrors, and one page under several URLs.

Copies count as one page when a template is learned, because text that is only repeated on them is not template. Pages
that merely share a template are not copies, however large it is: only text that most pages lack is compared.

Two pages are copies if
- they have the same texts, or the same title and the same texts except for a few numbers, such as a count of views; or
- nearly all their own text is the same. If their titles differ, more must be the same: jobs of one firm or models of
  one car are similar, too; or
- they have the same title, and nearly all their own paragraphs are the same, as in a print version, whose other texts
  differ. If the pages have too little text of their own, as on sites with few pages, all paragraphs are compared.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nlargest
from itertools import chain, islice
from typing import Self

from dehusk.page import Page

COMMON_TEXT = 0.5
"""A text on more than this share of the pages is not a page's own."""

SAME = 0.9
"""Of two copies, the one with less text shares at least this part of it, in letters, with the other. The rest is a
greeting, a date, a list of other pages."""

SAME_UNDER_OTHER_TITLES = 0.97
"""SAME for two pages with different titles."""

LARGER = 0.5
"""The one with more text shares at least this part of it: a list of full stories is not a copy of each of them."""

ENOUGH_LETTERS = 250
"""Pages with fewer letters of their own are not compared by them: many records are that short."""

COUNTERS = 3
"""Maximum number of texts in which copies may differ by numbers."""

PARAGRAPH = 80
"""A text with this many letters is a paragraph; titles, menus and fields are shorter."""

PROSE = 0.75
"""A page with this share of its letters in paragraphs is compared by paragraphs."""

TELLING = 4
MOST_COMPARED = 16
"""A page is compared with those that share its title or one of its TELLING longest texts, and at most MOST_COMPARED for
each: comparing all pages would be quadratic."""

_IN_NUMBERS = b"0123456789.,:/-"


@dataclass(frozen=True, slots=True)
class _Said:
    """A page with its title, its texts, and a hash of the texts without numbers."""

    page: Page
    title: str
    texts: frozenset[str]
    digest: bytes

    @classmethod
    def of(cls, page: Page) -> Self:
        texts = page.tree.text
        words = " ".join(texts).encode("utf-8", "replace").translate(None, _IN_NUMBERS)
        digest = blake2b(words, digest_size=16).digest()
        return cls(page, " ".join(page.title.split()), frozenset(texts), digest)


def originals(pages: Sequence[Page]) -> list[Page]:
    """Returns one page of each set of copies, in an order that depends only on their content.

    So the result is the same however many copies of each page there are.
    """
    if len(pages) < 2:
        return list(pages)
    every = sorted(map(_Said.of, pages), key=lambda said: (said.digest, said.page.digest))
    different = _kept(every, lambda said: [said.digest], _same_texts)
    counted = Counter(chain.from_iterable(said.texts for said in different))
    most = COMMON_TEXT * len(different)
    own = {said.page: frozenset(text for text in said.texts if counted[text] <= most) for said in different}
    kept = _kept(
        different,
        lambda said: [*nlargest(TELLING, own[said.page], key=_length), ("title", said.title)],
        lambda page, other: _copies(page, other, own[page.page], own[other.page]),
    )
    return [said.page for said in kept]


def _kept(
    pages: Iterable[_Said], keys: Callable[[_Said], Iterable[object]], alike: Callable[[_Said, _Said], bool]
) -> list[_Said]:
    """Returns the pages that are not like an earlier kept page. Only pages with a common key are compared."""
    known: dict[object, list[_Said]] = defaultdict(list)
    kept = []
    for said in pages:
        shared = list(keys(said))
        if not any(alike(other, said) for key in shared for other in islice(known[key], MOST_COMPARED)):
            kept.append(said)
            for key in shared:
                known[key].append(said)
    return kept


def _same_texts(page: _Said, other: _Said) -> bool:
    """Returns whether pages with the same texts except for numbers differ in at most COUNTERS of them."""
    differing = len(page.texts ^ other.texts)
    if not differing:
        return any(page.texts)  # pages without text are not copies
    return differing <= 2 * COUNTERS and _titled(page, other) and _letters(page.texts) >= ENOUGH_LETTERS


def _copies(page: _Said, other: _Said, own: AbstractSet[str], others: AbstractSet[str]) -> bool:
    titled = _titled(page, other)
    if min(_letters(own), _letters(others)) < ENOUGH_LETTERS:
        return titled and _alike(_paragraphs(page.texts), _paragraphs(other.texts), SAME)
    if _alike(own, others, SAME if titled else SAME_UNDER_OTHER_TITLES):
        return True
    return titled and _prose(own, others) and _alike(_paragraphs(own), _paragraphs(others), SAME)


def _titled(page: _Said, other: _Said) -> bool:
    return bool(page.title) and page.title == other.title


def _alike(texts: AbstractSet[str], others: AbstractSet[str], same: float) -> bool:
    less, more = sorted((_letters(texts), _letters(others)))
    return less >= ENOUGH_LETTERS and _letters(texts & others) >= max(same * less, LARGER * more)


def _prose(texts: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Returns whether the page with less text has it mostly in paragraphs. Fields of a record are shorter."""
    less = min(texts, others, key=_letters)
    return _letters(_paragraphs(less)) >= PROSE * _letters(less)


def _paragraphs(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(text for text in texts if len(text) >= PARAGRAPH)


def _length(text: str) -> tuple[int, str]:
    return len(text), text


def _letters(texts: Iterable[str]) -> int:
    return sum(map(len, texts))
