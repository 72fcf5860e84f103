"""Names of columns: the label that people see, else the property, else the class, made unique."""

import re
from collections.abc import Iterable, Sequence

from dehusk.tables.lines import LINK

MOST_WORDS = 5
"""How many words of a label make a name."""

MOST_OF_CLASS = 3
"""How many words of a class make a name."""

LEVELS = 5
"""How many elements, from the value outwards, are asked for a name."""

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TAG = re.compile(r"[a-z0-9]*")
_STEP = re.compile(r"[#.]([^#.\[@~]+)")


def _of(names: str) -> frozenset[str]:
    return frozenset(names.split())


_NOISE = _of(
    "a area article b base bd block body bold box btn bx card cell cf clear clearfix cls col column cont "
    "contain container contents content copy css ctl data default desktop detail details div el element entry "
    "field fl fll flr fr full grid group grp hd holder id info information inline inner item items js label "
    "lbl left li line link links list ltr main master max md mid middle min mobile mod module new normal outer "
    "page pad padding panel part pdp pg placeholder pod primary product right root row rows sec secondary "
    "section sm small span standard tab table td text the tr txt ui ul val value view widget wrap wrapper x xs"
)
"""Words of class names that tell how something looks, or that it is something."""

PLAIN = {"a": "link", "h1": "heading", "h2": "heading", "h3": "heading", "li": "item", "td": "cell", "p": "paragraph"}
TEXT_NAME = "text"


def of_label(label: str) -> str:
    """Returns the name that a label gives."""
    return "_".join(_WORD.findall(label.lower())[:MOST_WORDS])


def of_property(name: str) -> str:
    """Returns the name that a property gives: recipeIngredient is recipe_ingredient."""
    return "_".join(word.lower() for word in _WORD.findall(_CAMEL.sub("_", name)))


def of_place(place: str) -> str:
    """Returns the name that ids and classes give, the innermost first; else that of the tag."""
    for step in place.split(LINK)[: -LEVELS - 1 : -1]:
        for name in _STEP.findall(step):
            words = [word.lower() for word in _WORD.findall(_CAMEL.sub("_", name))]
            telling = [word for word in words if word not in _NOISE and not word.isdigit() and len(word) > 1]
            if telling:
                return "_".join(telling[-MOST_OF_CLASS:])
    tag = _TAG.match(place.rpartition(LINK)[2])
    return PLAIN.get(tag[0] if tag else "", TEXT_NAME)


def unique(names: Iterable[str], taken: Sequence[str] = ()) -> list[str]:
    """Returns names with numbers behind those that were there before."""
    known = set(taken)
    chosen = []
    for name in names:
        number, own = 2, name
        while own in known:
            own = f"{name}_{number}"
            number += 1
        known.add(own)
        chosen.append(own)
    return chosen
