"""Choosing between contradictory metadata of a page."""

import json
from typing import Any

import pytest

import dehusk
from dehusk.metadata import Habits, Metadata, Reader, may_lack_title, read
from dehusk.page import Page

ARTICLE = {
    "@type": "NewsArticle",
    "headline": "Low Tide",
    "author": [{"name": "Ida Fern"}, {"name": "Bo Holm"}],
    "datePublished": "2024-05-06T07:08:09+02:00",
    "dateModified": "2024-05-07",
    "inLanguage": "da",
    "description": "Water is gone.",
    "publisher": {"name": "Harbour News"},
}


def of(html: str, url: str | None = None, **how: Any) -> Metadata:
    return read(Page(html, url=url), **how)


def ld(**fields: object) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "Article", **fields})}</script>'


def test_json_ld_gives_all_fields_with_their_source() -> None:
    found = of(ld(**ARTICLE), kind="article")
    assert found == Metadata(
        title="Low Tide",
        authors=("Ida Fern", "Bo Holm"),
        date="2024-05-06T07:08:09+02:00",
        modified="2024-05-07",
        language="da",
        description="Water is gone.",
        site_name="Harbour News",
        kind="article",
        canonical_url=None,
        sources={**dict.fromkeys(set(ARTICLE_FIELDS), "json-ld"), "kind": "template"},
    )
    assert found.author == "Ida Fern, Bo Holm"


ARTICLE_FIELDS = ("title", "authors", "date", "modified", "language", "description", "site_name")


def test_meta_tags_give_what_json_ld_does_not() -> None:
    found = of(
        '<html lang="pt_br"><title>Low Tide</title><meta name=author content="Ida Fern">'
        '<meta name=description content="Gone.">'
        "<meta property=article:published_time content=2024-05-06><meta property=og:updated_time content=2024-05-07>"
        "<meta property=og:site_name content='Harbour News'><link rel=canonical href=/dock>",
        "https://harbour.example/x?y",
    )
    assert (found.title, found.authors, found.date, found.modified) == (
        "Low Tide",
        ("Ida Fern",),
        "2024-05-06",
        "2024-05-07",
    )
    assert (found.language, found.description, found.site_name) == ("pt-br", "Gone.", "Harbour News")
    assert found.canonical_url == "https://harbour.example/dock"
    assert found.sources["language"] == "html"


@pytest.mark.parametrize(
    "name", ["OriginalPublicationDate", "pdate", "dc.date.issued", "DC.Date", "citation_date", "date"]
)
def test_old_meta_tags_give_the_date(name: str) -> None:
    assert of(f"<meta name={name} content='2012/05/06'>").date == "2012-05-06"


@pytest.mark.parametrize(
    "html",
    [
        "<p itemprop=author itemscope><a itemprop=name>Ida Fern</a></p><i itemprop=datePublished content=2024-5-6>",
        "<p><b property=author>Ida Fern</b><time property=datePublished datetime=2024-5-6>x</time></p>",
        "<div><b property=schema:author>Ida Fern</b><i property=schema:datePublished>6 May 2024</i></div>",
    ],
)
def test_microdata_and_rdfa_give_author_and_date(html: str) -> None:
    found = of(html)
    assert (found.authors, found.date) == (("Ida Fern",), "2024-05-06")
    assert found.sources["authors"] == found.sources["date"] == "microdata"


def test_several_tags_for_authors_are_several_authors() -> None:
    html = "<meta name=citation_author content='Ida Fern'><meta name=citation_author content='Bo Holm'>"
    assert of(html).authors == ("Ida Fern", "Bo Holm")


def test_a_visible_byline_wins_over_a_site_that_names_itself() -> None:
    html = (
        "<meta property=og:site_name content='Harbour News'><meta name=author content='Harbour News'><h1>Low Tide</h1>"
    )
    assert of(html).authors == ("Harbour News",)
    assert of(html + "<p>By Ida Fern</p>").authors == ("Ida Fern",)


FAR = "<h1>Low Tide</h1>" + "<p>x</p>" * 300


@pytest.mark.parametrize(
    "html", ["<p>Written by</p><a>Ida Fern</a>", "<p>This post was written by Ida Fern</p>", "<i>Author: Ida Fern</i>"]
)
def test_articles_are_searched_everywhere_for_an_author_label(html: str) -> None:
    assert of(FAR + html, kind="article").authors == ("Ida Fern",)
    assert of("<meta property=og:type content=article>" + FAR + html).authors == ("Ida Fern",)
    assert of(FAR + html, kind="product").authors == ()


def test_prose_after_a_label_names_no_author() -> None:
    assert of(FAR + "<p>Posted by the gate</p><p>Written by hand</p>", kind="article").authors == ()


def test_a_link_to_the_page_of_a_person_names_the_author_if_nothing_else_does() -> None:
    html = "<h1>Low Tide</h1><p><a href=/team/ida>Ida Fern</a></p><p><a href=/boats/anna>Anna Sails</a></p>"
    assert of(html).authors == ("Ida Fern",)
    assert of("<meta name=author content='Bo Holm'>" + html).authors == ("Bo Holm",)
    assert of(html.replace("/team", "/piers")).authors == ()


TAG = "<meta property=article:published_time content=2024-05-06T07:08:09Z>"
SEEN = "<title>Low Tide</title><h1>Low Tide</h1><p>{}</p>"


def test_a_meta_tag_for_the_date_wins_over_the_visible_date() -> None:
    found = of(TAG + SEEN.format("May 3, 2020"))
    assert (found.date, found.sources["date"]) == ("2024-05-06T07:08:09Z", "meta")


@pytest.mark.parametrize("text", ["May 3, 2020", "May 3, 2025", "Updated May 3, 2025"])
def test_the_visible_date_wins_over_json_ld(text: str) -> None:
    found = of(ld(datePublished="2024-05-06") + SEEN.format(text))
    assert (found.date or "", found.sources["date"]) == (f"{text[-4:]}-05-03", "shown")


@pytest.mark.parametrize("text", ["May 6, 2024", "6/5/2024"])
def test_json_ld_gives_the_time_and_the_month_of_a_visible_day(text: str) -> None:
    found = of(ld(datePublished="2024-05-06T07:08:09Z") + SEEN.format(text))
    assert (found.date, found.sources["date"]) == ("2024-05-06T07:08:09Z", "json-ld")


def test_the_day_in_the_url_wins_and_its_time_is_searched() -> None:
    page = TAG + SEEN.format("May 3, 2020")
    assert of(page, "https://e.example/2024/05/05/x").date == "2024-05-05"
    assert of(page, "https://e.example/2024/05/06/x").date == "2024-05-06T07:08:09Z"


def test_the_date_of_a_change_is_not_the_date_of_publication() -> None:
    html = ld(dateModified="2024-05-07")
    assert (of(html, kind="article").date, of(html, kind="service").date) == (None, "2024-05-07")


def test_without_another_date_that_of_the_url_or_of_the_last_change_is_used() -> None:
    assert of("<p>x", "https://e.example/2024/05/06/x").date == "2024-05-06"
    found = of("<h1>Tides</h1><p>Last updated May 7, 2024</p>")
    assert (found.date, found.modified, found.sources["date"]) == ("2024-05-07", "2024-05-07", "shown")


def test_the_order_of_day_and_month_depends_on_the_language() -> None:
    html = "<html lang={}><h1>Tides</h1><p>3/4/2024</p>"
    assert (of(html.format("en-US")).date, of(html.format("en-GB")).date) == ("2024-03-04", "2024-04-03")


@pytest.mark.parametrize(
    ("html", "title", "source"),
    [
        ("<title>Low Tide | Harbour</title><h1>Harbour</h1><h1>Low Tide at Dusk</h1>", "Low Tide at Dusk", "heading"),
        ("<title>Low Tide - Sea News</title><h1>Sea News</h1><h2>Low Tide</h2>", "Low Tide", "heading"),
        ("<title>Low Tide</title><h1>We love boats</h1>", "Low Tide", "title"),
        ("<title>Low Tide</title><h1>Low<br>Tide¶</h1>", "Low Tide", "heading"),
        ("<title>Low Tide | Boats, Nets and Ropes</title><h1>Come in</h1>", "Low Tide", "title"),
        ("<h1>Low Tide</h1>", "Low Tide", "heading"),
        ("<meta property=og:title content='Low Tide'>", "Low Tide", "meta"),
    ],
)
def test_the_title_is_the_heading_that_matches_the_title_element(html: str, title: str, source: str) -> None:
    found = of(html, "https://harbour.example/low")
    assert (found.title, found.sources["title"]) == (title, source)


def test_the_front_page_needs_a_heading_that_is_more_similar_to_its_title() -> None:
    html = "<title>Boats for the tide</title><h1>Boats for life</h1>"
    assert of(html, "https://e.example/last").title == "Boats for life"
    assert of(html, "https://e.example/").title == "Boats for the tide"


def test_between_two_similar_headings_the_date_is_near_the_one_that_is_content() -> None:
    page = Page(
        "<title>Tides</title><div><h1>Tides</h1><p>1 May 2020</p></div><main><h1>Tides</h1><p>6 May 2024</p></main>"
    )
    assert read(page, gone=page.select("div")).date == "2024-05-06"


def test_missing_fields_are_none_and_have_no_source() -> None:
    found = of("<p>x")
    assert found == Metadata()
    assert found.author is None


HOSTILE = {
    "long": f"<title>{'x ' * 500_000}</title><h1>{'y ' * 500_000}</h1><meta name=author content='{'z ' * 500_000}'>",
    "deep": '<script type="application/ld+json">' + '{"author":' * 50_000 + "</script>",
    "lists": '<script type="application/ld+json">' + "[" * 900 + "]" * 900 + "</script>",
    "many": "".join(f"<meta name=author content='Ida F{k}'><h1>x</h1><time datetime=y>" for k in range(20_000)),
    "types": ld(
        author={"name": {"name": 1}}, datePublished=[1, None, {}], headline={"a": []}, publisher=7, inLanguage=[[]]
    ),
    "controls": "<title>\x01\u202e\ufffe</title><h1>\x7f</h1><html lang='\x02'>",
    "address": "<link rel=canonical href='http://[x'><meta property=og:url content='//['>",
    "nested": "<div itemprop=author>" * 3000 + "x",
    "bottom": "<div>" * 100_000 + "<h1>x</h1><time datetime=2024-05-06>" * 100,
    "spaces": "<title>" + " - " * 100_000 + "</title><h1>" + "1/1/" * 100_000 + "</h1>",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_give_short_values_or_none(html: str) -> None:
    cleaned = dehusk.clean(dehusk.Page(f"<body>{html}<p>Some text that stays.</p>", url="http://[bad"))
    found = cleaned.metadata
    assert all(len(text or "") <= 1000 for text in (found.title, found.date, found.language, found.description))
    assert sum(map(len, found.authors)) <= 5000


def test_cleaned_pages_know_their_kind_and_do_not_take_a_removed_logo_for_the_title() -> None:
    pages = [
        f"<title>Harbour News</title><header><h1>Harbour News</h1><a href=/>Home</a><a href=/a>About</a></header>"
        f"<main><h2>{name} sails at dawn</h2>"
        + f"<p>The {name} left, as it always does, with a full hold.</p>" * 5
        + "</main>"
        for name in ("Anna", "Berta", "Clara", "Dora")
    ]
    template = dehusk.learn(pages)
    found = [template.clean(html).metadata for html in pages]
    assert len({one.title for one in found}) == 4
    assert all(one.kind for one in found)


def test_a_heading_that_other_pages_have_too_is_not_the_title() -> None:
    html = "<title>Low Tide</title><h1>Low Cost Boats</h1>"
    assert of(html).title == "Low Cost Boats"
    assert of(html, habits=Habits(headings=("Low Cost Boats",))).title == "Low Tide"


def test_a_date_far_from_the_title_is_taken_where_the_site_writes_dates() -> None:
    html = "<h1>Tides</h1>" + "<p>x</p>" * 300 + "<div class=foot><p class='x1 when'>6 May 2024</p></div>"
    assert of(html).date is None
    assert of(html, habits=Habits(date="div.foot > p.when")).date == "2024-05-06"


@pytest.mark.parametrize(("kind", "date"), [("article", "2024-05-06"), ("forum", "2024-05-06"), ("product", None)])
def test_only_pages_that_have_dates_are_searched_for_one_everywhere(kind: str, date: str | None) -> None:
    assert of("<h1>Tides</h1>" + "<p>x</p>" * 300 + "<p>6 May 2024</p>", kind=kind).date == date


def lacks(html: str, gone: str, habits: Habits | None = None) -> bool:
    page = Page(html)
    return may_lack_title(page, frozenset(page.select(gone)), habits or Habits())


def test_a_removed_h1_or_else_a_heading_in_the_title_may_be_the_title() -> None:
    html = "<title>Low Tide - Harbour</title><header><h1>{0}</h1></header><h2>Low Tide</h2><h2>Boats</h2>"
    assert lacks(html.format("Any"), "header")
    assert not lacks(html.format("Any"), "h2")
    assert lacks(html.format("Any"), "header, h2", Habits(headings=("Any",)))
    assert not lacks(html.format("Any"), "header", Habits(headings=("Any",)))
    assert lacks(html.format("Low Tide"), "header", Habits(headings=("Low Tide",)))  # pages of one thread
    assert not lacks(html.format("Harbour"), "header", Habits(names=("Harbour",)))
    assert not lacks(html.format(""), "header")
    assert lacks(html.format(""), "h2")


def test_a_heading_with_the_whole_title_is_the_title_and_the_name_of_the_site_is_not() -> None:
    html = "<title>Harbour: Low Tide</title><h1>Harbour</h1><h2>Harbour: Low Tide</h2>"
    found = of(html, habits=Habits(names=("Harbour",), headings=("Harbour",)))
    assert (found.title, found.sources["title"]) == ("Low Tide", "heading")


def test_metadata_are_the_same_after_writers_took_nodes_out() -> None:
    page = Page("<h1>Low Tide</h1><div id=by><p itemprop=author>Ida Fern</p></div><p>The water rises.</p>")
    reader = Reader(page, (), None, Habits())
    assert page.text_without(page.select("#by")).strip().endswith("rises.")
    assert reader.read().authors == ("Ida Fern",)


@pytest.mark.parametrize("name", ["low TIDE", "harbour 24", "“Low Tide”", "24!", "Éclair"])
def test_a_lesser_heading_at_the_start_or_end_of_the_title_is_found_whatever_its_case_and_marks(name: str) -> None:
    title = {"Éclair": "éclair of May"}.get(name, "Low Tide - Harbour 24")
    assert lacks(f"<title>{title}</title><h2>{name}</h2>", "h2")
    assert not lacks(f"<title>{title}</title><h2>Boats</h2>", "h2")


@pytest.mark.parametrize("mark", ["#", "\u00b6", "\u00a7", "\U0001f517"])
@pytest.mark.parametrize("heading", ["<h1>DNS<a href=#dns>{}</a></h1>", "<h1><a href=#dns>{}</a> DNS</h1>"])
def test_the_mark_of_an_anchor_is_not_part_of_the_title(mark: str, heading: str) -> None:
    html = f"<title>DNS | Manual</title>{heading.format(mark)}<p>Names of hosts.</p>"
    assert of(html).title == "DNS"
    cleaned = dehusk.clean(html)
    assert cleaned.metadata.title == "DNS"
    assert cleaned.text.splitlines()[0] == "DNS"
    assert cleaned.markdown.splitlines()[0] == "# DNS"


def test_a_language_keeps_its_sharp_sign() -> None:
    assert of("<title>Learn C# | Manual</title><h1>Learn <a href=/c#>C#</a></h1>").title == "Learn C#"


def test_the_name_of_a_book_is_its_title_and_not_its_number() -> None:
    html = (
        "<title>9780805087444: Low Tide: A Story - Ida Fern: 0805087443</title>"
        "<h1>9780805087444</h1><h2>Low Tide: A Story</h2><h2>Low Tide: Search Results</h2>"
    )
    assert of(html).title == "Low Tide: A Story"


def test_editions_of_a_book_share_its_title() -> None:
    def edition(name: str, binding: str) -> str:
        number = 9780805087444 + len(name) * 10 + len(binding)
        return (
            f"<title>{name} - {binding} (ISBN {number}) - Buy Books at Pier</title>"
            f"<h1>item added</h1><h1>{name}</h1><p>Text about {name} as {binding}.</p>"
        )

    books = ("Low Tide", "Knots", "Old Pier", "Salt")
    pages = [edition(name, binding) for name in books for binding in ("Paperback", "Cloth")]
    template = dehusk.learn(pages)
    assert [template.clean(page).metadata.title for page in pages[::2]] == list(books)


def test_sections_between_the_site_and_the_title_are_removed() -> None:
    sections = ["Technology"] * 4 + ["Business", "Leisure | Music"]
    pages = [
        f"<title>PIER NEWS | {section} | Boat number {number} helps the town</title><p>Text {number}."
        for number, section in enumerate(sections)
    ]
    template = dehusk.learn(pages)
    wanted = [f"Boat number {number} helps the town" for number in range(6)]
    assert [template.clean(page).metadata.title for page in pages] == wanted


def test_sections_and_sites_after_full_width_bars_are_removed() -> None:
    names = ["\u6f6e\u6c34\u9000\u4e86", "\u8239\u56de\u5bb6\u4e86", "\u6e2f\u53e3\u4f11\u606f"]
    pages = [f"<title>{name}\uff5c\u5feb\u5831\uff5c\u6e2f\u53e3\u5831</title><p>Text {name}." for name in names]
    template = dehusk.learn(pages)
    assert [template.clean(page).metadata.title for page in pages] == names


def test_words_before_the_title_in_its_heading_are_a_label() -> None:
    title = "<title>Boats at the old pier</title>"
    assert of(f"{title}<h1>May 6 2024 Boats at the old pier</h1>").title == "Boats at the old pier"
    assert of(f"{title}<h1>Boats at the old pier in May</h1>").title == "Boats at the old pier in May"


def test_the_name_of_a_site_holds_only_for_pages_that_have_it() -> None:
    pages = [f"<title>Tide {number} | Harbour News</title><h1>Tide {number}</h1><p>{number}" for number in range(6)]
    shop = "<title>Blue rope | Harbour Shop</title><h1>Blue rope</h1><p>Buy rope."
    template = dehusk.learn([*pages, shop])
    assert template.clean(pages[0]).metadata.site_name == "Harbour News"
    assert template.clean(shop).metadata.site_name is None


def test_the_author_is_not_read_from_code() -> None:
    html = "<title>CREATE TABLE</title><h1>CREATE TABLE</h1><pre>GENERATED\n<b>BY</b> <b>DEFAULT</b> AS IDENTITY</pre>"
    assert of(html, kind="documentation").authors == ()


def test_a_labelled_tag_names_the_author() -> None:
    html = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ida Fern'>"
    assert of(html).authors == ("Ida Fern",)
    assert of(html.replace("Written by", "Reading time")).authors == ()


def test_the_site_is_not_an_author_beside_people() -> None:
    html = "<meta property=og:site_name content='Harbour News'>" + ld(author=["Ida Fern", "Harbour News"])
    assert of(html).authors == ("Ida Fern",)


def test_a_person_beside_the_date_is_the_author_of_an_article() -> None:
    html = "<h1>Low Tide</h1><p>Ida Fern</p><p>May 6, 2024</p>"
    assert [of(html, kind=kind).authors for kind in ("article", "forum", "product")] == [("Ida Fern",), (), ()]


def test_metadata_is_read_around_a_title_that_is_no_heading() -> None:
    html = "<title>Low Tide</title>" + "<p>x</p>" * 200 + "<div>Low Tide</div><p>By Ida Fern</p>"
    assert of(html, kind="article").authors == ("Ida Fern",)


def test_the_last_change_is_the_date_of_a_service_that_calls_itself_an_article() -> None:
    html = "<meta property=og:type content=article>" + ld(dateModified="2024-05-07")
    assert (of(html, kind="service").date, of(html, kind="article").date) == ("2024-05-07", None)
