"""Reading data sets, and grouping sites by brand."""

from pathlib import Path

import pytest

from dehusk.bench.evaluation.datasets import (
    NEVER_TRAINED_ON,
    SinglePage,
    brand,
    content_selector,
    fold,
    fold_of_brand,
    gold_text,
    inside,
    label_values,
    may_train_on,
    page_brand,
    single_pages,
    sites,
)
from dehusk.page import Page

WEIGHTS = Path(__file__).parents[2] / "weights"


def test_every_kind_of_site_is_read_with_its_gold(data: Path) -> None:
    manual, guide, news, shop = sites(data)
    assert [(site.kind, site.path) for site in (manual, guide, news, shop)] == [
        ("docs", "docs/manual"),
        ("manuals", "manuals/guide"),
        ("news-dragnet", "news/dragnet-example.com"),
        ("products", "products/auto/shop"),
    ]
    assert [file.relative_to(manual.pages).as_posix() for file in manual.gold] == ["a.html", "deep/b.html"]
    assert all(str(text).startswith("Title") and "Home" not in text for text in manual.gold.values())
    assert [(file.name, str(text).split()[0]) for file, text in guide.gold.items()] == [("c.htm", "Title")]
    assert news.gold[news.pages / "0.html"] == "too short"
    assert shop.gold == {shop.pages / "1.html": ["Canon", "300"], shop.pages / "2.html": []}


def test_only_the_requested_kinds_are_read(data: Path) -> None:
    (data / "products/auto/shop/gold.json").write_text("not read", "utf-8")
    assert [site.kind for site in sites(data, "docs", "news-dragnet")] == ["docs", "news-dragnet"]


def test_folders_that_are_not_known_are_left_out(data: Path) -> None:
    known = list(sites(data))
    for folder in ("docs/new/pages", "manuals/new/pages", "news/new-kind", "products/new/shop/pages", "tables/new"):
        (data / folder).mkdir(parents=True)
        (data / folder / "page.html").write_text("<p>x", "utf-8")
    (data / "pages/new.csv").write_text("url,html", "utf-8")
    assert list(sites(data)) == known
    assert len(list(single_pages(data))) == 2


def test_an_empty_folder_has_no_sites(tmp_path: Path) -> None:
    assert not list(sites(tmp_path))
    assert not list(single_pages(tmp_path))


def test_single_pages_have_what_is_known_of_them(data: Path) -> None:
    first, second = single_pages(data)
    assert (first.dataset, first.url, first.kind, first.date) == ("some", "https://a.example/1", "article", "2024")
    assert (first.snippets, first.not_snippets) == (("word1",), ())
    assert (second.kind, second.title, second.snippets) == (None, None, ())
    assert not list(single_pages(data, "another"))


def test_a_recipe_has_fields_as_gold_and_no_text(recipes: Path) -> None:
    first, _ = single_pages(recipes, "recipes")
    assert (first.text, first.kind, first.language) == (None, "recipe", "en")
    assert first.fields == {"ingredients": ("2 leeks", "1 l water"), "steps": ("Boil the leeks.",)}
    assert first.gold == ["2 leeks", "1 l water", "Boil the leeks."]
    other, *_ = single_pages(recipes, "some")
    assert (other.gold, other.fields) == (other.text, {})


def test_a_page_with_text_and_fields_is_scored_by_its_text() -> None:
    row = {"url": "https://a.example/", "html": "<p>Boil", "text": "Boil", "fields": {"steps": ["Boil"]}}
    assert SinglePage.of("some", row).gold == "Boil"


@pytest.mark.parametrize("fields", [{}, {"fields": None}, {"fields": {"steps": []}}])
def test_a_page_without_gold_is_left_out(fields: dict[str, object]) -> None:
    with pytest.raises(KeyError, match="text"):
        SinglePage.of("some", {"url": "https://a.example/", "html": "<p>Boil", **fields})


def test_every_label_of_a_record_is_read_with_its_values(data: Path) -> None:
    shop = data / "products/auto/shop"
    assert label_values(shop) == {"1": {"Maker:": ["Canon"], "Offers | Price": ["300 & more", "310"]}}
    (shop / "pairs.json").unlink()
    assert label_values(shop) == {}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_gold_is_read_in_the_usual_encodings_with_the_usual_ends_of_lines(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "gold.txt"
    file.write_bytes("café\r\ntwo\rthree\n".encode(encoding))
    assert gold_text(file) == "café\ntwo\nthree\n"


def test_elements_matched_by_a_selector_are_flagged_with_their_content(data: Path) -> None:
    page = Page("<div id=a>no</div><main><p>yes</p></main>")
    flags = inside(page, content_selector(data / "docs/manual"))
    assert [text for node, text in enumerate(page.tree.text) if text and flags[node]] == ["yes"]


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("big9-arstechnica-2005", "arstechnica"),
        ("dragnet-arstechnica.com", "arstechnica"),
        ("dragnet-economix.blogs.nytimes.com", "nytimes"),
        ("dragnet-guardian.co.uk", "guardian"),
        ("dragnet-geekdoctor.blogspot.com", "geekdoctor.blogspot"),
        ("dragnet-headrush.typepad.com", "headrush.typepad"),
        ("dragnet-ibnlive.in.com", "ibnlive"),
        ("daniel-ibnlive.in.com-en", "ibnlive"),
        ("daniel-news.sina.com.hk-ch", "sina"),
        ("daniel-go.rss.sina.com.cn-ch", "sina"),
        ("daniel-www.we-dwoje.pl-po", "we-dwoje"),
        ("forum-forum.ubuntuusers.de", "ubuntuusers"),
        ("forum-android-hilfe.de", "android-hilfe"),
        ("auto/yahoo", "yahoo"),
        ("lilypond-doc-notation", "lilypond"),
        ("WWW.BBC.co.uk", "bbc"),
        ("news.bbc.com.", "bbc"),
        ("somebody.github.io", "somebody.github"),
        ("old.somebody.wordpress.com", "somebody.wordpress"),
        ("somebody.substack.com", "somebody.substack"),
        ("blogspot.com", "blogspot"),
        ("python3.11-html", "python"),
        ("python-scrapy-html", "python-scrapy"),
        ("python-dask-html", "python-dask"),
        ("pike8.0-reference", "pike"),
        ("fp-docs-3.2.2-rtl", "fp"),
        ("aptitude-doc-cs-cs", "aptitude"),
        ("aptitude-doc-ru-ru", "aptitude"),
        ("ubuntu-packaging-guide-html-es-ubuntu-packaging-guide-html-es", "ubuntu"),
    ],
)
def test_a_brand_is_the_registered_domain_or_the_project_of_a_manual(name: str, owner: str) -> None:
    assert brand(name) == owner


def test_sites_of_one_brand_are_left_out_together() -> None:
    for assignment in range(5):
        assert fold("big9-yahoo-2005", assignment) == fold("movie/yahoo", assignment)
        assert fold("dragnet-sports.yahoo.com", assignment) == fold_of_brand("yahoo", assignment)
    assert len({fold("big9-yahoo-2005", assignment) for assignment in range(20)}) == 5


def test_the_brands_of_big9_are_never_trained_on() -> None:
    assert not any(map(may_train_on, ("big9-bbc-2013", "daniel-www.latimes.com-en", "auto/yahoo", "yahoo")))
    assert may_train_on("dragnet-wired.com")
    assert len(NEVER_TRAINED_ON) == 9


@pytest.mark.parametrize(
    ("html", "owner"),
    [
        ("<link rel=canonical href=https://www.guardian.co.uk/x><a href=http://other.com/>a</a>", "guardian"),
        ("<meta property=og:url content=http://blog.example.com/1><a href=http://other.com/>a</a>", "example"),
        ("<link rel=canonical href=/x><meta property=og:url content=//www.wired.com/1>", "wired"),
        ("<a href=http://a.example.com/>1</a><a href=http://ads.net/>2</a><a href=//www.example.com/>3</a>", "example"),
        ("<a href=/here>1</a><a href=mailto:x@y.com>2</a><a href='http://[bad'>3</a><a href=http://a.com/>4</a>", "a"),
    ],
)
def test_a_page_with_an_artificial_url_belongs_to_the_brand_it_declares_or_links_to(html: str, owner: str) -> None:
    assert page_brand(html, "http://17.set.invalid/") == owner


def test_a_page_with_a_url_belongs_to_its_host() -> None:
    assert page_brand("<link rel=canonical href=https://other.com/>", "https://news.bbc.co.uk/1") == "bbc"


def test_a_page_that_names_no_brand_is_a_brand_of_its_own() -> None:
    assert page_brand("<p>text", "http://17.set.invalid/") != page_brand("<p>text", "http://18.set.invalid/")


def test_sites_are_in_the_fold_that_the_test_weights_left_out() -> None:
    # 0-0.json was trained without the sites in 0-0.list. In another fold they would count as unseen.
    names = (WEIGHTS / "0-0.list").read_text("utf-8").split()
    assert names
    assert {fold(name.partition("/")[2], 0) for name in names} == {0}
