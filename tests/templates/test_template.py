"""Templates: learned, applied, guarded, saved and loaded."""

import json
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
import demo_site
from dehusk import render
from dehusk.base.errors import TemplateError, UsageError
from dehusk.core import Learning
from dehusk.methods import METHODS
from dehusk.page._decoding import decoded
from trees import Nested, page, trees


def site(pages: int = 4) -> list[str]:
    return [
        f"<html><head><title>{k}</title></head><body><nav><a href=/>Home</a> | <a href=/b>Blog</a></nav>"
        f"<main><h2>Notes</h2><p>What page {k} alone has to say, in {'many ' * k}words.</p></main>"
        "<footer>All rights kept</footer></body></html>"
        for k in range(pages)
    ]


def test_cleaning_keeps_the_content_of_a_page() -> None:
    pages = site()
    cleaned = dehusk.learn(pages).clean(pages[2])
    assert "What page 2 alone has to say, in many many words." in cleaned.text
    assert "Blog" not in cleaned.text
    assert "All rights kept" not in cleaned.text
    assert 0 < cleaned.share_removed < 1
    assert cleaned.warnings == []


def test_removed_parts_have_place_and_reason() -> None:
    pages = site()
    removed = dehusk.learn(pages).clean(pages[0]).removed
    assert ("body > nav", "Home | Blog") in [(one.path, one.text) for one in removed]
    assert all("on 4 of 4 pages" in one.reason for one in removed)
    assert all(0.5 < one.confidence <= 1 for one in removed)


@pytest.mark.parametrize("method", ["evidence", "rtdm"])
def test_pages_of_the_site_fit_and_pages_of_another_do_not(method: str) -> None:
    goods = [html for name, html in demo_site.pages().items() if name.startswith("shop/")]
    posts = [html for name, html in demo_site.pages().items() if name.startswith("blog/")]
    template = dehusk.learn(goods, method=method)
    for html in goods:
        assert template.fit(html) == template.clean(html).fit >= 0.8
        assert template.clean(html).warnings == []
    for html in posts:
        cleaned = template.clean(html)
        assert cleaned.fit < 0.4
        assert cleaned.family is None
        assert any("does not look like" in warning for warning in cleaned.warnings)


def test_with_several_families_a_page_fits_as_in_its_own_family() -> None:
    template = dehusk.learn(demo_site.pages().values())
    assert len(template.families) == 2
    for name, html in demo_site.pages().items():
        if name.startswith(("shop/", "blog/")):
            assert template.fit(html) >= 0.8


def test_the_order_of_requests_makes_no_difference() -> None:
    pages = [dehusk.Page(html, url="https://e.example/") for html in demo_site.pages().values()]
    template = dehusk.learn(pages)
    asked = ["text", "html", "markdown", "metadata", "removed", "share_removed", "length", "warnings", "family", "fit"]
    for one in pages[::4]:
        found = [getattr(template.clean(dehusk.Page(one.html, url=one.url)), name) for name in asked]
        there, back = template.clean(one), template.clean(one)
        assert [getattr(there, name) for name in asked] == found
        assert [getattr(back, name) for name in asked[::-1]] == found[::-1]


@pytest.mark.parametrize(
    "asked",
    [
        ["text"],
        ["html"],
        ["metadata", "text", "share_removed", "length", "warnings", "fit"],
        ["text", "markdown", "html", "removed", "metadata", "text", "fit", "length", "marking"],
    ],
)
def test_a_page_is_parsed_once_to_be_cleaned(asked: list[str], parsed: list[object]) -> None:
    template = dehusk.learn(site())
    parsed.clear()
    cleaned = template.clean(site()[0])
    for name in asked:
        getattr(cleaned, name)
    assert len(parsed) == 1


def test_a_tinted_view_takes_a_second_parse(parsed: list[object]) -> None:
    template = dehusk.learn(site())
    parsed.clear()
    cleaned = template.clean(site()[0])
    assert cleaned.text
    assert cleaned.removed
    assert render.numbered_html(cleaned.marking, [])
    assert cleaned.html
    assert len(parsed) == 2


def test_a_page_is_parsed_once_to_be_learned_from_and_cleaned(parsed: list[object]) -> None:
    pages = [dehusk.Page(html) for html in site()]
    template = dehusk.learn(pages)
    assert len(parsed) == len(pages)
    assert all(template.clean(page).text for page in pages)
    assert len(parsed) == len(pages)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The documents parsed so far."""
    seen = list[object]()

    def counted(html: bytes | str, encoding: str | None) -> object:
        seen.append(html)
        return decoded(html, encoding)

    monkeypatch.setattr("dehusk.page.dom.decoded", counted)
    return seen


def test_pages_stream_through_clean_many() -> None:
    pages = site()
    template = dehusk.learn(pages)
    endless = (html for _ in iter(int, 1) for html in pages)
    stream = template.clean_many(endless)
    assert next(stream).text == template.clean(pages[0]).text
    assert next(stream).text == template.clean(pages[1]).text


def test_a_folder_can_be_learned_from(tmp_path: Path) -> None:
    for number, html in enumerate(site()):
        (tmp_path / f"{number}.html").write_text(html)
    assert dehusk.learn(tmp_path) == dehusk.learn(list(tmp_path.iterdir()))


@pytest.mark.parametrize("pages", [[site()[0]], [site()[0]] * 3])
def test_other_methods_learn_nothing_from_fewer_than_two_different_pages(pages: list[str]) -> None:
    cleaned = dehusk.learn(pages, method="rtdm").clean(site()[0])
    assert cleaned.share_removed == 0
    assert cleaned.warnings == [dehusk.PageWarning.NO_SECOND_PAGE]


@pytest.mark.parametrize("copies", [1, 3])
def test_the_default_judges_a_single_page_by_itself(copies: int) -> None:
    cleaned = dehusk.learn(site()[:1] * copies).clean(site()[0])
    assert "alone has to say" in cleaned.text
    assert cleaned.share_removed > 0
    assert len(cleaned.warnings) == 1
    assert "learned from one page" in cleaned.warnings[0]


def test_the_default_learns_nothing_from_no_pages() -> None:
    links = "<p><a href=/a>A page of</a> <a href=/b>links alone</a></p><b>.</b>"
    cleaned = Learning().learn([]).clean(links)
    assert cleaned.share_removed == 0
    assert cleaned.warnings == ["learned from no page: nothing was removed"]


def test_only_the_sample_is_used_in_any_order_of_pages() -> None:
    pages = site(12)
    few = dehusk.learn(pages, sample=3)
    assert few.to_json()["families"][0]["rules"]["pages"] == 3
    assert few.to_json() == dehusk.learn(pages[::-1], sample=3).to_json()
    assert dehusk.learn(pages, sample=None).pages == 12


def test_a_template_that_would_remove_nearly_everything_leaves_the_page_its_text() -> None:
    body = "<nav><a href=/>Home</a></nav><p>" + "A long article that two addresses show. " * 20 + "</p>"
    pages = [f"<body>{body}<i>{k}</i></body>" for k in range(3)]
    cleaned = dehusk.learn(pages).clean(pages[0])
    assert "A long article" in cleaned.text
    assert "Home" not in cleaned.text
    assert "nearly all" in cleaned.warnings[0]


def test_a_short_text_of_a_page_is_kept() -> None:
    legal = "<p>" + "All of this is legal small print that nobody reads. " * 60 + "</p>"
    pages = [f"<body>{legal}<b>Answer {k}: yes, it is.</b></body>" for k in range(3)]
    assert dehusk.learn(pages).clean(pages[1]).text == "Answer 1: yes, it is.\n"


def test_a_page_without_text_has_a_warning() -> None:
    assert dehusk.learn(site()).clean("<body><img src=x></body>").warnings == ["the page has no text"]


def test_a_page_of_only_links_is_kept_whole() -> None:
    pages = site()
    cleaned = dehusk.learn(pages).clean("<body><nav><a href=/>Home</a> | <a href=/b>Blog</a></nav></body>")
    assert "Home" in cleaned.text


def test_an_unknown_method_is_named_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown method 'magic': choose one of .*rtdm"):
        dehusk.learn(site(), method="magic")


@pytest.mark.parametrize(
    ("pages", "options", "words"),
    [
        (site(), {"sample": 1}, "at least 2"),
        (site(), {"sample": 0}, "at least 2"),
        (site(), {"sample": 2.5}, "at least 2"),
        (site(), {"samples": 3}, "no option 'samples'; it has grain"),
        (site(), {"replace": 2}, "method evidence has no option 'replace'"),
        (site(), {"method": "rtdm", "replace": 0}, "whole number"),
        (["a.html", "b.html"], {}, "'a.html' is not HTML; give Path"),
        ([5], {}, "not int"),
    ],
)
def test_invalid_arguments_are_refused(pages: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        dehusk.learn(pages, **options)


@settings(max_examples=50)
@given(st.lists(trees(leaves=4), min_size=2, max_size=4), trees(leaves=6))
def test_saving_and_loading_changes_no_mark(drawn: list[Nested], other: Nested) -> None:
    template = dehusk.learn(map(page, drawn))
    again = dehusk.Template.from_json(json.loads(json.dumps(template.to_json())))
    assert again.mark(page(other)).flags == template.mark(page(other)).flags
    assert again.to_json() == template.to_json()


def test_a_saved_template_is_json_a_person_can_read(tmp_path: Path) -> None:
    dehusk.learn(site()).save(tmp_path / "site.husk")
    written = (tmp_path / "site.husk").read_text()
    assert '"method": "evidence"' in written
    assert "Home" in written
    assert "What page 1" in dehusk.load(tmp_path / "site.husk").clean(site()[1]).text
    assert [file.name for file in tmp_path.iterdir()] == ["site.husk"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "damaged"),
        ("[]", "not a dehusk template"),
        ('{"name": "other"}', "not a dehusk template"),
        ('{"dehusk": 99}', "newer dehusk"),
        ('{"dehusk": "x"}', "damaged"),
        ('{"dehusk": 1, "method": "rtdm", "pages": 2, "outliers": []}', "damaged"),
        ('{"dehusk": 1, "method": "rtdm", "pages": 2, "outliers": [], "families": [{"rules": 1}]}', "damaged"),
        ('{"dehusk": 1, "method": "magic", "pages": 2, "outliers": [], "families": []}', "unknown method 'magic'"),
        ('{"dehusk": 1, "method": "rtdm", "pages": Infinity, "outliers": [], "families": []}', "damaged"),
        ('{"dehusk": true}', "damaged"),
        ('{"dehusk": 0}', "damaged"),
        ("\udcff", "damaged"),
        ("[" * 100_000, "damaged"),
    ],
)
def test_a_file_that_is_not_a_template_is_an_error(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "site.husk"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(TemplateError, match=words) as raised:
        dehusk.load(file)
    assert str(file) in str(raised.value)


OLD = Path(__file__).parents[1] / "old_templates"  # made by a version that did not store the nodes of key pages


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in sorted(OLD.glob("*.husk"))])
def test_an_old_template_still_cleans_or_must_be_learned_again(file: Path) -> None:
    html = (
        "<body><nav><ul><li><a href=/>Home</a><li><a href=/b>Blog</a><li><a href=/c>Shop</a></ul></nav>"
        "<main><h2>Notes</h2><p>A page that was not there yet.</p></main><footer>All rights kept</footer>"
    )
    if file.stem == "etdm":
        with pytest.raises(TemplateError, match=r"etdm.husk: written by an older dehusk, .*; learn it again"):
            dehusk.load(file)
        return
    cleaned = dehusk.load(file).clean(html)
    assert "A page that was not there yet." in cleaned.text
    assert "Shop" not in cleaned.text
    assert dehusk.load(file).to_json() == json.loads(file.read_text())


def test_there_is_an_old_template_of_every_method() -> None:
    assert {file.stem for file in OLD.glob("*.husk")} <= set(METHODS)
    assert len(list(OLD.glob("*.husk"))) == 9


def test_a_missing_template_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"cannot read template .*no such file"):
        dehusk.load(tmp_path / "none.husk")


def test_one_template_serves_many_threads() -> None:
    pages = site(30)
    template = dehusk.learn(pages)
    alone = [template.clean(html).text for html in pages]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda html: template.clean(html).text, pages * 5))
    assert together == alone * 5


def test_the_package_exports_its_public_names_only() -> None:
    named = set(dehusk.__all__) - {"__version__"}
    assert {getattr(dehusk, name).__name__ for name in named} == named
    assert dehusk.__version__ == version("dehusk")
    assert set(dehusk.__all__) <= set(dir(dehusk))
    with pytest.raises(AttributeError):
        dehusk.nothing  # noqa: B018


def test_one_page_is_enough_to_be_cleaned_and_learned_from() -> None:
    html = site()[0]
    alone = dehusk.clean(html)
    assert alone.warnings == [dehusk.PageWarning.ONE_PAGE]
    for given_as in (html, html.encode(), dehusk.Page(html)):
        assert dehusk.learn(given_as).clean(html).text == alone.text


def test_the_repr_of_a_template_and_of_a_cleaned_page_is_short() -> None:
    template = dehusk.learn(site())
    assert repr(template) == "<Template: evidence, learned from 4 pages>"
    cleaned = template.clean(dehusk.Page(site()[1], name="a.html"))
    assert repr(cleaned).startswith("<Cleaned a.html: ")
    assert len(repr(cleaned)) < 100


def test_the_share_removed_does_not_depend_on_earlier_calls() -> None:
    pages = [f"<nav>menu of all<script>{'x' * 500}</script></nav><p>what page {k} alone says of itself" for k in "abc"]
    learned = dehusk.learn(pages)
    asked = learned.clean(pages[0])
    assert asked.family == "1"
    assert asked.page.titles == []
    assert asked.share_removed == learned.clean(pages[0]).share_removed == learned.mark(pages[0]).share_removed


@pytest.mark.parametrize("method", METHODS)
def test_a_template_equals_itself_after_it_was_loaded(tmp_path: Path, method: str) -> None:
    template = dehusk.learn(site(), method=method)
    template.save(tmp_path / "t.husk")
    again = dehusk.load(tmp_path / "t.husk")
    assert (again, hash(again)) == (template, hash(template))
    assert again != dehusk.learn(site()[:2], method=method)
