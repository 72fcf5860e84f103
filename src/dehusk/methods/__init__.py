"""The methods, and the only place that lists them.

A method is one file with a `learn(pages, **options)` that gives a `Learned`, and a `load(data)` that gives its rules.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dehusk.errors import UsageError

if TYPE_CHECKING:
    from dehusk.page import Page
    from dehusk.rules import Learned, Rules

DEFAULT = "evidence"


@dataclass(frozen=True, slots=True)
class Method:
    """A method by name; its file is imported when it is used."""

    name: str
    module: str
    paper: str
    finds: str
    needs: str
    cost: str
    alone: bool = False
    """Whether it judges a page by itself where there is no second one to compare it with."""

    @property
    def options(self) -> list[str]:
        """The names of what its `learn` can be told."""
        return [name for name in inspect.signature(self.learn).parameters if name != "pages"]

    @property
    def learn(self) -> "Callable[..., Learned]":
        """From a sample of pages to the rules that tell template from content."""
        learn: Callable[[Sequence[Page]], Learned] = import_module(f"dehusk.methods.{self.module}").learn
        return learn

    @property
    def load(self) -> "Callable[[dict[str, Any]], Rules]":
        """From the JSON of its rules to the rules."""
        load: Callable[[dict[str, Any]], Rules] = import_module(f"dehusk.methods.{self.module}").load
        return load


METHODS = {
    method.name: method
    for method in (
        Method(
            "evidence",
            "evidence",
            "dehusk",
            finds="regions that a small trained model calls template, by site and page evidence",
            needs="three pages or more; judges by the page alone where there is one",
            cost="linear",
            alone=True,
        ),
        Method(
            "rtdm",
            "rtdm",
            "Vieira et al. 2006",
            finds="the largest tree that all sampled pages share, exactly",
            needs="two pages or more of one template; two dozen are enough",
            cost="quadratic in the worst case, near linear on real pages",
        ),
        Method(
            "bottom-up",
            "bottom_up",
            "Vieira et al. 2009",
            finds="identical subtrees at the same path on all sampled pages, in any order",
            needs="two pages or more of one template",
            cost="linear",
        ),
        Method(
            "prufer",
            "prufer",
            "Huang 2011",
            finds="a tree that all sampled pages share, by way of their Prüfer sequences; often the largest",
            needs="two pages or more of one template; two dozen are enough",
            cost="with the dominant matches of two sequences: near linear on like pages, and bounded",
        ),
        Method(
            "consolidated-prufer",
            "consolidated_prufer",
            "Huang 2011",
            finds="a tree that all sampled pages share, nearly the largest, with each node once in its sequence",
            needs="two pages or more of one template; two dozen are enough",
            cost="as prufer, in about half its time",
        ),
        Method(
            "etdm",
            "etdm",
            "Alarte et al. 2015",
            finds="what a key page shares with at least half of the others, by tag, id, class and text",
            needs="a typical key page and three others or more; they may differ in template",
            cost="linear in the pages compared",
        ),
        Method(
            "style-tree",
            "style_tree",
            "Yi et al. 2003",
            finds="parts of the site whose presentation and content vary little from page to page",
            needs="a dozen pages or more; several templates may be mixed",
            cost="near linear",
        ),
        Method(
            "chunks",
            "chunks",
            "Ma et al. 2003",
            finds="runs of text between block elements (or tables) that many of the sampled pages have",
            needs="two pages or more; several templates may be mixed",
            cost="linear",
        ),
        Method(
            "pagelets",
            "pagelets",
            "Bar-Yossef and Rajagopalan 2002",
            finds="regions with a few links whose text, nearly word for word, is on two sampled pages or more",
            needs="two pages or more; several templates may be mixed, near-duplicate pages should be out",
            cost="linear",
        ),
    )
}


def method(name: str) -> Method:
    """The method of this name."""
    if name not in METHODS:
        raise UsageError(f"unknown method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]
