"""PS-TD: the template is the common subtree that longest common subsequences of the pages' Prüfer sequences lead to.

W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona State University, 2011, chapter 4.
"""

from collections.abc import Sequence

from dehusk.methods._sequences import EXTENDED, map_trees
from dehusk.methods._subtree import Subtree, find_template
from dehusk.page import Page
from dehusk.rules import Learned
from dehusk.tree import Numbered


def learn(pages: Sequence[Page]) -> Learned:
    """FindTemplate (Vieira et al. 2006, figure 5) with PS-TD as its ExtractSubTree: the thesis compares pairs only."""
    return find_template(pages, extract_subtree)


def extract_subtree(first: Numbered, second: Numbered) -> list[bool]:
    """The nodes of the first tree in a subtree common to both (algorithm 5), not always the largest."""
    return [mate >= 0 for mate in map_trees(first, second, EXTENDED)]


load = Subtree.from_json
