"""File names of pages."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.outputs.target import file_names, page_file, same, site_file, url_file

PARTS = st.sampled_from(["a", "b", "a.txt", "a.html", "a.htm", "a.html.txt"])


def test_a_page_gets_its_name_with_the_suffix_of_the_format() -> None:
    assert file_names(["a/b.html", "c"], ".txt") == {"a/b.html": "a/b.txt", "c": "c.txt"}


def test_no_name_leads_outside_the_folder() -> None:
    assert file_names(["a/../../b.html"], ".txt") == {"a/../../b.html": "a/.._/.._/b.txt"}


def test_if_two_names_would_clash_the_full_old_name_is_kept() -> None:
    assert file_names(["a.htm", "a.html"], ".txt") == {"a.htm": "a.htm.txt", "a.html": "a.html.txt"}


def test_a_file_does_not_take_the_name_of_a_folder() -> None:
    assert file_names(["a.html", "a.txt/b.html"], ".txt")["a.html"] == "a.html.txt"


@given(st.lists(st.builds("/".join, st.lists(PARTS, min_size=1, max_size=3)), unique=True, max_size=8))
def test_every_page_gets_a_file_of_its_own(names: list[str]) -> None:
    folders = {"/".join(name.split("/")[:k]) for name in names for k in range(1, name.count("/") + 1)}
    files = file_names([name for name in names if name not in folders], ".txt")
    assert len(set(files.values())) == len(files)
    assert not folders & set(files.values())


def test_names_that_some_file_systems_treat_as_equal_are_distinguished() -> None:
    for names in (["a.html", "A.html"], ["\u00e9.html", "e\u0301.html"], ["Menu/a.html", "menu/a.html"]):
        files = file_names(names, ".txt")
        assert len(set(map(same, files.values()))) == 2


def test_a_file_does_not_clash_with_a_folder_in_other_letters() -> None:
    assert file_names(["a.html", "A.TXT/b.html"], ".txt")["a.html"] == "a.html.txt"
    assert url_file("http://x/A.TXT/b", ".txt") == "x/A.TXT_/b.txt"


@pytest.mark.parametrize("name", ["con", "AUX", "nul.txt", "com1", "LPT9.tar"])
def test_names_of_devices_are_changed(name: str) -> None:
    stem = name.split(".", maxsplit=1)[0]
    assert url_file(f"http://x/{name}/{name}", ".txt").split("/")[1].split(".")[0] == f"{stem}_"
    assert file_names([f"{name}/{name}.html"], ".txt").popitem()[1].split("/")[0].split(".")[0] == f"{stem}_"
    assert site_file(name, ".husk").startswith(f"+{stem}")


@pytest.mark.parametrize(
    "url",
    [
        "http://x/" + "a/" * 3000 + "b",
        "http://x/" + "%41" * 3000,
        f"http://{'h' * 300}.example/",
        "http://" + "\u00fc" * 50 + ".example/",
        "http://x/\ud800?\udfff",
        "http://x\udc80/a./b",
        "http://[x/",
        "\ud800",
    ],
)
def test_every_url_has_a_file_that_can_be_made(url: str) -> None:
    for file in (url_file(url, ".txt"), page_file(None, url, ".txt"), site_file(url, ".husk")):
        assert len(os.fsencode(file)) <= 1000
        assert all(0 < len(os.fsencode(step)) <= 255 and not step.endswith(".") for step in file.split("/"))


def test_urls_whose_names_are_cut_have_different_files() -> None:
    long = "http://x/" + "a/" * 3000
    assert len({url_file(long + last, ".txt") for last in ("b/c", "d/c", "d", "\ud800", "\ud801")}) == 5


def test_no_two_sites_have_the_same_file() -> None:
    long = "h" * 300
    cut = site_file(long, "").removeprefix("+")
    sites = [
        "",
        "no-site",
        "+no-site",
        "con",
        "con_",
        "con.x",
        "con_.x",
        "+con.x",
        long,
        cut,
        f"+{cut}",
        "a.b",
        "a%2Eb",
    ]
    assert len({same(site_file(site, ".husk")) for site in sites}) == len(sites)
