"""Blocks as plain text: the same from both versions of the kernel."""

import re
from random import Random
from types import ModuleType

import pytest

from conftest import kernel_versions
from dehusk.kernels.reading import read, read_html
from dehusk.page import Page
from dehusk.page.elements import html_of

LONG = "long words " * 20

PIECES = re.findall(
    r"\S+",
    "<ul> </ul> <ol> </ol> <li> <hr> <p> <br> <div> </div> <h2> </h2> <table> </table> <tr> <td> <th> <dl> <dt> <dd> "
    "<blockquote> </blockquote> <pre> </pre> <span> </span> <b> </b> <sup> </sup> <q> <a> </a> <math> </math> <x-y> "
    "<sub> </sub> <s> </s> <del> </del> 2 $9 "
    "<article> <xmp> </xmp> </xmpa> <style> </style> </stylesheet> <script> </script> <!--<script> --> <svg> &nbsp; "
    "&lt;b&gt; 0 ¶ Word end: | é",
)
PIECES += ["<a href='#x'>", "<ol start=12>", "<pre>\n\n", "\n", " ", "\u3000"]

WRITTEN = {
    "<ul><li>a<ul><li>b<ol start=3><li>c<li>d</ol></ul><li><p>e</p><p>f</p></ul>": (
        "- a\n  - b\n    3. c\n    4. d\n- e\n  f\n"
    ),
    "<ul><li><ul><li>a</ul></ul>": "- a\n",
    "<ul>stray<li>a</ul>": "stray\n\n- a\n",
    "<ul><li>a</ul><ul><li>b</ul><p>c</p>": "- a\n- b\n\nc\n",
    "<p>x</p><blockquote>a<p>b</p></blockquote>": "x\n\n    a\n\n    b\n",
    "<ul><li>a<pre>b\n\n\n c</pre></ul>": "- a\n  b\n\n\n   c\n",
    "<table><caption>t</caption><tr><th>a<th>b<tr><td>1<td>2</table>": "t\n\na  b\n1  2\n",
    f"<table><tr><td>{LONG}<td>b<tr><td>1<td>2</table>": f"{LONG.strip()}\n\nb\n\n1  2\n",
    f"<table><tr><th>h<th>i<tr><td>{LONG}<td>b</table>": f"h  i\n{LONG.strip()}  b\n",
    "<table><tr><td><h1>a</h1><td>b<tr><td>1<td>2</table>": "a\n\nb\n\n1  2\n",
    "<dl><dt>a<dd>b<dt>c?<dd>d</dl>": "a: b\nc? d\n",
    "<dl><dt>Returns:<dd>a number<dt>See:<dd>b<dd>c</dl>": "Returns: a number\n\nSee: b\n\nc\n",
    "a<hr>b": "a\n\nb\n",
    "<ul><li><hr></ul><ul><li>x</ul>": "- x\n",
    "<ul><hr></ul><ul><li>x</ul>": "- x\n",
    "<p>a</p><ul><li><hr></ul><ul><li>b</ul>": "a\n\n- b\n",
    "<ul><li>a</ul><hr><ul><li>b</ul>": "- a\n\n- b\n",
    "<ul><li>a</ul><ul>stray<li>b</ul><ul><li>c</ul>": "- a\nstray\n\n- b\n- c\n",
    "<p>|</p>": "",
}


@pytest.mark.parametrize("kernel", kernel_versions("plain_text"))
@pytest.mark.parametrize("html", WRITTEN)
def test_blocks_are_written_as_text(kernel: ModuleType, html: str) -> None:
    assert kernel.write(read(Page(html).body)) == WRITTEN[html]


@pytest.mark.parametrize("kernel", kernel_versions("plain_text"))
def test_random_pages_are_written_alike_from_nodes_and_markup(kernel: ModuleType) -> None:
    random = Random("markup")
    for _ in range(1500):
        html = "".join(random.choices(PIECES, k=random.choice((4, 8, 20))))
        body = Page(html).body
        markup = read_html(html_of(body))
        if markup is not None:
            assert kernel.write(markup) == kernel.write(read(body)), html
