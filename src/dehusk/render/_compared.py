"""A page with its changes marked: added text is yellow, removed text is grey, moved text has a line beside it.

It shows the whole new page, so that each change has its context. It is sanitized like the HTML of the content, and has
the same plain style instead of the page's own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from turbohtml import Element, Node, Text

from dehusk.base.tags import LISTS, ROW_GROUPS
from dehusk.page import Page
from dehusk.page.dom import body, dom, walk
from dehusk.render._addresses import Addresses
from dehusk.render._html import POLICY, head, safe
from dehusk.render._overview import (
    CHANGE_MARK,
    HUSK_MARK,
    OVERVIEW_STYLE,
    STEP_MARK,
    STEPS,
    Listed,
    Overview,
    ShownChange,
    Word,
    header,
    side_by_side,
    steps,
)

_ALL_COLUMNS = "99"
_SHOWN_WORD = re.compile(r"\S+")
# Elements that may not contain text directly, and the elements to wrap it in, outermost first.
_CHILDREN_OF = {
    **dict.fromkeys(ROW_GROUPS | {"table"}, ("tr", "td")),
    **dict.fromkeys(LISTS, ("li",)),
    "tr": ("td",),
    "dl": ("dd",),
}
_MARKS = (CHANGE_MARK, STEP_MARK, HUSK_MARK)
_SHARED = replace(POLICY, attributes={**POLICY.attributes, "*": POLICY.attributes["*"] | {*_MARKS}})
# The page is one part of this page, and its landmarks are not those of this page.
_LANDMARKS = ("main", "header", "footer", "aside")
_LIGHT = (
    "color-scheme:light;--page:#fff;--ink:#222;--link:#1a4f9c;--line:#ccc;--head:#f6f6f4;--came:#fff3b0;--went:#5f5f5f;"
    "--gone:#eee;--dim:#666;--dim-came:#fffbe8;--dim-gone:#f7f7f7;--moved:#8ab4d8;--row:#eef5fb;--here:#d8a200"
)
_DARK = (
    "color-scheme:dark;--page:#1c1f1a;--ink:#e4e6df;--link:#9cc3ff;--line:#4a4f45;--head:#272b24;--came:#5c4d00;"
    "--went:#b4b6af;--gone:#383b35;--dim:#a3a59d;--dim-came:#322e18;--dim-gone:#272a25;--moved:#5b8fbd;--row:#22303b;"
    "--here:#e6b95c"
)
PAGE_STYLE = (
    f":root{{{_LIGHT}}}@media(prefers-color-scheme:dark){{:root{{{_DARK}}}}}"
    "body{color:var(--ink);background:var(--page)}a{color:var(--link)}td,th,blockquote{border-color:var(--line)}"
    "[data-dehusk~=added]{background:var(--came);text-decoration:none}"
    "del[data-dehusk]{color:var(--went);background:var(--gone);text-decoration:line-through}"
    "del[data-dehusk~=part]{display:block;padding:.1em .4em;margin:.3em 0}"
    "[data-dehusk~=moved]{border-left:.25em solid var(--moved);padding-left:.4em}"
    "tr[data-dehusk~=moved]{background:var(--row)}"
    "[data-dehusk~=link]{background:var(--came);text-decoration-style:double}"
    "[data-dehusk~=husk]:is([data-dehusk~=added],[data-dehusk~=link]){background:var(--dim-came)}"
    "[data-dehusk~=husk]{color:var(--dim)}del[data-dehusk~=husk]{color:var(--dim);background:var(--dim-gone)}"
    "[data-dehusk]:target{outline:2px solid var(--here);scroll-margin-top:3em}"
    "@media(max-width:40em){body{margin:0 auto 2em;overflow-wrap:anywhere}"
    "body>header:first-child{margin:0 -1.18em 1.5em;border-radius:0}table{display:block;overflow-x:auto}}"
)


def compared_html(page: Page, overview: Overview, edits: Sequence[ShownChange], husk: Sequence[int] = ()) -> str:
    """Returns the new page with its changes marked, and an overview of them. `husk` are the nodes of the template."""
    document = dom(page).parse()
    nodes = cast("list[Node]", walk(document, dom(page).silent).nodes)
    inside = cast("Element", body(document))
    for marked in inside.select(",".join(f"[{name}]" for name in _MARKS)):
        for name in _MARKS:
            marked.attrs.pop(name, None)
    for silent in list(inside.iter_elements(dom(page).silent)):
        silent.extract()
    for node in husk:
        if isinstance(element := nodes[node], Element) and element != inside:
            element.attrs[HUSK_MARK] = ""
    shown = [_Shown(edit, f"dehusk-{number}", nodes) for number, edit in enumerate(edits, 1)]
    # Only changes of content are listed and stepped through; if there are none, those of the husk.
    main = [one for one in shown if not one.edit.husk] or shown
    for number, one in enumerate(main[:STEPS], 1):
        one.step = number
    # Insert removed texts first, from the last to the first, while the nodes before them are still in place.
    for one in [*(one for one in reversed(shown) if one.gone), *(one for one in shown if not one.gone)]:
        one.show()
    _made_absolute(inside, page)
    for element in inside.select(",".join(_LANDMARKS)):
        element.tag = "div"
    return _whole(page, overview, [Listed(one.edit, one.anchor) for one in main], edits, safe(body(document), _SHARED))


def _whole(page: Page, overview: Overview, main: Sequence[Listed], edits: Sequence[ShownChange], shown: str) -> str:
    """Returns the page as it is shown, with the overview above it, the steps, and the changes side by side."""
    bars, style = steps(main)
    above = header(overview, main, sum(bool(edit.husk) for edit in edits))
    sides = side_by_side(edits, *_columns(overview))
    return (
        f"{head(page, PAGE_STYLE + OVERVIEW_STYLE + style)}\n<body>\n{above}\n<main>\n<div>{shown}</div>\n"
        f'<section aria-label="Side by side">\n{sides}\n</section>\n</main>\n{bars}</body>\n</html>\n'
    )


def _columns(overview: Overview) -> tuple[str, str]:
    named = overview.old.name and overview.new.name and overview.old.name != overview.new.name
    return (overview.old.name, overview.new.name) if named else ("Before", "After")


def _made_absolute(inside: Element, page: Page) -> None:
    """Makes URLs absolute. With a base element, the links of the list would lead to the page on the web."""
    addresses = Addresses(page)
    for element in inside.select("a[href], img"):
        for name in ("href", "src", "data-src", "data-original"):
            if (address := element.attr(name)) and not address.startswith("#"):
                element.attrs[name] = addresses.absolute(address)


class _Shown:
    """A change on the page."""

    def __init__(self, edit: ShownChange, anchor: str, nodes: Sequence[Node]) -> None:
        self.edit = edit
        self.anchor = anchor
        self.gone = edit.kind == "removed"
        self._all = nodes
        self._nodes = [nodes[node] for node in edit.nodes]
        self.step = 0
        self._named = False

    def show(self) -> None:
        if self.gone:
            self._show_gone()
        elif self.edit.words and self.edit.kind != "link":
            self._show_words()
        else:
            for node in self._nodes:
                self._show_node(node)

    def _show_node(self, node: Node) -> None:
        """Marks an element; wraps a text in an element first."""
        if isinstance(node, Element):
            self._mark(node, self.edit.kind)
        else:
            node.wrap(self._mark(Element("ins" if self.edit.kind == "added" else "span"), self.edit.kind))

    def _mark(self, element: Element, kind: str) -> Element:
        """Marks an element, and gives the first element of a change an id to link to."""
        element.attrs[CHANGE_MARK] = f"{kind} husk" if self.edit.husk else kind
        if self.edit.kind == "link":
            element.attrs["title"] = f"led to {self.edit.text}"
        elif self.edit.kind == "moved" or self.edit.husk:
            element.attrs["title"] = " ".join(filter(None, [self.edit.kind, self.edit.husk]))
        if not self._named:
            self._named = True
            self.anchor = element.attr("id") or self.anchor
            element.attrs["id"] = self.anchor
            if self.step:
                element.attrs[STEP_MARK] = str(self.step)
        return element

    def _show_gone(self) -> None:
        within = self._all[self.edit.within]
        if not isinstance(within, Element):
            return
        part = self._mark(Element("del"), "part")
        for number, line in enumerate(self.edit.text.split("\n")):
            if number:
                part.append(Element("br"))
            part.append(Text(line))
        holders = _CHILDREN_OF.get(within.tag, ())
        for tag in reversed(holders):
            part = Element(tag, {"colspan": _ALL_COLUMNS} if tag == "td" and len(holders) > 1 else {}, children=[part])
        follows = next(iter(self._nodes), None)
        while follows is not None and follows.parent != within:
            follows = follows.parent
        if follows is None:
            within.insert(0, part)
        else:
            follows.insert_after(part)

    def _show_words(self) -> None:
        """Marks added words of a line, and inserts removed words before them. Whitespace is kept."""
        words = iter(self.edit.words)
        for node in self._nodes:
            if isinstance(node, Text):
                before = self._pieces([*_of_text(node.data, words)])
            else:
                *gone, (kind, _) = _next(words, "")
                before = self._pieces(gone)
                if kind == "added" and isinstance(node, Element):
                    self._mark(node, kind)
            for piece in before:
                node.insert_before(piece)
        for piece in [*self._pieces([("removed", f" {word.text}") for word in words])][::-1]:
            self._nodes[-1].insert_after(piece)
        for node in self._nodes:
            if isinstance(node, Text):
                node.extract()

    def _pieces(self, pieces: Sequence[tuple[str, str]]) -> Iterator[Node]:
        """Yields texts, and elements for added and removed words. Leading whitespace stays outside such elements."""
        gone = False
        runs: list[tuple[str, list[str]]] = []
        for kind, data in pieces:
            if not runs or runs[-1][0] != kind:
                runs.append((kind, []))
            runs[-1][1].append(data)
        for kind, run in runs:
            text = "".join(run)
            said = text.lstrip()
            if gone and said and said == text:
                yield Text(" ")
            gone = kind == "removed"
            if kind == "same":
                yield Text(text)
                continue
            if said != text:
                yield Text(text[: len(text) - len(said)])
            yield self._mark(Element("ins" if kind == "added" else "del", children=[Text(said)]), kind)


def _of_text(data: str, words: Iterator[Word]) -> Iterator[tuple[str, str]]:
    """Yields kind and text of the words of a line up to the end of a text, with the whitespace before each."""
    end = 0
    for word in _SHOWN_WORD.finditer(data):
        yield from _next(words, data[end : word.end()])
        end = word.end()
    if end < len(data):
        yield "same", data[end:]


def _next(words: Iterator[Word], data: str) -> Iterator[tuple[str, str]]:
    """Yields the removed words before the next word of the new line, and that word, written as `data`."""
    for word in words:
        if word.kind != "removed":
            yield word.kind, data
            return
        yield word.kind, f" {word.text}"
