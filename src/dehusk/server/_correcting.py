"""What corrections do: their effect on pages, and on how many pages; and templates for other programs."""

from collections import Counter
from collections.abc import Iterable
from io import StringIO

from dehusk.page import Page
from dehusk.server import _models as models
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.selectors import site_rules
from dehusk.templates.template import Template

SIBLINGS = 3
"""Number of pages in the preview of a correction."""


def effects(template: Template, edited: Template, pages: Iterable[Page]) -> list[models.Effect]:
    """The effect of the last edit on some of the pages, first on those that have its place."""
    new = edited.edits[-1]
    having: list[Page] = []
    others: list[Page] = []
    for page in pages:
        (having if new in edited.edits_on(page) else others).append(page)
        if len(having) == SIBLINGS:
            break
    return [
        _effect(template.clean(page), edited.clean(page), has_place=page in having)
        for page in (*having, *others)[:SIBLINGS]
    ]


def _effect(before: Cleaned, after: Cleaned, *, has_place: bool) -> models.Effect:
    """The effect of a correction on a page; `has_place` tells whether its place is on the page."""
    had, has = Counter(_lines(before)), Counter(_lines(after))
    return models.Effect(
        id=before.page.digest,
        name=before.page.name,
        title=before.metadata.title,
        removed_before=before.share_removed,
        removed_after=after.share_removed,
        gained="\n".join((has - had).elements()),
        lost="\n".join((had - has).elements()),
        place_found=has_place,
    )


def _lines(cleaned: Cleaned) -> list[str]:
    return [line for line in cleaned.text.splitlines() if line.strip()]


def reach(template: Template, edited: Template, pages: Iterable[Page]) -> tuple[int, int]:
    """On how many pages the last edit has its place, and of how many of them it leaves nothing."""
    new = edited.edits[-1]
    having = emptied = 0
    for page in pages:
        if new in edited.edits_on(page):
            having += 1
            emptied += not new.keep and _is_empty(edited.clean(page)) and not _is_empty(template.clean(page))
    return having, emptied


def _is_empty(cleaned: Cleaned) -> bool:
    return not cleaned.text.strip()


def exported(template: Template, pages: Iterable[Page], site: str, form: str) -> models.Exported:
    """A template for other programs: as a template file, a style sheet, or a site config that wallabag reads."""
    if form == "template":
        file = StringIO()
        template.write(file)
        return models.Exported(name=f"{site}.husk", text=file.getvalue())
    rules = site_rules(template, pages)
    css = form == "css"
    return models.Exported(name=f"{site}.{'css' if css else 'txt'}", text=rules.css if css else rules.ftr)
