"""Rendering: text, Markdown, HTML of the content and of the template, and the tinted page."""

import pytest

import dehusk
from dehusk import render
from dehusk.marking import Marking
from dehusk.page import Document, Page
from dehusk.rules import Marks

HEAD = "<title>T</title>"


def marking(html: str, *gone: str, url: str | None = None) -> Marking:
    """A page where these texts are template, and so are the elements that hold nothing else."""
    page = Page(html, url=url)
    tree = page.tree
    flags = bytearray(
        tag not in ("#text", "img") or text in gone for tag, text in zip(tree.tag, tree.text, strict=True)
    )
    return Marking(page, Marks(flags, lambda node: f"because of {tree.tag[node]}"))


def content(marked: Marking) -> Document:
    return marked.page.without(marked.gone)


def text(html: str, *gone: str) -> str:
    return render.text(content(marking(html, *gone)))


def markdown(marked: Marking) -> str:
    base = marked.page.base_url
    return render.markdown(content(marked), base)


def as_html(marked: Marking) -> str:
    return render.html(content(marked), marked.page)


def test_paragraphs_list_items_and_rows_have_lines_of_their_own() -> None:
    html = "<p>one</p><p>two</p><ul><li>a</li><li>b</li></ul><table><tr><td>c<td>d</tr><tr><td>e<td>f</table>"
    assert text(html) == "one\n\ntwo\n\n- a\n- b\n\nc  d\ne  f\n"


def test_what_is_template_is_not_written() -> None:
    assert text("<p>menu</p><p>mine</p>", "menu") == "mine\n"


def test_words_do_not_run_together_where_a_separator_was_template() -> None:
    assert text("<div><a>Shop</a>/<b>Mug</b></div>", "/") == "Shop Mug\n"


def test_tables_that_lay_out_a_page_are_read_as_blocks() -> None:
    html = (
        "<table><tr><td>side</td><td><p>first</p><p>second</p>"
        "<table><tr><th>k</th><td>v</td></tr><tr><th>l</th><td>w</td></tr></table></td></tr></table>"
    )
    assert text(html).split("\n") == ["side", "", "first", "", "second", "", "k  v", "l  w", ""]


def test_scripts_and_hidden_machinery_are_never_text() -> None:
    assert (
        text("<p>a<script>x()</script></p><select><option>o</select><iframe>i</iframe><svg><title>s</title></svg>")
        == "a\n"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<ul>stray words</ul>",
        "<ul><p>stray words</p><li>item</ul>",
        "<ol><div>stray words<li>item</div></ol>",
        "<table><caption>stray words</caption><tr><td>a<td>b</table>",
        "<dl>stray words<dt>t<dd>d</dl>",
        "<div><td>stray words</div>",
    ],
)
def test_what_markup_misplaces_is_written_all_the_same(html: str) -> None:
    assert "stray words" in text(html)
    assert "stray words" in markdown(marking(html))


def test_gaps_are_one_empty_line() -> None:
    assert text("<div>a</div><div> <br> <br><br></div><p>&nbsp;</p><div><p></p>b</div>").count("\n\n\n") == 0


def test_a_table_of_one_column_is_no_table() -> None:
    assert markdown(marking("<table><tr><td><b>Title</b></td></tr></table>")) == "**Title**\n"


def test_a_sealed_page_loads_nothing_and_goes_nowhere() -> None:
    html = "<head><meta http-equiv=refresh content='0;url=x'><!-- <head> --></head><p>x</p>"
    for show in (render.highlighted_html, render.template_html):
        written = show(marking(html), sealed=True)
        assert "default-src 'none'" in written
        assert "refresh" not in written


def test_an_empty_page_is_empty_text() -> None:
    assert text("") == ""


def test_markdown_keeps_headings_tables_code_and_makes_links_absolute() -> None:
    html = (
        "<h2>H</h2><p>See <a href='../b'>b</a>.</p><pre><code>x = 1\n  y</code></pre>"
        "<table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table><img src='i.png' alt='I'>"
    )
    written = markdown(marking(html, url="https://e.example/a/c.html"))
    assert "## H\n" in written
    assert "[b](https://e.example/b)" in written
    assert "```\nx = 1\n  y\n```" in written
    assert "| k | v |\n| --- | --- |\n| 1 | 2 |" in written
    assert "![I](https://e.example/a/i.png)" in written


def test_markdown_takes_the_base_of_the_page_first() -> None:
    html = "<head><base href='https://base.example/x/'></head><a href='y'>y</a>"
    assert markdown(marking(html, url="https://e.example/")) == "[y](https://base.example/x/y)\n"


def test_markdown_leaves_relative_links_where_no_address_is_known() -> None:
    assert markdown(marking("<a href='y'>y</a>")) == "[y](y)\n"


def test_markdown_writes_the_words_of_an_inline_image_not_its_bytes() -> None:
    assert markdown(marking("<img alt='A boat' src='data:image/png;base64,AAAA'>")) == "A boat\n"


def test_html_of_the_content_is_a_page_with_the_head_of_the_original() -> None:
    html = (
        "<html lang=fr><head><title>T</title><meta name=a content=b></head><body><p>menu</p><p>mine</p></body></html>"
    )
    written = as_html(marking(html, "menu", url="https://e.example/a"))
    assert written.startswith("<!DOCTYPE html><html lang=")
    assert "<title>T</title>" in written
    assert '<base href="https://e.example/a">' in written
    assert '<meta name="a" content="b">' in written
    assert '<meta charset="utf-8">' in written
    assert "<p>mine</p>" in written
    assert "menu" not in written


def test_html_keeps_the_doctype_and_the_base_there_is() -> None:
    html = "<!DOCTYPE html><head><base href='https://b.example/'></head><p>x</p>"
    written = as_html(marking(html, url="https://e.example/a"))
    assert written.lower().count("<!doctype") == 1
    assert written.count("<base") == 1
    assert "<title>https://e.example/a</title>" in written


def test_html_of_the_template_has_all_but_the_content() -> None:
    html = "<head><title>T</title></head><nav><p>menu</p></nav><main><p>mine</p></main>"
    written = render.template_html(marking(html, "menu"))
    assert "menu" in written
    assert "mine" not in written
    assert "<title>T</title>" in written


def test_the_tinted_page_shows_all_with_reasons_as_tooltips() -> None:
    html = "<nav><p>menu</p></nav><div>loose<p>mine</p></div>"
    written = render.highlighted_html(marking(html, "menu", "loose"))
    assert '<nav data-dehusk="template" title="because of nav">' in written
    assert '<span data-dehusk="template" title="because of #text">loose</span>' in written
    assert "<p>mine</p>" in written
    assert "[data-dehusk]{" in written


def test_every_rendering_of_one_page_can_be_asked_for_in_any_order() -> None:
    pages = [f"<nav>menu</nav><p>mine {k}</p>" for k in "ab"]
    cleaned = dehusk.learn(pages).clean(pages[0])
    assert cleaned.html.count("mine a") == cleaned.markdown.count("mine a") == cleaned.text.count("mine a") == 1
    assert "menu" in render.highlighted_html(cleaned.marking)
