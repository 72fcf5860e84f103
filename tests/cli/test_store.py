"""Stores of templates on the command line."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dehusk.jobs.store import Store
from journals import ENGLISH, GERMAN
from loopback import answer, serving

Run = Callable[..., tuple[int, str, str]]
JOURNALS = {"en.example": ENGLISH, "de.example": GERMAN}


@pytest.fixture
def archives(tmp_path: Path) -> list[Path]:
    """Three tables, each with a page or two of two sites."""
    rows = [
        {"url": f"http://{host}/{number}", "html": html}
        for number in range(4)
        for host, journal in JOURNALS.items()
        for html in [journal.page(number)]
    ]
    files = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for number, file in enumerate(files):
        file.write_text("".join(json.dumps(row) + "\n" for row in rows[number::3]))
    return files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sites.store"


def test_many_archives_one_by_one_clean_like_all_at_once(
    run: Run, archives: list[Path], path: Path, tmp_path: Path
) -> None:
    assert run("clean", *archives, "-o", tmp_path / "all", "--format", "jsonl", "-q")[0] == 0
    for archive in archives[::-1]:
        code, _, err = run("learn", archive, "--store", path)
        assert code == 0
        assert "of 2 sites, 2 templates learned" in err
    assert "0 templates learned" in run("learn", *archives, "--store", path)[2]
    assert run("clean", *archives, "--store", path, "-o", tmp_path / "stored", "--format", "jsonl", "-q")[0] == 0
    assert (tmp_path / "stored").read_bytes() == (tmp_path / "all").read_bytes()


def test_a_store_learns_missing_sites_and_keeps_existing_ones(
    run: Run, archives: list[Path], path: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in archives[0].read_text().splitlines()]
    english = tmp_path / "english.jsonl"
    english.write_text("".join(json.dumps(row) + "\n" for row in rows if "en.example" in row["url"]))
    assert run("learn", english, "--store", path, "-q")[0] == 0
    clean = ("clean", *archives, "--store", path, "-o", tmp_path / "out", "--format", "jsonl")
    assert "8 cleaned, 0 skipped" in run(*clean)[2]
    with Store(path) as store:
        assert [store.versions(site)[0].pages for site in store.sites()] == [4, 2]
    before = path.read_bytes()
    assert run(*clean)[0] == 0
    assert path.read_bytes() == before


def test_an_update_begins_versions_and_old_ones_stay_usable(
    run: Run, archives: list[Path], path: Path, tmp_path: Path
) -> None:
    def cleaned(*words: object) -> bytes:
        out = tmp_path / "out.jsonl"
        assert run("clean", archives[0], "-o", out, "--format", "jsonl", "-q", *words)[0] == 0
        return out.read_bytes()

    run("learn", *archives, "--store", path, "-q")
    before = cleaned("--store", path)
    assert run("learn", archives[0], "--store", path, "--update", "-q")[0] == 0
    assert cleaned("--store", path, "--store-version", 1) == before
    assert cleaned("--store", path, "--store-version", 7) == cleaned("--store", path)
    listed = run("store", path)[1].splitlines()
    assert listed[0] == "site\tversion\tpages\tlearned"
    assert [line.split("\t")[:3] for line in listed[1:]] == [
        ["de.example", "1", "4"],
        ["de.example", "2", "1"],
        ["en.example", "1", "4"],
        ["en.example", "2", "2"],
    ]
    out = tmp_path / "old.husk"
    assert run("store", path, "--site", "en.example", "--version", 1, "-o", out) == (
        0,
        "",
        f"template of en.example written: {out}\n",
    )
    assert json.loads(out.read_text("utf-8"))["pages"] == 4
    assert run("store", path, "--site", "en.example", "-o", out)[0] == 0
    assert json.loads(out.read_text("utf-8"))["pages"] == 2
    assert len(run("store", path, "--site", "de.example")[1].splitlines()) == 3


def test_a_folder_of_pages_is_one_site_without_a_name(run: Run, shop: Path, path: Path, tmp_path: Path) -> None:
    assert "14 pages of 1 site, 1 template learned" in run("learn", shop, "--store", path)[2]
    assert "(no URL)\t1\t14" in run("store", path)[1]
    assert "14 cleaned" in run("clean", shop, "--store", path, "-o", tmp_path / "out")[2]
    assert run("store", path, "--site", "", "-o", tmp_path / "t.husk")[0] == 0


def test_a_store_inside_the_source_is_not_read_as_a_page(run: Run, shop: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert "14 pages of" in run("learn", shop, "--store", shop / "site")[2]
        assert "14 cleaned, 0 skipped" in run("clean", shop, "--store", shop / "site", "-o", tmp_path / "out")[2]


def test_nothing_is_fetched_to_learn_a_site_that_is_known(run: Run, path: Path, tmp_path: Path) -> None:
    with serving() as server:
        for number, html in enumerate(ENGLISH.pages()):
            server.routes[f"/{number}"] = answer(html)
        words = ("--store", path, "-o", tmp_path / "out", "--allow-private", "--delay", 0)
        assert run("clean", server.url("/0"), *words)[0] == 0
        assert len(server.pages_asked) > 3
        before = len(server.pages_asked)
        assert run("clean", server.url("/4"), *words)[0] == 0
        assert server.pages_asked[before:] == ["/4"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["learn", "IN"], "or a store with --store"),
        (["learn", "IN", "-o", "OUT", "--store", "STORE"], "or a store with --store"),
        (["learn", "IN", "-o", "OUT", "--update"], "--update needs --store"),
        (["clean", "IN", "-o", "OUT", "--format", "jsonl", "--store-version", "1"], "name it with --store"),
        (["clean", "IN", "-o", "OUT", "--format", "jsonl", "--store", "STORE", "-t", "T"], "leave one of them out"),
        (["clean", "IN", "-o", "STORE", "--format", "jsonl", "--store", "STORE"], "two different things"),
        (["learn", "IN", "--store", "STORE", "--method", "rtdm", "--grain", "nodes"], "has no --grain"),
        (["store", "STORE", "-o", "OUT"], "choose it with --site"),
        (["store", "STORE", "--version", "1"], "--version needs -o"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line_and_creates_nothing(
    run: Run, archives: list[Path], path: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    places = {"IN": archives[0], "OUT": tmp_path / "out", "STORE": path, "T": tmp_path / "t.husk"}
    code, _, err = run(*(places.get(word, word) for word in words))
    assert code == 2
    assert err.startswith("dehusk: error: ")
    assert err.count("\n") == 1
    assert said in err
    assert not path.exists()
    assert not (tmp_path / "out").exists()


def test_a_template_is_not_written_over_the_store_that_it_is_from(run: Run, archives: list[Path], path: Path) -> None:
    run("learn", archives[0], "--store", path, "-q")
    before = path.read_bytes()
    site = run("store", path)[1].splitlines()[1].split("\t")[0]
    code, _, err = run("store", path, "--site", site, "-o", path)
    assert code == 2
    assert "both source and output" in err
    assert path.read_bytes() == before


def test_the_versions_of_a_site_are_listed_even_if_the_newest_is_damaged(
    run: Run, archives: list[Path], path: Path, tmp_path: Path
) -> None:
    run("learn", *archives, "--store", path, "-q")
    run("learn", archives[0], "--store", path, "--update", "-q")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE version SET template = x'00' WHERE number = 2")
        file.execute("UPDATE page SET html = x'00'")  # it cannot be learned again either
    listed = run("store", path, "--site", "en.example")
    assert (listed[0], len(listed[1].splitlines()), listed[2]) == (0, 3, "")
    out = tmp_path / "old.husk"
    assert run("store", path, "--site", "en.example", "--version", 1, "-o", out)[0] == 0


def test_a_store_refuses_other_options_of_learning(run: Run, archives: list[Path], path: Path) -> None:
    run("learn", archives[0], "--store", path, "--by", "domain", "-q")
    for words in (["--by", "host"], ["--method", "rtdm"], ["--favor", "recall"]):
        code, _, err = run("learn", archives[1], "--store", path, *words)
        assert code == 2
        assert err.count("\n") == 1
        assert "was made with" in err
    assert run("learn", archives[1], "--store", path, "-q")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["learn", "IN", "--store", "BAD"], "not a store of dehusk"),
        (["clean", "IN", "--store", "BAD", "-o", "OUT"], "not a store of dehusk"),
        (["store", "BAD"], "not a store of dehusk"),
        (["store", "NONE"], "no such store"),
        (["store", "STORE", "--site", "none.example"], "no template for none.example"),
        (["store", "STORE", "--site", "none.example", "-o", "OUT"], "no template for none.example"),
        (["learn", "EMPTY", "--store", "NONE"], "none of these is a page"),
    ],
)
def test_a_missing_store_or_site_ends_with_1_and_one_line(
    run: Run, archives: list[Path], path: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    run("learn", archives[0], "--store", path, "-q")
    (tmp_path / "bad").write_text("a diary " * 1000)
    (tmp_path / "empty.jsonl").write_text("\n")
    places = {"IN": archives[0], "OUT": tmp_path / "out", "STORE": path, "BAD": tmp_path / "bad"}
    places |= {"NONE": tmp_path / "none", "EMPTY": tmp_path / "empty.jsonl"}
    code, out, err = run(*(places.get(word, word) for word in words))
    assert (code, out) == (1, "")
    assert err.startswith("dehusk: error: ")
    assert err.count("\n") == 1
    assert said in err
    assert not (tmp_path / "none").exists()
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "bad").read_text() == "a diary " * 1000
