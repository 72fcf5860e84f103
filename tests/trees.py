"""Small trees for tests: in the notation r(a(b),c), random, and as pages."""

import re
from array import array
from collections.abc import Sequence

from hypothesis import strategies as st

from dehusk.base.tree import Classes, Numbered, sizes
from dehusk.page import Page

Nested = tuple[str, list["Nested"]]


def nested(written: str) -> Nested:
    """Parses `r(a(b),c)` into nested tuples."""
    root: Nested = ("", [])
    stack = [root]
    for token in re.findall(r"[^(),]+|[()]", written):
        if token == "(":
            stack.append(stack[-1][1][-1])
        elif token == ")":
            stack.pop()
        else:
            stack[-1][1].append((token, []))
    return root[1][0]


def flat(tree: Nested) -> tuple[list[str], "array[int]"]:
    """Labels and parents of a nested tree in pre-order."""
    labels: list[str] = []
    parent = array("i")
    stack: list[tuple[Nested, int]] = [(tree, -1)]
    while stack:
        (label, children), above = stack.pop()
        stack += [(child, len(labels)) for child in reversed(children)]
        labels.append(label)
        parent.append(above)
    return labels, parent


def numbered(tree: Nested | str, classes: Classes | None = None) -> Numbered:
    """A tree as numbers; trees to compare must share `classes`."""
    labels, parent = flat(nested(tree) if isinstance(tree, str) else tree)
    return (classes or Classes()).number_labels(labels, parent, sizes(parent))


def pair(first: Nested | str, second: Nested | str) -> tuple[Numbered, Numbered]:
    """Two trees with common label numbers."""
    classes = Classes()
    return numbered(first, classes), numbered(second, classes)


def page(tree: Nested | str) -> Page:
    """A page whose body contains the tree: `a(b)` is `<x-a><x-b></x-b></x-a>`; a label in quotation marks is a text."""
    return Page(f"<html><body>{html(nested(tree) if isinstance(tree, str) else tree)}</body></html>")


def html(tree: Nested) -> str:
    """The markup of a tree, with unknown elements, which the parser does not rearrange."""
    label, children = tree
    if label.startswith('"'):
        return label.strip('"')
    return f"<x-{label}>{''.join(map(html, children))}</x-{label}>"


def as_nested(labels: Sequence[str], size: Sequence[int], node: int = 0) -> Nested:
    """A flat tree as nested tuples."""
    children: list[Nested] = []
    child = node + 1
    while child < node + size[node]:
        children.append(as_nested(labels, size, child))
        child += size[child]
    return labels[node], children


def contained(small: Nested, large: Nested) -> bool:
    """Whether a tree contains another, with the same root and order, by brute force."""
    return small[0] == large[0] and _contained(small[1], large[1])


def _contained(small: list[Nested], large: list[Nested]) -> bool:
    if not small:
        return True
    return bool(large) and (
        (contained(small[0], large[0]) and _contained(small[1:], large[1:])) or _contained(small, large[1:])
    )


def trees(labels: str = "ab", leaves: int = 6, root: str | None = "r") -> st.SearchStrategy[Nested]:
    """Random small trees, all with the same root unless `root` is None."""
    label = st.sampled_from(labels)
    below: st.SearchStrategy[Nested] = st.recursive(
        st.tuples(label, st.just([])),
        lambda children: st.tuples(label, st.lists(children, max_size=3)),
        max_leaves=leaves,
    )
    return st.tuples(label if root is None else st.just(root), st.lists(below, max_size=3))
