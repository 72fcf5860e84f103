"""Learning one site after the other, in this process or in others: what goes wrong with a site costs that site."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from dehusk.base.errors import DehuskError, TemplateError
from dehusk.core import Learning
from dehusk.jobs._batches import LARGE, Packed, packed, unpacked
from dehusk.jobs.workers import BATCH_BYTES, Crew, Task
from dehusk.page import Page
from dehusk.templates.sampling import Sample
from dehusk.templates.template import Template

Sites = Iterable[tuple[str, Iterable[Page]]]
"""Sites, and the pages of each that are looked at, in the order of their hashes."""


def learn_sites(
    sites: Sites, by: str, learning: Learning, crew: Crew | None = None
) -> Iterator[Template | TemplateError]:
    """The template of each site, or why there is none.

    Processes are started for a large site, or for many: a few small ones are done before they would be ready.
    """
    tasks = (_Site(site, by, pages, learning) for site, pages in sites)
    done = 0
    for task in tasks:
        done += task.size
        if crew is None or not (crew.started or task.is_large or done > BATCH_BYTES):
            yield task.here()
        else:
            yield from (one.learned for one in crew.run(chain([task], tasks)))


class _Learner:
    """What a worker does to learn a site."""

    def __init__(self, site: str, by: str, learning: Learning) -> None:
        self._site, self._by, self._learning = site, by, learning
        self._pages: list[Page] = []

    def each(self, item: Packed, _: Template | None, /) -> None:
        """Reads one page as far as it can be read by itself, so that it is known which page takes too long."""
        page = unpacked(item)
        page.tree  # noqa: B018  # what is learned from
        self._pages.append(page)

    def finish(self) -> dict[str, Any] | str:
        """The template as JSON, or what went wrong."""
        try:
            return self._learning.template(Sample(self._pages), self._site, self._by).to_json()
        except Exception as error:  # noqa: BLE001  # no site stops the ones that follow
            return _words(error)


class _Site(Task):
    """A site to learn."""

    def __init__(self, site: str, by: str, pages: Iterable[Page], learning: Learning) -> None:
        super().__init__()
        self._site, self._by, self._learning = site, by, learning
        self.learned: Template | TemplateError = self._failure("was not learned")
        self._failed = False
        sample = Sample(())
        try:
            sample = Sample.of(pages)
        except TemplateError as error:  # such as a damaged store
            self._fail(error)
        self._pages, self._left_out = list(sample.pages), list(sample.left_out)
        self.size = sum(len(page.html) for page in self._pages)

    @property
    def is_large(self) -> bool:
        """Whether a page of it may take long, or much memory."""
        return any(len(page.html) > LARGE for page in self._pages)

    @property
    def trade(self) -> _Learner:
        """How it is learned."""
        return _Learner(self._site, self._by, self._learning)

    @property
    def is_open(self) -> bool:
        """Whether it is still to be learned."""
        return isinstance(self.learned, TemplateError) and not self._failed

    def sent(self) -> Iterator[tuple[Packed, None]]:
        """Its pages."""
        return ((packed(page), None) for page in self._pages)

    def take(self, results: Sequence[Any]) -> None:
        """What was learned from them."""
        outcome = results[-1]
        if isinstance(outcome, str):
            self._fail(self._failure(outcome))
        else:
            self._succeed(Template.from_json(outcome))

    def rescue(self, results: Sequence[Any]) -> int:  # noqa: ARG002
        """Nothing: pages are read again."""
        return 0

    def drop(self, which: int, why: str) -> None:
        """Learns without one of the pages; nothing is left where it is the only one, or all of them together."""
        if which < len(self._pages) > 1:
            gone = self._pages.pop(which)
            self._left_out.append(gone.name or gone.digest)
        else:
            self._fail(self._failure(why))

    def here(self) -> Template | TemplateError:
        """Learns it in this process."""
        if not self._failed:
            try:
                self._succeed(self._learning.template(Sample(self._pages), self._site, self._by))
            except Exception as error:  # noqa: BLE001  # no site stops the ones that follow
                self._fail(self._failure(_words(error)))
        return self.learned

    def _succeed(self, template: Template) -> None:
        self.learned = replace(template, left_out=(*self._left_out, *template.left_out))
        self._pages = []

    def _fail(self, why: TemplateError) -> None:
        self.learned = why
        self._failed = True
        self._pages = []

    def _failure(self, why: str) -> TemplateError:
        return TemplateError(f"{self._site or 'pages without a URL'} could not be learned: {why}")


def _words(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "takes too much memory"
    return str(error) if isinstance(error, DehuskError) else f"{type(error).__name__}: {error}"
