"""The few loops that must be fast: plain typed Python, compiled by Cython if a C compiler is available at build time.

Each `x.py` also runs uncompiled. The `x.pxd` beside it only adds C types, so both versions have the same source, and
the tests run on both. Nothing in this folder touches files. `apart.py`, `formulas.py`, `frontier.py`, `reading.py` and
`walking.py` walk the parser's nodes; the others take and return arrays.
"""

from importlib.util import find_spec
from pkgutil import iter_modules


def compiled() -> bool:
    """Returns whether all kernels are compiled. Otherwise results are the same, but slower."""
    found = (find_spec(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return not any(spec is None or str(spec.origin).endswith(".py") for spec in found)
