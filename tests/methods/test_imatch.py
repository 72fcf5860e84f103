"""I-Match: which pages are duplicates."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from dehusk.methods._imatch import FREQUENT, Frequencies, count, digest, imatch, terms

documents = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), max_size=8)


def sha1(written: str) -> str:
    return hashlib.sha1(written.encode()).hexdigest()


def test_terms_are_distinct_words_in_lower_case() -> None:
    assert terms("The cat, the CAT; été 1998!") == {"the", "cat", "été", "1998"}


def test_a_term_is_counted_once_a_document() -> None:
    assert count([["a", "a", "b"], ["a"]]) == Frequencies(2, {"a": 2, "b": 1})


def test_the_digest_is_sha1_over_the_rare_terms_in_the_order_of_unicode() -> None:
    frequencies = Frequencies(4, {"menu": 4, "home": 3, "é": 2, "z": 1, "Z": 1, "語": 1})
    assert digest(["語", "é", "z", "menu", "Z", "home"], frequencies) == sha1("Z\nz\né\n語")


def test_a_term_on_half_of_the_documents_is_not_yet_frequent() -> None:
    assert FREQUENT == 0.5
    assert digest(["x", "y"], Frequencies(4, {"x": 2, "y": 3})) == sha1("x")


def test_a_document_of_only_frequent_terms_is_identified_by_all_its_terms() -> None:
    frequencies = Frequencies(2, {"a": 2, "b": 2, "c": 2})
    assert digest(["b", "a"], frequencies) == sha1("a\nb")
    assert digest(["b", "a"], frequencies) != digest(["b", "c"], frequencies)


def test_a_term_that_was_never_counted_is_rare() -> None:
    assert digest(["new", "old"], Frequencies(2, {"old": 2})) == sha1("new")


def test_pages_that_differ_only_in_the_menu_are_duplicates() -> None:
    story, other, third = {"x", "y"}, {"u", "v"}, {"w"}
    menu = {"home", "about"}
    first, print_version, second, last = imatch([story | menu, story, other | menu, third | menu])
    assert first == print_version
    assert len({first, second, last}) == 3


def test_no_documents_have_no_digests_and_empty_ones_are_equal() -> None:
    assert imatch([]) == []
    assert imatch([[], []]) == [sha1("")] * 2


@given(documents, st.randoms(use_true_random=False))
def test_order_and_repetition_within_a_document_do_not_matter(drawn: list[list[str]], random: object) -> None:
    shuffled = [random.sample(one, len(one)) + one[:1] for one in drawn]  # type: ignore[attr-defined]
    assert imatch(shuffled) == imatch(drawn)


@given(documents)
def test_digests_agree_exactly_if_the_remaining_terms_agree(drawn: list[list[str]]) -> None:
    def left(one: list[str]) -> set[str]:
        rare = {term for term in one if sum(term in other for other in drawn) * 2 <= len(drawn)}
        return rare or set(one)

    digests = imatch(drawn)
    for first, x in zip(drawn, digests, strict=True):
        for second, y in zip(drawn, digests, strict=True):
            assert (x == y) == (left(first) == left(second))


@given(documents)
def test_two_passes_over_a_stream_give_what_one_call_gives(drawn: list[list[str]]) -> None:
    frequencies = count(iter(drawn))
    assert [digest(one, frequencies) for one in drawn] == imatch(drawn)
