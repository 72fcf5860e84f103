"""Messages about skipped pages."""

import argparse

import pytest

from dehusk.base.errors import Skipped
from dehusk.cli._telling import KINDS, tell_skipped
from dehusk.jobs.result import Skips

LOUD = argparse.Namespace(quiet=False, log=None)


def test_each_kind_of_reason_is_one_line_with_a_count_and_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = Skips()
    for number in range(5000):
        skipped.add(Skipped(f"http://site{number}.example/", f"no template for site{number:04}.example"))
    for number in range(7):
        skipped.add(Skipped(f"picture {number}", "not HTML"))
    skipped.add(Skipped("a.html", "empty"))
    tell_skipped(skipped.reasons, skipped.first, LOUD)
    assert capsys.readouterr().err.splitlines() == [
        "skipped 5,000 pages, such as http://site0.example/: no template for site0000.example",
        "skipped 7 pages, such as picture 0: not HTML",
        "skipped a.html: empty",
        "to list them all, use --log FILE",
    ]


def test_only_the_most_common_kinds_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = Skips()
    for number in range(KINDS + 3):
        reason = f"kind {'x' * number}"
        skipped.add(Skipped("first", reason))
        skipped.add(Skipped("second", reason))
    skipped.add(Skipped("third", "kind x"))
    tell_skipped(skipped.reasons, skipped.first, argparse.Namespace(quiet=False, log="skipped.jsonl"))
    first, *_, others, last = lines = capsys.readouterr().err.splitlines()
    assert len(lines) == KINDS + 2
    assert first == "skipped 3 pages, such as first: kind x"
    assert others == "skipped 6 pages for 3 other reasons"
    assert last == "all of them are in skipped.jsonl"


def test_pages_that_are_all_named_need_no_log(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = Skips()
    skipped.add(Skipped("a.html", "empty"))
    skipped.add(Skipped("b.html", "not HTML"))
    tell_skipped(skipped.reasons, skipped.first, LOUD)
    assert capsys.readouterr().err.splitlines() == ["skipped a.html: empty", "skipped b.html: not HTML"]
