"""TEI: well-formed XML with the structure of the page."""

from xml.etree import ElementTree as ET

import dehusk
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
