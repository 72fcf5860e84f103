"""Checks of a built wheel find what must not be published."""

import zipfile
from pathlib import Path

import pytest
import wheels

KERNELS = [types.stem for types in wheels.KERNELS.glob("*.pxd")]


def wheel(folder: Path, *, without: str = "", more: str = "", symbols: bool = False, licence: bool = True) -> Path:
    path = folder / "dehusk-0.2.0-cp313-cp313-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in {*KERNELS, "_shared"} - {without}:
            archive.writestr(f"dehusk/kernels/{name}.cpython-313-x86_64-linux-gnu.so", b".symtab" * symbols)
        if licence:
            archive.writestr("dehusk-0.2.0.dist-info/licenses/LICENSE", "MIT")
        if more:
            archive.writestr(more, "x")
    return path


def test_a_good_wheel_has_no_faults(tmp_path: Path) -> None:
    assert list(wheels.faults(wheel(tmp_path))) == []


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"without": "walking"}, "not compiled: walking"),
        ({"more": "tests/test_x.py"}, "has tests"),
        ({"symbols": True}, "not stripped"),
        ({"licence": False}, "has no licence"),
    ],
)
def test_a_bad_wheel_says_why(tmp_path: Path, options: dict[str, str], fault: str) -> None:
    assert list(wheels.faults(wheel(tmp_path, **options))) == [fault]  # type: ignore[arg-type]


def test_a_wheel_that_is_too_large_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "LARGEST", 10)
    assert [fault.partition(" than")[0] for fault in wheels.faults(wheel(tmp_path))] == ["larger"]


def test_the_wheel_of_another_python_is_not_tried(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no wheel for this Python"):
        wheels.mine([tmp_path / "dehusk-0.2.0-cp39-cp39-linux_x86_64.whl"])
