"""Fuzz targets pass for their seeds, and for inputs that once failed."""

from pathlib import Path

import pytest

from promises import Broken, holds, memory, scratch
from seeds import seeds
from targets import TARGETS

FOUND = {
    "write": [
        b"p\xb7\xb7",
        b"<a href='\xa3'>",
        b"tq\xa90",
        b"<table><th>a<p>b<table><th>c",
        b"<a " + b"<ul>" * 9 + b"<a href=x>",
        b"<ul\xc2\xc5li>a8\xa3ul><li>b</ul></ul>",
    ],
    "store": [bytes.fromhex("13ffffffff0000ff")],
    "linked": [b"\nhttp://htmhtt\x90\xc5\x1d{\x7f\xcahtt", b"http://e.example////", b"http://e.example/a/%2e%2e/b"],
    "address": [b"http://://[:0]", b"http:/\xff\xff\xff\xff\xff\xff\xff\xffle/a/b.html?c=d"],
}
"""Inputs that once broke a guarantee, by target."""


@pytest.mark.parametrize("name", TARGETS)
def test_guarantees_hold_for_all_seeds(name: str) -> None:
    for data in [*seeds()[name][:40], *FOUND.get(name, [])]:
        TARGETS[name](data)


def test_every_target_has_seeds() -> None:
    assert list(seeds()) == list(TARGETS)


def test_a_broken_guarantee_is_reported() -> None:
    with pytest.raises(Broken, match="it is so"):
        holds("it is so", true=False)


def test_temporary_files_of_each_target_are_in_a_folder_that_is_deleted() -> None:
    before = memory()
    for _ in range(2):
        with scratch():
            inside = memory()
            assert inside is not None
            assert inside != before
        assert not Path(inside).exists()
        assert memory() == before
