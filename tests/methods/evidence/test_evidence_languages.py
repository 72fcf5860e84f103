"""The default method on journals in six languages: all of the article is kept, the rest is removed."""

import pytest

import dehusk
from journals import JOURNALS, teaser


@pytest.mark.parametrize("lang", JOURNALS)
def test_every_article_is_kept_whole_and_in_order_and_nothing_else(lang: str) -> None:
    journal = JOURNALS[lang]
    template = dehusk.learn(journal.pages())
    for story, html in zip(journal.stories, journal.pages(), strict=True):
        cleaned = template.clean(html)
        assert [line for line in cleaned.text.splitlines() if line] == story.said
        assert cleaned.warnings == []
        assert cleaned.metadata.language == lang


@pytest.mark.parametrize("lang", JOURNALS)
def test_a_page_outside_the_sample_loses_the_template_too(lang: str) -> None:
    journal = JOURNALS[lang]
    *known, new = journal.pages()
    text = dehusk.learn(known).clean(new).text
    assert all(piece in text for piece in journal.stories[-1].said)
    frame = {*journal.frame, *map(teaser, journal.stories)}
    assert not frame & {line.removeprefix("- ") for line in text.splitlines()}


@pytest.mark.parametrize("lang", JOURNALS)
def test_a_single_page_keeps_its_article_and_loses_most_of_the_template(lang: str) -> None:
    journal = JOURNALS[lang]
    html = journal.pages()[0]
    text = dehusk.learn([html]).clean(html).text
    assert all(piece in text for piece in journal.stories[0].said)
    assert len(set(journal.frame) & set(text.splitlines())) <= 0.3 * len(journal.frame)
