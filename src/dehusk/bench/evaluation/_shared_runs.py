"""Drops runs of words that many pages of a site share: the rule of mdream's crawler, a tool that looks at sites too.

A run of at least 12 words is dropped if each 6 consecutive words of it are on at least half of the pages, and the site
has at least 3. The rule as described; mdream applies it to its own Markdown, we to the whole text of pages.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

SHINGLE = 6
SHARE = 0.5
LEAST_PAGES = 3
LEAST_RUN = 12

_WORD = re.compile(r"\S+")


def without_shared_runs(texts: Sequence[str]) -> list[str]:
    """Returns the texts of a site's pages without shared runs."""
    if len(texts) < LEAST_PAGES:
        return list(texts)
    spans = [list(_WORD.finditer(text)) for text in texts]
    words = [[match.group() for match in own] for own in spans]
    pages = Counter(shingle for own in words for shingle in set(_shingles(own)))
    shared = {shingle for shingle, count in pages.items() if count >= SHARE * len(texts)}
    return [
        _cut(text, [(own[a].start(), own[b - 1].end()) for a, b in _runs(said, shared)])
        for text, own, said in zip(texts, spans, words, strict=True)
    ]


def _shingles(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[k : k + SHINGLE]) for k in range(len(words) - SHINGLE + 1))


def _runs(words: Sequence[str], shared: set[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Yields where long runs of words begin and end that shared shingles cover."""
    begin = end = 0
    for k, shingle in enumerate(_shingles(words)):
        if shingle not in shared:
            continue
        if k > end:
            if end - begin >= LEAST_RUN:
                yield begin, end
            begin = k
        end = k + SHINGLE
    if end - begin >= LEAST_RUN:
        yield begin, end


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    kept, last = [], 0
    for begin, end in spans:
        kept.append(text[last:begin])
        last = end
    return "".join([*kept, text[last:]])
