"""Style sheets in the folder of the pages."""

from pathlib import Path

import pytest

import dehusk
from dehusk.server.viewer import page_views as sheets
from dehusk.server.viewer.page_views import Beside, archived


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("site/css/a.css", "site/css/a b.css", "site/css/a.css?v=2", "secret.css", "site/page.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path / "site"


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("../css/a.css", "site/css/a.css"),
        ("/css/a.css#x", "site/css/a.css"),
        ("../css/a%20b.css", "site/css/a b.css"),
        ("../css/a.css?v=3", "site/css/a.css"),
        ("/css/gone.css", None),
        ("../../secret.css", None),
        ("/../secret.css", None),
        ("../page.html", None),
        ("//a.test/css/a.css", None),
        ("https://a.test/css/a.css", None),
        ("http://[", None),
        ("../css/\0.css", None),
        ("", None),
    ],
)
def test_sheets_in_the_folder_are_found_and_no_other_file(folder: Path, address: str, found: str | None) -> None:
    assert Beside(folder).of("news/today.html")(address) == found


def test_a_file_name_with_a_query_is_tried_after_the_plain_name(folder: Path) -> None:
    (folder / "css" / "a.css").unlink()
    assert Beside(folder).of("page.html")("css/a.css?v=2") == "site/css/a.css?v=2"


def test_links_out_of_the_folder_are_not_followed(folder: Path) -> None:
    (folder / "link.css").symlink_to(folder.parent / "secret.css")
    assert Beside(folder).of("page.html")("link.css") is None


def test_a_large_sheet_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "LARGEST_FILE", 3)
    assert Beside(folder).of("page.html")("css/a.css") is None


def test_style_sheets_of_an_archive_are_found_by_their_url() -> None:
    found = archived({"https://a.test/css/b.css": "p{}"}.get, "https://a.test/news/today.html")
    assert found("../css/b.css#x") == found(" /css/b.css") == found("https://a.test/css/b.css") == "p{}"
    assert found("b.css") is None
    assert found("http://[") is None


def test_pictures_are_shown_on_the_page_and_in_its_content(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "tide.PNG").write_bytes(b"PNG")
    text = "<p>The tide comes in at four, and leaves again at ten.</p>" * 9
    page = dehusk.Page(f"<body><main><h1>Tides</h1>{text}<img src=../tide.PNG alt=Tide><img src=/gone.png></main>")
    cleaned, files = dehusk.learn(page).clean(page), Beside(folder).of("news/today.html")
    picture = "data:image/png;base64,UE5H"
    view = sheets.page_view(cleaned, files)
    assert [view[part].count(picture) for part in ("tinted", "html")] == [1, 1]
    assert picture not in sheets.page_view(cleaned)["tinted"]
    monkeypatch.setattr(sheets, "MOST_PICTURES", 20)
    assert picture not in str(sheets.page_view(cleaned, files))
