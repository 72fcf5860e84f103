"""Places: a path selects one node, a kind all nodes at such a place; browsers find the same nodes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demo_site
from dehusk.base.errors import UsageError
from dehusk.base.tree import TEXT
from dehusk.page import Node, Page
from dehusk.page.places import Finder, Naming, escaped, find, place_of

ODD = """<body class="home page-7"><div id="1 > 2">a<b>c</b>d</div>
<div class="post-1234 post col-8 css-1q2w3e" id=post-3><o:p>q</o:p><script>x</script><p>r</p></div>
<p id="-1" class="x.y \u00e9 1a">t</p><p id="-">u</p><p id="a#b.c::text">v</p>
<table><tr><td>1<td>2</table><ul><li>one<ul><li>two</ul><li>three</ul><math><mi>x</mi></math><x\u00c9>w</x\u00c9></body>"""


def elements(page: Page, selector: str) -> list[Node]:
    """The nodes of the parser that were found."""
    return Finder(page).at(place_of(selector))


@pytest.mark.parametrize("html", [ODD, *list(demo_site.pages().values())[::6]])
def test_a_path_is_of_one_node_for_us_and_for_a_selector_engine(html: str) -> None:
    page = Page(html)
    for node, tag in enumerate(page.tree.tag):
        if tag != TEXT:
            path = Naming(page.tree).path(node)
            assert find(page, path) == [node]
            assert page.select(path) == [page.nodes[node]]
            assert elements(page, path) == [page.nodes[node]]


@pytest.mark.parametrize("html", [ODD, *list(demo_site.pages().values())[::6]])
def test_a_kind_is_of_the_same_nodes_for_us_and_for_a_selector_engine(html: str) -> None:
    page = Page(html)
    for node, tag in enumerate(page.tree.tag):
        if tag != TEXT:
            kind = Naming(page.tree).kind(node)
            found = find(page, kind)
            assert node in found
            assert page.select(kind) == [page.nodes[one] for one in found]
            assert elements(page, kind) == [page.nodes[one] for one in found]


def test_a_kind_has_no_positions_and_no_names_of_one_page() -> None:
    page = Page(ODD)
    tree = page.tree
    assert Naming(tree).kind(tree.tag.index("o:p")) == r"body > div#post-3.post.col-8 > o\:p"
    assert Naming(tree).kind(find(page, "body > p")[0]) == r"body > p#-\31 .x\.y.é.\31 a"
    assert Naming(tree).kind(find(page, "body > ul > li")[1]) == "body > ul > li"
    tree = Page("<body><div id=post-1234><div id=side1 class='a 9f3b2c'>x").tree
    assert Naming(tree).kind(2) == "body > div > div#side1.a"


def test_a_text_node_is_named_by_its_parent_element() -> None:
    tree = Page("<body><p>only</p><div>one<b>two</b>three</div>").tree
    texts = [node for node, text in enumerate(tree.text) if text]
    assert [Naming(tree).path(node) for node in texts] == [
        "body > p::text",
        "body > div::text(1)",
        "body > div > b::text",
        "body > div::text(2)",
    ]
    assert Naming(tree).kind(texts[1]) == "body > div::text"
    with pytest.raises(UsageError, match=r"the element that it is in: body > div$"):
        place_of(Naming(tree).path(texts[1]))


def test_a_place_may_be_written_by_hand() -> None:
    page = Page('<body><main><div class="menu top" id=m>x</div><div class=menu>y</div></main>')
    every = find(page, "body > main > div.menu")
    assert len(every) == 2
    assert find(page, " BODY>main >div.menu.top#m ") == every[:1]
    assert find(page, "body > main > div.other") == []
    assert find(page, "body > main > div:nth-of-type(9)") == []
    assert find(page, "html > main") == []


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "  ", "div.menu", "body >", "> body", "body > > p", "body p", "body > p:first-child", "body > .x"),
        *("body > p#", "body > p:nth-of-type(0)", "body, p", "body > p[id]", "body > p#a#b", "body > *"),
    ],
)
def test_an_invalid_place_is_refused_with_an_example(wrong: str) -> None:
    with pytest.raises(UsageError, match=r"body > main|one id"):
        place_of(wrong)


@given(st.text(min_size=1).filter(lambda name: "\0" not in name))
def test_names_of_any_characters_are_read_back(name: str) -> None:
    ((_, step),) = [place_of(f"body > p#{escaped(name)}")]
    assert step.id == name
    ((_, step, last),) = [place_of(f"body > p.{escaped(name)} > b")]
    assert (step.classes, last.tag) == ((name,), "b")
    assert place_of(" > ".join(map(str, place_of(f"body > p#{escaped(name)}:nth-of-type(2)"))))[1].number == 2


@pytest.mark.parametrize("odd", ["\x9b", "\u2028", "\u202e", "\xa0", "\t"])
def test_unprintable_characters_are_escaped_as_in_css(odd: str) -> None:
    assert escaped(f"a{odd}b").isprintable()
    page = Page(f"<body><p id='a{odd}b'>x")
    assert page.select(f"body > p#{escaped(f'a{odd}b')}") == [page.nodes[1]]


def test_a_very_deep_place_is_found_step_by_step() -> None:
    page = Page("<body><div>x</div>")
    assert elements(page, "body" + " > div" * 10_000) == []
    with pytest.raises(UsageError, match="too long for a place"):
        place_of("body" + " > div" * 50_000)


def test_long_names_and_many_classes_are_left_out_of_places() -> None:
    long, many = "x" * 101, " ".join(f"c{'abcdefghijklm'[number]}" for number in range(13))
    tree = Page(f"<body><div id={long} class='{long} {many}'><p>a</p><p>b</p>").tree
    assert Naming(tree).path(2) == "body > div > p:nth-of-type(1)"
    assert Naming(tree).kind(2) == "body > div.ca.cb.cc.cd.ce.cf.cg.ch.ci.cj > p"


def test_a_very_deep_node_has_a_path() -> None:
    page = Page("<body>" + "<div>" * 3000 + "x")
    deepest = len(page.tree) - 2
    assert find(page, Naming(page.tree).path(deepest)) == [deepest]
