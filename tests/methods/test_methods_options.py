"""Options of methods are declared in the signature of `learn`, and read from there."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import pytest

import dehusk
from dehusk.base.errors import UsageError
from dehusk.base.options import SHARE, SWITCH, Option, one_of, whole
from dehusk.core import Learning
from dehusk.methods import METHODS, options_of, typed_method
from dehusk.methods.rules import Learned
from dehusk.page import Page


def learn(
    pages: Sequence[Page],
    *,
    pieces: Annotated[int, Option("a number of pieces", whole(1))] = 3,
    side: Annotated[str | None, Option("what stays", one_of(["left", "right"]), unset="both")] = None,
    key: Annotated[Page | None, Option("the page")] = None,
) -> Learned:
    raise AssertionError(pages, pieces, side, key)  # only its options are read


def test_the_options_of_a_method_are_those_of_its_learn_with_their_defaults() -> None:
    found = options_of(learn)
    assert [(one.name, one.default, one.help) for one in found.values()] == [
        ("pieces", 3, "a number of pieces"),
        ("side", None, "what stays"),
        ("key", None, "the page"),
    ]


def test_a_typed_text_becomes_the_value() -> None:
    found = options_of(learn)
    assert found["pieces"].value("7") == 7
    assert found["side"].value("left") == "left"
    assert found["side"].value("none") is None


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("pieces", "many", "pieces=many: give a whole number, 1 or more"),
        ("pieces", "0", "pieces=0: give a whole number, 1 or more"),
        ("pieces", "none", "pieces=none: give"),
        ("side", "rigth", r"side=rigth: choose one of left, right, or none for both; did you mean right\?"),
        ("key", "page.html", "key cannot be given here"),
    ],
)
def test_an_invalid_value_is_refused_with_the_possible_ones(name: str, typed: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        options_of(learn)[name].value(typed)


def test_shares_and_switches_are_read_and_checked() -> None:
    part, turned = Option("a part", SHARE, name="part"), Option("on or off", SWITCH, name="turned", default=True)
    assert (part.value("0.5"), turned.value("yes"), turned.value("no")) == (0.5, True, False)
    assert (part.check(1), turned.check(value=False)) == (1, False)
    wrong: list[tuple[Option, Any]] = [
        (part, 1.5),
        (part, "x"),
        (part, None),
        (part, True),
        (turned, 1),
        (turned, "yes"),
    ]
    for option, value in wrong:
        with pytest.raises(UsageError, match=f"{option.name}="):
            option.check(value)
    for option, typed in ((part, "1.5"), (part, "x"), (part, "nan"), (turned, "maybe")):
        with pytest.raises(UsageError, match=f"{option.name}={typed}: give"):
            option.value(typed)


@pytest.mark.parametrize("method", METHODS)
def test_every_option_of_a_method_has_help_and_a_default_that_it_takes(method: str) -> None:
    how = METHODS[method]
    assert all(option.help and option.values and option.usual for option in how.options.values())
    defaults = {name: option.default for name, option in how.options.items()}
    assert how.check(defaults) == defaults
    how.learn([], **defaults)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("rtdm", {}),
        ("rtdm:", {}),
        ("rtdm:replace=3", {"replace": 3}),
        ("pagelets:links=5", {"links": 5}),
        ("etdm:votes=3,equality=label", {"votes": 3, "equality": "label"}),
        ("etdm:votes=none", {"votes": None}),
        ("etdm:attributes=id+Role", {"attributes": ("id", "role")}),
        ("chunks:delimiters=tables,threshold=4", {"delimiters": "tables", "threshold": 4}),
        ("chunks:delimiters=div+ul", {"delimiters": frozenset({"div", "ul"})}),
        (
            "style-tree:threshold=0.5, epsilon=0.1, likeness=none, virtual-leaves=no",
            {"threshold": 0.5, "epsilon": 0.1, "likeness": None, "virtual_leaves": False},
        ),
        (
            "style-tree:virtual_leaves=yes,attenuation=1,frequency=0",
            {"virtual_leaves": True, "attenuation": 1.0, "frequency": 0.0},
        ),
        ("evidence:grain=nodes,favor=recall", {"grain": "nodes", "favor": "recall"}),
    ],
)
def test_a_method_and_its_options_are_typed_in_one_word(words: str, options: dict[str, Any]) -> None:
    method, typed = typed_method(words)
    assert (method.name, typed.values, typed.files) == (words.partition(":")[0], options, {})
    pages = [f"<ul><li><a href=/>Home</a></ul><table><tr><td>{word}</table>" for word in ("one", "two", "three")]
    assert dehusk.learn(pages, method=method.name, **typed.values).pages == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("magic", "unknown method 'magic'"),
        ("rtdm:threshold=1", "method rtdm has no option 'threshold'; it has replace"),
        ("bottom-up:threshold=1", "method bottom-up has no option 'threshold'; it has none"),
        ("style-tree:treshold=1", r"it has threshold, .*, epsilon; did you mean threshold\?"),
        ("style-tree:threshold", "threshold: give it a value, such as threshold=0.3"),
        ("style-tree:threshold=2", "threshold=2: give a number from 0 to 1"),
        ("style-tree:threshold=0.1,threshold=0.2", "threshold is given twice"),
        ("etdm:equality=looks", "equality=looks: choose one of attributes, label"),
        ("etdm:attributes=id+", r"attributes=id\+: give names of attributes joined with \+"),
        ("chunks:delimiters=rows", r"delimiters=rows: give blocks, tables, or tags joined with \+"),
        ("evidence:weights=/no/such", "cannot read weights /no/such: no such file"),
        ("etdm:key=/no/such", "cannot read key /no/such"),
    ],
)
def test_invalid_options_are_refused_with_the_valid_ones(words: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        typed_method(words)


def test_files_are_read_only_if_the_caller_may_name_them(tmp_path: Path) -> None:
    (tmp_path / "key.html").write_bytes(b"<p>key")
    words = f"etdm:key={tmp_path / 'key.html'}"
    _, (values, files) = typed_method(words)
    assert values["key"].html == b"<p>key"
    assert files == {"key": str(tmp_path / "key.html")}
    with pytest.raises(UsageError, match="key cannot be given here"):
        typed_method(words, files=False)


def test_how_to_learn_is_checked_when_it_is_made_and_can_be_sent_to_other_processes() -> None:
    learning = Learning.of("style-tree", 5, threshold=0.5)
    assert learning == Learning("style-tree", 5, options={"threshold": 0.5})
    assert pickle.loads(pickle.dumps(learning)) == learning
    with pytest.raises(UsageError, match="threshold='high': give a number from 0 to 1"):
        Learning.of("style-tree", threshold="high")
    with pytest.raises(UsageError, match="replace=0: give a whole number, 1 or more"):
        dehusk.learn([], method="rtdm", replace=0)
