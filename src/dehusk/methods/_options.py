"""Options of methods: declared once, in the signature of `learn`. A program that is given text reads it with `value`.

An option is a keyword with a type such as `Annotated[int, Option("the number of links", int)]`, and a default.
"""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_type_hints

from dehusk.base.options import Option


def options_of(learn: Callable[..., Any]) -> dict[str, Option]:
    """The options that a signature declares, by name, in its order."""
    hints = get_type_hints(learn, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(learn).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            declared = [one for one in getattr(hints[name], "__metadata__", ()) if isinstance(one, Option)]
            option = declared[0] if declared else Option("")
            found[name] = replace(option, name=name, default=parameter.default)
    return found


def switch(typed: str) -> bool:
    """Yes or no."""
    if typed not in {"yes", "no"}:
        raise ValueError(typed)
    return typed == "yes"


def share(typed: str) -> float:
    """A number from 0 to 1."""
    number = float(typed)
    if not 0 <= number <= 1:
        raise ValueError(typed)
    return number
