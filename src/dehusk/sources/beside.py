"""The files that an archive has beside its pages: style sheets, and pictures as data URLs."""

from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import Skipped
from dehusk.base.urls import on_the_web
from dehusk.sources import SOURCE_TYPES
from dehusk.sources._record_page import file_of

if TYPE_CHECKING:
    from dehusk.sources.warc import WarcSource

LARGEST_FILE = 1_000_000
"""Style sheets and pictures with more bytes than this are left out."""

MOST_SHEETS, MOST_PICTURES = 20_000_000, 100_000_000
"""Maximum letters of all style sheets of an archive together, and of all pictures. A site has a few sheets of 10 to
500 kB."""

_ARCHIVES = ("WARC", "WACZ")


def archived_files(place: str) -> dict[str, str]:
    """The style sheets and pictures of a WARC or WACZ, by URL; empty for other sources. Reads the whole archive."""
    kind = next((kind for kind in SOURCE_TYPES if kind.name in _ARCHIVES and kind.has(place)), None)
    if kind is None or on_the_web(place) or not Path(place).is_file():
        return {}
    found: dict[str, str] = {}
    left = {False: MOST_SHEETS, True: MOST_PICTURES}
    for item in _opened(kind.name, Path(place)):
        if isinstance(item, Skipped) or not item.url or item.url in found or not isinstance(item.html, str):
            continue
        is_picture = item.html.startswith("data:")
        if len(item.html) <= left[is_picture]:
            left[is_picture] -= len(item.html)
            found[item.url] = item.html
    return found


def _opened(kind: str, path: Path) -> "WarcSource":
    from dehusk.sources.wacz import Wacz
    from dehusk.sources.warc import WarcSource

    return (Wacz if kind == "WACZ" else WarcSource)(path, limit=LARGEST_FILE, read=file_of)
