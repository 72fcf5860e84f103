"""Edits in a store belong to a site, not to a version of its template."""

import sqlite3
from pathlib import Path

import pytest

from dehusk import Page
from dehusk.base.errors import TemplateError, UsageError
from dehusk.jobs._store_file import PLAIN, WITH_EDITS
from dehusk.jobs.job import Job
from dehusk.jobs.store import Store
from dehusk.marking.edits import Edit

SITE = "site.example"


def pages(menu: str = "nav", start: int = 0) -> list[Page]:
    return [
        Page(
            f"<body><{menu}><a href=/>Home</a> <a href=/b>Blog</a></{menu}><main><p>What page {k} alone has to say, in "
            f"{'many ' * k}words.</p></main><footer>All rights kept</footer></body>",
            url=f"http://{SITE}/{menu}/{k}",
        )
        for k in range(start, start + 5)
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a template of one site."""
    file = tmp_path / "sites.store"
    with Store(file) as store:
        store.add(pages())
    return file


def version(path: Path) -> int:
    db = sqlite3.connect(path)
    try:
        return int(db.execute("PRAGMA user_version").fetchone()[0])
    finally:
        db.close()


def test_an_edit_is_in_the_template_at_once_and_in_other_processes(path: Path) -> None:
    with Store(path) as store, Store(path) as other:
        assert "rights" not in other.template(SITE).clean(pages()[0]).text
        edit = store.edit(SITE, Edit.new("body > footer", keep=True, by="Ann", why="why not"))
        for one in (store, other):
            assert one.edits(SITE) == one.template(SITE).edits == (edit,)
            assert "rights" in one.template(SITE).clean(pages()[0]).text
        other.undo(SITE, edit.id)
        assert store.edits(SITE) == store.template(SITE).edits == ()
        assert "rights" not in store.template(SITE).clean(pages()[0]).text


def test_an_edit_survives_more_pages_and_an_update(path: Path) -> None:
    with Store(path) as store:
        edit = store.edit(SITE, Edit.new("body > footer", keep=True))
        assert store.add(pages(start=5)).missing == {}
        assert store.template(SITE).pages == 10
        assert store.template(SITE).edits == (edit,)
        assert store.add(pages("header"), update=True).missing == {}
        assert [store.template(SITE, number).edits for number in (1, 2)] == [(edit,), (edit,)]


def test_an_update_says_which_edits_have_lost_their_place(path: Path) -> None:
    with Store(path) as store:
        edit = store.edit(SITE, Edit.new("body > nav", keep=True))
        store.edit(SITE, Edit.new("body > footer", keep=True))
        assert store.add(pages("header"), update=True).missing == {SITE: (edit,)}
        assert len(store.edits(SITE)) == 2


def test_a_store_gets_the_format_that_older_ones_refuse_with_its_first_edit(path: Path) -> None:
    assert version(path) == PLAIN
    with Store(path) as store:
        assert store.edits(SITE) == ()
        with pytest.raises(UsageError, match="not a place"):
            store.edit(SITE, Edit.new("footer", keep=True))
        with pytest.raises(UsageError, match="no edit 12; there are no edits"):
            store.undo(SITE, "12")
        assert version(path) == PLAIN
        store.edit(SITE, Edit.new("body > footer", keep=True))
    assert version(path) == WITH_EDITS
    with Store(path) as store:
        assert len(store.template(SITE).edits) == 1


def test_sites_that_a_store_lacks_cannot_be_edited(path: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        with pytest.raises(TemplateError, match=r"no template for other\.example"):
            store.edit("other.example", Edit.new("body > footer", keep=True))
        with pytest.raises(TemplateError, match=r"no template for other\.example"):
            store.undo("other.example", "12")
    with Store(tmp_path / "new.store") as store, pytest.raises(TemplateError):
        store.undo(SITE, "12")
    assert not (tmp_path / "new.store").exists()


def test_the_sample_can_be_read(path: Path) -> None:
    with Store(path) as store:
        assert {page.url for page in store.pages(SITE)} == {page.url for page in pages()}
        with pytest.raises(TemplateError):
            store.pages("other.example")


@pytest.mark.parametrize("damage", ["{", "[1]", '[{"path": "body"}]'])
def test_damaged_edits_are_an_error(path: Path, damage: str) -> None:
    with Store(path) as store:
        store.edit(SITE, Edit.new("body > footer", keep=True))
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE edit SET edits = ?", (damage,))
    db.close()
    with Store(path) as store, pytest.raises(TemplateError, match=r"edits of site\.example are damaged"):
        store.template(SITE)


def test_corrections_of_a_served_folder_apply_to_the_folder_and_to_single_pages(tmp_path: Path) -> None:
    folder, store = tmp_path / "crawl", tmp_path / "sites.store"
    folder.mkdir()
    for number, page in enumerate(pages()):
        (folder / f"{number}.html").write_text(str(page.html))
    with Job(folder, store=store).open() as work:
        work.add_to_store(nameless="crawl")
    with Store(store) as opened:
        opened.edit("crawl", Edit.new("body > footer", keep=True))
    for number, place in enumerate((folder, folder / "0.html")):
        out = tmp_path / str(number)
        Job(place, out, store=store).run()
        assert "All rights kept" in (out / "0.txt").read_text()
    Job(folder, store=store).add_to_store()
    with Store(store) as opened:
        assert [*opened.sites()] == ["crawl"]
