"""From bytes to text, step by step: `clean` cleans one page, `learn` learns the template of a site.

The right column names the function and module of each step:

        decode, parse  bytes become a page, parsed on first use                  as_page: page.Page
        sample         some pages are chosen to learn from                       sample_of: templates.sampling
                       copies of a page are dropped                              originals: templates.copies
        families       pages are grouped by template                             families_of: templates.families
        learn          a method learns the rules of each family                  Method.learn: methods.evidence.judging
                       the places of authors and dates are learned               metadata.learn
        mark           the rules of the page's family mark template nodes        Template.mark: Evidence.mark
                       edits override them; a guard prevents empty pages         Marking.gone: marking.marking
                       what is left twice is removed once                        copies: marking._copies
        columns        if asked for: where pages differ                          with_columns: tables.records
        hide           hidden elements are removed, too                          Cleaned.unseen: render.unseen
        write          the rest is written as text, Markdown or HTML             Cleaned.text: render.text
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from dehusk import metadata, methods
from dehusk.base.errors import UsageError
from dehusk.page import Page
from dehusk.page.sharing import Locks
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources import open_source, pages_of
from dehusk.sources.web.fetching import Fetching
from dehusk.tables import records
from dehusk.tables.lines import Read
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.copies import originals
from dehusk.templates.families import families_of, signature
from dehusk.templates.sampling import Sample, sample_of
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Family, PageLike, Template, as_page

SAMPLE = 24
"""How many pages to learn from. A few dozen were enough on every site of Vieira et al. 2006 (section 6.1)."""

POOL = 5
"""Families are found among this many times SAMPLE pages, so that a family with 5% of the pages is still found."""


def clean(
    html: PageLike | None = None,
    *,
    url: str | None = None,
    fetching: Fetching | None = None,
    keep: Iterable[str] = (),
    drop: Iterable[str] = (),
    writing: Writing = AS_LEARNED,
    **options: Any,
) -> Cleaned:
    """Cleans a single page, given as HTML (bytes or str), a Page, or the Path of a file.

    `url` is its address. If only `url` is given, the page is fetched, as `fetching` says: robots.txt is obeyed, and
    private addresses are refused. `options` are those of `learn`; `keep`, `drop` and `writing` those of
    `Template.clean`. If you have more pages of the site, use `learn` and clean with its template: the result is better.
    """
    page = _fetched(url, fetching) if html is None else as_page(html)
    if url is not None and page.url is None:
        page = Page(page.html, url=url, name=page.name, encoding=page.encoding, origin=page.origin)
    template = learn(page, **options)
    return template.clean(page, keep=keep, drop=drop, writing=writing)  # marks now; hides and writes on access


def _fetched(url: str | None, fetching: Fetching | None) -> Page:
    """Fetches a page. Raises UsageError if no URL is given."""
    if url is None:
        raise UsageError("no page to clean; give its HTML, the Path of a file, or url=")
    with (fetching or Fetching()).open() as fetcher:
        return fetcher.fetch(url)


def learn(
    pages: Iterable[PageLike] | PageLike | os.PathLike[str],
    *,
    method: str = methods.DEFAULT,
    sample: int | None = SAMPLE,
    dedupe: bool = True,
    columns: bool = False,
    **options: Any,
) -> Template:
    """Learns the template of a site from HTML as bytes or str, Page objects, or the Path of a folder or an archive.

    `sample` is how many pages to learn from in each family, None for all. Copies of a page count once, unless `dedupe`
    is False. With `columns`, the places where pages differ are learned, too: see `Template.record`. `options` are those
    of the method. From fewer than two different pages, the default method judges each page by itself, and the other
    methods remove nothing.
    """
    learning = Learning(method, sample, dedupe, options, columns)
    if isinstance(pages, Page | bytes | str):
        pages = [pages]
    elif isinstance(pages, os.PathLike):
        pages = pages_at(pages)
    elif not isinstance(pages, Iterable):
        raise UsageError(f"cannot learn from {type(pages).__name__}; give a list of pages, or the Path of a folder")
    template = learning.learn(pages)
    if not template.pages:
        raise UsageError("no pages to learn from; give two or more pages of a site")
    return template


def pages_at(place: os.PathLike[str]) -> Iterator[Page]:
    """Yields the pages of a place. Raises UsageError if they are of several sites, which need several templates."""
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
    """How to learn a template: method, options, and number of pages.

    Validated at construction; raises UsageError for options that the method does not have or accept.
    """

    method: str = methods.DEFAULT
    sample: int | None = SAMPLE
    """How many pages of each family to learn from; None for all."""
    dedupe: bool = True
    """Whether copies of a page count once."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the method."""
    columns: bool = False
    """Whether the columns of tables are learned, too."""

    def __post_init__(self) -> None:
        if self.sample is not None and (type(self.sample) is not int or self.sample < 2):
            raise UsageError(f"sample={self.sample!r}: give a number of pages, at least 2, or None for all")
        object.__setattr__(self, "options", methods.method(self.method).check(self.options))

    @classmethod
    def of(
        cls,
        method: str = methods.DEFAULT,
        sample: int | None = SAMPLE,
        *,
        dedupe: bool = True,
        columns: bool = False,
        **options: Any,
    ) -> Self:
        """Makes a Learning with the options of the method as keyword arguments."""
        return cls(method, sample, dedupe, options, columns)

    @property
    def looked_at(self) -> int | None:
        """How many pages of a site are sampled to find families; None for all."""
        return None if self.sample is None else self.sample * POOL

    def learn(self, pages: Iterable[PageLike], site: str = "", by: str = "host") -> Template:
        """Samples the pages of a site and learns its template, which does not depend on their order."""
        return self.template(sample_of(map(as_page, pages), self.looked_at), site, by)

    def template(self, sample: Sample, site: str = "", by: str = "host") -> Template:
        """Learns from sampled pages: drops copies, finds families, and learns each of them."""
        with Locks(sample.pages):
            return self._template(sample, site, by)

    def _template(self, sample: Sample, site: str, by: str) -> Template:
        method = methods.method(self.method)
        pages = originals(sample.pages) if self.dedupe else list(sample.pages)
        families = families_of(pages, mixed=method.mixed)
        learned = [method.learn(family[: self.sample], **self.options) for family in families]
        members = {id(page) for family in families for page in family}
        outliers = [page for page in pages if id(page) not in members]
        outliers += [page for rules in learned for page in rules.outliers]
        template = Template(
            self.method,
            tuple(Family(signature(family), own.rules) for family, own in zip(families, learned, strict=True)),
            len(pages),
            tuple(page.name or page.digest for page in outliers),
            site,
            by,
            metadata.learn([page for family in families for page in family[: self.sample]]),
            left_out=tuple(sample.left_out),
        )
        return with_columns(template, families) if self.columns else template


def with_columns(template: Template, families: Sequence[Sequence[Page]]) -> Template:
    """Returns a template with the columns of its families, learned from what it leaves of their pages."""
    learned = [
        records.learn([Read(page, page.flagged(template.mark(page).gone)) for page in family]) for family in families
    ]
    return replace(
        template,
        families=tuple(
            replace(family, tables=tables) for family, tables in zip(template.families, learned, strict=True)
        ),
    )


def columned(template: Template, pages: Iterable[Page]) -> Template:
    """Returns a template with the columns of the pages that it was learned from, unless it has columns."""
    if any(family.tables for family in template.families):
        return template
    families: list[list[Page]] = [[] for _ in template.families]
    for page in originals(list(pages)):
        family = template.mark(page).family
        if family is not None:
            families[int(family) - 1].append(page)
    return with_columns(template, families)
