"""The store: versioned templates of many sites, with several sources and processes."""

import json
import sqlite3
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from dehusk import Page
from dehusk.base import sqlite
from dehusk.base.errors import OutputError, TemplateError, UsageError
from dehusk.core import Learning
from dehusk.jobs import store
from dehusk.jobs.store import Store, Stored
from dehusk.templates.sampling import Sample
from journals import JOURNALS

SITE = "en.example"
# Larger than the sample in some tests, so that pages must be chosen.
PAGES = [
    Page(html.replace("</h1>", f"</h1><p>Edition {copy}.</p>"), url=f"http://{lang}.example/{copy}/{number}")
    for lang, journal in JOURNALS.items()
    if lang in ("en", "de")
    for copy in range(3)
    for number, html in enumerate(journal.pages())
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sites.store"


def at_once(site: str, **options: Any) -> dict[str, Any]:
    """The template of a site, learned from all its pages without a store."""
    pages = [page for page in PAGES if page.url and page.url.startswith(f"http://{site}/")]
    return replace(dehusk.learn(pages, **options), site=site).to_json()


@settings(max_examples=15)
@given(st.permutations(PAGES), st.lists(st.integers(0, len(PAGES)), max_size=4))
def test_any_order_and_split_gives_what_learning_at_once_gives(
    tmp_path_factory: pytest.TempPathFactory, pages: list[Page], cuts: list[int]
) -> None:
    cuts = sorted([0, *cuts, len(pages)])
    with Store(tmp_path_factory.mktemp("store") / "s", sample=2, method="bottom-up") as kept:
        for start, end in pairwise(cuts):
            kept.add(pages[start:end])
        for site in ("de.example", "en.example"):
            assert kept.template(site).to_json() == at_once(site, sample=2, method="bottom-up")
        assert [kept.versions(site)[0].pages for site in kept.sites()] == [10, 10]


def test_the_default_method_and_its_options_are_kept_with_the_store(path: Path) -> None:
    with Store(path, favor="recall", grain="nodes") as kept:
        kept.add(PAGES[::2])
    with Store(path) as kept:
        kept.add(PAGES[1::2])
        assert kept.template(SITE).to_json() == at_once(SITE, favor="recall", grain="nodes")
    with Store(path, grain="nodes", favor="recall") as kept:
        assert kept.add(PAGES).learned == 0


WRITER = """
import json
import sys
from dehusk import Page
from dehusk.jobs.store import Store
with Store(sys.argv[1], sample=2, method="bottom-up") as store:
    print("ready", flush=True)
    for html, url in json.loads(sys.stdin.readline()):
        store.add([Page(html, url=url)], update=sys.argv[2:] == ["update"])
"""


def write_at_once(path: Path, halves: list[list[Page]], *words: str) -> None:
    """Adds pages one by one to a new store, in two processes that start at the same time."""
    command = [sys.executable, "-c", WRITER, str(path), *words]
    writers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    for half, writer in zip(halves, writers, strict=True):
        assert writer.stdin
        writer.stdin.write(json.dumps([(page.html, page.url) for page in half]) + "\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0


def test_two_processes_that_write_at_once_lose_no_page(path: Path) -> None:
    write_at_once(path, [PAGES[::2], PAGES[1::2]])
    with Store(path) as kept:
        assert list(kept.sites()) == ["de.example", "en.example"]
        for site in kept.sites():
            assert [version.number for version in kept.versions(site)] == [1]
            assert kept.template(site).to_json() == at_once(site, sample=2, method="bottom-up")


def test_two_processes_that_write_at_once_lose_no_version(path: Path) -> None:
    halves = [[Page(f"<p>{half} {number}", url=f"http://{SITE}/") for number in range(80)] for half in "ab"]
    write_at_once(path, halves, "update")
    with Store(path) as kept:
        assert [version.number for version in kept.versions(SITE)] == list(range(1, 161))


def test_an_update_begins_a_version_from_its_own_pages_and_the_old_one_stays(path: Path) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:10])
        old = kept.template(SITE)
        added = kept.add(PAGES[10:15], update=True)
        assert (added.pages, added.sites, added.learned) == (5, 1, 1)
        assert [(version.number, version.pages) for version in kept.versions(SITE)] == [(1, 10), (2, 5)]
        assert kept.template(SITE).to_json() == replace(dehusk.learn(PAGES[10:15]), site=SITE).to_json()
        assert kept.template(SITE, 1).to_json() == old.to_json()
        assert kept.template(SITE, 2).to_json() == kept.template(SITE).to_json()


def test_more_pages_refine_the_newest_version(path: Path) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:5])
        first = kept.template(SITE).to_json()
        kept.add(PAGES[5:10], update=True)
        kept.add(PAGES[10:15])
        assert [(version.number, version.pages) for version in kept.versions(SITE)] == [(1, 5), (2, 10)]
        assert kept.template(SITE).to_json() == replace(dehusk.learn(PAGES[5:15]), site=SITE).to_json()
        assert kept.template(SITE, 1).to_json() == first


def test_repeating_an_update_begins_no_version(path: Path) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:5])
        kept.add(PAGES[5:], update=True)
        assert kept.add(PAGES[5:], update=True).learned == 0
        assert len(kept.versions(SITE)) == 2


def test_known_sites_can_be_skipped(path: Path) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:5])
        added = kept.add(PAGES, only_new=True)
        assert (added.sites, added.learned) == (1, 1)
        assert kept.versions(SITE)[0].pages == 5
        assert kept.versions("de.example")[0].pages == 12


def test_a_site_that_was_added_but_not_learned_is_learned_on_demand(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with Store(path) as kept:
        kept.add(PAGES[:5])
        monkeypatch.setattr(Learning, "template", stop)
        with pytest.raises(KeyboardInterrupt):
            kept.add(PAGES)
    monkeypatch.undo()
    with Store(path) as kept:
        kept._file.open().execute("PRAGMA query_only = ON")  # read-only
        assert kept.template(SITE).to_json() == at_once(SITE)
    with Store(path) as kept:
        assert kept.template(SITE).to_json() == at_once(SITE)
        assert kept.versions(SITE)[0].pages == 15
    expected = at_once(SITE)
    with Store(path) as kept:
        monkeypatch.setattr(Learning, "template", stop)
        assert kept.template(SITE).to_json() == expected  # it was stored


def test_a_template_of_an_older_sample_does_not_replace_a_newer_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = Learning.template

    def meanwhile(self: Learning, sample: Sample, site: str, by: str) -> dehusk.Template:
        learned = learn(self, sample, site, by)
        monkeypatch.undo()
        with Store(path) as other:
            other.add(PAGES)
        return learned

    with Store(path) as kept:
        monkeypatch.setattr(Learning, "template", meanwhile)
        kept.add(PAGES[:5])
        assert kept.template(SITE).to_json() == at_once(SITE)


def test_a_write_waits_for_another_and_says_so_when_it_takes_too_long(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOCK_SECONDS", 0.01)
    with Store(path) as kept:
        kept.add(PAGES[:5])
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert kept.template(SITE)  # reading continues
        with monkeypatch.context() as patched:
            patched.delattr(store, "merge")  # no sample is read before it is our turn to write
            with pytest.raises(OutputError, match="another process has been writing"):
                kept.add(PAGES)
        other.execute("ROLLBACK")
        other.close()
        assert kept.add(PAGES).learned == 2


def test_only_some_templates_are_held(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CACHED_TEMPLATES", 3)
    pages = [Page(page.html, url=f"http://site{number}.example/") for number, page in enumerate(PAGES[:8])]
    with Store(path) as kept:
        kept.add(pages)
        templates = [kept.template(site) for site in kept.sites()]
        assert len(kept._cache) == 3
        assert kept.template("site7.example") is templates[7]
        assert kept.template("site0.example") is not templates[0]
        assert kept.template("site0.example").to_json() == templates[0].to_json()


def test_only_some_templates_are_held_after_many_failures(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CACHED_TEMPLATES", 3)
    pages = [Page(page.html, url=f"http://site{number}.example/") for number, page in enumerate(PAGES[:8])]

    def fail(*_: object, **__: object) -> None:
        raise TemplateError("not today")

    with Store(path) as kept:
        kept.add(pages[5:])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Learning, "template", fail)
            assert len(kept.add(pages[:5]).failed) == 5
        for number in (5, 6, 7):
            kept.template(f"site{number}.example")
        assert len(kept._cache) == 3


def test_templates_are_found_by_the_site_of_a_page(path: Path) -> None:
    with Store(path, by="domain") as kept:
        kept.add(Page(page.html, url=f"https://www.example.co.uk/{k}") for k, page in enumerate(PAGES[:5]))
        kept.add((Page(page.html, url=f"https://example.co.uk/{k}") for k, page in enumerate(PAGES[5:9])), update=True)
        page = Page("<p>", url="https://news.example.co.uk/")
        newest, older = Stored(kept).of(page), Stored(kept, version=1).of(page)
        assert newest == ("example.co.uk", kept.template("example.co.uk"))
        assert older == ("example.co.uk", kept.template("example.co.uk", 1))
        assert Stored(kept, version=9).of(page) == newest
        assert Stored(kept).of(Page("<p>", url="https://other.example/")) == ("other.example", None)


def test_pages_without_a_url_are_one_site_and_urls_may_be_damaged(path: Path) -> None:
    with Store(path) as kept:
        kept.add([*(page.html for page in PAGES[:5]), Page(PAGES[0].html, url="http://\udc80.example/")])
        assert list(kept.sites()) == ["", "\\udc80.example"]
        assert kept.template("").pages == 5
        assert "\udc80.example" in kept


def test_a_store_without_pages_creates_no_file(path: Path) -> None:
    with Store(path) as kept:
        assert kept.add([]) == store.Added(0, 0, 0)
        assert list(kept.sites()) == []
        assert SITE not in kept
    assert not path.exists()


@pytest.mark.parametrize(
    ("site", "version", "said"),
    [
        ("none.example", None, "no template for none"),
        ("none.example", 1, "no version 1"),
        (SITE, 2, "it has 1"),
        (SITE, 10**30, "it has 1"),
    ],
)
def test_a_missing_template_is_an_error(path: Path, site: str, version: int | None, said: str) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:5])
        with pytest.raises(TemplateError, match=said):
            kept.template(site, version)
        assert kept.versions("none.example") == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "magic"}, "unknown method"),
        ({"method": "rtdm", "grain": "nodes"}, "has no option 'grain'"),
        ({"grain": "letters"}, "choose one of regions, nodes"),
        ({"sample": 1}, "at least 2"),
        ({"weights": Path("weights")}, "not an option that a store can keep"),
    ],
)
def test_a_store_with_invalid_options_is_not_created(path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Store(path, **options)
    assert not path.exists()


@pytest.mark.parametrize("options", [{"method": "rtdm"}, {"by": "domain"}, {"favor": "recall"}, {"dedupe": False}])
def test_a_store_keeps_its_options_of_learning(path: Path, options: dict[str, Any]) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:5])
    with pytest.raises(UsageError, match="was made with"):
        Store(path, **options)


def test_a_file_that_is_not_a_store_is_refused_and_not_changed(path: Path) -> None:
    path.write_bytes(b"a diary, no store" * 100)
    with pytest.raises(TemplateError, match="not a store of dehusk"):
        Store(path)
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE diary (day, words)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(TemplateError, match="not a store of dehusk"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("PRAGMA user_version = 99", "newer dehusk; upgrade"),
        ("DELETE FROM setting", "damaged"),
        ("UPDATE setting SET value = '{'", "damaged"),
        ("DROP TABLE version", "damaged: not the tables"),
        ("DROP TABLE page; CREATE VIEW page AS SELECT * FROM version", "damaged: not the tables"),
        ("CREATE TRIGGER more AFTER UPDATE ON version BEGIN DELETE FROM page; END", "damaged: not the tables"),
        (f"UPDATE setting SET value = '{'[' * 2_000_000}'", "damaged"),
        ("UPDATE setting SET value = 5 WHERE name = 'by'", "damaged"),
        ("UPDATE setting SET value = '\"many\"' WHERE name = 'sample'", "damaged"),
        ("UPDATE version SET revision = 'x'", "damaged"),
        ("UPDATE version SET template = NULL; UPDATE page SET html = 'x'", "damaged"),
        ("UPDATE version SET template = NULL; UPDATE page SET url = 5", "damaged"),
        ("UPDATE version SET template = NULL; UPDATE page SET html = x'00'", "a page of en.example is damaged"),
        ("UPDATE version SET template = NULL; UPDATE page SET url = x'FF'", "a page of en.example is damaged"),
        (
            "UPDATE version SET template = NULL; UPDATE page SET digest = replace(digest, '0', 'x')",
            "a page of en.example is damaged",
        ),
    ],
)
def test_a_damaged_store_is_an_error(path: Path, damage: str, said: str) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:5])
    with sqlite3.connect(path) as db:
        db.executescript(damage)
    db.close()
    with pytest.raises(TemplateError, match=said) as raised, Store(path) as kept:
        kept.template(SITE)
    assert str(path) in str(raised.value)


def test_a_count_at_the_end_of_what_a_store_can_hold_is_an_error(path: Path) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:4])
    with sqlite3.connect(path) as db:
        db.execute("UPDATE version SET revision = ?", (2**63 - 1,))
    db.close()
    with pytest.raises(TemplateError, match=r"damaged; choose another file$"), Store(path) as kept:
        kept.add(PAGES[4:5])


def test_a_bomb_in_a_store_is_not_unpacked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LARGEST", 10**6)
    with Store(path) as kept:
        kept.add(PAGES[:5])
    with sqlite3.connect(path) as db:
        (template,) = db.execute("SELECT template FROM version").fetchone()
        data = json.loads(zlib.decompress(template)) | {"pages": 99}
        bomb = zlib.compress(json.dumps(data).encode() + b" " * 10**6)
        db.execute("UPDATE version SET template = ?", (bomb,))
    db.close()
    with Store(path) as kept:
        assert kept.template(SITE).pages < 99  # it is learned again


@pytest.mark.parametrize("damage", ["x'00'", f"x'{zlib.compress(b'{}').hex()}'", "5", "'text'"])
def test_a_damaged_template_is_learned_again(path: Path, damage: str) -> None:
    with Store(path) as kept:
        kept.add(PAGES)
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE version SET template = {damage}")
    db.close()
    for _ in range(2):
        with Store(path) as kept:
            assert kept.template(SITE).to_json() == at_once(SITE)


def test_a_truncated_store_is_an_error(path: Path) -> None:
    with Store(path) as kept:
        kept.add(PAGES)
    path.write_bytes(path.read_bytes()[:10_000])
    with pytest.raises(TemplateError, match="damaged"), Store(path) as kept:
        kept.template(SITE)


def test_a_folder_or_a_missing_file_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="a folder"):
        Store(tmp_path)
    with pytest.raises(TemplateError, match="no such store"):
        Store(tmp_path / "none", create=False)
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="a file is in the way"), Store(tmp_path / "file" / "s") as kept:
        kept.add(PAGES)


def test_templates_in_a_store_equal_those_in_files(path: Path, tmp_path: Path) -> None:
    with Store(path) as kept:
        kept.add(PAGES[:5])
        kept.template(SITE).save(tmp_path / "t.husk")
    assert json.loads((tmp_path / "t.husk").read_text("utf-8"))["site"] == SITE
    assert dehusk.load(tmp_path / "t.husk").clean(PAGES[0]).text == dehusk.learn(PAGES[:5]).clean(PAGES[0]).text
