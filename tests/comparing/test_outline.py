"""Outlines of pages."""

from dehusk.comparing._outline import LINE, Outline, outline
from dehusk.page import Page


def of(inside: str) -> Outline:
    return outline(Page(f"<body>{inside}</body>").tree)


def test_adjacent_texts_are_one_line_for_any_inline_elements() -> None:
    found = of("<p>One <b>two</b> <a href=x>three</a></p>")
    assert list(found.tag) == ["body", "p", LINE]
    assert found.text(0) == "One two three"


def test_text_around_a_block_is_two_lines() -> None:
    found = of("<div>before<p>inside</p>after</div>")
    assert [found.text(line) for line in found.lines(0)] == ["before", "inside", "after"]
    assert list(found.parent) == [-1, 0, 1, 1, 3, 1]


def test_a_block_inside_an_inline_element_is_a_block() -> None:
    assert list(of("<span><p>one</p></span><a><div>two</div></a>").tag) == ["body", "p", LINE, "div", LINE]


def test_invisible_elements_are_not_in_the_outline() -> None:
    assert list(of("<div><span></span></div><ul><li></li></ul><p>x</p>").tag) == ["body", "p", LINE]


def test_pictures_are_compared_without_the_version_in_their_url() -> None:
    assert of("<p>See <img src='/a/logo.png?v=2'> and <img src='data:image/png;base64,xx'></p>").text(0) == (
        "See [logo.png] and [picture]"
    )


def test_a_picture_with_an_invalid_url_has_no_name() -> None:
    assert of("<img src='http://[x'><img>").text(0) == "[picture] [picture]"


def test_the_outline_of_an_empty_page_is_its_root() -> None:
    assert len(of("")) == 1


def test_the_heading_above_a_node_is_known() -> None:
    found = of("<p>first</p><h2>Boats <i>here</i></h2><p>second</p>")
    headings = found.headings()
    assert [found.heading(line, headings) for line in found.lines(0)] == ["", "", "Boats here"]


def test_the_context_of_a_cell_is_the_first_one_of_its_row() -> None:
    found = of("<h2>Sizes</h2><table><tr><th>Height<td>3 m<td><p>tall</table>")
    headings = found.headings()
    assert [found.heading(line, headings) for line in found.lines(0)] == ["", "Sizes", "Sizes › Height", "Sizes"]
