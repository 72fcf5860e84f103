"""Columns: their names, types, values and order."""

from dehusk.page import Page
from dehusk.tables import columns
from dehusk.tables._types import Type
from dehusk.tables.columns import Columns
from dehusk.tables.lines import Read

LAMPS = [
    ("Beacon", "Nine", "58.00"),
    ("Drift", "Ropewalk", "48.50"),
    ("Fog", "Hollin", "128.00"),
    ("Gull", "Nine", "9.00"),
]


def read(body: str, title: str = "") -> Read:
    page = Page(f"<title>{title}</title><body>{body}</body>")
    return Read(page, bytes(len(page.tree)))


def learned(*bodies: str) -> Columns:
    found = columns.learn([read(body) for body in bodies])
    assert found is not None
    return found


def row(body: str, *others: str) -> dict[str, object]:
    """The row of a page, by columns that are learned from it and others."""
    return learned(body, *others).record(read(body))


def lamps(form: str) -> list[str]:
    return [form.format(name=name, maker=maker, price=price) for name, maker, price in LAMPS]


def test_cells_beside_a_label_are_a_column_with_its_name() -> None:
    rows = "<table><tr><th>Made by<td>{maker}<tr><th>Price<td>${price}</table>"
    assert row(*lamps(rows)) == {"made_by": "Nine", "price": "$58.00", "price_value": 58.0}


def test_a_definition_list_names_its_values() -> None:
    assert row(*lamps("<dl><dt>Maker</dt><dd>{maker}</dd><dt>Lamp</dt><dd>{name}</dd></dl>")) == {
        "maker": "Nine",
        "lamp": "Beacon",
    }


def test_a_label_in_the_same_text_is_not_part_of_the_value() -> None:
    assert row(*lamps("<p>Maker: {maker}</p><p>Lamp: {name}</p>")) == {"maker": "Nine", "lamp": "Beacon"}


def test_a_bold_word_before_a_value_names_it() -> None:
    assert row(*lamps("<p><b>Maker</b> {maker}</p>")) == {"maker": "Nine"}


def test_a_heading_names_the_list_below_it() -> None:
    lists = [["salt", "oil"], ["flour", "eggs", "milk"], ["rice"]]
    bodies = ["<h2>Ingredients</h2><ul>" + "".join(f"<li>{one}</li>" for one in some) + "</ul>" for some in lists]
    assert row(*bodies) == {"ingredients": ["salt", "oil"]}


def test_without_a_label_the_class_names_a_column() -> None:
    assert row(*lamps('<div class="lamp-maker">{maker}</div><i>{name}</i>')) == {"lamp_maker": "Nine", "text": "Beacon"}


def test_the_title_is_named_and_comes_first() -> None:
    pages = [read(f"<p>{maker}</p><h1>{name}</h1>", f"{name} | Shop") for name, maker, _ in LAMPS]
    found = columns.learn(pages)
    assert found is not None
    assert next(iter(found.record(pages[0]).items())) == ("title", "Beacon")


def test_the_same_text_on_all_pages_is_no_column() -> None:
    assert row(*lamps("<p>Add to cart</p><p class=maker>{maker}</p>" + "<p>and so on</p>" * 9)) == {"maker": "Nine"}


def test_a_label_that_some_pages_lack_is_empty_there() -> None:
    bodies = lamps("<dl><dt>Maker</dt><dd>{maker}</dd><dt>Lamp</dt><dd>{name}</dd></dl>")
    bodies[1] = "<dl><dt>Lamp</dt><dd>Drift</dd></dl>"
    assert learned(*bodies).record(read(bodies[1])) == {"maker": None, "lamp": "Drift"}


def test_links_have_their_address_beside_them() -> None:
    bodies = lamps('<dl><dt>Maker</dt><dd><a href="https://shop.example/{maker}">{maker}</a></dd></dl>')
    assert row(*bodies) == {"maker": "Nine", "maker_url": "https://shop.example/Nine"}


def test_long_texts_come_last() -> None:
    found = learned(*lamps("<p class=story>" + "{name} shines far. " * 20 + "</p><p class=maker>{maker}</p>"))
    assert [column.name for column in found.columns] == ["maker", "story"]


def test_columns_have_a_type_and_the_share_of_their_pages() -> None:
    (found,) = learned(*lamps("<p><b>Price:</b> {price} EUR</p>")).columns
    assert (found.type, found.share, found.label, found.many) == (Type.PRICE, 1.0, "Price", False)


def test_columns_are_the_same_after_they_were_saved() -> None:
    bodies = lamps("<h2>Facts</h2><p>Maker: {maker}</p><table><tr><td>Price<td>{price}</table>")
    found = learned(*bodies)
    again = Columns.from_json(found.to_json())
    assert again == found
    assert again.record(read(bodies[0])) == found.record(read(bodies[0]))


def test_pages_without_differences_have_no_columns() -> None:
    assert columns.learn([read("<p>same</p>"), read("<p>same</p>")]) is None


def test_a_text_with_two_labels_is_one_value() -> None:
    bodies = [f"<table><tr><th>Economy<td>City: {n} Highway: {n + 7}</table>" for n in (16, 17, 21)]
    assert row(*bodies) == {"economy": "City: 16 Highway: 23"}


def test_a_time_is_no_label() -> None:
    assert row(*(f"<p class=when>May 1, 10:{n} pm</p>" for n in (11, 22, 33))) == {"when": "May 1, 10:11 pm"}


def test_a_row_of_labels_names_the_cells_below_it() -> None:
    rows = [f"<table><tr><td>Year<td>Time<tr><td>{n + 1990}<td>{n} min.</table>" for n in (5, 8, 9)]
    assert row(*rows) == {"year": "1995", "year_value": 1995.0, "time": "5 min."}


def test_a_text_that_repeats_the_title_is_no_column() -> None:
    pages = [read(f"<h1>{name}</h1><p>Photos of {name}</p><p>Maker: {maker}</p>", name) for name, maker, _ in LAMPS]
    found = columns.learn(pages)
    assert found is not None
    assert [column.name for column in found.columns] == ["title", "maker"]
