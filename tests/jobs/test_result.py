"""Counts of cleaned and skipped pages."""

import json

import pytest

from dehusk.base.errors import PageWarning, Skipped
from dehusk.jobs import result
from dehusk.jobs.result import Done, Skips, Tally


def test_a_tally_survives_being_saved() -> None:
    tally = Tally()
    tally.add(Done("a", 100, 0.5, [PageWarning.ONE_PAGE, PageWarning.NEARLY_ALL]))
    tally.add(Done("b", 300, 0.25, [PageWarning.ONE_PAGE]))
    assert tally.warnings == {PageWarning.ONE_PAGE: 2, PageWarning.NEARLY_ALL: 1}
    assert (tally.cleaned, tally.length, tally.removed) == (2, 400, 125)
    noted = json.loads(json.dumps(tally.to_json()))
    assert "ONE_PAGE" in noted["warnings"]
    assert Tally.from_json(noted) == tally


def test_each_kind_of_warning_is_kept_with_its_first_page_and_all_are_counted() -> None:
    tally = Tally()
    for number in range(1000):
        tally.add(Done(str(number), 1, 0, [PageWarning.OTHER_SITE, *[PageWarning.NEARLY_ALL] * (number == 5)]))
    assert tally.first == [("0", PageWarning.OTHER_SITE), ("5", PageWarning.NEARLY_ALL)]
    assert tally.warnings[PageWarning.OTHER_SITE] == 1000


def test_skipped_pages_are_all_counted_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result, "REASONS", 3)
    skips = Skips()
    for number in range(500):
        skips.add(Skipped(f"page {number}", f"no template for site{number % 5}.example"))
    assert skips.reasons.total() == 500
    assert skips.reasons[result.OTHER_REASONS] == 200
    assert len(skips.reasons) == 4
    assert skips.first == [Skipped("page 0", "no template for site0.example")]


def test_the_first_page_of_each_kind_of_reason_is_kept_in_bounded_memory() -> None:
    skips = Skips()
    for number in range(500):
        skips.add(Skipped(f"page {number}", f"kind {'x' * number}"))
        skips.add(Skipped(f"another {number}", f"kind {'x' * number}"))
    assert [one.name for one in skips.first] == [f"page {number}" for number in range(result.NAMED)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("no template for a.example", "no template for b.example", True),
        ("HTTP 404", "HTTP 503", True),
        ("its language is de", "its language is fr", False),
    ],
)
def test_the_kind_of_a_reason_has_no_hosts_and_numbers(one: str, other: str, *, same: bool) -> None:
    assert (result.kind_of(one) == result.kind_of(other)) == same
