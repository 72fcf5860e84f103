"""Text chunks: where pages are cut, what is counted, what is removed."""

import json
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.base.errors import UsageError
from dehusk.base.tree import TEXT, Tree, covered, sizes
from dehusk.marking.marking import Marking
from dehusk.methods import METHODS
from dehusk.methods._imatch import originals
from dehusk.methods.chunks import BLOCKS, TABLES, Chunks, chunks, discovery, learn, load
from dehusk.page import Page
from dehusk.templates.template import as_page

OWN = [f"{letter}-word" for letter in "abcdefghijklmn"]


def texts(html: str, delimiters: frozenset[str] = TABLES) -> list[str]:
    return [chunk.text for chunk in chunks(Page(html).tree, delimiters)]


def site(number: int, repeated: str = "<div>Home News</div>") -> list[Page]:
    """Pages that share a piece, each with a word of its own."""
    return [Page(f"{repeated}<div>{word} story</div>") for word in OWN[:number]]


def rules(pages: list[Page], **options: object) -> Chunks:
    learned = learn(pages, **options).rules  # type: ignore[arg-type]
    assert isinstance(learned, Chunks)
    return learned


def kept(marked: Chunks, html: str | Page) -> list[str]:
    page = as_page(html)
    flags = Marking(page, marked.mark(page)).flags
    return [text for text, gone in zip(page.tree.text, flags, strict=True) if text and not gone]


def table(inner: str) -> str:
    return f"<table><tr><td>{inner}</td></tr></table>"


def test_a_threshold_is_a_whole_number_of_pages() -> None:
    with pytest.raises(UsageError, match="whole number"):
        METHODS["chunks"].check({"threshold": 2.5})


def test_an_inner_table_ends_the_outer_chunk_which_resumes_as_a_new_one() -> None:
    assert texts(table(f"one <b>two</b>{table('three')}four") + "five") == ["one two", "three", "four", "five"]


def test_text_outside_tables_is_a_chunk() -> None:
    assert texts(f"<p>before</p><p>still</p>{table('in')}<div>after</div>") == ["before still", "in", "after"]


def test_an_image_map_delimits_as_a_table_does() -> None:
    assert texts("one<map><area href=x></map>two") == ["one", "two"]


def test_rows_and_cells_do_not_delimit() -> None:
    assert texts("<table><tr><td>one<td>two<tr><td>three</table>") == ["one two three"]


def test_blocks_delimit_pages_without_tables() -> None:
    html = "<header>site</header><nav><ul><li>one<li>two</ul></nav><main>text <i>more</i><p>end</main>"
    assert texts(html, BLOCKS) == ["site", "one two", "text more end"]


@given(st.recursive(st.sampled_from(["x", "y"]), lambda below: st.lists(below, max_size=4), max_leaves=12))
def test_the_chunks_are_the_text_in_order_cut_at_every_tag_of_a_delimiter(drawn: object) -> None:
    def html(part: object) -> str:
        return f"{part} <b>.</b>" if isinstance(part, str) else f"<div>{''.join(map(html, part))}</div>"  # type: ignore[call-overload]

    source = html(drawn)
    pieces = source.replace("<b>", "").replace("</b>", "").replace("</div>", "<div>").split("<div>")
    assert [text.replace(" ", "") for text in texts(source, BLOCKS)] == [
        p.replace(" ", "") for p in pieces if p.strip()
    ]


def test_a_chunk_counts_once_a_page() -> None:
    pages = [Page(f"<div>Menu</div><div>Menu</div><div>{word}</div>") for word in OWN[:3]]
    pages.append(Page(f"<div>{OWN[3]}</div><div>Often</div><div>Often</div><div>Often</div>"))
    assert rules(pages).frequency == {"Menu": 3}


def test_four_of_thirteen_pages_are_not_enough_and_five_are() -> None:
    pages = [
        Page(f"<div>{word}</div>" + "<div>Four</div>" * (k < 4) + "<div>Five</div>" * (k < 5))
        for k, word in enumerate(OWN[:13])
    ]
    assert rules(pages).frequency == {"Five": 5}
    assert rules(pages).threshold == 4


@pytest.mark.parametrize(
    ("pages", "threshold"), [(0, 1), (1, 1), (2, 1), (3, 1), (6, 1), (7, 2), (10, 3), (13, 4), (14, 4)]
)
def test_the_threshold_is_a_share_of_the_pages_and_at_least_one(pages: int, threshold: int) -> None:
    assert rules(site(pages)).threshold == threshold


def test_the_threshold_can_be_given_as_a_number_of_pages() -> None:
    assert rules(site(5), threshold=5).frequency == {}
    assert rules(site(5), threshold=4).frequency == {"Home News": 5}


@pytest.mark.parametrize("threshold", [None, 0, -1])
def test_text_of_a_single_page_is_never_template(threshold: int | None) -> None:
    assert rules(site(1), threshold=threshold).frequency == {}
    assert rules(site(3), threshold=threshold).frequency == {"Home News": 3}


def test_duplicates_are_not_counted_but_are_cleaned() -> None:
    pages = site(4)
    twin = "<p>Home News</p><section>story</section><section>a-word</section>"
    again = "<section>a-word story</section>"
    found = rules([*pages, Page(twin), Page(again)])
    assert found.pages == 4
    assert found.frequency == {"Home News": 4}
    assert kept(found, f"<div>Home News</div>{again}") == ["a-word story"]


def test_duplicates_do_not_raise_the_threshold() -> None:
    pages = site(6)
    pages[:2] = [Page(f"<div>Home News</div><div>{word} story</div><div>Twice</div>") for word in OWN[:2]]
    twins = [Page(f"<p>{OWN[5]} story Home News</p>" + " " * k) for k in range(7)]
    found = rules([*pages, *twins])
    assert (found.pages, found.threshold) == (6, 1)
    assert found.frequency == {"Home News": 6, "Twice": 2}


def test_the_first_of_several_duplicates_is_counted() -> None:
    pages = [Page("<div>x y</div>"), Page("<div>y <b>x</b></div>"), Page("<div>z</div>")]
    assert originals(pages) == [pages[0], pages[2]]


def test_the_texts_of_template_chunks_are_removed_and_their_neighbours_are_kept() -> None:
    html = "<nav>Home <b>News</b></nav><div>own <i>words</i></div><div>Home</div>"
    assert kept(rules(site(3)), html) == ["own", "words", "Home"]


def test_an_element_without_remaining_text_is_removed_with_its_invisible_content() -> None:
    page = Page(
        "<section id=gone><hr><div>Home News<br></div></section><section id=stays><div>Home News</div>x</section>"
    )
    flags = rules(site(3)).mark(page).flags
    # body, gone(hr, div(text, br)), stays(div(text), text)
    assert list(flags) == [0, 1, 1, 1, 1, 1, 0, 1, 1, 0]


def test_a_picture_is_removed_with_its_chunk_and_kept_if_it_is_alone() -> None:
    page = Page("<div>Home <img src=a> News</div><section><div>Home News</div><img src=b></section>")
    flags = Marking(page, rules(site(3)).mark(page)).flags
    gone = [link for link, flag in zip(page.tree.link, flags, strict=True) if link and flag]
    assert gone == ["a"]


def test_the_reason_names_the_frequency_of_the_rarest_chunk() -> None:
    pages = [Page(f"<nav><div>All</div>{'<div>Most</div>' * (k < 3)}</nav><p>{word}") for k, word in enumerate(OWN[:4])]
    page = Page("<nav><div>All</div><div>Most</div><div></div></nav>")
    marks = rules(pages).mark(page)
    assert marks.reason(1) == "its text is on 3 of 4 sampled pages, more than 1"
    assert marks.reason(2).startswith("its text is on 4 of 4")
    assert marks.reason(6) == "holds neither text nor picture"


def test_the_rules_survive_json_and_are_readable() -> None:
    found = rules(site(3, "<div>Home</div><div>Über uns</div>"), delimiters={"div"})
    written = json.loads(json.dumps(found.to_json()))
    assert written == {"pages": 3, "threshold": 1, "delimiters": ["div"], "chunks": {"Home": 3, "Über uns": 3}}
    assert load(written) == found


@pytest.mark.parametrize(
    "damage",
    [
        {"chunks": []},
        {"chunks": {"a": "many"}},
        {"chunks": {"a": None}},
        {"delimiters": "div"},
        {"pages": "x"},
        {"pages": None},
    ],
)
def test_damaged_rules_are_refused(damage: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        load(rules(site(3)).to_json() | damage)


@pytest.mark.parametrize("missing", ["pages", "threshold", "delimiters", "chunks"])
def test_rules_with_a_part_missing_are_refused(missing: str) -> None:
    data = rules(site(3)).to_json()
    del data[missing]
    with pytest.raises(KeyError):
        load(data)


def test_unknown_delimiters_are_named() -> None:
    with pytest.raises(UsageError, match=r"'rows'.*blocks, tables"):
        METHODS["chunks"].check({"delimiters": "rows"})


@pytest.mark.parametrize("html", ["", "<body></body>", "<div></div>", "<div>Home News</div>"])
def test_thin_pages_are_learned_from_and_marked(html: str) -> None:
    found = rules([Page(html), Page(html + " "), Page("<div>other</div>")])
    assert found.frequency == {}
    assert kept(rules(site(3)), html + "<p>x") == ["x"]


def test_pages_with_nothing_in_common_have_no_template() -> None:
    assert rules(site(5, "")).frequency == {}


def test_a_long_list_and_a_deep_page_are_marked() -> None:
    deep = Page("<div>" * 200_000 + "Home News")
    wide = Page("<ul>" + "".join(f"<li>item {k}<div>Home News</div></li>" for k in range(10_000)) + "</ul>")
    found = rules([deep, wide, *site(2)])
    assert found.frequency == {"Home News": 4}
    assert kept(found, wide) == [f"item {k}" for k in range(10_000)]
    assert sum(found.mark(deep).flags) == len(deep.tree)


def test_a_tree_deeper_than_any_stack_is_cut_and_covered_too() -> None:
    deep = 200_000
    parent = array("i", [*range(-1, deep - 1), deep - 1])
    text = [""] * deep + ["Home"]
    tree = Tree(parent, sizes(parent), ["div"] * deep + [TEXT], text, [""] * (deep + 1), [{}] * (deep + 1))
    assert list(chunks(tree, BLOCKS)) == [(deep - 1, deep + 1, "Home")]
    assert sum(covered(tree, bytearray(deep) + b"\1")) == deep + 1


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from(["Home", "News", "a", "b", "c d"]), max_size=5), max_size=6), st.integers(1, 4)
)
def test_a_text_is_removed_exactly_if_its_chunk_is_over_the_threshold(drawn: list[list[str]], threshold: int) -> None:
    pages = [Page("".join(f"<div>{text}</div>" for text in one)) for one in drawn]
    found = rules(pages, threshold=threshold)
    counted = [set(page.tree.text) for page in originals(pages)]
    for page in pages:
        flags = found.mark(page).flags
        for text, flag in zip(page.tree.text, flags, strict=True):
            if text:
                assert flag == (sum(text in one for one in counted) > threshold)


def test_the_discovery_ratio_hides_errors_that_cancel_and_recall_does_not() -> None:
    menu, footer, story, date = chunks(Page("<div>m</div><div>f</div><div>s</div><div>d</div>").tree, BLOCKS)
    assert discovery({menu, footer}, {menu, footer}) == (1.0, 1.0)
    assert discovery({menu, story}, {menu, footer}) == (1.0, 0.5)
    assert discovery({menu, story, date}, {menu, footer}) == (1.5, 0.5)
    assert discovery(set(), set()) == (1.0, 1.0)
    assert discovery({menu}, set()) == (float("inf"), 1.0)
