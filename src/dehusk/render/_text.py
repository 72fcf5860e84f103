"""Text: paragraphs apart, items and rows on lines of their own, a label and its value on one."""

from collections.abc import Sequence
from typing import cast

from turbohtml import Document, Element, PlainText

from dehusk.kernels.blocks import ZEROS
from dehusk.kernels.unfolding import Edits, prepare, tidied, zeros
from dehusk.page import Node, Page
from dehusk.page.dom import body, dom
from dehusk.render.writing import AS_LEARNED, Writing

_PLAIN_TEXT = PlainText(bullet="- ")


def text(page: Page, gone: Sequence[Node], writing: Writing = AS_LEARNED) -> str:  # noqa: ARG001  # has no addresses
    """The content as plain text."""
    return _text(body(dom(page).without(gone)), page)


def text_of(excerpt: Node) -> str:
    """A document of its own as plain text."""
    return _text(body(cast("Document", excerpt)), None)


def _text(inside: Element, page: Page | None) -> str:
    with Edits() as edits:
        prepare(inside, edits)
        said = inside.to_text(_PLAIN_TEXT)
        if page is not None and any(
            f"\n{zero}\n" in said or said.startswith(f"{zero}\n") or said.endswith(f"\n{zero}") for zero in ZEROS
        ):
            for zero in zeros(inside, dom(page).gaps):
                edits.drop(zero)
            said = inside.to_text(_PLAIN_TEXT)
    return tidied(said)
