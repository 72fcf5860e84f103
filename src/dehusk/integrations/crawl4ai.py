"""A content filter for crawl4ai: what is template of a site does not come into `fit_markdown`.

    generator = DefaultMarkdownGenerator(content_filter=DehuskFilter(template="site.husk"), content_source="raw_html")
    CrawlerRunConfig(markdown_generator=generator)

A filter sees one page at a time, without its URL. So it needs a template; without one it judges each page by itself.
`learn_results` learns a template from pages that were crawled.
"""

import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dehusk.base.errors import Skipped
from dehusk.base.extras import needs_extra
from dehusk.core import learn
from dehusk.jobs.arriving import clean_all_of
from dehusk.page import LARGEST, Page
from dehusk.render.writing import AS_LEARNED, Writing
from dehusk.sources.jsonl import row_page
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.template import Template, load

with needs_extra("crawl4ai"):
    from crawl4ai.content_filter_strategy import RelevantContentFilter

_log = logging.getLogger(__name__)


class DehuskFilter(RelevantContentFilter):
    """Keeps the content of pages of one site. `skipped` has what could not be cleaned, with the reasons."""

    def __init__(
        self, template: Template | str | os.PathLike[str] | None = None, *, writing: Writing = AS_LEARNED
    ) -> None:
        """`template` is one, or its file. Without it, each page is judged by itself."""
        super().__init__()
        self._template = template if template is None or isinstance(template, Template) else load(Path(template))
        self._writing = writing
        self._pages = 0
        self.skipped: list[Skipped] = []

    def filter_content(self, html: str, min_word_threshold: int | None = None) -> list[str]:  # noqa: ARG002
        """Returns the content as one piece of HTML; nothing if the page cannot be cleaned."""
        self._pages += 1
        item = row_page(None, html, f"page {self._pages}", LARGEST)  # a filter is not told the URL
        ((_, outcome),) = clean_all_of([item], _content, template=self._template, writing=self._writing)
        if isinstance(outcome, Skipped):
            self.skipped.append(outcome)
            _log.warning("%s: %s", outcome.name, outcome.reason)
            return []
        return [outcome.piece]


def learn_results(results: Iterable[Any], **learning: Any) -> Template:
    """Learns the template of a site from results of `arun_many`. `learning` has the options of `dehusk.learn`."""
    items = (row_page(result.url, result.html, "", LARGEST) for result in results if result.success)
    return learn([item for item in items if isinstance(item, Page)], **learning)


def _content(cleaned: Cleaned, _: str) -> str:
    """Returns what is inside the body of the cleaned page, as filters return it."""
    html = cleaned.html
    start, end = html.find("<body"), html.rfind("</body>")
    return html[html.find(">", start) + 1 : end] if 0 <= start < end else html
