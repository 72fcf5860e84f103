"""The templates of the sites of one source: learned together, saved together, and looked up by page."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from dehusk import methods
from dehusk.errors import Skipped, TemplateError, UsageError
from dehusk.learning import POOL, SAMPLE, learn_pages
from dehusk.page import Page
from dehusk.sites.names import site_of
from dehusk.sites.sampling import Samples
from dehusk.sources import pages_of
from dehusk.template import PageLike, Template, load

SUFFIX = ".husk"


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of sites, and which site a page is of. A template without a site is for every page."""

    by_site: Mapping[str, Template]
    by: str = "host"

    def of(self, page: Page) -> tuple[str, Template | None]:
        """The site of a page, and its template if there is one. If there is one site, a page without a URL is of it."""
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
        """Writes a file for one site, or a folder with a file for each of several."""
        if len(self.by_site) == 1:
            (only,) = self.by_site.values()
            only.save(place)
            return
        for site, one in self.by_site.items():
            one.save(place / f"{quote(site, safe='') or 'no-site'}{SUFFIX}")

    @classmethod
    def load(cls, place: Path, by: str | None = None) -> Self:
        """What `save` wrote: one template for every page, or a folder of them."""
        if not place.is_dir():
            return cls({"": load(place)}, by or "host")
        found = [load(file) for file in sorted(place.glob(f"*{SUFFIX}"))]
        if not found:
            raise TemplateError(f"{place}: no templates; give a folder that dehusk learn wrote")
        if {one.by for one in found} != {by or found[0].by}:
            raise UsageError(f"{place}: learned by {found[0].by}; leave --by out, or learn again")
        return cls({one.site: one for one in found}, found[0].by)


def learn_site(site: str, by: str, pages: Iterable[PageLike], **how: Any) -> Template:
    """Learns the template of one site, which then knows whose it is. `how` is what `dehusk.learn` takes."""
    return replace(learn_pages(pages, **how), site=site, by=by)


def learn_source(
    items: Iterable[Page | Skipped],
    *,
    by: str = "host",
    method: str = methods.DEFAULT,
    sample: int = SAMPLE,
    dedupe: bool = True,
    learned: Callable[[int, int], object] = lambda _done, _sites: None,
    **options: Any,
) -> Templates:
    """Learns a template for each site of a source. `options` are the method's own.

    `learned` is told how many sites are done, and how many there are. Raises SourceError where there is no page, and
    TemplateError where the method needs more.
    """
    how = {"method": method, "sample": sample, "dedupe": dedupe, **options}
    learn_pages([], **how)  # refuses options that make no sense before anything is read
    by_site: dict[str, Template] = {}
    with Samples(sample * POOL) as samples:
        for page in pages_of(items):
            samples.add(site_of(page, by), page)
        # Where some pages have URLs, those without are of no site of their own.
        sites = [site for site in samples.sites if site] or list(samples.sites)
        for done, site in enumerate(sites):
            learned(done, len(sites))
            by_site[site] = learn_site(site, by, samples.pages(site), **how)
        learned(len(sites), len(sites))
    if not methods.method(method).alone and all(one.pages < 2 for one in by_site.values()):
        raise TemplateError(f"one page alone does not show {method} what is template; give two different ones or more")
    return Templates(by_site, by)
