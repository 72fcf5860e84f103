"""The content as an HTML page that is safe to open and to publish."""

import pytest

from marked import as_html, as_text


def test_it_is_a_page_with_the_title_language_and_direction_of_the_original() -> None:
    html = "<html lang=ar dir=rtl><head><title>T &amp; U</title></head><body><p>menu</p><p>mine</p></body></html>"
    written = as_html(html, "menu", url="https://e.example/a")
    assert written.startswith('<!DOCTYPE html>\n<html lang="ar" dir="rtl">')
    assert "<title>T &amp; U</title>" in written
    assert '<base href="https://e.example/a">' in written
    assert '<meta charset="utf-8">' in written
    assert written.count("<style>") == 1
    assert "<p>mine</p>" in written
    assert "menu" not in written


def test_the_base_of_the_original_comes_first() -> None:
    html = "<!DOCTYPE html><head><base href='https://b.example/'></head><p>x</p>"
    written = as_html(html, url="https://e.example/a")
    assert written.count("<!DOCTYPE") == 1
    assert '<base href="https://b.example/">' in written
    assert "<title>https://e.example/a</title>" in written


@pytest.mark.parametrize(
    "unsafe",
    [
        "<script>alert(1)</script>",
        "<meta http-equiv=refresh content='0;url=x'>",
        "<link rel=stylesheet href=x.css>",
        "<p onclick='alert(1)'>x</p>",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href='java&#10;script:alert(1)'>x</a>",
        "<iframe src=x></iframe>",
        "<object data=x></object>",
        "<embed src=x>",
        "<form action=x><input name=a></form>",
        "<img src=x width=1 height=1>",
        "<img data-src='javascript:alert(1)'>",
        "<p style='background:url(x)'>x</p>",
        "<svg><script>alert(1)</script></svg>",
        "<base href='javascript:alert(1)//'>",
    ],
)
def test_nothing_in_it_runs_loads_frames_or_tracks(unsafe: str) -> None:
    written = as_html(f"<head>{unsafe}</head><body onload='alert(1)'><p>mine</p>{unsafe}", url="https://e.example/")
    inside = written[written.index("<body>") :]
    for sign in (
        "alert",
        "refresh",
        "<iframe",
        "<object",
        "<embed",
        "<form",
        "<input",
        "<link",
        "src=",
        "style=",
        " on",
    ):
        assert sign not in inside
    assert "alert" not in written
    assert "mine" in written


def test_links_tables_and_code_are_kept() -> None:
    html = "<a href='b'>b</a><table><tr><td colspan='2'>c</td></tr></table><pre class='language-py'>x</pre>"
    written = as_html(html)
    for part in ('<a href="b">b</a>', '<td colspan="2">c</td>', 'class="language-py"'):
        assert part in written


@pytest.mark.parametrize(
    "html",
    [
        "<x-a>One</x-a><x-a>Two</x-a>",
        "<form>One</form><nav>Two</nav>",
        "<button>One</button><button>Two</button>",
    ],
)
def test_words_do_not_run_together_around_unwritten_elements(html: str) -> None:
    assert as_text(as_html(html)).split() == ["One", "Two"]


def test_words_separated_only_by_a_style_are_separated_by_a_space() -> None:
    assert "<span>One</span> <span>Two</span>" in as_html("<span>One</span><span>Two</span>")


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<p>a<table><tr><td>b</table>", "<div>a<table><tbody><tr><td>b</td></tr></tbody></table></div>"),
        ("<!DOCTYPE html><p>a<x-b>c</x-b>", "<div>a<div>c</div></div>"),
        ("<p><b>a<x-c>d</x-c></b>", "<div><b>a<div>d</div></b></div>"),
        ("<p>a<button><p>b</button>", "<div>a <p>b</p> </div>"),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<ul><li>a<form><li>b</form></ul>", "<ul><li>a<div><div>b</div></div></li></ul>"),
        ("<ul><li>a<button><div><li>b</div></button></ul>", "<ul><li>a <div><div>b</div></div> </li></ul>"),
        ("<ul><li>a<ul><li>b</ul></ul>", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("<dl><dt>a<button><dd>b</button></dl>", "<dl><dt>a <div>b</div> </dt></dl>"),
        ("<h1>a<font><h2>b</h2></font></h1>", "<h1>a<div>b</div></h1>"),
        ("<h1>a<b><h2>b</h2></b></h1>", "<h1>a<b><h2>b</h2></b></h1>"),
        ("<a href=x>a<marquee><a href=y>b</a></marquee></a>", '<a href="x">a<span>b</span></a>'),
        ("<ul><thing><stuff><li>a</stuff></thing></ul>", "<ul><span><li>a</li></span></ul>"),
        ("<thing><u<><li>a", "<div>a</div>"),
        ("<u<><button><b><li>a", "<b><div>a</div></b>"),
        ("<thing><div><stuff><li>a", "<div><span><li>a</li></span></div>"),
        ("<ul><thing><li>a</thing></ul>", "<ul><li>a</li></ul>"),
        ("<p>a</p><template><form>b</form></template>", "<p>a</p>"),
        ("<table><form><tr><td>a</table>", "<table> <tbody><tr><td>a</td></tr></tbody></table>"),
    ],
)
def test_no_tag_is_written_as_text_if_an_element_could_not_be_parsed_again(html: str, written: str) -> None:
    assert f"<body>\n{written}\n</body>" in as_html(html)
    assert f"<body>\n{written}\n</body>" in as_html(as_html(html))
