"""When two nodes are equal for the equal top-down mapping (Alarte et al. 2015, section 3.2): labels that must agree."""

import re
from collections.abc import Callable, Sequence

from dehusk.base.options import Values
from dehusk.base.tree import TEXT, Tree
from dehusk.methods._labels import tokens

COMPARED = ("id", "class")
"""The attributes that must agree by default. The paper names them first, and more without saying how they count."""

# Characters with a meaning in a label, which are escaped in names.
_SELECTOR_MARKS = re.compile(r"[\\#.]")

_NAME = re.compile(r"[^\s\"'<>/=+,]+")


def selectors(tree: Tree, compared: Sequence[str] = COMPARED) -> list[str]:
    """Labels elements by tag and attributes, id and classes as in CSS; images by source too, texts by their content."""
    labels = tree.labels()
    known: dict[tuple[str, ...], str] = {}  # most elements share their tag and attributes with others
    for node, tag in enumerate(tree.tag):
        # The root, body, is labelled by its tag alone: its id and classes often name the single page.
        if node and tag != TEXT:
            attributes = tree.attributes[node]
            key = (tag, *(attributes.get(name, "") for name in compared))
            label = known.get(key)
            if label is None:
                label = known[key] = _selector(tag, dict(zip(compared, key[1:], strict=True)))
            labels[node] = label + labels[node][len(tag) :]
    return labels


def _selector(tag: str, attributes: dict[str, str]) -> str:
    names = tokens(attributes.pop("id", ""), attributes.pop("class", ""), fold=False)
    begun = _escaped(tag) + "".join(token[0] + _escaped(token[1:]) for token in names)
    # A tab is in no tag, id or class, so no two different elements get the same label.
    return begun + "".join(f"\t{name}={' '.join(value.split())}" for name, value in attributes.items() if value)


def _escaped(name: str) -> str:
    return _SELECTOR_MARKS.sub(r"\\\g<0>", name)


Equality = Callable[[Tree, Sequence[str]], Sequence[str]]
"""Returns a label for each node of a tree, with the attributes to compare. Nodes with the same label are equal."""

EQUALITIES: dict[str, Equality] = {"attributes": selectors, "label": lambda tree, _: tree.labels()}
"""The equalities by name: by tag and attributes, or by tag alone. Texts go by content, images by source in both."""


def attribute_names(value: object) -> tuple[str, ...]:
    """Checks names of attributes, given as a list or joined with "+"; raises ValueError or TypeError."""
    names = value.split("+") if isinstance(value, str) else list(value)  # type: ignore[call-overload]
    if not names or len(set(names)) < len(names) or not all(_NAME.fullmatch(name) for name in names):
        raise ValueError(value)
    return tuple(name.lower() for name in names)


ATTRIBUTE_NAMES = Values("names of attributes joined with +, such as id+class+role", attribute_names, attribute_names)
