"""The viewer in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from browsing import Watched
from dehusk.cli import main


@pytest.fixture(scope="module")
def report(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on the demo site."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    assert main(["show", str(demo_folder), "-o", str(path), "-q"]) == 0
    return path.as_uri()


def test_a_report_opens_from_a_file_and_fetches_nothing_else(page: Page, report: str, watched: Watched) -> None:
    page.goto(report)
    assert page.locator("h1").inner_text() == "crawl"
    assert watched.requests == [report]
