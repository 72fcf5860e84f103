"""The check of the built site finds broken links, missing anchors, and what is loaded from elsewhere."""

from pathlib import Path

import check_site
import pytest


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<a href="b.html#there">x</a><a href="https://example.org/">x</a>', None),
        ('<a href="b.html#gone">x</a>', "a.html: b.html#gone has no such anchor"),
        ('<a href="c.html">x</a>', "a.html: c.html is missing"),
        ('<a href="#self">x</a>', "a.html: #self has no such anchor"),
        ('<img src="https://example.org/x.png">', "a.html: loads https://example.org/x.png"),
        ('<script src="//example.org/x.js"></script>', "a.html: loads //example.org/x.js"),
        ('<link rel="stylesheet" href="gone.css">', "a.html: loads gone.css"),
        ('<img src="data:image/png;base64,AAAA">', None),
    ],
)
def test_faults_of_a_page(tmp_path: Path, html: str, fault: str | None) -> None:
    (tmp_path / "a.html").write_text(html)
    (tmp_path / "b.html").write_text('<p id="there">')
    assert [found for found in check_site.faults(tmp_path) if found] == ([fault] if fault else [])


def test_a_style_sheet_that_loads_from_elsewhere_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("body{background:url(https://example.org/x.png)}")
    assert list(check_site.faults(tmp_path)) == ["a.css: loads something from elsewhere"]
