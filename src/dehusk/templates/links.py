"""Which pages to compare with a key page: those of its links that all link to each other, as the pages of a menu do.

J. Alarte, D. Insa, J. Silva, S. Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level Web Template
Extraction. 2015, section 3.1.

Such pages form a complete subdigraph of the site, and very likely share a template. To find one of n pages, the links
of the key page are followed one after the other until n pages link to each other. The key page is not one of the n.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from urllib.parse import urlsplit

from dehusk.base.errors import FetchError, UsageError
from dehusk.base.tree import Tree
from dehusk.base.urls import normal, quoted, unquoted
from dehusk.page import LARGEST, Page, may_be_page, unusable

SIZE = 3
"""Pages to look for. With more, templates are hardly better, and many more pages must be loaded (Table 2)."""

LIMIT = 100
"""Links to follow at most. The paper's largest search, for eight pages, loads 32 on average (Table 2)."""

FOLDER = "https://folder.invalid/"
"""The address a folder's root gets, so that links between its pages resolve as they would on the web (RFC 2606)."""

Load = Callable[[str], Page | None]
"""From a URL to its page, or None where there is none."""

_INDEXES = ("index.html", "index.htm")


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A link to another page of the same host, and the node of the page's tree it was first found at."""

    url: str
    node: int


@dataclass(frozen=True, slots=True)
class Subdigraph:
    """Pages that all link to each other, and how many pages were loaded to find them, the key page included."""

    pages: tuple[Page, ...]
    loaded: int
    failed: int


def complete_subdigraph(key: Page, load: Load, *, size: int = SIZE, limit: int = LIMIT) -> Subdigraph:
    """The first `size` pages found that the key page links to and that link to each other; else as many as were found.

    No more than `limit` links are followed; `failed` is how many of them led to no page.
    """
    if size < 1:
        raise UsageError(f"size must be at least 1, not {size}")
    search = _Search(key)
    while len(search.best) < size and search.followed < limit and (link := search.next()):
        search.follow(link, load(link.url), size)
    return Subdigraph(tuple(search.pages[url] for url in search.best), search.loaded, search.failed)


def candidates(key: Page, limit: int = LIMIT) -> list[str]:
    """The links of a page in the order in which they are followed as long as no page is there, the best first."""
    search = _Search(key)
    urls: list[str] = []
    while len(urls) < limit and (link := search.next()):
        search.follow(link, None, SIZE)
        urls.append(link.url)
    return urls


def links(page: Page) -> list[SiteLink]:
    """The links of a page to other pages of its host, in document order, each address once.

    Empty if the page's own address is not known.
    """
    if not page.url or not (own := normal(page.url)):
        return []
    base = page.base_url
    if own.startswith(FOLDER) and not base.startswith(FOLDER):
        base = own  # a saved page may still name its old home, to which no link of the folder leads
    by_url: dict[str, SiteLink] = {}
    for node, link in enumerate(page.tree.link):
        if link and page.tree.tag[node] != "img":
            url = normal(link, base)
            if url and url != own and _host(url) == _host(own) and may_be_page(urlsplit(url).path.rpartition("/")[2]):
                by_url.setdefault(url, SiteLink(url, node))
    return list(by_url.values())


def hyperlink_distance(origin: str, target: str) -> int:
    """Steps between the directories of two URLs: positive if all lead down, negative if one leads up."""
    here, there = _directories(origin), _directories(target)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))
    up, down = len(here) - common, len(there) - common
    return -(up + down) if up else down


def dom_distances(tree: Tree, node: int) -> "array[int]":
    """From one node to every node of a tree: the edges between them."""
    distances = array("i", [-1]) * len(tree)
    for steps, above in enumerate((node, *tree.ancestors(node))):
        distances[above] = steps
    for other in range(len(tree)):
        if distances[other] < 0:
            distances[other] = distances[tree.parent[other]] + 1
    return distances


def among(pages: Iterable[Page]) -> Load:
    """A loader over pages that are at hand, such as those of an archive, by their URLs."""
    by_url = {normal(page.url): page for page in pages if page.url}
    return by_url.get


def over(fetch: Callable[[str], Page]) -> Load:
    """A loader that fetches; what cannot be fetched is no page."""

    def load(url: str) -> Page | None:
        try:
            return fetch(url)
        except FetchError:
            return None

    return load


class PageFolder:
    """A loader over the files of a folder. Whatever a link says, nothing outside the folder is read."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def url(self, file: Path) -> str | None:
        """The address of a file of the folder; None if it is outside."""
        try:
            inside = file.resolve().relative_to(self._root)
        except (ValueError, RuntimeError):  # elsewhere, or nowhere: a link of the file system that leads to itself
            return None
        return FOLDER + "/".join(map(quoted, inside.parts))

    def __call__(self, url: str) -> Page | None:
        """The page of a file, or of the index of a folder."""
        if not url.startswith(FOLDER):
            return None
        for name in _names(url):
            try:
                # Links of the file system are followed first, so that the path that is checked is the one that is read.
                file = (self._root / name).resolve()
                if (own_url := self.url(file)) and file.is_file() and file.stat().st_size <= LARGEST:
                    data = file.read_bytes()
                    inside = file.relative_to(self._root).as_posix()
                    return None if unusable(data) else Page(data, url=own_url, name=inside)
            except (OSError, ValueError, RuntimeError):  # a name too long, a NUL in it, links that lead to themselves
                continue
        return None


def _names(url: str) -> Iterator[str]:
    """Files that may hold the page of a URL: a crawler may have put the query into the name, or not."""
    parts = urlsplit(url)
    path = unquoted(parts.path).lstrip("/")
    if parts.query:
        yield f"{path}?{parts.query}"
    yield path
    for index in _INDEXES:
        yield f"{path}/{index}".lstrip("/")


def _directories(url: str) -> list[str]:
    return urlsplit(url).path.split("/")[1:-1]


def _host(url: str) -> str:
    return urlsplit(url).netloc


class _Search:
    """What is known of a site while the links of its key page are followed."""

    def __init__(self, key: Page) -> None:
        self.pages: dict[str, Page] = {}
        self.best: tuple[str, ...] = ()
        self.loaded = 1
        self.failed = 0
        self.followed = 0
        self._key = key
        self._own = normal(key.url or "") or ""
        self._waiting = {link.url: link for link in links(key)}
        # The order of the links: the same directory first, then those below, then the others, the nearest first.
        distances = {url: hyperlink_distance(self._own, url) for url in self._waiting}
        self._rank = {url: (distance < 0, abs(distance)) for url, distance in distances.items()}
        self._nearest = {url: len(key.tree) for url in self._waiting}
        self._shared: Counter[str] = Counter()
        # The addresses a page is known by, where its links lead, and the pages it links to that link back.
        self._called: dict[str, set[str]] = {}
        self._leads: dict[str, set[str]] = {}
        self._mutual: dict[str, set[str]] = {}

    def next(self) -> SiteLink | None:
        """The link to follow: the one most of the loaded pages have too, as a menu is on all of them.

        Among those the nearest directory decides, then, as the pages should differ, the place on the key page that is
        farthest from all links followed so far, then the order of the document.
        """
        if not self._waiting:
            return None
        url = min(self._waiting, key=lambda url: (-self._shared[url], self._rank[url], -self._nearest[url]))
        return self._waiting.pop(url)

    def follow(self, link: SiteLink, page: Page | None, size: int) -> None:
        """Notes what a link led to, and looks for a larger subdigraph with it."""
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
        """The page that was loaded by another address already."""
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
    """The most pages, up to `size`, that one page forms a complete subdigraph with, itself among them."""
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
    """At most this many of the pages all link to each other: they fall into this many groups without a link inside."""
    groups: list[list[str]] = []
    for page in pages:
        for group in groups:
            if mutual[page].isdisjoint(group):
                group.append(page)
                break
        else:
            groups.append([page])
    return len(groups)
