"""Selectors of what goes, of what stays, and of title, author and date, from what a template does to some pages."""

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
"""Of what a selector takes away, this share may be content."""

DEEPER = 4
"""Where no selector names a part that goes, those below it are tried, down to this many levels."""

LARGE = 0.02
"""A part that stays is worth a selector if it has this share of the text that stays on a page."""

CANDIDATES = 100
"""How many places with the most text are looked at to find what stays."""

GAIN = 0.01
"""Another part belongs to what stays if the mean F gets so much better by it."""

NEARLY_BEST = 0.05
"""A place is as good as the best one of a page if its F is no lower than that by more."""

TAKEN = 0.3
"""What is taken away inside a place counts so much as what is not: a tight place is better than the whole page."""

MOST_PARTS, MOST_KINDS = 6, 6
"""The most parts of what stays on a kind of page, and the most kinds of pages."""


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Selectors of a site. Each of `stays` is a kind of page: the first with an element on a page counts there."""

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
        """A style sheet: what goes is not shown, what stays has the property `--dehusk`."""
        return css(self.site, self.pages, self.goes, self.stays)

    @property
    def ftr(self) -> str:
        """A site config of Full-Text RSS, which wallabag and others read."""
        fields_of = {"title": self.title, "author": self.author, "date": self.date}
        return ftr(self.site, self.pages, fields_of, self.goes, self.stays, self.example)


def site_rules(template: Template, pages: Iterable[PageLike]) -> SiteRules:
    """The rules of a site, from what its template does to some of its pages. Edits of the template are in them."""
    seen_pages = [seen(template, as_page(page)) for page in pages]
    if not seen_pages:
        raise UsageError("no pages to find selectors on; give some of the site")
    goes, taken = _goes(seen_pages)
    stays = tuple(_stays(seen_pages, taken))
    named = fields.title(seen_pages), fields.author(seen_pages), fields.date(seen_pages)
    example = next((seen_page.page.url for seen_page in seen_pages if seen_page.page.url), None)
    return SiteRules(template.site, len(seen_pages), tuple(goes), stays, *named, example)


def _goes(pages: Sequence[SeenPage]) -> tuple[list[Place], list[bytearray]]:
    """Selectors that take away what goes and no content, and which nodes of each page they take."""
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
    """The places of some elements with text, those with most of it first; not of what is taken by then."""
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
    """The last steps of a place, as few as will do. The first of them has a name, or is the root."""
    for length in range(1, len(place) + 1):
        steps = place[-length:]
        if (steps[0].id or steps[0].classes or length == len(place)) and will_do(steps):
            return steps
    return None


def _stays(pages: Sequence[SeenPage], taken: Sequence[bytearray]) -> Iterator[tuple[Place, ...]]:
    """For each kind of page the places that hold its content, once all is taken that selectors of what goes take."""
    measured = [_Measured(page, flags) for page, flags in zip(pages, taken, strict=True)]
    left = [page for page in measured if page.wanted]
    for _ in range(MOST_KINDS):
        if not left:
            return
        chosen = _parts(left)
        yield tuple(_short(measured, place) for place in chosen)
        left = [page for page in left if not any(page.nodes(place) for place in chosen)]


def _parts(pages: "Sequence[_Measured]") -> list[Place]:
    """The places that together hold the content of some kind of page."""
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
    """The place that is the best one on most pages, and on few of them worse than another."""
    scores = {place: [page.score([place]) for page in pages] for place in candidates}
    best = list(map(max, *scores.values())) if len(scores) > 1 else next(iter(scores.values()))

    def value(place: Place) -> tuple[int, float]:
        pairs = [pair for pair in zip(scores[place], best, strict=True) if pair[0]]
        return sum(1 if score >= most - NEARLY_BEST else -1 for score, most in pairs), sum(scores[place])

    return max(candidates, key=value)


def _short(pages: "Sequence[_Measured]", place: Place) -> Place:
    """As few of the steps as name the same elements."""
    same = [page.nodes(place) for page in pages]
    return _shortest(place, lambda steps: [list(page.seen.at(steps)) for page in pages] == same) or place


class _Measured:
    """How much of a page's content there is at a place, and how much else."""

    def __init__(self, page: SeenPage, taken: bytearray) -> None:
        self.seen = page
        self.wanted = page.kept(0)
        self._left = [0.0]
        for node, flag in enumerate(taken):
            size = page.before[node + 1] - page.before[node] - (page.kept_before[node + 1] - page.kept_before[node])
            self._left.append(self._left[-1] + size * (TAKEN if flag else 1.0))
        self._known: dict[Place, list[int]] = {}

    def places(self) -> dict[Place, int]:
        """The places that hold a good part of the content, and how much of it."""
        least = LARGE * self.wanted
        letters: Counter[Place] = Counter()
        for node, tag in enumerate(self.seen.tree.tag):
            if not self.seen.tree.text[node] and tag and self.seen.kept(node) > least:
                letters[self.seen.place(node)] += self.seen.kept(node)
        return letters

    def nodes(self, place: Place) -> list[int]:
        """The elements at a place."""
        if place not in self._known:
            self._known[place] = list(self.seen.at(place))
        return self._known[place]

    def score(self, places: Iterable[Place]) -> float:
        """F of the letters at these places against those that stay; 0 where there is none."""
        kept, other, end = 0, 0.0, 0
        for node in sorted({node for place in places for node in self.nodes(place)}):
            if node >= end:
                end = node + self.seen.tree.size[node]
                kept += self.seen.kept(node)
                other += self._left[end] - self._left[node]
        return 2 * kept / (kept + other + self.wanted)
