"""Documents that are lent without some nodes."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element

from dehusk.page import Page
from dehusk.page.dom import dom


def test_a_document_is_whole_again_after_it_was_lent() -> None:
    page = Page("<body><p>a</p><b>b</b>c<script>1</script>d<i>e</i></body>")
    whole = dom(page).document.html
    (bold,), (paragraph,) = page.select("b"), page.select("p")
    assert dom(page).without([bold]).find("body").html == "<body><p>a</p> cd<i>e</i></body>"  # type: ignore[union-attr]
    assert dom(page).without([paragraph, bold]).find("body").html == "<body> cd<i>e</i></body>"  # type: ignore[union-attr]
    assert dom(page).document.html == whole
    assert page.nodes[1] == paragraph


def test_more_may_be_taken_out_of_a_lent_document() -> None:
    page = Page("<body><p>a</p><b>b</b>c<script>1</script>d<div><i>e</i></div></body>")
    whole = dom(page).document.html
    (bold,), (italic,) = page.select("b"), page.select("i")
    first = [bold]
    dom(page).without(first)
    assert dom(page).without([*first, italic]).find("body").html == "<body><p>a</p> cd<div></div></body>"  # type: ignore[union-attr]
    assert {element.tag for element in dom(page).gaps if isinstance(element, Element)} == {"body", "div"}
    assert dom(page).document.html == whole


@given(st.lists(st.sampled_from(["<p>a</p>", "b", "<b>c<i>d</i>", "</b>", "<script>x</script>"])), st.randoms())
def test_whatever_is_taken_out_the_document_is_whole_again(parts: list[str], random: Random) -> None:
    page = Page("".join(parts))
    whole = dom(page).document.html
    for _ in range(3):
        tree, gone = page.tree, {node for node in range(1, len(page.tree)) if random.random() < 0.4}
        dom(page).without([page.nodes[node] for node in sorted(gone) if gone.isdisjoint(tree.ancestors(node))])
    assert dom(page).document.html == whole
