"""Front matter: every YAML reader gets the values back."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.render import front_matter
from dehusk.render.writing import Writing

HTML = """<html lang=en><head><title>Tides: a "guide" # 1</title><meta name=author content="Ada &amp; Bo">
<meta property=article:published_time content=2024-03-05></head><body><main><h1>Tides: a "guide" # 1</h1>
<p>The water rises and falls twice a day, all the year, as the moon goes around.</p></main></body></html>"""


def read(text: str) -> dict[str, object]:
    start, values, rest = text.split("---\n", 2)
    assert start == ""
    assert rest.startswith("\n")
    loaded: dict[str, object] = yaml.safe_load(values) or {}
    return loaded


def test_markdown_begins_with_the_metadata_of_the_page() -> None:
    page = dehusk.Page(HTML, url="https://sea.example/tides")
    cleaned = dehusk.clean(page, writing=Writing(front_matter=True))
    assert read(cleaned.markdown) == {
        "title": 'Tides: a "guide" # 1',
        "author": "Ada & Bo",
        "date": "2024-03-05",
        "url": "https://sea.example/tides",
        "site": "sea.example",
        "kind": cleaned.kind,
        "quality": cleaned.quality,
    }
    assert cleaned.markdown.endswith(dehusk.clean(page).markdown)


@pytest.mark.parametrize(
    "value", ["yes", "null", "1e3", "- a", "{a: b}", "a: b", "'", '"', "\\", "---", "!!int 3", "~"]
)
def test_a_text_stays_a_text(value: str) -> None:
    assert read(front_matter({"title": value, "kind": None})) == {"title": value}


@given(st.text(st.characters()))
def test_any_text_comes_back_on_one_line(value: str) -> None:
    written = front_matter({"title": value, "quality": 0.5})
    back = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in " ".join(value.split()))
    assert read(written) == {"title": back, "quality": 0.5}
    assert len(written.splitlines()) == 5


def test_a_page_without_metadata_has_an_empty_block() -> None:
    assert front_matter({"title": None}) == "---\n---\n\n"
