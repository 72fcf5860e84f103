"""What can go wrong: raised as an error, noted as a skipped page, or attached to a cleaned page as a warning.

Each message names the file or URL, where there is one, and says what to do.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice


class DehuskError(Exception):
    """The base of every error dehusk raises on purpose."""


class UsageError(DehuskError):
    """A call that cannot mean anything: an unknown method, an output that would overwrite its own source."""


class SourceError(DehuskError):
    """No pages where pages were expected."""


class TemplateError(DehuskError):
    """A template that cannot be learned, read or written."""


class OutputError(DehuskError):
    """A result that could not be written."""


class FetchError(DehuskError):
    """A URL that could not be fetched, and why."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.url}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a source that could not be read or cleaned as a page, and why."""

    name: str
    reason: str


DAMAGED = "damaged"
TOO_LARGE = "too large"
TRUNCATED = "truncated"
"""Reasons to skip that several readers give."""


class PageWarning(StrEnum):
    """What a person should know about how a page was cleaned. The value is the message, the member is its kind."""

    NO_PAGES = "learned from no page: nothing was removed"
    ONE_PAGE = "learned from one page: judged by what the page looks like, without a site to compare it with"
    NO_SECOND_PAGE = "its site has no second page to compare it with: nothing was removed"
    OTHER_SITE = "does not look like the pages this template was learned from: cleaned with what it shares with them"
    UNSEEN_STYLE = "the style of its body is on no sampled page: kept whole"
    NEARLY_ALL = "the template would take nearly all of this page; kept what is not menu or link"
    NO_TEXT = "the page has no text"


_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def shown(text: str) -> str:
    """A text for a terminal: what would steer it, or hide or turn around what follows, is written as an escape."""
    return _UNSEEN.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def listed(names: Collection[str], most: int) -> str:
    """The first names, with dots if there are more."""
    return ", ".join([*islice(names, most), *["..."] * (len(names) > most)])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known name that looks most like it, if one does."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]}?" if close else ""
