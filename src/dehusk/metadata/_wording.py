"""The wording of metadata in visible text: parts of titles, names of authors, and labels beside them."""

import re
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet

from dehusk.kernels.walking import Signs, folded
from dehusk.metadata import dates
from dehusk.metadata.stated import plain
from dehusk.page import Node
from dehusk.page.elements import is_near, link_around, names_around

# The expressions here are for texts from `plain`, where white space is single spaces: a run of spaces in an expression
# would be read again from each of them. In this one, the lookahead rejects most characters at once.
_SEPARATOR = re.compile(
    r"(?=[\s|｜│»›:：])(?:\s(?:[-–—|·•»«›‹:/\\~→*<>]|::|\|\||--)\s|\s?[|｜│»›]\s?|(?<=\w)[:：]\s|\s[–—])"
)
_MAY_SEPARATE = re.compile(r"[-–—|｜│·•»«›‹:/\\~→*<>：]")
_BAR = re.compile(r"\s[|│]\s|\s?｜\s?")
_COLONS = (":", "：")
_MARKS = ("¶", "§", "🔗", " #")
_CODE = re.compile(r"(?i)(?:isbn|ean)?[\s:]{0,2}[\d\s-]{9,20}x?")
_FEWEST_DIGITS = 9  # of an ISBN; a date has eight
_LETTERS = re.compile(r"[^\W_]+")
# Labels of host names that are not the name of a site.
_COMMON = frozenset(
    ["www", "co", "com", "org", "net", "ac", "gov", "edu", "blog", "forum", "forums", "news", "docs", "en", "m"]
)
_SHORTEST = 3

LAST, FIRST = 0.25, 0.6
"""How much of the last, or first, part of a title must be in the host name, for the part to be the site's name.

The Motley Fool is at fool.com. A first part is checked more strictly: it may be a product with the shop's name in it.
"""

SECTION = 3
"""A section has at most this many words; the title before it must have more."""


def alike(title: str, other: str) -> float:
    """Returns the share of words that two titles have in common, from 0 to 1."""
    a, b = set(_LETTERS.findall(title.casefold())), set(_LETTERS.findall(other.casefold()))
    return len(a & b) / len(a | b) if a or b else 0.0


def tidy(text: str | None) -> str:
    """Returns a title on one line, without the permalink signs that generators add to headings."""
    title = plain(text)
    while title.endswith(_MARKS):
        title = title[:-1].rstrip()
    return title


Span = tuple[int, int]
"""Start and end of a part of a title."""


def parts(title: str) -> list[Span]:
    """Returns start and end of the parts of a title between separators."""
    if not _MAY_SEPARATE.search(title):
        return [(0, len(title))]
    spans, start = [], 0
    for mark in _SEPARATOR.finditer(title):
        spans.append((start, mark.start()))
        start = mark.end()
    return [*spans, (start, len(title))]


def is_code(text: str) -> bool:
    """Returns whether a text is the number of a thing, such as an ISBN, and not its name."""
    return sum(map(str.isdecimal, text)) >= _FEWEST_DIGITS and _CODE.fullmatch(text.strip()) is not None


def runs(title: str) -> Iterator[str]:
    """Yields a title, its parts from the first on, and what follows a section."""
    yield title
    left = parts(title)
    for _, end in left[:-1]:
        yield title[:end]
    if len(left) > 1 and not _colon(title, left[:2]) and _is_section(title, left[0], (left[1][0], len(title))):
        yield title[left[1][0] :]


def without_site(
    title: str, known: Collection[str], host: str, *, front: bool = False, own: Collection[str] = ()
) -> str:
    """Returns a title without the names of the site at its ends, and the section next to them. One part always stays.

    `known` are the names of the site and of its sections, folded; `own` are those of them that are headings of this
    page. With `front` the page is the front page, whose title may begin with the name of the site.
    """
    left = parts(title)
    every = len(left)
    if every == 1:
        return title
    while len(left) > 1 and _is_site(title[slice(*left[-1])], known, host, FIRST if _colon(title, left) else LAST):
        left.pop()
    while len(left) > 1 and not front and _is_site(title[slice(*left[0])], known, host, FIRST):
        if folded(title[slice(*left[0])]) in own and folded(title[left[1][0] : left[-1][1]]) not in own:
            break
        left.pop(0)
    if 1 < len(left) < every and not _colon(title, left) and _is_section(title, left[-1], left[0]):
        left.pop()
    return title[left[0][0] : left[-1][1]].strip() or title


def without_section(heading: str) -> str:
    """Returns a heading without the section or site after a bar, if more than one word is before the bar."""
    bar = _BAR.search(heading)
    first = heading[: bar.start()].strip() if bar else ""
    return first if " " in first else heading


def after_section(title: str) -> str:
    """Returns a title that followed the name of its site, without short sections before its long last part."""
    left = parts(title)
    while len(left) > 1 and not _colon(title, left[:2]) and _is_section(title, left[0], left[-1]):
        left.pop(0)
    return title[left[0][0] :]


def _colon(title: str, left: Sequence[Span]) -> bool:
    """Returns whether the last part of a title follows a colon: it is rarely the name of the site."""
    return title[left[-2][1] : left[-1][0]].strip() in _COLONS


def _is_section(title: str, part: Span, name: Span) -> bool:
    """Returns whether a part of a title is a section: short, while the part with the name is not."""
    return len(title[slice(*part)].split()) <= SECTION < len(title[slice(*name)].split())


def _is_site(part: str, known: Collection[str], host: str, share: float) -> bool:
    """Returns whether a part of a title names the site: a known name, or like the host name (see LAST, FIRST)."""
    name = folded(part)
    if not name or name in known or name == folded(host.removeprefix("www.")) or is_code(part):
        return True
    initials = "".join(word[0] for word in _LETTERS.findall(part.casefold()))
    labels = (folded(label) for label in host.split(".")[:-1] if label not in _COMMON and len(label) >= _SHORTEST)
    return any(
        (label in name and len(label) >= share * len(name))
        or label == initials
        or (name in label and len(name) >= _SHORTEST)
        for label in labels
    )


LONGEST_NAME = 100
"""Maximum number of characters in a name."""

MOST_PEOPLE = 40
"""Maximum number of authors."""

# Beginnings of bylines, in the languages of our data.
_WHAT = (
    "",
    "article ",
    "story ",
    "post ",
    "content ",
    "review ",
    "recipe ",
    "text ",
    "words ",
    "report ",
    "interview ",
)
_DONE = ("", "written ", "posted ", "published ", "authored ", "created ", "submitted ", "asked ", "started ")
_OTHER_BEGINNINGS = (
    *("by", "author", "authors", "contributor", "contributors", "von", "verfasst von", "autor", "autoren", "autorin"),
    *("autores", "autorzy", "par", "auteur", "auteurs", "écrit par", "por", "escrito por", "di", "scritto da", "door"),
    *("autora", "geschreven door", "af", "av", "автор", "авторы", "συντάκτης", "του", "γράφει", "作者", "記者"),
)
_BEGINNINGS = (*(f"{text_type}{done}by" for text_type in _WHAT for done in _DONE), *_OTHER_BEGINNINGS)
# Parts of the labels of _SIGNATURE, without their first letter, which may be a capital.
_SIGNS = ("ritten by", "osted by")
_SIGNS_OF_AUTHORS = ("uthored by", "uthor:", "uthors:")
_SIGNATURE = re.compile(
    r"(?i)(?:this )?(?:article |post |blog |story |guide |page )?(?:was )?(?:written|posted|authored) by\b:?|authors?:"
)
LABELS = frozenset(beginning.split()[0] for beginning in _OTHER_BEGINNINGS)
"""First words of labels for names; most labels are one word."""
BEFORE_BY = frozenset(word.strip() for word in (*_WHAT, *_DONE) if word)
"""First words of labels that continue with "by"."""
_FIRST_WORDS = LABELS | BEFORE_BY
_LABEL = re.compile(rf"(?:{'|'.join(sorted(_BEGINNINGS, reverse=True))})(?:\s*[:：]\s*|\s+|$)", re.IGNORECASE)
_FIRST_WORD = re.compile(r"\W{0,3}([^\W\d_]+)")
_END = re.compile(
    r"(?i)\s?(?:[|•·»›]|\s[-–—/]\s|(?<!\d)\d+\smin\b|"
    r",?\s(?:on|at|posted|published|updated|last updated)\s(?=\d|\w{3,9}\s\d|$)).*"
)
_AND = re.compile(r"\s?(?:;|,\s?(?:and|und|et|y|e)\s|\s(?:and|und|et|y|e|&|и|και)\s)\s?")
_COMMA = re.compile(r"\s?,\s?")
_CONTACT = re.compile(r"\s?[(<](?=[^()<>]*?(?:@|\bat\b))[^()<>]*+[)>]$")
_NOBODY = re.compile(
    r"(?i)(?:(?:\w+\s)?admin(?:istrator)?|authors?|by|unknown|none|null|undefined|n/a|root|user|webmaster)?\W*|\d+"
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
    """Returns the names in a byline or an author field; an empty list if it has none."""
    name = plain(text)
    name = name[after_label(name) :]
    if date := dates.search(name):
        name = name[: date[0]]
    people = []
    for person in _parted(_END.sub("", name)):
        tidy = _CONTACT.sub("", person.strip(" ,;:|-–—•·"))
        if not (_NOBODY.fullmatch(tidy) or _NO_NAME.search(tidy) or len(tidy) > LONGEST_NAME):
            people.append(tidy)
    return list(dict.fromkeys(people))[:MOST_PEOPLE]


def after_label(text: str) -> int:
    """Returns the end of a label such as "By" or "Written by:" at the start of a text; 0 if there is none."""
    first = _FIRST_WORD.match(text)
    if first is None or first[1].casefold() not in _FIRST_WORDS:
        return 0
    label = _LABEL.match(text, first.start(1))
    return label.end() if label else 0


def _parted(names: str) -> list[str]:
    """Splits names if each has more than one word; else leaves the text as it is, such as "Maria & Katerina"."""
    people: list[str] = []
    for name in names.split(";"):
        for split in (_AND.split(name), _COMMA.split(_AND.sub(", ", name))):
            if len(split) > 1 and all(map(_PERSON.fullmatch, split)):
                people += split
                break
        else:
            people.append(name)
    return people


def may_have_signature(text: str) -> bool:
    """Returns whether a text may have a label that `after_signature` knows. A quick check: most pages have none."""
    return any(mark in text for mark in _SIGNS) or ("uthor" in text and any(mark in text for mark in _SIGNS_OF_AUTHORS))


def after_signature(text: str) -> int:
    """Returns the end of a label such as "This post was written by", which is clear anywhere on a page; 0 for none."""
    label = _SIGNATURE.match(text)
    return label.end() if label else 0


def is_person(text: str) -> bool:
    """Returns whether a text is only the name of a person: two to four capitalized words."""
    return bool(_CAPITALS.fullmatch(text))


def is_name(text: str) -> bool:
    """Returns whether a text is only the name of a person, or one word after a label, such as "by ida"."""
    label = after_label(text)
    return is_person(text) or (0 < label < len(text) and text[label:].isalnum())


def looks_like_names(text: str) -> bool:
    """Returns whether a text may be the names, and perhaps a date, of a byline."""
    if not text[:1].isalnum():
        return False
    if match := dates.search(text):
        text = text[: match[0]]
    words = _END.sub("", text).split()
    short = 0 < len(words) <= _MOST_WORDS or all(map(_PERSON.fullmatch, _AND.split(text.strip(" ,"))))
    return short and not _TEXT.search(" ".join(words))


LABEL_LENGTH = 60
"""A label is within this many characters before its value."""

_CHANGED = re.compile(
    r"(?i)updat|modif|revis|edited|last (?:review|change)|aktualisiert|geändert|stand:|mis à jour|actualiz|aggiornat|"
    r"atualiz|bijgewerkt|aktualiz|zmienion|обновл|измен|ενημέρ|更新|修改"
)
_OTHER = re.compile(
    r"(?i)copyright|©|expires|deadline|joined|member since|registered|founded|valid|reviewed|born|geboren"
)
_BYLINE = re.compile(r"(?i)author|byline|(?:^|[\s_-])by(?:$|[\s_-])|username|posted-by|writer|contributor")
_NO_BYLINE = re.compile(
    r"(?i)bio|avatar|image|img|photo|social|share|follow|title|job|role|position|date|time|count|comment|box|label|icon|"
    r"reviewer|about|descri"
)
# The first label of a name is enough. Without the atomic group, the rest would be read again from each label.
_NAME = re.compile(r"(?i)(?<![\w-])(?>[\w-]*?(?:author|user|poster|writer|byline))[\w-]*name")
_FOLDERS = (
    *("author", "authors", "people", "team", "writer", "writers", "contributor", "contributors", "user", "users", "u"),
    *("member", "members", "profile", "profiles", "staff", "expert", "experts", "columnist", "columnists"),
)
_ADDRESSES = ("member.php", "profile.php", "memberlist.php", "userprofile/")
_OF_PEOPLE = re.compile(rf"(?i)/(?:{'|'.join(_FOLDERS)})/[^/?]+/?$|{'|'.join(map(re.escape, _ADDRESSES))}")
_LEVELS = 3

_CALLED = ("by", "author", "username", "writer", "contributor")

MAY_MARK = ",".join(
    f"[{name}]:is({','.join(f'[{name}*={part} i]' for part in _CALLED)})" for name in ("class", "itemprop", "rel")
)
"""CSS selector of all elements whose names may suggest a byline."""

SIGNS = Signs(LABELS, BEFORE_BY, "by", MAY_MARK, frozenset(_FOLDERS), _ADDRESSES)
"""Signs of texts for which `is_byline` or `is_linked` may be true."""

DATES = Signs()
"""No signs of bylines: only dates are searched."""


def is_change(label: str) -> bool:
    """Returns whether a label announces the date of a change."""
    return bool(_CHANGED.search(label[-LABEL_LENGTH:]))


def is_other(label: str) -> bool:
    """Returns whether a label announces a date of something other than the page."""
    return bool(_OTHER.search(label[-LABEL_LENGTH:]))


def is_byline(text: str, before: str, element: Node, marking: AbstractSet[Node] | None = None) -> bool:
    """Returns whether a text names the author: by a label in it or before it, or by the markup around it.

    `marking` are the elements of the page that MAY_MARK selects, if they are known: most elements are not near one.
    """
    label = after_label(text)
    if 0 < label < len(text):
        return text[label].isupper() and looks_like_names(text[label:])
    labelled = bool(before) and after_label(before) == len(before)
    near = marking is None or (bool(marking) and is_near(element, marking, _LEVELS))
    return (labelled or (near and _marked(element))) and looks_like_names(text)


NAMED = "[class*=name i],a[rel~=author]"
"""Selects elements for which `is_named` may be true."""


def is_named(element: Node) -> bool:
    """Returns whether an element is called the name of an author or user."""
    names = names_around(element, 1)[0]
    return bool(_NAME.search(names)) or "author" in names.split()


def is_linked(element: Node) -> bool:
    """Returns whether an element is in a link to the page of a person."""
    return bool(_OF_PEOPLE.search(link_around(element, _LEVELS)))


def _marked(element: Node) -> bool:
    """Returns whether the names of an element or one around it suggest a byline."""
    levels = names_around(element, _LEVELS)
    for names in levels if _BYLINE.search(" ".join(levels)) else ():
        if _NAME.search(names):
            return True
        if _NO_BYLINE.search(names):
            return False
        if _BYLINE.search(names):
            return True
    return False
