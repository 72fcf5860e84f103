"""The fields of a cleaned page."""

import json
import re
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

import pytest

import dehusk
from dehusk import Page, UsageError
from dehusk.metadata import Metadata
from dehusk.templates.cleaned import BRIEF, CONTENT, FIELDS, MEASURES, fields_with

DOCUMENTED = Path(__file__).parents[2] / "docs" / "rows.md"
HTML = """<html lang=en><title>Tides</title><meta name=author content="Ada"><meta name=date content="2024-05-06">
<body><nav>Home</nav><h1>Tides</h1><p>The water rises and falls twice a day, all the year round.</p>"""


@pytest.fixture(scope="module")
def cleaned() -> dehusk.Cleaned:
    return dehusk.clean(Page(HTML, url="http://site.example/tides"))


def test_a_page_has_the_required_and_the_requested_fields(cleaned: dehusk.Cleaned) -> None:
    always = [field.name for field in FIELDS if not field.on_demand]
    assert list(cleaned.to_dict(())) == always
    assert [name for name in cleaned.to_dict() if name not in always] == ["text"]
    assert set(cleaned.to_dict([*CONTENT, *MEASURES, "parts"])) == {field.name for field in FIELDS}
    assert cleaned.to_dict(site="site.example")["site"] == "site.example"
    assert cleaned.to_dict(["fit"])["fit"] == round(cleaned.fit, 4)
    with pytest.raises(UsageError, match=r"no field 'txt' to ask for; .* did you mean text\?"):
        cleaned.to_dict(["txt"])


def test_values_have_the_types_that_are_declared_and_are_json(cleaned: dehusk.Cleaned) -> None:
    told = cleaned.to_dict([field.name for field in FIELDS if field.on_demand])
    for field in FIELDS:
        assert isinstance(told[field.name], _types(field.type)), field.name
    assert json.loads(json.dumps(told)) == told


def test_every_field_of_the_metadata_is_in_a_row(cleaned: dehusk.Cleaned) -> None:
    told = cleaned.to_dict()
    assert set(Metadata.__dataclass_fields__) <= set(told)
    assert (told["title"], told["authors"], told["author"]) == ("Tides", ["Ada"], "Ada")
    assert set(BRIEF) <= set(told)


def test_the_documentation_has_every_field_as_it_is_declared() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|", DOCUMENTED.read_text("utf-8"), re.MULTILINE)
    assert rows == [(field.name, _said(field.type), field.meaning) for field in FIELDS]


def test_optional_fields_are_documented_as_optional() -> None:
    for field in FIELDS:
        (line,) = re.findall(rf"^\| `{field.name}` .*", DOCUMENTED.read_text("utf-8"), re.MULTILINE)
        assert line.endswith("| |") != field.on_demand


def test_fields_keep_their_order_for_any_order_of_requests() -> None:
    assert fields_with(["parts", "text"]) == fields_with(["text", "parts"])


def _types(declared: Any) -> tuple[type, ...]:
    """The JSON types of a value of a declared type."""
    if origin := get_origin(declared):
        return {list: (list,), tuple: (list,)}.get(origin) or (
            (dict,) if len(get_args(declared)) == 2 and NoneType not in get_args(declared) else get_args(declared)
        )
    return (declared,)


def _said(declared: Any) -> str:
    """The name of a type in the documentation."""
    inner = [_said(one) for one in get_args(declared) if one not in (NoneType, ...)]
    if get_origin(declared) in (list, tuple):
        return f"list of {inner[0]}s"
    if len(inner) == 2:
        return "texts by name"
    if inner:
        return f"{inner[0]} or null"
    return {str: "text", float: "number", int: "whole number", bool: "yes or no"}.get(declared) or str(
        declared.__name__
    ).lower()


PAGE = """<title>{title}</title><body><header><h1>{heading}</h1></header>{more}
<p>The water rises and falls twice a day, all the year round, and so do the boats.</p>"""


@pytest.mark.parametrize(
    ("heading", "more", "begins"),
    [
        ("Low Tide", "", "# Low Tide\n\nThe water"),
        ("Low Tide", "<h2>Why</h2>", "# Low Tide\n\n## Why\n\nThe water"),
        ("", "", "# Low Tide\n\nThe water"),
        ("", "<h2>Why</h2>", "# Low Tide\n\n## Why\n\nThe water"),
        ("", "<p>Low Tide</p>", "# Low Tide\n\nThe water"),
        ("Low Tide", "<h2>Low Tide</h2>", "# Low Tide\n\nThe water"),
        ("<span hidden>Low Tide</span>", "", "# Low Tide\n\nThe water"),
    ],
)
def test_markdown_has_the_title_once_as_its_first_heading(heading: str, more: str, begins: str) -> None:
    html = PAGE.format(title="Low Tide", heading=heading, more=more)
    markdown = dehusk.clean(html).markdown
    assert markdown.startswith(begins)
    assert "tide" not in dehusk.clean(html, drop=["title", "heading", "body"]).markdown.lower()


def test_markdown_has_the_title_of_a_page_without_content_and_none_if_it_has_none() -> None:
    assert dehusk.clean("<title>Low Tide</title>").markdown == "# Low Tide\n"
    assert dehusk.clean("<title>Low Tide</title><body><hr>").markdown == "# Low Tide\n"
    assert dehusk.clean("<p>The water rises and falls twice a day.").markdown.startswith("The water")


def test_the_kind_has_one_type_and_is_unknown_for_an_empty_page(cleaned: dehusk.Cleaned) -> None:
    assert isinstance(cleaned.kind, str)
    assert isinstance(cleaned.kind_confidence, float)
    assert cleaned.to_dict()["kind"] == cleaned.metadata.kind == cleaned.kind
    empty = dehusk.learn([HTML, HTML.replace("Tides", "Boats")]).clean("<body><hr>")
    assert (empty.kind, empty.kind_confidence, empty.metadata.kind, empty.to_dict()["kind"]) == (None,) * 4


def test_parts_to_keep_are_kept_even_if_they_are_hidden() -> None:
    html = HTML + "<footer style='display:none'><p>Copyright 2024 Harbour, all rights reserved</p><p>Menu</p></footer>"
    assert "Copyright" not in dehusk.clean(html).text
    kept = dehusk.clean(html, keep=["legal"])
    assert "Copyright 2024 Harbour" in kept.text
    assert all(part.kept for part in kept.parts if part.role == "legal")


def test_a_notebook_shows_the_text_and_folds_what_was_removed() -> None:
    pages = [
        f"<title>{k}</title><nav><a href=/>Home &amp; more</a></nav><main><h2>Log</h2>"
        f"<p>Day {k} &lt;b&gt; {'sea ' * 20 * k}</p></main>"
        for k in range(1, 5)
    ]
    shown = dehusk.learn(pages).clean(pages[1])._repr_html_()
    before, folded = shown.split("<details>")
    assert "Day 2 &lt;b&gt;" in before
    assert "Home" not in before
    assert "Home &amp; more" in folded


def test_warnings_of_a_row_are_plain_texts() -> None:
    assert {type(warning) for warning in dehusk.clean("<p>Hello sea").to_dict()["warnings"]} == {str}
