"""Powers, indexes and formulas as plain text: 10⁻³, H₂O, V_max, 2^(n/2), x = (a + b)/c."""

import re
from typing import Any

LONGEST = 20
"""Longer raised or lowered text is small print."""

DEEPEST = 40
"""Maximum nesting of a formula. Deeper ones are read as any other text."""

TEX = ("application/x-tex", "text/x-tex", "application/x-latex", "latex", "tex")
"""Encodings of an annotation that has the formula in TeX."""

_UP = str.maketrans("0123456789+-−=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ")
_DOWN = str.maketrans("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_RAISED_DIGITS = tuple("⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGNS = "+-−="
_ORDINALS = "aeoªº"  # 1a, 2e, No
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_APART = re.compile(r"[^\W\d_]{2}\s++[^\W\d_]")
_ONE_THING = re.compile(r"[\w.,–′']+")  # needs no brackets
_APART = re.compile(r"[\s/+−-]")  # of several things
_PRICE = re.compile(r"[$€£]\s?[\d.,]{1,9}$")
_CENTS = re.compile(r"\d\d")
_NUMBERED = re.compile(r"\(\d+\)")  # the label of a footnote
_WRAPPED = re.compile(r"\{\\(?:display|text)style\s?(.*)\}", re.DOTALL)
_UNSEEN = str.maketrans("", "", "\u2061\u2062\u2063\u2064\u200b")  # such as invisible times

_TOKENS = frozenset({"mi", "mn", "mo", "ms", "mtext"})
_ROWS = frozenset({"math", "mrow", "mstyle", "mpadded", "menclose", "merror", "maction", "semantics", "mtd"})
_PAIRS = {"msup": "^", "msub": "_", "munder": "_", "mover": "^", "mfrac": "/", "mroot": "√"}
_THREES = frozenset({"msubsup", "munderover"})
_OTHERS = frozenset({"msqrt", "mtable", "mtr", "mlabeledtr", "mfenced", "mspace", "mphantom", "none", "mprescripts"})
_NOTES = frozenset({"annotation", "annotation-xml"})
_SILENT = {"annotation": "", "annotation-xml": "", "mphantom": "", "mspace": " "}
_KNOWN = _TOKENS | _ROWS | _PAIRS.keys() | _THREES | _OTHERS | _NOTES
_SPACED = frozenset("=<>≤≥≠≈≡∼≃≅∝→⇒↔⇔←↦∈∉⊂⊆⊃⊇±∓∧∨∪∩+−-")  # operators with spaces around them, as on the page
_ACCENTS = frozenset("^ˆ~˜¯‾_→⃗˙¨`´ˇ˘°⏞⏟⎴⎵")


def scripted(text: str, before: str, *, raised: bool) -> str:
    """Returns raised or lowered text as it is written after `before`; "" if it is written like other text.

    Characters that Unicode has are used where there is one for each. A word is easier to find after a sign: V_max.
    Labels of footnotes, ordinals (1st) and signs (®) are written like other text, raised cents after a point.
    """
    bare = "".join(text.split())
    last = before[max(0, len(before) - 1) :]
    if not bare or len(bare) > LONGEST or not last or last.isspace() or _is_plain(text.strip(), bare, last, raised):
        return ""
    if last in "/⁄" and not raised and before[max(0, len(before) - 2) : len(before) - 1] not in _RAISED_DIGITS:
        return ""  # half of a fraction whose other half is written like other text
    if raised and _CENTS.fullmatch(bare) and _PRICE.search(before):
        return f".{bare}"
    table = _UP if raised else _DOWN
    if _WORD.search(bare) is None and all(ord(char) in table for char in bare):
        return bare.translate(table)
    return ("^" if raised else "_") + bracketed(" ".join(text.split()))


def _is_plain(text: str, bare: str, last: str, raised: bool) -> bool:
    """Returns whether text says the same if it is neither raised nor lowered."""
    if not any(char.isalnum() for char in bare):
        return any(char not in _SIGNS for char in bare)  # ions have signs, names have others
    if _WORDS_APART.search(text):
        return True
    if not raised:
        return False
    if bare[0] in "[.," or _NUMBERED.fullmatch(bare) or (len(bare) > 1 and bare.isalpha()):
        return True
    return bare.lower() in _ORDINALS and (last.isdigit() or last in "nN")


def bracketed(text: str) -> str:
    """Returns a part of a formula in brackets if it is more than one thing."""
    whole = _ONE_THING.fullmatch(text) is not None or (text[:1] == "(" and text.find(")") == len(text) - 1)
    return text if whole else f"({text})"


def tex_of(formula: Any) -> str:
    """Returns the TeX of a math element, from its annotation; "" if it has none."""
    for note in formula.select("annotation"):
        if (note.attr("encoding") or "").strip().lower() in TEX:
            tex: str = " ".join(note.text.split())
            wrapped = _WRAPPED.fullmatch(tex)
            return wrapped[1].strip() if wrapped is not None else tex
    return ""


def linear(formula: Any) -> str | None:
    """Returns a math element as text on one line. None if it has other elements or text than MathML allows."""
    text = _part(formula, 0)
    return " ".join(text.split()) if text is not None else None


def _part(element: Any, depth: int) -> str | None:
    """Returns a part of a formula; None if it is nested too deep, or has what MathML does not allow."""
    tag: str = element.tag
    if depth > DEEPEST or tag not in _KNOWN:
        return None
    if tag in _TOKENS:
        said: str = element.text.translate(_UNSEEN).strip()
        return f" {said} " if tag == "mo" and said in _SPACED else said
    if tag in _SILENT:
        return _SILENT[tag]
    parts: list[str] = []
    inside = [child for child in element if getattr(child, "tag", None) is not None]
    if sum(_letters(child) for child in inside) < _letters(element):
        return None  # text outside of tokens
    for child in inside:
        part = _part(child, depth + 1)
        if part is None:
            return None
        if child.tag not in _NOTES:
            parts.append(part)
    return _joined(tag, parts)


def _letters(element: Any) -> int:
    return len("".join(element.text.split()))


def _joined(tag: str, parts: list[str]) -> str:
    """Returns the parts of a formula as its element arranges them."""
    if tag in _PAIRS and len(parts) == 2:
        return _pair(_PAIRS[tag], parts[0].strip(), parts[1].strip(), over=tag in ("mover", "munder"))
    if tag in _THREES and len(parts) == 3:
        return _pair("^", _pair("_", parts[0].strip(), parts[1].strip()), parts[2].strip())
    if tag == "msqrt":
        return f"√{bracketed(_row(parts))}"
    if tag == "mtable":
        return "; ".join(parts)
    if tag in ("mtr", "mlabeledtr"):
        return ", ".join(part.strip() for part in parts)
    return f"({', '.join(parts)})" if tag == "mfenced" else _row(parts)


def _row(parts: list[str]) -> str:
    """Returns the parts of a row, without spaces around a sign that begins it."""
    row = "".join(parts).strip()
    return row.replace(" ", "", 1) if row[:2] in ("− ", "- ", "+ ", "± ") else row


def _pair(sign: str, first: str, second: str, *, over: bool = False) -> str:
    if sign == "/":
        return f"{bracketed(first)}/{bracketed(second)}"
    if sign == "√":
        return f"√[{second}]{bracketed(first)}"
    if not second or (over and second in _ACCENTS):
        return first + second
    base = bracketed(first) if _APART.search(first) else first
    return base + (scripted(second, base, raised=sign == "^") or f"{sign}{bracketed(second)}")
