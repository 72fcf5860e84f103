"""dehusk check."""

import json
from pathlib import Path

import pytest

import demo_site
from dehusk.cli import main
from killers import never_ends


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a site, its template, a store of it, and another site."""
    folder = tmp_path_factory.mktemp("desk")
    for name, html in demo_site.pages().items():
        (folder / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "site" / name).write_text(html)
    (folder / "new").mkdir()
    for number in range(4):
        (folder / "new" / f"{number}.html").write_text(f"<div>Our new face</div><h1>{number}</h1><p>Page {number}.</p>")
    assert main(["learn", str(folder / "site"), "-o", str(folder / "site.husk"), "-q"]) == 0
    assert main(["learn", str(folder / "site"), "--store", str(folder / "sites.store"), "-q"]) == 0
    return folder


@pytest.mark.parametrize("template", [("-t", "site.husk"), ("--store", "sites.store")])
def test_a_site_that_holds_is_a_line_and_exit_code_0(
    desk: Path, template: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(desk / "site"), template[0], str(desk / template[1])]) == 0
    assert "holds (30 pages, median fit 1.00" in capsys.readouterr().out
    assert main(["check", str(desk / "site"), template[0], str(desk / template[1]), "-q"]) == 0
    assert capsys.readouterr().out == ""


def test_a_redesigned_site_is_exit_code_3_and_json_has_all(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "state.json"
    assert main(["check", str(desk / "new"), "-t", str(desk / "site.husk"), "-o", str(out), "-q"]) == 3
    assert "redesigned (4 pages" in capsys.readouterr().out
    (row,) = json.loads(out.read_text())
    assert (row["state"], row["strange_pages"]) == ("redesigned", 4)


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["site"], "check against what? give a template with -t, or a store with --store", 2),
        (["site", "--store", "none.store"], "none.store: no such store; make one with dehusk learn --store", 1),
        (["empty", "-t", "site.husk"], "no pages; give a folder that holds HTML files", 1),
    ],
)
def test_what_cannot_be_checked_is_one_line(
    desk: Path, arguments: list[str], message: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "empty").mkdir(exist_ok=True)
    found = [str(desk / word) if not word.startswith("-") else word for word in arguments]
    assert main(["check", *found]) == code
    assert message in capsys.readouterr().err


def test_columns_that_moved_are_found_again(desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "moved").mkdir()
    for page in (desk / "site" / "shop").iterdir():
        html = page.read_text().replace("<dl", "<section").replace("</dl", "</section").replace('class="', 'class="n-')
        (desk / "moved" / page.name).write_text(html.replace("<dt", "<div").replace("<dd", "<div"))
    template = str(tmp_path / "columns.husk")
    assert main(["learn", str(desk / "site" / "shop"), "--columns", "-o", template, "-q"]) == 0
    assert main(["check", str(desk / "moved"), "-t", template]) == 3
    assert "gone, 0 found again" in capsys.readouterr().out
    assert main(["check", str(desk / "moved"), "-t", template, "--relearn"]) == 3
    assert "gone, 0 found again" not in capsys.readouterr().out


@pytest.mark.parametrize("out", ["site/index.html", "site.husk"])
def test_nothing_that_is_read_is_overwritten(desk: Path, out: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = (desk / out).read_bytes()
    assert main(["check", str(desk / "site"), "-t", str(desk / "site.husk"), "-o", str(desk / out)]) == 2
    assert (desk / out).read_bytes() == before
    assert capsys.readouterr().err.count("\n") == 1


def test_skipped_pages_are_counted_on_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"url": f"https://{name}.example/{n}", "html": "<p>x"} for name in "ab" for n in range(9)]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))
    store = str(tmp_path / "a.store")
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows[:9])))
    assert main(["learn", str(tmp_path / "a.jsonl"), "--store", store, "-q"]) == 0
    main(["check", str(tmp_path / "p.jsonl"), "--store", store])
    assert capsys.readouterr().err.count("its site has no template") == 1


def test_a_page_that_takes_too_long_is_skipped_and_the_others_are_checked(
    desk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = sorted((desk / "site").rglob("*.html"))[:3]
    never_ends(monkeypatch, pages[1].name)
    assert main(["check", *map(str, pages), "-t", str(desk / "site.husk"), "--page-seconds", "0.5"]) in (0, 3)
    out, err = capsys.readouterr()
    assert "(2 pages" in out
    assert err.endswith(f"{pages[1].name}: took more than 0.5 s\n")


def test_pages_that_all_take_too_long_are_one_line(
    desk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    never_ends(monkeypatch, ".html")
    assert main(["check", str(desk / "site"), "-t", str(desk / "site.husk"), "--page-seconds", "0.02", "-q"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
