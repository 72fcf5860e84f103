"""The body of a page as arrays, also for hostile pages."""

from dehusk.base.tree import TEXT
from dehusk.page import Page


def texts(html: bytes | str) -> list[str]:
    return [text for text in Page(html).tree.text if text]


def test_scripts_styles_comments_and_white_space_are_not_nodes() -> None:
    tree = Page("<body><script>x</script><style>y</style><!-- c -->  <p>a</p>\n<noscript>n</noscript></body>").tree
    assert list(tree.tag) == ["body", "p", TEXT]
    assert list(tree.text) == ["", "", "a"]
    assert list(tree.parent) == [-1, 0, 1]
    assert list(tree.size) == [3, 2, 1]


def test_links_and_images_carry_their_targets() -> None:
    tree = Page('<a href="/x">t</a><img src="i.png">').tree
    assert list(tree.link) == ["", "/x", "", "i.png"]
    assert tree.labels() == ["body", "a", '"t', "img i.png"]


def test_white_space_in_a_text_is_collapsed() -> None:
    assert texts("<p>a \n\t b</p>") == ["a b"]


def test_attributes_are_read_on_request() -> None:
    attributes = Page('<p id=i class="b a" hidden>x</p>').tree.attributes
    assert dict(attributes[1]) == {"id": "i", "class": "b a", "hidden": ""}
    assert dict(attributes[2]) == {}
    assert len(attributes[1:]) == 2


def test_200_000_nested_elements_are_a_tree() -> None:
    tree = Page("<div>" * 200_000 + "x").tree
    assert len(tree) == 200_002
    assert tree.size[1] == 200_001


def test_50_000_attributes_are_read() -> None:
    page = Page("<p " + " ".join(f"a{k}=1" for k in range(50_000)) + ">x</p>")
    assert len(page.tree.attributes[1]) == 50_000


def test_the_content_of_a_template_element_is_ignored() -> None:
    assert texts("<body><p>a</p><template>x<p>y</p></template><template></template><p>b</p>") == ["a", "b"]
