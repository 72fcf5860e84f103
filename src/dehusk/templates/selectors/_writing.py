"""Writes selectors as files for other programs."""

from collections.abc import Mapping, Sequence

from dehusk.page.places import Place, Step, written

_IMPLIED = "tbody"
"""Some parsers add it to every table, others do not."""

_UNSURE = frozenset({"center", "font", "form", "p", "table"})
"""Elements that old parsers place differently if the HTML is invalid."""

_WHOLE = "body: //body"
"""Fallback for unseen kinds of pages, and for parsers that build another tree from invalid HTML."""


def css(site: str, pages: int, goes: Sequence[Place], stays: Sequence[Sequence[Place]]) -> str:
    """Returns a style sheet that hides removed parts."""
    kept = [place for places in stays for place in places]
    rules = [
        f"/* {comment} */\n" + ",\n".join(map(written, places)) + f" {{ {declaration}; }}"
        for comment, places, declaration in (
            ("What goes", goes, "display: none !important"),
            ("What stays, but for what goes", kept, "--dehusk: content"),
        )
        if places
    ]
    return "\n\n".join([f"/* {_made(site, pages)} */", *rules]) + "\n"


def ftr(
    site: str,
    pages: int,
    fields: Mapping[str, Sequence[str]],
    goes: Sequence[Place],
    stays: Sequence[Sequence[Place]],
    example: str | None,
) -> str:
    """Returns a site config: a name and an XPath in each line. The first `body` that matches is used.

    Lines with nonprintable characters are left out: XPath has no escapes, and a name with a line break would add lines.
    """
    lines = [f"# {_made(site, pages)}"]
    lines += [f"{name}: {path}" for name, paths in fields.items() for path in paths]
    lines += ["body: " + " | ".join(map(xpath, places)) for places in stays if all(map(_is_sturdy, places))]
    lines += [] if lines[-1] == _WHOLE else [_WHOLE]
    lines += [f"strip: {xpath(place)}" for place in goes if _is_sturdy(place)]
    lines += ["prune: no", "tidy: no", *([f"test_url: {example}"] if example else [])]
    return "\n".join(filter(str.isprintable, lines)) + "\n"


def _is_sturdy(place: Place) -> bool:
    """Returns whether a place has an id or class, or all parsers agree on it."""
    return any(step.id or step.classes for step in place) or _UNSURE.isdisjoint(step.tag for step in place)


def _made(site: str, pages: int) -> str:
    of = f" of {site.replace('*/', '')}" if site else ""  # it is written in a comment
    return f"Made by dehusk from {pages} page{'s' * (pages != 1)}{of}"


def xpath(place: Place) -> str:
    """Returns the steps as an XPath that begins anywhere."""
    path, link = "", "//"
    for step in place:
        if step.tag == _IMPLIED and step is not place[-1]:
            link = "//"
            continue
        path += link + _step(step)
        link = "/"
    return path


def _step(step: Step) -> str:
    tests = [f"@id={quoted(step.id)}"] if step.id else []
    tests += [f"contains(concat(' ',normalize-space(@class),' '),{quoted(f' {name} ')})" for name in step.classes]
    tag = step.tag if step.tag.replace("-", "").isalnum() else f"*[name()={quoted(step.tag)}]"
    return tag + (f"[{' and '.join(tests)}]" if tests else "")


def quoted(text: str) -> str:
    """Returns a text as an XPath string. XPath has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ',"\'",'.join(f"'{part}'" for part in text.split("'")) + ")"
