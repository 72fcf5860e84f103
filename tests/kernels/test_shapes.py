"""What a text looks like, and what the words of an address say."""

import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import kernel_versions

VERSIONS = kernel_versions("shapes")
MODULES = [version.values[0] for version in VERSIONS]
ENDS = re.compile(r"[.!?\u2026\u3002\uff01\uff1f](?:[\"'\u201d\u2019\xbb)\]]*)(?:\s|$)|[\u3002\uff01\uff1f]")
STEPS = {">", ">>", "\xbb", "\u203a", "\u2192", "::", "/", "\u2039", "\uff1e"}
ARTICLE = re.compile(r"\d{5}|/(?:19|20)\d\d[/-]\d|[^/-]+-[^/-]+-[^/-]+-[^/-]")
TEXTS = st.text("ab \"').!?:>/_1\u2026\u3002\xbb\u4e2d\xe9", max_size=12).map(lambda text: " ".join(text.split()))


@given(TEXTS)
def test_a_text_is_read_in_one_pass_as_patterns_would(text: str) -> None:
    for kernel in MODULES:
        shape = kernel.Shape(text)
        assert shape.ends_sentence == bool(ENDS.search(text))
        assert shape.has_steps == (not STEPS.isdisjoint(text.split()))
        assert shape.is_number == (not any(map(str.isalpha, text)))
        assert shape.ends_in_colon == text.endswith(":")
        assert shape.words == sum(map(str.isalnum, text))
        first = re.search(r"\w", text)
        assert shape.first == (first.start() if first else -1)
        assert shape.size == kernel.size_of(text) == sum(map(len, text.split())) + 2 * text.count("\u4e2d")


@pytest.mark.parametrize("kernel", VERSIONS)
def test_only_some_texts_are_worth_a_closer_look(kernel: ModuleType) -> None:
    dated = ["4.5.2024", "4 May 2024", "12:30", "2024\u5e745\u67084\u65e5", "May 4, 2024"]
    assert all(kernel.Shape(text).may_be_dated for text in dated)
    assert not kernel.Shape("17 boats of 2 kinds").may_be_dated
    assert all(kernel.Shape(text).may_be_priced for text in ("$ 5", "5 z\u0142", "5EUR", "5 \u0440\u0443\u0431"))
    assert not kernel.Shape("Every Cup of 5").may_be_priced
    reserved = [
        "\xa9 Post",
        "All RIGHTS reserved",
        "Alle Rechte",
        "\u0412\u0441\u0435 \u043f\u0440\u0430\u0432\u0430",
        "(c) 2024",
    ]
    assert all(kernel.Shape(text).may_reserve_rights for text in reserved)
    assert not kernel.Shape("Red roofs").may_reserve_rights


@given(st.text("a1290-/", max_size=14))
def test_addresses_of_articles_have_numbers_dates_or_many_words(address: str) -> None:
    assert [kernel.is_article(address) for kernel in MODULES] == [bool(ARTICLE.search(address))] * len(MODULES)


@pytest.mark.parametrize("kernel", VERSIONS)
def test_words_of_an_address_are_whole(kernel: ModuleType) -> None:
    assert kernel.names_in("https://a.example/tag/shared?print=1", {"tag": 0, "share": 1, "print": 2}) == 0b101
