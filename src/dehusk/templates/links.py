"""Chooses pages to compare with a key page: linked pages that all link to each other, like the pages of a menu.

J. Alarte, D. Insa, J. Silva, S. Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level Web Template
Extraction. 2015, section 3.1.

Such pages form a complete subdigraph of the site, and very likely share a template. To find n of them, the links of the
key page are followed one after the other until n pages link to each other. The key page is not one of the n.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from dehusk.base.errors import FetchError, UsageError
from dehusk.base.tree import Tree
from dehusk.base.urls import normal, path_of, quoted, split, unquoted
from dehusk.page import LARGEST, Page, may_be_page, unusable

SIZE = 3
"""Number of pages to find. With more, templates are hardly better, and many more pages must be loaded (Table 2)."""

LIMIT = 100
"""Maximum number of links to follow. The paper's largest search, for eight pages, loads 32 on average (Table 2)."""

FOLDER = "https://folder.invalid/"
"""The URL given to the root of a folder, so that links between its pages resolve as on the web (RFC 2606)."""

Load = Callable[[str], Page | None]
"""Returns the page of a URL, or None if there is none."""

_INDEXES = ("index.html", "index.htm")


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A link to another page of the same host, and the first node of the page's tree that has it."""

    url: str
    node: int


@dataclass(frozen=True, slots=True)
class Subdigraph:
    """Pages that all link to each other, and how many pages were loaded to find them, including the key page."""

    pages: tuple[Page, ...]
    loaded: int
    failed: int


def complete_subdigraph(key: Page, load: Load, *, size: int = SIZE, limit: int = LIMIT) -> Subdigraph:
    """Returns the first `size` pages linked by the key page that link to each other; fewer if there are not enough.

    At most `limit` links are followed; `failed` is how many of them led to no page.
    """
    if size < 1:
        raise UsageError(f"size must be at least 1, not {size}")
    search = _Search(key)
    while len(search.best) < size and search.followed < limit and (link := search.next()):
        search.follow(link, load(link.url), size)
    return Subdigraph(tuple(search.pages[url] for url in search.best), search.loaded, search.failed)


def candidates(key: Page, limit: int = LIMIT) -> list[str]:
    """Returns the links of a page, best first: the order in which they would be followed if none led to a page."""
    search = _Search(key)
    urls: list[str] = []
    while len(urls) < limit and (link := search.next()):
        search.follow(link, None, SIZE)
        urls.append(link.url)
    return urls


def links(page: Page) -> list[SiteLink]:
    """Returns the links of a page to other pages of its host, in document order, each URL once.

    Empty if the page's own URL is not known.
    """
    if not page.url or not (own := normal(page.url)):
        return []
    base = page.base_url
    if own.startswith(FOLDER) and not base.startswith(FOLDER):
        base = own  # a saved page may still declare its original URL
    by_url: dict[str, SiteLink] = {}
    for node, link in enumerate(page.tree.link):
        if link and page.tree.tag[node] != "img":
            url = normal(link, base)
            if url and url != own and _host(url) == _host(own) and may_be_page(path_of(url).rpartition("/")[2]):
                by_url.setdefault(url, SiteLink(url, node))
    return list(by_url.values())


def hyperlink_distance(origin: str, target: str) -> int:
    """Returns the steps between the directories of two URLs: positive if all lead down, negative if one leads up."""
    here, there = _directories(origin), _directories(target)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))
    up, down = len(here) - common, len(there) - common
    return -(up + down) if up else down


def dom_distances(tree: Tree, node: int) -> "array[int]":
    """Returns the number of edges from one node to every node of a tree."""
    distances = array("i", [-1]) * len(tree)
    for steps, above in enumerate((node, *tree.ancestors(node))):
        distances[above] = steps
    for other in range(len(tree)):
        if distances[other] < 0:
            distances[other] = distances[tree.parent[other]] + 1
    return distances


def among(pages: Iterable[Page]) -> Load:
    """Returns a loader over given pages, such as those of an archive, by URL."""
    by_url = {normal(page.url): page for page in pages if page.url}
    return by_url.get


def over(fetch: Callable[[str], Page]) -> Load:
    """Returns a loader that fetches; None for a page that cannot be fetched."""

    def load(url: str) -> Page | None:
        try:
            return fetch(url)
        except FetchError:
            return None

    return load


class PageFolder:
    """A loader over the files of a folder. It never reads a file outside the folder."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def url(self, file: Path) -> str | None:
        """Returns the URL of a file of the folder; None if it is outside."""
        try:
            inside = file.resolve().relative_to(self._root)
        except (ValueError, RuntimeError):  # outside, or a loop of symbolic links
            return None
        return FOLDER + "/".join(map(quoted, inside.parts))

    def __call__(self, url: str) -> Page | None:
        """Returns the page of a file, or of the index of a folder; None if there is none."""
        if not url.startswith(FOLDER):
            return None
        for name in _names(url):
            try:
                # Symbolic links are resolved first, so that the checked path is the one that is read.
                file = (self._root / name).resolve()
                if (own_url := self.url(file)) and file.is_file() and file.stat().st_size <= LARGEST:
                    data = file.read_bytes()
                    inside = file.relative_to(self._root).as_posix()
                    return None if unusable(data) else Page(data, url=own_url, name=inside)
            except (OSError, ValueError, RuntimeError):  # too long a name, a NUL in it, a loop of symbolic links
                continue
        return None


def _names(url: str) -> Iterator[str]:
    """Yields the names of files that may have the page of a URL. Crawlers may put the query into the name."""
    if (parts := split(url)) is None:
        return
    path = unquoted(parts.path).lstrip("/")
    if parts.query:
        yield f"{path}?{parts.query}"
    yield path
    for index in _INDEXES:
        yield f"{path}/{index}".lstrip("/")


def _directories(url: str) -> list[str]:
    return path_of(url).split("/")[1:-1]


def _host(url: str) -> str:
    parts = split(url)
    return parts.netloc if parts else ""


class _Search:
    """The state of a search that follows the links of a key page."""

    def __init__(self, key: Page) -> None:
        self.pages: dict[str, Page] = {}
        self.best: tuple[str, ...] = ()
        self.loaded = 1
        self.failed = 0
        self.followed = 0
        self._key = key
        self._own = normal(key.url or "") or ""
        self._waiting = {link.url: link for link in links(key)}
        # Sort keys of the links: the same directory first, then those below, then the others, nearest first.
        distances = {url: hyperlink_distance(self._own, url) for url in self._waiting}
        self._rank = {url: (distance < 0, abs(distance)) for url, distance in distances.items()}
        self._nearest = {url: len(key.tree) for url in self._waiting}
        self._shared: Counter[str] = Counter()
        # For each page its URLs, the targets of its links, and the pages that it links to and that link back.
        self._called: dict[str, set[str]] = {}
        self._leads: dict[str, set[str]] = {}
        self._mutual: dict[str, set[str]] = {}

    def next(self) -> SiteLink | None:
        """Removes and returns the next link to follow: the one on most of the loaded pages, since a menu is on all.

        Among equals, the nearest directory decides; then the distance on the key page from all links followed so far,
        so that the pages differ; then document order.
        """
        if not self._waiting:
            return None
        url = min(self._waiting, key=lambda url: (-self._shared[url], self._rank[url], -self._nearest[url]))
        return self._waiting.pop(url)

    def follow(self, link: SiteLink, page: Page | None, size: int) -> None:
        """Records the page that a link led to, and looks for a larger subdigraph with it."""
        self.followed += 1
        distances = dom_distances(self._key.tree, link.node)
        for url, waiting in self._waiting.items():
            self._nearest[url] = min(self._nearest[url], distances[waiting.node])
        if page is None:
            self.failed += 1
            return
        self.loaded += 1
        final = normal(page.url or link.url) or link.url
        self._waiting.pop(final, None)
        # A redirect may lead back to the key page, or away.
        if final == self._own or page.digest == self._key.digest or _host(final) != _host(self._own):
            return
        known = self._known(page, final) or self._add(link.url, page)
        self._called[known] |= {link.url, final}
        self._connect(known)
        subdigraph = _largest(known, self._mutual, size)
        if len(subdigraph) > len(self.best):
            self.best = subdigraph

    def _known(self, page: Page, final: str) -> str | None:
        """Returns the known URL of a page that was already loaded by another URL, or None."""
        for url, names in self._called.items():
            if final in names or self.pages[url].digest == page.digest:
                return url
        return None

    def _add(self, url: str, page: Page) -> str:
        self.pages[url] = page
        self._called[url] = set()
        self._leads[url] = {link.url for link in links(page)}
        self._mutual[url] = set()
        self._shared.update(self._leads[url] & self._waiting.keys())
        return url

    def _connect(self, url: str) -> None:
        for other in self.pages:
            if other != url and self._leads[url] & self._called[other] and self._leads[other] & self._called[url]:
                self._mutual[url].add(other)
                self._mutual[other].add(url)


def _largest(page: str, mutual: dict[str, set[str]], size: int) -> tuple[str, ...]:
    """Returns the largest complete subdigraph that contains a page, up to `size` pages."""
    best: tuple[str, ...] = ()

    def grow(chosen: tuple[str, ...], candidates: list[str]) -> None:
        nonlocal best
        if len(chosen) > len(best):
            best = chosen
        for rank, candidate in enumerate(candidates):
            rest = candidates[rank:]
            if len(best) == size or len(chosen) + _at_most(rest, mutual) <= len(best):
                return
            grow((*chosen, candidate), [other for other in rest if other in mutual[candidate]])

    grow((page,), [other for other in mutual if other in mutual[page]])
    return best


def _at_most(pages: list[str], mutual: dict[str, set[str]]) -> int:
    """Returns an upper bound of how many pages all link to each other: the number of groups without links inside."""
    groups: list[list[str]] = []
    for page in pages:
        for group in groups:
            if mutual[page].isdisjoint(group):
                group.append(page)
                break
        else:
            groups.append([page])
    return len(groups)
