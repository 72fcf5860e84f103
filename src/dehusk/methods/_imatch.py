"""I-Match: documents that say the same in the same rare words have the same digest.

A. Chowdhury, O. Frieder, D. Grossman, M. C. McCabe: Collection Statistics for Fast Duplicate Document Detection. ACM
Transactions on Information Systems 20(2), 2002; as Ma et al. (CIKM 2003, section 3) use it before they count.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dehusk.page import Page

FREQUENT = 0.5
"""A term on more than this share of the documents says nothing about any of them and is left out of the digest.

The paper removes "the most frequent terms" without a figure. On the pages of one site, what more than half of them have
is the template's.
"""

_TERM = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many documents there are, and how many of them have each term."""

    documents: int
    terms: Mapping[str, int]


def terms(text: str) -> frozenset[str]:
    """The distinct terms of a text, in lower case."""
    return frozenset(_TERM.findall(text.lower()))


def count(documents: Iterable[Collection[str]]) -> Frequencies:
    """The first pass: document frequencies, from the terms of one document after the other."""
    frequencies: Counter[str] = Counter()
    seen = 0
    for document in documents:
        frequencies.update(set(document))
        seen += 1
    return Frequencies(seen, frequencies)


def digest(document: Collection[str], frequencies: Frequencies, *, frequent: float = FREQUENT) -> str:
    """The second pass: SHA-1 over the distinct terms that are not frequent, in the order of Unicode.

    A document of frequent terms alone would be the duplicate of every other such: it is known by all its terms.
    """
    most = frequent * frequencies.documents
    rare = {term for term in document if frequencies.terms.get(term, 0) <= most}
    tree = "\n".join(sorted(rare or set(document)))
    return hashlib.sha1(tree.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def imatch(documents: Collection[Collection[str]], *, frequent: float = FREQUENT) -> list[str]:
    """Both passes over the terms of documents that are at hand: one digest each, equal for duplicates."""
    frequencies = count(documents)
    return [digest(document, frequencies, frequent=frequent) for document in documents]


def originals(pages: Sequence[Page]) -> list[Page]:
    """The first page of each set of duplicates."""
    digests = imatch([terms(" ".join(page.tree.text)) for page in pages])
    first: dict[str, Page] = {}
    for page, digest in zip(pages, digests, strict=True):
        first.setdefault(digest, page)
    return list(first.values())
