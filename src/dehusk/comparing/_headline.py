"""What changed, as a sentence: "Two paragraphs of the content changed; the menu did too"."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from dehusk.base.tags import CELLS, HEADINGS, LISTS, PREFORMATTED
from dehusk.comparing._changes import IN_TEMPLATE, QUERY, ChangeKind, Delta
from dehusk.comparing._outline import LINE, Outline
from dehusk.roles import Role

NAMED = 3
"""At most this many different parts are named in one clause. More are counted together."""

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NOUNS = {
    **dict.fromkeys(CELLS, "table cell"),
    **dict.fromkeys(HEADINGS, "heading"),
    **dict.fromkeys(LISTS | {"dl"}, "list"),
    **dict.fromkeys(PREFORMATTED, "piece of code"),
    **dict.fromkeys(("li", "dt", "dd"), "list item"),
    "blockquote": "quotation",
    "figcaption": "caption",
    "figure": "picture",
    "p": "paragraph",
    "table": "table",
    "tr": "table row",
}
_HAPPENED = {
    ChangeKind.CHANGED: ("changed", "changed"),
    ChangeKind.ADDED: ("is new", "are new"),
    ChangeKind.REMOVED: ("is gone", "are gone"),
    ChangeKind.MOVED: ("moved", "moved"),
    ChangeKind.LINK: ("leads elsewhere", "lead elsewhere"),
}
_STAMPS = {"date": "date", "time": "time", "counter": "counter", QUERY: "query of a link"}
_PLACES = {
    Role.NAVIGATION: "the menu",
    Role.BREADCRUMBS: "the breadcrumbs",
    Role.CONTENTS: "the table of contents",
    Role.RELATED: "the links to other pages",
    Role.PROMOTION: "the promotion",
    Role.ADVERTISEMENT: "the advertising",
    Role.LEGAL: "the legal notes",
    Role.MASTHEAD: "the masthead",
    Role.COMMENT: "the comments",
    Role.FORM: "the forms",
    Role.TAGS: "the tags",
    Role.TOOLS: "the buttons",
}
_ELSEWHERE = "other parts of the husk"

RoleOf = Callable[[Delta], Role | None]
"""A function that returns the role of a change in the husk."""


def content_clauses(deltas: Iterable[Delta], sides: tuple[Outline, Outline]) -> list[str]:
    """A clause for each kind of change of content, such as "two paragraphs changed"."""
    counted: dict[ChangeKind, Counter[str]] = {kind: Counter() for kind in _HAPPENED}
    for delta in deltas:
        if not delta.husk:
            counted[delta.change][_noun(delta, sides)] += 1
    return [_clause(nouns, _HAPPENED[kind]) for kind, nouns in counted.items() if nouns]


def husk_parts(deltas: Iterable[Delta], role: RoleOf) -> list[str]:
    """The parts of the husk that changed, such as "the menu" and "two dates"."""
    stamps: Counter[str] = Counter()
    places: dict[str, None] = {}
    for delta in deltas:
        if delta.husk == IN_TEMPLATE:
            places[_PLACES.get(role(delta) or Role.BODY, _ELSEWHERE)] = None
        elif delta.husk:
            stamps[_STAMPS[delta.husk]] += 1
    last = [_ELSEWHERE] if places.pop(_ELSEWHERE, True) is None else []
    alone = [] if places or stamps else ["the husk"]
    return [*places, *(_counted(count, noun) for noun, count in stamps.items()), *(last and (alone or last))]


def sentence(clauses: Sequence[str], husk: Sequence[str]) -> str:
    """The clauses and the parts of the husk as one sentence, without a full stop. One of them must have something."""
    if not clauses:
        return f"Only the husk changed: {_joined(husk)}" if list(husk) != ["the husk"] else "Only the husk changed"
    if not husk:
        return _capital(_joined(clauses, ", and "))
    subject, happened = _split(clauses[0])
    first = f"{subject} of the content {happened}"
    too = "did too" if len(clauses) == 1 and happened == "changed" else "changed, too"
    return f"{_capital(_joined([first, *clauses[1:]], ', and '))}; {_joined(husk)} {too}"


def _noun(delta: Delta, sides: tuple[Outline, Outline]) -> str:
    """What a changed part is: a paragraph, a list item, a section."""
    if delta.change is ChangeKind.LINK:
        return "link"
    side, node = (sides[1], delta.new) if delta.new >= 0 else (sides[0], delta.old)
    if side.tag[node] == LINE and all(word.startswith("[") and word.endswith("]") for word in side.words[node]):
        return "picture"
    tag = side.tag[side.parent[node]] if side.tag[node] == LINE else side.tag[node]
    return _NOUNS.get(tag) or ("section" if len(side.lines(node)) > 1 else "text")


def _clause(nouns: Counter[str], happened: tuple[str, str]) -> str:
    total = nouns.total()
    if len(nouns) > NAMED:
        return f"{_counted(total, 'part')} {happened[1]}"
    return f"{_joined([_counted(count, noun) for noun, count in nouns.most_common()])} {happened[total > 1]}"


def _split(clause: str) -> tuple[str, str]:
    """The subject and the verb of a clause."""
    happened = next(verb for verbs in _HAPPENED.values() for verb in verbs if clause.endswith(f" {verb}"))
    return clause.removesuffix(f" {happened}"), happened


def _counted(count: int, noun: str) -> str:
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
    if count == 1:
        return f"{number} {noun}"
    many = {"piece of code": "pieces of code", "query of a link": "queries of links"}.get(noun, f"{noun}s")
    return f"{number} {many}"


def _joined(parts: Sequence[str], last: str = " and ") -> str:
    return last.join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
