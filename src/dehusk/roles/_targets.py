"""Where links lead, as the words of their addresses tell: to a search, a writer, an article."""

import re
from collections.abc import Mapping, Sequence

_TARGET_WORDS: Mapping[str, str] = {
    "sharing": "share sharer sharing sharethis addthis twitter facebook linkedin pinterest digg delicious icio reddit "
    "stumbleupon mailto whatsapp telegram wykop weibo intent tweet",
    "feed": "rss feed feeds atom feedburner",
    "print": "print printer printable printthread drucken drukuj imprimir",
    "tag": "tag tags label labels keyword keywords topic topics",
    "category": "category categories cat section sections channel channels",
    "person": "author authors autor user users profile profiles member members memberlist people",
    "account": "login signin signup register registration account logon",
    "search": "search suche recherche szukaj",
    "terms": "privacy terms legal copyright cookie cookies impressum datenschutz license licence disclaimer",
    "comments": "comment comments respond disqus reply kommentar komentarze",
    "offers": "newsletter newsletters subscribe subscription subscriptions donate offer offers deals promo",
    "sponsors": "doubleclick ad ads adclick adserver sponsor sponsored affiliate aff clickid banner",
    "cart": "cart basket checkout wishlist compare",
    "script": "javascript",
    "page": "page seite",
}
_NAMES = {word: name for name, words in _TARGET_WORDS.items() for word in words.split()}
_SPLIT = re.compile(r"[^a-z]+")
_ARTICLE = re.compile(r"\d{5}|/(?:19|20)\d\d[/-]\d|[^/-]+-[^/-]+-[^/-]+-[^/-]")
_HOME = re.compile(r"(?:https?://[^/]+)?/?(?:index\.\w+)?$")

MOST_LINKS = 8
"""Links of a block that are looked at."""


def targets_named(targets: Sequence[str]) -> list[str]:
    """What most of these addresses are of."""
    counts: dict[str, int] = {}
    few = targets[:MOST_LINKS]
    for target in few:
        for name in _named(target):
            counts[name] = counts.get(name, 0) + 1
    return [name for name, count in counts.items() if 2 * count > len(few)]


def _named(target: str) -> set[str]:
    found = {_NAMES[word] for word in _SPLIT.split(target.lower()) if word in _NAMES}
    if _ARTICLE.search(target):
        found.add("article")
    if _HOME.match(target):
        found.add("home")
    return found
