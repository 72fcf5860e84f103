"""Whether the kernels are compiled."""

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from dehusk import kernels


def test_it_is_known_whether_the_loops_are_compiled() -> None:
    names = [file.stem for file in Path(kernels.__file__).parent.glob("*.pxd")]
    files = [str(import_module(f"dehusk.kernels.{name}").__file__) for name in names]
    assert kernels.compiled() == (not any(file.endswith(".py") for file in files))


@pytest.mark.parametrize(("origin", "compiled"), [("/x/forest.py", False), ("/x/forest.cpython-311.so", True)])
def test_one_uncompiled_kernel_counts_as_slow(origin: str, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "find_spec", lambda _: SimpleNamespace(origin=origin))
    assert kernels.compiled() is compiled
