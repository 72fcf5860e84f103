"""A whole job: source, learn, clean, output."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from dehusk import methods
from dehusk.errors import Skipped, TemplateError, UsageError
from dehusk.jobs.cleaning import Done, Finished, Lookup, clean_all
from dehusk.learning import POOL, SAMPLE, learn_pages
from dehusk.outputs import Output
from dehusk.page import Page
from dehusk.sites.names import site_of
from dehusk.sites.sampling import Samples
from dehusk.template import Template, load

if TYPE_CHECKING:
    from dehusk.jobs.unfinished import Unfinished

SUFFIX = ".husk"


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of sites, and how to tell which site a page is of. A template for no site serves every page."""

    by_site: Mapping[str, Template]
    by: str

    def of(self, page: Page) -> tuple[str, Template | None]:
        """The site of a page, and its template if there is one; a page without a URL is of the only site."""
        site = site_of(page, self.by)
        only = next(iter(self.by_site)) if len(self.by_site) == 1 else None
        return site, self.by_site.get(only if only is not None and (only == "" or site == "") else site)

    @property
    def pages(self) -> int:
        """How many pages were learned from."""
        return sum(one.pages for one in self.by_site.values())

    @property
    def outliers(self) -> list[str]:
        """The pages that fit none of the templates."""
        return [name for one in self.by_site.values() for name in one.outliers]

    def save(self, place: Path) -> None:
        """One site: a file; several: a folder with a file each, which know their sites."""
        if len(self.by_site) == 1:
            (only,) = self.by_site.values()
            only.save(place)
            return
        for site, one in self.by_site.items():
            one.save(place / f"{quote(site, safe='') or 'no-site'}{SUFFIX}")

    @classmethod
    def load(cls, place: Path, by: str | None) -> Self:
        """What `save` wrote: one template for every page, or a folder of them."""
        if not place.is_dir():
            return cls({"": load(place)}, by or "host")
        found = [load(file) for file in sorted(place.glob(f"*{SUFFIX}"))]
        if not found:
            raise TemplateError(f"{place}: no templates; give a folder that dehusk learn wrote")
        if {one.by for one in found} != {by or found[0].by}:
            raise UsageError(f"{place}: learned by {found[0].by}; leave --by out, or learn again")
        return cls({one.site: one for one in found}, found[0].by)


def learn_source(
    items: Iterable[Page | Skipped],
    *,
    by: str,
    method: str,
    sample: int = SAMPLE,
    dedupe: bool = False,
    **options: Any,
) -> Templates:
    """Learns a template for each site of a source, or says why that is not possible. `options` are the method's own."""
    methods.method(method)
    with Samples(sample * POOL) as samples:
        for item in items:
            if isinstance(item, Page):
                samples.add(site_of(item, by), item)
        # Where some pages have URLs, those without are of no site of their own.
        sites = [site for site in samples.sites if site] or list(samples.sites)
        learned = {
            site: replace(
                learn_pages(samples.pages(site), method=method, sample=sample, dedupe=dedupe, **options),
                site=site,
                by=by,
            )
            for site in sites
        }
    if not learned:
        raise TemplateError("none of these is a page; give a folder or archive that holds HTML")
    if not methods.method(method).alone and all(one.pages < 2 for one in learned.values()):
        raise TemplateError(f"one page alone does not show {method} what is template; give two different ones or more")
    return Templates(learned, by)


def clean_source(
    items: Iterable[Page | Skipped],
    learned: Lookup,
    output: Output,
    *,
    jobs: int = 1,
    kept: "Unfinished | None" = None,
) -> Generator[Done | Skipped, None, None]:
    """Cleans and writes page after page, and tells what became of each. A page that fails costs that page alone.

    `jobs` is how many processes clean; the pages are read and written in this one, in their order. What `kept` has done
    already is passed over, and it is told what is done.
    """
    left = islice(items, kept.items if kept else 0, None)
    with closing(clean_all(left, learned, output.encode, jobs)) as results:
        for item, result in results:
            if isinstance(item, Page) and isinstance(result, Finished):
                output.write(item, result.piece)
            outcome = result.done if isinstance(result, Finished) else result
            yield outcome
            if kept:
                kept.add(outcome, output)
