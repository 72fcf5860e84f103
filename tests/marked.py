"""Pages marked by hand: the given texts are template, everything else is content."""

import dataclasses

from dehusk import render
from dehusk.marking.marking import Marking
from dehusk.methods.rules import Marks
from dehusk.page import Page
from dehusk.render.writing import Writing


def marking(html: str, *gone: str, url: str | None = None) -> Marking:
    """Marks these texts as template, and elements that contain nothing else."""
    page = Page(html, url=url)
    tree = page.tree
    flags = bytearray(
        tag not in ("#text", "img", "br", "hr") or text in gone for tag, text in zip(tree.tag, tree.text, strict=True)
    )
    return Marking(page, Marks(flags, lambda node: f"because of {tree.tag[node]}"))


def thoroughly(quick: Marking) -> Marking:
    """The same page with a flag for each node, without the result of the quick walk."""
    marks = dataclasses.replace(quick._marks, topmost=None)
    marking = Marking(quick.page, marks, family=quick.family, habits=quick._habits)
    marking._edits = quick._edits
    return marking


def as_text(html: str, *gone: str) -> str:
    """The text of a page without these texts."""
    marked = marking(html, *gone)
    return render.text(marked.page, render.unseen(marked.page, marked.gone))


def as_markdown(html: str, *gone: str, url: str | None = None, images: str | None = None) -> str:
    """The Markdown of a page without these texts."""
    marked = marking(html, *gone, url=url)
    return render.markdown(marked.page, render.unseen(marked.page, marked.gone), Writing(images=images))


def as_html(html: str, *gone: str, url: str | None = None, images: str | None = None) -> str:
    """The HTML of a page without these texts."""
    marked = marking(html, *gone, url=url)
    return render.html(marked.page, render.unseen(marked.page, marked.gone), Writing(images=images))
