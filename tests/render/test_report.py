"""The page of what changed on many pages."""

import re

from dehusk.render import Overview, ReportEntry, ShownChange, Version, changes_report

CHANGES = [ShownChange("added", "", "a <b>", [1]), ShownChange("added", "date", "3 May", [1])]


def entry(site: str, name: str, date: str) -> ReportEntry:
    overview = Overview("One & two", name, Version("old"), Version(name, date))
    return ReportEntry.of(site, overview, f"https://{site}/{name}" if site else None, CHANGES)


def test_pages_are_listed_by_site_the_newest_first() -> None:
    entries = [
        entry("a.example", "one", "2025-05-03T10:00:00"),
        entry("b.example", "two", "2025-05-03T10:00:01"),
        entry("a.example", "three", "2025-05-03T10:00:02"),
        entry("", "four", "2025-05-03T10:00:00"),
    ]
    html = changes_report(entries, 9)
    assert "<h1>4 pages of 9 changed since the last visit</h1>" in html
    assert re.findall("<h2>(.*?)</h2>", html) == ["a.example", "b.example", "Files"]
    assert re.findall("<h3>(?:<a[^>]*>)?(\\w+)", html) == ["three", "one", "two", "four"]


def test_each_page_has_its_headline_and_its_changes_without_the_husk() -> None:
    html = changes_report([entry("a.example", "one", "2025-05-03T10:00:00")], 1)
    assert "One page of 1 changed" in html
    assert "<p>One &amp; two.</p>" in html
    assert "a &lt;b&gt;</ins>" in html
    assert "3 May" not in html


def test_a_visit_without_changes_has_a_report() -> None:
    assert "<h1>No page of 3 changed since the last visit</h1>" in changes_report([], 3)


def test_only_web_addresses_are_links() -> None:
    overview = Overview("x", "one", Version("old"), Version("one"))
    assert "<a " not in changes_report([ReportEntry.of("", overview, "javascript:alert(1)", CHANGES)], 1)
