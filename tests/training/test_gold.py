"""Which texts of a page are content, by its gold."""

import pytest

pytest.importorskip("numpy", reason="numpy is not installed: training is not tested")

from gold import Labels, by_fields, by_selector, by_stream, runs_of, weight

from dehusk.page import Page

STORY = "The lamp at the end of the pier was lit for the first time in forty years last night."
MORE = "Three hundred people came to see it and the ferry sounded its horn at nine."


def texts(page: Page, labels: Labels) -> dict[str, bool]:
    return {page.tree.text[node]: content for node, (content, _) in labels.items()}


def labelled(html: str, gold: str) -> dict[str, bool]:
    page = Page(html)
    return texts(page, by_stream(page.tree, gold))


def test_texts_of_the_gold_are_content_and_others_are_not() -> None:
    found = labelled(f"<nav><a>Home and garden news</a></nav><p>{STORY}</p>", STORY)
    assert found == {"Home and garden news": False, STORY: True}


def test_texts_without_words_have_no_label() -> None:
    found = labelled(f"<nav><a>Home</a> | <a>News</a></nav><p>{STORY}</p><p>-</p>", f"{STORY}\n\n")
    assert set(found) == {"Home", "News", STORY}


def test_a_link_of_two_words_is_judged_with_its_paragraph() -> None:
    found = labelled(
        f"<p>{STORY} Ask <a>harbour office</a> for tickets to it.</p><a>contact us</a>",
        f"{STORY} Ask harbour office for tickets to it.",
    )
    assert found["harbour office"]
    assert not found["contact us"]


def test_the_headline_in_a_teaser_is_not_that_of_the_article() -> None:
    headline = "Pier lamp is lit again"
    page = Page(f"<aside><a>{headline}</a></aside><h1>{headline}</h1><p>{STORY}</p><p>{MORE}</p>")
    labels = by_stream(page.tree, f"{headline}\n{STORY}\n{MORE}")
    assert [content for content, _ in labels.values()] == [False, True, True, True]


def test_a_repeated_text_is_content_as_many_times_as_in_the_gold() -> None:
    page = Page(f"<p>{STORY}</p><p>{MORE}</p><footer><p>{STORY}</p></footer>")
    twice = by_stream(page.tree, f"{STORY}\n{MORE}\n{STORY}")
    assert [content for content, _ in twice.values()] == [True, True, True]


def test_a_short_text_is_content_if_it_is_a_line_of_the_gold() -> None:
    assert labelled(f"<h2>Old lamp</h2><p>{STORY}</p><b>Old tower</b>", f"Old lamp\n{STORY}") == {
        "Old lamp": True,
        STORY: True,
        "Old tower": False,
    }


def test_a_repeated_short_line_is_content_at_its_place_in_the_gold() -> None:
    page = Page(f"<p>{STORY}</p><b>Old lamp</b><p>{MORE}</p><b>Old lamp</b>")
    labels = by_stream(page.tree, f"{STORY}\nOld lamp\n{MORE}")
    assert [content for content, _ in labels.values()] == [True, True, True, False]


def test_words_of_chinese_are_characters() -> None:
    text = "灯塔昨晚四十年来第一次点亮"
    assert labelled(f"<p>{text}</p><a>联系我们</a>", text) == {text: True, "联系我们": False}


def test_the_labels_of_a_page_weigh_one_together() -> None:
    page = Page(f"<nav>Home</nav><p>{STORY}</p><p>{MORE}</p>")
    assert sum(share for _, share in by_stream(page.tree, STORY).values()) == pytest.approx(1.0)


def test_a_long_text_does_not_outweigh_a_page() -> None:
    assert weight("word " * 1000) == weight("word " * 60)


def test_a_page_without_gold_has_only_template_labels() -> None:
    assert labelled(f"<p>{STORY}</p>", "") == {STORY: False}


def test_elements_matched_by_a_selector_are_content() -> None:
    page = Page(f"<nav>Home</nav><main><p>{STORY}</p></main>")
    assert texts(page, by_selector(page, "main")) == {"Home": False, STORY: True}


def test_regions_of_fields_are_content_and_what_repeats_outside_the_record_is_not() -> None:
    names, prices = ("Canon", "Nikon", "Leica", "Pentax"), ("300", "400", "900", "250")
    shop = "<nav><a>Home</a></nav><div class=record><h1>{}</h1><p class=price>{}</p></div><footer>Imprint</footer>"
    pages = [Page(shop.format(name, price)) for name, price in zip(names, prices, strict=True)]
    labels = by_fields(pages, [list(fields) for fields in zip(names, prices, strict=True)])
    assert texts(pages[0], labels[0]) == {"Canon": True, "300": True, "Home": False, "Imprint": False}


@pytest.mark.parametrize(
    ("flags", "runs"),
    [([], []), ([False], []), ([True], [(0, 1)]), ([True, True, False, True], [(0, 2), (3, 4)])],
)
def test_runs_are_consecutive_flags(flags: list[bool], runs: list[tuple[int, int]]) -> None:
    assert runs_of(flags) == runs
