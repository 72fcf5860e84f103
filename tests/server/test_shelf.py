"""The pages of a site: of the catalogue and of the store, with their measures."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import demo_site
from dehusk.jobs.store import Store
from dehusk.page import Page
from dehusk.server._shelf import Shelf
from dehusk.server.catalogue import Catalogue, beside, filling

SITE = "tidewater"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[tuple[Shelf, Store]]:
    """A shelf with ten pages in the catalogue, of which the store has learned from six, and from one more."""
    pages = [Page(html.encode(), name=name) for name, html in demo_site.pages().items()][:11]
    with Store(tmp_path / "dehusk.store") as store:
        store.add([*pages[:6], pages[10]], site=lambda _: SITE)
        with filling(beside(store.path)) as added:
            for page in pages[:10]:
                added.add(SITE, page)
        yield Shelf(store, Catalogue(beside(store.path))), store


def test_all_pages_are_listed_once_and_can_be_read(shelf: tuple[Shelf, Store]) -> None:
    pages, _ = shelf
    listed = pages.listed(SITE)
    assert [one.name for one in listed] == sorted(list(demo_site.pages())[:11])
    assert all(pages.page(SITE, one.id) for one in listed)
    assert pages.missing(SITE) == 0


def test_pages_are_measured_in_the_time_given_and_only_once(
    shelf: tuple[Shelf, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, store = shelf
    template, listed = store.template(SITE), pages.listed(SITE)
    assert all(row.share_removed is None for row in pages.rows(SITE, listed, template, " ", seconds=-1))
    rows = pages.rows(SITE, listed, template, " ")
    told = {row.name: row.share_removed for row in rows}
    shares = {page.name: round(template.clean(page).share_removed, 4) for page in store.pages(SITE)}
    assert shares.items() <= told.items()
    monkeypatch.setattr(pages, "page", None)  # is not called again
    assert pages.rows(SITE, listed, template, " ", seconds=-1) == rows
    assert all(row.share_removed is None for row in pages.rows(SITE, listed, template, " nodes", seconds=-1))
