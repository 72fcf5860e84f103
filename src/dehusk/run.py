"""A whole job: source, learn, clean, output."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from dehusk import methods, template
from dehusk.errors import DehuskError, TemplateError, UsageError
from dehusk.outputs import Output
from dehusk.page import Page
from dehusk.sources import Skipped, open_source
from dehusk.template import PageLike, Template


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one page: how long its text was, how much of it went, and what a person should know."""

    name: str
    length: int
    share_removed: float
    warnings: list[str]


def learn(
    pages: Iterable[PageLike] | str | os.PathLike[str],
    *,
    method: str = methods.DEFAULT,
    sample: int | None = template.SAMPLE,
    **options: Any,
) -> Template:
    """Learns the template of a site from HTML as bytes or str, Page objects, or the path of a folder.

    `sample` is how many pages to learn from, None for all; `options` are those of the method. Fewer than two different
    pages give a template that removes nothing.
    """
    if isinstance(pages, bytes) or (isinstance(pages, str) and "<" in pages):
        raise UsageError("one page does not show what is template; give a list of pages, or the path of a folder")
    if isinstance(pages, str | os.PathLike):
        pages = (item for item in open_source([pages]) if isinstance(item, Page))
    return template.learn(pages, method=method, sample=sample, **options)


def learn_source(items: Iterable[Page | Skipped], **options: Any) -> Template:
    """Learns from a source, or says why that is not possible."""
    learned = learn((item for item in items if isinstance(item, Page)), **options)
    if learned.pages == 0:
        raise TemplateError("none of these files is a page; give a folder that holds HTML files")
    if learned.pages == 1:
        raise TemplateError("one page alone does not show what is template; give two different ones or more")
    return learned


def clean_source(items: Iterable[Page | Skipped], learned: Template, output: Output) -> Iterator[Done | Skipped]:
    """Cleans and writes page after page, and tells what became of each. A page that fails costs that page alone."""
    for item in items:
        if isinstance(item, Skipped):
            yield item
            continue
        try:
            cleaned = learned.clean(item)
            done = Done(item.name, sum(map(len, item.tree.text)), cleaned.share_removed, cleaned.warnings)
            output.write(cleaned)
        except (DehuskError, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001  # whatever a page does to us, the next one is to be cleaned
            yield Skipped(item.name, f"could not be cleaned: {type(error).__name__}: {error}")
        else:
            yield done
