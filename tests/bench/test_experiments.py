"""The other experiments: figures computed by hand, and a run of each on a small data set."""

import json
import random
import shutil
from collections import Counter
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="needs matplotlib: make test-bench brings it")
pytest.importorskip("bm25s", reason="needs bm25s: make test-bench brings it")

from dehusk.base.errors import SourceError
from dehusk.base.tree import Classes
from dehusk.bench._results import Table
from dehusk.bench.evaluation._made_sites import made_site
from dehusk.bench.evaluation.layouts import open_data
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage
from dehusk.bench.experiments import _building as building
from dehusk.bench.experiments import _content as content
from dehusk.bench.experiments import _discovery as discovery
from dehusk.bench.experiments import _equalities as equalities
from dehusk.bench.experiments import _metadata as metadata
from dehusk.bench.experiments import _pages as pages
from dehusk.bench.experiments import _pairs as pairs
from dehusk.bench.experiments import _search as search
from dehusk.bench.experiments import _table as tables
from dehusk.bench.experiments import _votes as votes
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import ORIGINAL, BenchSettings, Texts
from dehusk.methods import DEFAULT
from dehusk.page import Page
from dehusk.templates.links import Subdigraph
from gold_pages import write

BOATS = ["sail", "mast", "hull", "keel", "rudder", "anchor", "harbour", "wind", "wave", "deck"]


def rows(table: Table) -> dict[Any, Any]:
    return {row[0]: list(row[1:]) for row in table.rows}


def test_pages_learn_from_one_to_all_and_score_the_terms_of_the_template(mixed: Path) -> None:
    assert pages.sizes(7) == [1, 2, 3, 5, 7]
    assert pages.sizes(2) == [1, 2]
    assert pages.sizes(1000)[-1] == 100
    result = pages.run(Bench(open_data(mixed)))
    terms = next(table for table in result.tables if "template terms" in table.title)
    assert list(terms.columns) == ["method", "1", "2", "3", "5", "all"]
    assert rows(terms)["rtdm"][0] == 0
    assert rows(terms)["rtdm"][-1] > 0.9
    assert result.figures["sites"]["docs manual"]["rtdm"].keys() == {"1", "2", "3", "5", "6"}


def test_the_mean_from_all_pages_has_every_site() -> None:
    small, large = ({"rtdm": {"1": {"F": 0.0}, size: {"F": f}}} for size, f in (("7", 0.5), ("10", 1.0)))
    assert pages.from_all([small, large, {"rtdm": {"4": {}}}], "F") == {"rtdm": 0.75}
    assert pages.from_all([small], "other") == {}


def test_terms_of_a_site_are_on_half_of_its_pages() -> None:
    assert pages.common_terms(Counter({"menu": 5, "often": 3, "rare": 2}), 5) == {"menu", "often"}


def test_samples_are_random_not_nested_and_the_same_for_a_seed() -> None:
    site = [Page(f"<p>{number}") for number in range(60)]
    drawn = pages._samples(site, "a")
    assert {size: len(samples) for size, samples in drawn.items()} == {
        1: 3,
        2: 3,
        3: 3,
        5: 3,
        10: 3,
        25: 3,
        50: 3,
        60: 1,
    }
    small, large = (set(map(id, drawn[size][0])) for size in (10, 25))
    assert not small <= large
    assert drawn == pages._samples(site, "a") != pages._samples(site, "b")


def test_terms_are_the_words_of_some_nodes() -> None:
    page = Page("<p>One two</p><p>Three</p>")
    assert pages.terms(page, range(3)) == {"one", "two"}


def test_content_counts_segments_over_all_pages_of_trafilaturas_layout(tmp_path: Path) -> None:
    gold = {}
    for number in range(3):
        text = f"{' '.join(random.Random(number).choices(BOATS, k=60))} end{number}"
        page = f"<nav>Home News</nav><article><h1>Boat {number}</h1><p>{text}.</p></article><footer>Imprint</footer>"
        write(tmp_path / f"cache/{number}.html", page)
        gold[f"https://{number}.example/"] = {
            "file": f"{number}.html",
            "with": [f"end{number}"],
            "without": ["Imprint"],
        }
    write(tmp_path / "evaldata.json", json.dumps(gold))
    result = content.run(Bench(open_data(tmp_path)))
    own = next(table for table in result.tables if "trafilatura's evaluation" in table.title)
    assert rows(own)["original"] == pytest.approx([0.5, 1.0, 2 / 3])
    assert rows(own)["evidence"][1] == 1
    overview = result.tables[0]
    assert overview.columns[1] == "segments segments"
    assert rows(overview)["original"] == [0.5]
    assert "mdream's rule" not in rows(overview)


def test_content_measures_mdreams_rule_on_sites(shops: Path) -> None:
    result = content.run(Bench(open_data(shops)))
    kept = {row[0]: row for row in result.tables[-1].rows}
    assert kept["mdream's rule"][2] < kept["original"][2]  # type: ignore[operator]


def seven_pages(*, single: bool) -> GoldGroup:
    pages = tuple(GoldPage(f"{number}", b"<p>x", text=" ".join(3 * BOATS)) for number in range(7))
    return GoldGroup(Entry("set", "site", None, single=single), pages)


@pytest.mark.parametrize(("single", "everything", "count"), [(False, True, 5), (True, True, 7), (True, False, 5)])
def test_content_scores_five_pages_of_a_site_and_all_single_pages_if_asked(
    single: bool, everything: bool, count: int
) -> None:
    group = seven_pages(single=single)
    assert len(content.measure(BenchSettings(), [], group, everything=everything)) == count


def test_with_weights_of_several_assignments_the_figures_of_a_page_are_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in product(range(2), range(5)):
        write(tmp_path / "{}-{}.json".format(*name), "{}")
    write(tmp_path / "2-0.json", "{}")  # an assignment that is not complete

    def made(settings: BenchSettings, _: object, cleaner: str, pages: list[GoldPage]) -> Texts:
        count = len(pages)
        known = [page.text if cleaner != DEFAULT or settings.assignment else None for page in pages]
        return Texts(known, 0.0, [0.1 + settings.assignment] * count, [None] * count)

    monkeypatch.setattr(content, "texts", made)
    scored = content.measure(BenchSettings(weights=tmp_path), [DEFAULT, "rtdm"], seven_pages(single=False))
    by = scored[0].by
    assert (by[DEFAULT]["f1"], by["rtdm"]["f1"]) == (0.5, 1)
    assert (by[DEFAULT]["ms"], by["rtdm"]["ms"]) == (600, 100)
    assert (by[DEFAULT]["failed"], by["rtdm"]["failed"]) == (True, False)
    assert by[DEFAULT]["there"] is None


def test_votes_are_counted_for_every_size_on_pages_that_link_to_each_other(mixed: Path, shops: Path) -> None:
    result = votes.run(Bench(open_data(mixed)))
    every = result.tables[1]
    assert len(every.rows) == sum(range(1, 9))
    by = {tuple(row[:2]): row for row in every.rows}
    assert by[3, 2][5] == 4  # loads the key page and three others
    assert by[8, 1][7] == 5  # loads all pages of the site
    assert by[3, 2][4] > 0.9  # type: ignore[operator]
    with pytest.raises(SourceError, match="pages that link to each other"):
        votes.run(Bench(open_data(shops)))


def test_table_1_has_the_papers_columns_for_each_site(mixed: Path) -> None:
    by_site = votes.run(Bench(open_data(mixed))).tables[2]
    (row,) = by_site.rows
    figures = dict(zip(by_site.columns, row, strict=True))
    assert (figures["site"], figures["nodes"], figures["loads"]) == ("manual", 21, 4)
    assert figures["template nodes"] == figures["retrieved"] == 15
    assert figures["ms"] > 0  # type: ignore[operator]


def test_all_sets_of_attributes_are_tried_as_equalities(mixed: Path, shops: Path) -> None:
    every = list(equalities.definitions())
    assert (len(every), every[0], every[-1]) == (256, (), equalities.ATTRIBUTES)
    result = equalities.run(Bench(open_data(mixed), quick=True))
    assert len(result.figures["definitions"]) == 256
    assert "id, class" in rows(result.tables[0])
    by_attribute = rows(result.tables[1])
    # the links of the menu are the same on all pages, so comparing them changes nothing
    assert by_attribute["href"] == pytest.approx([0, 0, 0])
    with pytest.raises(SourceError, match="pages that link to each other"):
        equalities.run(Bench(open_data(shops)))


def test_pairs_are_drawn_with_a_seed_and_never_twice() -> None:
    assert pairs.drawn_pairs(3, 500, "a") == [(0, 1), (0, 2), (1, 2)]
    drawn = pairs.drawn_pairs(40, 500, "a")
    assert len(set(drawn)) == 500
    assert pairs.drawn_pairs(40, 500, "a") == drawn != pairs.drawn_pairs(40, 500, "b")


def test_a_made_site_shares_its_frame_and_is_the_same_for_a_seed(mixed: Path) -> None:
    first, again, other = made_site(5), made_site(5), made_site(5, seed=1)
    assert [page.digest for page in first] == [page.digest for page in again]
    assert first[0].digest != other[0].digest
    result = building.run(Bench(open_data(mixed), quick=True))
    assert [row[0] for row in result.tables[0].rows] == [10, 50, 100]
    assert len(result.tables[0].paper[0]) == len(result.tables[0].columns)


def test_chunks_are_discovered_by_number_of_pages(mixed: Path) -> None:
    result = discovery.run(Bench(open_data(mixed)))
    recall = result.tables[1]
    assert list(recall.columns) == ["method", "2", "3", "5"]
    assert rows(recall)["chunks"][-1] == 1
    assert rows(recall)[discovery.FIXED][0] == 0  # five pages must have a text
    assert result.used == {"docs": (1, 6)}  # counts pages, not sizes
    sizes = rows(result.tables[3])
    assert sizes["chunks"][2] == discovery.sample_size(sizes["chunks"][1])


def test_the_papers_sample_of_200_pages_follows_from_its_formula() -> None:
    assert discovery.sample_size(0.5) == 202  # the largest deviation of a share; the paper took 200
    assert discovery.sample_size(0.0) == 1
    assert discovery.sample_size(0.5, difference=0.1, confidence=0.95) == 97


def test_pages_far_from_all_centres_begin_a_group() -> None:
    shapes = [frozenset(paths) for paths in ("abc", "abcd", "xyz", "xyzw", "ab")]
    groups = discovery.min_max_groups(shapes)
    assert groups == [groups[0], groups[0], groups[2], groups[2], groups[0]]
    assert groups[0] != groups[2]
    assert discovery.min_max_groups([]) == []
    assert discovery.right_share([0, 0, 1, 1], ["a", "a", "b", "b"]) == 1
    assert discovery.right_share([0, 0, 0, 1], ["a", "a", "b", "b"]) == 0.75
    assert discovery.right_share([0, 0], ["a", "b"]) == 0


def test_pairs_are_compared_with_and_without_penalty(mixed: Path) -> None:
    result = pairs.run(Bench(open_data(mixed)))
    titles = [table.title for table in result.tables]
    assert any("without penalty" in title for title in titles)
    assert any("with penalty" in title for title in titles)
    assert {row[0] for row in result.tables[4].rows} == {"rtdm", *pairs.METHODS}
    assert result.tables[4].title.startswith("docs: Pearson")
    assert result.tables[-1].rows[0][:2] == ["docs manual", 15]
    assert [plot.title[:6] for plot in result.plots] == ["F by n", "docs: ", "Time a", "Time a"]
    assert result.plots[0].ticks == ["docs", "Huang 2011"]
    assert result.plots[0].paper["bottom-up, with penalty: Huang 2011"] == [(1.0, 0.003)]  # beside ours, not over it
    assert result.used == {"docs": (1, 6)}  # counts pages, not pairs


def test_a_result_that_breaks_the_order_is_not_a_common_subtree() -> None:
    classes = Classes()
    first, second = (classes.number(Page(html).tree) for html in ("<i>a</i><b>b</b>", "<b>b</b><i>a</i>"))
    assert pairs.is_common(first, second, [0, 1, 2])
    assert not pairs.is_common(first, second, range(len(first)))
    assert pairs.is_common(first, second, [])


def test_changes_are_counted_at_nodes_and_at_leaves() -> None:
    tree = Classes().number(Page("<p>x</p><p>y</p>").tree)  # body, p, x, p, y
    assert pairs.changes(tree, [0, 1, 3, 4]) == [5, 2, 1, 1, 0.2, 1.0]
    assert pairs.changes(tree, range(5)) == [5, 2, 0, 0, 0, 0]


def test_correlations_are_pearsons_and_none_for_constant_values() -> None:
    assert pairs.pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pairs.pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert pairs.pearson([1, 1, 1], [3, 2, 1]) is None


def test_queries_come_from_titles_and_from_their_words_that_are_template_too() -> None:
    known = frozenset({"red", "boat"})
    some = search.Collection([("red", "boat"), ("red", "cake"), ("red", "boat"), ()], [known] * 4, {})
    assert search.by_title(some) == [
        search.Query(("red", "boat"), frozenset({0, 2})),
        search.Query(("red", "cake"), frozenset({1})),
    ]
    assert search.by_template(some) == [
        search.Query(("red",), frozenset({0, 1, 2})),
        search.Query(("red", "boat"), frozenset({0, 2})),
    ]


def test_hits_are_relevant_pages_among_the_first() -> None:
    class Index:
        def get_scores(self, _: list[str]) -> list[float]:
            return [0.0, 3.0, 2.0, 1.0, 0.0]

    assert search.hits(Index(), search.Query(("x",), frozenset({2, 3}))) == [0, 2, 2, 2]
    assert search.hits(Index(), search.Query(("x",), frozenset({0}))) == [0, 0, 0, 0]


def test_a_title_is_the_field_that_names_a_record_or_the_first_line_of_the_gold() -> None:
    assert search.title(GoldPage("a", b"", fields={"price": ("1",), "title": ("Red Boat",)})) == ("red", "boat")
    assert search.title(GoldPage("a", b"", text="\nHead line\nbody")) == ("head", "line")


def test_search_finds_pages_again_and_reports_the_share_of_template(shops: Path, mixed: Path) -> None:
    result = search.run(Bench(open_data(shops)))
    by_title, lucene, by_template, _, shares = result.tables
    assert ("Okapi" in by_title.title, "Lucene" in lucene.title) == (True, True)
    switching = rows(by_template)["switching to chunks"]
    assert switching[2] >= max(rows(by_template)[name][2] for name in ("original", "chunks"))
    assert switching[5] == 0  # no query gets worse
    assert rows(lucene)["original"][0] == 1
    assert rows(by_template)["rtdm"][3] >= rows(by_template)["original"][3]
    assert [list(row[:2]) for row in shares.rows] == [["products", "evidence"], ["products", "chunks"]]
    found = search.run(Bench(open_data(mixed))).tables[-1]
    assert "discovery ratio" in found.title
    assert rows(found)["manual"][2:] == [1, 1]


def test_records_without_a_title_are_not_searched_for_but_still_measured(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"products/a/s/pages/{number}.html", f"<p>menu</p><p>{number} coins</p>")
    gold = {str(number): {"price": [f"{number} coins"]} for number in range(3)}
    write(tmp_path / "products/a/s/gold.json", json.dumps(gold))
    result = search.run(Bench(open_data(tmp_path)))
    assert result.plots == []
    assert [table.title for table in result.tables] == ["Share of template in pages (Table 1)"]
    assert "3 pages, 3 of them without a title" in result.notes[0]


def test_discovery_counts_chunks_that_are_template_as_a_whole() -> None:
    page = Page("<div>menu</div><div>text</div><div>foot</div>")  # body, div, menu, div, text, div, foot
    wanted = frozenset({1, 2, 5, 6})
    assert search.discovered(page, [0, 1, 1, 1, 1, 0, 0], wanted) == (1, 0.5)
    assert search.discovered(page, [0] * 7, frozenset()) is None


def test_metadata_is_counted_only_for_pages_with_gold(mixed: Path) -> None:
    result = metadata.run(Bench(open_data(mixed)))
    assert [table.title.partition(":")[0] for table in result.tables] == ["Title", "Author", "Date"]
    title = rows(result.tables[0])["evidence"]
    assert title[:3] == [1, 1, 0]
    assert rows(result.tables[2])["evidence"][2] == 1  # the pages show no date


@pytest.mark.parametrize(
    ("difference", "said"),
    [([-0.1, -0.2, -0.05], "better"), ([-0.1, -0.2, 0.0], "a tie"), ([0.1, 0.05, 0.2], "worse"), ([None] * 3, "a tie")],
)
def test_a_difference_whose_interval_includes_zero_is_a_tie(difference: list[float | None], said: str) -> None:
    assert content.against(difference) == said


@pytest.mark.parametrize(("sites", "said"), [(5, "a tie on 1, x (a tool)"), (6, "better on 1, x (a tool)")])
def test_few_sites_are_not_enough_for_a_verdict(sites: int, said: str) -> None:
    by = {ORIGINAL: {"f1": 0.1}, DEFAULT: {"f1": 0.9}, "a tool": {"f1": 0.5}}
    scored = [content.Scored("x", f"site {number}", "page", None, None, single=False, by=by) for number in range(sites)]
    assert content._summary(scored, ["x"])[0].endswith(f": {said}.")


def test_a_site_with_mostly_dead_links_is_named_and_left_out(mixed: Path, tmp_path: Path) -> None:
    shutil.copytree(mixed / "docs/manual", tmp_path / "docs/whole")
    shutil.copytree(mixed / "docs/manual", tmp_path / "docs/part")
    for gone in "2345":
        (tmp_path / f"docs/part/pages/{gone}.html").unlink()
    result = votes.run(Bench(open_data(tmp_path)))
    assert result.used == {"docs": (1, 6)}
    assert any(note.endswith("lead to pages outside of the data: part.") for note in result.notes)


@pytest.mark.parametrize(("failed", "whole"), [(2, True), (3, False)])
def test_a_site_is_whole_if_most_links_lead_to_its_pages(failed: int, whole: bool) -> None:
    assert votes.is_whole([Subdigraph((), 4, failed)]) == whole


@pytest.mark.parametrize("experiment", [pages, votes, search], ids=["pages", "votes", "search"])
def test_changed_gold_is_measured_again(mixed: Path, tmp_path: Path, experiment: ModuleType) -> None:
    folder, kept = mixed / "docs/manual/pages", BenchSettings(tmp_path / "cache")
    for selector in ("main", "p"):
        data = open_data(folder, selector=selector)
        first, again = (experiment.run(Bench(data, settings)).tables for settings in (BenchSettings(), kept))
        for one, other in zip(first, again, strict=True):
            times = one.columns.index("ms") if "ms" in one.columns else len(one.columns)
            assert [row[:times] for row in one.rows] == [row[:times] for row in other.rows]


def test_changed_pages_with_metadata_are_read_again(tmp_path: Path) -> None:
    kept = BenchSettings(tmp_path / "cache")
    entry = Entry("set", "site", None, single=True)
    for titles in (("One", None), ("One", "Two")):
        known = tuple(
            GoldPage(str(n), b"<title>One</title><p>x", text="x", title=title) for n, title in enumerate(titles)
        )
        assert metadata.measure(kept, ["evidence"], GoldGroup(entry, known))["pages"] == sum(map(bool, titles))


def test_tables_are_scored_by_field_by_name_and_by_pairs(tmp_path: Path) -> None:
    for site in ("anna", "bert", "cora"):
        folder = tmp_path / "products" / "movie" / site
        films = {f"{n:04d}": f"Film {site} {n}" for n in range(8)}
        for name, film in films.items():
            facts = f"<dl><dt>Director:</dt><dd>Dora {name}</dd><dt>Genre:</dt><dd>Drama {name}</dd></dl>"
            write(folder / "pages" / f"{name}.html", f"<title>{film}</title><h1>{film}</h1>{facts}")
        gold = {name: {"title": [film], "director": [f"Dora {name}"]} for name, film in films.items()}
        write(folder / "gold.json", json.dumps(gold))
        write(folder / "pairs.json", json.dumps({name: {"Director:": [f"Dora {name}"]} for name in films}))
    means = tables.run(Bench(open_data(tmp_path))).figures["means"]
    assert (means["best movie.title"], means["best movie.director"], means["named movie.director"]) == (1.0, 1.0, 1.0)
    assert means["pairs"] == pytest.approx(2 / 3)
    assert means["columns"] == 3
