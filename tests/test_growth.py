"""The time for a page does not grow with the square of its size, whatever its shape; benchmarks/growth.py says more."""

import gc
import math
import time
from collections.abc import Callable
from functools import partial

import pytest
from growth import FORMATS
from shapes import SHAPES

import dehusk
from dehusk.methods import METHODS
from dehusk.page import Page

SMALL, LARGE = 15_000, 60_000
"""Characters of a page. The square of the larger one takes seconds, so that a quadratic step shows among others."""
MOST = 1.6
"""The highest exponent: between linear, with the noise of a busy machine, and quadratic."""
LEAST = 0.002  # seconds; less is noise
TRIES = 4  # a busy machine can only add time

FEW = ("nested divs with text", "many attributes on one", "unclosed formatting", "brackets on lines")
"""Shapes for all methods: what differs between them is how they compare elements."""


def taken(act: Callable[[], object]) -> float:
    gc.collect()
    started = time.process_time()
    act()
    return max(LEAST, time.process_time() - started)


def grows(small: Callable[[], object], large: Callable[[], object]) -> float:
    """The exponent of the time: the least of both over several tries, which end as soon as it is low enough."""
    before = after = math.inf
    found = math.inf
    for _ in range(TRIES):
        before, after = min(before, taken(small)), min(after, taken(large))
        found = math.log(after / before) / math.log(LARGE / SMALL)
        if found <= MOST:
            break
    return found


def in_all_formats(make: Callable[[int], str], size: int) -> None:
    template = dehusk.learn([make(4_000), make(5_000)])
    for write in FORMATS.values():
        write(template, Page(make(size)))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_page_of_any_shape_takes_time_in_proportion_in_every_format(shape: str) -> None:
    act = partial(in_all_formats, SHAPES[shape])
    assert grows(partial(act, SMALL), partial(act, LARGE)) <= MOST


def learned(make: Callable[[int], str], method: str, size: int) -> None:
    pages = [make(size + 500 * number) for number in range(2)]
    assert dehusk.learn(pages, method=method).clean(pages[0]).text is not None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", FEW)
def test_a_page_takes_time_in_proportion_with_every_method(shape: str, method: str) -> None:
    act = partial(learned, SHAPES[shape], method)
    assert grows(partial(act, SMALL), partial(act, LARGE)) <= MOST


def test_a_quadratic_step_is_noticed() -> None:
    def work(size: int) -> int:
        return sum(1 for _ in range(size // 30) for _ in range(size // 30))

    assert grows(partial(work, SMALL), partial(work, LARGE)) > MOST
