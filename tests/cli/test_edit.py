"""dehusk edit: listing, adding and undoing edits."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk.jobs.editing import InFile
from dehusk.jobs.job import Job
from dehusk.jobs.site_templates import Templates
from dehusk.marking.edits import Edit
from killers import never_ends

Run = Callable[..., tuple[int, str, str]]

MENU = "body > header"


@pytest.fixture
def husk(run: Run, shop: Path, tmp_path: Path) -> Path:
    assert run("learn", shop, "-o", tmp_path / "shop.husk", "-q")[0] == 0
    return tmp_path / "shop.husk"


def rows(out: str) -> list[list[str]]:
    """The lines of a list without its heading."""
    return [line.split("\t") for line in out.splitlines()[1:]]


def test_an_edit_is_made_listed_used_and_undone(run: Run, shop: Path, husk: Path) -> None:
    page = shop / "pier-lantern.html"
    before = run("clean", page, "-t", husk, "-q")[1]
    code, out, err = run("edit", husk, "--keep", MENU, "--why", "to see it", "--by", "Ann")
    assert (code, out) == (0, "")
    (listed,) = rows(run("edit", husk)[1])
    assert listed[1:4] + listed[5:] == ["keep", "site", "-", "Ann", MENU, "to see it"]
    assert err == f"edit {listed[0]}: {MENU} is kept; to undo: --undo {listed[0]}\n"
    assert len(run("clean", page, "-t", husk, "-q")[1]) > len(before)
    assert run("edit", husk, "--undo", listed[0]) == (0, "", f"edit {listed[0]} is undone\n")
    assert rows(run("edit", husk)[1]) == []
    assert run("clean", page, "-t", husk, "-q")[1] == before


def test_all_edits_can_be_undone_at_once(run: Run, husk: Path) -> None:
    assert run("edit", husk, "--keep", MENU, "-q") == (0, "", "")
    assert run("edit", husk, "--drop", "body > main", "-q", "--by", "")[0] == 0
    assert [row[1:6:4] for row in rows(run("edit", husk)[1])][1] == ["drop", "-"]
    assert run("edit", husk, "--undo", "all")[0] == 0
    assert json.loads(husk.read_text("utf-8"))["dehusk"] == 1


def test_undoing_all_edits_says_if_there_are_none(run: Run, husk: Path) -> None:
    assert run("edit", husk, "--undo", "all") == (0, "", "there are no edits to undo\n")


def test_a_check_counts_the_pages_of_each_place(run: Run, shop: Path, husk: Path) -> None:
    run("edit", husk, "--keep", MENU)
    code, out, err = run("edit", husk, "--check", shop)
    pages = len(list(shop.iterdir()))
    assert (code, rows(out)[0][3], err) == (0, f"{pages} of {pages}", "")
    code, out, err = run("edit", husk, "--drop", "body > blink", "--check", shop)
    assert (code, rows(out)[1][3]) == (1, f"0 of {pages}")
    assert f"the place of edit {rows(out)[1][0]}, body > blink, is on no page; undo it" in err


def test_a_check_skips_a_page_that_takes_too_long(
    run: Run, shop: Path, husk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("edit", husk, "--keep", MENU)
    never_ends(monkeypatch, "pier-lantern.html")
    code, out, err = run("edit", husk, "--check", shop, "--page-seconds", "0.5")
    pages = len(list(shop.iterdir())) - 1
    assert (code, rows(out)[0][3]) == (0, f"{pages} of {pages}")
    assert "pier-lantern.html: took more than 0.5 s" in err


def test_edits_survive_learning_again_and_lost_places_are_reported(run: Run, shop: Path, husk: Path) -> None:
    run("edit", husk, "--keep", MENU)
    code, _, err = run("learn", shop, "-o", husk)
    assert code == 0
    assert "1 edit carried over; to list or undo them, use dehusk edit\n" in err
    assert "is on no page" not in err
    assert [edit.path for edit in dehusk.load(husk).edits] == [MENU]
    for page in shop.iterdir():
        page.write_text(page.read_text("utf-8").replace("header", "section"), "utf-8")
    (listed,) = rows(run("edit", husk)[1])
    assert f"warning: the place of edit {listed[0]}, {MENU}, is on no page;" in run("learn", shop, "-o", husk)[2]
    assert len(dehusk.load(husk).edits) == 1


def test_edits_made_and_undone_while_a_site_is_learned_again_are_not_lost(
    run: Run, shop: Path, husk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("edit", husk, "--keep", MENU)
    (undone,) = dehusk.load(husk).edits
    learn = Job.learn

    def slow(self: Job, **options: Any) -> Templates:
        learned = learn(self, **options)
        InFile(husk).edit(Edit.new("body > main", keep=True))
        InFile(husk).undo(undone.id)
        return learned

    monkeypatch.setattr(Job, "learn", slow)
    assert run("learn", shop, "-o", husk)[0] == 0
    assert [edit.path for edit in dehusk.load(husk).edits] == ["body > main"]


def test_edits_of_a_folder_of_templates_survive_learning_again(run: Run, tmp_path: Path, shop: Path) -> None:
    records = [
        {"url": f"https://{site}.example/{page.name}", "html": page.read_text("utf-8")}
        for site in ("a", "b")
        for page in sorted(shop.iterdir())[:4]
    ]
    crawl = tmp_path / "crawl.jsonl"
    crawl.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    assert run("learn", crawl, "-o", tmp_path / "husks")[0] == 0
    assert run("edit", tmp_path / "husks")[0] == 2
    assert run("edit", tmp_path / "husks" / "b.example.husk", "--keep", MENU)[0] == 0
    assert "1 edit carried over" in run("learn", crawl, "-o", tmp_path / "husks")[2]
    assert len(dehusk.load(tmp_path / "husks" / "b.example.husk").edits) == 1
    assert len(dehusk.load(tmp_path / "husks" / "a.example.husk").edits) == 0


def test_edits_are_not_lost_to_the_pages_of_another_site(run: Run, tmp_path: Path, shop: Path) -> None:
    def crawl(site: str) -> Path:
        file = tmp_path / f"{site}.jsonl"
        pages = [
            {"url": f"https://{site}/{page.name}", "html": page.read_text("utf-8")} for page in sorted(shop.iterdir())
        ]
        file.write_text("".join(json.dumps(one) + "\n" for one in pages[:4]), "utf-8")
        return file

    husk = tmp_path / "a.husk"
    run("learn", crawl("a.example"), "-o", husk)
    run("edit", husk, "--keep", MENU)
    code, _, err = run("learn", crawl("b.example"), "-o", husk)
    assert code == 2
    assert "edits of a.example, but these pages are of b.example; choose another file" in err
    assert len(dehusk.load(husk).edits) == 1


def test_sites_of_a_store_are_edited_too(run: Run, tmp_path: Path, shop: Path) -> None:
    store = tmp_path / "s.store"
    pages = sorted(shop.iterdir())
    lines = [json.dumps({"url": f"https://a.example/{one.name}", "html": one.read_text("utf-8")}) for one in pages]
    (tmp_path / "crawl.jsonl").write_text("\n".join(lines[:5]), "utf-8")
    new = "\n".join(lines[5:10]).replace("header", "section")
    (tmp_path / "new.jsonl").write_text(new, "utf-8")
    run("learn", tmp_path / "crawl.jsonl", "--store", store)
    which = ("--store", store, "--site", "a.example")
    assert run("edit", *which, "--keep", MENU)[0] == 0
    code, out, _ = run("edit", *which, "--check")
    assert (code, rows(out)[0][3]) == (0, "5 of 5")
    code, _, err = run("learn", tmp_path / "new.jsonl", "--store", store, "--update")
    assert code == 0
    assert f"the place of edit {rows(out)[0][0]}, {MENU} of a.example, is on no page" in err
    assert run("edit", *which, "--check")[0] == 1
    assert run("edit", *which, "--check", tmp_path / "crawl.jsonl")[0] == 0
    assert run("edit", *which, "--undo", rows(out)[0][0])[0] == 0
    assert rows(run("edit", *which)[1]) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "which template?"),
        (["--store", "s"], "choose one with --site"),
        (["x.husk", "--store", "s"], "not both"),
        (["x.husk", "--site", "a"], "--site needs --store"),
        (["x.husk", "--why", "so"], "need --keep or --drop, or an edit of a column"),
        (["HUSK", "--keep", "header"], "not a place"),
        (["HUSK", "--keep", "body > p::text"], "name the element that it is in: body > p"),
        (["HUSK", "--undo", "1"], "no edit 1; there are no edits"),
        (["HUSK", "--keep", "body", "--scope", "host"], "is unknown; choose one of site, family, page"),
        (["HUSK", "--keep", "body", "--scope", "page"], "say which page"),
        (["HUSK", "--keep", "body", "--family", "1"], "leave it out"),
        (["HUSK", "--keep", "body", "--scope", "family", "--family", "7"], "no family 7"),
        (["HUSK", "--check"], "give pages of the site with --check"),
        (["HUSK", "--keep", "body", "--drop", "body"], "not allowed with"),
    ],
)
def test_an_invalid_edit_gives_one_line_and_changes_nothing(run: Run, husk: Path, words: list[str], said: str) -> None:
    before = husk.read_bytes()
    code, out, err = run("edit", *[husk if word == "HUSK" else word for word in words])
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]
    assert husk.read_bytes() == before


def test_a_missing_template_is_reported(run: Run, tmp_path: Path) -> None:
    assert run("edit", tmp_path / "no.husk")[0] == 1
    assert run("edit", "--store", tmp_path / "no.store", "--site", "a")[0] == 1


def test_selectors_are_written_for_other_programs(run: Run, shop: Path, husk: Path, tmp_path: Path) -> None:
    code, out, err = run("edit", husk, "--export", "css", "--from", shop)
    assert (code, err) == (0, "")
    assert "{ display: none !important; }" in out
    config = tmp_path / "shop.txt"
    code, out, err = run("edit", husk, "--export", "ftr", "--from", shop, "-o", config)
    assert (code, out, err) == (0, "", f"selectors written: {config}\n")
    assert "\nbody: //" in config.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--export", "css"], "give pages of the site with --from"),
        (["--export", "rss"], "choose one of css, ftr"),
        (["-o", "x"], "need --export"),
        (["--export", "css", "--keep", "body"], "cannot be combined"),
        (["--export", "css", "--from", "PAGE", "-o", "HUSK"], "both source and output"),
        (["--export", "css", "--from", "PAGE", "-o", "PAGE"], "both source and output"),
    ],
)
def test_an_invalid_export_gives_one_line_and_changes_nothing(
    run: Run, shop: Path, husk: Path, words: list[str], said: str
) -> None:
    places = {"HUSK": husk, "PAGE": next(shop.iterdir())}
    before = [place.read_bytes() for place in places.values()]
    code, out, err = run("edit", husk, *(places.get(word, word) for word in words))
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]
    assert [place.read_bytes() for place in places.values()] == before
