"""Checks a built wheel, and tries it in a bare environment, as a user would have it.

    python release/wheels.py check dist/*.whl              # what is in it, its size, and what it needs of the system
    python release/wheels.py try dist/*.whl -o FOLDER      # installs it, and runs the demo; prints the times

`check` needs auditwheel on Linux. `try` takes the wheel that fits the Python that runs it.
"""

import argparse
import re
import subprocess
import sys
import sysconfig
import time
import venv
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

KERNELS = Path(__file__).parents[1] / "src" / "dehusk" / "kernels"
LARGEST = 3_000_000
"""Bytes of a wheel. It has about two thirds of this; a kernel that was not stripped adds more than the rest."""

_SYMBOLS = b".symtab"
"""The name of the section that stripping removes from a library."""


def main() -> int:
    """Checks or tries the wheels; returns 1 if one is not fine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "try"])
    parser.add_argument("wheels", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("build/tried"), help="the folder for the environment")
    options = parser.parse_args()
    if options.what == "check":
        return max(told(wheel) for wheel in options.wheels)
    return tried(mine(options.wheels), options.output)


def told(wheel: Path) -> int:
    """Prints what is wrong with a wheel, or that it is fine."""
    wrong = list(faults(wheel))
    size = f"{wheel.stat().st_size / 1e6:.2f} MB"
    print(f"{wheel.name}: {size}, {'; '.join(wrong) or 'fine'}; {policy(wheel)}")
    return bool(wrong)


def faults(wheel: Path) -> Iterator[str]:
    """What is wrong with a wheel."""
    if wheel.stat().st_size > LARGEST:
        yield f"larger than {LARGEST / 1e6:g} MB"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        libraries = [name for name in names if name.endswith((".so", ".pyd"))]
        if any(_SYMBOLS in archive.read(name) for name in libraries):
            yield "not stripped"
    compiled = {Path(name).name.partition(".")[0] for name in libraries}
    wanted = {types.stem for types in KERNELS.glob("*.pxd")} | {"_shared"}
    if missing := sorted(wanted - compiled):
        yield f"not compiled: {', '.join(missing)}"
    if not any(name.endswith("/licenses/LICENSE") for name in names):
        yield "has no licence"
    if strange := sorted({name.split("/")[0] for name in names} - {"dehusk", f"{dist_info(wheel)}"}):
        yield f"has {', '.join(strange)}"


def dist_info(wheel: Path) -> str:
    """The folder of a wheel's metadata."""
    return "-".join(wheel.name.split("-")[:2]) + ".dist-info"


def policy(wheel: Path) -> str:
    """What auditwheel says: the oldest systems that the wheel runs on."""
    if sys.platform != "linux":
        return "auditwheel is for Linux"
    command = [sys.executable, "-m", "auditwheel", "show", str(wheel)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    tags: list[str] = re.findall(r"\"((?:many|musl)linux\w+)\"", said.stdout)
    return f"auditwheel: {tags[0]}" if tags else f"auditwheel: {(said.stdout + said.stderr).strip()[-200:]}"


def mine(wheels: Sequence[Path]) -> Path:
    """The wheel for the Python that runs this. Raises SystemExit if there is none."""
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}{free}-"
    for wheel in wheels:
        if tag in wheel.name:
            return wheel
    sys.exit(f"no wheel for this Python ({tag}*); build one with make wheel PYTHON={sys.executable}")


def tried(wheel: Path, folder: Path) -> int:
    """Installs a wheel into a bare environment and runs the demo there; prints how long each took."""
    folder = folder.resolve()
    environment, demo = folder / "venv", folder / "demo"
    steps: dict[str, Callable[[], object]] = {
        "an empty environment": lambda: venv.create(environment, with_pip=True, clear=True),
        "pip install of the wheel": lambda: _run(environment, "pip", "install", "--quiet", str(wheel.resolve())),
        "dehusk doctor": lambda: _run(environment, "dehusk", "doctor"),
        "dehusk demo": lambda: _run(environment, "dehusk", "demo", str(demo)),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, step in steps.items():
        started = time.perf_counter()
        step()
        print(f"{name}: {time.perf_counter() - started:.1f} s", flush=True)
    return 0


def _run(environment: Path, program: str, *words: str) -> None:
    """Runs a program of an environment, outside the clone, so that nothing is imported from it."""
    subprocess.run([str(environment / "bin" / program), *words], check=True, cwd=environment)


if __name__ == "__main__":
    sys.exit(main())
