"""A page with its changes marked: added text is yellow, removed text is grey, moved text has a line beside it.

It shows the whole new page, so that each change has its context. It is sanitized like the HTML of the content, and has
the same plain style instead of the page's own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import NamedTuple, cast

from turbohtml import Element, Node, Text

from dehusk.base.tags import LISTS, ROW_GROUPS
from dehusk.page import Page
from dehusk.page.dom import body, dom, walk
from dehusk.render._addresses import Addresses
from dehusk.render._html import POLICY, head, safe

LISTED = 40
"""Maximum number of changes listed above the page, with links to them."""

_SNIPPET = 120
_RUNS = 12
_TAGS = {"added": "ins", "removed": "del"}
_CHANGE_MARK = "data-dehusk"
_ALL_COLUMNS = "99"
_SHOWN_WORD = re.compile(r"\S+")
# Elements that may not contain text directly, and the elements to wrap it in, outermost first.
_CHILDREN_OF = {
    **dict.fromkeys(ROW_GROUPS | {"table"}, ("tr", "td")),
    **dict.fromkeys(LISTS, ("li",)),
    "tr": ("td",),
    "dl": ("dd",),
}
_SHARED = replace(POLICY, attributes={**POLICY.attributes, "*": POLICY.attributes["*"] | {_CHANGE_MARK}})
_LIGHT = (
    "color-scheme:light;--page:#fff;--ink:#222;--link:#1a4f9c;--line:#ccc;--head:#f6f6f4;--came:#fff3b0;--went:#5f5f5f;"
    "--gone:#eee;--dim:#666;--dim-came:#fffbe8;--dim-gone:#f7f7f7;--moved:#8ab4d8;--row:#eef5fb;--here:#d8a200"
)
_DARK = (
    "color-scheme:dark;--page:#1c1f1a;--ink:#e4e6df;--link:#9cc3ff;--line:#4a4f45;--head:#272b24;--came:#5c4d00;"
    "--went:#b4b6af;--gone:#383b35;--dim:#a3a59d;--dim-came:#322e18;--dim-gone:#272a25;--moved:#5b8fbd;--row:#22303b;"
    "--here:#e6b95c"
)
_PAGE_STYLE = (
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
    "body>header:first-child{font:.85em/1.5 system-ui,sans-serif;background:var(--head);padding:1em 1.4em;"
    "margin-bottom:2em;border-radius:.7em;overflow-wrap:anywhere}"
    "body>header:first-child h1{font-size:1.2em;margin:0}body>header:first-child ol{margin:.5em 0;padding-left:2em}"
    "@media(max-width:40em){body{margin:0 auto 2em;overflow-wrap:anywhere}"
    "body>header:first-child{margin:0 -1.18em 1.5em;border-radius:0}table{display:block;overflow-x:auto}}"
)


class Word(NamedTuple):
    """A word of a rewritten line: "same", "added" or "removed"."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change to show: "added", "moved", "changed", "link" or "removed"; why it is husk; and its text.

    `nodes` are the changed nodes of the new page's tree. `words` are the words of a rewritten line. Removed text is
    inserted in the element `within`: after its child that contains the first of the nodes, else at the start.
    """

    kind: str
    husk: str
    text: str
    nodes: Sequence[int]
    within: int = 0
    words: Sequence[Word] = ()


def compared_html(page: Page, headline: str, edits: Sequence[ShownChange]) -> str:
    """Returns the new page with its changes marked, and a list of them above it."""
    document = dom(page).parse()
    nodes = cast("list[Node]", walk(document, dom(page).silent).nodes)
    inside = cast("Element", body(document))
    for marked in inside.select(f"[{_CHANGE_MARK}]"):
        del marked.attrs[_CHANGE_MARK]
    for silent in list(inside.iter_elements(dom(page).silent)):
        silent.extract()
    shown = [_Shown(edit, f"dehusk-{number}", nodes) for number, edit in enumerate(edits, 1)]
    # Insert removed texts first, from the last to the first, while the nodes before them are still in place.
    for one in [*(one for one in reversed(shown) if one.gone), *(one for one in shown if not one.gone)]:
        one.show()
    above = _listed(headline, shown)
    _made_absolute(inside, page)
    return f"{head(page, _PAGE_STYLE)}\n<body>\n{above}\n{safe(body(document), _SHARED)}\n</body>\n</html>\n"


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
        element.attrs[_CHANGE_MARK] = f"{kind} husk" if self.edit.husk else kind
        if self.edit.kind == "link":
            element.attrs["title"] = f"led to {self.edit.text}"
        elif self.edit.kind == "moved" or self.edit.husk:
            element.attrs["title"] = " ".join(filter(None, [self.edit.kind, self.edit.husk]))
        if not self._named:
            self._named = True
            self.anchor = element.attr("id") or self.anchor
            element.attrs["id"] = self.anchor
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
        for kind, group in groupby(pieces, key=lambda piece: piece[0]):
            text = "".join(data for _, data in group)
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
    yield "same", data[end:]


def _next(words: Iterator[Word], data: str) -> Iterator[tuple[str, str]]:
    """Yields the removed words before the next word of the new line, and that word, written as `data`."""
    for word in words:
        if word.kind != "removed":
            yield word.kind, data
            return
        yield word.kind, f" {word.text}"


def _listed(headline: str, shown: Sequence[_Shown]) -> str:
    """Returns the headline and a list of the changes of content, with links to them."""
    content = [one for one in shown if not one.edit.husk]
    items = "\n".join(
        f'<li><a href="#{escape(one.anchor)}">{one.edit.kind}</a>: {_said(one.edit)}</li>' for one in content[:LISTED]
    )
    more = f"<p>and {len(content) - LISTED} more</p>" if len(content) > LISTED else ""
    listing = f"<ol>\n{items}\n</ol>{more}" if items else ""
    legend = (
        '<p><ins data-dehusk="added">added</ins> <del data-dehusk="removed">removed</del> '
        '<span data-dehusk="moved">moved</span> <u data-dehusk="link">link that leads elsewhere</u> '
        '<ins data-dehusk="added husk">husk, dimmed</ins></p>'
    )
    return f"<header>\n<h1>{escape(headline)}</h1>\n{legend}\n{listing}\n</header>"


def _said(edit: ShownChange) -> str:
    """Returns a snippet of a change.

    A rewritten line shows only its added and removed words; a link shows its text, old target and new target.
    """
    if not edit.words:
        return escape(_snippet(edit.text))
    runs = [(kind, " ".join(word.text for word in run)) for kind, run in groupby(edit.words, key=lambda one: one.kind)]
    return " ".join(
        f'<{_TAGS[kind]} data-dehusk="{kind}">{escape(_snippet(text))}</{_TAGS[kind]}>'
        if kind in _TAGS
        else escape(_snippet(text))
        if edit.kind == "link"
        else "…"
        for kind, text in runs[:_RUNS]
    )


def _snippet(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SNIPPET else line[: _SNIPPET - 1] + "…"
