"""Text output: paragraphs, lists, tables, labels, and the text around removed parts."""

from collections.abc import Callable

import pytest

from dehusk import render
from dehusk.page import Page
from dehusk.page.elements import html_of
from marked import as_markdown, as_text, marking


def test_paragraphs_list_items_and_rows_have_lines_of_their_own() -> None:
    html = "<p>one</p><p>two</p><ul><li>a</li><li>b</li></ul><table><tr><td>c<td>d</tr><tr><td>e<td>f</table>"
    assert as_text(html) == "one\n\ntwo\n\n- a\n- b\n\nc  d\ne  f\n"


def test_template_is_not_written() -> None:
    assert as_text("<p>menu</p><p>mine</p>", "menu") == "mine\n"


@pytest.mark.parametrize(
    ("html", "gone", "written"),
    [
        ("<div><a>Shop</a>/<b>Mug</b></div>", "/", "Shop Mug\n"),
        ("<div><span>Shop<i>/</i></span>Mug</div>", "/", "Shop Mug\n"),
        ("<p><a href=a>One</a><a href=b>two</a></p>", "", "One two\n"),
        ("<p><button>One</button><button>two</button></p>", "", "One two\n"),
        ("<pre>one<br>two</pre>", "", "one\ntwo\n"),
        ("<form><div>One</div>two</form>", "", "One\n\ntwo\n"),
        ("<a href=x><span><p>One</p></span>two</a>", "", "One\n\ntwo\n"),
        ("<center>One</center>two", "", "One\n\ntwo\n"),
        ("<fieldset><legend>One</legend>two</fieldset>", "", "One\n\ntwo\n"),
    ],
)
def test_words_do_not_run_together(html: str, gone: str, written: str) -> None:
    assert as_text(html, *filter(None, [gone])) == written


def test_cells_are_separated_and_not_padded() -> None:
    html = f"<table><tr><td>{'long ' * 30}</td><td>a</td></tr>{'<tr><td>b</td><td>c</td></tr>' * 50}</table>"
    assert len(as_text(html)) < len(html)
    assert "\nb  c\n" in as_text(html)


def test_tables_used_for_layout_are_read_as_blocks() -> None:
    html = (
        "<table><tr><td>side</td><td><p>first</p><p>second</p>"
        "<table><tr><th>k</th><td>v</td></tr><tr><th>l</th><td>w</td></tr></table></td></tr></table>"
    )
    assert as_text(html).split("\n") == ["side", "", "first", "", "second", "", "k  v", "l  w", ""]


def test_the_rows_of_a_layout_table_keep_labels_and_values_on_one_line() -> None:
    html = "<table><tr><td colspan=2><h2>Mug</h2></td></tr><tr><td>Maker:</td><td>Kiln</td></tr></table>"
    assert as_text(html) == "Mug\n\nMaker:  Kiln\n"


@pytest.mark.parametrize(
    "html", ["<div>Maker:</div><div>Kiln</div>", "<dl><dt>Maker</dt><dd>Kiln</dd></dl>", "<dl><dt>Maker:<dd>Kiln</dl>"]
)
def test_a_label_and_its_value_are_on_one_line(html: str) -> None:
    assert as_text(html) == "Maker: Kiln\n"


def test_a_caption_is_apart_from_paragraphs() -> None:
    html = "<figure><img src=a.png alt=a><figcaption>A boat</figcaption></figure>Text.<p>More.</p>"
    assert as_text(html) == "A boat\n\nText.\n\nMore.\n"


@pytest.mark.parametrize("left", ["|", "»", ",", "| |"])
def test_separators_of_removed_links_are_removed(left: str) -> None:
    assert as_text(f"<p>one</p><div><a href=x>gone</a> {left}</div><p>two</p>", "gone") == "one\n\ntwo\n"
    assert as_text(f"<ul><li>one</li><li>{left}</li><li>two</li></ul>") == "- one\n- two\n"


def test_the_count_of_a_removed_link_is_removed_with_it() -> None:
    assert as_text("<p>one</p><div><span>0</span> <a href=x>comments</a></div>", "comments") == "one\n"


def test_a_single_zero_is_kept() -> None:
    assert as_text("<p>gone</p><p>one</p><p>0</p>", "gone") == "one\n\n0\n"


def test_code_is_written_unchanged() -> None:
    assert as_text("<pre>if x:\n  -\n  y\n|\n</pre>") == "if x:\n  -\n  y\n|\n"


def test_powers_and_footnotes_are_not_part_of_the_word_before() -> None:
    html = "<p>10<sup>2</sup> boats<sup><a href='#n1'>1</a></sup>, the 1<sup>st</sup></p>"
    assert as_text(html) == "10² boats[1], the 1st\n"


@pytest.mark.parametrize(
    ("html", "text", "markdown"),
    [
        ("2<sup>n - 1</sup>", "2ⁿ⁻¹", "2<sup>n - 1</sup>"),
        ("10<sup>-3</sup> m<sup>2</sup>", "10⁻³ m²", "10<sup>-3</sup> m<sup>2</sup>"),
        ("e<sup>x+y</sup> A<sup>T</sup>", "e^(x+y) A^T", "e<sup>x+y</sup> A<sup>T</sup>"),
        ("2<sup>2<sup>n</sup></sup>", "2^(2^n)", "2<sup>2^n</sup>"),
        ("H<sub>2</sub>O V<sub>max</sub>", "H₂O V_max", "H<sub>2</sub>O V<sub>max</sub>"),
        ("<code>2<sup>n</sup></code>", "2ⁿ", "`2ⁿ`"),
        ("word<sup>3</sup> word<sup>[4]</sup>", "word³ word[4]", "word<sup>3</sup> word[4]"),
        ("<a href=x>m<sup>2</sup></a>", "m²", "[m<sup>2</sup>](x)"),
        ("$19<sup>99</sup>", "$19.99", "$19.99"),
        ("<del>20 €</del><ins>15 €</ins>", "~~20 €~~ 15 €", "~~20 €~~ 15 €"),
        ("Was<s>$20</s>, re<strike>a</strike>d", "Was ~~$20~~, re~~a~~d", "Was ~~$20~~, re~~a~~d"),
        ("<s></s>a<del> </del>", "a", "a"),
    ],
)
def test_powers_indexes_and_old_prices_keep_their_meaning(html: str, text: str, markdown: str) -> None:
    assert as_text(f"<p>{html}</p>") == f"{text}\n"
    assert as_markdown(f"<p>{html}</p>") == f"{markdown}\n"


FRACTION = "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>"
NOTE = "<annotation encoding='application/x-tex'>{\\displaystyle \\frac{a+b}{c}}</annotation>"


def test_a_formula_is_its_tex_or_else_what_it_says() -> None:
    html = f"<p>so <math>{FRACTION}</math>, <math><semantics>{FRACTION}{NOTE}</semantics></math></p>"
    assert as_text(html) == "so (a + b)/c, \\frac{a+b}{c}\n"
    assert as_markdown(html) == "so (a + b)/c, $\\frac{a+b}{c}$\n"
    assert "<p>so (a + b)/c, \\frac{a+b}{c}</p>" in render.html(Page(html), [])


def test_text_in_a_broken_formula_is_not_lost() -> None:
    html = "<p>so <math>stray <mi>x</mi> <a href=y>link</a></math></p>"
    assert as_text(html) == "so stray x link\n"
    assert "so stray x link" in render.html(Page(html), [])


def test_permalinks_of_headings_are_not_text() -> None:
    assert as_text("<h2>Start<a href='#start'>¶</a></h2><p>Text.</p>") == "Start\n\nText.\n"


def test_scripts_players_and_hidden_elements_are_never_text() -> None:
    html = (
        "<p>a<script>x()</script></p><select><option>o</select><iframe>i</iframe><svg><title>s</title></svg>"
        "<video>no player</video><canvas>no canvas</canvas>"
    )
    assert as_text(html) == "a\n"


@pytest.mark.parametrize(
    "html",
    [
        "<ul>stray words</ul>",
        "<ul><p>stray words</p><li>item</ul>",
        "<ol><div>stray words<li>item</div></ol>",
        "<table><caption>stray words</caption><tr><td>a<td>b</table>",
        "<dl>stray words<dt>t<dd>d</dl>",
        "<div><td>stray words</div>",
        "<h2>stray words<p>and more<ul><li>item</ul></h2>",
    ],
)
def test_text_in_misplaced_markup_is_still_written(html: str) -> None:
    assert "stray words" in as_text(html)
    assert "stray words" in as_markdown(html)


def test_gaps_are_one_empty_line() -> None:
    assert as_text("<div>a</div><div> <br> <br><br></div><p>&nbsp;</p><div><p></p>b</div>") == "a\n\nb\n"


def test_an_empty_page_is_empty_text() -> None:
    assert as_text("") == ""


def test_the_document_is_left_as_it_was_found() -> None:
    html = (
        "<table><caption>c</caption><tr><th>a<td>b</table><dl><dt>t<dd>d</dl><p>x<sup>2</sup><button>b</button>"
        "<video>v</video><a href=a>a</a><a href=b>b</a><pre>a<br>b</pre><ul>stray</ul>"
        "<template><style>s</style></template>"
    )
    page = Page(html)
    before = html_of(page.whole)
    render.text(page, [])
    render.markdown(page, [])
    render.html(page, [])
    assert html_of(page.whole) == before


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>" * 300 + "<p>x</p>" * 3000,
        "<table><caption>" * 100 + "<div>" * 200 + "<p>x</p>" * 3000,
        "<math>" + "<a href=x>" * 300 + "<p>x</p>" * 3000,
        "<ul><li>" * 300 + "<br>x" * 3000,
        "<blockquote>" * 300 + "<br>x" * 3000,
        f"<head><base href='https://e.example/{'long/' * 300}'></head>" + "<a href=x>x</a> " * 3000,
        "<table><tr>" + "<td rowspan=60000>x" * 60 + "<tr><td>y" * 3000,
        "<table><tr>" + "<td colspan=900>x" * 3000,
        "<table><tr>" + "<td colspan=20>" * 3000 + "x",
        "<table><tr>" + "<td>x" * 200 + ("<tr>" + "<td rowspan=20 colspan=20>x" * 10 + "<tr><td>y" * 19) * 20,
        f"<a href='{'x' * 3000}'>" + "<p>x</p>" * 3000,
    ],
)
def test_the_output_is_a_small_multiple_of_the_page(html: str) -> None:
    marked = marking(html)
    for write in (render.text, render.markdown, render.html):
        written = write(marked.page, [])
        assert len(written) < 12 * len(html)
        assert written.count("x") >= html.count("<p>x") + html.count("<br>x")


def test_an_item_that_begins_with_a_box_begins_on_the_line_of_its_mark() -> None:
    html = "<ol><li><div>Bow</div><div>front</div><li><p>Stern<ul><li><div>back</div></ul></ol>"
    assert as_text(html) == "1. Bow\n   front\n2. Stern\n   - back\n"


def test_a_numbered_item_without_remaining_text_is_not_written() -> None:
    assert as_text("<ol><li><div>Bow</div><li><div>gone</div><li>Keel</ol>", "gone") == "1. Bow\n2. Keel\n"


def test_a_list_used_for_layout_is_not_indented() -> None:
    html = "<ul><li><section><h2>Boats</h2><p>One.</p><ul><li><h3>Sails</h3><p>Two.</p></ul></section></ul>"
    assert as_text(html) == "Boats\n\nOne.\n\nSails\n\nTwo.\n"


@pytest.mark.parametrize("written", [as_text, as_markdown])
def test_a_list_of_posts_is_not_numbered(written: Callable[[str], str]) -> None:
    html = "<ol><li><article><p>One.</p><p>More.</p></article><li><article>Two.</article></ol>"
    assert written(html) == "One.\n\nMore.\n\nTwo.\n"


def test_a_quotation_is_not_the_value_of_a_label() -> None:
    assert as_text("<p>Ann wrote:</p><blockquote>Yes.</blockquote>") == "Ann wrote:\n\n    Yes.\n"


def test_non_breaking_spaces_are_spaces_and_are_removed_at_the_end_of_a_line() -> None:
    assert as_text("<p>&nbsp;4&nbsp;kg&nbsp;<br>net&nbsp;</p>") == "4 kg\nnet\n"


def test_adjacent_web_components_are_separated() -> None:
    assert as_text("<x-a>One</x-a><x-a>two <b>three</b></x-a>") == "One\n\ntwo three\n"


@pytest.mark.parametrize("written", [as_text, as_markdown])
def test_words_separated_only_by_a_style_are_two_words(written: Callable[[str], str]) -> None:
    spans = "<span>Acme</span><span>Boat</span><span>(12)</span><span>12 reviews</span>"
    assert written(f"<p>{spans}</p>") == "Acme Boat(12) 12 reviews\n"
    assert written("<p><span>Mc</span><span>Coy</span> <span>un</span><span>done</span></p>") == "McCoy undone\n"
    assert written("<span><span>(12)</span><!-- --></span><span>12 reviews</span>") == "(12) 12 reviews\n"
    assert written("<span>ACME</span><span>Boat</span>") == "ACME Boat\n"
    assert "getName" in written("<p><code><span>get</span><span>Name</span></code></p>")


def test_bars_are_not_left_at_the_end_of_a_line() -> None:
    html = "<p>By Ann | <a href=x>Share</a></p><ul><li>Monday | <b></b><li>b</ul><p>| a | b |</p>"
    assert as_text(html, "Share") == "By Ann\n\n- Monday\n- b\n\n| a | b |\n"
    assert as_markdown(html, "Share") == "By Ann\n\n- Monday\n- b\n\n\\| a | b |\n"


def test_a_sentence_that_ends_in_a_colon_is_not_a_label() -> None:
    assert as_text("<div>A boat has the following parts:</div><div>bow</div>") == (
        "A boat has the following parts:\n\nbow\n"
    )


def test_terms_have_no_permalinks() -> None:
    assert as_text("<dl><dt>bow<a href='#bow'>¶</a><dd>the front</dl>") == "bow: the front\n"


@pytest.mark.parametrize("written", [as_text, as_markdown])
def test_words_do_not_run_together_if_the_first_word_of_an_element_was_removed(written: Callable[..., str]) -> None:
    html = "<p><i>praise</i><u><u>gone</u><u>11 votes</u></u></p>"
    assert "praise 11 votes" in written(html, "gone").replace("*", "")
