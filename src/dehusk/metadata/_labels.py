"""How pages label dates and bylines, in words and in markup."""

import re

from dehusk.metadata import _authors as authors
from dehusk.page import Node
from dehusk.page.elements import link_around, names_around

NEAR = 60
"""A label is at most this many characters before what it labels."""

_CHANGED = re.compile(
    r"(?i)updat|modif|revis|edited|last (?:review|change)|aktualisiert|geändert|stand:|mis à jour|actualiz|aggiornat|"
    r"atualiz|bijgewerkt|aktualiz|zmienion|обновл|измен|ενημέρ|更新|修改"
)
_OTHER = re.compile(r"(?i)copyright|©|expires|deadline|joined|member since|registered|valid|reviewed|born|geboren")
_BYLINE = re.compile(r"(?i)author|byline|(?:^|[\s_-])by(?:$|[\s_-])|username|posted-by|writer|contributor")
_NO_BYLINE = re.compile(
    r"(?i)bio|avatar|image|img|photo|social|share|follow|title|job|role|position|date|time|count|comment|box|label|icon|"
    r"reviewer|about"
)
_NAME = re.compile(r"(?i)(?:author|user|poster|writer|byline)[\w-]*name")
_OF_PEOPLE = re.compile(
    r"(?i)/(?:authors?|people|team|writers?|contributors?|users?|u|members?|profiles?|staff|experts?|columnists?)/[^/?]+/?$|"
    r"(?:member|profile|memberlist)\.php|userprofile/"
)
_LEVELS = 3


def is_change(label: str) -> bool:
    """Whether a label says that what follows is when a page was changed."""
    return bool(_CHANGED.search(label[-NEAR:]))


def is_other(label: str) -> bool:
    """Whether a label says that what follows is a date of something else."""
    return bool(_OTHER.search(label[-NEAR:]))


def is_byline(text: str, before: str, element: Node) -> bool:
    """Whether a text names the author: by its own words, by those before it, or by the markup that it is in."""
    label = authors.after_label(text)
    if 0 < label < len(text):
        return text[label].isupper() and authors.looks_like_names(text[label:])
    labelled = bool(before) and authors.after_label(before) == len(before)
    return (labelled or _marked(element)) and authors.looks_like_names(text)


def is_linked(element: Node) -> bool:
    """Whether the element of a text is in a link to the page of a person."""
    return bool(_OF_PEOPLE.search(link_around(element, _LEVELS)))


def _marked(element: Node) -> bool:
    """Whether an element or one around it is called a byline."""
    levels = names_around(element, _LEVELS)
    for names in levels if _BYLINE.search(" ".join(levels)) else ():
        if _NAME.search(names):
            return True
        if _NO_BYLINE.search(names):
            return False
        if _BYLINE.search(names):
            return True
    return False
