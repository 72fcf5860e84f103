"""Finds the border between template and content on a page, walking the parser's nodes.

The walk enters only regions with both template and content. No tree is built: that alone would take several times as
long as parsing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from turbohtml import Element, Text

from dehusk.base.tags import BOXES, HEADINGS, PICTURES, SENTENCE_WORDS, VOID
from dehusk.base.tree import Node, letters

UNKNOWN = -2
"""The number of a region that the template does not know."""

MANY_LABELS = 20_000
"""Maximum number of cached labels. Sites with a name for every element must not fill the memory."""

# Elements without text or picture need no verdict.
_SHOW_NOTHING = VOID - PICTURES

_BEFORE = ",('\"“„«"
_AFTER = ".,;?!)'\"”’»"

_COMMAS = ",;、，،"
"""What may separate the words of a list inside a sentence."""

_MARKS = "[#¶§"
"""What the marks beside a heading or a sentence begin with: anchors, [edit], numbers of notes."""

LINKS = 0.8
"""From this share of its letters in links on, a section is a list of links."""

MORE = 2
"""A heading follows its section if the section decides: it has this many times the letters on the other side."""

SURER = 4
"""A verdict that is this many times as far from the cut as another is the one to believe."""

OFTEN = 0.5
"""A heading with this share of repeated text is no title of a page."""

FAR = 100
"""How many nodes up, or beside, are searched. Beyond, nothing is changed."""

_TITLE = "h1"

_ALL = (True, True, True)

_Key = tuple[str, str | None, str | None, str | None]


class RegionPlace:
    """A region of the template, as used by the walk. `stay` says that the texts directly in it are kept.

    `repeated` is the share of its text that other pages have too.
    """

    __slots__ = ("below", "in_link", "likely", "number", "own", "repeated", "stay", "whole")

    def __init__(
        self,
        number: int,
        likely: float,
        own: float | None,
        cut: float,
        *,
        whole: bool,
        in_link: bool,
        repeated: float = 0.0,
    ) -> None:
        self.number, self.likely, self.own, self.repeated = number, likely, own, repeated
        self.whole, self.in_link = whole, in_link
        self.stay = own is not None and own >= cut
        self.below: dict[str, RegionPlace] = {}


class Gone:
    """A topmost node that is template, its region, and how likely it is content nevertheless."""

    __slots__ = ("likely", "node", "region")

    def __init__(self, node: Node, region: int, likely: float) -> None:
        self.node, self.region, self.likely = node, region, likely


class Frontier:
    """The regions of a site from its root down, and a cache of labels. It may be shared between threads."""

    def __init__(
        self,
        root: RegionPlace,
        cut: float,
        known: Mapping[str, frozenset[str]] | None,
        name: Callable[[_Key, frozenset[str] | None], str],
        judge: Callable[[float, int, int], float],
    ) -> None:
        """`known` are the tokens to use with each tag, None for all; `name` makes a label of an element's tokens.

        `judge` returns how likely an unknown region is content, from how likely its parent is, its letters, and those
        in links.
        """
        self.root, self.cut, self.known, self.name, self.judge = root, cut, known, name, judge
        # Only necessary attributes are read: reading one takes as long as everything else done with an element.
        self.reads = {
            tag: tuple([any(token[0] == kind for token in tokens) for kind in "#.@"])
            for tag, tokens in (known or {}).items()
            if tokens
        }
        self.unread = None if known is not None else _ALL
        self.labels: dict[_Key, str] = {}

    def walk(self, body: Node) -> tuple[list[Gone], set[int]]:
        """Returns the topmost template nodes, in document order, and the numbers of the regions on the page."""
        gone: list[Gone] = []
        met: set[int] = set()
        cut = self.cut
        above: list[tuple[Any, RegionPlace, Iterator[Any], int, bool]] = []
        node: Any = body
        children: Iterator[Any] = iter(node)
        place, first, kept = self.root, 0, False
        while True:
            for child in children:
                if type(child) is Text:
                    if kept and place.stay:
                        continue  # the text and its parent are kept
                    if (data := child.data).isspace() or not data:
                        continue
                    if place.own is None:
                        size = letters(data)
                        number = UNKNOWN
                        likely = self.judge(place.likely, size, size if place.in_link else 0)
                    else:
                        number, likely = place.number, place.own
                elif type(child) is Element:
                    label = child.tag
                    if label in _SHOW_NOTHING:
                        continue
                    names = self.reads.get(label, self.unread)
                    if names is not None:
                        label = self.label(child, label, names)
                    known = place.below.get(label)
                    if known is None:
                        judged = self.unknown(child, place)
                        if judged is None:
                            continue
                        number, likely = judged
                    else:
                        met.add(known.number)
                        if not known.whole:
                            above.append((node, place, children, first, kept))
                            node, place, children, first, kept = child, known, iter(child), len(gone), False
                            break
                        number, likely = known.number, known.likely
                else:
                    continue
                if likely < cut:
                    gone.append(Gone(child, number, likely))
                else:
                    kept = True
            else:
                if not above:
                    return without_words(gone), met
                stays = kept
                if not kept and len(gone) > first:  # the rest would be an empty element
                    gone[first:] = [Gone(node, place.number, place.likely)]
                node, place, children, first, kept = above.pop()
                kept |= stays

    def with_headings(self, body: Node, gone: list[Gone]) -> list[Gone]:
        """Returns the nodes of `walk` so that headings and what they head go or stay together, where that is clear."""
        result: list[Gone] = []
        first: Any = None
        index = 0
        while index < len(gone):
            one = gone[index]
            heading = only_heading(one.node)
            if heading is not None:
                if self.headless(one, heading, gone, index + 1):
                    result.append(one)
            else:
                above = kept_before(one.node, result[len(result) - 1].node if result else None)
                heading = None if above is None else only_heading(above)
                with_it = [] if heading is None else self.bodiless(above, heading, gone, index)
                if with_it:
                    first = first or first_heading(body, gone)
                    result += [] if heading is first else with_it
                result.append(one)
            index += 1
        return result

    def headless(self, one: Gone, heading: Any, gone: list[Gone], end: int) -> bool:
        """Returns whether a removed heading goes: it stays with most of its section."""
        if heading.tag == _TITLE or 2 * in_links(heading) >= letters(heading.text):  # also the site's name, and teasers
            return True
        section = Section(one.node, heading.tag, gone, end)
        return section.kept <= MORE * section.lost

    def bodiless(self, above: Any, heading: Any, gone: list[Gone], index: int) -> list[Gone]:
        """Returns a kept heading, or the element that holds it, if it goes because its whole section does."""
        size = letters(heading.text)
        if heading.tag == _TITLE or 2 * in_links(heading) >= size:
            return []
        section = Section(above, heading.tag, gone, index, whole=True)
        if section.kept or section.lost < MORE * size:
            return []
        number, likely, repeated = self.find(above)
        if repeated < OFTEN and section.last and text_after(above.parent, gone, section.end):
            return []  # perhaps it is the title of what follows
        removed = gone[index : section.end]
        of_them = sum([one.likely * letters(text_of(one.node)) for one in removed]) / section.lost
        surer = SURER * (likely - self.cut) < self.cut - of_them
        goes = surer or linked(one.node for one in removed) >= LINKS * section.lost
        return [Gone(above, number, of_them)] if goes else []

    def find(self, node: Any) -> tuple[int, float, float]:
        """Returns the region of a node, how likely it is content, and the share of repeated text."""
        path: list[Any] = []
        above = node
        while type(above) is not Element or above.tag != "body":
            path.append(above)
            above = above.parent
            if above is None or len(path) > FAR:
                return UNKNOWN, 1.0, 0.0
        place = self.root
        for child in reversed(path):
            if type(child) is not Element:
                break
            label = child.tag
            names = self.reads.get(label, self.unread)
            if names is not None:
                label = self.label(child, label, names)
            known = place.below.get(label)
            if known is None:
                judged = None if place.whole else self.unknown(child, place)
                return (*judged, 0.0) if judged else (place.number, place.likely, place.repeated)
            place = known
        return place.number, place.likely, place.repeated

    def label(self, node: Any, tag: str, names: tuple[bool, ...]) -> str:
        """Returns the label of an element. `names` says whether to read the id, the class and the role."""
        key = (
            tag,
            node.attr("id") if names[0] else None,
            node.attr("class") if names[1] else None,
            node.attr("role") if names[2] else None,
        )
        label = self.labels.get(key)
        if label is None:
            if len(self.labels) >= MANY_LABELS:
                self.labels.clear()
            label = self.labels[key] = self.name(key, None if self.known is None else self.known[tag])
        return label

    def unknown(self, node: Any, place: RegionPlace) -> tuple[int, float] | None:
        """Returns the number for an unknown region and how likely it is content; None if it has no text or picture."""
        text = node.text if len(node) else ""
        if text and not text.isspace():
            size = letters(text)
            if place.in_link:
                linked = size
            else:
                linked = in_links(node)
            return UNKNOWN, self.judge(place.likely, size, linked)
        if next(node.iter_elements(PICTURES, include_self=True), None):
            return place.number, place.likely  # pictures without text have the verdict of their parent
        return None


def in_links(node: Element) -> int:
    """Returns the number of letters in links. A link inside another (in formulas) counts with the outer one."""
    size = 0
    links = node.iter_elements("a", include_self=True)
    for link in links:
        size += letters(link.text)
        for _ in link.iter_elements("a"):
            next(links)
    return size


class Section:
    """What a heading heads: its following siblings, up to a heading of the same or a higher level.

    Has the letters that are kept and those that are removed, the kept nodes, and the number of the first removed node
    behind the section. `last` says that it ends with its parent. If `whole`, reading ends where something is kept.
    """

    def __init__(self, heading: Any, tag: str, gone: list[Gone], end: int, *, whole: bool = False) -> None:
        self.kept = self.lost = 0
        self.end = end
        node = heading.next_sibling
        while node is not None and not (type(node) is Element and ends_section(node, tag)):
            if whole and not (self.end < len(gone) and node is gone[self.end].node) and shows(node):
                self.kept = 1
                break
            size = letters(text_of(node))
            while size and self.end < len(gone) and within(gone[self.end].node, node):
                less = letters(text_of(gone[self.end].node))
                size, self.lost, self.end = size - less, self.lost + less, self.end + 1
            if size > 0:
                self.kept += size
            node = node.next_sibling
        self.last = node is None


def shows(node: Any) -> bool:
    """Returns whether a node has text or a picture. Reads no more than the first."""
    if type(node) is not Element:
        return said(node).strip() != ""
    if next(iter(node.stripped_strings), None) is not None:
        return True
    return next(node.iter_elements(PICTURES, include_self=True), None) is not None


def linked(nodes: Iterable[Any]) -> int:
    """Returns the letters of some nodes that are in links."""
    return sum([in_links(node) for node in nodes if type(node) is Element])


def ends_section(node: Any, tag: str) -> bool:
    """Returns whether an element is or holds a heading of this level or a higher one."""
    for heading in node.iter_elements(HEADINGS, include_self=True):
        if heading.tag <= tag:
            return True
    return False


def text_of(node: Any) -> str:
    """Returns the text of a text or an element, and nothing for comments."""
    text: str = node.text if type(node) is Element else said(node)
    return text


def within(node: Any, around: Any) -> bool:
    """Returns whether a node is another or inside it."""
    for _ in range(FAR):
        if node is around:
            return True
        if node is None:
            return False
        node = node.parent
    return False


def only_heading(node: Any) -> Any:
    """Returns the heading that a node is, or that is all a box holds; None if there is none."""
    while type(node) is Element:
        tag = node.tag
        if tag in HEADINGS:
            return node
        if tag not in BOXES:
            return None
        child = None
        for one in node:
            if type(one) is Element and child is None:
                child = one
                tag = child.tag
                if tag not in HEADINGS and tag not in BOXES:
                    return None
            elif type(one) is Element or said(one).strip():
                return None
        node = child
    return None


def kept_before(node: Any, gone: Node | None) -> Any:
    """Returns the element before a removed block if it is kept; None if there is none."""
    if type(node) is not Element or node.tag in SENTENCE_WORDS:
        return None
    node = node.previous_sibling
    while type(node) is not Element:
        if node is None or said(node).strip():
            return None
        node = node.previous_sibling
    return None if node is gone else node


def first_heading(body: Any, gone: list[Gone]) -> Any:
    """Returns the first heading that is kept: mostly the title of the page."""
    removed = {one.node for one in gone}
    for heading in body.iter_elements(HEADINGS):
        above = heading
        while above is not None and above not in removed:
            above = above.parent
        if above is None:
            return heading
    return None


def text_after(node: Any, gone: list[Gone], end: int) -> bool:
    """Returns whether kept text follows an element, before a heading."""
    for _ in range(FAR):
        if node is None or (type(node) is Element and node.tag == "body"):
            return False
        near = node.next_sibling
        if near is None:
            node = node.parent
            continue
        node = near
        text = text_of(node).strip()
        if end < len(gone) and node is gone[end].node:
            end += 1
        elif text:
            heading = next(node.iter_elements(HEADINGS, include_self=True), None) if type(node) is Element else None
            return heading is None or not text.startswith(heading.text.strip())
    return True


def without_words(gone: list[Gone]) -> list[Gone]:
    """Returns these nodes without the words of sentences that stay: a sentence is unreadable without some of its words.

    A word is an inline element. It is in a sentence if the text beside it on the line, before or after it, is kept and
    leads to it. Links that stand between bars, colons or other links are no sentence.
    """
    count = len(gone)
    words = bytearray([is_word(one.node) for one in gone])
    if not any(words):
        return gone
    stay = bytearray(count)
    start = 0
    while start < count:
        end = start + 1
        if words[start]:
            near = gone[start - 1].node if start else None
            left = beside(gone[start].node, near, forward=False)
            before = "" if left is near else said(left).rstrip()
            near = gone[end].node if end < count else None
            right = beside(gone[start].node, near, forward=True)
            while near is not None and words[end] and right is near:  # words with only white space between them
                end += 1
                near = gone[end].node if end < count else None
                right = beside(gone[end - 1].node, near, forward=True)
            after = "" if right is near else said(right).lstrip()
            if inside(before, after):
                stay[start:end] = b"\1" * (end - start)
            else:
                stay[start] = follows(gone[start].node, before) or listed(left, gone, stay, start - 1, forward=False)
                stay[end - 1] |= leads(after)
        start = end
    for start in range(count - 2, -1, -1):
        if words[start] and not stay[start]:
            right = beside(gone[start].node, gone[start + 1].node, forward=True)
            stay[start] = listed(right, gone, stay, start + 1, forward=True)
    return [one for one, stays in zip(gone, stay, strict=True) if not stays]


def is_word(node: Node) -> bool:
    """Returns whether a node may be a word of a sentence: inline, with letters or digits, and not a mark."""
    element: Any = node
    if type(element) is not Element or element.tag not in SENTENCE_WORDS:
        return False
    text = element.text.strip()
    return text != "" and text[0] not in _MARKS and any(map(str.isalnum, text))


def beside(node: Node, gone: Node | None, *, forward: bool) -> Node | None:
    """Returns the text before or after an element on its line, or `gone`, if that is what stands there.

    None at the end of the line, and beside a link.
    """
    current: Any = node
    while True:
        near: Any = None
        while near is None:
            near = current.next_sibling if forward else current.previous_sibling
            if near is None:
                current = current.parent
                if type(current) is not Element or current.tag not in SENTENCE_WORDS:
                    return None
        current = near
        while type(current) is Element and current is not gone:
            if current.tag not in SENTENCE_WORDS or current.tag == "a":
                return None
            if not len(current):
                break
            current = current[0 if forward else len(current) - 1]
        if current is gone or (type(current) is Text and current.data.strip()):
            return cast("Node", current)


def said(node: Any) -> str:
    """Returns the text of a text node, and nothing for others."""
    return node.data if type(node) is Text else ""


def inside(before: str, after: str) -> bool:
    """Returns whether a sentence goes on from one text to the other, with a word between them."""
    if not before or not after or not (continues(before) and (after[0].isalnum() or after[0] in _AFTER)):
        return False
    return any(map(str.isalnum, before)) or any(map(str.isalnum, after))


def continues(before: str) -> bool:
    """Returns whether a text may go on: it ends with a word, or with what stands before one."""
    last = before[len(before) - 1]
    return last.isalnum() or last in _BEFORE


def follows(node: Node, before: str) -> bool:
    """Returns whether a text, with nothing after it that is kept, needs a word: "posted by", "1 cup"."""
    if not before or not continues(before) or heads(node):
        return False
    words = before.rstrip(_BEFORE + " ").rsplit(None, 1)
    if not words:
        return False
    first = words[len(words) - 1][0]
    if first.isalpha() and (len(words) == 1 or not first.isupper()):
        return True
    element: Any = node
    first = element.text.lstrip()[0]
    return first.islower() and next(element.iter_elements("a", include_self=True), None) is None


def leads(after: str) -> bool:
    """Returns whether a text goes on with a sentence that a word began."""
    if not after:
        return False
    if after[0] in _AFTER:
        return any(map(str.isalpha, after))
    return after[0].isalpha() and not after[0].isupper()


def heads(node: Node) -> bool:
    """Returns whether an element is in a heading. At the end of headings are marks: "edit", "link to this section"."""
    above: Any = node
    while type(above) is Element and above.tag in SENTENCE_WORDS:
        above = above.parent
    return type(above) is Element and above.tag in HEADINGS


def listed(between: Node | None, gone: list[Gone], stay: bytearray, other: int, *, forward: bool) -> bool:
    """Returns whether only a comma is between a word and another that stays."""
    if between is None or not 0 <= other < len(gone) or not stay[other] or said(between).strip() not in _COMMAS:
        return False
    return beside(between, gone[other].node, forward=forward) is gone[other].node
