"""Which platforms can install dehusk without a compiler: where all that it requires has wheels.

    python release/platforms.py            # a table in Markdown: what has no wheel, for each platform and Python

Asks pip, so it needs what pip needs to find packages. The platforms and Pythons are those that wheels are built for.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
PYTHONS = ("311", "312", "313", "314", "314t")
PLATFORMS = {
    "Linux x86-64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "Linux arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "Linux x86-64, musl": ("musllinux_1_2_x86_64",),
    "Linux arm64, musl": ("musllinux_1_2_aarch64",),
    "macOS arm64": ("macosx_14_0_arm64", "macosx_11_0_arm64", "macosx_11_0_universal2"),
    "macOS x86-64": ("macosx_14_0_x86_64", "macosx_11_0_x86_64", "macosx_10_13_x86_64", "macosx_10_12_x86_64"),
}
"""The tags of wheels that a platform takes (https://packaging.python.org/en/latest/specifications/)."""


def main() -> int:
    """Prints the table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    wanted: list[str] = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]
    print(table({(place, python): without(wanted, place, python) for place in PLATFORMS for python in PYTHONS}))
    return 0


def without(wanted: Sequence[str], place: str, python: str) -> list[str]:
    """The names of the required packages that have no wheel there."""
    if asked(wanted, place, python):
        return []
    return [name_of(one) for one in wanted if not asked([one], place, python)]


def asked(wanted: Sequence[str], place: str, python: str) -> bool:
    """Whether pip would install these packages there, and all that they require, from wheels alone."""
    tags = [word for tag in PLATFORMS[place] for word in ("--platform", tag)]
    with tempfile.TemporaryDirectory() as target:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--only-binary=:all:"]
        places = ["--target", target, "--python-version", python.removesuffix("t"), "--implementation", "cp", *tags]
        abi = ["--abi", f"cp{python}", *([] if python.endswith("t") else ["--abi", "abi3"]), "--abi", "none"]
        return subprocess.run([*command, *places, *abi, *wanted], capture_output=True, check=False).returncode == 0


def name_of(requirement: str) -> str:
    """The name of a required package, without its versions."""
    return requirement.partition(">")[0].partition("<")[0].strip()


def table(missing: dict[tuple[str, str], list[str]]) -> str:
    """The table in Markdown: the packages without a wheel, or "all have"."""
    head = [f"| platform | {' | '.join(f'{python[0]}.{python[1:]}' for python in PYTHONS)} |", "|---" * 6 + "|"]
    rows = [
        f"| {place} | {' | '.join(', '.join(missing[place, python]) or 'all have' for python in PYTHONS)} |"
        for place in PLATFORMS
    ]
    return "\n".join([*head, *rows])


if __name__ == "__main__":
    sys.exit(main())
