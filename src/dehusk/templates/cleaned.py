"""A page without its template: whatever is asked of it is made then, from the page's one parsed document."""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

from dehusk import metadata, render
from dehusk.base.errors import PageWarning
from dehusk.marking.marking import Marking, Removed
from dehusk.metadata import Habits, Metadata
from dehusk.page import Node
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.templates.parts import Part, parts_of
from dehusk.templates.shape import fields_with


class Cleaned:
    """A page without its template. What it has is made when asked for, from one parse of the page."""

    def __init__(self, marking: Marking, habits: Habits, writing: Writing = AS_LEARNED) -> None:
        """`habits` are what the pages of the site share about themselves."""
        self.page = marking.page
        self.marking = marking
        self._habits, self._writing = habits, writing

    def __repr__(self) -> str:
        start = self.text[:40].split("\n")[0]
        return f"<Cleaned {self.page.name or self.page.digest[:12]}: {len(self.text):,} characters, {start!r}>"

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says about itself: title, authors, dates, language and more, each with where it was found."""
        kind = self.kind[0] if self.kind else None
        return metadata.read(self.page, gone=self.marking.gone, kind=kind, habits=self._habits)

    def to_dict(self, asked: Collection[str] = ("text",), *, site: str = "") -> dict[str, Any]:
        """The page as rows have it, for JSON: the fields of `shape`, with those on demand that are asked for.

        `site` is what its site is called.
        """
        return {field.name: field.value(self) for field in fields_with(asked)} | {"site": site}

    @property
    def url(self) -> str | None:
        """The address of the page, else the one that it says is its own."""
        return self.page.url or self.metadata.canonical_url

    @cached_property
    def text(self) -> str:
        """The content as plain text: paragraphs, list items and table rows on lines of their own."""
        return render.text(self.page, self.unseen, self._writing)

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown, links absolute where the page's address is known."""
        return render.markdown(self.page, self.unseen, self._writing)

    @cached_property
    def html(self) -> str:
        """The content as an HTML page of its own, safe to open: no scripts, frames or trackers."""
        return render.html(self.page, self.unseen, self._writing)

    @cached_property
    def parts(self) -> list[Part]:
        """All that the page says in parts, each with its role: what is kept and what went, in page order."""
        return parts_of(self.marking, frozenset(self.unseen), self._writing)

    @cached_property
    def removed(self) -> list[Removed]:
        """What went, from where, why, and how sure that is. The first word of each reason is a role."""
        return self.marking.removed

    @property
    def fit(self) -> float:
        """How well the page matches what was learned, from 0 to 1: see `Template.fit`."""
        return self.marking.fit

    @property
    def kind(self) -> tuple[str, float] | None:
        """The kind of page that its family is (article, forum, product, ...), and how sure that is, from 0 to 1."""
        return self.marking.kind

    @property
    def family(self) -> str | None:
        """Which of the site's templates the page uses; None where it fits none of them."""
        return self.marking.family

    @property
    def length(self) -> int:
        """How long the page's text was, in letters."""
        return self.marking.length

    @property
    def share_removed(self) -> float:
        """How much of the page's text went, from 0 to 1."""
        return self.marking.share_removed

    @property
    def warnings(self) -> list[PageWarning]:
        """What a person should know about this page's cleaning: texts that can be told apart by kind."""
        return self.marking.warnings

    @cached_property
    def unseen(self) -> Sequence[Node]:
        """What is not written of the page: its template, and what it does not show."""
        return render.unseen(self.page, self.marking.gone)
