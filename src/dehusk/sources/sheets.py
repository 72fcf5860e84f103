"""The style sheets that an archive has beside its pages."""

from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import Skipped
from dehusk.base.urls import on_the_web
from dehusk.sources import SOURCE_TYPES
from dehusk.sources._record_page import sheet_of

if TYPE_CHECKING:
    from dehusk.sources.warc import WarcSource

LARGEST_SHEET = 1_000_000
"""Style sheets with more bytes than this are left out."""

MOST_BYTES = 20_000_000
"""Maximum size of all style sheets of an archive together. A site has a few of 10 to 500 kB."""

_ARCHIVES = ("WARC", "WACZ")


def archived_sheets(place: str) -> dict[str, str]:
    """The style sheets of a WARC or WACZ, by URL; empty for other sources. Reads the whole archive."""
    kind = next((kind for kind in SOURCE_TYPES if kind.name in _ARCHIVES and kind.has(place)), None)
    if kind is None or on_the_web(place) or not Path(place).is_file():
        return {}
    found: dict[str, str] = {}
    left = MOST_BYTES
    for item in _opened(kind.name, Path(place)):
        if isinstance(item, Skipped) or not item.url or item.url in found:
            continue
        css = item.html if isinstance(item.html, bytes) else item.html.encode()
        left -= len(css)
        if left < 0:
            break
        found[item.url] = css.decode("utf-8", "replace")  # style sheets are ASCII, but for some comments and names
    return found


def _opened(kind: str, path: Path) -> "WarcSource":
    from dehusk.sources.wacz import Wacz
    from dehusk.sources.warc import WarcSource

    return (Wacz if kind == "WACZ" else WarcSource)(path, limit=LARGEST_SHEET, read=sheet_of)
