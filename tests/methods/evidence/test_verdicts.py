"""The quick walk writes the same as marking every node."""

import pickle
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
import demo_site
from dehusk import render
from dehusk.methods.evidence.verdicts import Evidence, Region
from dehusk.page import Page
from dehusk.page.elements import text_of
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.posts import posts_of
from dehusk.templates.template import Template
from marked import thoroughly

PAGES = demo_site.pages()
URL = "https://e.example/a/"

NAMES = ["", ' class="menu"', ' class="body x7"', ' id="top"', ' role="main"', ' class="post-12"']
ELEMENTS = ["div", "p", "ul", "li", "a", "span", "table", "tr", "td", "h2", "nav", "pre", "b"]
LEAVES = [
    "Home", "A word of its own. ", " ", "&nbsp;", "\n  ", "<br>", "<img src=x.png>", "<!-- note -->", "|", "12",
    "<script>var menu = 1</script>", "<noscript><iframe>no</iframe></noscript>", "<svg><title>t</title></svg>",
]  # fmt: skip

fragments = st.recursive(
    st.sampled_from(LEAVES),
    lambda inside: st.builds(
        lambda tag, names, parts: f"<{tag}{names}>{''.join(parts)}</{tag}>",
        st.sampled_from(ELEMENTS),
        st.sampled_from(NAMES),
        st.lists(inside, max_size=4),
    ),
    max_leaves=25,
)
pages = st.lists(fragments, max_size=5).map(lambda parts: f"<html><head><title>T</title></head><body>{''.join(parts)}")


def quick(cleaned: Cleaned) -> bool:
    return cleaned.marking._quick is not None


def agree(template: Template, html: str) -> Cleaned:
    """The same page both ways: all outputs, and everything known about it."""
    cleaned, marking = template.clean(Page(html, url=URL)), thoroughly(template.mark(Page(html, url=URL)))
    page, gone = marking.page, render.unseen(marking.page, marking.gone)
    posts, signed = (posts_of(page, gone, cleaned.kind, signed=signed) for signed in (False, True))
    assert cleaned.text == render.text(page, gone, posts=posts)
    assert cleaned.html == render.html(page, gone)
    assert cleaned.markdown == render.markdown(page, gone, title=marking.title, posts=signed)
    assert (cleaned.family, cleaned.warnings, cleaned.length) == (marking.family, marking.warnings, marking.length)
    assert cleaned.share_removed == pytest.approx(marking.share_removed)
    return cleaned


@settings(max_examples=100, deadline=None)
@given(st.lists(pages, min_size=1, max_size=5), pages)
def test_the_quick_walk_writes_what_marking_writes(learned_from: list[str], html: str) -> None:
    template = dehusk.learn(learned_from)
    for one in (html, learned_from[0]):
        agree(template, one)


@settings(max_examples=30, deadline=None)
@given(st.lists(pages, min_size=4, max_size=6), st.lists(pages, min_size=4, max_size=6), pages)
def test_the_quick_walk_writes_the_same_on_a_site_of_several_families(
    shop: list[str], blog: list[str], html: str
) -> None:
    menus = ["".join(f"<li>{name} {number}</li>" for number in range(8)) for name in ("Shop", "Blog")]
    sites = [
        [f"{one}<p>{number}</p>{menu}" for number, one in enumerate(kind)]
        for kind, menu in zip((shop, blog), menus, strict=True)
    ]
    template = dehusk.learn(sites[0] + sites[1])
    for one in (html, sites[0][0], sites[1][0]):
        agree(template, one)


def test_the_quick_walk_writes_the_same_on_the_demo_site() -> None:
    template = dehusk.learn(PAGES.values())
    cleaned = [agree(template, html) for html in PAGES.values()]
    assert sum(map(quick, cleaned)) > 0.9 * len(cleaned)


@pytest.mark.parametrize("options", [{"favor": "precision"}, {"favor": "recall"}])
def test_the_quick_walk_writes_the_same_with_options(options: dict[str, Any]) -> None:
    template = dehusk.learn(PAGES.values(), **options)
    for html in PAGES.values():
        agree(template, html)


def test_the_grain_nodes_and_other_methods_mark_every_node() -> None:
    html = next(iter(PAGES.values()))
    for template in (dehusk.learn(PAGES.values(), grain="nodes"), dehusk.learn(PAGES.values(), method="rtdm")):
        assert not quick(agree(template, html))


def test_the_guard_handles_a_page_of_which_little_would_be_left() -> None:
    template = dehusk.learn([html for name, html in PAGES.items() if name.startswith("shop/")])
    cleaned = agree(template, "<body><nav><a href=/>Home</a> <a href=/b>Blog</a></nav>")
    assert not quick(cleaned)
    assert "Home" in cleaned.text


def test_a_deep_template_can_be_sent_to_another_process_and_cleans_the_same() -> None:
    deep = ["<div>" * 400 + f"<p>Home</p><b>words {number} of its own</b>" for number in range(4)]
    template = dehusk.learn(deep)
    again = pickle.loads(pickle.dumps(template))
    assert [again.clean(html).text for html in deep] == [template.clean(html).text for html in deep]


def test_a_template_may_be_used_from_many_threads() -> None:
    template = dehusk.learn(PAGES.values())
    alone = [template.clean(html).text for html in PAGES.values()]
    found: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: found.append([template.clean(html).text for html in PAGES.values()]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


@pytest.mark.parametrize(("repeated", "heading"), [((), False), (("short",), True)])
def test_headings_go_with_their_sections_except_at_the_grain_of_nodes(repeated: tuple[str, ...], heading: bool) -> None:
    regions = (
        Region(-1, "body", 3, None, 0.8, whole=False, repeated=0.1, links=0.1),
        *(Region(0, tag, 3, None, 0.9, whole=True, repeated=0.1, links=0.0) for tag in ("h1", "h2", "p")),
        Region(0, "ul", 3, None, 0.1, whole=True, repeated=0.1, links=1.0),
    )
    rules = Evidence(3, 0.5, regions, repeated)
    page = Page("<h1>Lamps</h1><p>Words about lamps.</p><h2>More</h2><ul><li><a href=x>All our lamps</a></ul>")
    marks = rules.mark(page)
    kept = [text for text, gone in zip(page.tree.text, marks.flags, strict=True) if text and not gone]
    assert kept == ["Lamps", "Words about lamps.", *(["More"] * heading)]
    assert "90% sure" in marks.reason(next(node for node, tag in enumerate(page.tree.tag) if tag == "ul"))
    if not heading:
        assert "90% sure" in marks.reason(page.tree.tag.index("h2"))


def test_a_word_of_a_short_sentence_stays_on_a_page_of_its_own() -> None:
    regions = (
        Region(-1, "body", 1, None, 0.8, whole=False, repeated=0.0, links=0.1),
        Region(0, "p", 1, 0.9, 0.8, whole=False, repeated=0.0, links=0.1),
        Region(1, "a", 1, None, 0.1, whole=True, repeated=0.0, links=1.0),
    )
    page = Page("<p>Interesting <a href=x>research</a> from RAND:</p><p>Ann Lee | <a href=y>Share</a>")
    assert [text_of(node) for node in Evidence(1, 0.5, regions, ()).mark(page).topmost or ()] == ["Share"]
