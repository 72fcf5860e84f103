"""dehusk table on the command line."""

import json
from pathlib import Path

import pytest

import demo_site
from dehusk.cli import main


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, html in demo_site.pages().items():
        if name.startswith("shop/"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(html)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_is_written_and_told_in_one_line(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "shop", "-o", "lamps.jsonl", "-j", "1"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("14 pages, 1 table of 12 columns: title, price, maker, material, rating, ...")
    assert len((shop / "lamps.jsonl").read_text().splitlines()) == 14


@pytest.mark.usefixtures("shop")
def test_columns_are_printed_with_their_places_and_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "shop", "--columns", "-j", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[:3] == ["price", "price", "14"]
    assert 'dl.facts > div > dd  after "Maker"' in lines[5]


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ([], "give a file or a folder"),
        (["-o", "-"], "standard output"),
        (["-o", "a.csv", "--page-columns"], "needs --rows items"),
        (["--columns", "--rows", "items"], "leave --rows items out"),
        (["-o", "a.xlsx"], "no format of tables"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "shop", *arguments]) == 2
    assert wrong in capsys.readouterr().err


def test_columns_are_edited_and_exported(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "shop", "--columns", "-o", "shop.husk", "-j", "1"]) == 0
    assert main(["edit", "shop.husk", "--rename-column", "maker=brand", "--why", "as we call it"]) == 0
    assert main(["edit", "shop.husk", "--drop-column", "rating"]) == 0
    assert main(["edit", "shop.husk", "--drop-column", "ratin"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert main(["edit", "shop.husk"]) == 0
    assert "column maker is brand" in capsys.readouterr().out
    assert main(["edit", "shop.husk", "--export", "columns", "--from", "shop"]) == 0
    exported = json.loads(capsys.readouterr().out)
    assert exported["price"]["css"] == "p.price"
    assert "brand" in exported
    assert "rating" not in exported
    assert (shop / "shop.husk").is_file()


@pytest.mark.usefixtures("shop")
def test_a_column_cannot_get_a_name_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "shop", "--columns", "-o", "shop.husk", "-j", "1"]) == 0
    before = Path("shop.husk").read_bytes()
    for name in ("title", "page", "price_value"):
        assert main(["edit", "shop.husk", "--rename-column", f"maker={name}"]) == 2
        assert f"{name} is the name of another column" in capsys.readouterr().err
    assert Path("shop.husk").read_bytes() == before
    assert main(["edit", "shop.husk", "--rename-column", "maker=brand"]) == 0
    assert main(["edit", "shop.husk", "--rename-column", "price=brand"]) == 2
    assert main(["edit", "shop.husk", "--rename-column", "price=maker"]) == 0


@pytest.mark.usefixtures("shop")
def test_a_name_with_a_slash_at_its_end_is_a_folder() -> None:
    assert main(["table", "shop", "-o", "tabs.v2/", "-j", "1"]) == 0
    assert [file.name for file in Path("tabs.v2").iterdir()] == ["1.csv"]


@pytest.mark.usefixtures("shop")
def test_a_store_without_columns_is_refused_with_advice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "shop", "--store", "a.store", "-j", "1"]) == 0
    for wanted in (["-o", "lamps.csv"], ["--columns"]):
        assert main(["table", "shop", "--store", "a.store", *wanted, "-j", "1"]) == 2
        assert "a.store: has no columns; make one with dehusk learn --columns" in capsys.readouterr().err
    assert main(["learn", "shop", "--columns", "--store", "b.store", "-j", "1"]) == 0
    assert main(["table", "shop", "--store", "b.store", "-o", "lamps.csv", "-j", "1"]) == 0
