"""Chunks of a cleaned page for search and retrieval: pieces with the headings, address and role of what they say."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from dehusk import render
from dehusk.base.options import Option, whole
from dehusk.base.tree import letters
from dehusk.kernels.shapes import size_of
from dehusk.kernels.walking import folded
from dehusk.marking.marking import Marking
from dehusk.roles import Role

SIZE = 1500
"""Maximum letters of a chunk: some 400 tokens, of which several fit a question to a language model.

Letters are all characters without white space, here and in `Chunk.size`.
"""

OPTION = Option(
    "maximum number of letters of a chunk: characters without white space",
    whole(1),
    name="chunk_size",
    metavar="LETTERS",
    default=SIZE,
)

PATH = " > "
"""Separates the headings of a path."""

LETTERS_PER_TOKEN = 3.6
"""Letters of English text per token of common language models, roughly."""

_START = 40  # letters of a line, folded, by which its role is looked up


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a page. The same text has the same id everywhere."""

    id: str
    page: str
    """The name of the page."""
    pages: tuple[str, ...]
    """The names of all pages that have it, once the chunks of several pages are merged."""
    url: str | None
    """The URL of the page, with the nearest anchor before the chunk."""
    title: str | None
    """The title of the page."""
    path: str
    """The title and the headings above, from the outside in: "Manual > Tools > Blur"."""
    position: int
    """Its number on the page, from 0."""
    role: Role | None
    """The role of most of its text."""
    text: str
    """Its content, as plain text or Markdown."""
    size: int
    """Its size, in letters: the characters of its plain text without white space."""
    tokens: int
    """The number of tokens that a language model may see in it, roughly."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the chunk as JSON data."""
        return {field.name: _as_json(getattr(self, field.name)) for field in fields(self)}


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def chunks_of(marking: Marking, pieces: Sequence[render.Chunked], title: str | None, url: str | None) -> list[Chunk]:
    """Returns the pieces of a marked page as chunks. `title` and `url` are those of the page."""
    roles = dict(_roles(marking))
    name = marking.page.name or url or ""
    return [
        Chunk(
            id=_digest(piece.text),
            page=name,
            pages=(name,),
            url=f"{url}#{piece.anchor}" if url and piece.anchor else url,
            title=title,
            path=PATH.join(_path(title, piece.headings)),
            position=position,
            role=_role(piece.plain, roles),
            text=piece.text,
            size=letters(piece.plain),
            tokens=max(1, round(size_of(piece.plain) / LETTERS_PER_TOKEN)),
        )
        for position, piece in enumerate(pieces)
    ]


def _digest(text: str) -> str:
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(words, digest_size=12).hexdigest()


def _path(title: str | None, headings: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the headings, with the title first unless it is one of them."""
    return headings if title is None or folded(title) in map(folded, headings) else (title, *headings)


def _roles(marking: Marking) -> Iterator[tuple[str, tuple[Role, int]]]:
    """Yields the start of each kept block, and its role and size."""
    for judged in marking.roles:
        if judged.block.kept and (key := _key(judged.block.text)):
            yield key, (judged.role, judged.block.size)


def _role(text: str, roles: dict[str, tuple[Role, int]]) -> Role | None:
    """Returns the role of most letters of a text."""
    shares: Counter[Role] = Counter()
    for line in text.splitlines():
        if found := roles.get(_key(line.lstrip("-0123456789. "))) or roles.get(_key(line)):
            shares[found[0]] += found[1]
    return shares.most_common(1)[0][0] if shares else None


def _key(text: str) -> str:
    return folded(text[: 2 * _START])[:_START]
