"""The catalogue: all pages of the sources of a service, and what was measured on them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dehusk.base.errors import OutputError, UsageError
from dehusk.page import Page
from dehusk.server import catalogue, snapshots
from dehusk.server.catalogue import Catalogue, beside, filling


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return beside(tmp_path / "dehusk.store")


def page(number: int, name: str = "") -> Page:
    return Page(f"<p>Page {number}".encode(), name=name or f"{number}.html")


def fill(path: Path, *pages: Page, site: str = "site") -> None:
    with filling(path) as added:
        for one in pages:
            added.add(site, one)


def test_pages_are_listed_by_name_and_read_by_id(path: Path) -> None:
    fill(path, page(2), page(1))
    pages = Catalogue(path)
    assert [one.name for one in pages.listed("site")] == ["1.html", "2.html"]
    found = pages.page("site", pages.listed("site")[1].id)
    assert found is not None
    assert (found.name, found.html) == ("2.html", b"<p>Page 2")
    assert pages.page("site", "other") is None
    assert pages.listed("other") == []


def test_equal_pages_are_listed_under_each_name(path: Path) -> None:
    fill(path, page(1, "a.html"), page(1, "b.html"))
    one, other = Catalogue(path).listed("site")
    assert one.id != other.id
    assert Catalogue(path).page("site", other.id) is not None


def test_pages_of_a_site_are_replaced_and_those_of_others_kept(path: Path) -> None:
    fill(path, page(1), page(2))
    fill(path, page(3), site="other")
    Catalogue(path).keep("site", "t x", {"k": {"fit": 1.0}})
    fill(path, page(4))
    pages = Catalogue(path)
    assert [one.name for one in pages.listed("site")] == ["4.html"]
    assert [one.name for one in pages.listed("other")] == ["3.html"]
    assert pages.measures("site", "t x") == {}


def test_a_failed_reading_changes_nothing(path: Path) -> None:
    fill(path, page(1))

    def interrupted() -> None:
        with filling(path) as added:
            added.add("site", page(2))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [one.name for one in Catalogue(path).listed("site")] == ["1.html"]


def test_pages_beyond_the_limit_are_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "MOST_BYTES", 40)
    fill(path, *map(page, range(5)))
    pages = Catalogue(path)
    assert 0 < len(pages.listed("site")) < pages.read("site") == 5


def test_measures_are_kept_until_the_template_changes(path: Path) -> None:
    fill(path, page(1))
    pages = Catalogue(path)
    pages.keep("site", "one ", {"a": {"fit": 0.5}})
    pages.keep("site", "one nodes", {"a": {"fit": 0.25}})
    assert pages.measures("site", "one ") == {"a": {"fit": 0.5}}
    pages.keep("site", "two ", {"b": {"fit": 1.0}})
    assert pages.measures("site", "one ") == pages.measures("site", "one nodes") == {}


def test_without_a_file_there_are_no_pages(path: Path) -> None:
    pages = Catalogue(path)
    pages.keep("site", "one ", {"a": {"fit": 0.5}})
    assert pages.listed("site") == []
    assert pages.read("site") == 0
    assert not path.exists()


@pytest.mark.parametrize("beside", [catalogue.beside, snapshots.beside])
def test_a_link_beside_a_store_is_not_followed(tmp_path: Path, beside: Callable[[Path], object]) -> None:
    for suffix in (".pages", ".snapshots"):
        (tmp_path / f"a.store{suffix}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="a symbolic link; remove it"):
        beside(tmp_path / "a.store")


def test_another_file_is_refused(path: Path) -> None:
    path.write_text("not a database, but long enough to be taken for one" * 20)
    with pytest.raises(UsageError, match="delete it"):
        Catalogue(path)


def test_style_sheets_are_found_by_url(path: Path) -> None:
    with filling(path) as added:
        added.add_files({"https://site.example/a.css": "a{}"})
    assert Catalogue(path).file("https://site.example/a.css") == "a{}"
    assert Catalogue(path).file("https://site.example/b.css") is None
