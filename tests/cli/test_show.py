"""dehusk show: where the report is written, and how it is opened."""

import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

import archives
from reports import data_of

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with three pages."""
    folder = tmp_path / "harbour" / "pages"
    folder.mkdir(parents=True)
    for number in range(3):
        text = f"<ul><li>Quay<li>Pier</ul><main><p>{f'What page {number} says. ' * 20}</main>"
        (folder / f"{number}.html").write_text(f"<title>Page {number}</title>{text}")
    return folder


def test_without_an_output_the_report_is_beside_the_source(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.parent.parent)
    code, _, err = run("show", site)
    assert code == 0
    assert f"open {Path('harbour') / 'report.html'} in a browser" in err
    report = site.parent / "report.html"
    assert "<title>dehusk</title>" in report.read_text("utf-8")
    assert run("show", site, "-q")[0] == 0  # a report of ours is replaced


def test_another_file_of_that_name_is_not_replaced(run: Run, site: Path) -> None:
    (site.parent / "report.html").write_text("my own report")
    code, _, err = run("show", site)
    assert code != 0
    assert "is not a report of dehusk, and is not replaced; name the report with -o" in err
    assert (site.parent / "report.html").read_text() == "my own report"


def test_the_report_is_opened_in_the_browser(run: Run, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def browse(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    _, _, err = run("show", site, "--open", "-o", site.parent / "mine.html")
    assert opened == [(site.parent / "mine.html").as_uri()]
    assert "opened" in err


def test_a_folder_called_pages_is_named_after_the_one_around_it(run: Run, site: Path) -> None:
    run("show", site, "-q")
    assert '"name":"harbour"' in (site.parent / "report.html").read_text("utf-8")


def test_style_sheets_of_an_archive_are_used(run: Run, tmp_path: Path) -> None:
    text = "<link rel=stylesheet href=/look/{}.css><ul><li>Quay<li>Pier</ul><main><p>{}</main>"
    bodies = [text.format("teal" if k else "gone", f"What page {k} says. " * 20) for k in range(3)]
    records = [archives.record(f"{k}.html", archives.http(body.encode())) for k, body in enumerate(bodies)]
    css = archives.http(b"main{color:teal}", {"Content-Type": "text/css"})
    (tmp_path / "crawl.warc").write_bytes(b"".join([*records, archives.record("look/teal.css", css)]))
    assert run("show", tmp_path / "crawl.warc", "-q")[0] == 0
    views = data_of((tmp_path / "report.html").read_text("utf-8"))["views"][0]
    assert ["color:teal" in view["tinted"] for view in views] == [False, True, True]
    assert ["data-husk-plain" in view["tinted"] for view in views] == [True, False, False]
