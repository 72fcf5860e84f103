"""The pages of a site: those of the catalogue, and those that its template was learned from, with their measures."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from math import inf
from typing import Any

from dehusk.jobs.store import Store
from dehusk.page import Page
from dehusk.render import Files
from dehusk.server import _models as models
from dehusk.server._replies import Recent
from dehusk.server.catalogue import Catalogue, Listed
from dehusk.server.viewer.page_views import archived
from dehusk.server.viewer.report import row_of
from dehusk.templates.template import Template

_SPREAD = (5**0.5 - 1) / 2  # the golden section: its multiples, modulo 1, are spread evenly


class Shelf:
    """Lists the pages of sites, reads them, and measures them once for each template."""

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        self._store = store
        self._catalogue = catalogue
        self._lists = Recent[str, list[Listed]]()
        self._keys = Recent[str, str]()
        self._learned = Recent[str, dict[str, Page]]()

    def listed(self, site: str) -> list[Listed]:
        """All pages of a site, sorted by name."""
        return self._lists.of(site, self._store.template(site), lambda: self._list(site))

    def _list(self, site: str) -> list[Listed]:
        listed = self._catalogue.listed(site)
        known = {one.id for one in listed} | {one.name for one in listed}
        sample = self._sample(site).items()  # of a page in the catalogue, it may have an older version
        more = [Listed(key, page.name) for key, page in sample if not known & {key, page.name}]
        return sorted([*listed, *more], key=lambda one: (one.name, one.id))

    def _sample(self, site: str) -> dict[str, Page]:
        """The pages that a site was learned from, by digest."""
        sampled = self._store.pages
        return self._learned.of(site, self._store.template(site), lambda: {page.digest: page for page in sampled(site)})

    def missing(self, site: str) -> int:
        """How many pages of the sources are not in the list, because they are too many."""
        return max(0, self._catalogue.read(site) - len(self.listed(site)))

    def page(self, site: str, key: str) -> Page | None:
        """The page with this id; None if there is none."""
        return self._catalogue.page(site, key) or self._sample(site).get(key)

    def files(self, page: Page) -> Files:
        """The style sheets and pictures of a page that an archive has."""
        return archived(self._catalogue.file, page.url or page.name)

    def named(self, site: str, page: Page) -> list[Listed]:
        """The pages of a site with the name of this page: versions of it, if an archive or the sample has several."""
        return [one for one in self.listed(site) if one.name == page.name]

    def rows(
        self, site: str, asked: Sequence[Listed], template: Template, how: str, *, seconds: float = inf
    ) -> list[models.PageRow]:
        """The rows of some pages. `template` is the one of the site by the method and grain in `how`.

        Pages are measured for about so many `seconds`. The figures of the others are None.
        """

        def figures(page: Page) -> dict[str, Any]:
            row = asdict(row_of(template.clean(page), template))
            return {name: value for name, value in row.items() if name != "name"}

        known = self.measured(site, asked, how, figures, seconds=seconds)
        return [models.PageRow(id=one.id, name=one.name, **known.get(one.id, {})) for one in asked]

    def measured(
        self,
        site: str,
        asked: Sequence[Listed],
        how: str,
        figures: Callable[[Page], Mapping[str, Any]],
        *,
        seconds: float = inf,
    ) -> dict[str, dict[str, Any]]:
        """What `figures` returns of some pages, by id. It is kept until the template of the site changes.

        Pages are measured for about so many `seconds`; the others are missing.
        """
        way = f"{self.key(site)} {how}"
        known = self._catalogue.measures(site, way)
        new = {}
        end = time.monotonic() + seconds
        # Spread over all pages: if time ends, those that were measured are a fair sample.
        for _, one in sorted(enumerate(asked), key=lambda item: item[0] * _SPREAD % 1):
            page = None if one.id in known or time.monotonic() > end else self.page(site, one.id)
            if page is not None:
                new[one.id] = dict(figures(page))
        self._catalogue.keep(site, way, new)
        return known | new

    def key(self, site: str) -> str:
        """A name of the template of a site: another if anything of it changes, but for the names of columns."""
        return self._keys.of(site, self._store.template(site), lambda: self._key(site))

    def _key(self, site: str) -> str:
        template = self._store.template(site)
        places = tuple(edit for edit in template.edits if not edit.column)
        data = json.dumps(replace(template, edits=places).to_json())
        return hashlib.blake2b(data.encode(), digest_size=16).hexdigest()
