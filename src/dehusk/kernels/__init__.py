"""The few loops that must be fast: plain typed Python, compiled by Cython at build time where a C compiler is at hand.

Each `x.py` here runs as it stands. The `x.pxd` beside it only adds C types, so both versions are one source, and the
tests run on both. Nothing in this folder touches files. `apart.py`, `frontier.py`, `reading.py` and `walking.py`
walk the parser's nodes; all others take arrays and give arrays.
"""

from importlib.util import find_spec
from pkgutil import iter_modules


def compiled() -> bool:
    """Whether all loops are compiled here. Where one is not, the results are the same, and come later."""
    found = (find_spec(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return not any(spec is None or str(spec.origin).endswith(".py") for spec in found)
