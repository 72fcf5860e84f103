"""Records: which pages belong to one table."""

from dehusk.marking.edits import Edit
from dehusk.page import Page
from dehusk.tables.lines import Read
from dehusk.tables.records import Record, Tables, edited, grouped, learn


def read(body: str) -> Read:
    page = Page(f"<body>{body}</body>")
    return Read(page, bytes(len(page.tree)))


LAMPS = [read(f"<main class=lamp><h1>Lamp {n}</h1><dl><dt>Watt</dt><dd>{n * 7}</dd></dl></main>") for n in range(5)]
POSTS = [read(f"<article><h2>Post {n}</h2><p class=date>{n} May</p><p>Words {n}</p></article>") for n in range(4)]


def test_pages_with_the_same_places_are_one_group() -> None:
    assert [len(group) for group in grouped([*POSTS, *LAMPS])] == [5, 4]


def test_groups_do_not_depend_on_the_order_of_the_pages() -> None:
    pages = [*POSTS, *LAMPS]
    assert grouped(pages) == grouped(pages[::-1])


def test_each_group_is_a_table_with_a_name() -> None:
    tables = learn([*POSTS, *LAMPS])
    names = [record.name for page in (LAMPS[0], POSTS[0]) if (record := tables.record(page, "1"))]
    assert names == ["1", "1.2"]


def test_a_page_of_another_kind_is_no_record() -> None:
    assert learn(LAMPS).record(read("<div><span>About us</span></div>"), "1") is None


def test_a_single_page_is_no_table() -> None:
    assert not learn(LAMPS[:1])
    assert learn([*LAMPS, POSTS[0]]).tables[1:] == ()


def test_tables_are_the_same_after_they_were_saved() -> None:
    tables = learn([*POSTS, *LAMPS])
    assert Tables.from_json(tables.to_json()) == tables


def watts(*edits: Edit) -> Record:
    record = learn(LAMPS).record(LAMPS[1], "1")
    assert record is not None
    return edited(record, edits)


def test_a_renamed_column_takes_its_typed_values_along() -> None:
    assert watts(Edit.of_column("watt", name="power")).values.items() >= {"power": "7", "power_value": 7.0}.items()


def test_a_dropped_column_is_gone_until_it_is_kept() -> None:
    drop, keep = Edit.of_column("watt", keep=False), Edit.of_column("watt")
    assert not any(name.startswith("watt") for name in watts(drop).values)
    assert watts(drop, keep).values == watts().values


def test_a_column_can_be_edited_by_its_new_name() -> None:
    assert "light" in watts(Edit.of_column("watt", name="power"), Edit.of_column("power", name="light")).values


def test_a_column_cannot_get_the_name_of_another() -> None:
    assert watts(Edit.of_column("watt", name="page")).values == watts().values
