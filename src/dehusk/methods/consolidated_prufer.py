"""CPS-TD: as PS-TD, but in the consolidated Prüfer sequence every node comes once, so sequences are shorter.

W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona State University, 2011, chapter 4.
"""

from collections.abc import Sequence

from dehusk.methods._sequences import CONSOLIDATED, map_trees
from dehusk.methods._subtree import Subtree, find_template
from dehusk.page import Page
from dehusk.rules import Learned
from dehusk.tree import Numbered


def learn(pages: Sequence[Page]) -> Learned:
    """FindTemplate (Vieira et al. 2006, figure 5) with CPS-TD as its ExtractSubTree: the thesis compares pairs only."""
    return find_template(pages, extract_subtree)


def extract_subtree(first: Numbered, second: Numbered) -> list[bool]:
    """The nodes of the first tree in a subtree common to both (algorithm 5), not always the largest."""
    return [mate >= 0 for mate in map_trees(first, second, CONSOLIDATED)]


load = Subtree.from_json
