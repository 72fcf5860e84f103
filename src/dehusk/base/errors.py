"""Errors that are raised, reasons for skipped pages, and warnings attached to cleaned pages.

Each message names the file or URL, if there is one, and says what to do.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice


class DehuskError(Exception):
    """Base class of all errors that dehusk raises on purpose."""


class UsageError(DehuskError):
    """Invalid arguments: for example an unknown method, or an output that would overwrite its source."""


class SourceError(DehuskError):
    """The source has no pages."""


class TemplateError(DehuskError):
    """The template cannot be learned, read or written."""


class OutputError(DehuskError):
    """The output cannot be written."""


class SlowError(DehuskError):
    """A page takes more processor time than it may."""


class FetchError(DehuskError):
    """The URL cannot be fetched."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.url}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item of a source that was not read or cleaned, with the reason."""

    name: str
    reason: str


DAMAGED = "damaged"
TOO_LARGE = "too large"
TRUNCATED = "truncated"
"""Reasons for skipping that several readers share."""


class PageWarning(StrEnum):
    """Something the user should know about how a page was cleaned. The value is the message."""

    NO_PAGES = "learned from no page: nothing was removed"
    ONE_PAGE = "learned from one page: judged by what the page looks like, without a site to compare it with"
    NO_SECOND_PAGE = "its site has no second page to compare it with: nothing was removed"
    OTHER_SITE = "does not look like the pages this template was learned from: cleaned with what it shares with them"
    UNSEEN_STYLE = "the style of its body is on no sampled page: kept whole"
    NEARLY_ALL = "the template would take nearly all of this page; kept what is not menu or link"
    UNFAMILIAR = "its site is unlike what the model learned: kept what is own to its pages and not in links"
    NO_TEXT = "the page has no text"


_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def shown(text: str) -> str:
    """Text that is safe to print: control and bidirectional formatting characters are escaped."""
    return _UNPRINTABLE.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def listed(names: Collection[str], most: int) -> str:
    """The first `most` names, with "..." if there are more."""
    return ", ".join([*islice(names, most), *["..."] * (len(names) > most)])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Suffix for an error about an unknown name: suggests the most similar known name, or "" if none is similar."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""
