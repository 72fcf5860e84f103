"""Readable Markdown: CommonMark with tables, and no HTML."""

import pytest
from markdown_it import MarkdownIt

from dehusk import render
from dehusk.metadata import PageTitle
from dehusk.page import Page
from marked import as_markdown, as_text


def rendered(markdown: str) -> str:
    """The text of Markdown, as read by a library."""
    return render.text(Page(f"<body>{MarkdownIt('commonmark').enable('table').render(markdown)}"), [])


def test_headings_tables_code_and_images_are_markdown_and_links_absolute() -> None:
    html = (
        "<h2>H</h2><p>See <a href='../b'>b</a>.</p><pre><code>x = 1\n  y</code></pre>"
        "<table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table><img src='i.png' alt='I'>"
    )
    written = as_markdown(html, url="https://e.example/a/c.html")
    assert written == (
        "## H\n\nSee [b](https://e.example/b).\n\n```\nx = 1\n  y\n```\n\n"
        "| k | v |\n| --- | --- |\n| 1 | 2 |\n\n![I](https://e.example/a/i.png)\n"
    )


def test_the_base_of_the_page_comes_first() -> None:
    html = "<head><base href='https://base.example/x/'></head><a href='y'>y</a>"
    assert as_markdown(html, url="https://e.example/") == "[y](https://base.example/x/y)\n"


def test_links_of_a_saved_page_do_not_lead_to_files() -> None:
    html = "<head><link rel=canonical href='file:///usr/doc/a.html'></head><a href='y'>y</a>"
    assert as_markdown(html) == "[y](y)\n"


def test_a_url_that_contains_an_entity_is_not_decoded_twice() -> None:
    assert as_markdown("<a href='?a=1&amp;amp;b=2'>y</a>") == "[y](?a=1\\&amp;b=2)\n"


def test_links_stay_relative_if_no_url_is_known() -> None:
    assert as_markdown("<a href='y z(1)'>y</a>") == "[y](y%20z%281%29)\n"


@pytest.mark.parametrize("address", ["javascript:x()", " java\nscript:x()", "data:text/html,x", "vbscript:x"])
def test_a_link_that_runs_a_script_becomes_its_text(address: str) -> None:
    assert as_markdown(f"<p>Go <a href='{address}'>there</a> now.</p>") == "Go there now.\n"


@pytest.mark.parametrize(
    "html",
    [
        "<a href=x></a>",
        "<a href=x><img src=spacer.gif></a>",
        "<a href=x><b> </b></a>",
        "<a href='#x'>¶</a>",
        "<a href='a.html#x'>#</a>",
        "<a href='#top'><img src=up.gif alt=up></a>",
    ],
)
def test_empty_links_and_permalinks_are_not_written(html: str) -> None:
    assert as_markdown(f"<p>Words {html}</p>") == "Words\n"


def test_spacers_are_not_written_and_photos_are() -> None:
    html = "<img src=s.gif><img src=b.gif width=1 height=9 alt=''><img src=boat.jpg width=300 height=200>"
    assert as_markdown(html) == "![boat.jpg](boat.jpg)\n"


def test_a_picture_outside_of_paragraphs_is_written_once() -> None:
    boat = "<img src=b.jpg alt=Boat>"
    html = f"<div>{boat}</div><ul><li>{boat}<li><img src=s.jpg alt=Sail></ul><p>It is {boat}</p>"
    assert as_markdown(html) == "![Boat](b.jpg)\n\n- ![Sail](s.jpg)\n\nIt is ![Boat](b.jpg)\n"
    rows = f"<tr><th>A<th>B<tr><td>{boat}<td>{boat}"
    assert as_markdown(f"<table>{rows}</table>").count("![Boat]") == 2


def test_an_image_that_is_loaded_later_has_its_address() -> None:
    assert as_markdown("<img alt=Boat src='data:image/gif;base64,R0' data-src=b.jpg>") == "![Boat](b.jpg)\n"


def test_an_inline_image_is_its_words_not_its_bytes() -> None:
    assert as_markdown("<img alt='A boat' src='data:image/png;base64,AAAA'>") == "A boat\n"


def test_headings_have_no_markup() -> None:
    html = "<h2><b>Set <i>up</i></b> <code>x()</code> <a href='#s'>¶</a><img src=a.png alt=a></h2>"
    assert as_markdown(html) == "## Set up `x()`\n"


@pytest.mark.parametrize(
    ("html", "heading"),
    [
        ("<h3><a href=/x>Big [news] <b>today</b></a></h3>", "### [Big \\[news\\] today](https://e.example/x)"),
        ("<a href=/x><h3>News</h3></a>", "### [News](https://e.example/x)"),
        ("<h3><a href='#x'>News</a></h3>", "### News"),
        ("<h3>News <a href=/x>more</a></h3>", "### News more"),
        ("<h3><a href=/x>News</a> <a href=/y>more</a></h3>", "### News more"),
    ],
)
def test_a_heading_that_is_one_link_to_another_page_has_its_address(html: str, heading: str) -> None:
    assert as_markdown(html, url="https://e.example/") == f"{heading}\n"


def test_exclamation_marks_are_escaped_only_before_a_link() -> None:
    html = "<p><b>New!</b> See!<a href=x>it</a> Now!</p>"
    assert as_markdown(html) == "**New!** See\\![it](x) Now!\n"


def test_lists_are_nested_and_numbered() -> None:
    html = "<ul><li>a<ol start=3><li>b<li>c</ol></li><li><p>d</p><p>e</p></ul>"
    assert as_markdown(html) == "- a\n\n  3. b\n  4. c\n- d\n\n  e\n"
    assert as_markdown("<ul><li>a</li><ul><li>b</li></ul></ul>") == "- a\n  - b\n"


def test_numbered_lists_after_each_other_stay_two() -> None:
    written = as_markdown("<ol><li>a<li>b</ol><ol><li>c</ol><ol><li>d</ol>")
    assert written == "1. a\n2. b\n\n1) c\n\n1. d\n"


def test_a_list_used_for_layout_is_not_a_list() -> None:
    assert as_markdown("<ul><li><h3>A</h3><p>b</p></li></ul>") == "### A\n\nb\n"


@pytest.mark.parametrize(
    "html",
    [
        "<pre class='language-py'>x</pre>",
        "<pre><code class='lang-py'>x</code></pre>",
        "<div class='highlight-py notranslate'><div class='highlight'><pre>x</pre></div></div>",
    ],
)
def test_code_has_its_language(html: str) -> None:
    assert as_markdown(html) == "```py\nx\n```\n"


def test_code_with_backticks_is_fenced_by_more() -> None:
    assert as_markdown("<pre>```</pre><p><code>a`b</code></p>") == "````\n```\n````\n\n``a`b``\n"


def test_definitions_are_readable() -> None:
    assert as_markdown("<dl><dt>Bow<dd>front<dt>Stern<dd>back</dl>") == "- **Bow**: front\n- **Stern**: back\n"
    assert as_markdown("<dl><dt>Bow<dd><p>front</p><p>of it</p></dl>") == "**Bow**\n\nfront\n\nof it\n"


def test_footnotes_are_footnotes() -> None:
    html = "<p>Word<sup><a href='#n1'>1</a></sup>.</p><ol><li id=n1>The note. <a href='#r1'>↩</a></li></ol>"
    assert as_markdown(html) == "Word[^1].\n\n[^1]: The note.\n"


def test_a_footnote_of_one_word_is_not_lost() -> None:
    html = "<p>Word<sup><a href='#n1'>1</a></sup>.</p><ol><li id=n1>Ibidem</li></ol>"
    assert "Ibidem" in rendered(as_markdown(html))


def test_entities_are_characters_and_dots_are_not_escaped() -> None:
    assert as_markdown("<p>4.1 a&nbsp;b &amp; c &lt; d</p>") == "4.1 a b & c < d\n"


@pytest.mark.parametrize(
    "text",
    [
        "4. of May",
        "# one",
        "- one",
        "> one",
        "*one*",
        "a * b",
        "_one_",
        "a_b_c",
        "[a](b)",
        "&lt;b>x",
        "&amp;amp;",
        "a | b",
        "`x`",
        "1) x",
        "---",
        "[a]: b",
        r"C:\*",
        "a ~~b~~",
        "x![a](b)",
    ],
)
def test_text_that_looks_like_markdown_is_escaped(text: str) -> None:
    html = f"<p>{text}</p>"
    assert rendered(as_markdown(html)) == as_text(html)


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<p>a<b> b </b>c</p>", "a **b** c\n"),
        ("<p><b>a</b><b>b</b></p>", "**ab**\n"),
        ("<p><b>Note:</b>text</p>", "Note:text\n"),
        ("<p><b></b>x<i> </i></p>", "x\n"),
        ("<p><b>a <i>b</i></b></p>", "**a *b***\n"),
    ],
)
def test_emphasis_is_written_only_where_it_would_be_recognized(html: str, written: str) -> None:
    assert as_markdown(html) == written


def test_tables_without_a_header_have_an_empty_one() -> None:
    html = "<table><tr><td>a<td>b<tr><td>c<td>d|e</table>"
    assert as_markdown(html) == "|  |  |\n| --- | --- |\n| a | b |\n| c | d\\|e |\n"


def test_cells_that_span_others_keep_the_columns() -> None:
    html = "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>d<td colspan=2>e<tr><td>f<td>g</table>"
    assert as_markdown(html).split("\n")[2:5] == ["| d | e |", "|  | f | g |", ""]


def test_a_column_in_which_no_cell_begins_is_left_out() -> None:
    html = "<table><tr><th colspan=3>a<th>b<tr><td colspan=2>c<td>d<td>e<tr><td colspan=3>f<td>g</table>"
    assert as_markdown(html).split("\n")[:4] == ["| a |  | b |", "| --- | --- | --- |", "| c | d | e |", "| f |  | g |"]


def test_every_cell_survives_a_short_header() -> None:
    html = "<table><tr><th>a</th></tr><tr><td>b</td><td>c</td><td>d</td></tr></table>"
    assert rendered(as_markdown(html)).split() == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><b>Title</b></td></tr></table>",
        "<table><tr><td><h2>Title</h2><p>a</p></td><td><ul><li>b</ul></td></tr><tr><td>c</td></tr></table>",
        "<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>",
    ],
)
def test_a_table_used_for_layout_is_not_a_table(html: str) -> None:
    written = as_markdown(html)
    assert "|" not in written
    assert "<" not in written
    assert rendered(written).split() == as_text(html).split()


def test_a_link_around_paragraphs_is_written_once() -> None:
    assert as_markdown("<a href=x><p>one</p><p>two</p></a>") == "[one](x)\n\ntwo\n"


def test_quotations_breaks_and_rules() -> None:
    html = "<p>a<br>b<br><br>c</p><hr><hr><blockquote><p>q</p><p>r</p></blockquote><hr>"
    assert as_markdown(html) == "a  \nb\n\nc\n\n---\n\n> q\n>\n> r\n"


def test_the_text_of_markdown_is_the_text() -> None:
    html = (
        "<h1>Boats &amp; sails</h1><p>A <a href=x>link [1]</a>, <b>bold</b>; <code>a|b</code>.</p><ol><li>one"
        "<ul><li>two</ul><li>three</ol><table><tr><th>k<th>v<tr><td>a<br>b<td><code>x|y</code></table><dl><dt>t<dd>d</dl>"
        "<table><tr><td><h2>H</h2><td>side</table><blockquote>said <q>so</q></blockquote><pre>x\n\n  y</pre>"
    )
    assert rendered(as_markdown(html)).split() == as_text(html).split()


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<h1>Low Tide</h1><p>Water.</p>", "# Low Tide\n\nWater.\n"),
        ("<p>News</p><h2>Low Tide</h2><p>Water.</p>", "News\n\n## Low Tide\n\nWater.\n"),
        ("<p>Water.</p>", "# Low Tide\n\nWater.\n"),
        ("<h2>Why</h2><h1>Low tide!</h1><p>Water.</p>", "# Low Tide\n\n## Why\n\nWater.\n"),
        ("<h1><a href=/1>Low Tide</a></h1><p>Water.</p>", "# [Low Tide](http://e.example/1)\n\nWater.\n"),
        ("<h1>Low Tide</h1><p>Water.</p><h3>Low Tide</h3>", "# Low Tide\n\nWater.\n"),
        ("<p><a href=/>Low Tide</a></p><p>Water.</p>", "# Low Tide\n\nWater.\n"),
        ("<h2>Low Tides</h2><p>Water.</p>", "# Low Tide\n\n## Low Tides\n\nWater.\n"),
        ("<p>Water.</p>" * 9 + "<p>Low Tide</p>", "# Low Tide\n\n" + "Water.\n\n" * 9 + "Low Tide\n"),
        ("<hr>", "# Low Tide\n"),
    ],
)
def test_the_title_is_the_first_heading_and_no_other(html: str, written: str) -> None:
    page = Page(html, url="http://e.example/")
    assert render.markdown(page, [], title=PageTitle("Low Tide", None)) == written


def test_the_heading_that_is_the_title_is_known_by_its_place() -> None:
    page = Page("<h1>Low Tide | Harbour</h1><p>Water.</p>")
    (heading,) = page.select("h1")
    assert render.markdown(page, [], title=PageTitle("Low Tide", heading)) == "# Low Tide | Harbour\n\nWater.\n"
    page = Page("<h3>Why</h3><h1>Low Tide | Harbour</h1><p>Water.</p>")
    (heading,) = page.select("h1")
    assert (
        render.markdown(page, [], title=PageTitle("Low *Tide*", heading)) == "# Low \\*Tide\\*\n\n### Why\n\nWater.\n"
    )
