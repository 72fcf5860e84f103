"""L3S-GN1 (Kohlschütter et al., WSDM 2010): single news pages, with the gold in an annotated copy of each page.

    original/PAGE.html      annotated/PAGE.html

Spans of the class x-nc-sel1 have the headline, x-nc-sel2 the article, x-nc-sel3 supplements of it; x-nc-sel4 and
x-nc-sel5 have related content and comments. The innermost span around a text counts.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import Skipped
from dehusk.bench.evaluation.layouts._gold import Entry, GoldGroup, GoldPage, Missing, page_bytes, read_each, tried
from dehusk.page import Page

_SPAN = re.compile(r"x-nc-sel(\d)")
_CONTENT = frozenset("123")


def recognises(root: Path) -> bool:
    """Whether its two folders exist."""
    return (root / "original").is_dir() and (root / "annotated").is_dir()


def index(root: Path) -> Iterator[Entry]:
    """Lists the pages."""
    for file in sorted((root / "original").glob("*.html")):
        yield Entry("l3s", file.stem, (file, root / "annotated" / file.name), single=True)


def read(_: Path, entries: Iterable[Entry]) -> Iterator[GoldGroup | Skipped]:
    """Reads pages with the text of headline, article and supplements."""
    return read_each(entries, _page)


def _page(entry: Entry, missing: Missing) -> Iterator[GoldPage]:
    file, gold = entry.where
    with tried(file.name, missing):
        text = _content(page_bytes(gold))
        if not text:
            raise ValueError("the annotated page has no content spans")
        yield GoldPage(file.name, page_bytes(file), text=text)


def _content(html: bytes) -> str:
    tree = Page(html).tree
    span = [""] * len(tree)
    texts = []
    for node, attributes in enumerate(tree.attributes):
        own = _SPAN.search(attributes.get("class", ""))
        span[node] = own[1] if own else span[tree.parent[node]] if node else ""
        if tree.text[node] and span[node] in _CONTENT:
            texts.append(tree.text[node])
    return "\n".join(texts)
