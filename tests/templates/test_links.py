"""Choosing pages to compare: distances, the order of links, complete subdigraphs, and safe paths in folders."""

import itertools
import os
from collections import deque
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import SHARED
from dehusk.base.errors import FetchError, OutputError, UsageError
from dehusk.base.urls import normal
from dehusk.page import Page
from dehusk.templates.links import (
    FOLDER,
    PageFolder,
    Subdigraph,
    among,
    complete_subdigraph,
    dom_distances,
    hyperlink_distance,
    links,
    over,
)

SITE = "https://site.example/"
LINKED = ("rust-book", "tomcat10-docs", "selinux-policy-html")  # their pages link to each other


def page(name: str, *targets: str) -> Page:
    """A page of the site with links to others as siblings."""
    return Page(f"<p>{name}" + "".join(f'<a href="{target}">{target}</a>' for target in targets), url=SITE + name)


class Site:
    """Pages by name, each with the names it links to; records the order of loading."""

    def __init__(self, **targets: str) -> None:
        self.pages = {name: page(name, *names.split()) for name, names in targets.items()}
        self.asked: list[str] = []

    def __call__(self, url: str) -> Page | None:
        """Loads a page."""
        self.asked.append(url.removeprefix(SITE))
        return self.pages.get(url.removeprefix(SITE))

    def find(self, key: str, *, size: int = 3, limit: int = 100) -> Subdigraph:
        """The pages found from a key page."""
        return complete_subdigraph(self.pages[key], self, size=size, limit=limit)


def found(subdigraph: Subdigraph) -> set[str]:
    return {(page.url or "").removeprefix(SITE) for page in subdigraph.pages}


@pytest.mark.parametrize(
    ("origin", "target", "distance"),
    [
        ("a/b/x.html", "a/b/y.html", 0),
        ("a/b/x.html", "a/b/", 0),
        ("a/b/x.html", "a/b/c/y.html", 1),
        ("a/b/x.html", "a/b/c/d/", 2),
        ("a/b/x.html", "a/y.html", -1),
        ("a/b/x.html", "y.html", -2),
        ("a/b/x.html", "a/c/y.html", -2),
        ("a/b/x.html", "a/c/d/y.html", -3),
        ("x.html?p=/a/b/", "a/y.html?q=/c/#/d/", 1),
        ("", "a", 0),
    ],
)
def test_the_hyperlink_distance_is_positive_downwards_and_negative_after_any_climb(
    origin: str, target: str, distance: int
) -> None:
    assert hyperlink_distance(SITE + origin, SITE + target) == distance


def test_the_dom_distance_is_the_number_of_edges_between_two_nodes() -> None:
    tree = Page("<div><p>a<b>c</b></p><ul><li>d<li><a href=x>e</a></ul></div><hr><p>f").tree
    near: dict[int, set[int]] = {node: set() for node in range(len(tree))}
    for node in range(1, len(tree)):
        near[node].add(tree.parent[node])
        near[tree.parent[node]].add(node)
    for start in range(len(tree)):
        steps, waiting = {start: 0}, deque([start])
        while waiting:
            here = waiting.popleft()
            for other in near[here] - steps.keys():
                steps[other] = steps[here] + 1
                waiting.append(other)
        assert list(dom_distances(tree, start)) == [steps[node] for node in range(len(tree))]


def test_links_are_other_pages_of_the_host_each_once_in_document_order() -> None:
    hrefs = ["b", "#top", "key", "HTTPS://Site.Example:443/a/../key#x", "b#part", "b?q=1", "/c/", "mailto:a@b.example"]
    hrefs += ["javascript:go()", "https://else.example/b", "//site.example/d", "ftp://site.example/e", "http://[f", ""]
    hrefs += ["g.pdf", "h.png", "i.tar.gz", "j.css", "k.php", "l.xhtml", " m ", "n.html.gz"]
    markup = "".join(f'<a href="{href}">{href}</a>' for href in hrefs) + '<map><area href="o"></map><img src="p">'
    names = [link.url.removeprefix(SITE) for link in links(Page(markup, url=SITE + "key"))]
    assert names == ["b", "b?q=1", "c/", "d", "k.php", "l.xhtml", "m", "o"]


def test_a_link_is_at_the_node_where_its_address_comes_first() -> None:
    one = Page('<p><a href="a">1</a></p><a href="b">2</a><a href="a#x">3</a>', url=SITE)
    assert [(link.url.removeprefix(SITE), one.tree.text[link.node + 1]) for link in links(one)] == [
        ("a", "1"),
        ("b", "2"),
    ]


def test_links_are_relative_to_the_base_of_the_page() -> None:
    assert [link.url for link in links(Page('<base href="/a/"><a href="b">b</a>', url=SITE + "c/d"))] == [SITE + "a/b"]


def test_a_saved_page_with_its_old_url_as_base_still_links_to_its_neighbours() -> None:
    saved = Page(f'<base href="{SITE}a/"><a href="b.html">b</a>', url=FOLDER + "c/d.html")
    assert [link.url for link in links(saved)] == [FOLDER + "c/b.html"]


def test_a_page_without_an_address_has_no_links() -> None:
    assert links(Page(f'<a href="{SITE}">home</a>')) == []


def test_links_are_followed_from_the_same_directory_downwards_then_upwards_the_nearest_first() -> None:
    key = page("a/b/key", "../../up", "../up", "c/d/down", "../e/side", "c/down", "same", "../e/f/side")
    asked: list[str] = []
    complete_subdigraph(key, lambda url: asked.append(url.removeprefix(SITE)))
    assert asked == ["a/b/same", "a/b/c/down", "a/b/c/d/down", "a/up", "up", "a/e/side", "a/e/f/side"]


def test_among_links_of_one_directory_the_farthest_on_the_page_comes_next() -> None:
    key = Page(
        "<ul><li><a href=a>a</a><a href=b>b</a></ul><div><p><b><a href=c>c</a><a href=d>d</a></b></div><a href=e>e</a>",
        url=SITE + "key",
    )
    asked: list[str] = []
    complete_subdigraph(key, lambda url: asked.append(url.removeprefix(SITE)))
    assert asked == ["a", "c", "e", "b", "d"]


def test_links_that_loaded_pages_have_too_are_followed_first() -> None:
    teasers = [f"t{number}" for number in range(30)]
    site = Site(key=" ".join([*teasers, "a", "b", "c"]), a="b c", b="a c", c="a b", **dict.fromkeys(teasers, "a b c"))
    assert found(site.find("key")) == {"a", "b", "c"}
    assert site.asked[0] == "t0"
    assert sorted(site.asked[1:]) == ["a", "b", "c"]


def test_the_key_page_is_loaded_too_but_not_one_of_the_pages_and_need_not_be_linked_back() -> None:
    site = Site(key="a b c d", a="b c", b="a c", c="a b", d="key")
    result = site.find("key", size=3)
    assert found(result) == {"a", "b", "c"}
    assert result.loaded == 1 + len(site.asked)
    assert site.find("key", size=1).loaded == 2


def test_without_a_subdigraph_of_the_size_the_largest_is_given() -> None:
    site = Site(key="a b c d e", a="b", b="a c", c="d", d="e c", e="")
    result = site.find("key")
    assert found(result) in ({"a", "b"}, {"c", "d"})
    assert (result.loaded, result.failed) == (6, 0)


def test_links_that_lead_to_no_page_are_counted_separately() -> None:
    result = Site(key="x a y b", a="b", b="a").find("key", size=2)
    assert (found(result), result.loaded) == ({"a", "b"}, 3)
    assert 0 <= result.failed <= 2
    assert Site(key="x y").find("key") == Subdigraph((), 1, 2)


def test_no_more_links_than_the_limit_are_followed() -> None:
    site = Site(key=" ".join(f"t{number}" for number in range(50)))
    assert site.find("key", limit=7).failed == 7
    assert len(site.asked) == 7


def test_a_size_below_one_is_refused() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        Site(key="a").find("key", size=0)


NAMES = "abcdefg"


@settings(max_examples=200, deadline=None)
@given(st.sets(st.tuples(st.sampled_from("k" + NAMES), st.sampled_from(NAMES))), st.integers(1, 5))
def test_the_subdigraph_is_complete_and_as_large_as_by_brute_force(edges: set[tuple[str, str]], size: int) -> None:
    targets = {name: [b for a, b in sorted(edges) if a == name] for name in "k" + NAMES}
    result = found(Site(**{name: " ".join(names) for name, names in targets.items()}).find("k", size=size))
    complete = [
        some
        for count in range(size + 1)
        for some in itertools.combinations(targets["k"], count)
        if all(b in targets[a] for a, b in itertools.permutations(some, 2))
    ]
    assert result in map(set, complete)
    assert len(result) == max(map(len, complete))


def test_one_page_with_two_addresses_is_one_page() -> None:
    home = '<a href="/">home</a><a href="index.html">home</a>'
    pages = {url: Page(home, url=url) for url in (SITE, SITE + "index.html")}
    result = complete_subdigraph(page("key", "index.html", "/"), pages.get)
    assert (len(result.pages), result.loaded) == (1, 3)


def test_a_page_that_changes_between_two_redirects_to_it_is_one_page() -> None:
    pages = {
        SITE + name: Page(f'{name}<a href="old">1</a><a href="older">2</a>', url=SITE + "new")
        for name in ("old", "older")
    }
    assert len(complete_subdigraph(page("key", "old", "older"), pages.get).pages) == 1


def test_a_redirect_is_found_by_both_urls() -> None:
    pages = {SITE + "old": page("new", "a", "b"), SITE + "a": page("a", "new", "b"), SITE + "b": page("b", "old", "a")}
    result = complete_subdigraph(page("key", "old", "new", "a", "b"), pages.get, size=4)
    assert found(result) == {"new", "a", "b"}
    assert (result.loaded, result.failed) == (4, 0)


def test_a_copy_of_the_key_page_is_not_another_page() -> None:
    key = page("key", "copy")
    assert complete_subdigraph(key, lambda url: Page(key.html, url=url)).pages == ()


@pytest.mark.parametrize("target", [SITE + "key", "https://else.example/a"])
def test_a_redirect_to_the_key_page_or_another_host_gives_no_page(target: str) -> None:
    result = complete_subdigraph(page("key", "a"), lambda _: Page("<p>moved", url=target))
    assert (result.pages, result.loaded) == ((), 2)


def test_many_pages_in_groups_without_links_inside_are_searched_quickly() -> None:
    # A complete graph of six groups has 15 ** 6 subdigraphs of six pages, and none of seven.
    names = [f"p{number}" for number in range(90)]
    targets = {
        name: " ".join(other for k, other in enumerate(names) if k % 6 != number % 6)
        for number, name in enumerate(names)
    }
    result = Site(key=" ".join(names), **targets).find("key", size=7)
    assert len(result.pages) == 6


def test_given_pages_are_found_by_url() -> None:
    load = among([page("a b"), Page("<p>nowhere")])
    assert load(SITE + "a%20b")
    assert load(SITE + "c") is None


def test_a_failed_fetch_gives_no_page_and_other_errors_are_not_hidden() -> None:
    def fetch(url: str) -> Page:
        raise FetchError(url, "gone") if url.endswith("gone") else OutputError("disk full")

    assert over(fetch)(SITE + "gone") is None
    with pytest.raises(OutputError):
        over(fetch)(SITE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a secret file outside of it."""
    for name in ("in/a.html", "in/b/index.html", "in/b/c d.html", "in/p?id=1", "in/100%.html", "secret.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"<p>{name}")
    return tmp_path / "in"


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("a.html", "a.html"),
        ("/a.html#top", "a.html"),
        ("a.html?q=1", "a.html"),
        ("b/", "b/index.html"),
        ("b", "b/index.html"),
        ("b/c d.html", "b/c d.html"),
        ("b/c%20d.html", "b/c d.html"),
        ("b/../a.html", "a.html"),
        ("p?id=1", "p?id=1"),
        ("p%3Fid=1", "p?id=1"),
        ("100%25.html", "100%.html"),
    ],
)
def test_links_of_a_folder_lead_to_its_files(root: Path, link: str, name: str) -> None:
    loaded = PageFolder(root)(normal(link, FOLDER) or "")
    assert loaded
    assert loaded.name == name
    assert loaded.url == PageFolder(root).url(root / name)


@pytest.mark.parametrize(
    "link",
    [
        "../secret.html",
        "/../secret.html",
        "b/../../secret.html",
        "%2e%2e/secret.html",
        "%2e%2e%2fsecret.html",
        "..%2fsecret.html",
        "b/%2e%2e/%2e%2e/secret.html",
        "..%5csecret.html",
        "%252e%252e/secret.html",
        "SECRET",
        "/SECRET",
        "%2FSECRET",
        "//SECRET",
        "file://SECRET",
        "file:SECRET",
        FOLDER + "../secret.html",
        FOLDER + "%2e%2e/secret.html",
        "out.html",
        "out/secret.html",
        "loop",
        "pipe",
        "a.html%00",
        "x" * 5000,
        "https://else.example/a.html",
    ],
)
def test_no_link_leads_outside_a_folder(root: Path, link: str) -> None:
    (root / "out.html").symlink_to(root.parent / "secret.html")
    (root / "out").symlink_to(root.parent)
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    link = link.replace("SECRET", str(root.parent / "secret.html"))
    for url in (link, normal(link, FOLDER), normal(link, FOLDER + "b/"), FOLDER + link):
        assert PageFolder(root)(url or "") is None


def test_symbolic_links_inside_a_folder_are_followed(root: Path) -> None:
    (root / "alias.html").symlink_to("a.html")
    loaded = PageFolder(root)(FOLDER + "alias.html")
    assert loaded
    assert loaded.name == "a.html"


def test_other_files_are_not_loaded_from_a_folder(root: Path) -> None:
    (root / "a.html").write_bytes(b"%PDF-1.7")
    assert PageFolder(root)(FOLDER + "a.html") is None


def test_a_file_outside_a_folder_has_no_address_there(root: Path) -> None:
    assert PageFolder(root).url(root / "b" / "c d.html") == FOLDER + "b/c%20d.html"
    assert PageFolder(root).url(root.parent / "secret.html") is None
    (root / "out.html").symlink_to(root.parent / "secret.html")
    assert PageFolder(root).url(root / "out.html") is None


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no data at {SHARED}")
@pytest.mark.parametrize("name", LINKED)
def test_real_sites_show_three_pages_of_a_menu_after_few_loads(name: str) -> None:
    folder = SHARED / "docs" / name / "pages"
    load = PageFolder(folder)
    pages = [Page(file.read_bytes(), url=load.url(file)) for file in folder.rglob("*.html")]
    results = [complete_subdigraph(key, load) for key in sorted(pages, key=lambda one: one.digest)[:10]]
    assert [len(result.pages) for result in results] == [3] * 10
    assert sum(result.loaded for result in results) <= 50
