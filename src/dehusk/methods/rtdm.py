"""RTDM-TD: the template is the nodes that an optimal restricted top-down mapping of the pages leaves unchanged.

K. Vieira, A. S. da Silva, N. Pinto, E. S. de Moura, J. M. B. Cavalcanti, J. Freire: A Fast and Robust Method for Web
Page Template Detection and Removal. CIKM 2006.
"""

from collections.abc import Sequence
from typing import Annotated

from dehusk.base.options import Option, whole
from dehusk.base.tree import Numbered
from dehusk.kernels.mapping import Mapper
from dehusk.methods.common_subtree import Subtree, find_template
from dehusk.methods.rules import Learned
from dehusk.page import Page

REPLACE = 2
"""The cost of a replacement; deleting or inserting a node costs 1.

Definition 2 leaves it open. At cost 1 the cheapest mapping may lose nodes that both pages have. At cost 2, the cost of
a deletion and an insertion, the cheapest mapping is the one with the largest template.
"""


def learn(
    pages: Sequence[Page],
    *,
    replace: Annotated[int, Option("the cost of a replacement", whole(1), paper="open")] = REPLACE,
) -> Learned:
    """FindTemplate (figure 5) with RTDM-TD as its ExtractSubTree (figure 6)."""
    return find_template(pages, lambda template, page: extract_subtree(template, page, replace=replace))


def extract_subtree(first: Numbered, second: Numbered, *, replace: int = REPLACE) -> list[bool]:
    """Flags the nodes of the first tree that the mapping leaves unchanged, and with them their parents."""
    mates = map_trees(first, second, replace=replace)
    return [mate >= 0 and first.label[node] == second.label[mate] for node, mate in enumerate(mates)]


def map_trees(first: Numbered, second: Numbered, *, replace: int = REPLACE) -> Sequence[int]:
    """Returns each first node's partner in the cheapest mapping, or -1 (RTDM-TD and retrieveTemplate)."""
    left, right = ((tree.label, tree.subtree, tree.size) for tree in (first, second))
    return Mapper(*left, *right, replace).map()


load = Subtree.from_json
