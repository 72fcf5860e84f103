"""Pages as JSON Lines: one object on each line."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from dehusk.base.packing import gzipped, is_gzip
from dehusk.outputs.target import Stream, Target
from dehusk.templates.cleaned import Cleaned


@dataclass(frozen=True, slots=True)
class JsonLine:
    """Makes a page into a line. A packed line is a gzip member of its own, so that any process can make it."""

    markdown: bool = False
    parts: bool = False
    packed: bool = False

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:
        """All that is known about the page. What is not Unicode in a file name is escaped as in JSON."""
        row = record(cleaned, site=site, markdown=self.markdown, parts=self.parts)
        line = (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
        return gzipped(line) if self.packed else line


def record(cleaned: Cleaned, *, site: str = "", markdown: bool = False, parts: bool = False) -> dict[str, object]:
    """A cleaned page as JSON: its site, its family of pages, what it says about itself, and its content.

    `parts` adds all that the page says, what went included, in parts with roles.
    """
    stated = cleaned.metadata
    return {
        "name": cleaned.page.name,
        "url": cleaned.page.url or stated.canonical_url,
        "site": site,
        "family": cleaned.family,
        "kind": cleaned.kind[0] if cleaned.kind else None,
        "kind_confidence": round(cleaned.kind[1], 4) if cleaned.kind else None,
        "title": stated.title,
        "author": stated.author,
        "authors": list(stated.authors),
        "date": stated.date,
        "modified": stated.modified,
        "language": stated.language,
        "description": stated.description,
        "site_name": stated.site_name,
        "canonical_url": stated.canonical_url,
        "sources": dict(stated.sources),
        **({"markdown": cleaned.markdown} if markdown else {"text": cleaned.text}),
        **({"parts": list(map(asdict, cleaned.parts))} if parts else {}),
        "share_removed": round(cleaned.share_removed, 4),
        "warnings": cleaned.warnings,
    }


@contextmanager
def opened(_: str, target: Target, *, markdown: bool = False, parts: bool = False) -> Iterator[Stream]:
    """A file of lines, each packed by itself if the file's name says that it is packed."""
    with target.open(target.written) as file:
        yield Stream(file, JsonLine(markdown=markdown, parts=parts, packed=is_gzip(target.name)))
