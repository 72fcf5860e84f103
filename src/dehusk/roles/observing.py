"""The signs of a block: its names, phrases and shape, where it stands and where it links."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from dehusk.roles._role import Role
from dehusk.roles._vocabulary import begins_byline, dated, is_number, plain, priced, reserves_rights, sentences
from dehusk.roles.sight import Sight, TextBlock

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
    names = {_NAMES[word] for word in _SPLIT.split(target.lower()) if word in _NAMES}
    if _ARTICLE.search(target):
        names.add("article")
    if _HOME.match(target):
        names.add("home")
    return names


Signs = Iterator[tuple[str, float]]

LABEL = 25
"""Letters up to which a text is a name of something."""

SHORT_TEXT = 60
"""Letters up to which a text is a label, a name or a link rather than prose."""

LONG_LINK = 22
"""Letters from which a link is the title of something rather than the name of a place."""

EDGE = 0.04
"""The share of a page's letters that is its top, and that is its bottom."""

_STEPS = frozenset({">", ">>", "»", "›", "→", "::", "/", "‹", "＞"})
"""What stands between the steps of a path."""

LONG_LIST = 15
"""Items of a list, with those of the lists in it, from which it is a long one."""

_THINGS = frozenset({"product", "listing", "collection"})


def by_names(sight: Sight, block: TextBlock) -> Signs:
    """What the authors of the page call the element and those around it."""
    for role, loud in sight.named[block.node].items():
        # A thing with a price that goes is another one than the page is about.
        beside = role is Role.RECORD and not sight.kept(block)
        yield "name of other record" if beside else f"name of {role}", loud


def by_verdict(sight: Sight, block: TextBlock) -> Signs:
    """Whether it stays, on which kind of page, and where it stands from what stays."""
    verdict = "kept" if sight.kept(block) else "gone"
    yield verdict, 1.0
    yield f"{verdict} on {sight.kind or 'other'}", 1.0
    if verdict == "gone":
        position = sight.place(block)
        yield position, 1.0
        if sight.kind == "forum":
            yield f"{position} on forum", 1.0


def by_place(sight: Sight, block: TextBlock) -> Signs:
    """Where on the page it is, and where in what stays."""
    before = sight.before[block.number] / sight.total
    if before < EDGE:
        yield "top", 1.0
    elif before > 1 - EDGE:
        yield "bottom", 1.0
    if block.number in sight.opening:
        yield "opening", 1.0
    if block.number == sight.first_heading:
        yield "first heading", 1.0
    for role in sight.under[block.number]:
        yield f"under {role}", 1.0


def by_tags(sight: Sight, block: TextBlock) -> Signs:
    """What the elements around it are, and those in it that hold all of its text."""
    for tag, near in sight.tagged[block.node].items():
        yield f"in {tag}", near
    tag = sight.tree.tag[block.node]
    if sight.is_heading(block):
        yield "heading that stays" if sight.kept(block) else "heading that goes", 1.0
        if tag == "h1":
            yield "h1", 1.0
    elif tag in ("li", "dt", "dd", "td", "th"):
        yield f"is {tag}", 1.0
    for inner in sight.inside(block):
        yield f"all in {inner}", 1.0


def by_lists(sight: Sight, block: TextBlock) -> Signs:
    """The lists and the table that it is in."""
    depth, items = sight.lists[block.node]
    if depth > 1:
        yield "list in a list", 1.0
    if items >= LONG_LIST:
        yield "long list", 1.0
        if sight.kind == "documentation":
            yield "long list on documentation", 1.0
    table = sight.table_of[block.node]
    if table in sight.data_tables:
        yield "data that stays" if sight.kept(block) else "data that goes", 1.0
        if sight.kind in _THINGS and sight.kept(block):
            yield "data of a thing", 1.0


def by_phrases(sight: Sight, block: TextBlock) -> Signs:
    """What a short text says of itself."""
    for role in sight.said(block):
        yield f"says {role}", 1.0


def by_links(sight: Sight, block: TextBlock) -> Signs:
    """How much of it is links, and what they look like: names of places are short, titles of things are long."""
    if not block.links:
        yield "no link", 1.0
        return
    if block.share_linked < 0.5:
        yield "few links", 1.0
        return
    targets = [target for node in block.anchors if (target := sight.tree.link[node])]
    for name in targets_named(targets):
        yield f"links to {name}", 1.0
    if targets and block.share_linked > 0.8 and all(node.startswith("#") and len(node) > 1 for node in targets):
        yield "links to this page", 1.0
    elif block.linked / block.links >= LONG_LINK:
        yield "long links", 1.0
    else:
        yield "short links", 1.0
    if block.links > 2:
        yield "several links", 1.0


def by_shape(sight: Sight, block: TextBlock) -> Signs:
    """What the text looks like."""
    text, short = block.text, block.size <= SHORT_TEXT
    yield "label" if block.size <= LABEL else "short" if short else "long", 1.0
    dates = dated(text) if block.size <= 2 * SHORT_TEXT else 0.0
    if dates >= 0.4 and short:
        yield "date that goes" if not sight.kept(block) else "date", 1.0
    elif dates:
        yield "has a date", 1.0
    if short and priced(text):
        yield "price", 1.0
    if block.size <= 10 * SHORT_TEXT and reserves_rights(text):
        yield "rights", 1.0
    if short and begins_byline(text):
        yield "by", 1.0
    if is_number(text):
        yield "number in link" if block.links else "number", 1.0
    if block.links and short and not _STEPS.isdisjoint(text.split()):
        yield "steps", 1.0


def by_sentences(sight: Sight, block: TextBlock) -> Signs:
    """Whether it is prose or a label."""
    short = block.size <= SHORT_TEXT
    if sentences(block.text):
        if block.share_linked < 0.5:
            yield "sentence" if short else "prose", 1.0
            if not sight.kept(block):
                yield "sentence that goes", 1.0
    elif short:
        if block.text.endswith(":"):
            yield "colon", 1.0
        if sight.kept(block) and sight.kind in _THINGS and not (sight.is_heading(block) and not block.links):
            yield "label of a thing", 1.0


def by_statement(sight: Sight, block: TextBlock) -> Signs:
    """What the page says about itself: its title, its writer, the name of its site."""
    if block.size > 4 * SHORT_TEXT:
        return
    text = plain(block.text)
    if text in sight.titles:
        yield "title of the page", 1.0
    elif sight.kept(block) and sight.is_heading(block) and sight.begins_title(text):
        yield "begins the title", 1.0
    elif text in sight.title_parts:
        yield "part of the title", 1.0
    if text in sight.authors:
        yield "author", 1.0


LOOKS: tuple[Callable[[Sight, TextBlock], Signs], ...] = (
    by_names,
    by_verdict,
    by_place,
    by_tags,
    by_lists,
    by_phrases,
    by_links,
    by_shape,
    by_sentences,
    by_statement,
)
"""All kinds of signs."""


def signs(sight: Sight, block: TextBlock) -> dict[str, float]:
    """The signs of a block with their strengths."""
    return {name: strength for look in LOOKS for name, strength in look(sight, block)}
