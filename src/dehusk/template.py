"""Template and Marking: what was learned, applied to a page, saved and loaded.

A `Template` is immutable and may be used from any number of threads at once; a `Page`, its `Marking` and its `Cleaned`
belong to one thread at a time.
"""

import heapq
import inspect
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, Self

from dehusk import methods, render
from dehusk.errors import TemplateError, UsageError
from dehusk.files import reason, written_whole
from dehusk.page import Metadata, Page
from dehusk.tree import TEXT, Tree

FORMAT = 1
"""The version of the template file. A file with a higher one was written by a newer dehusk."""

SAMPLE = 24
"""How many pages to learn from: in the paper's experiments a few dozen were enough on every site (section 6.1)."""

NEARLY_ALL = 0.02
FEW_LETTERS = 10
"""Where a template leaves less than this share of a page's text, and fewer letters, it is not trusted on that page."""

# Inside these a text is not what a page itself has to say.
_NEVER_OWN = frozenset({"a", "nav", "header", "footer", "aside", "button", "label", "form"})

PageLike = Page | bytes | str
"""A page, or its HTML as bytes or text."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a method says of a page: a flag a node of its tree (1 is template), and the reason for a node that is."""

    flags: bytearray
    reason: Callable[[int], str]
    warnings: tuple[str, ...] = ()


class Rules(Protocol):
    """What a method learned."""

    def mark(self, page: Page) -> Marks:
        """Which nodes of the page are template, and why."""

    def to_json(self) -> dict[str, Any]:
        """Everything `load` of the method needs, as JSON a person can read."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a method returns: its rules, and the pages of the sample that it left out because they do not fit."""

    rules: Rules
    outliers: tuple[Page, ...] = ()


@dataclass(frozen=True, slots=True)
class Removed:
    """One region that went: where it was, what it said, and why it went."""

    path: str
    text: str
    reason: str


class Marking:
    """A page with each node marked template or content.

    A method may call a wrapper template although it holds content: a node goes only if all below it goes too.
    """

    def __init__(self, page: Page, marks: Marks) -> None:
        self.page = page
        self._reason = marks.reason
        self.flags, self.warnings = _guarded(page.tree, _closed(page.tree, marks.flags))
        self.warnings += marks.warnings

    @cached_property
    def regions(self) -> list[int]:
        """The topmost nodes that go, in document order; the root itself always stays."""
        parent = self.page.tree.parent
        return [
            node
            for node, gone in enumerate(self.flags)
            if gone and node and (parent[node] == 0 or not self.flags[parent[node]])
        ]

    def reason(self, node: int) -> str:
        """Why a node is template."""
        return self._reason(node)

    @property
    def removed(self) -> list[Removed]:
        """The regions that hold text, with their reasons."""
        tree = self.page.tree
        found = ((node, _text(tree, node)) for node in self.regions)
        return [Removed(_path(tree, node), text, self.reason(node)) for node, text in found if text]

    @property
    def share_removed(self) -> float:
        """How much of the page's text is template, from 0 to 1."""
        text = self.page.tree.text
        whole = sum(map(len, text))
        return sum(len(words) for words, gone in zip(text, self.flags, strict=True) if gone) / whole if whole else 0.0


class Cleaned:
    """A page without its template, rendered when asked for."""

    def __init__(self, marking: Marking) -> None:
        self.marking = marking
        self.page = marking.page

    @cached_property
    def metadata(self) -> Metadata:
        """What the page states about itself: title, author, date, language, description, canonical URL."""
        return self.page.metadata

    @cached_property
    def text(self) -> str:
        """The content as plain text: paragraphs, list items and table rows on lines of their own."""
        return render.text(self.marking)

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown, links absolute where the page's address is known."""
        return render.markdown(self.marking)

    @cached_property
    def html(self) -> str:
        """The content as an HTML page of its own, with the head of the original."""
        return render.html(self.marking)

    @cached_property
    def removed(self) -> list[Removed]:
        """What went, from where and why."""
        return self.marking.removed

    @property
    def share_removed(self) -> float:
        """How much of the page's text went, from 0 to 1."""
        return self.marking.share_removed

    @property
    def warnings(self) -> list[str]:
        """What a person should know about this page's cleaning."""
        return self.marking.warnings


@dataclass(frozen=True, slots=True)
class Template:
    """What a method learned from the pages of a site. Immutable, and safe to use from many threads."""

    method: str
    rules: Rules
    pages: int
    outliers: tuple[str, ...] = ()

    def mark(self, page: PageLike) -> Marking:
        """Each node of the page: template or content."""
        page = as_page(page)
        return Marking(page, self.rules.mark(page))

    def clean(self, page: PageLike) -> Cleaned:
        """The page without its template."""
        return Cleaned(self.mark(page))

    def clean_many(self, pages: Iterable[PageLike]) -> Iterator[Cleaned]:
        """One page after the other, as they come: no more than one is held."""
        return map(self.clean, pages)

    def to_json(self) -> dict[str, Any]:
        """The template as it stands in its file."""
        return {
            "dehusk": FORMAT,
            "method": self.method,
            "pages": self.pages,
            "outliers": list(self.outliers),
            "rules": self.rules.to_json(),
        }

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The template of a file's JSON. Raises TemplateError, saying what is wrong, without naming the file."""
        if not isinstance(data, dict) or "dehusk" not in data:
            raise TemplateError("not a dehusk template; make one with dehusk learn")
        if type(data["dehusk"]) is not int or data["dehusk"] < 1:
            raise TemplateError("damaged; learn it again")
        if data["dehusk"] > FORMAT:
            raise TemplateError(f"written by a newer dehusk (format {data['dehusk']}, known here: {FORMAT}); upgrade")
        try:
            rules = methods.method(str(data["method"])).load(data["rules"])
            outliers = [name for name in data["outliers"] if isinstance(name, str)]
            return cls(data["method"], rules, int(data["pages"]), tuple(outliers))
        except UsageError as error:
            raise TemplateError(f"{error}; perhaps it was written by a newer dehusk") from error
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise TemplateError("damaged; learn it again") from error

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the template as JSON that a person can read and diff."""
        with written_whole(Path(path)) as file:
            json.dump(self.to_json(), file, ensure_ascii=False, indent=1)
            file.write("\n")


def load(path: str | os.PathLike[str]) -> Template:
    """Reads a template that `save` wrote."""
    try:
        data = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise TemplateError(f"cannot read template {path}: {reason(error)}") from error
    except (ValueError, RecursionError):
        raise TemplateError(f"{path}: not a dehusk template, or damaged; learn it again") from None
    try:
        return Template.from_json(data)
    except TemplateError as error:
        raise TemplateError(f"{path}: {error}") from error


def learn(
    pages: Iterable[PageLike], *, method: str = methods.DEFAULT, sample: int | None = SAMPLE, **options: Any
) -> Template:
    """Learns the template of a site.

    Of more than `sample` different pages those with the smallest content hash are used, so that the same pages in any
    order give the same template; None uses all. `options` are the method's own. Fewer than two different pages give a
    template that removes nothing.
    """
    how = methods.method(method)
    _check(how, sample, options)
    chosen = pick(pages, sample)
    learned = how.learn(chosen, **options)
    return Template(method, learned.rules, len(chosen), tuple(page.name or page.digest for page in learned.outliers))


def pick(pages: Iterable[PageLike], sample: int | None) -> list[Page]:
    """The pages to learn from, each content once, in the order of their hashes. Holds no more than `sample` of them."""
    chosen: dict[str, Page] = {}
    largest: list[int] = []
    for page in map(as_page, pages):
        twin = chosen.get(page.digest)
        if twin is not None:
            chosen[page.digest] = min(twin, page, key=lambda one: one.name)
            continue
        chosen[page.digest] = page
        heapq.heappush(largest, -int(page.digest, 16))
        if sample is not None and len(largest) > sample:
            del chosen[f"{-heapq.heappop(largest):032x}"]
    return [chosen[digest] for digest in sorted(chosen)]


def as_page(page: PageLike) -> Page:
    """The page itself, or its HTML as a page."""
    if isinstance(page, Page):
        return page
    if not isinstance(page, bytes | str):
        raise UsageError(f"a page is HTML as bytes or str, or a Page, not {type(page).__name__}; read the file first")
    if isinstance(page, str) and page.strip() and "<" not in page:
        raise UsageError(f"not HTML: {page[:40]!r}; to read files, give dehusk.learn the path of their folder")
    return Page(page)


def _check(how: methods.Method, sample: int | None, options: Mapping[str, Any]) -> None:
    """Refuses what cannot be meant."""
    if sample is not None and (type(sample) is not int or sample < 2):
        raise UsageError(f"sample={sample!r}: a template is learned from two pages or more, or None for all")
    known = [name for name in inspect.signature(how.learn).parameters if name != "pages"]
    for name in options:
        if name not in known:
            raise UsageError(f"method {how.name} has no option {name!r}; it has {', '.join(known) or 'none'}")


def _closed(tree: Tree, flags: bytearray) -> bytearray:
    """Flags of nodes whose whole subtree is flagged."""
    closed = bytearray(flags)
    for node in range(len(tree) - 1, 0, -1):
        if not closed[node]:
            closed[tree.parent[node]] = 0
    return closed


def _guarded(tree: Tree, flags: bytearray) -> tuple[bytearray, list[str]]:
    """Flags that leave the page's own text, and a warning where that meant not to believe the template."""
    kept = [text for text, gone in zip(tree.text, flags, strict=True) if not gone and text]
    whole = sum(map(len, tree.text))
    if not whole:
        return flags, ["the page has no text"]
    if sum(map(len, kept)) >= NEARLY_ALL * whole or sum(map(str.isalnum, "".join(kept))) >= FEW_LETTERS:
        return flags, []
    own, frame = bytearray(flags), bytearray(len(flags))
    for node, tag in enumerate(tree.tag):
        frame[node] = tag in _NEVER_OWN or (node > 0 and frame[tree.parent[node]])
        if tag == TEXT and not frame[node]:
            own[node] = 0
    if all(own[node] for node, text in enumerate(tree.text) if text):
        own = bytearray(len(flags))
    return _closed(tree, own), ["the template would take nearly all of this page; kept what is not menu or link"]


def _path(tree: Tree, node: int) -> str:
    """Where a node is, as a person would look for it: tags and ids from the body down."""
    steps = [node, *tree.ancestors(node)][::-1]
    names = (
        tree.tag[step] + "".join(f"#{name}" for name in [tree.attributes[step].get("id")] if name) for step in steps
    )
    return " > ".join(names)


def _text(tree: Tree, node: int) -> str:
    return " ".join(filter(None, tree.text[node : node + tree.size[node]]))
