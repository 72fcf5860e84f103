"""dehusk learns the template of a web site from a few of its pages and strips it from all of them.

import dehusk
cleaned = dehusk.clean(html)            # a single page: cleaned.text, .markdown, .html, .removed
template = dehusk.learn(pages)          # a site: pages as HTML (bytes or str), Page objects or paths; Path("crawl/")
cleaned = template.clean(html)          # more accurate: the other pages show what is template
table = dehusk.table(pages)             # where pages differ: table.columns, .rows, .to_csv("shop.csv")
template.save("site.husk"); template = dehusk.load("site.husk")
diff = dehusk.diff(old, new, template)  # two versions of a page: diff.verdict, .changes, .html
dehusk.Job("crawl.warc.gz", "text.jsonl").run()     # learns, cleans and writes all pages of a source
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dehusk.base.errors import (
        DehuskError,
        FetchError,
        OutputError,
        PageWarning,
        SlowError,
        SourceError,
        TemplateError,
        UsageError,
    )
    from dehusk.base.system import time_limit
    from dehusk.comparing import Change, Diff, Verdict, diff
    from dehusk.core import clean, learn
    from dehusk.jobs.job import Job
    from dehusk.jobs.store import Store
    from dehusk.jobs.tables import Table, table
    from dehusk.marking.edits import Edit
    from dehusk.marking.marking import Marking, Removed
    from dehusk.metadata import Metadata
    from dehusk.page import Page
    from dehusk.render.writing import Writing
    from dehusk.roles import Role
    from dehusk.templates.chunks import Chunk
    from dehusk.templates.cleaned import Cleaned
    from dehusk.templates.outlinks import Link
    from dehusk.templates.parts import Part
    from dehusk.templates.template import Template, load

    __version__: str

__all__ = [
    "Change",
    "Chunk",
    "Cleaned",
    "DehuskError",
    "Diff",
    "Edit",
    "FetchError",
    "Job",
    "Link",
    "Marking",
    "Metadata",
    "OutputError",
    "Page",
    "PageWarning",
    "Part",
    "Removed",
    "Role",
    "SlowError",
    "SourceError",
    "Store",
    "Table",
    "Template",
    "TemplateError",
    "UsageError",
    "Verdict",
    "Writing",
    "__version__",
    "clean",
    "diff",
    "learn",
    "load",
    "table",
    "time_limit",
]

# Imported on first use, to keep `dehusk --help` fast: loading the parser takes longer than printing the help.
_HOMES = {
    "Change": "comparing",
    "Chunk": "templates.chunks",
    "Cleaned": "templates.cleaned",
    "DehuskError": "base.errors",
    "Diff": "comparing",
    "Edit": "marking.edits",
    "FetchError": "base.errors",
    "Job": "jobs.job",
    "Link": "templates.outlinks",
    "Marking": "marking.marking",
    "Metadata": "metadata",
    "OutputError": "base.errors",
    "Page": "page",
    "PageWarning": "base.errors",
    "Part": "templates.parts",
    "Removed": "marking.marking",
    "Role": "roles",
    "SlowError": "base.errors",
    "SourceError": "base.errors",
    "Store": "jobs.store",
    "Table": "jobs.tables",
    "Template": "templates.template",
    "TemplateError": "base.errors",
    "UsageError": "base.errors",
    "Verdict": "comparing",
    "Writing": "render.writing",
    "clean": "core",
    "diff": "comparing",
    "learn": "core",
    "load": "templates.template",
    "table": "jobs.tables",
    "time_limit": "base.system",
}


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("dehusk")
    if name not in _HOMES:
        raise AttributeError(f"module 'dehusk' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"dehusk.{_HOMES[name]}"), name)  # cached
    return value
