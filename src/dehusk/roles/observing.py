"""The names of all signs of a block: names of elements, phrases, shape, position and link targets."""

from dehusk.kernels.sight import ITEMS, TELLING, TELLING_INSIDE
from dehusk.kernels.signs import PLACES, SINGLE
from dehusk.roles._role import Role
from dehusk.roles._vocabulary import NAMES, TARGETS

ALWAYS = SINGLE[0]
"""A sign that every block has."""

KINDS = ("article", "collection", "documentation", "forum", "listing", "product", "service", "other")
"""The types of pages; "other" is for an unknown type."""

_FAMILIES = {
    "named": [*(f"name of {name}" for name in NAMES), "name of other record"],
    "under": [f"under {role}" for role in Role],
    "says": [f"says {role}" for role in Role],
    "in": [f"in {tag}" for tag in TELLING],
    "all in": [f"all in {tag}" for tag in TELLING_INSIDE],
    "links": [f"links to {name}" for name in TARGETS],
    "items": [f"is {tag}" for tag in ITEMS],
    "places": [name for place in PLACES for name in (place, f"{place} on forum")],
    "kinds": [name for kind in KINDS for name in (f"kept on {kind}", f"gone on {kind}")],
}
SIGNS = (*SINGLE, *(name for names in _FAMILIES.values() for name in names))
"""The names of all signs; a sign's number is its index."""

FAMILIES = {family: SIGNS.index(names[0]) for family, names in _FAMILIES.items()}
"""The number of the first sign of each family; the others follow it."""

RECORD, OTHER_RECORD = SIGNS.index(f"name of {Role.RECORD}"), SIGNS.index("name of other record")
