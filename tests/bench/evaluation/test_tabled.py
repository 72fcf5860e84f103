"""Measures of tables."""

import pytest

from dehusk.bench.evaluation._tabled import best_column, best_list, by_name, gold_pairs, page_score, pair_score

ROWS = [{"price": ["$5"], "all": ["$5", "Lamp"]}, {"price": ["$7"], "all": ["$7", "Desk"]}, {"all": ["Chair"]}]
GOLD = [{("5",)}, {("7",)}, {("9",)}]


def test_values_beside_the_right_one_count_against_precision() -> None:
    assert page_score("price", ROWS, GOLD).precision == 1.0
    assert page_score("price", ROWS, GOLD).f1 == pytest.approx(0.8)
    assert page_score("all", ROWS, GOLD).precision == pytest.approx(1 / 3)


def test_the_best_column_is_chosen_on_even_pages_and_scored_on_odd_ones() -> None:
    rows = [{"a": ["x"], "b": ["?"]}, {"a": ["?"], "b": ["y"]}]
    chosen = best_column(rows, [["x"], ["y"]])
    assert chosen is not None
    assert (chosen.column, chosen.score.f1) == ("a", 0.0)
    assert best_column(rows, [["x"], []]) is None


def test_a_name_is_chosen_in_the_order_of_what_is_asked() -> None:
    assert by_name(["invoice", "starting_msrp"], ["msrp", "invoice"]) == "starting_msrp"
    assert by_name(["title_2", "title"], ["title"]) == "title"
    assert by_name(["subtitle"], ["title"]) is None


def test_a_list_is_chosen_on_the_first_page_and_scored_on_the_others() -> None:
    rows = [{"a": ["x", "y"], "b": ["x"]}, {"a": ["z"], "b": []}]
    assert best_list(rows, [["x", "y"], ["z", "w"]]) == [pytest.approx(2 / 3)]
    assert best_list(rows[:1], [["x"]]) == []


def test_gold_pairs_have_the_last_part_of_a_label() -> None:
    labels = {"Cast | Directed by:": ["Ann Lee"], "Year&&&x": ["1999"], "topic_entity_name": ["Film"], "R": ["r"]}
    assert gold_pairs(labels) == {(("directed", "by"), ("ann", "lee")), (("year",), ("1999",))}


def test_pairs_are_scored_over_all_pages() -> None:
    one, two = (("a",), ("b",)), (("c",), ("d",))
    assert pair_score([{one}, {two}], [{one}, {one}]).f1 == 0.5
