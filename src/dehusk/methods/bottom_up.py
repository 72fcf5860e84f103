"""RBM-TD: the template is the largest forest of identical subtrees that hang on equal paths in the sampled pages.

K. Vieira, A. L. C. Carvalho, K. Berlt, E. S. Moura, A. S. Silva, J. Freire: On Finding Templates on Web Collections.
World Wide Web 12(2), 2009; as described by W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona
State University, 2011, chapter 3. The mapping: G. Valiente: An Efficient Bottom-Up Distance between Trees. SPIRE 2001.

It is linear, at a price: a node whose subtree differs anywhere is found only as the ancestor of an identical subtree,
and the order of siblings is ignored, so the result need not be a common subtree.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dehusk.base.tree import Classes, Numbered, Tree, parents
from dehusk.kernels import forest
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


def map_forest(first: Numbered, second: Numbered) -> Sequence[int]:
    """Returns for each node of the first tree its partner in the largest common forest, or -1.

    The mapping is one to one, in whole subtrees, each to the first free candidate in level order.
    """
    return forest.map_forest(first.subtree, first.path, first.size, first.parent, second.subtree, second.path)


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
