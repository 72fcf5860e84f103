"""The posts of a thread in a forum: where each begins, who wrote it, and when.

Posts name their authors and dates. The largest elements around these names that have only one of them are the posts.
Nothing here needs the tree of a page: building that takes ten times as long as writing its text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from dehusk.base.tags import HEADINGS, INLINE
from dehusk.metadata import dates
from dehusk.page import Node, Page
from dehusk.page.elements import attribute, label_of, nodes_above, select, strings_of, text_of, texts_in
from dehusk.render import Post

FORUM = "forum"
"""The kind of pages that have posts."""

SHARE = 0.3
"""Posts have at least this share of the kept text. The first one may be apart from the answers."""

BEFORE = 80
"""The first answer is separated from so many characters before it: more than a title."""

MOST_NAMES = 400
HIGHEST = 100
"""How many names are looked at, and how many elements above each."""

TRIED = 8
"""How many groups of names with the same tag and class are looked at."""

LONGEST_NAME = 40
LONGEST_DATE = 60
"""Maximum length of a text that is an author or has a date."""

SEARCHED = 400
"""How many nodes of a post are searched for its author and its date."""

MOST_POSTS = 2000
DEEPEST = 300
"""How many posts are separated, and how deep they may be nested."""

# Each part of a selector takes a tenth of a parse, so those that say most come first.
_CLEAR = "[class*=author], [class*=username], [itemprop=author], time"
_OTHER = (
    "[class*=poster], [class*=Author], [class*=nick], [itemprop=creator], [itemprop=name], [rel=author], "
    "a[href*=member], a[href*=user], a[href*=profil], a[href*='/u/'], [class*=date], [class*=posted]"
)
_AUTHORS = f"{_CLEAR.removesuffix(', time')}, {_OTHER.removesuffix(', [class*=date], [class*=posted]')}"
_NOT_POSTS = HEADINGS | INLINE | {"p", "blockquote", "td", "th", "body", "html"}
_CLASS = re.compile(r"[\w-]+")
_NOT_WHEN = re.compile(
    r"join|regist|since|seit|inscri|dabei|edit|bearbeitet|last|zuletzt|birth|anmeld|founded|geändert", re.IGNORECASE
)
_BEFORE_NAME = re.compile(r"\W*(?:(?:posted |written )?by|par|von|por|de|author|autor|from)?\W*", re.IGNORECASE)
_LETTER = re.compile(r"[^\W_]")


def posts_of(page: Page, gone: Sequence[Node], kind: str | None, *, signed: bool) -> list[Post]:
    """Returns the posts of a page of this kind, without these nodes.

    None if it is not a thread, or no unit with authors or dates repeats. If `signed`, posts have their authors and
    dates, if these are among the nodes that are gone.
    """
    if kind != FORUM:
        return []
    best = _best(page, gone, _CLEAR) or _best(page, gone, _OTHER)
    if not best:
        return []
    inside = page.without(gone)
    whole = text_of(inside)
    before = whole[: whole.find(text_of(best[0]))]
    apart = [len("".join(before.split())) > BEFORE, *[True] * (len(best) - 1)]
    if not signed:
        return [Post(post, "", "", rule) for post, rule in zip(best, apart, strict=True)]
    page.body  # noqa: B018  # puts back what was removed from the posts
    found = [(_author(post), _date(post)) for post in best]
    page.without(gone)
    return [
        Post(post, _missing(author, inside), _missing(date, inside), rule)
        for post, (author, date), rule in zip(best, found, apart, strict=True)
    ]


def _best(page: Page, gone: Sequence[Node], names: str) -> list[Node]:
    """Returns the posts around these names: those that are most, and have enough of the kept text."""
    units = list(_units(page.body, names))
    best: list[Node] = []
    if units:
        inside = page.without(gone)
        enough = SHARE * len(text_of(inside))
        for unit in units:
            posts, share = _kept(unit, inside)
            if len(posts) > max(1, len(best)) and share >= enough:
                best = posts
    return best


def _kept(unit: Sequence[Node], inside: Node) -> tuple[list[Node], int]:
    """Returns the posts of a unit that are kept, and the size of their text. Posts may be inside of others."""
    posts, size = [], 0
    all_posts = frozenset(unit)
    for post in unit:
        above = nodes_above(post, DEEPEST)
        if inside in above and next(strings_of(post), None) is not None:
            posts.append(post)
            size += len(text_of(post)) if all_posts.isdisjoint(above[1:]) else 0
    return posts, size


def _units(body: Node, names: str) -> Iterator[list[Node]]:
    """Yields the repeated units around these names that may be posts, each as the elements where it occurs."""
    groups: dict[str, list[Node]] = defaultdict(list)
    for named in select(body, names)[:MOST_NAMES]:
        groups[label_of(named)].append(named)
    seen: set[str] = set()
    for group in sorted(groups.values(), key=len, reverse=True)[:TRIED]:
        around = _around(group) if len(group) > 1 else []
        labels = Counter(map(label_of, around))
        label, count = labels.most_common(1)[0] if labels else ("", 0)
        tag, _, name = label.partition(".")
        if count < 2 or tag in _NOT_POSTS or label in seen:
            continue
        if _CLASS.fullmatch(name):  # also posts with other names in them, such as those that they quote
            seen.add(label)
            yield select(body, f"{tag}[class~='{name}']")[:MOST_POSTS]
        else:
            yield [unit for unit in around if label_of(unit) == label]


def _around(names: Sequence[Node]) -> list[Node]:
    """Returns the largest element around each of these names that has no other of them."""
    chains = [nodes_above(name, HIGHEST) for name in names]
    counts = Counter(chain.from_iterable(chains))
    found = ([above for above in nodes if counts[above] == 1] for nodes in chains)
    return list(dict.fromkeys(alone[-1] for alone in found if alone))


_Found = tuple[str, Node | None]
"""A text and its place."""


def _missing(found: _Found, inside: Node) -> str:
    """Returns a text if its place was removed, else ""."""
    text, place = found
    return "" if place is None or inside in nodes_above(place, DEEPEST) else text


def _author(post: Node) -> _Found:
    """Returns the first name of an author in a post."""
    for place in select(post, _AUTHORS)[:SEARCHED]:
        for text in islice(strings_of(place), SEARCHED):
            if len(text) > 1 and _LETTER.search(text) and not _BEFORE_NAME.fullmatch(text):  # one letter is a picture
                if len(text) <= LONGEST_NAME:
                    return " ".join(text.split()), place
                break
    return "", None


def _date(post: Node) -> _Found:
    """Returns the date of the first time element of a post, else the first date in a short text.

    The date when the author joined is not that of the post, for example.
    """
    for place in select(post, "time")[:SEARCHED]:
        text = text_of(place)[:LONGEST_DATE]
        day = dates.iso(attribute(place, "datetime") or attribute(place, "title") or text)
        if day and not _NOT_WHEN.search(text):
            return day[:10], place
    before = ""
    for text, place in texts_in(post, SEARCHED):
        short = text.strip()[: LONGEST_DATE + 1]
        if len(short) <= LONGEST_DATE and not _NOT_WHEN.search(before + short) and (day := dates.iso(short)):
            return day[:10], place
        before = short or before
    return "", None
