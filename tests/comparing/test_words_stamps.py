"""Dates, times and counters."""

import pytest

from dehusk.comparing.words import stamp


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("Last updated 3 May 2025", "Last updated 14 June 2025", "date"),
        ("Zuletzt geändert: 03.05.2025", "Zuletzt geändert: 14.06.2025", "date"),
        ("Posted on 2025-05-03 10:12", "Posted on 2025-05-04 09:00", "date"),
        ("© 2019-2024 Harbour Shop", "© 2019-2025 Harbour Shop", "date"),
        ("Now 10:12 UTC", "Now 11:45 UTC", "time"),
        ("3 hours ago", "2 days ago", "time"),
        ("vor 3 Stunden", "vor 2 Tagen", "time"),
        ("1,204 views", "1,310 views", "counter"),
        ("Comments (12)", "Comments (14)", "counter"),
        ("Lamps (12)", "Lamps (13)", "counter"),
        ("3 May 2025, 12 comments", "4 May 2025, 13 comments", "counter"),
    ],
)
def test_dates_times_and_counters_are_stamps(before: str, after: str, what: str) -> None:
    assert stamp(before, after) == what


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Price: 12.50", "Price: 14.00"),
        ("Weight 12 kg", "Weight 14 kg"),
        ("Version 15.18", "Version 15.20"),
        ("Updated 3 May 2025 by Ann", "Updated 4 May 2025 by Ben"),
        ("The council meets on 3 May 2025 in the great hall, and all are welcome.",
         "The council meets on 4 May 2025 in the great hall, and all are welcome."),
        ("see printf(3)", "see printf(4)"),
        ("red", "blue"),
    ],
)  # fmt: skip
def test_other_texts_are_not_stamps(before: str, after: str) -> None:
    assert stamp(before, after) == ""
