"""The measures, by hand."""

import pytest

from dehusk.evaluation.measures import Score, field_recall, share_kept, shingle_score, words


def test_shingles_are_multisets_of_four_words() -> None:
    score = shingle_score("a b c d e", "a b c d x")
    assert (score.precision, score.recall, score.f1) == (0.5, 0.5, 0.5)


def test_case_and_punctuation_do_not_count() -> None:
    assert shingle_score("One, two; THREE four!", "one two three four").f1 == 1


def test_nothing_found_scores_nothing() -> None:
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
