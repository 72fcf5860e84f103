"""What stands around a page with its changes marked: headline, versions, switches, list, steps, and side by side.

All of it works without scripts: switches are check boxes that the style sheet looks at, and the bar with the next and
the previous change is shown for the change that the address leads to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import NamedTuple

STEPS = 300
"""Maximum number of changes that are listed, compared side by side, and stepped through."""

_SNIPPET = 120
_RUNS = 12
_WORDS_AROUND = 12
_LONGEST_SIDE = 1_500
_TAGS = {"added": "ins", "removed": "del"}
CHANGE_MARK = "data-dehusk"
STEP_MARK = "data-dehusk-step"
HUSK_MARK = "data-dehusk-husk"

OVERVIEW_STYLE = (
    "body>header:first-child,body>main>section,body>nav{font:.85em/1.5 system-ui,sans-serif;overflow-wrap:anywhere}"
    "body>header:first-child{background:var(--head);padding:.8em 1.4em;margin-bottom:2em;border-radius:.7em}"
    "body>header:first-child h1{font-size:1.3em;margin:0}body>header:first-child p{margin:.4em 0}"
    "body>header:first-child fieldset{display:inline;border:0;margin:0 1em 0 0;padding:0}"
    "body>header:first-child legend{float:left;margin-right:.5em}"
    "body>header:first-child label{margin-right:.8em;white-space:nowrap}"
    "body>header:first-child ol{margin:.5em 0;padding-left:2.5em;max-height:40vh;overflow:auto}"
    "summary{cursor:pointer}.under{color:var(--dim)}"
    "body>nav{display:none;position:fixed;bottom:1em;left:50%;transform:translateX(-50%);gap:1.2em;padding:.6em 1.2em;"
    "background:var(--head);border:1px solid var(--line);border-radius:2em;white-space:nowrap;z-index:9}"
    "body>main>section{display:none}body:has(>header input[value=sides]:checked){max-width:75em}"
    "body:has(>header input[value=sides]:checked) :is(body>main>div,body>nav){display:none!important}"
    "body:has(>header input[value=sides]:checked)>main>section{display:block}"
    "body:not(:has(>header input[name=husk]:checked)) :is([data-dehusk-husk],del[data-dehusk~=husk],tr.husk)"
    "{display:none}"
    "body:not(:has(>header input[name=husk]:checked)) [data-dehusk~=husk]{color:inherit;background:none}"
    ".sides{width:100%;table-layout:fixed}.sides th[colspan]{background:var(--head);font-weight:normal}"
    ".sides td{width:50%;overflow-wrap:anywhere}"
    "@media print{body>nav{display:none!important}}"
)


class Word(NamedTuple):
    """A word of a rewritten line: "same", "added" or "removed"."""

    kind: str
    text: str


class ShownChange(NamedTuple):
    """A change to show: "added", "moved", "changed", "link" or "removed"; why it is husk; and its text.

    `nodes` are the changed nodes of the new page's tree. `words` are the words of a rewritten line. Removed text is
    inserted in the element `within`: after its child that contains the first of the nodes, else at the start. `under`
    is the heading above the change.
    """

    kind: str
    husk: str
    text: str
    nodes: Sequence[int]
    within: int = 0
    words: Sequence[Word] = ()
    under: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a page: its name, and when it was made or seen, if known."""

    name: str
    date: str = ""

    @property
    def html(self) -> str:
        """The name and the date."""
        return ", ".join(filter(None, [f"<b>{escape(self.name or 'without a name')}</b>", self.time]))

    @property
    def time(self) -> str:
        """The date as HTML."""
        return f'<time datetime="{escape(self.date)}">{escape(_readable(self.date))}</time>' if self.date else ""


@dataclass(frozen=True, slots=True)
class Overview:
    """What is said about two versions of a page: a headline, its title, and which versions they are."""

    headline: str
    title: str = ""
    old: Version = Version("")
    new: Version = Version("")

    @property
    def versions(self) -> str:
        """The names and dates of both versions as HTML. If both have one name, it stands there once."""
        if self.old.name == self.new.name and self.old.date and self.new.date:
            return f"{self.old.html} to {self.new.time}"
        return f"{self.old.html} to {self.new.html}"


class Listed(NamedTuple):
    """A change with the id of its first element."""

    edit: ShownChange
    anchor: str


def header(overview: Overview, changes: Sequence[Listed], husk: int) -> str:
    """Returns the headline, the versions, the switches, and a closed list of the changes with links to them."""
    title = f'<p class="title">{escape(overview.title)}</p>\n' if overview.title else ""
    versions = ""
    if overview.old.name or overview.new.name or overview.old.date:
        versions = f"<p>From {overview.versions}</p>\n"
    parts = [_first(changes), _switches(husk) if changes or husk else "", _LEGEND_WITH_HUSK, _listing(changes)]
    return f"<header>\n<h1>{escape(overview.headline)}</h1>\n{title}{versions}{''.join(parts)}</header>"


LEGEND = (
    f'<ins {CHANGE_MARK}="added">added</ins> <del {CHANGE_MARK}="removed">removed</del> '
    f'<span {CHANGE_MARK}="moved">moved</span> <u {CHANGE_MARK}="link">link that leads elsewhere</u>'
)
_LEGEND_WITH_HUSK = f'<p>{LEGEND} <ins {CHANGE_MARK}="added husk">husk, dimmed</ins></p>\n'


def _first(changes: Sequence[Listed]) -> str:
    if not changes:
        return ""
    return f'<p><a href="#{escape(changes[0].anchor)}">Go to the first change</a></p>\n'


def _switches(husk: int) -> str:
    """Returns the switches. They need no script and no form."""
    views = {"page": "the page", "sides": "side by side"}
    radios = "".join(
        f'<label><input type="radio" name="view" value="{value}"{" checked" * (value == "page")}> {words}</label>'
        for value, words in views.items()
    )
    count = f" ({husk:,} changed)" if husk else ""
    return (
        f"<div><fieldset><legend>View:</legend>{radios}</fieldset>\n"
        f'<label><input type="checkbox" name="husk" checked> show the husk{count}</label></div>\n'
    )


def _listing(changes: Sequence[Listed]) -> str:
    if not changes:
        return ""
    items = "\n".join(f"<li>{_item(*change)}</li>" for change in changes[:STEPS])
    more = f"<p>and {len(changes) - STEPS:,} more</p>" if len(changes) > STEPS else ""
    one = "The change" if len(changes) == 1 else f"All {len(changes):,} changes"
    return f"<details>\n<summary>{one}</summary>\n<ol>\n{items}\n</ol>{more}\n</details>\n"


def _item(edit: ShownChange, anchor: str) -> str:
    return f'<a href="#{escape(anchor)}">{edit.kind}</a>: {said(edit)}{_under(edit)}'


def _under(edit: ShownChange) -> str:
    return f' <span class="under">under “{escape(_snippet(edit.under))}”</span>' if edit.under else ""


def steps(changes: Sequence[Listed]) -> tuple[str, str]:
    """Returns bars with links to the next and the previous change, and the style that shows the one that is needed."""
    listed = changes[:STEPS]
    if not listed:
        return "", ""
    bars, rules = [], []
    for number, (before, after) in enumerate(zip([None, *listed[:-1]], [*listed[1:], None], strict=True), 1):
        links = [_step(before, "‹ Previous"), f"<span>{number:,} of {len(changes):,}</span>", _step(after, "Next ›")]
        bars.append(f'<nav {STEP_MARK}="{number}" aria-label="Change {number}">{" ".join(links)}</nav>\n')
        rules.append(f'body:has([{STEP_MARK}="{number}"]:target)>nav[{STEP_MARK}="{number}"]')
    return "".join(bars), f"{','.join(rules)}{{display:flex}}"


def _step(change: Listed | None, words: str) -> str:
    return f"<span>{words}</span>" if change is None else f'<a href="#{escape(change.anchor)}">{words}</a>'


def side_by_side(edits: Sequence[ShownChange], old: str = "Before", new: str = "After") -> str:
    """Returns a table with both versions of each change."""
    rows = [row for edit in edits[:STEPS] for row in _rows(edit)]
    more = f"<p>and {len(edits) - STEPS:,} more</p>" if len(edits) > STEPS else ""
    head = f'<thead><tr><th scope="col">{escape(old)}</th><th scope="col">{escape(new)}</th></tr></thead>'
    return (
        f'<table class="sides">{head}<tbody>\n{"".join(rows)}</tbody></table>{more}' if rows else "<p>No changes.</p>"
    )


def _rows(edit: ShownChange) -> Iterator[str]:
    husk = ' class="husk"' if edit.husk else ""
    kind = f"{edit.kind} (husk)" if edit.husk else edit.kind
    yield f'<tr{husk}><th colspan="2" scope="rowgroup">{kind}{_under(edit)}</th></tr>\n'
    yield f"<tr{husk}><td>{_side(edit, 'removed')}</td><td>{_side(edit, 'added')}</td></tr>\n"


def _side(edit: ShownChange, kind: str) -> str:
    """Returns one version of a change: the old one has the removed words, the new one the added ones."""
    if edit.words:
        return " ".join(_run(edit, run_kind, [word.text for word in run], kind) for run_kind, run in _runs(edit))
    text = "<br>".join(escape(line) for line in _short(edit.text).split("\n"))
    if edit.kind == "moved":
        return f'<span {CHANGE_MARK}="moved">{text}</span>' if kind == "added" else text
    return _marked(kind, text) if edit.kind == kind else ""


def _runs(edit: ShownChange) -> Iterator[tuple[str, Iterator[Word]]]:
    return groupby(edit.words, key=lambda word: word.kind)


def _run(edit: ShownChange, run_kind: str, words: list[str], kind: str) -> str:
    if run_kind == "same":
        if len(words) > 2 * _WORDS_AROUND and edit.kind != "link":
            words = [*words[:_WORDS_AROUND], "…", *words[-_WORDS_AROUND:]]
        return escape(" ".join(words))
    return _marked(kind, escape(_short(" ".join(words)))) if run_kind == kind else ""


def _marked(kind: str, html: str) -> str:
    return f'<{_TAGS[kind]} {CHANGE_MARK}="{kind}">{html}</{_TAGS[kind]}>'


def said(edit: ShownChange) -> str:
    """Returns a snippet of a change.

    A rewritten line shows only its added and removed words; a link shows its text, old target and new target.
    """
    if not edit.words:
        return escape(_snippet(edit.text))
    runs = [(kind, " ".join(word.text for word in run)) for kind, run in _runs(edit)]
    return " ".join(
        _marked(kind, escape(_snippet(text)))
        if kind in _TAGS
        else escape(_snippet(text) if edit.kind == "link" else _around(text))
        for kind, text in runs[:_RUNS]
    )


_NEAR = 40


def _around(text: str) -> str:
    """The start and the end of unchanged words."""
    return text if len(text) <= 2 * _NEAR else f"{text[:_NEAR].rpartition(' ')[0]} … {text[-_NEAR:].partition(' ')[2]}"


def _snippet(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SNIPPET else line[: _SNIPPET - 1] + "…"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SIDE else text[: _LONGEST_SIDE - 1] + "…"


def _readable(date: str) -> str:
    """A time such as 2025-05-03T10:20:30Z as 2025-05-03 10:20 UTC."""
    return date[:16].replace("T", " ") + " UTC" * date.endswith("Z")
