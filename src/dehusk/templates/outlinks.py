"""The links of a cleaned page, each with the role of the part it is in, for crawlers."""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any

from dehusk.base import urls
from dehusk.base.tree import TEXT, Tree
from dehusk.kernels.walking import folded
from dehusk.marking.marking import Marking
from dehusk.page import places
from dehusk.roles import Role

LONGEST_TEXT = 300
MOST_NODES = 1000
"""Maximum number of characters of a link's text, and of nodes that are looked at for it."""

LONGEST_ADDRESS = 200
ROOM = 4
"""URLs of more characters add at most this multiple of the page's size, as each may repeat a long base.

Later links are left out.
"""

LONG_LABEL = 30
"""A longer text is not the label of a link to another page of a list."""

_ADDRESS = re.compile(
    r"[?&;/](?:page|paged|pagenum|pagenumber|pageno|pg|p|start|offset|seite|pagina|strona|sida)[=/-]?\d{1,6}(?![\w.-])",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"pagination|pager|paging|page-?nav|page-?numbers?|pagelinks|nav-?links|\bnext\b|\bprev", re.IGNORECASE
)
_SCHEME = re.compile(r"\s*[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_NUMBER = re.compile(r"\W{0,3}\d{1,4}\W{0,3}")
_ARROWS = frozenset("«»‹›<>←→⟨⟩◀▶>>")
_STEPS = frozenset(
    word
    for words in (
        "next previous prev nextpage previouspage older newer olderposts newerposts olderentries newerentries first",
        "last firstpage lastpage more showmore loadmore weiter zurück nächste vorherige nächsteseite vorherigeseite",
        "ältere neuere erste letzte suivant précédent suivante précédente siguiente anterior próxima próximo seguinte",
        "avanti indietro successiva precedente volgende vorige następna poprzednia następny poprzedni další předchozí",
        "следующая предыдущая вперед вперёд назад далее nästa föregående neste forrige seuraava edellinen sonraki",
        "önceki επόμενη προηγούμενη 下一页 上一页 下一頁 上一頁 下页 次へ 前へ 다음 이전",
    )
    for word in words.split()
)
_IN_STEPS = ("nextpage", "previouspage", "prevpage", "firstpage", "lastpage", "arrowright", "arrowleft")
_MORE = ("more", "mehr", "loadmore", "showmore")
_PAGE = frozenset({"page", "gotopage", "currentpage", "seite", "zurseite", "página", "pagina", "strona", "страница"})
_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))
_YEAR = re.compile(r"(?:19|20)\d\d")
_REL = frozenset({"next", "prev", "previous"})
_LEVELS = 4  # elements around a link whose names are read


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page."""

    url: str
    """Its absolute URL without a fragment; as it is written, if the URL of the page is not known."""
    text: str
    """Its text; empty for a picture."""
    place: str
    """Its place on the page, as a CSS selector."""
    role: Role | None
    """The role of the part that it is in; None if nothing has text there."""
    pagination: bool
    """Whether it leads to another page of the same list or thread."""
    leaves: bool
    """Whether it leaves the site."""
    kept: bool
    """Whether it stays on the cleaned page."""
    rel: str
    """Its rel attribute."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the link as JSON data."""
        return asdict(self)


WORTH: tuple[Callable[[Link], bool], ...] = (
    lambda link: link.kept and link.role in (Role.RECORD, Role.RELATED, Role.CONTENTS, Role.BODY, Role.HEADING),
    lambda link: link.pagination,
    lambda link: link.kept,
    lambda link: link.role in (Role.CONTENTS, Role.RELATED, Role.NAVIGATION, Role.BREADCRUMBS, Role.TAGS),
    lambda link: link.role not in (Role.TOOLS, Role.FORM, Role.LEGAL, Role.ADVERTISEMENT),
)
"""What is worth fetching next, best first. Links that fit none are left out, and so are those that leave the site."""


def worth(link: Link) -> int | None:
    """Returns the rank of a link for a crawler, 0 for the best; None if it is not worth fetching."""
    if link.leaves or "nofollow" in link.rel.split():
        return None
    return next((rank for rank, fits in enumerate(WORTH) if fits(link)), None)


def links_of(marking: Marking, url: str | None, base: str) -> list[Link]:
    """Returns the links of a marked page to other pages, in page order.

    `url` is the URL of the page, and `base` the one that its links are relative to.
    """
    page = marking.page
    tree, flags = page.tree, marking.flags
    naming = places.Naming(tree, places.ROOM * len(page.html), page.labels(("id",)))
    lists, rels = _Lists(tree, page.labels(("class", "id", "aria-label"))), page.labels(("rel",))
    own, here = urls.normal(url or ""), _site(base)
    room = ROOM * len(page.html)
    found = []
    for node in range(len(tree)):
        address = _address(tree.link[node], base) if tree.tag[node] == "a" else None
        if not address or address == own:
            continue
        room -= max(0, len(address) - max(LONGEST_ADDRESS, len(tree.link[node])))
        if room < 0:
            break
        text = _text(tree, node)
        pages = _leads_on(tree, node, text, address, lists, rels[node])
        site = _site(address)
        found.append(
            Link(
                url=address,
                text=text,
                place=naming.path(node),
                role=marking.role(node),
                pagination=pages,
                leaves=bool(site) and site != here,
                kept=not flags[node],
                rel=rels[node],
            )
        )
    return found


def _address(link: str, base: str) -> str | None:
    """Returns the absolute URL of a link; without a base, as it is written."""
    if base or urls.on_the_web(link):
        address = urls.normal(link, base)
        return address if address is not None and urls.on_the_web(address) else None
    return None if _SCHEME.match(link) else link.partition("#")[0].strip()


def _site(url: str) -> str:
    return urls.host(url).removeprefix("www.")


def _text(tree: Tree, node: int) -> str:
    """Returns the first LONGEST_TEXT characters of a link. Links may be nested, so the rest is not looked at."""
    texts = filter(None, tree.text[node : node + min(tree.size[node], MOST_NODES)])
    return " ".join(islice(texts, LONGEST_TEXT))[:LONGEST_TEXT]


class _Lists:
    """Elements whose names say that they list pages. Each element is looked at once, however many links it has."""

    def __init__(self, tree: Tree, names: Sequence[str]) -> None:
        self._tree, self._names = tree, names
        self._known: dict[int, bool] = {}

    def around(self, node: int) -> bool:
        """Whether a link, or one of the elements next around it, is named so."""
        return any(map(self._is_named, chain((node,), islice(self._tree.ancestors(node), _LEVELS))))

    def _is_named(self, node: int) -> bool:
        if node not in self._known:
            self._known[node] = _NAMED.search(self._names[node]) is not None
        return self._known[node]


def _leads_on(tree: Tree, node: int, text: str, address: str, lists: _Lists, rel: str) -> bool:
    """Returns whether a link leads to another page of the same list."""
    if _REL & set(rel.lower().split()):
        return True
    if len(text) > LONG_LABEL:
        return False
    label = folded(text)
    paged = _ADDRESS.search(address) is not None
    numbered = _NUMBER.fullmatch(text) is not None
    steps = (
        label in _STEPS
        or any(step in label for step in _IN_STEPS)
        or (not label and bool(text) and set(text) <= _ARROWS)
    )
    if label.translate(_NO_DIGITS) in _PAGE and any(map(str.isdigit, label)):
        return True
    if not numbered and not steps:
        return paged and label.startswith(_MORE)
    return (
        paged
        or lists.around(node)
        or (text.isdecimal() and not _YEAR.fullmatch(text) and _is_among_numbers(tree, node))
    )


def _is_among_numbers(tree: Tree, node: int) -> bool:
    """Returns whether two more links around a link are numbers, too: pages are listed together."""
    above = tree.parent[tree.parent[node]] if tree.parent[node] > 0 else 0
    texts = (
        tree.text[inner + 1]
        for inner in range(above, above + min(tree.size[above], 200))
        if tree.tag[inner] == "a" and tree.size[inner] == 2 and tree.tag[inner + 1] == TEXT
    )
    return sum(_NUMBER.fullmatch(text) is not None for text in texts) >= 3
