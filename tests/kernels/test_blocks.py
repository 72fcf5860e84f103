"""Blocks and lines of a document: plain and compiled kernels give the same."""

from types import ModuleType

import pytest

from conftest import kernel_versions
from dehusk.page import Page

HTML = (
    "<h1>Boats <a href='#b'>#</a></h1><p>A <b>bold</b> <a href=x>link</a>,<br>10<sup>2</sup></p><ul><li>a<ul><li>b</ul>"
    "<li>c</ul><table><tr><th>k<th>v<tr><td>1<td>2</table><table><tr><td><h2>x</h2><td>y</table><dl><dt>t<dd>d</dl>"
    "<pre>a\n<div>b</div>c</pre><x-card>one</x-card><x-card>two</x-card><div>Maker:</div><div>Kiln</div><p>|</p>"
)


def shape(module: ModuleType, block: object) -> object:
    """A block as plain data: kinds and texts."""
    if isinstance(block, module.Line):
        return str(block.text)
    return [block.kind, *(shape(module, part) for part in block.inside)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kernel", kernel_versions("blocks"))
def test_a_document_is_blocks_and_lines(kernel: ModuleType) -> None:
    found = shape(kernel, kernel.read(Page(HTML).body, ()))
    k = kernel
    list_ = [k.LIST, [k.ITEM, "a", [k.LIST, [k.ITEM, "b"]]], [k.ITEM, "c"]]
    table = [k.TABLE, [k.ROW, [45, "k"], [45, "v"]], [k.ROW, [45, "1"], [45, "2"]]]
    definitions = [k.DEFINITIONS, [k.TERM, "t"], [50, "d"]]
    dissolved = [[k.HEADING, "x"], "y"]
    rest = ["one", "two", "Maker: Kiln"]
    heading, line = [k.HEADING, "Boats"], "A bold link,\n10^2"
    assert found == [2, heading, line, list_, table, *dissolved, definitions, [k.PRE, "a\nb\nc"], *rest]


@pytest.mark.parametrize("kernel", kernel_versions("blocks"))
def test_blocks_are_nested_to_a_limit(kernel: ModuleType) -> None:
    block = kernel.read(Page("<blockquote>" * 500 + "x").body, ())
    depth = 0
    while not isinstance(block, kernel.Line):
        block = block.inside[0]
        depth += 1
    assert depth == kernel.DEEPEST_LIST + 1
    assert block.text == "x"
