"""CPS-TD: PS-TD with consolidated Prüfer sequences, which are shorter because each node occurs once.

W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona State University, 2011, chapter 4.
"""

from collections.abc import Sequence
from functools import partial

from dehusk.methods import tree_sequences
from dehusk.methods.common_subtree import Subtree, find_template
from dehusk.methods.rules import Learned
from dehusk.page import Page

extract_subtree = partial(tree_sequences.extract_subtree, sequence=tree_sequences.CONSOLIDATED)


def learn(pages: Sequence[Page]) -> Learned:
    """FindTemplate (Vieira et al. 2006, figure 5) with CPS-TD as its ExtractSubTree: the thesis compares pairs only."""
    return find_template(pages, extract_subtree)


load = Subtree.from_json
