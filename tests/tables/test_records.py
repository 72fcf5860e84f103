"""Records: which pages belong to one table."""

from dehusk.page import Page
from dehusk.tables.lines import Read
from dehusk.tables.records import Tables, grouped, learn


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
