"""Hostile pages of any size in bytes: each repeats one shape."""

from collections.abc import Callable, Mapping
from itertools import count


def _repeated(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + piece * max(1, (size - len(before) - len(after)) // len(piece)) + after


def _numbered(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Repeats a piece, with "%" replaced by a running number."""

    def make(size: int) -> str:
        pieces = []
        length = len(before) + len(after)
        for number in count():
            pieces.append(piece.replace("%", str(number)))
            length += len(pieces[-1])
            if length >= size:
                return before + "".join(pieces) + after
        return ""

    return make


def _half(first: str, then: str) -> Callable[[int], str]:
    """Half of the page repeats one piece, the other half another."""
    return lambda size: first * max(1, size // 2 // len(first)) + then * max(1, size // 2 // len(then))


def _long(before: str, after: str, rest: str) -> Callable[[int], str]:
    """A long text, then many short ones."""
    return lambda size: before + "x" * (size // 2) + after + rest * max(1, size // 2 // len(rest))


def _long_property(size: int) -> str:
    """A statement with a long name, inside of which are many short ones."""
    inside = ",".join(f'"{number}":""' for number in range(size // 16))
    return f'<script type=application/ld+json>{{"@type":"Product","{"k" * (size // 2)}":{{{inside}}}}}</script><p>x'


SHAPES: Mapping[str, Callable[[int], str]] = {
    "paragraphs": _numbered("<p>Paragraph % has a few words of its own.</p>"),
    "equal paragraphs": _repeated("<p>The same few words again.</p>"),
    "one long text": _repeated("word ", "<p>"),
    "one word": _repeated("x", "<p>"),
    "nested divs": _repeated("<div>", after="x"),
    "nested divs with text": _repeated("<div>x"),
    "nested lists": _repeated("<ul><li>x"),
    "nested tables": _repeated("<table><tr><td>x"),
    "nested captions, then divs": _half("<table><caption>", "<div><p>x</p>"),
    "nested quotations": _repeated("<blockquote>x"),
    "nested inline": _repeated("<b><i>x"),
    "nested spans": _repeated("<span>x "),
    "links in a formula": _repeated("<a href=x>x", "<math>"),
    "unclosed formatting": _repeated("<p><b>x"),
    "list of equal items": _repeated("<li>x", "<ul>"),
    "list of items": _numbered("<li>item %", "<ul>"),
    "distinct classes": _numbered("<div class=c%>text %</div>"),
    "distinct tags": _numbered("<x-%>text</x-%>"),
    "parts deep inside": _numbered("<nav><a href=x>Home</a></nav><p>A text % that stays.</p>", "<div>" * 400),
    "many classes on one": _numbered("c% ", "<p class='", "'>x"),
    "many attributes on one": _numbered("a%=x ", "<p ", ">x"),
    "one row of cells": _repeated("<td>x", "<table><tr>"),
    "rows of cells": _repeated("<tr><td>x<td>y", "<table>"),
    "a long cell and many rows": _long("<table><tr><td>", "</td></tr>", "<tr><td>a<td>b"),
    "cells over many rows": _repeated("<td rowspan=65534>x", "<table><tr>"),
    "cells over many columns": _repeated("<tr><td colspan=1000>x", "<table>"),
    "a long base and many links": _long("<base href='http://e.example/", "/'>", "<a href=x>x</a> "),
    "links in sentences": _repeated("Some words before, <a href=x>a link</a> and words after it. "),
    "pictures": _repeated("<img src=x.png alt=x>"),
    "breaks": _repeated("x<br>"),
    "separators": _repeated("a | ", "<p>"),
    "code": _repeated("x = 1\n", "<pre>"),
    "backticks": _repeated("` ``", "<p><code>"),
    "stars and underscores": _repeated("*a_b* [c](d) ", "<p>"),
    "headings": _numbered("<h2>Heading %</h2>"),
    "terms": _repeated("<dt>Term<dd>value", "<dl>"),
    "dates": _repeated("<p>Posted on 6 May 2024 by A. Person</p>"),
    "scripts": _repeated("<script>x</script>x"),
    "noscript": _repeated("<noscript><p>Please turn on scripts to read this page.</p></noscript>"),
    "hidden": _repeated("<div hidden>x</div>y"),
    "comments": _repeated("<!--x-->y"),
    "options": _repeated("<option>x", "<select>"),
    "templates": _repeated("<template><p>x</template>y"),
    "empty players": _repeated("<iframe/>x</p>"),
    "entities": _repeated("&lt;&amp;&nbsp;", "<p>"),
    "half a tag": _repeated("<"),
    "statements": _repeated('<script type=application/ld+json>{"@type":"Article","headline":"x"}</script>'),
    "a deep statement": lambda size: (
        f"<script type=application/ld+json>{'[' * (size // 2)}{']' * (size // 2)}</script>x"
    ),
    "properties": _repeated("<span itemprop=author>A. Person</span>"),
    "nested properties": _repeated("<span itemprop=author>", after="A. Person"),
    "a long property of many": _long_property,
    "labels": _numbered("<p>Label %: value %</p>"),
    "labels in one line": _repeated("<b>Label:</b> value ", "<p>"),
    "rows of labels": _numbered("<tr><th>Label %<td>value %", "<table>"),
    "items": _numbered(
        "<div class=u><h3>Item %</h3><p class=b>A text of more than forty letters, % of them.</p></div>"
    ),
    "posts": _numbered(
        "<div class=post><a class=author>User %</a><time>6 May 2024</time><p>Words of a post.</p></div>"
    ),
    "long names of deep elements": lambda size: (
        "<div class='nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'>" * (size // 200) + "<p>word" * (size // 10)
    ),
    "pages in a list of a long name": _long("<div class='", "'>", "<a href=/k>1</a>"),
    "a long heading and many chunks": _long("<h1>", "</h1>", f"<p>{'letters ' * 20}</p>"),
    "a long anchor and many chunks": _long("<h1 id='", "'>Heading</h1>", f"<p>{'letters ' * 20}</p>"),
    "sentences": _repeated("It is. ", "<p>"),
    "not UTF-8": _repeated("\u00e9\u00e8 mot ", "<p>"),
    "a title of spaces": _repeated(" ", "<title>x", "x</title><p>x"),
    "a title of bars": _repeated(" | ", "<title>x", "x</title><p>x"),
    "a long class": _repeated("author", "<p class='", "'>by A. Person"),
    "a long address": _repeated("a-", "<p><a href='/", "'>x</a>"),
    "an address of slashes": _repeated("/2", "<p><a href='", "'>x</a>"),
    "a long alternative text": _repeated("x ", "<p><img src=x.png alt='", "'>"),
    "brackets on lines": _repeated("[<br>", "<p>"),
    "many bodies": _numbered("<body a%=x>", after="<p>x"),
    "many roots": _numbered("<html a%=x>", after="<p>x"),
    "tags that never end": _repeated("<title "),
    "attributes that never end": _repeated("<a b='"),
}
"""Functions from a size to a page, by name."""
