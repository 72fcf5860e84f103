"""Measures, compared with values computed by hand."""

import pytest

from dehusk.bench.evaluation.measures import (
    Score,
    SegmentCounts,
    article_counts,
    article_score,
    bootstrap,
    field_recall,
    rouge_lsum,
    said_score,
    segment_counts,
    segment_score,
    set_score,
    share_interval,
    share_kept,
    shingle_score,
    snippets,
    verdict,
    word_score,
    words,
)


def test_shingles_are_multisets_of_four_words() -> None:
    score = shingle_score("a b c d e", "a b c d x")
    assert (score.precision, score.recall, score.f1) == (0.5, 0.5, 0.5)


def test_case_and_punctuation_do_not_count() -> None:
    assert shingle_score("One, two; THREE four!", "one two three four").f1 == 1


def test_an_empty_result_scores_zero() -> None:
    assert shingle_score("", "a b c d").f1 == 0


def test_field_values_are_whole_word_runs() -> None:
    assert field_recall("Canon EOS", "Canon EOS 5D used", ["Canon", "5D", "not there"]) == 0.5
    assert field_recall("Canonical", "Canon Canonical", ["Canon"]) == 0
    assert field_recall("x", "x", ["y"]) is None


def test_share_kept_is_of_the_words() -> None:
    assert share_kept("ab", "ab, ab ab") == pytest.approx(4 / 10)


def test_chinese_and_japanese_count_by_the_character() -> None:
    assert words("漢字 かな Kanji") == ["漢", "字", "か", "な", "kanji"]


def test_a_score_of_counts_has_precision_recall_and_their_harmonic_mean() -> None:
    assert Score.of(2, 2, 6) == (1, 1 / 3, 0.5)
    assert Score.of(0, 0, 0) == Score.of(0, 3, 0) == (0, 0, 0)


def test_words_in_any_order_count_for_the_score_of_words() -> None:
    assert word_score("c b a a", "a b c") == (3 / 4, 1, 6 / 7)


def test_sets_of_terms_or_nodes_are_compared_and_two_empty_sets_are_equal() -> None:
    assert set_score({1, 2, 3}, {2, 3, 4, 5}) == Score.of(2, 3, 4)
    assert set_score(set(), set()) == (1, 1, 1)
    assert set_score({1}, set()) == (0, 0, 0)


def test_rouge_takes_the_common_words_of_each_line_in_order_in_any_script() -> None:
    pytest.importorskip("rouge_score_rs", reason="needs rouge_score_rs: make test-bench brings it")
    assert rouge_lsum("дом большой\nлес", "большой дом\nлес").f1 == pytest.approx(2 / 3)
    assert rouge_lsum("漢字", "漢語").f1 == 0.5
    assert rouge_lsum("", "x").f1 == 0


def test_snippets_are_runs_of_words_that_must_or_must_not_be_there() -> None:
    assert snippets("The cat, sat down", ["cat sat", "sat on"], ["the", "dog"]) == (0.5, 0.5)
    assert snippets("x", [], []) == (None, None)


def test_the_article_benchmark_counts_each_page_as_one_and_keeps_capitals() -> None:
    assert article_counts("a b c d e", "a b c d x y") == (1 / 4, 1 / 4, 2 / 4)
    assert article_counts("A b", "a b") == (0, 0.5, 0.5)
    assert article_counts("", "") == (0, 0, 0)


def test_the_article_benchmark_takes_f1_of_the_mean_precision_and_recall() -> None:
    found = article_score([article_counts("a b c d", "a b c d"), article_counts("", "a b c d")])
    assert (found.precision, found.recall) == (1, 0.5)
    assert found.f1 == pytest.approx(2 / 3)
    assert article_score([article_counts("x", "y")]) == (0, 0, 0)


def test_a_difference_has_an_interval_that_holds_its_mean_and_is_the_same_each_time() -> None:
    values = [0.1, 0.2, 0.0, 0.3, 0.1] * 10
    found = bootstrap(values)
    assert found == bootstrap(values)
    assert found.mean == pytest.approx(0.14)
    assert found.low < found.mean < found.high
    assert bootstrap([0.5]) == (0.5, 0.5, 0.5)


def test_metadata_is_compared_by_all_or_by_half_of_its_words() -> None:
    assert said_score("The Cat!", "the cat") == (True, True, False)
    assert said_score("the cat", "the cat sat") == (False, True, False)
    assert said_score("the dog", "the cat sat") == (False, False, False)


def test_an_empty_value_is_not_right_even_if_the_gold_has_no_word() -> None:
    assert said_score(None, "?") == (False, False, True)


def test_two_texts_without_words_are_the_same() -> None:
    assert shingle_score("", "!").f1 == 1
    assert said_score(None, "the cat") == (False, False, True)


def test_segments_are_counted_with_runs_of_white_space_as_one() -> None:
    counts = segment_counts("one  two\nthree four", ["one two", "two\n three", "twothree"], ["four", "five"])
    assert counts == (2, 1, 1)
    assert segment_counts("One", ["one"], []) == (0, 1, 0)
    assert segment_score([counts, SegmentCounts(1, 0, 0)]) == pytest.approx((0.75, 0.75, 0.75))


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert share_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=0.0001)  # Newcombe 1998, Table I
    assert share_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=0.0001)  # likewise


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((0.1, 0.01, 0.2), "better"),
        ((0.1, 0.0, 0.2), "a tie"),
        ((-0.1, -0.2, 0.0), "a tie"),
        ((-0.1, -0.2, -0.01), "worse"),
    ],
)
def test_a_change_whose_interval_includes_zero_is_a_tie(change: tuple[float, float, float], said: str) -> None:
    assert verdict(change) == said
