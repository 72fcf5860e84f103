"""A store: template versions of many sites in one file, with the pages that they were learned from.

One archive of a large crawl has only a page or two of most sites. A store collects pages of many archives: for each
site it keeps the same sample as learning from all archives at once. So the template does not depend on the order of the
archives or how they were split. A redesigned site gets a new version; old versions are kept.

    with Store("crawl.store") as store:
        store.add(pages)                            # learns; add(pages, update=True) creates new versions
        store.template("site.example").clean(html)  # newest version; template("site.example", 1): the first

The file is an SQLite database. Many processes may read and write it at the same time; a `Store` object belongs to one
thread. Learning does not block other writers: a template is stored only if its sample has not changed meanwhile.
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
from dehusk.base import fields, packing
from dehusk.base.errors import OutputError, TemplateError, UsageError
from dehusk.core import SAMPLE, Learning
from dehusk.jobs._store_file import StoreFile, VersionRow, merge, newest, sampled_pages
from dehusk.jobs._tasks import learn_sites
from dehusk.jobs.workers import Crew
from dehusk.marking.edits import Edit, added, from_list, without
from dehusk.page import Page
from dehusk.templates.sampling import Samples
from dehusk.templates.site_names import site_of
from dehusk.templates.template import LARGEST, PageLike, Template, as_page, parsed

CACHED_TEMPLATES = 64
"""Maximum number of templates in memory. Pages of one site are often next to each other."""

_BATCH_SITES = 32  # sites per transaction: each one waits for the disk
_DEFAULTS = {"by": "host", "method": methods.DEFAULT, "sample": SAMPLE, "dedupe": True}


class TemplateVersion(NamedTuple):
    """A version of a template: its number, starting at 1, how many pages it was learned from, and when (UTC)."""

    number: int
    pages: int
    learned: str


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding pages: how many pages and sites, and how many sites have a new template.

    `missing` has, by site, the edits that apply to none of the pages learned from. `failed` has the error messages of
    sites that could not be learned.
    """

    pages: int
    sites: int
    learned: int
    missing: Mapping[str, tuple[Edit, ...]] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


class Store(AbstractContextManager["Store"]):
    """Templates of sites in a file. The file is created when pages are first added.

    `by` is host or domain. `method`, `sample`, `dedupe` and the method's `options` are as for `dehusk.learn`. These
    settings are fixed when the file is created. With `create=False`, the file must exist.
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
        """`crew` are the processes to learn in; None means this process."""
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
            raise TemplateError(f"{self.path}: no such store; create it with dehusk learn --store")
        else:
            self._learning  # noqa: B018  # raises early if the settings are invalid

    def __repr__(self) -> str:
        return f"<Store {self.path}>"

    @property
    def by(self) -> str:
        """What separates sites: host or domain."""
        return str(self._file.settings["by"])

    def __contains__(self, site: object) -> bool:
        return isinstance(site, str) and newest(self._file, site) is not None

    def sites(self) -> Iterator[str]:
        """Yields the sites that have templates, sorted by name."""
        site = ""
        query = "SELECT min(site) FROM version WHERE site >= ?"
        while (row := self._file.row((str | None,), query, site)) and row[0] is not None:
            yield row[0]
            site = row[0] + "\0"  # sorts right after the site

    def versions(self, site: str) -> list[TemplateVersion]:
        """Returns the versions of a site's template, oldest first; empty for an unknown site."""
        query = "SELECT number, pages, learned FROM version WHERE site = ? ORDER BY number"
        return [TemplateVersion(*row) for row in self._file.rows((int, int, str), query, site)]

    def template(self, site: str, version: int | None = None) -> Template:
        """Returns a version of a site's template; the newest by default."""
        return self._template(self._version(site, version), site)

    def _version(self, site: str, version: int | None) -> VersionRow:
        """Returns a version of a site, the newest by default. Raises TemplateError if it does not exist."""
        row = newest(self._file, site, version)
        if row is None and version is None:
            missing = f"{self.path}: no template for {site or 'pages without a URL'}"
            raise TemplateError(f"{missing}; dehusk store {self.path} lists the sites")
        if row is None or version not in (None, row.number):
            raise TemplateError(f"{self.path}: no version {version} of {site}; it has {len(self.versions(site))}")
        return row

    def latest(self, site: str, version: int | None = None) -> Template | None:
        """Returns the newest template of a site, up to `version` if given; None if there is none."""
        row = newest(self._file, site, version)
        return None if row is None else self._template(row, site)

    def pages(self, site: str, version: int | None = None) -> Iterator[Page]:
        """Yields the pages that a version of a site's template was learned from; the newest by default."""
        row = self._version(site, version)
        return sampled_pages(self._file, row, site)

    def edits(self, site: str) -> tuple[Edit, ...]:
        """Returns the edits of a site, oldest first. They apply to all versions of its template."""
        return self._edits_in(self._file.edits(site), site)

    def edit(self, site: str, edit: Edit) -> Edit:
        """Adds an edit to a site. It also applies when the site is learned again: see `Template.edited`."""
        (new,) = replace(self.template(site), edits=()).edited(edit).edits
        self._change(site, lambda edits: added(edits, new))
        return new

    def undo(self, site: str, name: str) -> None:
        """Removes the edit with this id; other edits are kept."""
        self._change(site, lambda edits: without(edits, name))

    def _change(self, site: str, change: Callable[[tuple[Edit, ...]], tuple[Edit, ...]]) -> None:
        """Changes the edits of a site. A new revision number makes cached templates invalid."""
        self._version(site, None)  # raises for an unknown site
        with self._file.editing() as db:
            row = db.execute("SELECT edits FROM edit WHERE site = ?", (site,)).fetchone()
            edits = change(self._edits_in(row and row[0], site))
            data = json.dumps([edit.to_json() for edit in edits])
            db.execute("INSERT OR REPLACE INTO edit VALUES (?, ?)", (site, data))
            db.execute("UPDATE version SET revision = revision + 1 WHERE site = ?", (site,))

    def _edits_in(self, data: str | None, site: str) -> tuple[Edit, ...]:
        try:
            return from_list(fields.parsed(data)) if data else ()
        except (UsageError, LookupError, TypeError, ValueError) as error:
            raise TemplateError(f"{self.path}: the edits of {site} are damaged; learn into another store") from error

    def make(self) -> None:
        """Creates the file now if it does not exist, so that other processes can open it."""
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
        """Adds pages to the samples of their sites, and learns again the sites whose sample changed.

        `update` is for redesigned sites: it creates a new version of each site from these pages only, unless the newest
        version has the same pages. `only_new` ignores pages of sites that have a template. `site` returns the site of a
        page; by default it is taken from the URL. `learned` is called with the number of sites done.
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
        """Updates the samples of some sites, then their templates.

        Returns the changed sites with their missing edits, and the sites that could not be learned with their errors.
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
        """Returns the edits of a site that apply to none of the pages of its sample."""
        edits = self.edits(site)
        return replace(template, edits=edits).missing(sampled_pages(self._file, version, site)) if edits else ()

    def _template(self, version: VersionRow, site: str) -> Template:
        """Returns the template of a version, from the cache if its sample has not changed since.

        Raises TemplateError if it is damaged and cannot be learned again. The error is cached too.
        """
        known = self._cache.pop(version, None)
        if known is None:
            try:
                known = self._read(version, site)
            except TemplateError as error:
                known = error
            while len(self._cache) >= CACHED_TEMPLATES:  # may be exceeded by cached errors
                self._cache.popitem(last=False)
        self._cache[version] = known
        if isinstance(known, TemplateError):
            raise TemplateError(str(known))
        return known

    def _read(self, version: VersionRow, site: str) -> Template:
        """Reads the template of a version, with the edits of its site.

        Learns it again if it is damaged, or missing because a process was stopped before it was learned.
        """
        row = self._file.row((object,), "SELECT template FROM version WHERE id = ?", version.id)
        if row is not None and row[0] is not None:
            with suppress(TemplateError):  # damaged: learned again below
                return replace(_decoded(row[0]), edits=self.edits(site))
        # In a separate process: those of the crew may be busy with tasks of the caller.
        with nullcontext() if self._crew is None else Crew(1, self._crew.seconds) as crew:
            (learned,) = learn_sites([(site, sampled_pages(self._file, version, site))], self.by, self._learning, crew)
        if isinstance(learned, TemplateError):
            raise learned
        with suppress(OutputError):  # the file may be read-only
            self._write([(version, learned)])
        return replace(learned, edits=self.edits(site))

    @property
    def _learning(self) -> Learning:
        """The learning options from the settings of the file."""
        return Learning.of(**{name: value for name, value in self._file.settings.items() if name != "by"})

    def _write(self, learned: Collection[tuple[VersionRow, Template]]) -> None:
        """Stores templates, except those whose samples have changed since."""
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
        """Closes the file."""
        self._file.close()

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Stored:
    """Looks up templates in a store, as `Templates` does in memory.

    `version` is the newest version to use; a site that does not have it uses the last one before. Pages without a URL
    belong to the site `nameless`.
    """

    store: Store
    version: int | None = None
    nameless: str = ""

    def site(self, page: Page) -> str:
        """Returns the site of a page."""
        return site_of(page, self.store.by) or self.nameless

    def of(self, page: Page) -> tuple[str, Template | None]:
        """Returns the site of a page, and its template if there is one."""
        site = self.site(page)
        return site, self.store.latest(site, self.version)


def _decoded(data: object) -> Template:
    """Decodes a stored template. Raises TemplateError if it is damaged."""
    try:
        return Template.from_json(parsed(packing.inflated(data, LARGEST)))  # type: ignore[arg-type]  # it may be anything
    except (zlib.error, TypeError, ValueError) as error:
        raise TemplateError("damaged") from error


def _plain(value: object) -> Any:
    """Returns an option as JSON data, with collections sorted, as it is stored and compared."""
    if isinstance(value, Collection) and not isinstance(value, str | Mapping):
        value = sorted(value)
    try:
        return fields.parsed(json.dumps(value))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{value!r:.80}: not an option that a store can keep") from error
