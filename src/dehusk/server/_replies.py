"""Converts between the models of requests and responses (`_models`) and the objects of dehusk."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Generic, Literal, TypeVar

from dehusk.base.errors import UsageError
from dehusk.comparing import Change, ChangeKind, Diff
from dehusk.marking.edits import Edit
from dehusk.page import Page, unusable
from dehusk.render import Files, Word, no_files
from dehusk.server import _models as models
from dehusk.server.viewer.page_views import page_view
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.template import Template

NAMELESS = "-"
"""The name of the site of pages without a URL, in requests and responses."""

RECENT = 32
"""Number of page lists, and of templates by other methods, that a worker caches."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def page_of(html: str, url: str = "", name: str = "") -> Page:
    """A page from a request. It is already decoded, so its declared encoding is ignored."""
    data = html.encode()
    if why := unusable(data):
        raise UsageError(f"{name or url or 'the page'}: {why}; give an HTML page")
    return Page(data, url=url or None, name=name or None, encoding="utf-8")


def called(site: str) -> str:
    """The name of a site in responses."""
    return site or NAMELESS


def name_of(site: str) -> str:
    """The name of a site in the store."""
    return "" if site == NAMELESS else site


def used(site: str, template: Template | None) -> str | None:
    """The site whose template was used; None if there is no template."""
    return None if template is None else called(site)


def view_of(cleaned: Cleaned, site: str, template: str | None, files: Files = no_files) -> models.PageView:
    """A page to view, with the site whose template was used."""
    return models.PageView(**page_view(cleaned, files, site=site), template=template)


def edit_of(edit: Edit, template: Template, text: str) -> models.EditOut:
    """A saved correction, with the current name of its family, and the text at its place."""
    return models.EditOut(
        **{**asdict(edit), "scope": edit.scope.value, "family": template.family_of(edit), "text": text}
    )


def diff_of(difference: Diff, template: str | None) -> models.DiffOut:
    """What changed between two versions, with the site whose template was used."""
    changes = changes_of(difference)
    content = sum(not change.husk for change in changes)
    return models.DiffOut(
        verdict=difference.verdict, template=template, content=content, husk=len(changes) - content, changes=changes
    )


def changes_of(difference: Diff) -> list[models.ChangeOut]:
    """All changes between two versions of a page."""
    return [_change(change) for change in difference.changes]


_WHAT: Mapping[ChangeKind, Literal["added", "removed", "moved", "rewritten", "link"]] = {
    ChangeKind.ADDED: "added",
    ChangeKind.REMOVED: "removed",
    ChangeKind.MOVED: "moved",
    ChangeKind.CHANGED: "rewritten",
    ChangeKind.LINK: "link",
}


def _change(change: Change) -> models.ChangeOut:
    gone = change.kind is ChangeKind.REMOVED
    return models.ChangeOut(
        what=_WHAT[change.kind],
        husk=bool(change.husk),
        why=change.husk,
        path=change.near if gone else change.path,
        where=("within" if change.within else "after") if gone else "at",
        before=change.before,
        after=change.after,
        words=_runs(change.words) if change.kind is ChangeKind.CHANGED else [],
    )


def _runs(words: Sequence[Word]) -> list[models.WordsOut]:
    """The words of a line, with consecutive words of one kind together."""
    return [
        models.WordsOut.model_validate({"kind": kind, "text": " ".join(word.text for word in run)})
        for kind, run in groupby(words, key=lambda word: word.kind)
    ]


class Recent(Generic[_Key, _Value]):
    """A cache of the most recent values made from templates. A value is valid while the store has the same template."""

    def __init__(self) -> None:
        self._made: OrderedDict[_Key, tuple[Template, _Value]] = OrderedDict()

    def of(self, key: _Key, template: Template, make: Callable[[], _Value]) -> _Value:
        """The cached value for this template, or a new one from `make`."""
        known = self._made.pop(key, None)
        if known is None or known[0] is not template:
            known = (template, make())
        self._made[key] = known
        if len(self._made) > RECENT:
            self._made.popitem(last=False)
        return known[1]
