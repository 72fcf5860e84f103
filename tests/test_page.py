"""Pages: decoding, trees, hostile input."""

import codecs
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.page import Element, Page, unusable
from dehusk.tree import TEXT

RUSSIAN = "В порту варят уху прямо на причале, и весь город приходит к вечеру с ложками и хлебом."


def texts(html: bytes | str) -> list[str]:
    return [text for text in Page(html).tree.text if text]


def test_scripts_styles_comments_and_white_space_are_no_nodes() -> None:
    tree = Page("<body><script>x</script><style>y</style><!-- c -->  <p>a</p>\n<noscript>n</noscript></body>").tree
    assert list(tree.tag) == ["body", "p", TEXT]
    assert list(tree.text) == ["", "", "a"]
    assert list(tree.parent) == [-1, 0, 1]
    assert list(tree.size) == [3, 2, 1]


@pytest.mark.parametrize("tag", ["iframe", "textarea", "title", "noframes", "noembed", "xmp", "IFRAME"])
@pytest.mark.parametrize("inside", ["", ' src="https://a.example/x"', " class='x' "])
def test_an_empty_element_as_xml_writes_it_does_not_swallow_the_page(tag: str, inside: str) -> None:
    html = f"<html><body><p>Soup at noon.</p><{tag}{inside}/><ul><li>Bread</li><li>Salt</li></ul></body></html>"
    assert texts(html) == texts(html.encode()) == ["Soup at noon.", "Bread", "Salt"]


@pytest.mark.parametrize("tag", ["iframe", "title", "textarea"])
def test_an_element_that_is_never_closed_does_not_swallow_the_page(tag: str) -> None:
    html = f"<{tag}>a</{tag}><p>Soup</p><{tag} id=x><ul><li>Bread</li><li>Salt</li></ul></body>"
    assert texts(html) == ["Soup", "Bread", "Salt"]


@pytest.mark.parametrize(
    "html",
    [
        "<textarea><p>a</p><p>b</p><p>c</p></textarea><p>x</p>",
        "<iframe src=http://a.example/><p>a</p><p>b</p><p>c</p></iframe><p>x</p>",
    ],
)
def test_markup_for_old_browsers_or_to_copy_stays_where_it_is(html: str) -> None:
    assert texts(html) == ["x"]


def test_a_page_that_speaks_in_noscript_alone_is_read_there() -> None:
    story = "The ferry brings the morning bread, and the harbour wakes to its bell. " * 5
    page = Page(f"<body><div id=app>Loading</div><noscript><h1>Bread</h1><p>{story}</p></noscript></body>")
    assert [text for text in page.tree.text if text] == ["Loading", "Bread", story.strip()]
    assert page.bare().find("noscript") is not None


def test_noscript_is_no_content_where_the_page_says_more_elsewhere() -> None:
    story = "The ferry brings the morning bread, and the harbour wakes to its bell. " * 5
    assert texts(f"<p>{story}And more.</p><noscript><p>{story}</p></noscript>") == [f"{story}And more."]
    assert texts("<p>Hi</p><noscript>Please switch scripts on.</noscript>") == ["Hi"]


@pytest.mark.parametrize("part", ["<noscript> ", "<svg><title> ", "<iframe ", '<iframe "/', "<title>", "<textarea/></"])
def test_100_000_elements_that_swallow_are_no_trouble(part: str) -> None:
    assert Page(part * 100_000).tree


def test_links_and_images_carry_their_targets() -> None:
    tree = Page('<a href="/x">t</a><img src="i.png">').tree
    assert list(tree.link) == ["", "/x", "", "i.png"]
    assert tree.labels() == ["body", "a", '"t', "img i.png"]


def test_white_space_in_a_text_is_collapsed() -> None:
    assert texts("<p>a \n\t b</p>") == ["a b"]


def test_attributes_are_there_when_asked_for() -> None:
    attributes = Page('<p id=i class="b a" hidden>x</p>').tree.attributes
    assert dict(attributes[1]) == {"id": "i", "class": "b a", "hidden": ""}
    assert dict(attributes[2]) == {}
    assert len(attributes[1:]) == 2


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(RUSSIAN.encode(), id="utf-8 undeclared"),
        pytest.param(b'<meta charset="windows-1251">' + RUSSIAN.encode("cp1251"), id="windows-1251 declared"),
        pytest.param(RUSSIAN.encode("cp1251"), id="windows-1251 undeclared"),
        pytest.param(b'<meta charset="utf-8">' + RUSSIAN.encode("cp1251"), id="windows-1251 declared as utf-8"),
        pytest.param(b'<meta charset="iso-8859-1">' + RUSSIAN.encode(), id="utf-8 declared as latin-1"),
        pytest.param(codecs.BOM_UTF16_LE + RUSSIAN.encode("utf-16-le"), id="utf-16 with a mark"),
        pytest.param(f"<html><body><p>{RUSSIAN}</p></body></html>".encode("utf-16-le"), id="utf-16 little endian"),
        pytest.param(f"<html><body><p>{RUSSIAN}</p></body></html>".encode("utf-16-be"), id="utf-16 big endian"),
        pytest.param(codecs.BOM_UTF8 + RUSSIAN.encode(), id="utf-8 with a mark"),
    ],
)
def test_the_encoding_is_what_the_bytes_are(data: bytes) -> None:
    assert texts(data) == [RUSSIAN]


def test_iso_2022_jp_is_read_as_declared() -> None:
    words = "朝市を歩く"
    assert texts(b"<meta charset=iso-2022-jp>" + words.encode("iso-2022-jp")) == [words]


def test_a_character_cut_at_the_end_costs_that_character_alone() -> None:
    assert texts("Пристань".encode()[:-1])[0].startswith("Пристан")


def test_one_bad_byte_does_not_change_the_encoding() -> None:
    assert "причал" in texts(b"<meta charset=utf-8>" + ("на причале " * 20).encode() + b"\xff")[0]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"PK\x03\x04\x14\x00", "binary"),
    ],
)
def test_what_is_no_page_is_told_why(data: bytes, why: str) -> None:
    assert why in (unusable(data) or "")


@pytest.mark.parametrize("data", [b"<p>x", b"plain words", "<p>x".encode("utf-16"), "<p>xyz</p>".encode("utf-16-le")])
def test_what_may_be_a_page_is_one(data: bytes) -> None:
    assert unusable(data) is None


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("<link rel=canonical href=' /dock '>", "/dock"),
        ("<meta property=og:url content=https://hafen.example/dock>", "https://hafen.example/dock"),
        ("<link rel=canonical href=/a><meta property=og:url content=/b>", "/a"),
        ("<link rel=canonical href=''>", None),
        ("", None),
    ],
)
def test_a_page_may_say_which_address_is_its_own(head: str, url: str | None) -> None:
    assert Page(f"<head>{head}</head><p>x").canonical_url == url


def test_200_000_nested_elements_are_a_tree() -> None:
    tree = Page("<div>" * 200_000 + "x").tree
    assert len(tree) == 200_002
    assert tree.size[1] == 200_001


def test_50_000_attributes_are_no_trouble() -> None:
    page = Page("<p " + " ".join(f"a{k}=1" for k in range(50_000)) + ">x</p>")
    assert len(page.tree.attributes[1]) == 50_000


def test_a_document_without_a_body_has_a_tree() -> None:
    assert len(Page("<frameset><frame src=a></frameset>").tree) >= 1


def test_a_document_is_whole_again_after_it_was_lent() -> None:
    page = Page("<body><p>a</p><b>b</b>c<script>1</script>d<i>e</i></body>")
    whole = page.document.html
    bold, paragraph = page.document.find("b"), page.document.find("p")
    assert bold
    assert paragraph
    assert page.without([bold]).find("body").html == "<body><p>a</p> cd<i>e</i></body>"  # type: ignore[union-attr]
    assert page.without([paragraph, bold]).find("body").html == "<body> cd<i>e</i></body>"  # type: ignore[union-attr]
    assert page.document.html == whole
    assert page.nodes[1] == paragraph


def test_more_may_be_taken_out_of_a_lent_document() -> None:
    page = Page("<body><p>a</p><b>b</b>c<script>1</script>d<div><i>e</i></div></body>")
    whole = page.document.html
    bold, italic = page.document.find("b"), page.document.find("i")
    assert bold
    assert italic
    first = [bold]
    page.without(first)
    assert page.without([*first, italic]).find("body").html == "<body><p>a</p> cd<div></div></body>"  # type: ignore[union-attr]
    assert {element.tag for element in page.gaps if isinstance(element, Element)} == {"body", "div"}
    assert page.document.html == whole


@given(st.lists(st.sampled_from(["<p>a</p>", "b", "<b>c<i>d</i>", "</b>", "<script>x</script>"])), st.randoms())
def test_whatever_is_taken_out_the_document_is_whole_again(parts: list[str], random: Random) -> None:
    page = Page("".join(parts))
    whole = page.document.html
    for _ in range(3):
        gone = [node for node in page.nodes[1:] if random.random() < 0.4]
        topmost = [node for node in gone if not any(above in gone for above in node.ancestors)]
        page.without(topmost)
    assert page.document.html == whole


def test_equal_content_has_an_equal_digest() -> None:
    assert Page("a").digest == Page(b"a", name="other").digest != Page("b").digest


def test_half_a_surrogate_pair_does_not_get_further() -> None:
    assert texts("<p>a\ud800b</p>") == ["a?b"]


def test_the_inside_of_a_template_element_is_no_content() -> None:
    assert texts("<body><p>a</p><template>x<p>y</p></template><template></template><p>b</p>") == ["a", "b"]


@pytest.mark.parametrize("charset", ["cp1251", "iso8859-5", "cp866"])
def test_latin_1_is_not_believed_where_the_bytes_are_clearly_something_else(charset: str) -> None:
    assert texts(b'<meta charset="iso-8859-1"><p>' + RUSSIAN.encode(charset)) == [RUSSIAN]


@pytest.mark.parametrize("charset", ["cp1253", "iso8859-7"])
def test_greek_declared_as_latin_1_is_read_as_greek(charset: str) -> None:
    words = "Το πρωί στο λιμάνι μυρίζει ψωμί και θάλασσα, και όλοι περιμένουν το καράβι με τα νέα."
    assert texts(b'<meta charset="iso-8859-1"><p>' + words.encode(charset)) == [words]


def test_a_charset_shows_in_attributes_where_all_text_is_ascii() -> None:
    page = Page(b"<p>x<img src=y alt='" + RUSSIAN.encode("cp1251") + b"'>")
    assert page.tree.attributes[3]["alt"] == RUSSIAN


def test_a_rare_letter_late_in_the_page_is_read_right() -> None:
    words = "Το πρωί στο λιμάνι μυρίζει ψωμί και θάλασσα. "
    html = f"<p>{words * 60}</p><p>Άγιος</p><p>Άνδρος</p>"
    assert texts(html.encode("cp1253"))[-2:] == ["Άγιος", "Άνδρος"]
    assert texts(html.encode("iso8859-7"))[-2:] == ["Άγιος", "Άνδρος"]


def test_a_declaration_in_a_comment_is_none() -> None:
    assert texts(b"<!-- <meta charset=big5> --><p>" + RUSSIAN.encode("cp1251")) == [RUSSIAN]
    assert texts(b"<!-- <meta charset=big5> --><meta charset=cp1251><p>" + "Уха".encode("cp1251")) == ["Уха"]


def test_latin_1_is_believed_where_it_may_be_true() -> None:
    words = "Die Straße führt über die Brücke, où était la crème"
    assert texts(b'<meta charset="iso-8859-1"><p>' + words.encode("latin-1")) == [words]


def test_what_the_transport_declared_counts_and_nonsense_does_not() -> None:
    assert [*filter(None, Page(RUSSIAN.encode("cp1251"), encoding="windows-1251").tree.text)] == [RUSSIAN]
    assert [*filter(None, Page(b"<p>x", encoding="no-such-charset").tree.text)] == ["x"]
