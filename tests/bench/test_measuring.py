"""Groups of pages to measure; the number of processes does not change results."""

from functools import partial
from itertools import product
from pathlib import Path

import pytest

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.datasets import fold_of_brand
from dehusk.bench.evaluation.layouts import Data, open_data
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage
from dehusk.bench.measuring import MOST_PAGES, Bench, _sendable
from dehusk.bench.texts import NODES, ORIGINAL, BenchSettings, by_assignment, group_key, texts, weights_for
from killers import measured


def lengths(settings: BenchSettings, method: str, group: GoldGroup) -> list[int]:
    return [len(text or "") for text in texts(settings, group, method, group.golden).texts]


def test_a_sample_is_the_same_each_time_and_says_what_it_leaves_out(shops: Path) -> None:
    data = open_data(shops)
    first, second = (Bench(data).draw(4) for _ in range(2))
    assert first == second
    assert len(first) == 4
    bench = Bench(data, quick=True)
    assert len(bench.draw(8)) == 2
    assert bench.not_drawn == {"products": 4}
    assert len(Bench(data, everything=True).draw(1)) == 6
    assert {entry.category for entry in Bench(data).draw(9, lambda entry: entry.category == "boat")} == {"boat"}


def test_processes_give_what_one_process_gives_in_the_same_order(shops: Path) -> None:
    data = open_data(shops)
    one, two = (
        list(Bench(data, jobs=jobs).map("x", partial(lengths, BenchSettings(), "rtdm"), data.entries))
        for jobs in (1, 2)
    )
    assert one == two
    assert [entry for entry, _ in one] == list(data.entries)


def test_a_group_that_kills_its_process_is_left_out_and_named(shops: Path) -> None:
    data = open_data(shops)
    bench = Bench(data, jobs=2)
    deadly = data.entries[1]
    outcomes = list(bench.map("x", partial(measured, "leave at once", deadly.name), data.entries))
    assert [name for _, name in outcomes] == [entry.name for entry in data.entries if entry != deadly]
    assert bench.left_out == [Skipped(deadly.name, "the process that worked on it died (exit code 3)")]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_of_an_experiment_ends_it_in_any_process(shops: Path, jobs: int) -> None:
    data = open_data(shops)
    bench = Bench(data, jobs=jobs)
    with pytest.raises(ValueError, match="no more"):
        list(bench.map("x", partial(measured, "complain", data.entries[1].name), data.entries))


class OddError(Exception):
    """An exception that cannot be rebuilt from its message."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} {second}")


def test_an_exception_that_cannot_be_sent_is_replaced_by_its_traceback() -> None:
    error = OddError("no", "more")
    error.add_note("where it was raised")
    assert str(_sendable(error)) == "where it was raised"
    assert _sendable(plain := ValueError("no more")) is plain


def test_an_unreadable_page_is_noted_once() -> None:
    def read(_: Path, __: object) -> list[Skipped]:
        return [Skipped("a", "broken")]

    bench = Bench(Data(Path(), "none", (), read))  # type: ignore[arg-type]
    for _ in range(2):
        assert not list(bench.groups([]))
    assert bench.left_out == [Skipped("a", "broken")]


def test_a_large_site_is_cut_to_what_learning_looks_at_and_keeps_its_gold() -> None:
    pages = [GoldPage(str(number), b"<p>x", text="x" if number == 500 else None) for number in range(501)]
    large = GoldGroup(Entry("set", "site", None), tuple(pages))
    bench = Bench(Data(Path(), "none", (), lambda _, __: iter([large])))
    (group,) = bench.groups([])
    assert len(group.pages) == MOST_PAGES
    assert group.golden == [pages[500]]


def test_the_whole_text_is_a_cleaner_that_removes_nothing() -> None:
    page = GoldPage("a", b"<nav>menu</nav><p>text</p>", text="text")
    found = texts(BenchSettings(), GoldGroup(Entry("set", "site", None), (page,)), ORIGINAL, [page])
    assert (found.texts[0] or "").split() == ["menu", "text"]


def test_weights_were_trained_without_the_brand(tmp_path: Path) -> None:
    group = GoldGroup(Entry("news-big9", "big9-bbc-2005", None), (GoldPage("a", b"<p>x", text="x"),))
    for assignment, number in product(range(2), range(5)):
        (tmp_path / f"{assignment}-{number}.json").write_text(f'{{"fold": {number}, "of": {assignment}}}', "utf-8")
    settings, second = by_assignment(BenchSettings(weights=tmp_path), "evidence")
    assert weights_for(settings, group, "evidence") == {"weights": {"fold": fold_of_brand("bbc", 0), "of": 0}}
    assert weights_for(second, group, "evidence") == {"weights": {"fold": fold_of_brand("bbc", 1), "of": 1}}
    assert group_key(second, group, "evidence") != group_key(settings, group, "evidence")
    assert by_assignment(settings, "rtdm") == [settings]
    assert weights_for(settings, group, "rtdm") == {}
    assert group_key(settings, group, "evidence") != group_key(BenchSettings(), group, "evidence")
    assert group_key(settings, group, "rtdm") == group_key(BenchSettings(), group, "rtdm")


@pytest.mark.parametrize("method", ["evidence", NODES])
def test_the_default_has_two_grains(shops: Path, method: str) -> None:
    data = open_data(shops)
    group = next(Bench(data).groups(data.entries))
    whole, cleaned = (sum(lengths(BenchSettings(), one, group)) for one in (ORIGINAL, method))
    assert 0 < cleaned < whole


def test_a_page_with_another_address_is_another_page() -> None:
    first, second = (
        GoldGroup(Entry("set", "site", None), (GoldPage("a", b"<p>x", url=f"https://{host}.example/"),))
        for host in "ab"
    )
    assert group_key(BenchSettings(), first, "rtdm") != group_key(BenchSettings(), second, "rtdm")


def test_nodes_are_marked_on_the_pages_that_have_gold_for_them(tmp_path: Path) -> None:
    settings = BenchSettings(tmp_path / "cache")
    for selector in (None, "p"):
        page = GoldPage("a", b"<nav>menu</nav><p>text</p>", text="text", selector=selector)
        found = texts(settings, GoldGroup(Entry("set", "site", None), (page,)), "rtdm", [page])
        assert (found.nodes[0] is None) == (selector is None)
