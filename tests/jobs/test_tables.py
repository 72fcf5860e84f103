"""Tables of a source: `dehusk.table` and the job behind `dehusk table`."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import dehusk
import demo_site
from dehusk.base.errors import SourceError, UsageError
from dehusk.jobs.editing import InFile
from dehusk.jobs.job import Job
from dehusk.jobs.site_templates import edits_at
from dehusk.jobs.tables import Table, TableJob, TableResult, found_columns, types_of

SHOP = {name: html for name, html in demo_site.pages().items() if name.startswith("shop/")}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, html in demo_site.pages().items():
        file = tmp_path / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html)
    return tmp_path / "site"


def run(site: Path, output: Path, **options: object) -> TableResult:
    return TableJob(Job(site, jobs=1, **options), output).run(progress=lambda _: None, skipped=lambda _: None)  # type: ignore[arg-type]


def test_a_table_has_a_row_for_each_page() -> None:
    table = dehusk.table(SHOP.values())
    assert len(table) == len(SHOP)
    assert list(table.rows[0])[:5] == ["page", "url", "title", "price", "price_value"]
    assert {"maker", "material", "weight"} <= {column.name for column in table.columns}


def test_a_template_with_columns_makes_a_record_of_a_new_page() -> None:
    *pages, new = SHOP.values()
    template = dehusk.learn(pages, columns=True)
    record = template.record(new)
    assert record["title"] in new
    assert record["price"] in new
    assert template.record("<p>Another page</p>") == {}


def test_a_template_without_columns_has_no_records() -> None:
    template = dehusk.learn(SHOP.values())
    assert template.record(next(iter(SHOP.values()))) == {}
    assert "tables" not in json.dumps(template.to_json())


def test_columns_are_part_of_the_template_file(tmp_path: Path) -> None:
    template = dehusk.learn(SHOP.values(), columns=True)
    template.save(tmp_path / "shop.husk")
    again = dehusk.load(tmp_path / "shop.husk")
    assert again == template
    page = next(iter(SHOP.values()))
    assert again.record(page) == template.record(page)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet"])
def test_every_format_has_the_same_rows(suffix: str, tmp_path: Path) -> None:
    table = dehusk.table(SHOP.values())
    file = tmp_path / f"lamps.{suffix}"
    getattr(table, f"to_{suffix}")(file)
    if suffix == "csv":
        rows = list(csv.DictReader(file.open(newline="")))
    elif suffix == "parquet":
        rows = pytest.importorskip("pyarrow.parquet").read_table(file).to_pylist()
    else:
        text = file.read_text()
        rows = json.loads(text) if suffix == "json" else list(map(json.loads, text.splitlines()))
    assert [row["title"] for row in rows] == [row["title"] for row in table.rows]
    assert [float(row["price_value"]) for row in rows] == [row["price_value"] for row in table.rows]


def test_a_job_writes_the_largest_table_to_a_file(site: Path, tmp_path: Path) -> None:
    done = run(site, tmp_path / "lamps.csv")
    rows = list(csv.DictReader((tmp_path / "lamps.csv").open(newline="")))
    assert {row["page"] for row in rows} in (set(SHOP), set(demo_site.pages()) - set(SHOP))
    assert done.left_out
    assert done.unfit
    assert [path.name for path in tmp_path.iterdir()] in (["lamps.csv", "site"], ["site", "lamps.csv"])


def test_a_job_writes_each_table_to_a_folder(site: Path, tmp_path: Path) -> None:
    done = run(site, tmp_path / "tables")
    assert len(done.files) == len(done.tables) == 2
    assert all(file.is_file() for file in done.files)


@pytest.mark.parametrize("name", ["all.parquet", "all.PARQUET"])
def test_one_parquet_file_has_all_tables(name: str, site: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    run(site, tmp_path / name)
    table = parquet.read_table(tmp_path / name)
    assert table.column_names[:4] == ["page", "url", "site", "family"]
    assert len(set(table["family"].to_pylist())) == 2


def test_a_saved_template_makes_a_table_of_new_pages(site: Path, tmp_path: Path) -> None:
    dehusk.learn(SHOP.values(), columns=True).save(tmp_path / "shop.husk")
    done = run(site / "shop", tmp_path / "lamps.jsonl", template=tmp_path / "shop.husk")
    assert [table.rows for table in done.tables.values()] == [len(SHOP)]


def test_columns_are_listed_with_values(site: Path) -> None:
    found = found_columns(Job(site / "shop", jobs=1), progress=lambda _: None, skipped=lambda _: None)
    (columns,) = found.values()
    price = next(one for one in columns if one.column.name == "price")
    assert price.rows == len(SHOP)
    assert len(price.values) == 3


def test_pages_without_differences_are_one_clear_error(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.html").write_text("<p>The same words on every page of this site.</p>")
    with pytest.raises(SourceError, match="share places"):
        run(tmp_path, tmp_path / "out.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "b.html"]


def test_an_unknown_format_is_refused_before_reading(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no format of tables"):
        run(tmp_path, tmp_path / "out.xlsx")


def test_edits_of_columns_outlive_learning_again(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "shop.husk"
    Job(site / "shop", columns=True, jobs=1).learn().save(file)
    edit = InFile(file).edit(dehusk.Edit.of_column("maker", name="brand"))
    before = edits_at(file)
    Job(site / "shop", columns=True, jobs=1).learn(edits=before).save(file, before=before)
    page = next(iter(SHOP.values()))
    assert "brand" in dehusk.load(file).record(page)
    InFile(file).undo(edit.id)
    assert "maker" in dehusk.load(file).record(page)


def test_an_edit_of_a_column_changes_no_cleaned_page() -> None:
    template = dehusk.learn(SHOP.values(), columns=True)
    edited = template.edited(dehusk.Edit.of_column("maker", keep=False))
    page = next(iter(SHOP.values()))
    assert edited.clean(page).text == template.clean(page).text
    assert edited.edits_on(page) == []
    assert edited.to_json()["dehusk"] == 3


def test_items_of_pages_are_rows(tmp_path: Path) -> None:
    words = "The harbour was quiet this morning, and the boats stayed in."
    for name in "ab":
        posts = "".join(
            f"<li class=post><b class=who>{name}{n}</b><p class=said>{words} {n}</p></li>" for n in range(4)
        )
        (tmp_path / f"{name}.html").write_text(f"<title>Thread {name}</title><h1>Thread {name}</h1><ul>{posts}</ul>")
    output = tmp_path / "posts.jsonl"
    done = TableJob(Job(tmp_path, jobs=1), output, items=True).run(progress=lambda _: None, skipped=lambda _: None)
    rows = list(map(json.loads, output.read_text().splitlines()))
    assert [table.rows for table in done.tables.values()] == [8]
    assert [row["who"] for row in rows[:4]] == ["a0", "a1", "a2", "a3"]
    assert rows[5]["text"] == f"{words} 1"


def test_no_source_template_or_store_is_overwritten(site: Path, tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"url": f"https://a.example/{name}", "html": html}) + "\n" for name, html in SHOP.items()
    )
    for name in ("pages.jsonl", "1.jsonl"):
        (tmp_path / name).write_text(lines)
    template = tmp_path / "t.csv"
    dehusk.learn(SHOP.values(), columns=True).save(template)
    before = template.read_bytes()
    with pytest.raises(UsageError, match="both source and output"):
        run(tmp_path / "pages.jsonl", tmp_path / "pages.jsonl")
    with pytest.raises(UsageError, match="both source and output"):
        TableJob(Job(tmp_path / "1.jsonl"), tmp_path, ".jsonl").run(progress=lambda _: None, skipped=lambda _: None)
    with pytest.raises(UsageError, match="both source and output"):
        run(site, site)
    with pytest.raises(UsageError, match="two different things"):
        run(site / "shop", template, template=template)
    with pytest.raises(UsageError, match="two different things"):
        run(site / "shop", tmp_path / "s.json", store=tmp_path / "s.json")
    assert (tmp_path / "pages.jsonl").read_text() == (tmp_path / "1.jsonl").read_text() == lines
    assert template.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.jsonl", "pages.jsonl", "site", "t.csv"]


def test_files_of_the_user_beside_the_table_stay(site: Path, tmp_path: Path) -> None:
    for name in ("lamps.csv.records", "lamps.csv.items"):
        (tmp_path / name).write_text("mine")
    run(site / "shop", tmp_path / "lamps.csv")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["lamps.csv", "lamps.csv.items", "lamps.csv.records", "site"]
    assert (tmp_path / "lamps.csv.records").read_text() == "mine"


def test_the_working_folder_may_get_the_tables(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(site / "shop", Path())
    assert [file.name for file in done.files] == ["1.csv"]


def test_types_of_columns_that_disagree_are_the_wider_ones() -> None:
    rows: list[dict[str, Any]] = [
        {"a": "x", "b": 1.0, "c": [], "d": 2},
        {"a": ["y"], "b": "z", "c": [None, 3.0], "d": None, "e": None},
    ]
    assert types_of(rows) == {"a": [str], "b": str, "c": [float], "d": float, "e": str}
    assert types_of(reversed(rows)) == types_of(rows)


def test_parquet_keeps_values_of_columns_that_disagree(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows: list[dict[str, Any]] = [
        {"tags": "harbour", "size": 3.0, "name": "\ud800"},
        {"tags": ["boat", "tide"], "size": "large", "name": None},
        {"tags": 2.5, "size": 0.5},
    ]
    Table((), rows).to_parquet(tmp_path / "all.parquet")
    assert parquet.read_table(tmp_path / "all.parquet").to_pylist() == [
        {"tags": ["harbour"], "size": "3", "name": "\\ud800"},
        {"tags": ["boat", "tide"], "size": "large", "name": None},
        {"tags": ["2.5"], "size": "0.5", "name": None},
    ]


def test_one_parquet_file_of_sites_that_disagree(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    words = ["north", "south", "east", "west", "upper", "lower"]
    with (tmp_path / "pages.jsonl").open("w") as file:
        for site, many in (("a", 1), ("b", 2)):
            for number, word in enumerate(words):
                values = "".join(f"<dd>{word} {site}{one}</dd>" for one in range(many))
                html = f"<title>Pier {word}</title><h1>Pier {word}</h1><dl><dt>Colour</dt>{values}</dl><p>Home"
                file.write(json.dumps({"url": f"https://{site}.example/{number}", "html": html}) + "\n")
    run(tmp_path / "pages.jsonl", tmp_path / "all.parquet")
    rows = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    colours = {row["site"]: row["colour"] for row in rows[::6]}
    assert colours == {"a.example": ["north a0"], "b.example": ["north b0", "north b1"]}


def test_what_is_no_list_of_pages_is_refused_with_advice() -> None:
    with pytest.raises(UsageError, match="give a list of pages"):
        dehusk.table(dehusk.learn(SHOP.values()))  # type: ignore[arg-type]  # what is tested
    with pytest.raises(UsageError, match=r"give Path\(...\)"):
        dehusk.table("crawl/")


def test_a_link_in_place_of_the_records_is_not_followed(site: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / ".lamps.csv.dehusk-records").symlink_to(victim)
    run(site / "shop", tmp_path / "lamps.csv")
    assert victim.read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []
