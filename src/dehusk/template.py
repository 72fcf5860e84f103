"""Template: what was learned from a site, applied to pages, saved and loaded.

A `Template` is immutable and may be used from any number of threads at once; a `Page`, its `Marking` and its `Cleaned`
belong to one thread at a time.
"""

import heapq
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from turbohtml import Document, Element, Text

from dehusk import methods, render
from dehusk.duplicates import originals
from dehusk.errors import TemplateError, UsageError
from dehusk.files import reason, written_whole
from dehusk.marking import Marking, Removed, enough
from dehusk.page import Metadata, Page, body
from dehusk.rules import Cut, Marks, QuickRules, Rules
from dehusk.sites.families import FITS, Signature, group, route, signature
from dehusk.tree import letters

FORMAT = 1
"""The version of the template file. A file with a higher one was written by a newer dehusk."""

SAMPLE = 24
"""How many pages to learn from: in the paper's experiments a few dozen were enough on every site (section 6.1)."""

POOL = 5
"""So many times the sample are looked at for families: one with a twentieth of a site's pages still shows up."""

LEAST = 4
"""A family is learned by itself from so many pages; fewer may have content in common rather than a template."""

TELLING = 10
"""A site of one family tells strangers from its own by so many repeated texts or more; fewer prove nothing."""

_ALONE = "its site was learned from no second page: nothing was removed"
STRANGER = "does not look like the pages this template was learned from: cleaned with what it shares with them"
"""The warning about a page that may be of another site, or of a new design."""

PageLike = Page | bytes | str
"""A page, or its HTML as bytes or text."""


@dataclass(frozen=True)
class Family:
    """Pages of a site that share a template: how they are known, and what was learned from them."""

    signature: Signature
    rules: Rules

    @cached_property
    def quick(self) -> QuickRules | None:
        """The rules, if they can do without marking; looked at once, since to ask for a protocol takes its time."""
        return self.rules if isinstance(self.rules, QuickRules) else None


class _Stripped:
    """A page from which the template was cut straight away, without marking its nodes."""

    def __init__(self, cut: Cut, inside: Element, family: str | None, warnings: list[str]) -> None:
        self.fit, self.family, self.warnings = cut.fit, family, warnings
        self._document: Document | None = cut.document
        self._inside, self._gone = inside, cut.nodes

    def take(self) -> Document | None:
        """The document, which a writer changes: there is one for the first of them."""
        document, self._document = self._document, None
        return document

    @cached_property
    def length(self) -> int:
        return letters(self._inside.text) + self._removed

    @cached_property
    def _removed(self) -> int:
        return sum(letters(node.data if isinstance(node, Text) else node.text) for node in self._gone)

    @property
    def share_removed(self) -> float:
        return self._removed / (self.length or 1)


class Cleaned:
    """A page without its template. All of it is made when asked for; what is asked for first costs least."""

    def __init__(self, template: "Template", page: Page) -> None:
        self.page = page
        self._template = template

    @cached_property
    def metadata(self) -> Metadata:
        """What the page states about itself: title, author, date, language, description, canonical URL."""
        return self.page.metadata

    @cached_property
    def text(self) -> str:
        """The content as plain text: paragraphs, list items and table rows on lines of their own."""
        return render.text(self._content())

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown, links absolute where the page's address is known."""
        base = self.page.base_url
        content = self._content()
        self.length  # noqa: B018  # before pictures are put into words
        return render.markdown(content, base)

    @cached_property
    def html(self) -> str:
        """The content as an HTML page of its own, with the head of the original."""
        return render.html(self._content(), self.page)

    @cached_property
    def marking(self) -> Marking:
        """Each node of the page: template or content, and why."""
        return self._template.mark(self.page)

    @cached_property
    def removed(self) -> list[Removed]:
        """What went, from where, why, and how sure that is."""
        return self.marking.removed

    @cached_property
    def fit(self) -> float:
        """How well the page matches what was learned, from 0 to 1: see `Template.fit`."""
        found = self._found.fit
        return self._template.fit(self.page) if found is None else found

    @property
    def family(self) -> str | None:
        """Which of the site's templates the page uses; None where it fits none of them."""
        return self._found.family

    @property
    def length(self) -> int:
        """How long the page's text was, in letters."""
        return self._found.length

    @property
    def share_removed(self) -> float:
        """How much of the page's text went, from 0 to 1."""
        return self._found.share_removed

    @property
    def warnings(self) -> list[str]:
        """What a person should know about this page's cleaning."""
        return self._found.warnings

    @cached_property
    def _found(self) -> _Stripped | Marking:
        return self._template._strip(self.page) or self.marking  # noqa: SLF001  # one class in two parts

    def _content(self) -> Document:
        """The document without the template, for one writer."""
        if isinstance(self._found, Marking):
            return render.content(self._found)
        document = self._found.take()
        if document is None:
            del self._found
            return self._content()
        return document


@dataclass(frozen=True, slots=True)
class Template:
    """What a method learned from the pages of a site. Immutable, and safe to use from many threads."""

    method: str
    families: tuple[Family, ...]
    pages: int
    outliers: tuple[str, ...] = ()
    site: str = ""
    by: str = "host"

    def mark(self, page: PageLike) -> Marking:
        """Each node of the page: template or content, by the rules of the family that the page belongs to."""
        page = as_page(page)
        number = self._family(page)
        if number is None:
            return Marking(page, self._common(page))
        marks = self.families[number].rules.mark(page)
        fit = marks.fit if any(page.tree.text) else 1.0  # a page without text looks like nothing
        family, doubts = self._doubts(page, number, fit)
        return Marking(page, replace(marks, warnings=(*marks.warnings, *doubts)), family=family)

    def _strip(self, page: Page) -> _Stripped | None:
        """The page cut straight away; None where it takes marking, because the method asks for it or little is left."""
        number = self._family(page)
        quick = self.families[number].quick if number is not None else None
        cut = quick.cut_of(page) if quick is not None else None
        if number is None or cut is None:
            return None
        render.cut(cut.nodes)
        inside = body(cut.document)
        if not enough(inside.stripped_strings):
            return None
        family, doubts = self._doubts(page, number, cut.fit)
        return _Stripped(cut, inside, family, [*cut.warnings, *doubts])

    def _family(self, page: Page) -> int | None:
        """The number of the page's family; of several none, if it fits none of them."""
        if len(self.families) == 1:
            return 0
        return route([family.signature for family in self.families], page)

    def _doubts(self, page: Page, number: int, fit: float | None) -> tuple[str | None, tuple[str, ...]]:
        """The name of the family, if the page is one of its pages, and what speaks against it."""
        name = str(number + 1)
        if len(self.families) > 1:
            return name, ()
        if self.pages < 2:
            return name, () if methods.method(self.method).alone else (_ALONE,)
        if fit is None:
            known = self.families[number].signature
            fit = known.fit(page) if known.size >= TELLING else 1.0
        return (name, ()) if fit >= FITS else (None, (STRANGER,))

    def _common(self, page: Page) -> Marks:
        """What all families agree on, for a page that belongs to none."""
        votes = [family.rules.mark(page) for family in self.families]
        flags = bytearray(map(min, *(vote.flags for vote in votes)))
        return Marks(flags, lambda node: f"{votes[0].reason(node)}, and so in every family", (STRANGER,))

    def fit(self, page: PageLike) -> float:
        """How well a page matches what was learned, from 0 to 1; less than 0.4 says that it is of another kind.

        With the default method, how many of the regions that most pages of the site have are on this page, too; with
        the others, how many of the texts. Of several families, the one that matches best.
        """
        page = as_page(page)
        return max(
            family.quick.fit(page) if family.quick is not None else family.signature.fit(page)
            for family in self.families
        )

    def clean(self, page: PageLike) -> Cleaned:
        """The page without its template."""
        return Cleaned(self, as_page(page))

    def clean_many(self, pages: Iterable[PageLike]) -> Iterator[Cleaned]:
        """One page after the other, as they come: no more than one is held."""
        return map(self.clean, pages)

    def to_json(self) -> dict[str, Any]:
        """The template as it stands in its file."""
        return {
            "dehusk": FORMAT,
            "method": self.method,
            "site": self.site,
            "by": self.by,
            "pages": self.pages,
            "outliers": list(self.outliers),
            "families": [
                {"signature": family.signature.to_json(), "rules": family.rules.to_json()} for family in self.families
            ],
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
            how = methods.method(str(data["method"]))
            families = [
                Family(Signature.from_json(one["signature"]), how.load(one["rules"])) for one in data["families"]
            ]
            outliers = [name for name in data["outliers"] if isinstance(name, str)]
            families[0]  # there is always one
            site, by = str(data["site"]), str(data["by"])
            return cls(how.name, tuple(families), int(data["pages"]), tuple(outliers), site, by)
        except UsageError as error:
            raise TemplateError(f"{error}; perhaps it was written by a newer dehusk") from error
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
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
    pages: Iterable[PageLike],
    *,
    method: str = methods.DEFAULT,
    sample: int | None = SAMPLE,
    dedupe: bool = False,
    **options: Any,
) -> Template:
    """Learns the template of a site, one for each family of its pages.

    Of more pages than are looked at, those with the smallest content hash are, so that the same pages in any order give
    the same template; each family is learned from `sample` of them, None for all. `dedupe` leaves near duplicates out.
    `options` are the method's own. Of fewer than two different pages the default judges each page by itself; the other
    methods then remove nothing.
    """
    how = methods.method(method)
    _check(how, sample, options)
    chosen = pick(pages, None if sample is None else sample * POOL)
    if dedupe:
        chosen = originals(chosen)
    groups = [[chosen[number] for number in family] for family in group(chosen)] or [chosen]
    groups = [family for family in groups if len(family) >= LEAST] or groups[:1]
    learned = [how.learn(family[:sample], **options) for family in groups]
    families = [Family(signature(family), one.rules) for family, one in zip(groups, learned, strict=True)]
    strangers = {page.digest for page in chosen} - {page.digest for family in groups for page in family}
    outliers = [page for page in chosen if page.digest in strangers] + [
        page for one in learned for page in one.outliers
    ]
    return Template(method, tuple(families), len(chosen), tuple(page.name or page.digest for page in outliers))


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
    for name in options:
        if name not in how.options:
            raise UsageError(f"method {how.name} has no option {name!r}; it has {', '.join(how.options) or 'none'}")
