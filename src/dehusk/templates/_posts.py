"""The posts of a thread in a forum: where each begins, who wrote it, and when."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from dehusk.base.tags import HEADINGS, INLINE
from dehusk.base.tree import TEXT, Tree, letters
from dehusk.metadata import dates
from dehusk.page import Node, Page
from dehusk.page.elements import label_of
from dehusk.render import Post

SHARE = 0.3
"""Posts have at least this share of the kept text. The first one may be apart from the answers."""

SIGNED = 0.6
"""At least this share of the posts names an author or a date. Paragraphs do not."""

BEFORE = 80
"""The first answer is separated from so many kept letters before it: more than a title."""

LONGEST_NAME = 40
LONGEST_DATE = 60
"""Maximum letters of a text that is an author or has a date."""

TRIED = 12
"""How many repeated units are looked at."""

SEARCHED = 400
"""How many nodes of a post are searched for its author and its date."""

_NOT_POSTS = HEADINGS | INLINE | {TEXT, "p", "blockquote", "pre", "td", "th", "dt", "br", "img", "option"}
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:author|username|poster|nick|nickname|creator|autor|p-name)(?:$|[\s_-])", re.IGNORECASE
)
_PROFILE = re.compile(
    r"(?:^|/)(?:u|users?|members?|memberlist|people|profiles?|profil|benutzer)(?:[/.=?]|$)|[?&](?:u|uid|userid)=\d",
    re.IGNORECASE,
)
_NOT_WHEN = re.compile(
    r"join|regist|since|seit|inscri|dabei|edit|bearbeitet|last|zuletzt|birth|anmeld|founded|geändert",
    re.IGNORECASE,
)
_BEFORE_NAME = re.compile(r"\W*(?:(?:posted |written )?by|par|von|por|de|author|autor|from|@)?\W*", re.IGNORECASE)
_LETTER = re.compile(r"[^\W_]")


class _Found(NamedTuple):
    """A text that was found in a post; `gone` says that it is not written with the post."""

    text: str = ""
    gone: bool = False

    @property
    def missing(self) -> str:
        return self.text if self.gone else ""


def posts_of(page: Page, gone: Sequence[Node]) -> list[Post]:
    """Returns the posts of a page in a forum without these nodes; none if no unit with authors or dates repeats."""
    tree, flags, nodes = page.tree, page.flagged(gone), page.nodes
    own = [letters(text) if text and not flag else 0 for text, flag in zip(tree.text, flags, strict=True)]
    before = list(accumulate(own, initial=0))
    best: tuple[int, list[Post]] = (0, [])
    for unit in _units(page, own):
        signed = [_signed(tree, flags, node, end) for node, end in zip(unit, (*unit[1:], len(tree)), strict=True)]
        whole = sum(bool(author.text) + bool(date.text) for author, date in signed)
        if whole > best[0] and sum(bool(author.text or date.text) for author, date in signed) >= SIGNED * len(unit):
            posts = zip(unit, signed, strict=True)
            best = whole, [Post(nodes[at], who.missing, day.missing, before[at] > BEFORE) for at, (who, day) in posts]
    return best[1]


def _units(page: Page, own: Sequence[int]) -> list[list[int]]:
    """Returns the repeated units that may be posts, each as the nodes where it occurs; those with most text first.

    A unit with a class is repeated anywhere: the first post and answers to answers have other parents. Others are
    repeated side by side.
    """
    tree, nodes = page.tree, page.nodes
    kept = list(own)
    for node in range(len(tree) - 1, 0, -1):
        kept[tree.parent[node]] += kept[node]
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    for node in range(1, len(tree)):
        if kept[node] and tree.tag[node] not in _NOT_POSTS:
            label = label_of(nodes[node])
            groups[-1 if "." in label else tree.parent[node], label].append(node)
    units: dict[int, list[int]] = {}
    for group in groups.values():
        end = outer = share = 0
        for node in group:
            if node >= end:  # not inside of the one before
                end, outer, share = node + tree.size[node], outer + 1, share + kept[node]
        if outer > 1 and share >= SHARE * kept[0]:
            units.setdefault(share, group)  # the outermost of those with the same text
    return [units[share] for share in sorted(units, reverse=True)[:TRIED]]


def _signed(tree: Tree, flags: Sequence[int], node: int, end: int) -> tuple[_Found, _Found]:
    """Returns the author and the date of a post, which ends before the next one begins."""
    author = date = _Found()
    within = range(node, min(end, node + tree.size[node], node + SEARCHED))
    times = [place for place in within if tree.tag[place] == "time"]
    label = ""  # the text before
    for place in within:
        if not author.text and tree.tag[place] != TEXT and _names_author(tree, place):
            author = _name(tree, flags, place)
        if not date.text and not _NOT_WHEN.search(label):
            date = _timed(tree, flags, place) if times else _dated(tree, flags, place)
        label = tree.text[place][:LONGEST_DATE] if tree.text[place] else label
    return author, date


def _names_author(tree: Tree, node: int) -> bool:
    """Returns whether an element is named as an author, or links to a member."""
    stated = tree.attributes[node]
    if stated.get("rel") == "author" or stated.get("itemprop") in ("author", "creator", "name"):
        return True
    if _NAMED.search((stated.get("class") or "")[:LONGEST_CLASS]):
        return True
    return tree.tag[node] == "a" and _PROFILE.search(tree.link[node][:LONGEST_CLASS]) is not None


LONGEST_CLASS = 300
"""How much of a class name or URL is searched."""


def _name(tree: Tree, flags: Sequence[int], node: int) -> _Found:
    """Returns the first text of an element that may be a name."""
    for place in range(node, node + min(tree.size[node], SEARCHED)):
        text = " ".join(tree.text[place].split())
        if len(text) > 1 and _LETTER.search(text) and not _BEFORE_NAME.fullmatch(text):  # one letter is a picture
            return _Found(text, bool(flags[place])) if len(text) <= LONGEST_NAME else _Found()
    return _Found()


def _timed(tree: Tree, flags: Sequence[int], node: int) -> _Found:
    """Returns the date of a time element."""
    if tree.tag[node] != "time":
        return _Found()
    stated = tree.attributes[node]
    said = range(node, node + min(tree.size[node], SEARCHED))
    text = " ".join(tree.text[place] for place in said)[:LONGEST_DATE]
    day = dates.iso(stated.get("datetime") or stated.get("title") or text)
    return _Found(day[:10], all(flags[place] for place in said)) if day and not _NOT_WHEN.search(text) else _Found()


def _dated(tree: Tree, flags: Sequence[int], node: int) -> _Found:
    """Returns the date in a short text."""
    text = tree.text[node]
    if not text or len(text) > LONGEST_DATE or _NOT_WHEN.search(text):
        return _Found()
    day = dates.iso(" ".join(text.split()))
    return _Found(day[:10], bool(flags[node])) if day else _Found()
