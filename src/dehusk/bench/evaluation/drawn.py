"""Regions of pages that people labelled: how they are split, named and found again.

A region is a block with text directly in it, without the blocks inside. A list or table with nothing but items or cells
is one region.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from dehusk.base.tags import JUDGED_BLOCKS, LISTS, TABLE_PARTS
from dehusk.base.tree import Tree
from dehusk.bench.evaluation.datasets import single_pages
from dehusk.core import SAMPLE, clean, learn
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned

Row = Mapping[str, str]

_WHOLES = {"li": LISTS, "dt": {"dl"}, "dd": {"dl"}, "td": {"table"}, "th": {"table"}}
_HOLDING_BLOCKS = JUDGED_BLOCKS - TABLE_PARTS - {"li", "dd", "dt"}
"""Blocks that are not part of a list or table."""


def regions(tree: Tree) -> dict[int, list[int]]:
    """The text nodes of each region, by the node of the region, in order."""
    texts: dict[int, list[int]] = {}
    for node, text in enumerate(tree.text):
        if any(map(str.isalnum, text)):
            block = next(above for above in tree.ancestors(node) if tree.tag[above] in JUDGED_BLOCKS or not above)
            texts.setdefault(_whole(tree, block), []).append(node)
    return texts


def cleaned_regions(
    data: Path, rows: Sequence[Row], sample: int | None = SAMPLE
) -> Iterator[tuple[Row, Cleaned, list[int]]]:
    """For each row its page, cleaned with the template of its site, and the text nodes of its region.

    `sample` is an option of `learn`.
    """
    for site, group in groupby(sorted(rows, key=lambda row: row["site"]), key=lambda row: row["site"]):
        given = list(group)
        alone = site.startswith("pages/")
        pages = _pages(data, site, {row["page"] for row in given})
        template = None if alone else learn(data / site / "pages", sample=sample)
        for row in given:
            page = pages[row["page"]]
            texts = next(own for node, own in regions(page.tree).items() if path(page.tree, node) == row["path"])
            yield row, template.clean(page) if template else clean(page), texts


def _pages(data: Path, site: str, names: set[str]) -> dict[str, Page]:
    if site.startswith("pages/"):
        every = single_pages(data, site.removeprefix("pages/"))
        return {page.url: Page(page.html, url=page.url) for page in every if page.url in names}
    return {name: Page((data / site / "pages" / name).read_bytes(), name=name) for name in names}


def path(tree: Tree, node: int) -> str:
    """A CSS selector that matches only this node."""
    steps = []
    while (parent := tree.parent[node]) >= 0:
        same = [child for child in tree.children(parent) if tree.tag[child] == tree.tag[node]]
        steps.append(f"{tree.tag[node]}:nth-of-type({same.index(node) + 1})")
        node = parent
    return " > ".join(["body", *reversed(steps)])


def _whole(tree: Tree, block: int) -> int:
    """The list or table around an item, if it has nothing but items; else the block itself."""
    wholes = _WHOLES.get(tree.tag[block])
    whole = next((above for above in tree.ancestors(block) if wholes and tree.tag[above] in wholes), block)
    inside = tree.tag[whole + 1 : whole + tree.size[whole]]
    return whole if _HOLDING_BLOCKS.isdisjoint(inside) else block
