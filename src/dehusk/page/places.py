"""Places: names of the nodes of a page, by which they can be found again.

A place is a CSS selector from the body down, its steps joined by " > ". There are two forms:

- a path names one node of one page: `body > main > div#list > p:nth-of-type(2)`;
- a kind names all nodes at such a place, on any page of a site: `body > main > div#list > p.teaser`.

A browser finds the same nodes: our trees leave out elements only by tag, so `:nth-of-type` counts the others as a
browser does. A loose text is named by the element around it: `body > p::text(2)`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from string import ascii_lowercase, ascii_uppercase

from dehusk.base.errors import UsageError
from dehusk.base.tree import TEXT, Node, Tree
from dehusk.page._page import Page
from dehusk.page.elements import attribute, children, tag_of

_LINK = " > "
_SPACES = re.compile(r"[ \t\n\r\f]+")  # separates classes; other whitespace is part of them

_ESCAPED = r"\\[0-9a-fA-F]{1,6}[ \t\n\r\f]?|\\[^\n\r\f0-9a-fA-F]"
_NAME = rf"(?:{_ESCAPED}|[A-Za-z0-9_-]|[^\x00-\x7f])+"
_STEP = re.compile(rf"({_NAME})((?:[#.]{_NAME})*)(?::nth-of-type\(([1-9]\d{{0,8}})\))?")
_NAMES = re.compile(rf"([#.])({_NAME})")
_BETWEEN = re.compile(r"\s*>\s*")
_ESCAPE = re.compile(_ESCAPED)
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)  # in tags, HTML lowers only ASCII letters

# Long numbers identify pages or posts, and digits among letters are generated. Short numbers may be names: side-1.
_GENERATED = re.compile(r"\d{3}|(?=[a-z]*\d[a-z\d]*[a-z]\d|\d+[a-z]+\d)[a-z\d]{5}", re.IGNORECASE)

_ROOTS = ("body", "html")  # html for pages with frames

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_LONGEST, _MOST_CLASSES = 100, 10  # limits for names and classes in places, which all descendants repeat
_LONGEST_PLACE = 100_000
_SHORT_PLACE = 100  # longer places (in letters) are limited by ROOM

ROOM = 4
"""Maximum length of all long places of a page together, in multiples of the page's size."""


@dataclass(frozen=True, slots=True)
class Step:
    """An element in a place: its tag, id and classes, and its number among the siblings with this tag."""

    tag: str
    id: str | None = None
    classes: tuple[str, ...] = ()
    number: int | None = None

    def __str__(self) -> str:
        names = [f"#{escaped(self.id)}"] if self.id else []
        names += [f".{escaped(one)}" for one in self.classes]
        which = f":nth-of-type({self.number})" if self.number else ""
        return escaped(self.tag) + "".join(names) + which


Place = tuple[Step, ...]
"""A parsed selector: the steps from the root of a page down."""


class Naming:
    """Computes the paths and kinds of the nodes of a page. Shared steps are cached.

    `room` limits the letters of all long paths together, and those of all long kinds, because deep nodes repeat the
    steps of their ancestors. Beyond it, a node is named by an ancestor.
    """

    def __init__(self, tree: Tree, room: float = inf, ids: Sequence[str] | None = None) -> None:
        """`ids` has the id of each node, if they were read together, which is faster."""
        self._tree = tree
        self._ids = ids
        self._numbers: dict[int, dict[int, int]] = {}
        self._paths = _Ways(tree, self._own, room)
        self._kinds = _Ways(tree, lambda node: str(self.lasting(node)), room)

    def path(self, node: int) -> str:
        """Returns the path of a node, which no other node of the page has."""
        if self._tree.tag[node] != TEXT:
            return self._paths.to(node)
        number = self._number(node)
        return self._paths.to(self._tree.parent[node], f"::text({number})" if number else "::text")

    def kind(self, node: int) -> str:
        """Returns the kind of a node, which nodes at the same place of other pages share."""
        if self._tree.tag[node] == TEXT:
            return self._kinds.to(self._tree.parent[node], "::text")
        return self._kinds.to(node)

    def _own(self, node: int) -> str:
        """Returns a step that no sibling has, as text."""
        name = self._ids[node] if self._ids is not None else self._tree.attributes[node].get("id") or ""
        number = self._number(node)
        which = f":nth-of-type({number})" if number else ""
        return escaped(self._tree.tag[node]) + (f"#{escaped(name)}" if 0 < len(name) <= _LONGEST else "") + which

    def lasting(self, node: int) -> Step:
        """Returns a step without names that differ between pages: numbered names, and all names of the body."""
        if node == 0:
            return Step(self._tree.tag[node])
        names = self._tree.attributes[node]
        ids = [name for name in [names.get("id")] if name and _is_lasting(name)]
        classes = [name for name in _classes(names.get("class")) if _is_lasting(name)]
        return Step(self._tree.tag[node], ids[0] if ids else None, tuple(dict.fromkeys(classes))[:_MOST_CLASSES])

    def _number(self, node: int) -> int:
        """Returns the number of a node among its siblings with this tag, from 1; 0 if there are no others."""
        above = self._tree.parent[node]
        if above < 0:
            return 0
        if above not in self._numbers:
            alike: dict[str, list[int]] = {}
            tags, size = self._tree.tag, self._tree.size
            child, end = above + 1, above + size[above]
            while child < end:
                alike.setdefault(tags[child], []).append(child)
                child += size[child]
            several = (children for children in alike.values() if len(children) > 1)
            self._numbers[above] = {child: number for some in several for number, child in enumerate(some, 1)}
        return self._numbers[above].get(node, 0)


class _Ways:
    """Writes places with one form of steps, as long as there is room for long ones."""

    def __init__(self, tree: Tree, step: Callable[[int], str], room: float) -> None:
        self._tree, self._step, self._room = tree, step, room
        self._steps: dict[int, str] = {}
        self._length: dict[int, int] = {}  # length of the place of a node
        self._short: dict[int, int] = {}  # the node itself, or its nearest ancestor with a short place

    def to(self, node: int, inside: str = "") -> str:
        """Returns the place of an element, followed by `inside`; without room, the place of an ancestor."""
        self._measure(node)
        more = self._length[node] - _SHORT_PLACE
        if more > self._room:
            node, inside = self._short[node], ""
        else:
            self._room -= max(0, more)
        return _LINK.join(self._steps[one] for one in [node, *self._tree.ancestors(node)][::-1]) + inside

    def _measure(self, node: int) -> None:
        """Computes the length of a node's place, from its nearest ancestor that is known."""
        new: list[int] = []
        while node >= 0 and node not in self._steps:
            new.append(node)
            node = self._tree.parent[node]
        for one in reversed(new):
            above = self._tree.parent[one]
            self._steps[one] = step = self._step(one)
            self._length[one] = length = len(step) + (self._length[above] + len(_LINK) if above >= 0 else 0)
            self._short[one] = one if length <= _SHORT_PLACE or above < 0 else self._short[above]


def place_of(selector: str) -> Place:
    """Parses a selector. Raises UsageError if it is not a place."""
    if "::text" in selector:
        element = selector.partition("::text")[0]
        raise UsageError(f"{selector}: a loose text; name the element that it is in: {element}")
    if len(selector) > _LONGEST_PLACE:
        raise UsageError(f"{selector[:80]!r}...: too long for a place; name one of the elements above it")
    steps: list[Step] = []
    at = len(selector) - len(selector.lstrip())
    while found := _STEP.match(selector, at):
        steps.append(_read(found))
        between = _BETWEEN.match(selector, found.end())
        if between is None:
            break
        at = between.end()
    if found is None or selector[found.end() :].strip() or steps[0].tag not in _ROOTS:
        raise UsageError(
            f"{selector!r:.200}: not a place; write it as dehusk does, from the body down: body > main > div.menu"
        )
    return tuple(steps)


def _read(found: re.Match[str]) -> Step:
    names = _NAMES.findall(found[2])
    ids = [_unescaped(name) for mark, name in names if mark == "#"]
    if len(set(ids)) > 1:
        raise UsageError(f"{found[0]!r:.200}: an element has one id; leave the others out")
    classes = tuple(_unescaped(name) for mark, name in names if mark == ".")
    number = int(found[3]) if found[3] else None
    return Step(_unescaped(found[1]).translate(_LOWER), ids[0] if ids else None, classes, number)


def find(page: Page, selector: str) -> list[int]:
    """Returns the nodes of a page's tree at a place, in page order."""
    return [page.numbers[element] for element in Finder(page).at(place_of(selector))]


class Finder:
    """Finds places on a page among the parser's nodes, without a tree. Shared steps are walked once."""

    def __init__(self, page: Page) -> None:
        self._root = page.root()
        self._known: dict[str, _Passed] = {}

    def at(self, place: Place, names: Sequence[str] | None = None) -> list[Node]:
        """Returns the elements at a place, in page order. `names` are its steps as text, if known."""
        siblings: Iterable[list[Node]] = ([self._root] if tag_of(self._root) == place[0].tag else [],)
        elements: list[Node] = []
        known = self._known
        for step, name in zip(place, names or map(str, place), strict=True):
            passed = known.get(name)
            if passed is None:
                if known is not self._known:
                    siblings = [children(element, step.tag) for element in elements]
                passed = known[name] = _Passed(_picked(siblings, step), {})
            elements = passed.elements
            if not elements:
                break
            known = passed.below
        return elements


@dataclass(frozen=True, slots=True)
class _Passed:
    """Elements at a step, and the known next steps below them."""

    elements: list[Node]
    below: "dict[str, _Passed]"


def _picked(siblings: Iterable[list[Node]], step: Step) -> list[Node]:
    """Returns the elements that match a step, among lists of siblings that have its tag."""
    number, named = step.number, step.id is not None or step.classes
    elements: list[Node] = []
    for nodes in siblings:
        numbered = nodes if number is None else nodes[number - 1 : number]
        elements += [node for node in numbered if _has(node, step)] if named else numbered
    return elements


def written(place: Place) -> str:
    """Returns a place in normal form."""
    return _LINK.join(map(str, place))


def _has(element: Node, step: Step) -> bool:
    """Returns whether an element has the id and classes of a step."""
    if step.id is not None and attribute(element, "id") != step.id:
        return False
    if not step.classes:
        return True
    classes = _classes(attribute(element, "class"))
    return all(name in classes for name in step.classes)


def _is_lasting(name: str) -> bool:
    return len(name) <= _LONGEST and not _GENERATED.search(name)


def _classes(value: str | None) -> list[str]:
    return [one for one in _SPACES.split(value or "") if one]


@lru_cache(4_096)
def escaped(name: str) -> str:
    """Returns a name escaped for a selector, like CSS.escape of a browser, but with nonprintable characters escaped."""
    if _PLAIN.fullmatch(name):
        return name
    if name == "-":
        return "\\-"
    return "".join(_escaped_at(name, at) for at in range(len(name)))


def _escaped_at(name: str, at: int) -> str:
    one = name[at]
    if one == "\0":
        return "\ufffd"
    if not one.isprintable() or ("0" <= one <= "9" and (at == 0 or (at == 1 and name[0] == "-"))):
        return f"\\{ord(one):x} "
    return one if one >= "\x80" or one in "-_" or one.isalnum() else f"\\{one}"


def _unescaped(name: str) -> str:
    return _ESCAPE.sub(lambda found: _character(found[0][1:]), name)


def _character(code: str) -> str:
    try:
        number = int(code, 16)
    except ValueError:
        return code
    return chr(number) if 0 < number <= 0x10FFFF and not 0xD800 <= number < 0xE000 else "\ufffd"
