"""TEI: well-formed XML with the structure of the page."""

from html import escape
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk import render
from dehusk.core import Learning

TEI = "{http://www.tei-c.org/ns/1.0}"
HTML = """<html lang="en"><head><title>Tides</title><meta name="author" content="Ada &amp; Bo"></head><body>
<h1>Tides</h1>
<p>The <b>water <i>ri</b>ses</i> &lt;twice&gt; a day, <a href="/r?a=1&amp;b=2">see <b>more</b></a>.\x01</p>
<ul><li>ebb<li>flood</ul><table><tr><th>port<th>hour<tr><td>Brest<td>3</table><pre>a &lt; b
  c</pre><blockquote>It comes.</blockquote></body></html>"""


def parsed(html: str = HTML) -> ET.Element:
    page = dehusk.Page(html, url="https://sea.example/tides")
    return ET.fromstring(Learning().learn([]).clean(page).tei)  # our own


def texts(root: ET.Element, tag: str) -> list[str]:
    return ["".join(found.itertext()) for found in root.iter(TEI + tag)]


def test_the_header_has_title_author_and_address() -> None:
    root = parsed()
    assert texts(root, "title")[0] == "Tides"
    assert texts(root, "author")[0] == "Ada & Bo"
    assert [found.get("target") for found in root.iter(f"{TEI}ptr")] == ["https://sea.example/tides"]


def test_blocks_and_marks_become_elements() -> None:
    root = parsed()
    assert texts(root, "ab") == ["Tides", "a < b\n  c"]
    assert texts(root, "item") == ["ebb", "flood"]
    assert texts(root, "cell") == ["port", "hour", "Brest", "3"]
    assert texts(root, "quote") == ["It comes."]
    assert [found.get("target") for found in root.iter(f"{TEI}ref")] == ["https://sea.example/r?a=1&b=2"]
    assert "The water rises <twice> a day, see more." in texts(root, "p")


def test_raised_and_struck_text_and_formulas_become_elements() -> None:
    note = "<annotation encoding='application/x-tex'>x &lt; 2</annotation>"
    formula = f"<math><semantics><mi>x</mi>{note}</semantics></math>"
    root = parsed(f"<p>10<sup>2</sup> m, H<sub>2</sub>O, <del>$20</del> $15, {formula}</p>")
    assert [(found.get("rend"), found.text) for found in root.iter(f"{TEI}hi")] == [("#sup", "2"), ("#sub", "2")]
    assert texts(root, "del") == ["$20"]
    assert texts(root, "formula") == ["x < 2"]


def test_a_page_without_text_is_a_document_too() -> None:
    assert texts(parsed("<p>"), "div") == ["\n\n"]


PHRASES = frozenset({"hi", "ref", "code", "lb"})
BLOCKS = frozenset({"p", "ab", "list", "table", "quote"})
INSIDE = {
    "body": {"div"},
    "div": BLOCKS,
    "p": PHRASES,
    "ab": PHRASES,
    "list": {"item"},
    "item": PHRASES | BLOCKS,
    "table": {"row"},
    "row": {"cell"},
    "cell": PHRASES | BLOCKS,
    "quote": PHRASES | BLOCKS,
    "hi": PHRASES,
    "ref": PHRASES - {"ref"},
    "code": frozenset[str](),
    "lb": frozenset[str](),
}
"""What TEI P5 allows in the elements that we write: https://tei-c.org/release/doc/tei-p5-doc/en/html/"""
WITHOUT_TEXT = ("body", "div", "list", "table", "row", "lb")
NEVER_EMPTY = ("list", "table", "row")


def faults(body: ET.Element) -> list[str]:
    """What is not as TEI P5 has it."""
    found = []
    for above in body.iter():
        name = above.tag.removeprefix(TEI)
        inside = [below.tag.removeprefix(TEI) for below in above]
        found += [f"{one} in {name}" for one in inside if one not in INSIDE[name]]
        if name in WITHOUT_TEXT and "".join([above.text or "", *(below.tail or "" for below in above)]).strip():
            found.append(f"text in {name}")
        if name in NEVER_EMPTY and not inside:
            found.append(f"empty {name}")
        if name == "ref" and not above.get("target"):
            found.append("ref without a target")
    return found


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>Price:<td>3 euros<tr><td><ul><li>a<li>b</ul></table>",  # lays out the page
        "<ul>stray<li>one<p>two<p>three<table><tr><th>x<th>y<tr><td>1<td></table><li><h3>four</h3></ul>",
        "<ul><table><tr><th>x<th>y<tr><td>1<td>2</table><blockquote>said</blockquote><h2>five</h2><li>six</ul>",
        "<ul><ul><li>deep</ul><li>flat</ul><ul></ul><ol start=3><li>three</ol>",
        "<dl><div><dt>ebb<dd>falling<dd><p>water<p>and<pre>code</pre></div></dl>",
        "<p><code>a <b>b</b> <a href=/c>c</a><br>d<sup><a href=#n>1</a></sup></code> <b>e <code>f</code></b></p>",
        "<p><a>no address</a> <a href='javascript:x()'>not safe</a> <a href=/a>one <b>two</a> three</b></p>",
        "<blockquote>it <p>comes<blockquote>twice</blockquote><table><tr><th>x<th>y<tr><td>1<td>2</table></blockquote>",
        "<h1>a <code>b</code> <a href=/c>c</a></h1><table><caption>d</caption><tr><th>x<th>y<tr><td><td>2</table>",
    ],
)
def test_elements_are_where_the_rules_of_tei_allow_them(html: str) -> None:
    root = parsed(f"<main><h1>Tides</h1><p>The water rises and falls twice a day, all the year.</p>{html}</main>")
    (body,) = root.iter(f"{TEI}body")
    assert faults(body) == []
    for word in ("Price", "stray", "four", "said", "deep", "water", "address", "twice"):
        assert html.count(word) <= "".join(body.itertext()).count(word)


def test_a_fault_is_found() -> None:
    body = ET.fromstring(f'<body xmlns="{TEI[1:-1]}"><div>a<row/><p><ref>b</ref><p/></p></div></body>')
    assert faults(body) == ["row in div", "text in div", "empty row", "p in p", "ref without a target"]


def test_a_language_cannot_end_its_attribute() -> None:
    stated = dict.fromkeys(("title", "author", "date", "url", "site", "description")) | {"language": 'de"><evil/>'}
    root = ET.fromstring(render.tei(dehusk.Page("<p>x"), [], stated))  # our own
    assert [found.get("ident") for found in root.iter(f"{TEI}language")] == ['de"><evil/>']


def test_without_links_there_are_no_references() -> None:
    page = dehusk.Page(HTML, url="https://sea.example/tides")
    root = ET.fromstring(dehusk.clean(page, writing=dehusk.Writing(links=False)).tei)  # our own
    assert not list(root.iter(f"{TEI}ref"))
    assert "see more." in "".join(root.itertext())


@given(st.text(st.characters(), max_size=40))
def test_any_text_is_in_a_well_formed_document(text: str) -> None:
    about = dict.fromkeys(("title", "author", "date", "url", "site", "description", "language"), text)
    html = f"<h1>{escape(text)}</h1><p><a href='{escape(text)}'>{escape(text)}</a></p><pre>{escape(text)}]]>\x0b</pre>"
    written = render.tei(dehusk.Page(html), [], about)
    (header, _) = ET.fromstring(written)  # our own
    assert header.tag == f"{TEI}teiHeader"
