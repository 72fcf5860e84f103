"""Trees as sequences, and what two of them have in common, found by way of their longest common subsequences.

Shared by the two methods of W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona State University,
2011, chapter 4. The steps are those of its algorithm 5; a node's label is the path of labels from the root down to it.
"""

from array import array
from collections.abc import Callable

from dehusk.base.tree import Numbered
from dehusk.kernels import dominant

Sequence = Callable[["array[int]", "array[int]"], "array[int]"]
"""From the parents and the sizes of a tree's nodes to the nodes in a sequence, from place 1 on."""

EXTENDED: Sequence = dominant.extended
"""The extended Prüfer sequence: a node once for each of its children, a leaf once."""

CONSOLIDATED: Sequence = dominant.consolidated
"""The consolidated Prüfer sequence: every node once."""

MOST_LOOKS = 4_000_000
"""How many matches Rick's algorithm may look at before a cheaper way is taken. It takes the dominant ones of them.

Pairs of real pages need up to 560,000. Long lists of few labels in random order need a share of all pairs of items.
"""


def template_matches(
    first: Numbered, second: Numbered, sequence: Sequence, *, most: int = MOST_LOOKS
) -> dominant.TemplateMatches:
    """The dominant matches of two trees' sequences, from which the template matches are still to be identified.

    Where they are too many: those of the consolidated sequences, which are shorter; then only a few matches a label.
    """
    label1, label2, labels = dominant.shared_labels(first.path, second.path)
    nodes1, sequence1 = dominant.keep_shared(sequence(first.parent, first.size), label1)
    nodes2, sequence2 = dominant.keep_shared(sequence(second.parent, second.size), label2)
    matches = dominant.Matches(sequence1, sequence2, labels)
    if not matches.find(most):
        if sequence is not CONSOLIDATED:
            return template_matches(first, second, CONSOLIDATED, most=most)
        matches = dominant.Matches(sequence1, sequence2, labels)
        matches.find_few()
    return dominant.TemplateMatches(matches, nodes1, first.parent, nodes2, second.parent)


def extract_subtree(first: Numbered, second: Numbered, sequence: Sequence) -> list[bool]:
    """The nodes of the first tree in a subtree common to both (algorithm 5), not always the largest.

    The matches always form a restricted top-down mapping, so with a node its parent is in the subtree.
    """
    return [mate >= 0 for mate in template_matches(first, second, sequence).identify()]


def count_dominant(first: Numbered, second: Numbered, sequence: Sequence) -> int:
    """How many dominant matches two trees have: what the time of the methods depends on."""
    return template_matches(first, second, sequence).matches.count
