"""The heaviest assignment, plain and compiled."""

import itertools
from array import array
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import kernel_versions

both = pytest.mark.parametrize("kernel", kernel_versions("assignment"))


@both
@given(st.integers(1, 4), st.integers(0, 2), st.data())
def test_no_assignment_is_heavier(kernel: ModuleType, rows: int, more: int, data: st.DataObject) -> None:
    columns = rows + more
    cells = data.draw(st.lists(st.integers(-9, 1 << 50), min_size=rows * columns, max_size=rows * columns))
    chosen = list(kernel.assign(array("q", cells), rows, columns))
    assert len(set(chosen)) == rows
    weight = [
        sum(cells[i * columns + j] for i, j in enumerate(way)) for way in itertools.permutations(range(columns), rows)
    ]
    assert sum(cells[i * columns + j] for i, j in enumerate(chosen)) == max(weight)


@both
def test_no_rows_need_no_columns(kernel: ModuleType) -> None:
    assert list(kernel.assign(array("q"), 0, 0)) == []
