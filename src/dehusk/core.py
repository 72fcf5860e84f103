"""From bytes to text, step by step: `clean` takes one page the whole way, `learn` the pages of a site to a template.

Each step is a call of a function, here or where the right column says to read on:

    decode, parse  bytes become a page, parsed when it is first looked at    as_page: page.Page
    sample         of many pages, a few to learn from                        sample_of: templates.sampling
                   without copies of one page                                originals: templates.copies
    families       pages that share a template are told apart                families_of: templates.families
    learn          a method learns the rules of each family                  Method.learn: methods.evidence.judging
                   where its pages name their authors and dates              metadata.learn
    mark           the rules of the page's family walk the page              Template.mark: Evidence.mark
                   edits count for more; a guard leaves the page its text    Marking.gone: marking.marking
    hide           what the page has and does not show goes, too             Cleaned.unseen: render.unseen
    write          what is left, as text, Markdown or HTML                   Cleaned.text: render.text
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from dehusk import metadata, methods
from dehusk.base.errors import UsageError
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources import open_source, pages_of
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.copies import originals
from dehusk.templates.families import families_of, signature
from dehusk.templates.sampling import Sample, sample_of
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Family, PageLike, Template, as_page

SAMPLE = 24
"""How many pages to learn from: in the paper's experiments a few dozen were enough on every site (section 6.1)."""

POOL = 5
"""For families, this many times the sample are looked at: a family with a twentieth of the pages still shows up."""


def clean(
    html: PageLike,
    *,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
    writing: Writing = AS_LEARNED,
    **options: Any,
) -> Cleaned:
    """Cleans one page by what it shows alone, given as bytes, str or a Page; `options` as for `learn`.

    `keep` and `drop` name roles of parts that stay or go, whatever else is found, and `writing` says how to write: see
    `Template.clean`.
    More pages of its site show more: with a second one, use `learn` and the template it gives.
    """
    page = as_page(html)
    template = learn(page, **options)  # what other pages would show, the page has to show by itself
    return template.clean(page, keep=keep, drop=drop, writing=writing)  # marked now; hides and writes when asked to


def learn(
    pages: Iterable[PageLike] | PageLike | os.PathLike[str],
    *,
    method: str = methods.DEFAULT,
    sample: int | None = SAMPLE,
    dedupe: bool = True,
    **options: Any,
) -> Template:
    """Learns the template of a site from HTML as bytes or str, Page objects, or the path of a folder or an archive.

    `sample` is how many pages to learn from in each family, None for all. Copies of a page count once, unless `dedupe`
    is False. `options` are those of the method. Of fewer than two different pages the default judges each page by
    itself; the other methods then remove nothing.
    """
    if isinstance(pages, Page | bytes) or (isinstance(pages, str) and "<" in pages):
        pages = [pages]
    elif isinstance(pages, str | os.PathLike):
        pages = _of_one_site(pages)
    return Learning(method, sample, dedupe, options).learn(pages)


def _of_one_site(place: str | os.PathLike[str]) -> Iterator[Page]:
    """The pages of a place. Raises UsageError where they are of several sites: one template cannot fit them all."""
    first = ""
    for page in pages_of(open_source([place])):
        site = site_of(page)
        first = first or site
        if site not in ("", first):
            raise UsageError(
                f"{os.fspath(place)} has pages of several sites, such as {first} and {site}; learn a template for each "
                "with dehusk.Job(...).learn(), or on the command line with dehusk learn SOURCE -o FOLDER"
            )
        yield page


@dataclass(frozen=True, slots=True)
class Learning:
    """How a template is learned: with a method and its options, from how many pages. It is checked when it is made.

    Raises UsageError for what the method cannot be told.
    """

    method: str = methods.DEFAULT
    sample: int | None = SAMPLE
    """How many pages of each family to learn from; None for all."""
    dedupe: bool = True
    """Whether copies of a page count once."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The method's own."""

    def __post_init__(self) -> None:
        if self.sample is not None and (type(self.sample) is not int or self.sample < 2):
            raise UsageError(f"sample={self.sample!r}: a template is learned from two pages or more, or None for all")
        object.__setattr__(self, "options", methods.method(self.method).check(self.options))

    @classmethod
    def of(
        cls, method: str = methods.DEFAULT, sample: int | None = SAMPLE, *, dedupe: bool = True, **options: Any
    ) -> Self:
        """The same with the options of the method as keywords."""
        return cls(method, sample, dedupe, options)

    @property
    def looked_at(self) -> int | None:
        """How many pages of a site are looked at; None for all."""
        return None if self.sample is None else self.sample * POOL

    def learn(self, pages: Iterable[PageLike], site: str = "", by: str = "host") -> Template:
        """Samples the pages of a site and learns its template. The same pages in any order give the same one."""
        return self.template(sample_of(map(as_page, pages), self.looked_at), site, by)

    def template(self, sample: Sample, site: str = "", by: str = "host") -> Template:
        """Learns from pages that were sampled: copies go, families are told apart, and each is learned by itself."""
        method = methods.method(self.method)
        pages = originals(sample.pages) if self.dedupe else list(sample.pages)
        families = families_of(pages, mixed=method.mixed)
        learned = [method.learn(family[: self.sample], **self.options) for family in families]
        members = {id(page) for family in families for page in family}
        outliers = [page for page in pages if id(page) not in members]
        outliers += [page for rules in learned for page in rules.outliers]
        return Template(
            self.method,
            tuple(Family(signature(family), own.rules) for family, own in zip(families, learned, strict=True)),
            len(pages),
            tuple(page.name or page.digest for page in outliers),
            site,
            by,
            metadata.learn([page for family in families for page in family[: self.sample]]),
            left_out=tuple(sample.left_out),
        )
