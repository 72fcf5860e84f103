"""Changes the document while its content is written, so that words, elements and posts are not joined wrongly."""

from collections.abc import Collection, Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

from turbohtml import Element, Node, Text

from dehusk.base.tags import BOXES, CELLS, HEADINGS, LISTS, PARSER_BLOCKS, ROW_GROUPS, TABLE_PARTS
from dehusk.kernels.blocks import MANY_LETTERS, is_new_word

_PAGE_PARTS = ("table", "dl", *sorted(HEADINGS))
_BLOCKS = frozenset({*_PAGE_PARTS, *LISTS, *BOXES, *PARSER_BLOCKS, "pre"})
_TABLES = ROW_GROUPS | {"table", "tr"}  # an empty form may be a child of these
_NOT_WRITTEN = BOXES - PARSER_BLOCKS | {"nav"}
# An item closes the item that it is in, unless a holder is between them; a heading only if nothing is between.
_ENDING = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt"), **dict.fromkeys(HEADINGS, HEADINGS)}
LINK_HOLDERS = CELLS | {"a", "caption"}
_ITEM_HOLDERS = TABLE_PARTS | LISTS | PARSER_BLOCKS.union(_PAGE_PARTS, ("pre",)) - {"address", "div", "hr", "nav", "p"}


class _StrangeTags:
    """All tags that no element can be given: pages have tags such as `<align=center>`."""

    def __contains__(self, tag: object) -> bool:
        return not (tag.isalnum() or tag.replace("-", "").isalnum())  # type: ignore[attr-defined]  # tags are texts


_STRANGE_TAGS = _StrangeTags()


class Edits:
    """Context manager that records changes to the document and undoes them at exit, last first."""

    def __init__(self) -> None:
        self._renamed: list[tuple[Element, str]] = []
        self._added: list[Node] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for node in reversed(self._added):
            node.extract()
        for element, tag in reversed(self._renamed):
            element.tag = tag

    def rename(self, element: Element, tag: str) -> bool:
        """Renames an element, unless its name could not be restored."""
        old = element.tag
        if old not in _STRANGE_TAGS:
            self._renamed.append((element, old))
            element.tag = tag
            return True
        return False

    def append(self, element: Element, text: str) -> None:
        """Appends a text to an element."""
        added = Text(text)
        element.append(added)
        self._added.append(added)

    def insert(self, node: Node, text: str) -> None:
        """Inserts a text before a node."""
        added = Text(text)
        node.insert_before(added)
        self._added.append(added)

    def place(self, node: Node, tag: str, text: str) -> None:
        """Inserts an element with a text before a node."""
        added = Element(tag)
        if text:
            added.append(Text(text))
        node.insert_before(added)
        self._added.append(added)


@contextmanager
def inserted(places: Sequence[tuple[Any, str, str]], renamed: Sequence[Any]) -> Iterator[None]:
    """Changes a document for a while: inserts elements, each given as the node after it, its tag and its text.

    `renamed` elements become articles, which neither lists nor tables arrange.
    """
    with Edits() as edits:
        for node, tag, text in places:
            if node.parent is not None:
                edits.place(node, tag, text)
        for element in renamed:
            edits.rename(element, "article")
        yield


def set_apart(inside: Element, edits: Edits, written: Collection[str]) -> None:
    """Prepares the document for writing only the elements in `written` as HTML.

    Separates words that would be joined. Renames elements that a parser could not read again: when elements between
    them are left out or replaced by div, an element may be inside one that it closes, and its tag becomes text.
    """
    parted: set[Any] = set()
    items, heads, links = Above(_ITEM_HOLDERS), Above(written), Above(LINK_HOLDERS)
    left_out, strange = Above(written, others=True, top=inside), Above(_STRANGE_TAGS)
    last: Any = None
    above: Any
    for element in list(inside.iter_elements()):
        tag = element.tag
        if tag in _BLOCKS or "-" in tag:
            above = element.parent
            if above is not last:
                _part(above, edits, parted)
                last = above
            if tag in _ENDING:
                held = heads.tag(above) if tag in HEADINGS else items.tag(above)
                # The parser reads an item as nested if neither its parent nor one further up is written.
                strays = tag == "li" and above.tag not in written and left_out.tag(above.parent) != ""
                lost = tag == "li" and held == "" and strange.tag(above.parent) != ""
                if lost or held in _ENDING[tag] or (strays and not edits.rename(above, "span")):
                    edits.rename(element, "div")
            elif (tag in _NOT_WRITTEN or "-" in tag) and not (type(above) is Element and above.tag in _TABLES):
                edits.rename(element, "div")
        elif tag == "button" or tag == "label":
            edits.insert(element, " ")
            edits.append(element, " ")
        elif tag == "span" and runs_on(element):
            edits.insert(element, " ")
    for link in inside.select("a a"):
        if links.tag(link.parent) == "a":
            edits.rename(link, "span")


def _part(above: Any, edits: Edits, parted: set[Any]) -> None:
    """Renames the paragraphs around a block to div. Stops at elements that were handled before."""
    while type(above) is Element and above not in parted:
        parted.add(above)
        if above.tag == "p":
            edits.rename(above, "div")
        above = above.parent


class Above:
    """Finds the nearest ancestor with one of some tags, or (`others`) with none of them. Caches all it passes."""

    def __init__(self, tags: Container[str], *, others: bool = False, top: Any = None) -> None:
        """Elements from `top` upwards are ignored."""
        self._tags = tags
        self._others = others
        self._known: dict[Any, str] = {top: ""}

    def tag(self, above: Any) -> str:
        """Returns the tag of the nearest such element, starting with `above` itself; "" if there is none."""
        passed: list[Any] = []
        while type(above) is Element and above not in self._known:
            found = above.tag
            if (found in self._tags) != self._others:
                break
            passed.append(above)
            above = above.parent
        else:
            found = self._known.get(above, "")
        for one in passed:
            self._known[one] = found
        return found


def runs_on(word: Any) -> bool:
    """Returns whether a span clearly begins a new word. Style sheets separate such words on the page."""
    first: Any = word[0] if len(word) else None
    if type(first) is not Text:
        return False
    last: Any = word.previous_sibling
    for _ in range(MANY_LETTERS):  # spans may be nested
        if type(last) is not Element or last.tag != "span":
            break
        said = [child for child in last if type(child) is Text or type(child) is Element]
        last = said[len(said) - 1] if said else None
    if type(last) is not Text or not last.data:
        return False
    return is_new_word(last.data[len(last.data) - 1], len(last.data), first.data[:2])
