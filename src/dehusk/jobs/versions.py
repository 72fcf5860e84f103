"""Two versions of a page, from where they are, and the template of their site."""

from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from dehusk.base.errors import SourceError, TemplateError, UsageError
from dehusk.base.urls import on_the_web
from dehusk.comparing import Diff, diff
from dehusk.jobs.site_templates import Templates
from dehusk.outputs.target import refuse_sources
from dehusk.page import Page
from dehusk.sources import STDIN, Reading, open_source, pages_of
from dehusk.sources.web.fetching import Fetching

FORMATS = (".html", ".json")
"""What the name of an output ends with."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions of a page: files, URLs, or - for standard input. `output` is a file to write, and may be none."""

    old: str
    new: str
    template: Path | None = None
    output: Path | None = None
    fetching: Fetching = field(default_factory=Fetching)

    def __post_init__(self) -> None:
        if self.old == self.new == STDIN:
            raise UsageError("standard input is one page; give a file for the other version")
        if self.output is None:
            return
        if self.output.suffix.lower() not in FORMATS:
            raise UsageError(f"{self.output}: its name should end with {' or '.join(FORMATS)}")
        read = [Path(place) for place in (self.old, self.new) if place != STDIN and not on_the_web(place)]
        refuse_sources([self.output], [*read, *([self.template] if self.template else [])])

    def diff(self) -> Diff:
        """What changed. Raises SourceError where one of them is no page."""
        templates = Templates.load(self.template) if self.template is not None else None
        with ExitStack() as stack:
            reading = Reading(fetcher=lambda: stack.enter_context(self.fetching.open()))
            old, new = (_page(place, reading) for place in (self.old, self.new))
        if templates is None:
            return diff(old, new)
        site, template = templates.of(new)
        if template is None:
            raise TemplateError(f"{self.template}: no template for {site or new.name}; give the file of its site")
        return diff(old, new, template)

    def text(self, found: Diff) -> str:
        """What is written to the output."""
        return found.json if self.output is not None and self.output.suffix.lower() == ".json" else found.html


def _page(place: str, reading: Reading) -> Page:
    """The only page of a place."""
    found = list(islice(pages_of(open_source([place], reading)), 2))
    if len(found) > 1:
        raise SourceError(f"{place}: several pages; give one version of one page")
    return found[0]
