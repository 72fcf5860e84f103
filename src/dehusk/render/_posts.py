"""Rules between the posts of a thread, with their authors and dates."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from dehusk.kernels.apart import inserted
from dehusk.page import Node
from dehusk.page.elements import tag_of

RULE = "-" * 20
"""The rule between posts in plain text. Shorter ones are read as what removed parts leave."""

_ROWS = ("li", "tr")  # in lists and tables a rule would be at another place


class Post(NamedTuple):
    """Where a post begins; its author and its date, if they are not in its text. `apart`: whether text is before it."""

    node: Node
    author: str
    date: str
    apart: bool


def parted(posts: Sequence[Post], *, signed: bool) -> AbstractContextManager[None]:
    """Separates posts while they are written: by a rule and, if `signed`, by their author and date."""
    places = []
    for post in posts:
        if post.apart:
            places.append((post.node, "hr", "") if signed else (post.node, "p", RULE))
        if signed and (post.author or post.date):
            places.append((post.node, "p", ", ".join(filter(None, (post.author, post.date)))))
    return inserted(places, [post.node for post in posts if tag_of(post.node) in _ROWS])
