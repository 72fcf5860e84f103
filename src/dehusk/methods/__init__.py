"""The methods, and the only place that lists them.

A method is a module with `learn(pages, **options)`, which returns a `Learned`, and `load(data)`, which returns its
rules. Its options are declared in the signature of `learn`, as keyword arguments with a default and a type such as
`Annotated[int, Option("the number of links", whole(1))]`. A new method needs a module and an entry here.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from dehusk.base.errors import UsageError, did_you_mean
from dehusk.base.options import Option

if TYPE_CHECKING:
    from dehusk.methods.rules import Learned, Rules
    from dehusk.page import Page

DEFAULT = "evidence"


@dataclass(frozen=True, slots=True)
class Method:
    """A method. Its module is imported on first use."""

    name: str
    paper: str
    finds: str
    needs: str
    cost: str
    alone: bool = False
    """Whether it can judge a single page, without a second one to compare."""
    mixed: bool = False
    """Whether it handles several templates, so that a small site is best learned from all its pages together."""

    @property
    def options(self) -> Mapping[str, Option]:
        """The options of `learn`, by name."""
        return options_of(self.learn)

    @property
    def learn(self) -> "Callable[..., Learned]":
        """Function that learns rules from a sample of pages."""
        learn: Callable[[Sequence[Page]], Learned] = self._module().learn
        return learn

    @property
    def load(self) -> "Callable[[dict[str, Any]], Rules]":
        """Function that reads rules from JSON."""
        load: Callable[[dict[str, Any]], Rules] = self._module().load
        return load

    def check(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options as `learn` takes them. Raises UsageError for unknown options and invalid values."""
        return {name: self._option(name).check(value) for name, value in options.items()}

    def _option(self, name: str) -> Option:
        if name not in self.options:
            has = ", ".join(self.options) or "none"
            meant = did_you_mean(name, self.options)
            raise UsageError(f"method {self.name} has no option {name!r}; it has {has}{meant}")
        return self.options[name]

    def read(self, typed: str, *, files: bool = True) -> "TypedOptions":
        """Parses options from the command line, such as "threshold=0.5,epsilon=0.1". Raises UsageError as `check` does.

        `files` is whether an option may name a local file.
        """
        values: dict[str, Any] = {}
        named: dict[str, str] = {}
        for part in typed.split(",") if typed else ():
            word, is_given, text = part.partition("=")
            option = self._option(word.strip().replace("-", "_"))
            if not is_given:
                raise UsageError(f"{option.spelled}: give it a value, such as {option.spelled}={option.usual}")
            if option.name in values:
                raise UsageError(f"{option.spelled} is given twice; leave one of them out")
            values[option.name] = option.value(text.strip(), files=files)
            named |= {option.name: text.strip()} if option.is_file else {}
        return TypedOptions(values, named)

    def _module(self) -> ModuleType:
        return import_module(f"dehusk.methods.{self.name.replace('-', '_')}")


class TypedOptions(NamedTuple):
    """Parsed options, and the file names given for options whose value is in a file."""

    values: dict[str, Any]
    files: dict[str, str]


@cache
def options_of(learn: Callable[..., Any]) -> Mapping[str, Option]:
    """Returns the options that a signature declares, by name, in its order."""
    hints = get_type_hints(learn, include_extras=True)
    options = {}
    for name, keyword in inspect.signature(learn).parameters.items():
        if keyword.kind is keyword.KEYWORD_ONLY:
            (option,) = (declared for declared in hints[name].__metadata__ if isinstance(declared, Option))
            options[name] = replace(option, name=name, default=keyword.default)
    return options


METHODS = {
    method.name: method
    for method in (
        Method(
            "evidence",
            "dehusk",
            finds="regions that a small trained model calls template, by site and page evidence",
            needs="three pages or more; judges by the page alone where there is one",
            cost="linear",
            alone=True,
            mixed=True,
        ),
        Method(
            "rtdm",
            "Vieira et al. 2006",
            finds="a tree that all sampled pages share: of two pages the largest, of more what is left pair by pair",
            needs="two pages or more of one template; two dozen are enough",
            cost="quadratic in the worst case, near linear on real pages",
        ),
        Method(
            "bottom-up",
            "Vieira et al. 2009",
            finds="identical subtrees at the same path on all sampled pages, in any order",
            needs="two pages or more of one template",
            cost="linear",
        ),
        Method(
            "prufer",
            "Huang 2011",
            finds="a tree that all sampled pages share, by way of their Prüfer sequences; often the largest",
            needs="two pages or more of one template; two dozen are enough",
            cost="with the dominant matches of two sequences: near linear on like pages, and bounded",
        ),
        Method(
            "consolidated-prufer",
            "Huang 2011",
            finds="a tree that all sampled pages share, nearly the largest, with each node once in its sequence",
            needs="two pages or more of one template; two dozen are enough",
            cost="as prufer, in about half its time",
        ),
        Method(
            "etdm",
            "Alarte et al. 2015",
            finds="what a key page shares with at least half of the others, by tag, id, class and text",
            needs="a typical key page and three others or more; they may differ in template",
            cost="linear in the pages compared",
        ),
        Method(
            "style-tree",
            "Yi et al. 2003",
            finds="parts of the site whose presentation and content vary little from page to page",
            needs="a dozen pages or more; several templates may be mixed",
            cost="near linear",
        ),
        Method(
            "chunks",
            "Ma et al. 2003",
            finds="runs of text between block elements (or tables) that many of the sampled pages have",
            needs="two pages or more; several templates may be mixed",
            cost="linear",
        ),
        Method(
            "pagelets",
            "Bar-Yossef and Rajagopalan 2002",
            finds="parts of pages with a few links whose text, nearly word for word, is on two sampled pages or more",
            needs="two pages or more; several templates may be mixed, near-duplicate pages should be out",
            cost="linear",
        ),
    )
}


def method(name: str) -> Method:
    """Returns the method with this name. Raises UsageError if there is none."""
    if name not in METHODS:
        known = ", ".join(METHODS)
        raise UsageError(f"unknown method {name!r}: choose one of {known}{did_you_mean(name, METHODS)}")
    return METHODS[name]


def typed_method(words: str, *, files: bool = True) -> tuple[Method, TypedOptions]:
    """Parses a method and its options, such as "style-tree:threshold=0.5,epsilon=0.1"."""
    name, _, options = words.partition(":")
    chosen = method(name)
    return chosen, chosen.read(options, files=files)
