"""Trees as sequences, and common subtrees found by longest common subsequences.

Shared by the two methods of W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona State University,
2011, chapter 4. The steps are those of its algorithm 5; a node's label is the path of labels from the root down to it.
"""

from array import array
from collections.abc import Callable

from dehusk.base.tree import Numbered
from dehusk.kernels import dominant

Sequence = Callable[["array[int]", "array[int]"], "array[int]"]
"""Maps the parents and sizes of a tree's nodes to a sequence of nodes, starting at index 1."""

EXTENDED: Sequence = dominant.extended
"""The extended Prüfer sequence: each node once for each of its children, each leaf once."""

CONSOLIDATED: Sequence = dominant.consolidated
"""The consolidated Prüfer sequence: each node once."""

MOST_LOOKS = 4_000_000
"""Maximum number of matches that Rick's algorithm may examine. Beyond it, a cheaper way is used.

Pairs of real pages need up to 560,000. Long lists of few labels in random order need a fixed share of all pairs.
"""


def template_matches(
    first: Numbered, second: Numbered, sequence: Sequence, *, most: int = MOST_LOOKS
) -> dominant.TemplateMatches:
    """Returns the dominant matches of two trees' sequences; `identify` then finds the template matches among them.

    If there are too many, uses the consolidated sequences, which are shorter; then only a few matches for each label.
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
    """Flags the nodes of the first tree in a common subtree (algorithm 5), not always the largest.

    The matches always form a restricted top-down mapping, so the subtree contains the parents of its nodes.
    """
    return [mate >= 0 for mate in template_matches(first, second, sequence).identify()]


def count_dominant(first: Numbered, second: Numbered, sequence: Sequence) -> int:
    """Returns the number of dominant matches of two trees, on which the running time depends."""
    return template_matches(first, second, sequence).matches.count
