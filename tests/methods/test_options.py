"""What methods can be told: declared in the signature of `learn`, and read from there."""

from collections.abc import Sequence
from typing import Annotated

import pytest

from dehusk.base.errors import UsageError
from dehusk.base.options import Option
from dehusk.methods import METHODS
from dehusk.methods._options import options_of, share, switch
from dehusk.methods.rules import Learned
from dehusk.page import Page


def learn(
    pages: Sequence[Page],
    *,
    pieces: Annotated[int, Option("a number of pieces", int)] = 3,
    keep: Annotated[Sequence[str], Option("what stays", choices=("a", "b"), many=True)] = (),
    key: Page | None = None,
) -> Learned:
    raise AssertionError(pages, pieces, keep, key)  # only its options are looked at


def test_the_options_of_a_method_are_those_of_its_learn_with_their_defaults() -> None:
    found = options_of(learn)
    assert [(one.name, one.default, one.help) for one in found.values()] == [
        ("pieces", 3, "a number of pieces"),
        ("keep", (), "what stays"),
        ("key", None, ""),
    ]


def test_what_a_person_types_becomes_the_value() -> None:
    found = options_of(learn)
    assert found["pieces"].value("7") == 7
    assert found["keep"].value("b, a") == ["b", "a"]


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("pieces", "many", "pieces=many: give a number of pieces"),
        ("keep", "a,c", "keep=c: choose from a, b"),
        ("key", "page.html", "key can be given in Python alone"),
    ],
)
def test_what_is_no_value_is_refused_with_what_to_do(name: str, typed: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        options_of(learn)[name].value(typed)


def test_shares_and_switches_are_read() -> None:
    assert (share("0.5"), switch("yes"), switch("no")) == (0.5, True, False)
    for read, typed in ((share, "1.5"), (share, "x"), (switch, "maybe")):
        with pytest.raises(ValueError, match=r".*"):
            read(typed)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "evidence"])
def test_every_option_of_a_method_has_help_and_a_default_that_it_takes(method: str) -> None:
    how = METHODS[method]
    assert all(option.help for option in how.options.values())
    how.learn([], **{name: option.default for name, option in how.options.items()})
