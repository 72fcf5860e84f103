"""Regions of pages that a person was asked about: how they are cut, named and found again.

A region is the lowest block of a page with text of its own, without the blocks in it. A list or a table that holds
nothing but its items is one region.
"""

from dehusk.tree import Tree

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_WHOLES = {"li": ("ul", "ol", "menu"), "dt": ("dl",), "dd": ("dl",), "td": ("table",), "th": ("table",)}
_PARTS = frozenset({"tr", "tbody", "thead", "tfoot", "caption", "li", "td", "th", "dd", "dt"})


def regions(tree: Tree) -> dict[int, list[int]]:
    """The texts of each region by its node, in order."""
    found: dict[int, list[int]] = {}
    for node, text in enumerate(tree.text):
        if any(map(str.isalnum, text)):
            block = next(above for above in tree.ancestors(node) if tree.tag[above] in _BLOCKS or not above)
            found.setdefault(_whole(tree, block), []).append(node)
    return found


def path(tree: Tree, node: int) -> str:
    """A CSS selector of this node alone."""
    steps = []
    while (parent := tree.parent[node]) >= 0:
        same = [child for child in tree.children(parent) if tree.tag[child] == tree.tag[node]]
        steps.append(f"{tree.tag[node]}:nth-of-type({same.index(node) + 1})")
        node = parent
    return " > ".join(["body", *reversed(steps)])


def _whole(tree: Tree, block: int) -> int:
    """The list or table of an item, if it holds nothing but items."""
    wholes = _WHOLES.get(tree.tag[block])
    whole = next((above for above in tree.ancestors(block) if wholes and tree.tag[above] in wholes), block)
    inside = tree.tag[whole + 1 : whole + tree.size[whole]]
    return block if any(tag in _BLOCKS - _PARTS for tag in inside) else whole
