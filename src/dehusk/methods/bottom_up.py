"""RBM-TD: the template is the largest forest of identical subtrees that hang on equal paths in the sampled pages.

K. Vieira, A. L. C. Carvalho, K. Berlt, E. S. Moura, A. S. Silva, J. Freire: On Finding Templates on Web Collections.
World Wide Web 12(2), 2009; as described by W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona
State University, 2011, chapter 3. The mapping: G. Valiente: An Efficient Bottom-Up Distance between Trees. SPIRE 2001.

It is linear, at a price: a node whose subtree differs anywhere is found only as the ancestor of an identical subtree,
and the order of siblings is ignored, so the result need not be a common subtree.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dehusk.base.tree import Classes, Numbered, Tree, children, parents
from dehusk.methods.common_subtree import Subtree, find_template
from dehusk.methods.rules import Learned
from dehusk.page import Page


def learn(pages: Sequence[Page]) -> Learned:
    """FindTemplate (Vieira et al. 2006, figure 5) with RBM-TD as its ExtractSubTree."""
    return find_template(pages, extract_subtree, UnorderedSubtree)


def extract_subtree(first: Numbered, second: Numbered) -> list[bool]:
    """Flags the nodes of the first tree that are in the common forest, and their ancestors."""
    template = [mate >= 0 for mate in map_forest(first, second)]
    for node in range(len(first) - 1, 0, -1):
        if template[node]:
            template[first.parent[node]] = True
    return template


def map_forest(first: Numbered, second: Numbered) -> list[int]:
    """Returns for each node of the first tree its partner in the largest common forest, or -1.

    The mapping is one to one, in whole subtrees, each to the first free candidate in level order.
    """
    # Equal paths are equally long, so within a list of candidates the pre-order is the level order.
    candidates: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node in range(len(second) - 1, -1, -1):
        candidates[second.subtree[node], second.path[node]].append(node)
    mates = [-1] * len(first)
    taken = bytearray(len(second))
    for x in level_order(first):
        if mates[x] >= 0:
            continue
        offered = candidates.get((first.subtree[x], first.path[x]), [])
        while offered and taken[offered[-1]]:
            offered.pop()
        if offered:
            y = offered.pop()
            # All subtrees taken so far have their root at x's depth or above, so nothing below a free y is taken.
            for k in range(first.size[x]):
                mates[x + k] = y + k
                taken[y + k] = 1
    return mates


def level_order(tree: Numbered) -> list[int]:
    """Returns the nodes from the root down, each level from left to right."""
    order = [0] if len(tree) else []
    for node in order:
        order += children(tree.size, node)
    return order


@dataclass(frozen=True, slots=True)
class UnorderedSubtree(Subtree):
    """A template whose siblings may be in another order on a page, so pages are matched by the same mapping."""

    def places(self, tree: Tree) -> Iterator[int]:
        """Yields the nodes of a page that match the template."""
        classes = Classes()
        template = classes.number_labels(self.labels, parents(self.size), self.size)
        common = extract_subtree(classes.number(tree), template)
        return (node for node, shared in enumerate(common) if shared)


load = UnorderedSubtree.from_json
