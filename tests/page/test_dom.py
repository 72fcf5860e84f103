"""Removing nodes from a document temporarily, and restoring them."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dehusk.page import Page
from dehusk.page.dom import dom
from dehusk.page.elements import html_of, tag_of


def test_a_document_is_restored_after_it_was_lent() -> None:
    page = Page("<body><p>a</p><b>b</b>c<script>1</script>d<i>e</i></body>")
    whole = html_of(page.whole)
    (bold,), (paragraph,) = page.select("b"), page.select("p")
    assert html_of(dom(page).without([bold])) == "<body><p>a</p> cd<i>e</i></body>"
    assert html_of(dom(page).without([paragraph, bold])) == "<body> cd<i>e</i></body>"
    assert html_of(page.whole) == whole
    assert page.nodes[1] == paragraph


def test_more_nodes_may_be_removed_from_a_lent_document() -> None:
    page = Page("<body><p>a</p><b>b</b>c<script>1</script>d<div><i>e</i></div></body>")
    whole = html_of(page.whole)
    (bold,), (italic,) = page.select("b"), page.select("i")
    first = [bold]
    dom(page).without(first)
    assert html_of(dom(page).without([*first, italic])) == "<body><p>a</p> cd<div></div></body>"
    assert set(map(tag_of, dom(page).gaps)) == {"body", "div"}
    assert html_of(page.whole) == whole


@given(st.lists(st.sampled_from(["<p>a</p>", "b", "<b>c<i>d</i>", "</b>", "<script>x</script>"])), st.randoms())
def test_the_document_is_restored_after_any_removal(parts: list[str], random: Random) -> None:
    page = Page("".join(parts))
    whole = html_of(page.whole)
    for _ in range(3):
        tree, gone = page.tree, {node for node in range(1, len(page.tree)) if random.random() < 0.4}
        dom(page).without([page.nodes[node] for node in sorted(gone) if gone.isdisjoint(tree.ancestors(node))])
    assert html_of(page.whole) == whole
