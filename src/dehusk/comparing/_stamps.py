"""Dates, times and counters: what changes on a page although nobody wrote anything new."""

import re

from dehusk.metadata import dates

STAMP = 8
"""Words that a line may have besides its dates and counters. In a longer one, a date is part of what is said."""

_TIME = re.compile(r"\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:UTC|GMT|CES?T|[ECMP][SD]T))?", re.IGNORECASE)
_YEARS = re.compile(r"(©|\(c\)|copyright)((?:\W|and)*(?:(?:19|20)\d\d)(?:\s*[-–—,]\s*(?:19|20)\d\d)*)", re.IGNORECASE)
_SPAN = (
    r"(?:sec(?:ond)?|min(?:ute)?|hour|hr|day|week|month|year)s?|(?:sekunde|minute|stunde|woche)n?|(?:tag|monat|jahr)e?n?|"
    r"(?:seconde|minute|heure|jour|semaine|an|année)s?|mois|(?:segundo|minuto|hora|día|semana|año)s?|mes(?:es)?"
)
_AGO = re.compile(
    rf"\b(?:(?:an?|one|\d+)\s+(?:{_SPAN})\s+(?:ago|fa|geleden)\b|(?:vor|il y a|hace|há)\s+(?:\w+)\s+(?:{_SPAN})\b)"
    r"|\d+\s?(?:秒|分钟|小时|天|分鐘|小時)前",
    re.IGNORECASE,
)
_COUNTED = (
    r"views?|visits?|visitors?|reads?|hits?|likes?|shares?|votes?|comments?|repl(?:y|ies)|downloads?|followers?|"
    r"subscribers?|online|ratings?|reviews?|aufrufe?|besucher|kommentare?|antworten?|vues?|visites?|commentaires?|réponses?|"
    r"visitas?|comentarios?|respuestas?|wyświetleń|komentarzy|просмотр\w*|комментари\w*"
)
_NUMBER = r"\d+(?:[.,  ]\d{3})*(?:[.,]\d)?\s?[kKM]?"
_COUNTER = re.compile(
    rf"\b{_NUMBER}\s+(?:{_COUNTED})\b|\b(?:{_COUNTED})\s*[:(]?\s*{_NUMBER}(?![\w.,]*\d)|(?<=\s\(){_NUMBER}(?=\)$)",
    re.IGNORECASE,
)


def stamp(before: str, after: str) -> str:
    """What alone differs between two texts: "date", "time" or "counter"; "" if it is something else.

    A long text with a date in it is no stamp, and a price or a measure is no counter.
    """
    if max(len(before), len(after)) > dates.LONGEST or not any(map(str.isdigit, before + after)):
        return ""
    for name, masked in _MASKS:
        before, after = masked(before), masked(after)
        if before == after:
            return name if sum(word[0].isalnum() for word in before.split()) <= STAMP else ""
    return ""


def _undated(text: str) -> str:
    """The text with a mark in place of each date. A mark is no letter."""
    text = _YEARS.sub(r"\1 ⁂", text)
    found = []
    while (date := dates.search(text)) is not None:
        start, end, _ = date
        found.append(text[:start])
        text = text[end:]
    return "⁂".join([*found, text])


_MASKS = (
    ("date", _undated),
    ("time", lambda text: _AGO.sub("⁂", _TIME.sub("⁂", text))),
    ("counter", lambda text: _COUNTER.sub("⁂", text)),
)
