"""Values that a page states for machines: JSON-LD, and microdata in its elements."""

from collections.abc import Iterator
from itertools import chain, islice

from dehusk.metadata.stated import ARTICLES, LONGEST_VALUE, Stated, plain
from dehusk.page import Page
from dehusk.page.elements import attribute
from dehusk.tables._values import Grain, Value

DEEPEST, NESTED = 4, 20
"""How deep JSON-LD objects are followed: the steps of a recipe's sections are the third level. Lists count less."""

MOST_VALUES = 500
"""How many values of a page are read, and how many elements with microdata are looked at."""

MOST_NODES = 2000
"""How many nodes of an element are looked at for its text: elements with microdata may be nested."""

LONGEST_NAME = 100
"""Properties and types with a longer name are ignored: every value inside of them repeats it in its place."""

STATED = JSON_LD, ITEMPROP = "json-ld ", "itemprop "
"""How the places of such values begin."""

_INNER = frozenset({"name", "text", "value", "url", "@value", "@id"})
"""Properties that say what the property around them is."""
_LISTED = "itemListElement"


def stated_values(page: Page) -> Iterator[Value]:
    """Yields the values of a page's JSON-LD and microdata. Their place is the path of properties."""
    for place, text in islice(chain(_json_ld(page), _microdata(page)), MOST_VALUES):
        yield Value(text, text, -1, place, "", "", Grain.BOTH, 1.0, stated=_name(place))


def _json_ld(page: Page) -> Iterator[tuple[str, str]]:
    things = Stated(page).things if page.select('script[type*="ld+json"]') else []
    for thing in things:
        kind = thing.get("@type")
        first = kind[0] if isinstance(kind, list) and kind else kind
        if isinstance(first, str) and len(first) <= LONGEST_NAME and ARTICLES.search(first):
            yield from _texts(thing, f"{JSON_LD}{first}", DEEPEST, NESTED)


def _texts(value: object, place: str, levels: int, nested: int) -> Iterator[tuple[str, str]]:
    """Yields the texts of a JSON value, each with its path. `nested` limits lists in lists, too."""
    if isinstance(value, list) and nested:
        for item in value:
            yield from _texts(item, place, levels, nested - 1)
    elif isinstance(value, dict) and levels and nested:
        for key, inner in value.items():
            if not key.startswith("@") and len(key) <= LONGEST_NAME:
                listed = key == _LISTED
                yield from _texts(inner, place if listed else f"{place} {key}", levels - (not listed), nested - 1)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        text = plain(str(value))
        if text:
            yield place, text


def _microdata(page: Page) -> Iterator[tuple[str, str]]:
    tree = page.tree
    named = ((node, names) for node, names in enumerate(page.labels(("itemprop",))) if names)
    for node, names in islice(named, MOST_VALUES):
        inside = filter(None, tree.text[node : node + min(tree.size[node], MOST_NODES)])
        given = attribute(page.nodes[node], "content") or attribute(page.nodes[node], "datetime")
        text = plain(given or " ".join(islice(inside, LONGEST_VALUE)))
        for name in names.split():
            if text and len(name) <= LONGEST_NAME:
                yield f"{ITEMPROP}{name}", text


def _name(place: str) -> str:
    """Returns the innermost property that tells something."""
    steps = place.split(" ")[2 if place.startswith(JSON_LD) else 1 :]
    telling = [step for step in steps if step not in _INNER]
    return telling[-1] if telling else steps[-1]
