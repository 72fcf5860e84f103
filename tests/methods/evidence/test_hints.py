"""What names of elements hint at."""

import pytest

from dehusk.methods.evidence._hints import HINTS, bits, hints_of


@pytest.mark.parametrize(
    ("names", "kinds"),
    [
        (".nav-bar", {"navigation"}),
        ("#Footer", {"frame"}),
        (".barefoot", set()),
        (".page-foot", {"frame"}),
        (".ads .related", {"promotion"}),
        (".headset .relative", set()),
        (".relation", {"promotion"}),
        ("@main", {"content"}),
        (".product-price", {"record", "shop"}),
        (".replies", {"comments"}),
        (".replying", set()),
        ("", set()),
    ],
)
def test_names_hint_at_kinds(names: str, kinds: set[str]) -> None:
    assert {kind for kind in HINTS if hints_of(names) & bits(kind)} == kinds


def test_each_kind_has_a_bit_of_its_own() -> None:
    assert bits(*HINTS) == 2 ** len(HINTS) - 1
