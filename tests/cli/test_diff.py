"""dehusk diff: output, files and exit codes."""

import json
import os
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from loopback import answer, serving

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def old(shop: Path) -> Path:
    return shop / "pier-lantern.html"


@pytest.fixture
def new(old: Path, tmp_path: Path) -> Callable[..., Path]:
    """A new version of the page with some words replaced."""

    def call(*words: str) -> Path:
        html = old.read_text("utf-8")
        for before, after in zip(words[::2], words[1::2], strict=True):
            assert before in html
            html = html.replace(before, after)
        (tmp_path / "new.html").write_text(html, "utf-8")
        return tmp_path / "new.html"

    return call


@pytest.fixture
def template(run: Run, shop: Path, tmp_path: Path) -> Path:
    assert run("learn", shop, "-o", tmp_path / "shop.husk", "-q")[0] == 0
    return tmp_path / "shop.husk"


def test_a_summary_is_printed(run: Run, old: Path, new: Callable[..., Path]) -> None:
    code, out, err = run("diff", old, new("1 week", "3 weeks"))
    assert (code, err) == (0, "")
    assert out.startswith("One table cell changed\n")
    assert "[-1 week-] {+3 weeks+}" in out


def test_the_suffix_of_the_output_chooses_what_is_written(
    run: Run, old: Path, new: Callable[..., Path], tmp_path: Path
) -> None:
    version = new("1 week", "3 weeks")
    assert run("diff", old, version, "-o", tmp_path / "a.html")[2] == f"One table cell changed: see {tmp_path}/a.html\n"
    assert (tmp_path / "a.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert run("diff", old, version, "-o", tmp_path / "a.json", "-q") == (0, "", "")
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["verdict"] == "content"


def test_exit_codes_give_the_verdict_on_request(
    run: Run, old: Path, new: Callable[..., Path], template: Path, tmp_path: Path
) -> None:
    words = ("-t", template, "-q", "--exit-code")
    assert run("diff", old, old, *words) == (0, "", "")
    assert run("diff", old, new(">About us<", ">Who we are<"), *words)[0] == 0
    assert run("diff", old, new("1 week", "3 weeks"), *words)[0] == 3
    (tmp_path / "new.html").write_text("<body>" + "<center>We sell no lanterns any more.</center>" * 9)
    assert run("diff", old, tmp_path / "new.html", *words)[0] == 4
    assert run("diff", old, tmp_path / "new.html", "-q")[0] == 0


def test_one_version_may_be_on_standard_input(run: Run, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = old.read_bytes().replace(b"1 week", b"3 weeks")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(page)))
    assert run("diff", old, "-")[1].startswith("One table cell changed\n")


def test_one_version_may_be_on_the_web(run: Run, old: Path) -> None:
    with serving() as server:
        server.routes["/a"] = answer(old.read_bytes().replace(b"1 week", b"3 weeks"))
        words = ("diff", old, server.url("/a"))
        assert run(*words, "--allow-private")[1].startswith("One table cell changed\n")
        assert run(*words)[0] == 1


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["OLD", "nowhere.html"], 1, "nowhere.html: no such file or folder"),
        (["OLD", "EMPTY"], 1, "empty.html: empty"),
        (["OLD", "SHOP"], 1, "several pages; give one version of one page"),
        (["OLD", "OLD", "-o", "out.pdf"], 2, "out.pdf: the name must end with .html or .json"),
        (["OLD", "OLD", "-o", "OLD"], 2, "is both source and output; choose another output"),
        (["OLD", "OLD", "-o", "SHOP/new.json", "-t", "OLD"], 1, "not a dehusk template"),
        (["-", "-"], 2, "standard input is one page; give a file for the other version"),
    ],
)
def test_an_input_that_cannot_be_compared_gives_one_line_and_nothing_is_written(
    run: Run, old: Path, tmp_path: Path, words: list[str], code: int, why: str
) -> None:
    (tmp_path / "empty.html").write_text("")
    places = {"OLD": old, "SHOP": old.parent, "EMPTY": tmp_path / "empty.html"}
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.*")}
    result, out, err = run("diff", *(places.get(word, word.replace("SHOP", str(old.parent))) for word in words))
    assert (result, out, err.count("\n")) == (code, "", 1)
    assert why in err
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.*")} == before


def test_a_folder_of_templates_is_looked_up_by_the_site_of_the_page(
    run: Run, old: Path, template: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "templates"
    folder.mkdir()
    for site in ("a.example", "b.example"):
        data = json.loads(template.read_text("utf-8"))
        (folder / f"{site}.husk").write_text(json.dumps({**data, "site": site}))
    code, _, err = run("diff", old, old, "-t", folder)
    assert code == 1
    assert "no template for pier-lantern.html; give the file of its site" in err


def test_a_comparison_that_takes_too_long_fails_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    for name in ("old.html", "new.html"):
        (tmp_path / name).write_text("".join(f"<p>{name} {number}</p>" for number in range(20_000)))
    given = (tmp_path / "old.html", tmp_path / "new.html", "-o", tmp_path / "out.html", "--page-seconds", "0.01")
    code, out, err = run("diff", *given)
    assert (code, out) == (1, "")
    assert "took more than 0.01 s" in err
    assert not (tmp_path / "out.html").exists()


def test_the_page_has_the_names_and_dates_of_both_versions(
    run: Run, old: Path, new: Callable[..., Path], tmp_path: Path
) -> None:
    os.utime(old, (0, 0))
    assert run("diff", old, new("1 week", "3 weeks"), "-o", tmp_path / "a.html")[0] == 0
    html = (tmp_path / "a.html").read_text("utf-8")
    assert f"<b>{old.name}</b>, <time" in html
    assert "1970-01-01 00:00 UTC</time> to <b>new.html</b>" in html
