"""The template of a single page, found through its links, in Python."""

from pathlib import Path

import pytest

from dehusk.base.errors import SourceError, UsageError
from dehusk.jobs.key_pages import KeyPage
from dehusk.server.viewer.report import write, written

MENU = ("boats", "nets", "ropes", "bells")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Pages that link to each other."""
    (tmp_path / "site").mkdir()
    menu = "".join(f"<li><a href={name}.html>All about {name}</a>" for name in MENU)
    for name in MENU:
        (tmp_path / "site" / f"{name}.html").write_text(f"<body><ul>{menu}</ul><p>What {name} alone have to say.")
    return tmp_path / "site"


def test_the_result_has_the_template_and_the_compared_pages(site: Path, tmp_path: Path) -> None:
    found = KeyPage(place=str(site / "nets.html")).find()
    assert found.key.name == "nets.html"
    assert {page.name for page in found.pages[1:]} <= {"boats.html", "ropes.html", "bells.html"}
    assert (len(found.pages), found.loaded, found.failed) == (4, 4, 0)
    assert 0 < found.share_removed < 1
    assert found.template.clean(found.key).text == "What nets alone have to say.\n"
    assert write(written(found), tmp_path / "out") == tmp_path / "out" / "report.html"
    assert len(list((tmp_path / "out").iterdir())) == 3


def test_a_page_without_usable_links_is_an_error(site: Path, tmp_path: Path) -> None:
    (tmp_path / "alone.html").write_text("<p>alone")
    with pytest.raises(SourceError, match="no link leads to another page"):
        KeyPage(place=str(tmp_path / "alone.html")).find()
    with pytest.raises(UsageError, match="is not inside"):
        KeyPage(place=str(tmp_path / "alone.html"), root=site).find()
