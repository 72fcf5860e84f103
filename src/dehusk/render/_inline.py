"""Inline Markdown: links, emphasis, code, images and footnotes, and escaping of special characters."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from dehusk.kernels import blocks
from dehusk.kernels.blocks import Mark
from dehusk.kernels.reading import BREAK
from dehusk.page import Node
from dehusk.page.elements import attribute, text_of
from dehusk.render._addresses import Addresses
from dehusk.render._pictures import file_name, is_spacer, said
from dehusk.render.writing import DROP, LINK

_EMPHASIS_SIGNS = {blocks.STRONG: "**", blocks.EMPHASIS: "*", blocks.STRUCK: "~~"}
_SIGNS = {  # before and after
    **{kind: (sign, sign) for kind, sign in _EMPHASIS_SIGNS.items()},
    blocks.SUPERSCRIPT: ("<sup>", "</sup>"),
    blocks.SUBSCRIPT: ("<sub>", "</sub>"),
}
# Characters that are special anywhere. An underscore inside a word and a bracket without a URL are not.
_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|[`*]|~~|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[])|<(?=[A-Za-z/!?])|&(?=#?\w+;)"
)
_BRACKETS = re.compile(r"(?<!\\)[\[\]]")
_FIRST = re.compile(
    r"^(?:(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+$|-{2,}$|~{3,}|:?-+:?\s*\||\|)|(\d{1,9})(?=[.)](?:\s|$))|(\[[^\[\]]*\])(?=:))",
    re.MULTILINE,
)
_STARS = re.compile(r"(?<=\s)\\\*(?=\s)")
_TICKS = re.compile(r"`+")


@dataclass(slots=True)
class _Token:
    """A piece of Markdown. `mark` is the kind of mark that it opens or closes, 0 for text."""

    text: str
    mark: int = 0
    opens: bool = False
    literal: bool = False  # not to be escaped


class Inline:
    """Writes the lines of one page."""

    def __init__(self, addresses: Addresses, notes: Collection[str]) -> None:
        """`addresses` makes the page's URLs absolute; `notes` are the ids of its footnotes."""
        self._address, self._notes = addresses, notes
        self._pictures = addresses.writing.markdown_images
        self._links = addresses.writing.links

    def __call__(self, pieces: Sequence[str | Mark]) -> str:
        """Returns a line, or several if it has line breaks."""
        found = _Tokens(self)
        for piece in pieces:
            found.add(piece)
        return _first_escaped(_assembled(found.done()))

    def image(self, image: Node, *, linked: bool) -> str:
        """Returns an image with its alt text; only the alt text if it has no URL; "" if it is decoration.

        If pictures are to be links, one that is `linked` already is only its words: links cannot be nested. So is each
        if links are left out.
        """
        words = "" if self._pictures == DROP else said(image)
        source = attribute(image, "src") or ""
        if not source or source[:5].lower() == "data:":
            source = attribute(image, "data-src") or attribute(image, "data-original") or ""
        if self._pictures == DROP or (not words and is_spacer(image)):
            return ""
        bare = self._pictures == LINK and not self._links
        address = "" if bare else self._address(source)
        if not address:
            return _SPECIAL.sub(r"\\\g<0>", words)
        words = _BRACKETS.sub(_escape, _SPECIAL.sub(_escape, words or file_name(address)))
        if self._pictures == LINK:
            return words if linked else f"[{words}]({address})"
        return f"![{words}]({address})"

    def note(self, mark: Mark) -> str:
        """Returns the reference to a footnote."""
        return f"[^{mark.label}]" if (attribute(mark.node, "href") or "")[1:] in self._notes else f"[{mark.label}]"

    def link(self, link: Node) -> str:
        """Returns the URL of a link; "" if it has none, or if links are left out."""
        return self._address(attribute(link, "href")) if self._links else ""


class _Tokens:
    """Tokens of a line. Whitespace and opening marks wait for the next word, so no mark is empty or ends in a space."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._tokens: list[_Token] = []
        self._waiting: list[Mark] = []
        self._open: list[Mark] = []
        self._space = self._break = False
        self._code: list[str] | None = None
        self._code_link: Mark | None = None

    def add(self, piece: str | Mark) -> None:
        if isinstance(piece, str):
            self._add_text(piece)
        elif piece.kind == blocks.CODE:
            self._end_code()
            self._code = [] if piece.opens else None
        elif piece.kind == blocks.IMAGE:
            linked = any(mark.kind == blocks.LINK for mark in (*self._open, *self._waiting))
            if self._code is None and (image := self._inline.image(piece.node, linked=linked)):
                self._emit(_Token(image, literal=True))
        elif piece.kind == blocks.RAISED:
            self._emit(_Token(self._inline.note(piece), literal=True))
        elif piece.kind == blocks.FORMULA:
            self._emit(_Token(f"${piece.label}$", literal=True))
        else:
            self._add_mark(piece)

    def _add_text(self, text: str) -> None:
        if text == BREAK:
            self._end_code()
            self._break, self._space = bool(self._tokens), False
        elif self._code is not None:
            self._code.append(text)
        else:
            self._say(text)

    def _add_mark(self, mark: Mark) -> None:
        if self._code is not None:
            # Code that is one link as a whole stays a link; other links in code are dropped.
            if mark.kind == blocks.LINK and mark.opens and not "".join(self._code).strip():
                self._code_link = mark
        elif mark.opens:
            self._waiting.append(mark)
        else:
            self._close(mark.kind)

    def done(self) -> list[_Token]:
        self._end_code()
        while self._open:
            self._close(self._open[-1].kind)
        return self._tokens

    def _say(self, text: str) -> None:
        words = " ".join(text.split())
        if not words:
            self._space = True
            return
        self._space |= text[0].isspace()
        self._emit(_Token(words))
        self._space = text[-1].isspace()

    def _emit(self, token: _Token) -> None:
        if self._break:
            self._tokens.append(_Token("  \n", literal=True))
        elif self._space and self._tokens:
            self._tokens.append(_Token(" "))
        waiting, self._waiting = self._waiting, []
        for mark in waiting:
            self._begin(mark)
        self._space = self._break = False
        self._tokens.append(token)

    def _begin(self, mark: Mark) -> None:
        if mark.kind == blocks.LINK and not self._inline.link(mark.node):
            return
        last = self._tokens[-1] if self._tokens else None
        if last is not None and last.mark == mark.kind != blocks.LINK and not last.opens:
            self._tokens.pop()  # continues the mark that was just closed
        else:
            self._tokens.append(_Token(_SIGNS[mark.kind][0] if mark.kind in _SIGNS else "[", mark.kind, opens=True))
        self._open.append(mark)

    def _close(self, kind: int) -> None:
        for number in range(len(self._waiting) - 1, -1, -1):
            if self._waiting[number].kind == kind:
                del self._waiting[number]
                return
        while any(mark.kind == kind for mark in self._open):
            mark = self._open.pop()
            address = f"]({self._inline.link(mark.node)})" if mark.kind == blocks.LINK else ""
            self._tokens.append(_Token(address or _SIGNS[mark.kind][1], mark.kind))

    def _end_code(self) -> None:
        code = " ".join("".join(self._code or ()).split())
        link, self._code_link = self._code_link, None
        if code:
            spaces = self._code or [""]
            self._space |= spaces[0][:1].isspace()
            inside = link is not None and " ".join(text_of(link.node).split()) == code
            if link is not None and inside:
                self._waiting.append(link)
            fence = "`" * (max(map(len, _TICKS.findall(code)), default=0) + 1)
            pad = " " if code[0] == "`" or code[-1] == "`" else ""
            self._emit(_Token(f"{fence}{pad}{code}{pad}{fence}", literal=True))
            if inside:
                self._close(blocks.LINK)
            self._space = spaces[-1][-1:].isspace()
        if self._code is not None:
            self._code = []


def _assembled(tokens: list[_Token]) -> str:
    """Joins the tokens. Leaves out emphasis that a parser would not recognize."""
    merged: list[_Token] = []
    for marked, group in groupby(tokens, key=lambda token: bool(token.mark or token.literal)):
        some = list(group)
        merged += some if marked else [_Token("".join(token.text for token in some))]
    written: list[str] = []
    linked = False
    for token in merged:
        if token.mark == blocks.LINK:
            linked = token.opens
        text = token.text
        if not token.mark and not token.literal:
            text = _STARS.sub("*", _SPECIAL.sub(_escape, text))
            text = _BRACKETS.sub(_escape, text) if linked else text
        elif text[:1] == "[" and written and written[-1].endswith("!"):
            written[-1] = f"{written[-1][:-1]}\\!"  # otherwise the link would be an image
        written.append(text)
    _drop_unread(merged, written)
    return "".join(written)


def _drop_unread(tokens: list[_Token], written: list[str]) -> None:
    """Leaves out emphasis marks between a letter and a character that is not one: see CommonMark 6.2."""
    begun: list[int] = []
    for number, token in enumerate(tokens):
        if token.mark not in _EMPHASIS_SIGNS:
            continue
        if token.opens:
            begun.append(number)
            continue
        first = begun.pop() if begun else number
        before, after = _edges(written, first)
        inner, outer = _edges(written, number)
        opens = _is_word(after) or not _is_word(before)
        closes = _is_word(inner) or not _is_word(outer)
        if not (opens and closes) or before == "*" == written[first][0]:
            written[first] = written[number] = ""


def _edges(written: list[str], number: int) -> tuple[str, str]:
    """Returns the characters before and after a token."""
    before = next((text[-1] for text in reversed(written[max(0, number - 4) : number]) if text), "")
    after = next((text[0] for text in written[number + 1 : number + 5] if text), "")
    return before, after


def _is_word(char: str) -> bool:
    return char.isalnum()


def _escape(found: re.Match[str]) -> str:
    return "\\" + found.group()


def _first_escaped(text: str) -> str:
    """Escapes first characters that would make a line a heading, list, quotation, rule, table or definition."""
    return _FIRST.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2] or found[3]}\\", text)
