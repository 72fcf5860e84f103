"""The garbage collector is off during some work, and on again after it."""

import gc

import pytest

from dehusk.base.garbage import uncollected


def fail() -> None:
    assert not gc.isenabled()
    raise ValueError("here")


def test_the_collector_is_off_inside_and_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="here"), uncollected():
        fail()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    with uncollected():
        with uncollected():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
