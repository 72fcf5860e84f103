"""Snapshots: age, size, and deletion from the file."""

import random
import sqlite3
import zlib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dehusk.base.errors import UsageError
from dehusk.jobs import watch as kept
from dehusk.page import Page
from dehusk.server.snapshots import Snapshots


def page(name: str, html: str) -> Page:
    return Page(html, url=f"https://visits.example/{name}")


def noise(size: int) -> str:
    """Text that does not compress."""
    return "<p>" + random.randbytes(size // 2).hex()


def test_snapshots_that_are_too_old_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = Snapshots(tmp_path / "snapshots", days=90)
    now = datetime.now(UTC)
    for name, days in (("old", 91), ("young", 89)):
        seen = now - timedelta(days=days)
        monkeypatch.setattr(kept, "_now", lambda seen=seen: seen)
        snapshots.visit(page(name, "<p>Text."), None)
    assert [one.name for one in snapshots.listed()] == ["https://visits.example/young"]


def test_the_oldest_snapshots_are_deleted_if_all_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = Snapshots(tmp_path / "snapshots", megabytes=0.1)
    start = datetime.now(UTC) - timedelta(hours=1)
    for number in range(6):
        seen = start + timedelta(minutes=number)
        monkeypatch.setattr(kept, "_now", lambda seen=seen: seen)
        snapshots.visit(page(str(number), noise(50_000)), None)  # more than half of it, compressed
    assert [one.name[-1] for one in snapshots.listed()] == ["5", "4", "3"]
    assert snapshots.path.stat().st_size < 150_000


def test_deleted_data_is_overwritten_and_the_file_shrinks(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "snapshots")
    for name in ("secret-one", "secret-two"):
        snapshots.visit(page(name, noise(100_000)), None)
    large = snapshots.path.stat().st_size
    assert b"secret-one" in snapshots.path.read_bytes()
    assert snapshots.forget("https://visits.example/secret-one") == 1
    assert b"secret-one" not in snapshots.path.read_bytes()
    assert snapshots.path.stat().st_size < 0.7 * large
    assert snapshots.forget() == 1
    assert b"secret" not in snapshots.path.read_bytes()
    assert snapshots.path.stat().st_size < 20_000


def test_only_the_last_version_of_a_page_is_kept(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "snapshots")
    for version in ("first", "second"):
        snapshots.visit(page("a", f"<p>The {version} version of it."), None)
    found = snapshots.visit(page("a", "<p>The third version of it."), None)
    assert found.diff is not None
    assert [one.before for one in found.diff.changes] == ["The second version of it."]


@pytest.mark.parametrize(
    "damage",
    ["html = 'x'", "html = x'00'", "encoding = x'00'", f"html = x'{zlib.compress(bytes(2_000_000)).hex()}'"],
    ids=["text", "not packed", "bytes", "bomb"],
)
def test_a_damaged_snapshot_is_an_error_and_a_bomb_is_not_unpacked(
    tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "LARGEST", 1_000_000)
    snapshots = Snapshots(tmp_path / "snapshots")
    snapshots.visit(page("a", "<p>Text."), None)
    with closing(sqlite3.connect(snapshots.path, isolation_level=None)) as db:
        db.execute(f"UPDATE page SET {damage}")
    with pytest.raises(UsageError, match=r"snapshots: damaged"):
        snapshots.visit(page("a", "<p>Text."), None)


def test_without_a_file_nothing_is_listed_deleted_or_made(tmp_path: Path) -> None:
    snapshots = Snapshots(tmp_path / "snapshots")
    assert (snapshots.listed(), snapshots.forget()) == ([], 0)
    assert snapshots.visit(page("a", "<p>Text."), None, private=True).since is None
    assert not snapshots.path.exists()


def test_another_file_in_its_place_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "snapshots").write_text("a diary")
    with pytest.raises(UsageError, match="not made by dehusk watch"):
        Snapshots(tmp_path / "snapshots").visit(page("a", "<p>Text."), None)
    assert (tmp_path / "snapshots").read_text() == "a diary"


def test_a_page_above_the_total_limit_is_not_stored_and_the_answer_says_so(tmp_path: Path) -> None:
    small, none = (Snapshots(tmp_path / "snapshots", megabytes=size) for size in (0.1, 0))
    assert small.visit(page("a", "<p>Text."), None).kept
    assert not small.visit(page("b", noise(300_000)), None).kept
    assert not none.visit(page("a", "<p>Text."), None).kept
    assert none.listed() == []
