"""Blocks and lines of a document: the same from both versions of the kernel, and from nodes and markup."""

from types import ModuleType
from typing import Any

import pytest

from conftest import kernel_versions
from dehusk.base.tags import BLOCKS, NOT_CONTENT, VOID
from dehusk.kernels import blocks as k
from dehusk.kernels.blocks import Block, Line
from dehusk.page import Page
from dehusk.page.elements import html_of

HTML = (
    "<h1>Boats <a href='#b'>#</a></h1><p>A <b>bold</b> <a href=x>link</a>,<br>10<sup>2</sup></p><ul><li>a<ul><li>b</ul>"
    "<li>c</ul><table><tr><th>k<th>v<tr><td>1<td>2</table><table><tr><td><h2>x</h2><td>y</table><dl><dt>t<dd>d</dl>"
    "<pre>a\n<div>b</div>c</pre><x-card>one</x-card><x-card>two</x-card><div>Maker:</div><div>Kiln</div><p>|</p>"
)
MARKUP = (
    HTML,
    "<p>a &amp; b &lt;c&gt; &nbsp; &amp;lt; d&nbsp;&nbsp;e</p><pre>x &lt; y &amp;&nbsp;z</pre>",
    "<p>naïve 東京　駅 \u2003 \U0001f6a4 x\u2028y \ufeffz</p>",
    "<p>a<!-- > --><!----> b<?php ?> c</p>",
    "<svg><title>t</title></svg>z<pre>\n\na<pre>\n\nb</pre></pre>",
    "<video>no <b>way</b></video>z<noframes>q</noframes>",
    "<align=center>one<p>two</align=center><a\"b c='1\"2'>three</a\"b><p =x='>'>four",
    "<ol start=7><li>a<li>b</ol><ol start=x><li>c</ol><ol start=99999><li>d</ol>",
    "<p><span>Acme</span><span>Boat</span><span><span>(12)</span><!-- --></span><span>12</span>",
    "<p><span>É</span><span>A</span>",
    "<p>x<sup><a href='#f'>1</a></sup> y <a href='#'><sup>[2]</sup></a> z<sup>th</sup></p>",
    "<p>2<sup>n - 1</sup> 10<sup>-3</sup>, V<sub>max</sub> 2<sup>2<sup>n</sup></sup> w<sup>a,b</sup> é<sup>2</sup></p>",
    "<p>Was<del>20 €</del>15 € <s>a<br>b</s>c <s> </s><s>,</s><strike><p>one<p>two</strike> three<s>4</s>&nbsp;5",
    "<pre>a<sup>2</sup> <s>b</s></pre><code>2<sup>k</sup> <s>b</s></code><s><pre>c</pre>d</s>",
    "<p><q>said</q> <button>go</button>now",
    "<article><ul><li><article>a</article><li>b</ul></article><ul><li>c</ul>",
    "<select><option>a</select><textarea>b</textarea><template><p>c</p></template><script>d</script>e<iframe>f</iframe>",
    "<p>" + "long " * 3000 + "</p>" + "<i>" * 300 + "deep",
)


ONLY_NODES = (
    "<xmp>a <b> &amp; </xmp>",
    "<xmp>code </xmpa> more</xmp>",
    "<math><mi>y</mi></math>",
    "<math><xmp>Ab<kbd>k</kbd></xmp></math>",
    "<plaintext>a",
    "<svg><input>x</input></svg>",
    "a<script><!--<script>x()</script> hidden --></script>",
)
"""Pages whose markup does not tell where an element ends."""


def shape(block: object) -> object:
    """A block as plain data: kinds and texts."""
    if isinstance(block, Line):
        return str(block.text)
    assert isinstance(block, Block)
    return [block.kind, *([block.number] if block.number else ()), *map(shape, block.inside)]


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
def test_a_document_is_blocks_and_lines(kernel: ModuleType) -> None:
    list_ = [k.LIST, [k.ITEM, "a", [k.LIST, [k.ITEM, "b"]]], [k.ITEM, "c"]]
    table = [k.TABLE, [k.ROW, [k.CELL, "k"], [k.CELL, "v"]], [k.ROW, [k.CELL, "1"], [k.CELL, "2"]]]
    definitions = [k.DEFINITIONS, [k.TERM, "t"], [k.DEFINITION, "d"]]
    dissolved = [[k.HEADING, "x"], "y"]
    rest = ["one", "two", "Maker: Kiln"]
    heading, line = [k.HEADING, "Boats"], "A bold link,\n10²"
    read = shape(kernel.read(Page(HTML).body))
    assert read == [2, heading, line, list_, table, *dissolved, definitions, [k.PRE, "a\nb\nc"], *rest]


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
@pytest.mark.parametrize("html", MARKUP)
def test_markup_is_read_as_its_nodes_are(kernel: ModuleType, html: str) -> None:
    body = Page(html).body
    read = kernel.read_html(html_of(body))
    assert shape(read) == shape(kernel.read(body))


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
def test_marks_do_not_change_what_a_line_says(kernel: ModuleType) -> None:
    for html in (*MARKUP, "<p>so <math><mi>y</mi></math>"):
        body = Page(html).body
        assert shape(kernel.read(body, marked=True)) == shape(kernel.read(body))


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
def test_only_nodes_tell_whether_a_zero_counts_what_went(kernel: ModuleType) -> None:
    body: Any = Page("<p>0</p><p>10 0</p><p><b>(0)</b></p>").body
    html = html_of(body)
    assert kernel.read_html(html, lambda: ()) is not None
    assert kernel.read_html(html, lambda: [body[1]]) is not None
    assert kernel.read_html(html, lambda: [body[0]]) is None
    assert kernel.read_html(html, lambda: [body[2]]) is None
    assert shape(kernel.read(body, lambda: [body[0], body[2]])) == [2, "10 0"]


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
def test_blocks_are_nested_to_a_limit(kernel: ModuleType) -> None:
    block: Any = kernel.read(Page("<blockquote>" * 500 + "x").body)
    depth = 0
    while not isinstance(block, Line):
        block = block.inside[0]
        depth += 1
    assert depth == kernel.DEEPEST_LIST + 1
    assert block.text == "x"


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
@pytest.mark.parametrize("tag", sorted(BLOCKS | VOID | NOT_CONTENT))
def test_each_tag_does_the_same_in_markup_and_as_a_node(kernel: ModuleType, tag: str) -> None:
    body = Page(f"<p>a<{tag}>b</{tag}>c<div>d</div>").body
    read = kernel.read_html(html_of(body))
    assert read is None if tag in ("plaintext", "xmp") else shape(read) == shape(kernel.read(body))


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
@pytest.mark.parametrize("html", ONLY_NODES)
def test_markup_that_is_not_plain_is_left_to_the_nodes(kernel: ModuleType, html: str) -> None:
    assert kernel.read_html(html_of(Page(html).body)) is None


@pytest.mark.parametrize("kernel", kernel_versions("reading"))
@pytest.mark.parametrize("html", ["<", "</", "<p", "<p a", "<!--", "<?", "<ul><li>a", "</p>", "a<", "<span"])
def test_broken_markup_is_left_to_the_nodes(kernel: ModuleType, html: str) -> None:
    assert kernel.read_html(html) is None
