"""Clustering and classification: values by hand, and shops whose templates differ more than their products."""

import shutil
from pathlib import Path

import pytest

from dehusk.bench._mining import FIELDS_ALONE, TEMPLATE_ALONE, Corpus, gain, named_cleaners
from dehusk.bench._results import CLASSIFICATION

sklearn = pytest.importorskip("sklearn", reason="needs sklearn: make test-bench brings it")
pytest.importorskip("matplotlib", reason="needs matplotlib: make test-bench brings it")

from dehusk.base.errors import SourceError  # noqa: E402
from dehusk.bench.evaluation.layouts import open_data  # noqa: E402
from dehusk.bench.experiments import _classify as classify  # noqa: E402
from dehusk.bench.experiments import _cluster as cluster  # noqa: E402
from dehusk.bench.experiments import _training as training  # noqa: E402
from dehusk.bench.measuring import Bench  # noqa: E402


def test_clusters_are_assigned_to_categories_for_the_highest_mean_f() -> None:
    assert cluster.best_f(["a", "a", "b", "b"], [1, 1, 0, 0]) == 1
    # a is cluster 0 with 2 of 2 and 3 pages (0.8), b is cluster 1 with 1 of 2 and 1 page (2/3)
    assert cluster.best_f(["a", "a", "b", "b"], [0, 0, 0, 1]) == pytest.approx((0.8 + 2 / 3) / 2)
    assert cluster.best_f(["a", "b"], [0, 0]) == pytest.approx((2 / 3) / 2)


def test_f_and_accuracy_of_a_classification() -> None:
    assert classify.f_and_accuracy(["a", "a", "b"], ["a", "b", "b"]) == pytest.approx((2 / 3, 2 / 3))
    assert classify.f_and_accuracy(["a", "b"], ["b", "b"]) == pytest.approx((1 / 3, 0.5))


def test_the_three_configurations_choose_sites_as_the_paper_does() -> None:
    sites = ("x", "x", "y", "y", "z")
    pages = Corpus(("a", "b", "a", "b", "a"), sites, ({},) * 5, {}, {})
    assert [(task.training, task.test) for task in classify.tasks(pages, 1)] == [
        ([0, 1], [2, 3, 4]),
        ([2, 3], [0, 1, 4]),
    ]
    assert list(classify.tasks(pages, 2)) == [
        classify.PairOfCategories("a", "b", [4, 1], [2, 3]),
        classify.PairOfCategories("a", "b", [4, 3], [0, 1]),
    ]
    third = [(task.training, task.test) for task in classify.tasks(pages, 3)]
    assert third == [([0, 3], [1, 2, 4]), ([2, 1], [0, 3, 4]), ([4, 1], [0, 2, 3]), ([4, 3], [0, 1, 2])]


def test_cleaning_helps_clustering_and_classification_on_shops_with_large_templates(shops: Path) -> None:
    bench = Bench(open_data(shops), runs=8)
    clusters = cluster.run(bench)
    found = {row[0]: row for row in clusters.tables[0].rows}
    mean_f = clusters.plots[0]
    assert mean_f.paper["rtdm: Vieira et al. 2006, RTDM-TD"] == [(0.0, 0.482)]
    assert all(low <= mean_f.series[name][0][1] <= high for name, ((low, high),) in mean_f.intervals.items())
    assert found["rtdm"][1] > found["original"][1]  # type: ignore[operator]
    assert found["original"][-2] == 0  # no run is better than the best of these
    assert found["gold fields alone"][-1] < found["original"][-1]  # type: ignore[operator]
    first, second, third = classify.run(bench).tables[:3]
    for table in (second, third):
        by = {row[0]: row for row in table.rows}
        assert by["rtdm"][1] >= by["original"][1]  # type: ignore[operator]
    assert "configuration 1" in first.title


def test_words_of_test_pages_are_not_in_the_vocabulary() -> None:
    texts = ("cat cat", "cat dog", "dog", "dog bird", "bird bird bird bird cat")
    pages = Corpus(("a", "a", "b", "b", "a"), ("x",) * 5, ({},) * 5, {"original": texts}, {})
    task = classify.PairOfCategories("a", "b", [0, 1, 2, 3], [4])
    counts = pages.counts("original", least=1)
    # "bird" is on one training page only. If the test page counted, it would be on two, and speak for b.
    assert classify.predicted(counts, ["a", "a", "b", "b"], task, 2) == ["a"]
    assert classify.predicted(counts, ["a", "a", "b", "b"], task, 1) == ["b"]


def test_a_gain_over_nothing_is_unknown() -> None:
    assert gain(0.0, 0.5) is None
    assert gain(0.5, 0.75) == pytest.approx(0.5)


def test_table_6_is_shown_as_printed() -> None:
    last = CLASSIFICATION[3][-2:]
    assert [row[2] for row in last] == [0.5230, 0.5836]
    assert [row[4] for row in last] == [0.5264, 0.4102]
    assert all("looks swapped" in str(row[0]) for row in last)


def test_classification_by_pages_learned_from_ends_where_sites_end(shops: Path) -> None:
    result = training.run(Bench(open_data(shops)))
    assert result.tables[0].columns == ["method", "6"]  # no shop has ten pages
    assert {row[0] for row in result.tables[0].rows} == {"rtdm", "evidence"}


def test_data_without_categories_is_reported(mixed: Path) -> None:
    with pytest.raises(SourceError, match="no pages of several categories"):
        cluster.run(Bench(open_data(mixed)))


def test_too_few_sites_to_train_and_test_on_are_reported(shops: Path, tmp_path: Path) -> None:
    for topic in ("boat", "cake"):
        shutil.copytree(shops / f"products/{topic}/only-{topic}", tmp_path / f"products/{topic}/only-{topic}")
    with pytest.raises(SourceError, match="too few sites of a category"):
        classify.run(Bench(open_data(tmp_path)))


def test_pages_of_a_vertical_are_classified_by_the_only_label_in_a_field() -> None:
    genres = ("Drama", "Comedy, Drama", "comedy", "western")
    fields: tuple[dict[str, tuple[str, ...]], ...] = tuple({"genre": (genre,)} for genre in genres)
    texts = {"original": ("a b", "c", "d", "e"), "rtdm": ("a", "c", "d", "e")}
    part = Corpus(("movie",) * 3 + ("book",), ("x", "x", "y", "y"), fields, texts, {}).within(
        "movie", "genre", ("drama", "comedy")
    )
    assert (part.category, part.site) == (("drama", "comedy"), ("x", "y"))
    assert part.texts["original"] == ("a b", "d")


def test_the_cleaner_of_the_template_has_only_the_removed_words() -> None:
    texts = {"original": ("menu menu boat", "menu cake boat"), "rtdm": ("boat", "cake boat")}
    counts = Corpus(("a", "b"), ("x", "y"), ({}, {}), texts, {}).counts(TEMPLATE_ALONE)
    assert counts.toarray().tolist() == [[2], [1]]  # menu


def test_the_cleaner_of_gold_fields_has_no_other_words_of_the_page() -> None:
    fields: tuple[dict[str, tuple[str, ...]], ...] = ({"name": ("Boat", "boat")}, {"name": ("Cake",), "price": ()})
    counts = Corpus(("a", "b"), ("x", "y"), fields, {"original": ("menu boat", "menu cake")}, {}).counts(FIELDS_ALONE)
    assert counts.toarray().tolist() == [[2, 0], [0, 1]]


@pytest.mark.parametrize(
    ("better", "said"),
    [("", "no method"), ("abc", "every method"), ("a", "a"), ("ab", "every method but c")],
)
def test_the_summary_names_the_cleaners_that_improve_results(better: str, said: str) -> None:
    assert named_cleaners(list(better), list("abc")) == said
