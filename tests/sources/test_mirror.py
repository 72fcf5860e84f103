"""Mirrors of HTTrack and wget: folders that are hosts."""

from pathlib import Path

import pytest

from dehusk.jobs.job import Job
from dehusk.page import Page
from dehusk.sources import Reading, open_source
from dehusk.sources._mirror import address_of

NOTED = b"<html>\n<!-- Mirrored from sea.example/tides?p=2 by HTTrack Website Copier/3.x -->"


@pytest.mark.parametrize(
    ("data", "name", "root", "url"),
    [
        (b"", "sea.example/a/b.html", "mirror", "https://sea.example/a/b.html"),
        (b"", "sea.example/a?x=1", "mirror", "https://sea.example/a?x=1"),
        (b"", "a b/c.html", "sea.example", "https://sea.example/a%20b/c.html"),
        (b"", "index.html", "mirror", None),
        (NOTED, "sea.example/tides5f2c.html", "mirror", "https://sea.example/tides?p=2"),
    ],
)
def test_the_url_is_read_from_the_note_or_the_folders(data: bytes, name: str, root: str, url: str | None) -> None:
    assert address_of(data, name, root) == url


def test_links_of_a_mirror_are_absolute(tmp_path: Path) -> None:
    folder = tmp_path / "mirror" / "sea.example" / "log"
    folder.mkdir(parents=True)
    (folder / "a.html").write_text("<h1>Log</h1><p>The water rose, as <a href='b.html'>the next page</a> says.")
    (page,) = open_source([tmp_path / "mirror"], Reading(options={"mirror": True}))
    assert isinstance(page, Page)
    assert page.url == "https://sea.example/log/a.html"
    Job(tmp_path / "mirror", tmp_path / "a.md", source_options={"mirror": True}, jobs=1).run()
    assert "(https://sea.example/log/b.html)" in (tmp_path / "a.md").read_text()


@pytest.mark.parametrize(
    "noted", ["../../../evil/x", "sea.example/../../../evil/x", "sea.example/%2e%2e/%2e%2e/x", "[/x"]
)
def test_a_page_of_a_mirror_stays_inside_the_output(tmp_path: Path, noted: str) -> None:
    folder = tmp_path / "mirror" / "sea.example"
    folder.mkdir(parents=True)
    page = f"<html>\n<!-- Mirrored from {noted} by HTTrack -->\n<p>The water rose, as all of us could see.</html>"
    (folder / "a.html").write_text(page)
    out = tmp_path / "a" / "b" / "c" / "out"
    assert Job(tmp_path / "mirror", out, source_options={"mirror": True}, jobs=1).run().cleaned == 1
    (written,) = tmp_path.rglob("*.txt")
    assert out in written.parents
