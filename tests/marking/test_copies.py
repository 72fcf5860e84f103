"""Blocks that a page has twice: which copy is removed, and what stays although it is repeated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.marking import _copies
from dehusk.marking._copies import MOST_RUNS, _Copy, _Search, copies
from dehusk.page import Page
from dehusk.page.elements import texts_in

BOATS = (
    "The fishing boats go out before nine in the morning and come back with the tide, late in the day, "
    "with herring for the market."
)
NETS = (
    "Their nets are mended by hand on the quay, with twine from the shop behind the harbour master's house, on Fridays."
)
STORM = "In a storm nobody leaves, the lamps are lit on both piers, and the bell rings until the last boat is tied up."
STORY = f"<p>{BOATS}</p><p>{NETS}</p>"
SHORT = f"<p>{BOATS}</p>"


def left(html: str, kind: str | None = "article") -> list[str]:
    """The texts of a page without the copies."""
    page = Page(html)
    return list(page.strings_without(copies(page, [], kind)))


def everything(html: str) -> list[str]:
    return list(Page(html).strings_without([]))


def test_a_version_for_phones_beside_the_original_is_removed() -> None:
    html = f"<main><h1>Boats</h1><div class=desktop>{STORY}</div><div class=mobile>{STORY}</div><p>{STORM}</p></main>"
    page = Page(html)
    (copy,) = copies(page, [], "article")
    assert copy == page.select(".mobile")[0]
    assert left(html) == ["Boats", BOATS, NETS, STORM]


@pytest.mark.parametrize("kind", [None, "product", "listing"])
def test_copies_beside_each_other_are_removed_on_pages_of_most_kinds(kind: str | None) -> None:
    assert left(f"<div class=wide>{SHORT}</div><div class=narrow>{SHORT}</div>", kind) == [BOATS]


def test_of_three_versions_one_is_left() -> None:
    versions = "".join(f"<div class={name}>{STORY}</div>" for name in ("desktop", "tablet", "mobile"))
    assert left(f"<h1>Boats</h1>{versions}") == ["Boats", BOATS, NETS]


def test_two_records_with_the_same_names_stay() -> None:
    html = f"<div class='review r1'>{SHORT}</div><div class='review r2'>{SHORT}</div>"
    assert left(html) == everything(html)


def test_the_version_with_a_picture_stays() -> None:
    page = Page(f"<div class=narrow>{SHORT}</div><div class=wide><img src=a.png>{SHORT}</div>")
    assert copies(page, [], "article") == page.select(".narrow")


def test_a_summary_that_is_also_in_the_text_is_removed_and_the_text_stays_whole() -> None:
    html = (
        f"<header><h1>Boats</h1><div class=lead><p>{BOATS} {NETS}</p></div></header>"
        f"<main><article><p>{BOATS} {NETS}</p><p>{STORM}</p></article></main>"
    )
    assert left(html) == ["Boats", f"{BOATS} {NETS}", STORM]
    page = Page(html)
    assert copies(page, [], "article") == page.select(".lead")


def test_a_version_for_print_after_the_text_is_removed() -> None:
    html = f"<main><article>{STORY}<p>{STORM}</p></article></main><p>Print</p><div><div><div>{STORY}</div></div></div>"
    assert left(html) == [BOATS, NETS, STORM, "Print"]


def test_a_short_text_that_is_repeated_elsewhere_stays() -> None:
    html = f"<header><div>{SHORT}</div></header><main><article>{SHORT}<p>{STORM}</p></article></main>"
    assert left(html) == everything(html)


def test_a_paragraph_of_many_stays() -> None:
    others = "".join(f"<p>{STORM} {number} {STORM}</p>" for number in range(9))
    html = f"<section>{others}<p>{BOATS} {NETS}</p></section><main><div><p>{BOATS} {NETS}</p>{others * 2}</div></main>"
    assert left(html).count(f"{BOATS} {NETS}") == 2


@pytest.mark.parametrize("kind", [None, "documentation", "forum"])
def test_copies_apart_from_each_other_stay_where_the_kind_of_page_repeats_things(kind: str | None) -> None:
    html = f"<header><div>{STORY}</div></header><main><article>{STORY}<p>{STORM}</p></article></main>"
    assert left(html) == [BOATS, NETS, STORM]
    assert left(html, kind) == everything(html)


@pytest.mark.parametrize(
    "around",
    [
        "<blockquote>{}</blockquote>",
        "<div class=bbCodeBlock--quote>{}</div>",
        "<pre>{}</pre>",
        "<div><code>{}</code></div>",
    ],
)
def test_quotations_and_code_stay(around: str) -> None:
    beside = f"<div class=post>{SHORT}</div>{around.format(BOATS)}"
    apart = f"<main><article>{STORY}</article></main><p>and</p>{around.format(STORY)}"
    for html in (beside, apart):
        assert left(html) == everything(html)


@pytest.mark.parametrize(
    "html",
    [
        f"<ul><li class=a>{SHORT}</li><li class=b>{SHORT}</li></ul>",
        f"<table><tr><td class=a>{SHORT}</td><td class=b>{SHORT}</td></tr></table>",
        f"<dl><dt>1</dt><dd class=a>{SHORT}</dd><dt>2</dt><dd class=b>{SHORT}</dd></dl>",
        f"<article>{STORY}</article><p>Steps</p><ol><li>Start</li><li><div>{STORY}</div></li></ol>",
        f"<article>{STORY}</article><p>Facts</p><table><tr><td>1</td><td>{STORY}</td></tr></table>",
    ],
)
def test_items_cells_and_definitions_stay(html: str) -> None:
    assert left(html) == everything(html)


def test_the_same_words_at_the_same_place_of_several_records_stay() -> None:
    records = "".join(f"<section class=p{name}><h2>{name}</h2><div>{STORY}</div></section>" for name in "ab")
    assert left(records, "product") == everything(records)


def test_a_refrain_stays() -> None:
    html = f"<p>{STORY}</p><div><p>One</p>{STORY}</div><section><div><p>Two</p>{STORY}</div></section>"
    assert left(html) == everything(html)


@pytest.mark.parametrize(
    "html",
    [
        f"<nav><div>{STORY}<p>{STORM}</p></div></nav><main><div><p><i>{BOATS}</i><i>{NETS}</i> etc.</p></div></main>",
        f"<nav><div>{STORY}<p>{STORM}</p></div></nav><main><div><p>{BOATS}</p><p>{NETS}<b>etc.</b></p></div></main>",
        f"<div class=a><p>{BOATS}</p></div>{NETS}<div class=b><p>{BOATS}</p></div>{NETS}",
    ],
)
def test_a_paragraph_of_which_only_a_part_is_repeated_stays_with_what_belongs_to_it(html: str) -> None:
    assert left(html) == everything(html)


def test_a_summary_with_the_only_picture_stays() -> None:
    html = "<header><div>{}" + STORY + "</div></header><main><article>" + STORY + f"<p>{STORM}</p></article></main>"
    assert left(html.format("")) == [BOATS, NETS, STORM]
    assert left(html.format("<img src=a.png>")) == [BOATS, NETS, BOATS, NETS, STORM]


def test_a_copy_is_removed_only_if_its_texts_are_left_elsewhere() -> None:
    search = _Search(texts_in(Page(f"<p>{BOATS}</p><p>{NETS}</p><p>{BOATS}</p>").body))
    assert [search._is_left(_Copy([], texts)) for texts in ([0], [2], [1], [0, 1], [0, 2])] == [
        True,
        True,
        *[False] * 3,
    ]


def test_posts_that_repeat_each_other_stay_and_a_whole_thread_is_written_once() -> None:
    posts = f"<div class=first>{SHORT}</div><div class=second>{SHORT}</div><p>{NETS}</p><p>{STORM} {NETS}</p>"
    assert left(posts, "forum") == everything(posts)
    thread = f"<section class=wide>{STORY}</section><section class=narrow>{STORY}</section>"
    assert left(thread, "forum") == [BOATS, NETS]


def test_hidden_text_is_neither_original_nor_copy() -> None:
    html = f"<div class=mobile style='display:none'>{SHORT}</div><div class=desktop>{SHORT}</div>"
    assert left(html) == everything(html)
    between = f"<div class=a>{SHORT}</div><span hidden>Loading</span><div class=b>{SHORT}</div>"
    assert left(between.replace(" hidden", "")) == everything(between)


def test_what_the_template_removes_is_no_original() -> None:
    page = Page(f"<div class=teaser>{SHORT}</div><div class=story>{SHORT}</div>")
    assert copies(page, page.select(".teaser"), "article") == []


def test_copies_in_other_scripts_are_found() -> None:
    words = "渔船每天早上九点出海，下午随着潮水满载而归，渔民们在码头上用手修补渔网，" * 2
    assert left(f"<div class=a><p>{words}</p></div><div class=b><p>{words}</p></div>") == [words]


def test_copies_are_found_in_very_deep_pages_and_not_more_of_them_than_the_limit() -> None:
    deep = "<div>" * 2000 + f"<div class=a>{SHORT}</div><div class=b>{SHORT}</div>"
    assert left(deep) == [BOATS]
    many = "".join(
        f"<section><div class=a><p>{number} {BOATS}</p></div><div class=b><p>{number} {BOATS}</p></div></section>"
        for number in range(MOST_RUNS + 5)
    )
    assert len(everything(many)) - len(left(many)) == MOST_RUNS


TAGS = ["div class=a", "div class=b", "section", "ul", "li"]
BLOCKS = st.recursive(
    st.sampled_from([f"<p>{words}</p>" for words in (BOATS, NETS, STORM, "Boats")]),
    lambda inside: st.tuples(
        st.sampled_from(["div class=a", "div class=b", "section", "ul", "li"]), st.lists(inside)
    ).map(lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0].split()[0]}>"),
    max_leaves=12,
)


@given(st.lists(BLOCKS, min_size=2).map("".join), st.sampled_from([None, "article", "forum", "product"]))
def test_every_text_is_left_at_least_once(html: str, kind: str | None) -> None:
    assert set(left(html, kind)) == set(everything(html))


def test_the_quick_check_of_a_forum_reads_the_page_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0

    def size(text: str) -> int:
        nonlocal counted
        counted += 1
        return len(text)

    monkeypatch.setattr(_copies, "size_of", size)
    for count in (500, 1000):
        pairs = (
            f"<div><p>{k} {'word ' * 12}</p></div><section><p>{k} {'word ' * 12}</p></section>" for k in range(count)
        )
        counted = 0
        copies(Page("".join(pairs)), [], "forum")
        assert counted <= 2 * MOST_RUNS * 2 + 2 * count * 2
