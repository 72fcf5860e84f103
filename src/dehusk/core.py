"""From bytes to text, step by step: `clean` is the whole way of one page, `learn` what comes first for a site.

decode, parse   bytes become a page; its document is parsed when it is first looked at      as_page, page
sample          of many pages a few are learned from, copies left out                       templates.sampling, copies
families        pages that share a template are told apart                                  templates.families
learn           a method learns rules from each family; all of them are the template        methods
mark            the family of a page is found; its rules walk the page and name what goes;
what a person edited counts for more; a guard leaves the page its text      Template.mark, marking
hide            what the page has and does not show goes, too                               render.unseen
write           what is left, as text, Markdown or HTML                                     render
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from dehusk import metadata, methods
from dehusk.base.errors import UsageError, did_you_mean
from dehusk.page import Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources import open_source, pages_of
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.copies import originals
from dehusk.templates.families import group, signature
from dehusk.templates.sampling import Chosen, cut
from dehusk.templates.site_names import site_of
from dehusk.templates.template import Family, PageLike, Template, as_page

SAMPLE = 24
"""How many pages to learn from: in the paper's experiments a few dozen were enough on every site (section 6.1)."""

POOL = 5
"""For families, this many times the sample are looked at: a family with a twentieth of the pages still shows up."""

MIXED, MOST = 12, 0.8
"""A method for mixed pages learns families apart if each has this many pages, and together this share of all pages.

On sites left out of training, F with the default method where every family of four pages is learned apart, and so: Big9
0.954 and 0.966, DAnIEL 0.937 and 0.948, other sets the same. Fewer pages show less of what recurs.
"""

LEAST = 4
"""The least pages of a family that is learned by itself; fewer may share content rather than a template."""


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
    return learn_pages(pages, method=method, sample=sample, dedupe=dedupe, **options)


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
    template = learn_pages([page], **options)  # what other pages would show, the page has to show by itself
    return template.clean(page, keep=keep, drop=drop, writing=writing)  # marked now; hides and writes when asked to


def learn_pages(
    pages: Iterable[PageLike],
    *,
    method: str = methods.DEFAULT,
    sample: int | None = SAMPLE,
    dedupe: bool = True,
    **options: Any,
) -> Template:
    """Learns the template of a site, one for each family of its pages.

    Of more pages than are looked at, those with the smallest content hash are, so that the same pages in any order give
    the same template; each family is learned from `sample` of them, None for all. Copies of a page count once, unless
    `dedupe` is False. `options` are the method's own. Of fewer than two different pages the default judges each page by
    itself; the other methods then remove nothing. Pages that would take too much memory are left out, and named in the
    template.
    """
    how = methods.method(method)
    _check(how, sample, options)
    chosen, left_out = _chosen(pages, Chosen(None if sample is None else sample * POOL))
    if dedupe:
        chosen = originals(chosen)
    groups = families_of(chosen, mixed=how.mixed)
    learned = [how.learn(family[:sample], **options) for family in groups]
    families = [Family(signature(family), one.rules) for family, one in zip(groups, learned, strict=True)]
    members = {id(page) for family in groups for page in family}
    outliers = [page for page in chosen if id(page) not in members]
    outliers += [page for one in learned for page in one.outliers]
    habits = metadata.learn([page for family in groups for page in family[:sample]])
    names = tuple(page.name or page.digest for page in outliers)
    return Template(method, tuple(families), len(chosen), names, habits=habits, left_out=tuple(left_out))


def families_of(pages: list[Page], *, mixed: bool) -> list[list[Page]]:
    """The families to learn by themselves: those with enough pages, else the largest one, else all pages as one.

    A method for mixed pages learns large families by themselves, and only if there are few pages beside them.
    """
    if len(pages) <= 2 or (mixed and len(pages) < 2 * MIXED):  # families or not, they are learned together
        return [pages]
    found = [[pages[number] for number in family] for family in group(pages)] or [pages]
    large = [family for family in found if len(family) >= (MIXED if mixed else LEAST)]
    if mixed and (len(large) < 2 or sum(map(len, large)) < MOST * len(pages)):
        return [pages]
    return large or found[:1]


def pick(pages: Iterable[PageLike], sample: int | None) -> list[Page]:
    """The pages to learn from, each content once, in the order of their hashes. Holds no more than `sample` of them."""
    return _chosen(pages, Chosen(sample, memory=None))[0]


def _chosen(pages: Iterable[PageLike], among: Chosen) -> tuple[list[Page], list[str]]:
    """The pages to learn from, and the names of those that there is no room for."""
    every = map(as_page, pages)
    first = list(islice(every, 2))
    if len(first) < 2:
        return [cut(page) for page in first], []  # to hash a page takes a quarter of a parse
    for page in chain(first, every):
        among.add(page)
    return among.pages, among.left_out


def _check(how: methods.Method, sample: int | None, options: Mapping[str, Any]) -> None:
    """Refuses what cannot be meant."""
    if sample is not None and (type(sample) is not int or sample < 2):
        raise UsageError(f"sample={sample!r}: a template is learned from two pages or more, or None for all")
    for name in options:
        if name not in how.options:
            has = ", ".join(how.options) or "none"
            meant = did_you_mean(name, how.options)
            raise UsageError(f"method {how.name} has no option {name!r}; it has {has}{meant}")
