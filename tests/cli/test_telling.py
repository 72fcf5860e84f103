"""Messages about skipped pages."""

import argparse

import pytest

from dehusk.base.errors import Skipped
from dehusk.cli._telling import tell_skipped
from dehusk.jobs.result import Skips

LOUD = argparse.Namespace(quiet=False)


def test_for_many_skipped_pages_the_most_common_reasons_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = Skips()
    for number in range(5000):
        skipped.add(Skipped(f"http://site{number}.example/", f"no template for site{number:04}.example"))
    for number in range(7):
        skipped.add(Skipped(f"picture {number}", "not HTML"))
    tell_skipped(skipped.reasons, skipped.first, LOUD)
    first, *_, others, last = lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 102
    assert first == "skipped 7: not HTML"
    assert others == "skipped 4901 for 4,901 other reasons"
    assert last == "to list them all, use --log FILE"
