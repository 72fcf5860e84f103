"""The content and size of a report file."""

import pytest

import dehusk
import demo_site
from dehusk import Page
from dehusk.base.errors import Skipped, SourceError
from dehusk.marking.edits import Edit
from dehusk.server.viewer import page_views, report
from dehusk.server.viewer.report import ReportRow, ShownSite, choose, report_on, site_name
from reports import data_of


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return [Page(html, name=name) for name, html in demo_site.pages().items()]


@pytest.fixture(scope="module")
def learned(pages: list[Page]) -> dehusk.Template:
    return dehusk.learn(pages)


def test_a_report_has_all_pages_in_its_map_and_some_to_look_at(pages: list[Page], learned: dehusk.Template) -> None:
    made = report_on(pages, ShownSite(name="Tidewater", templates=[learned], pages=3, source="crawl/"))
    data = data_of(made.html)
    assert (made.pages, made.shown) == (len(data["rows"][0]), len(data["views"][0])) == (30, 3)
    assert data["site"]["note"] == "3 of 30 pages are in this file."
    assert "dehusk serve crawl/\n" in data["absent"]
    assert "dehusk show crawl/ --method evidence --pages 30" in data["absent"]
    assert {view["name"] for view in data["views"][0]} <= {row[0] for row in data["rows"][0]}
    assert all(view["regions"] for view in data["views"][0])


def test_as_many_pages_as_asked_can_be_looked_at_by_each_method(pages: list[Page], learned: dehusk.Template) -> None:
    made = report_on(pages, ShownSite(name="Tidewater", templates=[learned, learned], pages=3))
    assert [len(views) for views in data_of(made.html)["views"]] == [3, 3]


def test_all_pages_are_measured_by_each_method(pages: list[Page], learned: dehusk.Template) -> None:
    other = dehusk.learn(pages, method="bottom-up")
    made = report_on(pages, ShownSite(name="Tidewater", templates=[learned, other], pages=1))
    ours, theirs = data_of(made.html)["rows"]
    assert [row[0] for row in ours] == [row[0] for row in theirs]
    assert [row[3] for row in theirs] == [round(other.clean(page).share_removed, 4) for page in pages]
    assert [row[3] for row in ours] != [row[3] for row in theirs]


def test_the_command_for_more_pages_names_the_methods_or_the_template(
    pages: list[Page], learned: dehusk.Template
) -> None:
    other = dehusk.learn(pages, method="bottom-up")
    several = ShownSite(name="demo", templates=[learned, other], pages=1)
    assert "crawl/ --method evidence --method bottom-up --pages 30" in data_of(report_on(pages, several).html)["absent"]
    known = ShownSite(name="demo", templates=[learned], template="my site.husk", pages=1)
    assert "crawl/ -t 'my site.husk' --pages 30" in data_of(report_on(pages, known).html)["absent"]


def test_a_report_needs_no_other_file_and_runs_only_its_own_scripts(
    pages: list[Page], learned: dehusk.Template
) -> None:
    html = report_on(pages[:3], ShownSite(name="</script><b>", templates=[learned], pages=1)).html
    assert 'src="viewer/' not in html
    assert 'href="viewer/' not in html
    assert "default-src 'none'; script-src 'sha256-" in html
    assert html.count("<script>") == html.count("sha256-") == 15
    assert "</script><b>" not in html


def test_views_end_with_the_budget(
    pages: list[Page], learned: dehusk.Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "MOST_LETTERS", 20_000)
    made = report_on(pages, ShownSite(name="x", templates=[learned]))
    assert 0 < made.shown < 10
    assert made.html.count('":"H4sI') == made.shown


def test_corrections_are_listed(pages: list[Page], learned: dehusk.Template) -> None:
    edited = learned.edited(Edit.new("body > footer.foot", keep=True, by="me", why="ours"))
    data = data_of(report_on(pages, ShownSite(name="x", templates=[edited], template="site.husk")).html)
    assert data["template"] == "site.husk"
    assert [(edit["path"], edit["keep"], edit["why"]) for edit in data["edits"]] == [
        ("body > footer.foot", True, "ours")
    ]
    assert data["edits"][0]["text"].startswith("News from the quay")


def test_titles_in_the_map_are_those_of_the_rows(pages: list[Page], learned: dehusk.Template) -> None:
    data = data_of(report_on(pages, ShownSite(name="x", templates=[learned], pages=1)).html)
    titles = {page.name: learned.clean(page).to_dict()["title"] for page in pages}
    assert {row[0]: row[1] for row in data["rows"][0]} == titles


def test_titles_in_the_map_are_without_the_name_of_the_site(pages: list[Page], learned: dehusk.Template) -> None:
    data = data_of(report_on(pages, ShownSite(name="x", templates=[learned], pages=1)).html)
    assert ["shop/pier-lantern.html", "Pier Lantern"] in [row[:2] for row in data["rows"][0]]


def test_pages_to_look_at_are_of_all_families_outliers_included() -> None:
    rows = [ReportRow(str(k), "", str(k % 2), k / 100, 9, 1.0, k == 7) for k in range(100)]
    chosen = choose(rows, 10)
    assert len(chosen) == 10
    assert 7 in chosen
    assert {rows[k].family for k in chosen} == {"0", "1"}
    assert choose(rows[:3], 10) == {0, 1, 2}


def test_no_pages_are_an_error(learned: dehusk.Template) -> None:
    with pytest.raises(SourceError, match="no page to show"):
        report_on([], ShownSite(name="x", templates=[learned]))


def test_a_site_has_the_name_that_it_gives_itself(learned: dehusk.Template) -> None:
    assert site_name(learned, "crawl") == "The Tidewater Journal"
    assert site_name(dehusk.learn(["<p>one page</p>"]), "crawl") == "crawl"


def test_a_page_that_takes_too_long_is_named_and_left_out(
    pages: list[Page], learned: dehusk.Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = report.row_of

    def row_of(cleaned: dehusk.Cleaned, template: dehusk.Template) -> ReportRow:
        while cleaned.page is pages[1]:
            pass
        return measure(cleaned, template)

    monkeypatch.setattr(report, "row_of", row_of)
    late: list[Skipped] = []
    shown = ShownSite(name="x", templates=[learned], pages=4, page_seconds=5)
    made = report_on(pages[:4], shown, skipped=late.append)
    assert late == [Skipped(pages[1].name, "took more than 5 s")]
    data = data_of(made.html)
    assert [row[0] for row in data["rows"][0]] == [pages[0].name, pages[2].name, pages[3].name]
    assert [view["name"] for view in data["views"][0]] == [row[0] for row in data["rows"][0]]


def test_a_view_that_takes_too_long_is_left_out(
    pages: list[Page], learned: dehusk.Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = page_views.page_view

    def page_view(cleaned: dehusk.Cleaned, sheets: object) -> object:
        while cleaned.page is pages[1]:
            pass
        return view(cleaned, sheets)  # type: ignore[arg-type]

    monkeypatch.setattr(report, "page_view", page_view)
    made = report_on(pages[:3], ShownSite(name="x", templates=[learned], page_seconds=5))
    assert (made.pages, made.shown) == (3, 2)
