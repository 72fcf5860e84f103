"""The command line imports little before it knows the command."""

import subprocess
import sys

import pytest

HEAVY = ["turbohtml", "fastwarc", "httpx", "pyarrow", "tqdm", "sqlite3", "multiprocessing", "json"]
HEAVY += ["dehusk.templates.template"]


@pytest.mark.parametrize("words", [["--help"], ["--version"], []])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    script = (
        "import sys\nfrom dehusk.cli import main\n"
        f"try: main({words!r})\nexcept SystemExit: pass\n"
        f"print('loaded:', *(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    # Since Python 3.13, what reads the version of a package loads json by itself.
    expected = "loaded: json" if words == ["--version"] and sys.version_info >= (3, 13) else "loaded:"
    assert done.stdout.splitlines()[-1].strip() == expected


def test_listing_methods_loads_neither_the_parser_nor_a_kernel() -> None:
    script = "import sys\nfrom dehusk.cli import main\nmain(['methods'])\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    ours = [name for name in loaded if name.partition(".")[0] == "dehusk"]
    assert "dehusk.methods" in ours
    assert len(ours) <= 12, ours
    assert not [name for name in ours if name.startswith(("dehusk.kernels", "dehusk.page"))]
    assert not set(HEAVY) & set(loaded)


def test_importing_dehusk_loads_none_of_its_modules() -> None:
    script = "import sys, dehusk; print([name for name in sys.modules if name.startswith('dehusk.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
