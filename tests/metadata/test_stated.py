"""Machine-readable metadata, even if it is broken."""

import json

import pytest

from dehusk.metadata.stated import LONGEST_VALUE, MOST_JSON, Stated, plain, read_json
from dehusk.page import Page


def stated(html: str) -> Stated:
    return Stated(Page(html))


def ld(data: object) -> str:
    return f'<script type="application/ld+json">{data if isinstance(data, str) else json.dumps(data)}</script>'


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "a"}',
        '<!-- {"name": "a"} -->',
        '//<![CDATA[\n{"name": "a"}\n//]]>',
        '{"name": "a"};',
        '{"name": "a",}',
        '{"name": "a", "list": [1, 2, ],}',
    ],
)
def test_json_is_read_as_pages_have_it(text: str) -> None:
    found = read_json(text)
    assert isinstance(found, dict)
    assert found["name"] == "a"


def test_line_breaks_in_json_strings_are_accepted() -> None:
    assert read_json('{"name": "a\n\tb"}') == {"name": "a\n\tb"}


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"a":' * 100_000, " " * 1_000_000 + "x", "," * 900_000, "{}" + " " * MOST_JSON]
)
def test_invalid_json_is_ignored(text: str) -> None:
    assert read_json(text) is None


def test_an_article_in_a_graph_is_found_and_its_author_by_id() -> None:
    graph = {
        "@graph": [
            {"@type": "WebSite", "name": "Harbour News"},
            {"@type": "WebPage", "datePublished": "2024-05-01"},
            {
                "@type": ["NewsArticle"],
                "headline": "Low Tide",
                "author": {"@id": "#ida"},
                "datePublished": "2024-05-06",
            },
            {"@type": "Person", "@id": "#ida", "name": "Ida Fern"},
        ]
    }
    found = stated(ld(graph))
    assert found.people("author") == ["Ida Fern"]
    assert list(found.said("headline")) == ["Low Tide"]
    assert next(found.said("datePublished")) == "2024-05-06"
    assert found.sites == ["Harbour News"]


def test_authors_may_be_texts_things_or_lists_of_both() -> None:
    article = {"@type": "Article", "author": ["Ida Fern", {"name": "Bo Holm"}, {"name": ["Cy Dahl"]}, None, 7, {}]}
    assert stated(ld([[article]])).people("author") == ["Ida Fern", "Bo Holm", "Cy Dahl"]


def test_things_inside_an_article_are_not_what_the_page_is_about() -> None:
    article = {"@type": "Article", "comment": {"@type": "Comment", "author": "Troll", "datePublished": "2020-01-01"}}
    found = stated(ld(article))
    assert found.people("author") == []
    assert list(found.said("datePublished")) == []


def test_one_broken_script_does_not_hide_another() -> None:
    assert stated(ld("{oops") + ld({"@type": "Article", "author": "Ida Fern"})).people("author") == ["Ida Fern"]


def test_meta_tags_are_recognized_by_name_property_or_itemprop_in_any_case() -> None:
    html = "<meta NAME=PDate content=1><meta property=og:title content=2><meta itemprop=datePublished content=3>"
    assert {**stated(html).metas} == {"pdate": ["1"], "og:title": ["2"], "datepublished": ["3"]}


def test_control_characters_and_entities_are_removed() -> None:
    assert plain("a\x00\x1bb\u2028c d &amp; e\n") == "a b c d & e"
    assert plain(7) == ""


def test_invisible_characters_do_not_part_words_and_joiners_stay() -> None:
    assert plain("pier_\u200blights\ufeff of\u202e the har\xadbour") == "pier_lights of the harbour"
    assert (
        plain("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645") == "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    )


def test_a_long_value_is_cut() -> None:
    assert len(plain("x " * 1_000_000)) <= LONGEST_VALUE
