"""The names of authors: what a byline says, without what is around the names."""

import re

from dehusk.metadata import dates
from dehusk.metadata.stated import plain

LONGEST = 100
"""A name has no more characters."""

MOST = 40
"""How many authors are listed."""

# How bylines begin, in the languages of the pages that we know.
_WHAT = ("", "article ", "story ", "post ", "content ", "review ", "recipe ", "text ", "words ", "report ")
_DONE = ("", "written ", "posted ", "published ", "authored ", "created ", "submitted ", "asked ", "started ")
_BEGINNINGS = (
    *(f"{what}{done}by" for what in _WHAT for done in _DONE),
    *(
        "author",
        "authors",
        "contributor",
        "contributors",
        "von",
        "verfasst von",
        "autor",
        "autoren",
        "autorin",
        "autora",
    ),
    *("autores", "autorzy", "par", "auteur", "auteurs", "écrit par", "por", "escrito por", "di", "scritto da", "door"),
    *("geschreven door", "af", "av", "автор", "авторы", "συντάκτης", "του", "γράφει", "作者", "記者"),
)
# What these labels have in common, whether they begin with a capital or not.
_SIGNS = ("ritten by", "osted by", "uthored by", "uthor:", "uthors:")
_SIGNATURE = re.compile(
    r"(?i)(?:this )?(?:article |post |blog |story |guide |page )?(?:was )?(?:written|posted|authored) by\b:?|authors?:"
)
_FIRST_WORDS = frozenset(beginning.split()[0] for beginning in _BEGINNINGS)
_LABEL = re.compile(rf"(?:{'|'.join(sorted(_BEGINNINGS, reverse=True))})(?:\s*[:：]\s*|\s+|$)", re.IGNORECASE)
_FIRST_WORD = re.compile(r"\W{0,3}([^\W\d_]+)")
_END = re.compile(
    r"(?i)\s*(?:[|•·»›]|\s[-–—/]\s|\d+\s+min\b|"
    r",?\s+(?:on|at|posted|published|updated|last updated)\s+(?=\d|\w{3,9}\s+\d|$)).*"
)
_AND = re.compile(r"\s*(?:;|,\s*(?:and|und|et|y|e)\s|\s(?:and|und|et|y|e|&|и|και)\s)\s*")
_CONTACT = re.compile(r"\s*[(<][^()<>]*(?:@|\bat\b)[^()<>]*[)>]$")
_NOBODY = re.compile(
    r"(?i)(?:admin(?:istrator)?|authors?|by|unknown|none|null|undefined|n/a|root|user|webmaster)?\W*|\d+"
)
_NO_NAME = re.compile(
    r"://|www\.|[{}<>=]|@\w|\w@|[!?]$|(?:^|\s)(?:by|from|of|the|in|on|at|and|to|for)$|"
    r"^(?i:mon|tue|wed|thu|fri|sat|sun)(?i:[a-z]*day)?$|^(?i:category|categories|share|follow|posted|home)$"
)
_PERSON = re.compile(r"[^\W\d_][\w.'’-]*(?:\s+[\w.'’-]+){1,3}")
_CAPITALS = re.compile(r"[^\W\d_a-z][\w.'’-]*(?:\s(?:(?:van|von|de|da|di|der|del|la)\s)*[^\W\d_a-z][\w.'’-]*){1,3}")
_TEXT = re.compile(r"\d{3}|[!?:]|\w{4}\.$")
_MOST_WORDS = 6


def people(text: str) -> list[str]:
    """The names in a byline or in a field for an author; none where it is something else."""
    name = plain(text)
    name = name[after_label(name) :]
    if found := dates.search(name):
        name = name[: found[0]]
    found_names = []
    for one in _parted(_END.sub("", name)):
        tidy = _CONTACT.sub("", one.strip(" ,;:|-–—•·"))
        if not (_NOBODY.fullmatch(tidy) or _NO_NAME.search(tidy) or len(tidy) > LONGEST):
            found_names.append(tidy)
    return list(dict.fromkeys(found_names))[:MOST]


def after_label(text: str) -> int:
    """Where a label as "By" or "Written by:" ends that a text begins with; 0 if there is none."""
    first = _FIRST_WORD.match(text)
    if first is None or first[1].casefold() not in _FIRST_WORDS:
        return 0
    label = _LABEL.match(text, first.start(1))
    return label.end() if label else 0


def _parted(names: str) -> list[str]:
    """Several people by their names, if each has more than one word; else the text as it is: "Maria & Katerina"."""
    found: list[str] = []
    for name in names.split(";"):
        for split in (_AND.split(name), re.split(r"\s*,\s*", _AND.sub(", ", name))):
            if len(split) > 1 and all(map(_PERSON.fullmatch, split)):
                found += split
                break
        else:
            found.append(name)
    return found


def may_have_signature(text: str) -> bool:
    """Whether a label that `after_signature` knows may be in a text; on most pages there is none."""
    return any(mark in text for mark in _SIGNS)


def after_signature(text: str) -> int:
    """Where a label such as "This post was written by" ends, which names the author wherever it is; 0 for none."""
    label = _SIGNATURE.match(text)
    return label.end() if label else 0


def is_person(text: str) -> bool:
    """Whether a text is the name of a person and nothing else: two to four words with capitals."""
    return bool(_CAPITALS.fullmatch(text))


def looks_like_names(text: str) -> bool:
    """Whether a text can be what a byline has: names, and perhaps a date."""
    if not text[:1].isalnum():
        return False
    if match := dates.search(text):
        text = text[: match[0]]
    words = _END.sub("", text).split()
    short = 0 < len(words) <= _MOST_WORDS or all(map(_PERSON.fullmatch, _AND.split(text.strip(" ,"))))
    return short and not _TEXT.search(" ".join(words))
