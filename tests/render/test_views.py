"""Views of a marked page: only its template, only its content, and the whole page with numbered regions."""

from collections.abc import Callable

import pytest

import dehusk
from dehusk import render
from dehusk.marking.marking import Marking
from marked import marking

HOSTILE = (
    "<head><meta http-equiv=refresh content='0;url=http://a.test/'><base href=http://a.test/><script>alert(1)</script>"
    "<!-- <head> --><link rel=stylesheet href=http://a.test/a.css><style>@import 'http://a.test/b.css';</style></head>"
    "<body onload='alert(1)' background=http://a.test/c.png><nav><a href='javascript:alert(1)' ping=http://a.test/>menu"
    "</a><iframe src=http://a.test/></iframe><form action=http://a.test/><input type=image src=http://a.test/d.png "
    "name=forms formaction=http://a.test/></form></nav><p style='background:url(http://a.test/e)' data-husk=9>mine"
    "<img src=http://a.test/f.png srcset='http://a.test/g 2x' onerror=alert(1)><svg onload=alert(1)><a xlink:href="
    "'javascript:alert(1)'></svg><video src=http://a.test/h poster=http://a.test/i></video><math href="
    "'javascript:alert(1)'><mi>x</mi></math><object data=http://a.test/j></object><embed src=http://a.test/k>"
)


def _numbered(marked: Marking) -> str:
    return render.numbered_html(marked, [(node, True) for node in marked.topmost])


VIEWS: list[Callable[[Marking], str]] = [_numbered, render.template_html, render.content_html]


@pytest.mark.parametrize("show", VIEWS)
def test_nothing_in_a_view_runs_loads_or_leads_anywhere(show: Callable[[Marking], str]) -> None:
    written = show(marking(HOSTILE, "menu"))
    assert "default-src 'none'" in written
    for sign in (
        "refresh",
        "alert",
        "<script",
        "<iframe",
        "<base",
        "<link",
        "name=",
        " href=",
        'data-husk="9"',
        "<svg",
    ):
        assert sign not in written
    assert "a.test" not in written.replace("@-off- 'http://a.test/b.css'", "")


def test_a_view_has_the_style_of_its_page_if_it_is_available() -> None:
    html = (
        "<head><link rel=stylesheet media=print href=a.css><link rel='alternate stylesheet' href=b.css></head>"
        "<nav><p>menu</p></nav><style>p{color:red}</style><p style='color:blue'>x</p>"
    )
    sheets = {"a.css": "p{background:url(x.png)}", "b.css": "p{color:green}"}
    written = render.template_html(marking(html, "menu"), sheets.get)
    assert '<style media="print">p{background:none}</style>' in written
    assert '<style media="all">p{color:red}</style>' in written
    assert "green" not in written
    assert '<p style="color:blue">' in render.content_html(marking(html, "menu"))


def test_embedded_pictures_are_shown_and_others_leave_an_empty_box() -> None:
    html = "<p>x<img src=data:image/gif;base64,R0 alt=a><img src=far.png width=30 height=20><img src=far.png alt=c></p>"
    written = render.content_html(marking(html))
    assert 'src="data:image/gif;base64,R0"' in written
    assert "width='30' height='20'" in written
    assert '<img alt="c">' in written


def test_html_of_the_template_has_all_but_the_content() -> None:
    html = "<head><title>T</title></head><nav><p>menu</p></nav><main><p>mine</p></main>"
    written = render.template_html(marking(html, "menu"))
    assert "menu" in written
    assert "mine" not in written
    assert "<title>T</title>" in written


def test_html_of_the_content_has_all_but_the_template() -> None:
    written = render.content_html(marking("<nav><p>menu</p></nav><main><p>mine</p></main>", "menu"))
    assert "menu" not in written
    assert "<main><p>mine</p></main>" in written


def test_regions_are_numbered_and_text_nodes_get_an_element() -> None:
    marked = marking("<nav><p>menu</p></nav><div>loose<p>mine</p></div>", "menu", "loose")
    nav, loose, mine = (
        next(k for k in range(9) if marked.page.tree.text[k] == text) for text in ("menu", "loose", "mine")
    )
    written = render.numbered_html(marked, [(nav - 2, True), (loose, True), (mine - 1, False)])
    assert '<nav data-husk="0" data-husk-removed="">' in written
    assert '<husk-text data-husk="1" data-husk-removed="">loose</husk-text>' in written
    assert '<p data-husk-kept="" data-husk="2">mine</p>' in written


def test_all_renderings_of_a_page_can_be_made_in_any_order() -> None:
    pages = [f"<nav>menu</nav><p>mine {k}</p>" for k in "ab"]
    cleaned = dehusk.learn(pages).clean(pages[0])
    assert cleaned.html.count("mine a") == cleaned.markdown.count("mine a") == cleaned.text.count("mine a") == 1
    assert "menu" in render.numbered_html(cleaned.marking, [])


@pytest.mark.parametrize(
    "raw", ["<plaintext>a<b>c", "<xmp>a<b>c</xmp><p>d", "<body><frameset><frame src=x></frameset>", ""]
)
def test_unusual_pages_have_views(raw: str) -> None:
    for show in VIEWS:
        written = show(marking(f"<p>mine</p>{raw}"))
        assert "<plaintext" not in written
        assert "<frame" not in written


def test_links_look_like_links_unless_the_page_styles_them() -> None:
    written = render.content_html(marking("<style>a{color:red}</style><p><a href=/x>word</a></p>"))
    assert '<a data-href="/x">' in written
    assert 0 < written.index(":where([data-href]){color:#00e;text-decoration:underline") < written.index("a{color:red}")
