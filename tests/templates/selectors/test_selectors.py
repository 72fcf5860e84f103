"""Exported selectors do what the template does, in browsers and in readers of site configs."""

from collections import Counter
from importlib.util import find_spec

import pytest
from site_config import extracted

import dehusk
import demo_site
from dehusk.base.errors import UsageError
from dehusk.bench.evaluation.measures import words
from dehusk.marking.edits import Edit
from dehusk.page import Page
from dehusk.templates.selectors import SiteRules, site_rules
from dehusk.templates.template import Template

PAGES = {name: Page(html, url=f"https://demo.example/{name}") for name, html in demo_site.pages().items()}
MADE_FROM = [page for number, page in enumerate(PAGES.values()) if number % 3]
OTHERS = list(PAGES.values())[::3]

with_lxml = pytest.mark.skipif(find_spec("lxml") is None, reason="needs lxml, which applies site configs")


@pytest.fixture(scope="module")
def template() -> Template:
    return dehusk.learn(MADE_FROM)


@pytest.fixture(scope="module")
def rules(template: Template) -> SiteRules:
    return site_rules(template, MADE_FROM)


def f1(found: str, wanted: str) -> float:
    one, two = Counter(words(found)), Counter(words(wanted))
    return 2 * (one & two).total() / (one.total() + two.total())


@with_lxml
def test_a_site_config_extracts_what_the_template_keeps_on_other_pages_too(
    template: Template, rules: SiteRules
) -> None:
    for page in (*MADE_FROM, *OTHERS):
        found = extracted(rules.ftr, page)
        assert f1(f"{found['title']} {found['body']}", template.clean(page).text) > 0.9, page.name


@with_lxml
def test_a_site_config_finds_title_author_and_date(template: Template, rules: SiteRules) -> None:
    posts = [page for name, page in PAGES.items() if name.startswith("blog/")]
    for page in posts:
        found, told = extracted(rules.ftr, page), template.clean(page).metadata
        assert found["title"] == told.title
        assert found["author"] == told.author
        assert found["date"][:10] == (told.date or "")[:10]


def test_a_site_config_names_a_test_page_and_turns_guessing_off(rules: SiteRules) -> None:
    lines = rules.ftr.splitlines()
    assert lines[0] == f"# Made by dehusk from {len(MADE_FROM)} pages"
    assert lines[-3:-1] == ["prune: no", "tidy: no"]
    assert lines[-1].startswith("test_url: https://demo.example/")
    assert "body: //body" in lines


def test_a_style_sheet_hides_removed_parts_and_no_content(template: Template, rules: SiteRules) -> None:
    hidden, shown = rules.css.split("/* What goes */\n")[1].split(" { display: none !important; }")
    assert shown.endswith(" { --dehusk: content; }\n")
    for page in OTHERS:
        marking = template.mark(page)
        numbers = {node: number for number, node in enumerate(page.nodes)}
        nodes = page.select(hidden)
        assert nodes or not marking.topmost
        taken = [marking.flags[numbers[node]] for node in nodes if node in numbers]
        assert sum(taken) >= 0.9 * len(taken), page.name


def test_edits_are_exported(template: Template, rules: SiteRules) -> None:
    assert any(place[-1].classes == ("crumbs",) for place in rules.goes)
    kept = template.edited(Edit.new("body > nav.crumbs", keep=True))
    assert not any(place[-1].classes == ("crumbs",) for place in site_rules(kept, MADE_FROM).goes)


def test_pages_are_needed() -> None:
    with pytest.raises(UsageError, match="give some pages of the site"):
        site_rules(dehusk.learn(MADE_FROM[:3]), [])


def test_an_element_without_names_is_found_by_its_path_from_the_body() -> None:
    pages = [
        f"<body><table><tr><td><a href=/>Home</a> <a href=/b>Blog</a></td></tr></table><div><p>What page {k} alone "
        f"has to say, in {'many ' * k}words.</p></div><footer>All rights kept</footer>"
        for k in range(6)
    ]
    rules = site_rules(dehusk.learn(pages), pages)
    assert "body > table" in rules.css
    assert "body > footer" in rules.css
    assert "//table" not in rules.ftr  # parsers may move a table elsewhere
    assert "strip: //body/footer" in rules.ftr
    assert [line for line in rules.ftr.splitlines() if line.startswith("body")] == ["body: //body/div", "body: //body"]
    assert "test_url" not in rules.ftr


def test_a_name_that_content_has_too_is_not_enough() -> None:
    pages = [
        f"<body><main><div class=box><a href=/>Home</a> <a href=/b>Blog</a> <a href=/c>Shop</a></div><article>"
        f"<div class=box><p>What page {k} alone has to say, in {'many ' * k}words.</p></div></article></main>"
        for k in range(6)
    ]
    (goes,) = site_rules(dehusk.learn(pages), pages).goes
    assert " > ".join(map(str, goes)) == "body > main > div.box"
