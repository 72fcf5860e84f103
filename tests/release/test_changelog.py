"""Fragments of the changelog become the section of a release."""

from datetime import date
from pathlib import Path

import changelog
import pytest

OLD = (
    "# Changelog\n\n## Unreleased\n\nAll is new.\n\n### New\n\n#### Lamps\n\n- One.\n\n### Fixed\n\n- Old.\n\n"
    "## 0.1.0 (2026-01-01)\n\n- Zero.\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "README.md").write_text("how to")
    (tmp_path / "changes" / "b.md").write_text("- Three,\n  at last.\n")
    (tmp_path / "changes" / "a.fixed.md").write_text("- Two.\n")
    (tmp_path / "changes" / "z.new.md").write_text("- Four.\n")
    (tmp_path / "CHANGELOG.md").write_text(OLD)
    return tmp_path


def test_the_section_has_the_fragments_at_the_beginning_of_their_groups(root: Path) -> None:
    assert changelog.main(["0.2.0"], root) == 0
    text = (root / "CHANGELOG.md").read_text()
    begin, _, end = text.partition("## 0.2.0 (")
    assert begin == "# Changelog\n\n## Unreleased\n\n"
    assert end[11:] == (
        "\n\nAll is new.\n\n### New\n\n- Four.\n\n#### Lamps\n\n- One.\n\n### Changed\n\n- Three,\n  at last.\n\n"
        "### Fixed\n\n- Two.\n- Old.\n\n## 0.1.0 (2026-01-01)\n\n- Zero.\n"
    )
    assert date.fromisoformat(end[:10])
    assert [path.name for path in (root / "changes").iterdir()] == ["README.md"]


def test_without_a_version_nothing_is_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert changelog.main([], root) == 0
    assert capsys.readouterr().out == (
        "### New\n\n- Four.\n\n### Changed\n\n- Three,\n  at last.\n\n### Fixed\n\n- Two.\n"
    )
    assert (root / "CHANGELOG.md").read_text() == OLD


@pytest.mark.parametrize(
    ("version", "text", "words"),
    [
        ("0.2", OLD, "not a version"),
        ("0.1.0", OLD, "already"),
        ("0.2.0", "# Changelog\n", "Unreleased"),
    ],
)
def test_what_cannot_be_released_is_refused_and_nothing_is_lost(
    root: Path, version: str, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "CHANGELOG.md").write_text(text)
    assert changelog.main([version], root) == 1
    assert words in capsys.readouterr().err
    assert (root / "CHANGELOG.md").read_text() == text
    assert (root / "changes" / "a.fixed.md").exists()


def test_a_fragment_that_is_not_a_list_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "changes" / "c.md").write_text("Five.\n")
    assert changelog.main(["0.2.0"], root) == 1
    assert capsys.readouterr().err.startswith("changelog: c.md: ")
    assert changelog.main([], root) == 1


def test_a_fragment_of_an_unknown_group_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "changes" / "c.old.md").write_text("- Five.\n")
    assert changelog.main([], root) == 1
    assert capsys.readouterr().err == (
        "changelog: c.old.md: .old is no group; name it NAME.md, or NAME.new.md, NAME.fixed.md, NAME.security.md\n"
    )


def test_our_own_fragments_can_be_read() -> None:
    assert changelog.main([]) == 0
    assert changelog.released((changelog.ROOT / "CHANGELOG.md").read_text("utf-8"), [], "9.9.9", date(2026, 1, 1))
