"""One WET file: the text of pages as WARC conversion records, as Common Crawl writes it."""

from pathlib import Path
from typing import IO

from dehusk.outputs.warc import Warc


class Wet(Warc):
    """Writes the text of each page as a record."""

    def __init__(self, place: Path | IO[bytes]) -> None:
        super().__init__(place, media_type="text/plain", render=lambda cleaned: cleaned.text)
