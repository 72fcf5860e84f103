"""Style sheets that load nothing, so that a page may look like itself where it must not reach anybody.

A style sheet is read as browsers read it: names may be written with escapes, and strings and comments may hold what
looks like something else. What could load is written so that a browser leaves it out; all else stays as it is.
"""

import re
from collections.abc import Iterator

LINK_ATTRIBUTE = "data-href"
"""Where links of a sealed page have their address. They have no `href`, so they lead nowhere."""

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}[ \t\n]?|[^\n0-9a-fA-F])"
_QUOTED = r'"(?:[^"\\\n]|\\.)*+"?' + r"|'(?:[^'\\\n]|\\.)*+'?"
_TOKEN = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z))"
    rf"|(?P<text>{_QUOTED})"
    rf"|(?P<name>@?(?:[-\w\u0080-\U0010ffff]|{_ESCAPE})++)(?P<call>\()?",
    re.DOTALL,
)
# An address in quotes is a text that ends; without quotes it goes to the next parenthesis, whatever is in it.
_ADDRESS = re.compile(
    r"""[ \t\n]*+(?:(?P<quoted>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')[ \t\n]*+\)"""
    r"""|(?!["'])(?P<bare>(?:[^)\\]|\\.)*+)\)?)""",
    re.DOTALL,
)
_NEWLINE = re.compile(r"\r\n|[\r\f]")
_ESCAPED = re.compile(_ESCAPE)
_EMBEDDED = re.compile(r"""["']?\s*data:(?:image|font|application/(?:x-)?font)[\w/+.-]*[;,]""", re.IGNORECASE)
_MEDIA = re.compile(r"[\w\s():,.<>=/-]*")
# Rules that load nothing by themselves. A browser passes over one that it does not know, with all that is in it.
_HARMLESS = (
    "@media @supports @font-face @keyframes @-webkit-keyframes @-moz-keyframes @layer @container @property "
    "@counter-style @scope @starting-style"
)
_RULES = frozenset(_HARMLESS.split())
# Functions that load, or once ran something. A browser passes over a declaration with a function that it does not know.
_LOADING = re.compile(r"(?:-\w+-)?(?:image-set|image|cross-fade|src|element|paint|expression|url-prefix|domain|url)")
_OFF = "-off-"


def tame(css: str) -> str:
    """The style sheet without what it would load: imports, addresses other than `data:`, and all that is like them.

    Selectors of links are made to find them by the attribute that they have in a sealed page.
    """
    return "".join(_tamed(_NEWLINE.sub("\n", css))).replace("</", r"<\/")


def media(value: str) -> str:
    """The media that a style sheet is for, as far as it is plain; else all."""
    return value if _MEDIA.fullmatch(value) else "all"


def _tamed(css: str) -> Iterator[str]:
    end = 0
    while found := _TOKEN.search(css, end):
        before = css[end : found.start()]
        end = found.end()
        name = _decoded(found["name"]) if found["name"] else ""
        if name == "url" and found["call"]:
            address = _ADDRESS.match(css, end)
            end = address.end() if address else end
            inside = (address["quoted"] or address["bare"]) if address else ""
            yield before + (f"url({inside})" if _EMBEDDED.match(inside) else "none" if address else f"{_OFF}(")
        elif name in ("link", "any-link") and before.endswith(":"):
            yield f"{before[:-1]}[{LINK_ATTRIBUTE}]{found['call'] or ''}"
        elif name == "href" and before.rstrip().endswith("["):
            yield before + LINK_ATTRIBUTE
        elif (name[:1] == "@" and name not in _RULES) or (found["call"] and _LOADING.fullmatch(name)):
            yield f"{before}{'@' * (name[:1] == '@')}{_OFF}{found['call'] or ''}"
        else:
            yield before + ("/**/" if found["comment"] else found[0])
    yield css[end:]


def _decoded(name: str) -> str:
    """A name as a browser compares it: without escapes, in small letters."""
    return (_ESCAPED.sub(_character, name) if "\\" in name else name).lower()


def _character(escape: re.Match[str]) -> str:
    digits = escape[0][1:].strip()
    try:
        return chr(int(digits, 16))
    except ValueError:  # no number, or one beyond all characters
        return digits if len(digits) == 1 else "\ufffd"
