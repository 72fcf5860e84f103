"""The cache: results are looked up by everything they depend on."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import dehusk
from dehusk.base.errors import OutputError
from dehusk.bench import texts
from dehusk.bench.texts import Cache


def made(calls: list[str], result: str) -> str:
    calls.append(result)
    return result


def test_a_result_is_made_once_and_found_by_all_parts_of_its_key(tmp_path: Path) -> None:
    calls: list[str] = []
    for _ in range(2):
        cache = Cache(tmp_path / "new/cache")
        assert cache.of(lambda: made(calls, "a"), "method", 1) == "a"
        assert cache.of(lambda: made(calls, "b"), "method", 2) == "b"
    assert calls == ["a", "b"]


def test_without_a_file_everything_is_made() -> None:
    calls: list[str] = []
    for _ in range(2):
        assert Cache(None).of(lambda: made(calls, "a"), "key") == "a"
    assert calls == ["a", "a"]


def test_above_the_limit_the_least_recently_used_results_are_removed(tmp_path: Path) -> None:
    calls: list[str] = []
    cache = Cache(tmp_path / "cache")
    for name in ("a", "b", "c"):
        cache.of(lambda name=name: made(calls, name), name)  # type: ignore[misc]
    cache.of(lambda: made(calls, "never"), "a")
    cache.trim(30)
    calls.clear()
    for name in ("a", "c", "b"):
        cache.of(lambda name=name: made(calls, name), name)  # type: ignore[misc]
    assert calls == ["b"]


def test_the_cache_can_be_cleared(tmp_path: Path) -> None:
    calls: list[str] = []
    cache = Cache(tmp_path / "cache")
    cache.of(lambda: made(calls, "a"), "key")
    cache.clear()
    cache.of(lambda: made(calls, "b"), "key")
    assert calls == ["a", "b"]


def test_a_damaged_cache_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "cache"
    file.write_bytes(b"this is no database" * 100)
    assert Cache(file).of(lambda: 1, "key") == 1
    assert Cache(file).of(lambda: 2, "key") == 1


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match=r"a folder, not a cache .*choose another"):
        Cache(tmp_path / "folder")


def test_a_cache_with_damaged_rows_does_not_stop_a_run(tmp_path: Path) -> None:
    file = tmp_path / "cache"
    cache = Cache(file)
    for number in range(50):
        cache.of(lambda number=number: [number, "x" * 100, random.Random(number).random()], number)  # type: ignore[misc]
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    assert Cache(file).of(lambda: "again", 7) == "again"
    Cache(file).trim(10)


def test_a_file_of_another_program_is_not_changed(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "diary")) as file:
        file.execute("CREATE TABLE diary (day)")
    before = (tmp_path / "diary").read_bytes()
    with pytest.raises(OutputError, match=r"diary: not a cache of dehusk bench; choose another with --cache FILE"):
        Cache(tmp_path / "diary")
    assert (tmp_path / "diary").read_bytes() == before


def test_the_rooms_and_files_that_do_not_invalidate_the_cache_exist() -> None:
    package = Path(dehusk.__file__).parent
    assert [name for name in texts.ABOVE | texts.OUTSIDE if not (package / name).exists()] == []
