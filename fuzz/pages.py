"""Pages from bytes: a byte below 128 is itself, a higher one is a piece of markup. So any HTML is also an input."""

PIECES = (
    *(
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<ul>",
        "</ul>",
        "<ol start=3>",
        "</ol>",
        "<li>",
        "</li>",
        "<dl>",
        "<dt>",
        "<dd>",
    ),
    *(
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "<th>",
        "</td>",
        "<td rowspan=9>",
        "<td colspan=99>",
        "<caption>",
        "<thead>",
    ),
    *("<h1>", "</h1>", "<h2>", "</h2>", "<pre>", "</pre>", "<code class=language-py>", "</code>", "<blockquote>"),
    *(
        "</blockquote>",
        "<a href=x>",
        "<a href='https://e.example/a?b=c#d'>",
        "<a href=javascript:x>",
        "</a>",
        "<b>",
        "</b>",
    ),
    *("<i>", "</i>", "<span>", "</span>", "<sup>", "</sup>", "<br>", "<hr>", "<img src=p.png alt=picture>", "<img>"),
    *("<script>", "</script>", "<style>", "</style>", "<noscript>", "</noscript>", "<template>", "</template>"),
    *(
        "<svg>",
        "</svg>",
        "<math>",
        "</math>",
        "<iframe/>",
        "<textarea>",
        "</textarea>",
        "<title>",
        "</title>",
        "<select>",
    ),
    *(
        "<option>",
        "</select>",
        "<button>",
        "</button>",
        "<form>",
        "</form>",
        "<input value=x>",
        "<nav>",
        "</nav>",
        "<main>",
    ),
    *("</main>", "<article>", "</article>", "<header>", "</header>", "<footer>", "</footer>", "<aside>", "</aside>"),
    *("<div class=menu>", "<div id=content>", "<div hidden>", "<p style='display:none'>", "<div role=navigation>"),
    *("<head>", "</head>", "<body>", "</body>", "<html lang=de>", "</html>", "<base href='https://e.example/a/'>"),
    *("<meta charset=utf-8>", "<meta name=author content='A. Person'>", "<time datetime=2024-05-06>", "</time>"),
    *("<script type=application/ld+json>", '{"@type":"Article","headline":"A"}', "<!--", "-->", "<![CDATA[", "]]>"),
    *("&nbsp;", "&amp;", "&#0;", "\u00e9", "\u4e2d", "\u202e", "\U0001f600", "\ud800", "\u0000", "\u2028", " | "),
    *("Posted on 6 May 2024 by A. Person. ", "A sentence of several words, and more. ", "word ", "\n"),
)

_CHARACTERS = [chr(byte) if byte < 128 else PIECES[(byte - 128) % len(PIECES)] for byte in range(256)]

END = b"\xff"
"""The separator of two pages."""


def page_of(data: bytes) -> str:
    """The page that the bytes stand for."""
    return "".join(map(_CHARACTERS.__getitem__, data))


def pages_of(data: bytes) -> list[str]:
    """The pages that the bytes stand for, at most a few."""
    return [page_of(one) for one in data.split(END)[:3]]
