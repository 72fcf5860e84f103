"""Templates: applying them to pages, editing, saving and loading them.

A `Template` is immutable and may be shared between threads. A `Page`, its `Marking` and its `Cleaned` may be shared
too: threads that use one page wait for each other.
"""

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Self

from dehusk import methods
from dehusk.base import fields
from dehusk.base.errors import TOO_LARGE, PageWarning, SourceError, TemplateError, UsageError
from dehusk.base.files import reason, written_whole
from dehusk.base.shared import Shared
from dehusk.marking.edits import SKETCH, Edit, Scope, added, from_list, without
from dehusk.marking.marking import Marking
from dehusk.metadata import Habits
from dehusk.methods.rules import FittingRules, Marks, Rules
from dehusk.page import LARGEST as LARGEST_PAGE
from dehusk.page import Page, unusable
from dehusk.page.places import Finder
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.tables.records import Tables
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.families import FITS, Signature, route

PLAIN, WITH_EDITS, FORMAT = 1, 2, 3
"""The format version of template files without edits, with them, and with edits of columns.

Older versions of dehusk must not ignore edits, or take those of columns for others.

A file with a higher version was written by a newer dehusk.
"""

LARGEST = 100_000_000
MOST_VALUES = 5_000_000
"""Maximum bytes and values of a template file. One with 80,000 regions has a tenth of them."""

ENOUGH_TEXTS = 10
"""A site of one family needs this many repeated texts to recognize pages of other sites by them."""

PageLike = Page | bytes | str | os.PathLike[str]
"""A page, its HTML as bytes or str, or the Path of its file."""


_NO_HTML = re.compile(r"(?:\w+:)?[^\s<>]*[/\\.][^\s<>]*")
"""A path, a file name or a URL: one word with a slash or a dot."""


@dataclass(frozen=True)
class Family(Shared):
    """Pages of a site that share a template: the signature that identifies them, and the learned rules."""

    signature: Signature
    rules: Rules
    tables: Tables = field(default_factory=Tables)
    """The columns of its pages, if they were asked for."""

    @cached_property
    def sketch(self) -> str:
        """Hashes of some texts that its pages share. Edits use it to recognize the family after learning again."""
        return " ".join(f"{number:08x}" for number in sorted(self._numbers)[:SKETCH])

    @cached_property
    def _numbers(self) -> frozenset[int]:
        return frozenset(zlib.crc32(text.encode("utf-8", "surrogatepass")) for text in self.signature.texts)

    def likeness(self, texts: frozenset[int]) -> float:
        """Returns the share of some texts, given as hashes, that this family has; 1 if there are none."""
        return len(texts & self._numbers) / len(texts) if texts else 1.0

    def fit(self, page: Page) -> float:
        """Returns how well a page matches: as the method measures it, else by the texts that the pages share."""
        return self.rules.fit(page) if isinstance(self.rules, FittingRules) else self.signature.fit(page)


@dataclass(frozen=True, slots=True)
class Template:
    """What a method learned from the pages of a site. Immutable and thread-safe."""

    method: str
    """The name of the method that learned it."""
    families: tuple[Family, ...]
    """The families of pages, largest first, each with its rules. `Cleaned.family` counts them from 1."""
    pages: int
    """The number of pages that it was learned from."""
    outliers: tuple[str, ...] = ()
    """The names of pages of the sample that do not share the template."""
    site: str = ""
    """The name of the site; empty for pages without a URL."""
    by: str = "host"
    """What separates sites: host or domain."""
    habits: Habits = field(default_factory=Habits)
    """What the site does with titles, dates and bylines; metadata is read with it."""
    edits: tuple[Edit, ...] = ()
    """Corrections, the oldest first."""
    left_out: tuple[str, ...] = ()
    """Pages that were not learned from, for lack of memory or because they took too long."""

    def __repr__(self) -> str:
        families = f", {len(self.families)} families" if len(self.families) > 1 else ""
        site = f" of {self.site}" if self.site else ""
        edits = f", {len(self.edits)} edit{'s' * (len(self.edits) != 1)}" if self.edits else ""
        return f"<Template{site}: {self.method}, learned from {self.pages} pages{families}{edits}>"

    def __eq__(self, other: object) -> bool:
        """Templates are equal if their files are: a template equals itself after it was saved and loaded."""
        return self.to_json() == other.to_json() if isinstance(other, Template) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.method, self.pages, self.site, self.by))

    def mark(self, page: PageLike) -> Marking:
        """Marks the template of a page by the rules of its family.

        `Marking` then applies the edits, and makes sure that enough of the page is left.
        """
        page = as_page(page)
        with page.lock:
            return self._marked(page)

    def _marked(self, page: Page) -> Marking:
        number = self._family(page)
        if number is None:
            return Marking(page, self._common(page), edits=self._edits(page, None), fit_of=self.fit, habits=self.habits)
        marks = self.families[number].rules.mark(page)
        doubts = self._doubts(page, self.families[number].signature, marks.fit)
        if doubts:
            marks = replace(marks, warnings=(*marks.warnings, *doubts))
        family = str(number + 1) if PageWarning.OTHER_SITE not in doubts else None
        return Marking(page, marks, family=family, edits=self._edits(page, number), fit_of=self.fit, habits=self.habits)

    def _edits(self, page: Page, number: int | None) -> Sequence[Edit]:
        """Returns the edits for a page of this family; None for a page that is in no family."""
        if not self.edits:
            return ()
        name, names = None if number is None else str(number + 1), (page.name, page.url)
        return [
            one
            for one in self.edits
            if not one.column
            and (
                one.scope is Scope.SITE
                or (one.page in names if one.scope is Scope.PAGE else name and self.family_of(one) == name)
            )
        ]

    def _family(self, page: Page) -> int | None:
        """Returns the number of the page's family; None if there are several and it fits none of them."""
        if len(self.families) == 1:
            return 0
        return route([family.signature for family in self.families], page)

    def _doubts(self, page: Page, known: Signature, fit: float | None) -> tuple[PageWarning, ...]:
        """Returns warnings if the page may not belong to its family."""
        if len(self.families) > 1:
            return ()
        if self.pages < 2:
            return () if methods.method(self.method).alone else (PageWarning.NO_SECOND_PAGE,)
        if fit is None:
            fit = known.fit(page) if known.size >= ENOUGH_TEXTS else 1.0
        if fit >= FITS or not any(map(str.split, page.strings_without(()))):  # a page without text cannot be judged
            return ()
        return (PageWarning.OTHER_SITE,)

    def _common(self, page: Page) -> Marks:
        """Returns the marks that all families agree on, for a page that belongs to none."""
        votes = [family.rules.mark(page) for family in self.families]
        return Marks(
            lambda: bytearray(map(min, *(vote.flags for vote in votes))),
            lambda node: f"{votes[0].reason(node)}, and so in every family",
            (PageWarning.OTHER_SITE,),
        )

    def edited(self, edit: Edit) -> "Template":
        """Returns the template with an edit, which keeps or removes its place, whatever was learned.

        A later edit of a node overrides an earlier one, and an edit of a deeper node overrides that of an ancestor.
        Raises UsageError if the family that the edit names does not exist.
        """
        if edit.column:
            return replace(self, edits=added(self.edits, edit))
        if not edit.id:  # not made by `Edit.new`, so not validated yet
            edit = edit.dated()
        if edit.scope is Scope.FAMILY:
            edit = replace(edit, family=self._named(edit.family).sketch)
        return replace(self, edits=added(self.edits, edit))

    def without_edit(self, name: str) -> "Template":
        """Returns the template without the edit with this id. Raises UsageError if there is none."""
        return replace(self, edits=without(self.edits, name))

    def _named(self, name: str | None) -> Family:
        """Returns the family with this name. Raises UsageError if there is none."""
        if name is None and len(self.families) == 1:
            return self.families[0]
        names = [str(number + 1) for number in range(len(self.families))]
        if name not in names:
            wrong = "say which family" if name is None else f"no family {name}"
            raise UsageError(f"{wrong}; there are {', '.join(names)}: the one of a page is in Cleaned.family")
        return self.families[names.index(name)]

    def family_of(self, edit: Edit) -> str | None:
        """Returns the name of the family most similar to that of an edit; None if none is, or if it has no family."""
        if edit.family is None or (not edit.family and len(self.families) > 1):
            return None
        likeness = [family.likeness(edit.texts) for family in self.families]
        best = max(range(len(likeness)), key=likeness.__getitem__)
        return str(best + 1) if likeness[best] >= FITS else None

    def edits_on(self, page: PageLike) -> list[Edit]:
        """Returns the edits that apply to a page: it is in their scope and has their place."""
        page = as_page(page)
        with page.lock:
            here = self._edits(page, self._family(page))
            finder = Finder(page)
            return [one for one in here if one.on(finder)]

    def missing(self, pages: Iterable[PageLike]) -> tuple[Edit, ...]:
        """Returns the edits whose places are on none of these pages. Perhaps the site was redesigned.

        Edits of one page are left out: these pages are usually a sample.
        """
        left = tuple(one for one in self.edits if not one.column and one.scope is not Scope.PAGE)
        for page in pages:
            if not left:
                break
            found = self.edits_on(page)
            left = tuple(one for one in left if one not in found)
        return left

    def fit(self, page: PageLike) -> float:
        """Returns how well a page matches the template, from 0 to 1. Below 0.4 it probably has another template.

        With the default method it is the share of the site's common regions that this page has; with other methods, the
        share of its common texts. With several families, the best match counts.
        """
        page = as_page(page)
        with page.lock:
            return max(family.fit(page) for family in self.families)

    def clean(
        self, page: PageLike, *, keep: Iterable[str] = (), drop: Iterable[str] = (), writing: Writing = AS_LEARNED
    ) -> Cleaned:
        """Returns the page without its template.

        Parts with the roles in `keep` are always kept, those with the roles in `drop` always removed: see
        `dehusk.Role`. `writing` has these and other options for writing.
        """
        if keep or drop:
            writing = writing.also(keep, drop)
        marking = self.mark(page)
        if writing.keep or writing.drop:
            marking = marking.chosen(writing.keep, writing.drop)
        edits = tuple(one for one in self.edits if one.column) if self.edits else ()
        return Cleaned(marking, writing, self._tables(marking.family), edits)

    def _tables(self, family: str | None) -> Tables:
        return Tables() if family is None else self.families[int(family) - 1].tables

    def record(self, page: PageLike) -> dict[str, Any]:
        """Returns the values of a page by column: see `learn(columns=True)`. {} if it is no record of a table."""
        record = self.clean(page).record
        return {} if record is None else record.values

    def clean_many(
        self,
        pages: Iterable[PageLike],
        *,
        keep: Iterable[str] = (),
        drop: Iterable[str] = (),
        writing: Writing = AS_LEARNED,
    ) -> Iterator[Cleaned]:
        """Yields the cleaned pages one by one, and holds only one in memory."""
        writing = writing.also(keep, drop)
        return (self.clean(page, writing=writing) for page in pages)

    def to_json(self) -> dict[str, Any]:
        """Returns the template as in its file."""
        return {
            "dehusk": FORMAT if any(one.column for one in self.edits) else WITH_EDITS if self.edits else PLAIN,
            "method": self.method,
            "site": self.site,
            "by": self.by,
            "pages": self.pages,
            "outliers": list(self.outliers),
            **({"left_out": list(self.left_out)} if self.left_out else {}),
            **({"habits": habits} if (habits := self.habits.to_json()) else {}),
            **({"edits": [one.to_json() for one in self.edits]} if self.edits else {}),
            "families": [
                {
                    "signature": family.signature.to_json(),
                    "rules": family.rules.to_json(),
                    **({"tables": family.tables.to_json()} if family.tables else {}),
                }
                for family in self.families
            ],
        }

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Reads the output of `to_json`. Raises TemplateError without naming the file."""
        if not isinstance(data, dict) or "dehusk" not in data:
            raise TemplateError("not a dehusk template; make one with dehusk learn")
        if type(data["dehusk"]) is not int or data["dehusk"] < 1:
            raise TemplateError("damaged; learn it again")
        if data["dehusk"] > FORMAT:
            raise TemplateError(f"written by a newer dehusk (format {data['dehusk']}, known here: {FORMAT}); upgrade")
        try:
            how = methods.method(fields.text(data, "method"))
            families = [
                Family(
                    Signature.from_json(one["signature"]),
                    how.load(one["rules"]),
                    Tables.from_json(one["tables"]) if "tables" in one else Tables(),
                )
                for one in data["families"]
            ]
            families[0]  # raises IndexError if there is none
            outliers = tuple(fields.texts(data, "outliers"))
            return cls(
                how.name,
                tuple(families),
                fields.number(data, "pages"),
                outliers,
                fields.text(data, "site"),
                fields.text(data, "by"),
                Habits.from_json(data.get("habits", {})),
                from_list(data.get("edits", [])),
                tuple(fields.texts(data, "left_out")) if "left_out" in data else (),
            )
        except UsageError as error:
            raise TemplateError(f"{error}; perhaps it was written by a newer dehusk") from error
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
            raise TemplateError("damaged; learn it again") from error

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the template as readable JSON."""
        with written_whole(Path(path)) as file:
            self.write(file)

    def write(self, file: IO[str]) -> None:
        """Writes the template to an open file."""
        json.dump(self.to_json(), file, ensure_ascii=False, indent=1)
        file.write("\n")


def parsed(data: bytes) -> Any:
    """Parses the JSON of a template. Raises ValueError if it is not JSON, or too large."""
    return fields.parsed(data, MOST_VALUES)


def load(path: str | os.PathLike[str]) -> Template:
    """Reads a template that `save` wrote. Raises TemplateError if it cannot."""
    try:
        if Path(path).stat().st_size > LARGEST:
            raise TemplateError(f"{path}: too large for a template; learn it again, from fewer pages")
        data = parsed(Path(path).read_bytes())
    except OSError as error:
        raise TemplateError(f"cannot read template {path}: {reason(error)}") from error
    except ValueError:
        raise TemplateError(f"{path}: not a dehusk template, or damaged; learn it again") from None
    try:
        return Template.from_json(data)
    except TemplateError as error:
        raise TemplateError(f"{path}: {error}") from error


def as_page(page: PageLike) -> Page:
    """Returns the page itself, or a page of its HTML or file. Raises UsageError for anything else.

    A str is HTML. One that can only be a path or a URL is refused, with advice.
    """
    if isinstance(page, Page):
        return page
    if isinstance(page, os.PathLike):
        return _read(Path(page))
    if not isinstance(page, bytes | str):
        raise UsageError(f"a page is HTML as bytes or str, a Page or a Path, not {type(page).__name__}")
    if isinstance(page, str) and _NO_HTML.fullmatch(page):
        advice = "give Path(...) to read files, or dehusk.clean(url=...) to fetch a page"
        raise UsageError(f"{page[:40]!r} is not HTML; {advice}")
    return Page(page)


def _read(path: Path) -> Page:
    """Returns the page in a file. Raises SourceError if it cannot be read."""
    try:
        if path.stat().st_size > LARGEST_PAGE:
            raise SourceError(f"{path}: {TOO_LARGE}; a page is at most {LARGEST_PAGE // 10**6} MB")
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: {reason(error)}") from error
    if why := unusable(data):
        raise SourceError(f"{path}: {why}")
    return Page(data, name=path.name)
