"""I-Match: documents with the same set of rare terms have the same digest.

A. Chowdhury, O. Frieder, D. Grossman, M. C. McCabe: Collection Statistics for Fast Duplicate Document Detection. ACM
Transactions on Information Systems 20(2), 2002. Ma et al. (CIKM 2003, section 3) use it to skip duplicates.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dehusk.page import Page

FREQUENT = 0.5
"""Terms in more than this share of the documents are left out of the digest.

The paper removes "the most frequent terms" without a figure. On the pages of one site, terms that more than half of the
pages have belong to the template.
"""

_TERM = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The number of documents, and the document frequency of each term."""

    documents: int
    terms: Mapping[str, int]


def terms(text: str) -> frozenset[str]:
    """The distinct terms of a text, in lower case."""
    return frozenset(_TERM.findall(text.lower()))


def count(documents: Iterable[Collection[str]]) -> Frequencies:
    """First pass: returns document frequencies. Each document is given by its terms."""
    frequencies: Counter[str] = Counter()
    seen = 0
    for document in documents:
        frequencies.update(set(document))
        seen += 1
    return Frequencies(seen, frequencies)


def digest(document: Collection[str], frequencies: Frequencies, *, frequent: float = FREQUENT) -> str:
    """Second pass: returns the SHA-1 of the distinct terms that are not frequent, sorted by code point.

    If all terms of a document are frequent, all of them are used: else all such documents would be duplicates.
    """
    most = frequent * frequencies.documents
    rare = {term for term in document if frequencies.terms.get(term, 0) <= most}
    tree = "\n".join(sorted(rare or set(document)))
    return hashlib.sha1(tree.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def imatch(documents: Collection[Collection[str]], *, frequent: float = FREQUENT) -> list[str]:
    """Runs both passes over the terms of documents. Returns a digest for each, equal for duplicates."""
    frequencies = count(documents)
    return [digest(document, frequencies, frequent=frequent) for document in documents]


def originals(pages: Sequence[Page]) -> list[Page]:
    """Returns the first page of each set of duplicates."""
    digests = imatch([terms(" ".join(page.tree.text)) for page in pages])
    first: dict[str, Page] = {}
    for page, digest in zip(pages, digests, strict=True):
        first.setdefault(digest, page)
    return list(first.values())
