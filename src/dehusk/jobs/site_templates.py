"""Templates of the sites of a source: learn, save, load and look up; and restricting a source to one site."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from dehusk import methods
from dehusk.base.errors import Skipped, SourceError, TemplateError, UsageError, did_you_mean, listed
from dehusk.base.files import held, written_whole
from dehusk.core import Learning
from dehusk.jobs._tasks import Early, learn_sites
from dehusk.jobs.workers import Crew
from dehusk.marking.edits import Edit
from dehusk.outputs.target import site_file
from dehusk.page import Page
from dehusk.sources import Source, pages_of, to_learn_from
from dehusk.templates.sampling import Samples
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Template, load

MOST_SITES = 10_000
"""Maximum number of sites that are considered for a "did you mean" suggestion."""

FEW_SITES = 10
"""Maximum number of sites that an error lists."""


class OneSite:
    """A source restricted to the pages of one site."""

    names: Sequence[str] | None = None

    def __init__(self, source: Source, site: str, by: str) -> None:
        self.files = source.files
        self._source = source
        self._site = site
        self._by = by

    def __iter__(self) -> Iterator[Page | Skipped]:
        return self._picked(self._source)

    def to_learn_from(self) -> Iterable[Page | Skipped]:
        """Yields the pages of the site that the source offers for learning, which may be more."""
        items = to_learn_from(self._source)
        return self if items is self._source else self._picked(items)

    def _picked(self, items: Iterable[Page | Skipped]) -> Iterator[Page | Skipped]:
        """Yields the items of the site. Raises SourceError, which lists the existing sites, if there is no page."""
        has_page = False
        others: dict[str, None] = {}
        for item in items:
            site = site_of(item if isinstance(item, Page) else Page(b"", url=item.name), self._by)
            if site == self._site:
                has_page = has_page or isinstance(item, Page)
                yield item
            elif site and len(others) < MOST_SITES:
                others[site] = None
        if not has_page:
            meant = did_you_mean(self._site, others)
            names = listed(others, FEW_SITES)
            raise SourceError(f"no page of the site {self._site}; there are {names or 'no pages with a URL'}{meant}")


SUFFIX = ".husk"


@dataclass(frozen=True, slots=True)
class Templates:
    """Templates by site. A template for the site "" is for every page. `by` tells how sites are separated.

    `missing` has, by site, the edits that apply to none of the pages learned from. `failed` has the error messages of
    sites that could not be learned.
    """

    by_site: Mapping[str, Template]
    by: str = "host"
    missing: Mapping[str, tuple[Edit, ...]] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)

    def of(self, page: Page) -> tuple[str, Template | None]:
        """Returns the site of a page, and its template if there is one.

        If there is only one site, its template is also for pages without a URL. Raises TemplateError for a site that
        could not be learned.
        """
        site = site_of(page, self.by)
        if site in self.failed:
            raise TemplateError(self.failed[site])
        only = next(iter(self.by_site)) if len(self.by_site) == 1 else None
        return site, self.by_site.get(only if only is not None and (only == "" or site == "") else site)

    @property
    def pages(self) -> int:
        """Number of pages learned from."""
        return sum(template.pages for template in self.by_site.values())

    @property
    def outliers(self) -> list[str]:
        """Names of pages that fit none of the templates."""
        return [name for template in self.by_site.values() for name in template.outliers]

    @property
    def left_out(self) -> list[str]:
        """Names of pages left out of learning because they took too much memory or time."""
        return [name for template in self.by_site.values() for name in template.left_out]

    def save(self, path: Path, *, before: Mapping[str, tuple[Edit, ...]] | None = None) -> None:
        """Writes one file for a single site, else a folder with a file per site.

        `before` are the edits that were there when learning began (`edits_at`). Learning takes a while: edits that were
        added to these files or undone since then stay added or undone.
        """
        known = None if before is None else [edit for edits in before.values() for edit in edits]
        if len(self.by_site) == 1:
            (only,) = self.by_site.values()
            _save(path, only, known)
            return
        for site, template in self.by_site.items():
            _save(path / site_file(site, SUFFIX), template, known, inside=path)

    @classmethod
    def load(cls, path: Path, by: str | None = None) -> Self:
        """Loads the result of `save`: a file with one template for every page, or a folder with one per site."""
        if not path.is_dir():
            return cls({"": load(path)}, by or "host")
        templates = [load(file) for file in sorted(path.glob(f"*{SUFFIX}"))]
        if not templates:
            raise TemplateError(f"{path}: no templates; give a folder that dehusk learn wrote")
        if {template.by for template in templates} != {by or templates[0].by}:
            raise UsageError(f"{path}: learned by {templates[0].by}; leave --by out, or learn again")
        return cls({template.site: template for template in templates}, templates[0].by)


def _save(file: Path, template: Template, known: Collection[Edit] | None, inside: Path | None = None) -> None:
    """Writes a template to a file; keeps what happened to the edits in the file since they were `known`."""
    with held(file):
        now = None if known is None else _edits_in(file)
        if known is not None and now is not None:
            own = (edit for edit in template.edits if edit not in known and edit not in now)
            template = replace(template, edits=(*now, *own))
        with written_whole(file, inside=inside) as opened:
            template.write(opened)


def _edits_in(file: Path) -> tuple[Edit, ...] | None:
    """Returns the edits in a template file; None if there is no file, or it cannot be read."""
    try:
        # Most have none, and there may be thousands of files.
        return load(file).edits if b'"edits"' in file.read_bytes() else ()
    except (TemplateError, OSError):
        return None


def edits_at(path: Path) -> dict[str, tuple[Edit, ...]]:
    """Returns the edits by site of saved templates. Files that cannot be read are ignored."""
    files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
    edits: dict[str, tuple[Edit, ...]] = {}
    for file in files:
        if _edits_in(file):
            with suppress(TemplateError):  # replaced in the meantime
                known = load(file)
                edits |= {known.site: known.edits} if known.edits else {}
    return edits


def learn_source(
    items: Iterable[Page | Skipped],
    learning: Learning,
    *,
    by: str = "host",
    edits: Mapping[str, tuple[Edit, ...]] | None = None,
    learned: Callable[[int, int], object] = lambda _done, _sites: None,
    crew: Crew | None = None,
    early: Early | None = None,
    page_seconds: float = 0,
) -> Templates:
    """Learns a template for each site of a source. `edits` are earlier edits by site, which are kept.

    `learned` is called with the number of sites done and their total. `crew` are the processes to learn in; None means
    this process, where a site may take `page_seconds` of processor time for each of its pages. With `early`, pages are
    cleaned as well if the samples are in memory. Raises SourceError if there are no pages, and TemplateError if the
    method needs more pages or no site could be learned.
    """
    by_site: dict[str, Template] = {}
    missing: dict[str, tuple[Edit, ...]] = {}
    failed: dict[str, str] = {}
    with Samples(learning.looked_at) as samples:
        for page in pages_of(items):
            samples.add(site_of(page, by), page)
        # Pages without a URL are a site of their own only if no page has a URL.
        sites = [site for site in samples.sites if site] or list(samples.sites)
        learned(0, len(sites))
        early = early if samples.in_memory else None
        outcomes = learn_sites(((site, samples.pages(site)) for site in sites), by, learning, crew, early, page_seconds)
        for done, (site, outcome) in enumerate(zip(sites, outcomes, strict=True), 1):
            if isinstance(outcome, Template):
                own = _carried(edits or {}, site, sites)
                by_site[site] = replace(outcome, edits=own)
                missing |= {site: gone} if own and (gone := by_site[site].missing(samples.pages(site))) else {}
            else:
                failed[site] = str(outcome)
            learned(done, len(sites))
    if not by_site:
        raise TemplateError(next(iter(failed.values())))
    if not methods.method(learning.method).alone and all(template.pages < 2 for template in by_site.values()):
        raise TemplateError(
            f"the method {learning.method} cannot learn from a single page; give at least two different pages"
        )
    return Templates(by_site, by, missing, failed)


def _carried(edits: Mapping[str, tuple[Edit, ...]], site: str, sites: Collection[str]) -> tuple[Edit, ...]:
    """Returns the edits of a site. If there is only one, now and before, its pages may have URLs in one case only."""
    if len(edits) != 1 or len(sites) != 1:
        return edits.get(site, ())
    ((known, own),) = edits.items()
    if site and known and site != known:
        raise UsageError(f"the existing file has edits of {known}, but these pages are of {site}; choose another file")
    return own
