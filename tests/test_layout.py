"""Tests mirror the package: `src/dehusk/ROOM/NAME.py` has `tests/ROOM/test_NAME.py`.

A room as a whole has `test_ROOM.py`. Long tests are split into more files, `test_NAME_MORE.py`.
"""

from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "src" / "dehusk"

OUTSIDE = {
    "browser": "pages that dehusk writes and serves, and the extension, in real browsers",
    "docs": "../docs",
    "fuzz": "../fuzz",
    "release": "../release",
    "training": "../training",
}
"""Folders of tests for code outside the rooms of the package."""

ACROSS = {
    "extension/test_logic.py": "the scripts of the extension that need no browser",
    "integrations/test_tables.py": "polars, pandas and DuckDB need no adapter: the examples of their pages",
    "jobs/test_faults.py": "disks, kills and clocks, for all that writes files",
    "outputs/test_rows.py": "JSON Lines and Parquet have the same columns",
}
"""Test files that belong to a room, but to none of its modules."""

FILES = sorted(path.relative_to(HERE) for path in HERE.rglob("test_*.py") if path.parent != HERE)


def named_after(path: Path) -> bool:
    """Whether a test file is named after a module in its room, or after the room."""
    room = PACKAGE / path.parent
    names = {room.name, *(module.stem.removeprefix("_") for module in room.iterdir() if module.stem[:2] != "__")}
    return any(f"{path.stem}_".startswith(f"test_{name}_") for name in names)


def test_a_folder_of_tests_is_a_room_or_says_what_it_is() -> None:
    folders = {path.parent for path in FILES}
    assert {str(folder) for folder in folders if not (PACKAGE / folder).is_dir()} == OUTSIDE.keys()


def test_a_file_of_tests_is_named_after_what_it_tests() -> None:
    inside = [path for path in FILES if path.parts[0] not in OUTSIDE]
    assert {path.as_posix() for path in inside if not named_after(path)} == ACROSS.keys()
