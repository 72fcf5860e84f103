"""dehusk watch: what it prints on each visit, and what it stores."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from loopback import answer, serving

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def visit(run: Run, shop: Path, tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """Visits the shop; returns the printed rows."""

    def call(*words: object) -> list[dict[str, Any]]:
        code, out, _ = run("watch", shop, "--store", tmp_path / "shop.watch", *words)
        assert code == 0
        return [json.loads(line) for line in out.splitlines()]

    return call


def replace(page: Path, before: str, after: str) -> None:
    html = page.read_text("utf-8")
    assert before in html
    page.write_text(html.replace(before, after), "utf-8")


def test_the_first_visit_prints_nothing_and_the_next_what_changed_since(
    visit: Callable[..., list[dict[str, Any]]], shop: Path
) -> None:
    assert visit() == []
    assert visit() == []
    replace(shop / "pier-lantern.html", "1 week", "3 weeks")
    (row,) = visit()
    assert (row["name"], row["url"], row["verdict"]) == ("pier-lantern.html", None, "content")
    assert [(one["kind"], one["before"], one["after"]) for one in row["changes"]] == [("changed", "1 week", "3 weeks")]
    assert visit() == []


def test_new_pages_are_stored_and_missing_ones_are_remembered(
    visit: Callable[..., list[dict[str, Any]]], shop: Path, run: Run, tmp_path: Path
) -> None:
    visit()
    page = shop / "pier-lantern.html"
    html = page.read_text("utf-8")
    page.rename(shop / "new.html")
    err = run("watch", shop, "--store", tmp_path / "shop.watch")[2]
    assert err == "14 pages read, 1 new, 0 with changed content: standard output\n"
    page.write_text(html.replace("1 week", "3 weeks"), "utf-8")
    assert [row["name"] for row in visit()] == ["pier-lantern.html"]


def test_husk_changes_are_not_reported(
    visit: Callable[..., list[dict[str, Any]]], run: Run, shop: Path, tmp_path: Path
) -> None:
    assert run("learn", shop, "-o", tmp_path / "shop.husk", "-q")[0] == 0
    visit()
    replace(shop / "pier-lantern.html", ">About us<", ">Who we are<")
    replace(shop / "harbour-mug.html", "© 2024", "© 2025")
    assert visit("-t", tmp_path / "shop.husk") == []


STORY = "<title>Story {0}</title><body><div class=a><h1>Story {0}</h1><p>{1}</p></div><div class=b><p>{2}</p></div>"
TOLD = "The {0} came in with the tide, and the {0} stayed until the {0} was known to every child of town number {1}."
HOUSE = "Our house stands at the {} harbour, and everyone who visits it is welcome to stay for tea and a talk."


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    folder = tmp_path / "stories"
    folder.mkdir()
    for number, name in enumerate(("gull", "boat", "rope", "mast", "sail", "crab", "wave", "oar", "net", "keel")):
        html = STORY.format(number, TOLD.format(name, number), HOUSE.format("old"))
        (folder / f"{number:02}.html").write_text(html, "utf-8")
    return folder


def test_a_watch_without_a_template_learns_from_the_pages_that_it_has_seen(
    run: Run, stories: Path, tmp_path: Path
) -> None:
    words = ("watch", stories, "--store", tmp_path / "stories.watch", "-q")
    assert run(*words)[:2] == (0, "")
    old = (stories / "03.html").read_text("utf-8")
    replace(stories / "03.html", "old harbour", "new harbour")
    assert run(*words)[:2] == (0, "")
    replace(stories / "03.html", "every child", "every child and every cat")
    replace(stories / "03.html", "new harbour", "old harbour")
    (row,) = map(json.loads, run(*words)[1].splitlines())
    assert [change["before"] for change in row["changes"]] == [TOLD.format("mast", 3)]

    for page in stories.iterdir():  # a page of which it has seen no others is judged by itself
        page.unlink()
    (stories / "03.html").write_text(old, "utf-8")
    words = (*words[:3], tmp_path / "one.watch", "-q")
    assert run(*words)[:2] == (0, "")
    replace(stories / "03.html", "old harbour", "new harbour")
    assert len(run(*words)[1].splitlines()) == 1


def test_pages_of_other_sites_are_not_learned_from(run: Run, stories: Path, tmp_path: Path) -> None:
    def row(number: int, html: str) -> str:
        return json.dumps({"url": f"https://{'a' if number == 3 else 'b'}.example/{number}", "html": html}) + "\n"

    pages = [path.read_text("utf-8") for path in sorted(stories.iterdir())]
    source = tmp_path / "rows.jsonl"
    words = ("watch", source, "--store", tmp_path / "rows.watch", "-q")
    for harbour in ("old harbour", "new harbour"):
        changed = [page.replace("old harbour", harbour) if at in (3, 4) else page for at, page in enumerate(pages)]
        source.write_text("".join(row(at, page) for at, page in enumerate(changed)), "utf-8")
        code, out, _ = run(*words)
        assert code == 0
    assert [json.loads(line)["name"] for line in out.splitlines()] == ["https://a.example/3"]


def test_lines_are_written_to_a_file(run: Run, shop: Path, tmp_path: Path) -> None:
    words = ("watch", shop, "--store", tmp_path / "shop.watch", "-o", tmp_path / "out.jsonl", "-q")
    assert run(*words) == (0, "", "")
    assert (tmp_path / "out.jsonl").read_text() == ""
    replace(shop / "pier-lantern.html", "1 week", "3 weeks")
    assert run(*words) == (0, "", "")
    assert json.loads((tmp_path / "out.jsonl").read_text("utf-8"))["name"] == "pier-lantern.html"


def test_changes_that_could_not_be_written_are_reported_by_the_next_visit(
    visit: Callable[..., list[dict[str, Any]]], run: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit()
    replace(shop / "pier-lantern.html", "1 week", "3 weeks")

    class Full(StringIO):
        def write(self, _: str) -> int:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", Full())
        assert run("watch", shop, "--store", tmp_path / "shop.watch")[0] == 1
    assert [row["name"] for row in visit()] == ["pier-lantern.html"]


def test_rows_of_a_table_are_identified_by_url(run: Run, tmp_path: Path) -> None:
    rows, store = tmp_path / "rows.jsonl", tmp_path / "rows.watch"
    for word in ("boats", "ships"):
        row = {"url": "http://a.example/", "html": f"<p>The harbour is full of {word} – and of gulls.</p>"}
        rows.write_text(json.dumps(row) + "\n")
        code, out, _ = run("watch", rows, "--store", store)
        assert code == 0
    assert json.loads(out)["url"] == "http://a.example/"
    assert json.loads(out)["changes"][0]["before"] == "The harbour is full of boats – and of gulls."


def test_rows_whose_urls_are_not_unicode_are_told_apart(run: Run, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    for word in ("boats", "ships"):
        html = f"<p>The harbour is full of {word} and of gulls."
        pages = [{"url": f"http://a.example/{half}", "html": html} for half in ("\ud800", "\ud801")]
        rows.write_text("\n".join(map(json.dumps, pages)))
        code, out, _ = run("watch", rows, "--store", tmp_path / "rows.watch")
        assert code == 0
    assert [json.loads(line)["url"][-1] for line in out.splitlines()] == ["\ud800", "\ud801"]


def test_a_page_on_the_web_is_fetched_on_each_visit_and_stored_only_on_success(run: Run, tmp_path: Path) -> None:
    with serving() as server:
        words = ("watch", server.url("/a"), "--store", tmp_path / "a.watch", "--allow-private", "--delay", "0")
        assert run(*words)[0] == 1
        assert not (tmp_path / "a.watch").exists()
        told = []
        for word in ("boats", "ships"):
            server.routes["/a"] = answer(f"<p>The harbour is full of {word} and of gulls.</p>")
            told.append(run(*words)[1])
    assert told[0] == ""
    assert json.loads(told[1])["url"] == server.url("/a")


def test_a_page_that_cannot_be_read_is_named(run: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "bad.html").write_bytes(b"%PDF-1.7")
    err = run("watch", shop, "--store", tmp_path / "shop.watch")[2]
    assert err.splitlines() == [
        "skipped bad.html: a PDF, not HTML",
        "14 pages read, 14 new, 0 with changed content: standard output",
    ]


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["SHOP", "--store", "OTHER"], 2, "not made by dehusk watch; choose another file for --store"),
        (["SHOP", "--store", "TEXT"], 2, "not made by dehusk watch; choose another file for --store"),
        (["SHOP", "--store", "SHOP"], 2, "both source and output"),
        (["SHOP", "--store", "new", "-o", "new"], 2, "new is given for two different things"),
        (["SHOP", "--store", "new", "--keep-fetched", "x"], 2, "unknown option --keep-fetched"),
        (["SHOP", "--store", "new", "-o", "PAGE"], 2, "both source and output"),
        (["PAGE", "--store", "new", "-o", "PAGE"], 2, "both source and output"),
        (["EMPTY", "--store", "new"], 1, "no page could be read; nothing was stored"),
        (["nowhere", "--store", "new"], 1, "nowhere: no such file or folder"),
    ],
)
def test_an_invalid_watch_gives_one_line_and_nothing_is_stored(
    run: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], code: int, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("learn", shop, "--store", "other.store", "-q")[0] == 0
    (tmp_path / "text").write_text("a text that is no database, long enough to be read as the head of one " * 3)
    (tmp_path / "empty.html").write_text("")
    places = {"SHOP": shop, "OTHER": "other.store", "TEXT": "text", "EMPTY": "empty.html", "PAGE": next(shop.iterdir())}
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    result, out, err = run("watch", *(places.get(word, word) for word in words), "-q")
    assert (result, out, err.count("\n")) == (code, "", 1)
    assert why in err
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_a_page_that_takes_too_long_is_named_and_compared_again_on_the_next_visit(run: Run, tmp_path: Path) -> None:
    page, store = tmp_path / "page.html", tmp_path / "page.watch"
    page.write_text("".join(f"<p>Tide {number}</p>" for number in range(20_000)))
    assert run("watch", page, "--store", store)[0] == 0
    page.write_text("".join(f"<p>Boat {number}</p>" for number in range(20_000)))
    assert "took more than 0.01 s" in run("watch", page, "--store", store, "--page-seconds", "0.01")[2]
    code, out, _ = run("watch", page, "--store", store)
    assert code == 0
    assert json.loads(out)["changes"]


def test_the_report_is_a_page_of_what_changed_since_the_last_visit(
    visit: Callable[..., list[dict[str, Any]]], run: Run, shop: Path, tmp_path: Path
) -> None:
    report = tmp_path / "changes.html"
    assert visit("--report", report) == []
    assert "No page of 14 changed" in report.read_text("utf-8")
    replace(shop / "pier-lantern.html", "1 week", "3 weeks")
    err = run("watch", shop, "--store", tmp_path / "shop.watch", "--report", report)[2]
    assert err == f"14 pages read, 0 new, 1 with changed content: standard output and {report}\n"
    html = report.read_text("utf-8")
    assert "One page of 14 changed" in html
    assert '<td><del data-dehusk="removed">1 week</del></td>' in html.replace("</del> <", "</del><")
    assert "<time datetime=" in html


def test_a_report_with_another_suffix_is_refused(run: Run, shop: Path, tmp_path: Path) -> None:
    code, _, err = run("watch", shop, "--store", tmp_path / "shop.watch", "--report", tmp_path / "changes.pdf")
    assert code == 2
    assert "changes.pdf: the name must end with .html or .htm" in err
    assert not (tmp_path / "shop.watch").exists()


def test_people_at_a_terminal_get_text(run: Run, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("watch", shop, "--store", tmp_path / "shop.watch")
    run(*words)
    replace(shop / "pier-lantern.html", "1 week", "3 weeks")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    code, out, err = run(*words)
    assert code == 0
    assert out.startswith("pier-lantern.html\n  One table cell changed\n")
    assert "  [-1 week-] {+3 weeks+}\n" in out
    assert err == "14 pages read, 0 new, 1 with changed content\n"
