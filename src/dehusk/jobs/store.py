"""A store: the templates of many sites in one file, in versions, with the pages that they were learned from.

One archive of a large crawl holds a page or two of most sites. A store adds up what many archives show: of each site it
holds the sample that learning from all archives at once would draw. So the template is the same, whatever their order
and however they were split. A site that was redesigned gets a new version; the old ones stay.

    with Store("crawl.store") as store:
        store.add(pages)                            # learns; add(pages, update=True) begins new versions
        store.template("site.example").clean(html)  # the newest; template("site.example", 1) is the first

It is an SQLite file. Any number of processes may read and write it at once; a `Store` belongs to one thread. Writers
take turns, and learn while others write: a template goes in only if its sample is still the one it was learned from.
"""

import json
import os
import zlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from dehusk import methods
from dehusk.base import packing
from dehusk.base.errors import OutputError, TemplateError, UsageError
from dehusk.core import SAMPLE, Learning
from dehusk.jobs._store_file import StoreFile, VersionRow, merge, newest, sampled_pages, site_key
from dehusk.jobs._tasks import learn_sites
from dehusk.jobs.workers import Crew
from dehusk.marking.edits import Edit, added, from_list, without
from dehusk.page import Page
from dehusk.templates.sampling import Samples
from dehusk.templates.site_names import site_of
from dehusk.templates.template import LARGEST, PageLike, Template, as_page, parsed

CACHED_TEMPLATES = 64
"""Templates that stay in memory: pages of one site tend to come together."""

_BATCH_SITES = 32  # sites that are written at once: each write waits for the disk
_DEFAULTS = {"by": "host", "method": methods.DEFAULT, "sample": SAMPLE, "dedupe": True}


class TemplateVersion(NamedTuple):
    """A version of a site's template: its number from 1 on, how many pages it was learned from, and when (UTC)."""

    number: int
    pages: int
    learned: str


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding pages: how many, of how many sites, and how many sites have a new or better template.

    `missing` are, by site, the edits whose places are on none of the pages that it was learned from. `failed` are the
    sites that could not be learned, and why.
    """

    pages: int
    sites: int
    learned: int
    missing: Mapping[str, tuple[Edit, ...]] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


class Store(AbstractContextManager["Store"]):
    """The templates of sites in a file, which is made when something is first added.

    A new store learns as it is told: `by` host or domain, with a `method`, its `options`, `sample` and `dedupe` as
    `dehusk.learn` takes them. They are settled when the store is made. `create=False` is for a store that
    must exist.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        by: str | None = None,
        method: str | None = None,
        sample: int | None = None,
        dedupe: bool | None = None,
        create: bool = True,
        crew: Crew | None = None,
        **options: Any,
    ) -> None:
        """`crew` are the processes to learn in; None for this one."""
        self.path = Path(path)
        self._crew = crew
        given = {"by": by, "method": method, "sample": sample, "dedupe": dedupe, **options}
        self._file = StoreFile(
            self.path, _DEFAULTS, {name: _plain(value) for name, value in given.items() if value is not None}
        )
        self._cache: OrderedDict[VersionRow, Template | TemplateError] = OrderedDict()
        if self._file.exists:
            self._file.open()
        elif not create:
            raise TemplateError(f"{self.path}: no such store; dehusk learn --store makes one")
        else:
            self._learning  # noqa: B018  # refuses settings that make no sense before anything is done

    @property
    def by(self) -> str:
        """What is one site: host or domain."""
        return str(self._file.settings["by"])

    def __contains__(self, site: object) -> bool:
        return isinstance(site, str) and newest(self._file, site) is not None

    def sites(self) -> Iterator[str]:
        """The sites there are templates for, in the order of their names."""
        site = ""
        query = "SELECT min(site) FROM version WHERE site >= ?"
        while (row := self._file.row((str | None,), query, site)) and row[0] is not None:
            yield row[0]
            site = row[0] + "\0"  # what comes next

    def versions(self, site: str) -> list[TemplateVersion]:
        """The versions of a site's template, the first one first; none for a site that the store does not know."""
        query = "SELECT number, pages, learned FROM version WHERE site = ? ORDER BY number"
        return [TemplateVersion(*row) for row in self._file.rows((int, int, str), query, site_key(site))]

    def template(self, site: str, version: int | None = None) -> Template:
        """A version of a site's template; the newest if none is given."""
        return self._template(self._version(site, version), site)

    def _version(self, site: str, version: int | None) -> VersionRow:
        """A version of a site. Raises TemplateError where there is none."""
        row = newest(self._file, site, version)
        if row is None and version is None:
            missing = f"{self.path}: no template for {site or 'pages without a URL'}"
            raise TemplateError(f"{missing}; dehusk store {self.path} lists the sites")
        if row is None or version not in (None, row.number):
            raise TemplateError(f"{self.path}: no version {version} of {site}; it has {len(self.versions(site))}")
        return row

    def latest(self, site: str, version: int | None = None) -> Template | None:
        """The newest template of a site that is no newer than a version; None for a site that the store lacks."""
        row = newest(self._file, site, version)
        return None if row is None else self._template(row, site)

    def pages(self, site: str, version: int | None = None) -> Iterator[Page]:
        """The pages that a version of a site's template was learned from; the newest if none is given."""
        row = self._version(site, version)
        return sampled_pages(self._file, row, site)

    def edits(self, site: str) -> tuple[Edit, ...]:
        """The corrections of a site, the first one first. They hold for all versions of its template."""
        return self._edits_in(self._file.edits(site_key(site)), site)

    def edit(self, site: str, edit: Edit) -> Edit:
        """Corrects the template of a site, now and when it is learned again: see `Template.edited`."""
        (new,) = replace(self.template(site), edits=()).edited(edit).edits
        self._change(site, lambda edits: added(edits, new))
        return new

    def undo(self, site: str, name: str) -> None:
        """Takes the edit of this id back; the others stay."""
        self._change(site, lambda edits: without(edits, name))

    def _change(self, site: str, change: Callable[[tuple[Edit, ...]], tuple[Edit, ...]]) -> None:
        """Changes the edits of a site. Templates in memory know by their revision that they are out of date."""
        self._version(site, None)  # a site that the store does not know has none
        with self._file.editing() as db:
            row = db.execute("SELECT edits FROM edit WHERE site = ?", (site_key(site),)).fetchone()
            edits = change(self._edits_in(row and row[0], site))
            data = json.dumps([edit.to_json() for edit in edits])
            db.execute("INSERT OR REPLACE INTO edit VALUES (?, ?)", (site_key(site), data))
            db.execute("UPDATE version SET revision = revision + 1 WHERE site = ?", (site_key(site),))

    def _edits_in(self, data: str | None, site: str) -> tuple[Edit, ...]:
        try:
            return from_list(json.loads(data)) if data else ()
        except (UsageError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise TemplateError(f"{self.path}: the edits of {site} are damaged; learn into another store") from error

    def make(self) -> None:
        """Makes the file now, if it is not there: for other processes, which see what is in a file that they opened."""
        self._file.open()

    def add(
        self,
        pages: Iterable[PageLike],
        *,
        update: bool = False,
        only_new: bool = False,
        site: Callable[[Page], str] | None = None,
        learned: Callable[[int], object] = lambda _: None,
    ) -> Added:
        """Adds pages to the samples of their sites and learns again where a sample changed.

        `update` is for sites that have been redesigned: these pages alone begin a new version of each. The same pages
        once more begin none. `only_new` leaves out pages of sites that have a template. `site` says which site a page
        is of, where its URL does not. `learned` is told how many sites are done.
        """
        new = sites = changed = 0
        missing: dict[str, tuple[Edit, ...]] = {}
        failed: dict[str, str] = {}
        learning = self._learning
        with Samples(learning.looked_at) as samples:
            for page in map(as_page, pages):
                name = site(page) if site is not None else site_of(page, self.by)
                if not (only_new and name in self):
                    samples.add(name, page)
                    new += 1
            every = samples.sites
            while batch := list(islice(every, _BATCH_SITES)):
                learned(sites)
                merged, lost = self._merge(samples, batch, learning, update=update)
                failed |= lost
                changed += len(merged)
                missing |= {site: gone for site, gone in merged.items() if gone}
                sites += len(batch)
            learned(sites)
        return Added(new, sites, changed, missing, failed)

    def _merge(
        self, samples: Samples, sites: Iterable[str], learning: Learning, *, update: bool
    ) -> tuple[dict[str, tuple[Edit, ...]], dict[str, str]]:
        """Brings the samples of some sites up to date, then their templates.

        Those that changed, with missing edits, and those that could not be learned, with the reason.
        """
        with self._file.writing() as db:
            changed = {
                site: version
                for site in sites
                if (version := merge(self._file, db, site, samples, learning.looked_at, update=update))
            }
        every = ((site, sampled_pages(self._file, version, site)) for site, version in changed.items())
        learned = dict(zip(changed, learn_sites(every, self.by, learning, self._crew), strict=True))
        good = {site: template for site, template in learned.items() if isinstance(template, Template)}
        self._write([(changed[site], template) for site, template in good.items()])
        failed = {site: str(template) for site, template in learned.items() if isinstance(template, TemplateError)}
        self._cache |= {changed[site]: TemplateError(why) for site, why in failed.items()}
        return {site: self._missing(template, changed[site], site) for site, template in good.items()}, failed

    def _missing(self, template: Template, version: VersionRow, site: str) -> tuple[Edit, ...]:
        """The edits of a site that say nothing about the pages of its sample."""
        edits = self.edits(site)
        return replace(template, edits=edits).missing(sampled_pages(self._file, version, site)) if edits else ()

    def _template(self, version: VersionRow, site: str) -> Template:
        """The template of a version, from memory if it is there and its sample has not changed since.

        Raises TemplateError, from memory too, if it is damaged and cannot be learned again.
        """
        known = self._cache.pop(version, None)
        if known is None:
            try:
                known = self._read(version, site)
            except TemplateError as error:
                known = error
            while len(self._cache) >= CACHED_TEMPLATES:  # more where many could not be learned
                self._cache.popitem(last=False)
        self._cache[version] = known
        if isinstance(known, TemplateError):
            raise TemplateError(str(known))
        return known

    def _read(self, version: VersionRow, site: str) -> Template:
        """The template of a version with the edits of its site.

        It is learned now if it is damaged, or if a process changed the sample and was stopped.
        """
        row = self._file.row((object,), "SELECT template FROM version WHERE id = ?", version.id)
        if row is not None and row[0] is not None:
            with suppress(TemplateError):  # a damaged one is learned again
                return replace(_decoded(row[0]), edits=self.edits(site))
        # In a process of its own: the others may be at work for whoever asks.
        with nullcontext() if self._crew is None else Crew(1, self._crew.seconds) as crew:
            (learned,) = learn_sites([(site, sampled_pages(self._file, version, site))], self.by, self._learning, crew)
        if isinstance(learned, TemplateError):
            raise learned
        with suppress(OutputError):  # a store that may only be read gives its templates, too
            self._write([(version, learned)])
        return replace(learned, edits=self.edits(site))

    @property
    def _learning(self) -> Learning:
        """How it learns, as its file says."""
        return Learning.of(**{name: value for name, value in self._file.settings.items() if name != "by"})

    def _write(self, learned: Collection[tuple[VersionRow, Template]]) -> None:
        """Writes templates whose samples have not changed since."""
        if not learned:
            return
        today = datetime.now(UTC).isoformat(timespec="seconds").removesuffix("+00:00")
        rows = [
            (zlib.compress(json.dumps(template.to_json()).encode()), today, version.id, version.revision)
            for version, template in learned
        ]
        with self._file.writing() as db:
            db.executemany("UPDATE version SET template = ?, learned = ? WHERE id = ? AND revision = ?", rows)

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Stored:
    """Templates from a store by the site of a page, as `Templates` has them in memory.

    `version` is the newest to use. A site without it is cleaned with the last one before it. Pages without a URL are of
    the site `nameless`.
    """

    store: Store
    version: int | None = None
    nameless: str = ""

    def site(self, page: Page) -> str:
        """The site of a page."""
        return site_of(page, self.store.by) or self.nameless

    def of(self, page: Page) -> tuple[str, Template | None]:
        """The site of a page, and its template if there is one."""
        site = self.site(page)
        return site, self.store.latest(site, self.version)


def _decoded(data: object) -> Template:
    """The template of a row. Raises TemplateError where it is damaged."""
    try:
        return Template.from_json(parsed(packing.inflated(data, LARGEST)))  # type: ignore[arg-type]  # it may be anything
    except (zlib.error, TypeError, ValueError, RecursionError) as error:
        raise TemplateError("damaged") from error


def _plain(value: object) -> Any:
    """An option as JSON, lists in an order of their own: that is how it is stored and compared."""
    if isinstance(value, Collection) and not isinstance(value, str | Mapping):
        value = sorted(value)
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{value!r:.80}: not an option that a store can keep") from error
