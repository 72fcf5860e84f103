"""Chooses selectors of what is removed and kept, and of title, author and date, from cleaned pages."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from dehusk.base.errors import UsageError
from dehusk.page.places import Place
from dehusk.templates.selectors import _seen as fields
from dehusk.templates.selectors._seen import SeenPage, seen
from dehusk.templates.selectors._writing import css, ftr
from dehusk.templates.template import PageLike, Template, as_page

PURE = 0.01
"""Maximum share of content in the text that a selector removes."""

DEEPER = 4
"""If no selector fits a removed part, its children are tried, down to this many levels."""

LARGE = 0.02
"""A kept part is a candidate for a selector if it has this share of the kept text of a page."""

CANDIDATES = 100
"""How many places, those with most text, are candidates for kept parts."""

GAIN = 0.01
"""A kept part is added if it improves the mean F1 by at least this."""

NEARLY_BEST = 0.05
"""A place counts as the best of a page if its F1 is at most this much lower."""

TAKEN = 0.3
"""Weight of text that other selectors remove anyway inside a kept place. It favours tight places."""

MOST_PARTS, MOST_KINDS = 6, 6
"""Maximum number of kept parts for a kind of page, and of kinds of pages."""


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Selectors of a site. Each entry of `stays` is for a kind of page: the first that matches a page applies to it."""

    site: str
    pages: int
    goes: tuple[Place, ...]
    stays: tuple[tuple[Place, ...], ...]
    title: tuple[str, ...]
    author: tuple[str, ...]
    date: tuple[str, ...]
    example: str | None

    @property
    def css(self) -> str:
        """A style sheet: removed parts are hidden, kept parts have the property `--dehusk`."""
        return css(self.site, self.pages, self.goes, self.stays)

    @property
    def ftr(self) -> str:
        """A site config of Full-Text RSS, for wallabag and others."""
        fields_of = {"title": self.title, "author": self.author, "date": self.date}
        return ftr(self.site, self.pages, fields_of, self.goes, self.stays, self.example)


def site_rules(template: Template, pages: Iterable[PageLike]) -> SiteRules:
    """Returns the rules of a site, from what its template removes from some of its pages. Edits are included."""
    seen_pages = [seen(template, as_page(page)) for page in pages]
    if not seen_pages:
        raise UsageError("no pages to find selectors on; give some pages of the site")
    goes, taken = _goes(seen_pages)
    stays = tuple(_stays(seen_pages, taken))
    named = fields.title(seen_pages), fields.author(seen_pages), fields.date(seen_pages)
    example = next((seen_page.page.url for seen_page in seen_pages if seen_page.page.url), None)
    return SiteRules(template.site, len(seen_pages), tuple(goes), stays, *named, example)


def _goes(pages: Sequence[SeenPage]) -> tuple[list[Place], list[bytearray]]:
    """Returns selectors that remove template but no content, and flags of the nodes of each page that they remove."""
    taken = [bytearray(len(page.tree)) for page in pages]
    selectors: list[Place] = []
    parts = [(number, node) for number, page in enumerate(pages) for node in page.topmost]
    for _ in range(DEEPER):
        unnamed: set[Place] = set()
        for place in _by_text(pages, parts, taken):
            named = _shortest(place, lambda steps: _is_pure(pages, steps))
            if named is None:
                unnamed.add(place)
                continue
            selectors.append(named)
            for page, flags in zip(pages, taken, strict=True):
                for node in page.at(named):
                    size = page.tree.size[node]
                    flags[node : node + size] = b"\1" * size
        parts = [
            (number, child)
            for number, node in parts
            if not taken[number][node] and pages[number].steps[node].tag and pages[number].place(node) in unnamed
            for child in pages[number].tree.children(node)
        ]
    return selectors, taken


def _by_text(
    pages: Sequence[SeenPage], parts: Iterable[tuple[int, int]], taken: Sequence[bytearray]
) -> Iterator[Place]:
    """Yields the places of elements with text, those with most text first, skipping elements removed meanwhile."""
    places: Counter[Place] = Counter()
    nodes: dict[Place, list[tuple[int, int]]] = {}
    for number, node in parts:
        page = pages[number]
        if page.tree.text[node] or not page.letters(node):
            continue  # a loose text has no selector
        place = page.place(node)
        places[place] += page.letters(node)
        nodes.setdefault(place, []).append((number, node))
    for place, _ in places.most_common():
        if not all(taken[number][node] for number, node in nodes[place]):
            yield place


def _is_pure(pages: Sequence[SeenPage], steps: Place) -> bool:
    nodes = [(page, node) for page in pages for node in page.at(steps)]
    return sum(page.kept(node) for page, node in nodes) <= PURE * sum(page.letters(node) for page, node in nodes)


def _shortest(place: Place, will_do: Callable[[Place], bool]) -> Place | None:
    """Returns the fewest last steps of a place that will do, or None. They begin with a named step or the root."""
    for length in range(1, len(place) + 1):
        steps = place[-length:]
        if (steps[0].id or steps[0].classes or length == len(place)) and will_do(steps):
            return steps
    return None


def _stays(pages: Sequence[SeenPage], taken: Sequence[bytearray]) -> Iterator[tuple[Place, ...]]:
    """Yields for each kind of page the places that hold its content, given what other selectors remove."""
    measured = [_Measured(page, flags) for page, flags in zip(pages, taken, strict=True)]
    left = [page for page in measured if page.wanted]
    for _ in range(MOST_KINDS):
        if not left:
            return
        chosen = _parts(left)
        yield tuple(_short(measured, place) for place in chosen)
        left = [page for page in left if not any(page.nodes(place) for place in chosen)]


def _parts(pages: "Sequence[_Measured]") -> list[Place]:
    """Returns the places that together hold the content of a kind of page."""
    places: Counter[Place] = Counter()
    for page in pages:
        places.update(page.places())
    candidates = [place for place, _ in places.most_common(CANDIDATES)]
    chosen = [_best(pages, candidates)]
    those = [page for page in pages if page.nodes(chosen[0])]
    score = sum(page.score(chosen) for page in those)
    while len(chosen) < MOST_PARTS:
        tried = [(sum(page.score([*chosen, place]) for page in those), place) for place in candidates]
        better, place = max(tried, key=itemgetter(0))
        if better < score + GAIN * len(those):
            break
        score = better
        chosen.append(place)
    return chosen


def _best(pages: "Sequence[_Measured]", candidates: Sequence[Place]) -> Place:
    """Returns the place that is best, or nearly best, on most pages and worse on few."""
    scores = {place: [page.score([place]) for page in pages] for place in candidates}
    best = list(map(max, *scores.values())) if len(scores) > 1 else next(iter(scores.values()))

    def value(place: Place) -> tuple[int, float]:
        pairs = [pair for pair in zip(scores[place], best, strict=True) if pair[0]]
        return sum(1 if score >= most - NEARLY_BEST else -1 for score, most in pairs), sum(scores[place])

    return max(candidates, key=value)


def _short(pages: "Sequence[_Measured]", place: Place) -> Place:
    """Returns the shortest form of a place that selects the same elements."""
    same = [page.nodes(place) for page in pages]
    return _shortest(place, lambda steps: [list(page.seen.at(steps)) for page in pages] == same) or place


class _Measured:
    """Measures how much content, and how much else, is at the places of a page."""

    def __init__(self, page: SeenPage, taken: bytearray) -> None:
        self.seen = page
        self.wanted = page.kept(0)
        self._left = [0.0]
        for node, flag in enumerate(taken):
            size = page.before[node + 1] - page.before[node] - (page.kept_before[node + 1] - page.kept_before[node])
            self._left.append(self._left[-1] + size * (TAKEN if flag else 1.0))
        self._known: dict[Place, list[int]] = {}

    def places(self) -> dict[Place, int]:
        """Returns the places that hold a large part of the content, with its letters."""
        least = LARGE * self.wanted
        letters: Counter[Place] = Counter()
        for node, tag in enumerate(self.seen.tree.tag):
            if not self.seen.tree.text[node] and tag and self.seen.kept(node) > least:
                letters[self.seen.place(node)] += self.seen.kept(node)
        return letters

    def nodes(self, place: Place) -> list[int]:
        """Returns the elements at a place."""
        if place not in self._known:
            self._known[place] = list(self.seen.at(place))
        return self._known[place]

    def score(self, places: Iterable[Place]) -> float:
        """Returns F1 of the letters at these places against the kept letters; 0 if there are none."""
        kept, other, end = 0, 0.0, 0
        for node in sorted({node for place in places for node in self.nodes(place)}):
            if node >= end:
                end = node + self.seen.tree.size[node]
                kept += self.seen.kept(node)
                other += self._left[end] - self._left[node]
        return 2 * kept / (kept + other + self.wanted)
