"""dehusk learns the template of a web site from a few of its pages and strips it from all of them.

import dehusk
template = dehusk.learn(pages)          # HTML as bytes or str, Page objects, or the path of a folder
cleaned = template.clean(html)          # cleaned.text, .markdown, .html, .removed
template.save("site.husk"); template = dehusk.load("site.husk")
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dehusk.errors import DehuskError
    from dehusk.marking import Marking
    from dehusk.page import Page
    from dehusk.run import learn
    from dehusk.template import Cleaned, Template, load

__all__ = ["Cleaned", "DehuskError", "Marking", "Page", "Template", "learn", "load"]

# Imported when first used: the parser takes longer to load than `dehusk --help` may.
_HOMES = {
    "Cleaned": "template",
    "DehuskError": "errors",
    "Marking": "marking",
    "Page": "page",
    "Template": "template",
    "learn": "run",
    "load": "template",
}


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dehusk' has no attribute {name!r}")
    return getattr(import_module(f"dehusk.{_HOMES[name]}"), name)
