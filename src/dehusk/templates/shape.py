"""The shape of a cleaned page: each field once, with its type and its meaning.

JSON Lines, Parquet, Spark, the service, the viewer and the documentation take their fields from here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from dehusk.base.errors import UsageError, did_you_mean
from dehusk.metadata import Metadata
from dehusk.templates.parts import Part

if TYPE_CHECKING:
    from dehusk.templates.cleaned import Cleaned


@dataclass(frozen=True, slots=True)
class CleanedField:
    """A field of a cleaned page: its name, its type in Python, what it means, and its value of a page."""

    name: str
    type: Any
    meaning: str
    value: "Callable[[Cleaned], Any]"
    on_demand: bool = False
    """Whether only those have it who ask for it: it takes time, or is long."""


CONTENT = ("text", "markdown", "html")
"""The content of a page in each format, on demand."""

MEASURES = ("fit", "length")
"""How a page compares with what was learned, on demand."""

BRIEF = ("title", "authors", "date")
"""What is told above the content where that has to be short."""


def _stated() -> Iterator[CleanedField]:
    """What a page says about itself, and all authors in one text. Its kind stands before, with how sure that is."""
    for name, hint in get_type_hints(Metadata, include_extras=True).items():
        stored, meaning = get_args(hint)
        if name == "authors":
            yield CleanedField("author", str | None, "all authors in one text", attrgetter("metadata.author"))
        if name != "kind":
            yield CleanedField(name, stored, meaning, partial(_said, name))


def _said(name: str, cleaned: "Cleaned") -> object:
    """A field of the metadata, as JSON has it."""
    value = getattr(cleaned.metadata, name)
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


def _rounded(name: str, cleaned: "Cleaned") -> float:
    value: float = getattr(cleaned, name)
    return round(value, 4)


FIELDS = (
    CleanedField("name", str, "its path in the source, or its address", attrgetter("page.name")),
    CleanedField("url", str | None, "its address, else the one that it says is its own", attrgetter("url")),
    CleanedField("site", str, "what its site is called; empty where pages have no address", lambda _: ""),
    CleanedField("family", str | None, "which of the site's templates it uses; null: none", attrgetter("family")),
    CleanedField(
        "kind", str | None, "the kind of page: article, forum, product ...", lambda one: one.kind and one.kind[0]
    ),
    CleanedField(
        "kind_confidence", float | None, "how sure that is, 0 to 1", lambda one: one.kind and round(one.kind[1], 4)
    ),
    *_stated(),
    CleanedField("text", str, "the content as plain text", attrgetter("text"), on_demand=True),
    CleanedField("markdown", str, "the content as Markdown", attrgetter("markdown"), on_demand=True),
    CleanedField("html", str, "the content as HTML", attrgetter("html"), on_demand=True),
    CleanedField(
        "parts", list[Part], "all that it says, by roles", lambda one: list(map(asdict, one.parts)), on_demand=True
    ),
    CleanedField(
        "fit", float, "how well it matches what was learned, 0 to 1", partial(_rounded, "fit"), on_demand=True
    ),
    CleanedField("length", int, "how long its text was, in letters", attrgetter("length"), on_demand=True),
    CleanedField("share_removed", float, "how much of its text went, 0 to 1", partial(_rounded, "share_removed")),
    CleanedField("warnings", list[str], "what a person should know about it", attrgetter("warnings")),
)


def fields_with(asked: Collection[str]) -> list[CleanedField]:
    """The fields of a page, with those on demand that are asked for. Raises UsageError for one that is unknown."""
    on_demand = [field.name for field in FIELDS if field.on_demand]
    for name in asked:
        if name not in on_demand:
            raise UsageError(
                f"no field {name!r} to ask for; there are {', '.join(on_demand)}{did_you_mean(name, on_demand)}"
            )
    return [field for field in FIELDS if not field.on_demand or field.name in asked]
