"""The features of sites and regions, each declared once: its name, its meaning, and its function.

The model, the training and the documentation read these tables. A feature of the site is one number. A feature of a
region is read from a column, which has a number for each region: at the region itself, or at a region around it. A few
compiled loops compute the columns, so a feature is one line here.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum, isnan, log1p, nan, sqrt

from dehusk.kernels.columns import least_above, most_above, over, picked, rises, table
from dehusk.methods.evidence._hints import HINTS
from dehusk.methods.evidence._page_view import ELEMENTS, LEVELS, Column, Common, Share, View
from dehusk.methods.evidence.regions import HELD, Regions, Sums

RISING, FALLING = 1, -1
"""Constraints for training: a higher value must not make content less likely (RISING), or more likely (FALLING).

A hundred sites are too few to learn it otherwise. Hints are distances: far from a comment is better than near.
"""


@dataclass(frozen=True, slots=True)
class SiteFeature:
    """A number for the whole site."""

    name: str
    says: str
    of: Callable[["View"], float]
    compared: bool = False


@dataclass(frozen=True, slots=True)
class Feature:
    """A number for each region, read from a column.

    `at`, a name in `View.looks`, says at which region the column is read; `none` is the value if there is none.
    `way` is RISING, FALLING or 0. `compared` features need a second page: on a site of one page they are unknown, not
    zero.
    """

    name: str
    says: str
    of: Callable[["View"], "Column[float] | Share"]
    way: int = 0
    compared: bool = False
    at: str = "itself"
    none: float = nan


def _units_vary(view: View) -> "Column[float]":
    """Returns how much the number of a unit's places varies from page to page."""
    regions, column = view.regions, array("d", bytes(8 * len(view.parent)))
    for unit in set(view.units) - {-1}:
        mean = regions.places[unit] / regions.count
        column[unit] = sqrt(max(0.0, regions.squares[unit] / regions.count - mean * mean)) / mean
    return column


def _after_content(view: View) -> "Column[float]":
    middle = view.below.place[view.content] / (view.below.size[view.content] or 1)
    return array("d", [position - middle for position in over(view.direct.place, view.direct.size)])


def _common(feature: Common, sums: str, view: View) -> "Column[float] | Share":
    return feature.of(view, getattr(view, sums))


def _holding(name: str, view: View) -> "Column[float]":
    return view.holding[name]


def _in_all(name: str, view: View) -> Share:
    return (getattr(view.below, name), view.below.size)


def _is_one_of(tags: Sequence[str], view: View) -> "Column[float]":
    return array("d", [tag in tags for tag in view.tags])


def _steps_to(bits: str, bit: int, view: View) -> "Column[float]":
    return view.steps[bits][bit]


def _of_pages(name: str, view: View) -> Share:
    return (getattr(view.below, name), view.site_pages)


def _count(tags: Sequence[str], view: View) -> float:
    """Returns the number of elements on a page, as a mean of logarithms."""
    counts = [log1p(sum(map(counted.__getitem__, tags))) for counted in view.regions.tags]
    return fsum(counts) / len(counts)


def _total(name: str, view: View) -> float:
    """Returns the mean of a sum over the pages, as a logarithm."""
    return log1p(getattr(view.below, name)[0] / view.regions.count)


def _of_top(compute: Callable[[View, int], float], view: View) -> float:
    return compute(view, view.top) if view.top >= 0 else nan


def _heading(view: View) -> "Column[float]":
    levels = [_HEADINGS.get(tag, 0.0) for tag in view.tags]
    tags, around = view.tag_numbers, picked(view.tag_numbers, view.blocks)
    return array("d", [levels[tag] or levels[up] for tag, up in zip(tags, around, strict=True)])


def _per(name: str, total: str = "size") -> Callable[[View, Sums], Share]:
    """Returns a function for a sum as a share of another, by default of all letters."""
    return lambda _, sums: (getattr(sums, name), getattr(sums, total))


_HEADINGS = {f"h{level}": float(level) for level in range(1, 7)}

_COMMON = (
    Common("size", "letters on a page that has it", lambda v, s: (s.size, v.pages)),
    Common("text_size", "letters per text", _per("size", "texts")),
    Common("texts_a_page", "texts on a page that has it", lambda v, s: (s.texts, v.pages)),
    Common("link", "share of the text in links", _per("link")),
    Common("link_again", "share in links that other pages have too", _per("link_again"), FALLING, compared=True),
    Common("stops", "punctuation marks per letter", _per("stops")),
    Common("long", "share in texts of a line or more", _per("long")),
    Common("again", "share in texts that another page has too", _per("again"), FALLING, compared=True),
    Common("spread", "share of the other pages with the same text", _per("spread"), FALLING, compared=True),
    Common(
        "slot_spread",
        "share of the other pages with the same text in this region",
        _per("slot_spread"),
        FALLING,
        compared=True,
    ),
    Common("own", "share in texts of this page only, outside links", _per("own"), RISING),
    Common("share", "its share of a page's text", lambda v, s: (s.share, v.pages)),
    Common("own_share", "its share of a page's own text", lambda v, s: (s.own_share, v.pages), RISING),
    Common("place", "where on the page it is, from 0 to 1", _per("place")),
    Common("support", "share of the pages that have it", lambda v, _: (v.pages, v.site_pages), compared=True),
    Common("places_a_parent", "places per place of its parent", lambda v, _: v.under),
)
_OF_LEVELS = (
    *_COMMON,
    Common(
        "presentation",
        "how much the sequence of its children varies (presentation entropy)",
        lambda v, _: v.regions.presentation,
    ),
    Common("depth", "elements above it", lambda v, _: v.regions.depth),
)
_WRITTEN = (
    Common("ends", "share in texts that end like a sentence", _per("ends")),
    Common("sentences", "sentences per word", _per("sentences", "words")),
    Common("commas", "commas per word", _per("commas", "words")),
    Common("capitals", "share of the words that begin with a capital", _per("capitals", "words")),
    Common("upper", "share of the words in capitals", _per("upper", "words")),
    Common("digits", "digits per letter", _per("digits")),
    Common("dates", "dates per text", _per("dates", "texts")),
    Common("separators", "bars, bullets and arrows per word", _per("separators", "words")),
    Common("money", "amounts of money per text", _per("money", "texts")),
    Common("colons", "share of the texts that end with a colon", _per("colons", "texts")),
    Common("questions", "question marks per text", _per("questions", "texts")),
    Common("exclamations", "exclamation marks per text", _per("exclamations", "texts")),
    Common("word_size", "letters per word", _per("word_letters", "words")),
    Common("short", "share of the texts of three words or fewer", _per("short", "texts")),
    Common("quotes", "quotation marks per word", _per("quotes", "words")),
    Common("words", "words per text", _per("words", "texts")),
    Common("title", "share of the words that are in the page's titles", _per("title")),
)
"""How texts are written, and whether they agree with the titles of the page."""

WRITTEN_LEVELS = (0, 1, 3)

_HELD: Mapping[str, str] = {
    **{name: f"share of its places that hold {'an' if name == 'image' else 'a'} {name}" for name in HELD[:-4]},
    "date": "share of its places that hold a date",
    "long": "share of its places that hold a long text",
    "size": "letters in a place",
    "varies": "how much the letters vary from place to place",
}

_COUNTED: Mapping[str, tuple[str, ...]] = {
    "h1": ("h1",),
    "h2": ("h2",),
    "images": ("img",),
    "controls": ("input", "button"),
    "times": ("time",),
    "links": ("a",),
    "code": ("code",),
    "cells": ("td",),
    "items": ("li",),
    "articles": ("article",),
    "tables": ("table",),
    "pre": ("pre",),
}

_KINDS: Mapping[str, tuple[str, ...]] = {
    "is_link": ("a",),
    "is_paragraph": ("p",),
    "is_item": ("li", "dd"),
    "is_cell": ("td",),
    "is_name": ("b", "strong", "dt", "th", "label", "legend"),
    "is_code": ("pre", "code", "tt", "kbd", "samp"),
    "is_control": ("button", "form", "fieldset", "input"),
}
_ELEMENT_WAYS: Mapping[str, int] = {
    "nav": RISING,
    "aside": RISING,
    "footer": RISING,
    "main": FALLING,
    "article": FALLING,
}
_HINT_WAYS: Mapping[str, int] = {
    "navigation": RISING,
    "frame": RISING,
    "comments": RISING,
    "promotion": RISING,
    "content": FALLING,
}

SITE_FEATURES = (
    SiteFeature("site.pages", "pages", lambda v: v.regions.count),
    SiteFeature("site.page_size", "letters per page", lambda v: (v.below.size[0] or 1) / v.regions.count),
    SiteFeature(
        "site.own", "share of the text that only one page has", lambda v: v.below.own[0] / (v.below.size[0] or 1)
    ),
    SiteFeature(
        "site.own_long", "share of long texts in that text", lambda v: v.below.own_long[0] / (v.below.own[0] or 1)
    ),
    SiteFeature("site.link", "share of the text in links", lambda v: v.below.link[0] / (v.below.size[0] or 1)),
    SiteFeature(
        "site.again",
        "share of the text that recurs",
        lambda v: v.below.again[0] / (v.below.size[0] or 1),
        compared=True,
    ),
    SiteFeature(
        "site.content_share",
        "share of a page's text in the content area",
        lambda v: v.below.share[v.content] / v.regions.count,
    ),
    SiteFeature(
        "site.content_long",
        "share of long texts in the content area",
        lambda v: v.below.long[v.content] / (v.below.size[v.content] or 1),
    ),
    SiteFeature(
        "site.content_again",
        "share of the content area's text that recurs",
        lambda v: v.below.again[v.content] / (v.below.size[v.content] or 1),
    ),
    SiteFeature(
        "site.prose",
        "share of the pages' own text that is long and in the content area",
        lambda v: v.below.own_long[v.content] / (v.below.own[0] or 1),
    ),
    SiteFeature(
        "site.title",
        "how well the best text matches the titles of the page",
        lambda v: v.regions.titles.get(v.title, 0.0) / v.regions.count,
    ),
    SiteFeature(
        "site.title_place",
        "where on the page that text is",
        lambda v: v.below.place[v.title] / (v.below.size[v.title] or 1) if v.title >= 0 else 1.0,
    ),
    SiteFeature(
        "site.title_link",
        "whether that text is in a link",
        lambda v: float(v.title >= 0 and v.direct.link[v.title] > 0),
    ),
    *(
        SiteFeature(f"site.{name}", f"{', '.join(tags)} elements on a page, as a logarithm", partial(_count, tags))
        for name, tags in _COUNTED.items()
    ),
    *(
        SiteFeature(f"site.{name}", f"{says} on a page, as a logarithm", partial(_total, name))
        for name, says in (
            ("texts", "texts"),
            ("sentences", "sentences"),
            ("dates", "dates"),
            ("money", "amounts of money"),
            ("questions", "question marks"),
            ("long", "letters in long texts"),
        )
    ),
    *(
        SiteFeature(f"top.{name}", says, partial(_of_top, compute))
        for name, says, compute in (
            (
                "share",
                "the repeated block with most text: its share of a page",
                lambda v, top: v.below.share[top] / v.regions.count,
            ),
            ("own_share", "its share of a page's own text", lambda v, top: v.below.own_share[top] / v.regions.count),
            ("size", "letters in each", lambda v, top: v.below.size[top] / v.regions.places[top]),
            ("places", "how often it is on a page", lambda v, top: v.regions.places[top] / v.regions.count),
            ("link", "share of its text in links", lambda v, top: v.below.link[top] / (v.below.size[top] or 1)),
            ("long", "share of its text in long texts", lambda v, top: v.below.long[top] / (v.below.size[top] or 1)),
            ("money", "amounts of money per text", lambda v, top: v.below.money[top] / (v.below.texts[top] or 1)),
            ("date", "share of them that hold a date", lambda v, top: v.holding["date"][top]),
            ("heading", "share of them that hold a heading", lambda v, top: v.holding["heading"][top]),
            ("image", "share of them that hold an image", lambda v, top: v.holding["image"][top]),
        )
    ),
)
"""The kind of site: articles have most of their own text in one place and in long texts, records do not."""


def _directly(features: Sequence[Common]) -> list[Feature]:
    """Returns features of the texts directly in a region."""
    return [
        Feature(
            f"direct.{common.name}",
            f"directly in it: {common.says}",
            partial(_common, common, "direct"),
            common.way,
            common.compared,
        )
        for common in features
    ]


def _above(levels: Sequence[int], features: Sequence[Common]) -> list[Feature]:
    """Returns features of all text in each level around a region."""
    return [
        Feature(
            f"up{level}.{common.name}",
            f"in the block {level} levels up: {common.says}",
            partial(_common, common, "below"),
            common.way,
            common.compared,
            f"up{level}",
        )
        for level in levels
        for common in features
    ]


FEATURES = (
    *_directly(_COMMON),
    Feature(
        "direct.same_page",
        "directly in it: share in links to a place on the same page",
        lambda v: (v.direct.same_page, v.direct.size),
    ),
    Feature("direct.places_a_page", "places on a page that has it", lambda v: (v.regions.places, v.pages)),
    Feature(
        "direct.distinct",
        "distinct texts per text directly in it",
        lambda v: (v.regions.distinct, v.direct.texts),
        RISING,
    ),
    Feature(
        "direct.entropy",
        "how much the texts directly in it vary (content entropy)",
        lambda v: v.regions.variety,
        RISING,
    ),
    *_above(LEVELS, _OF_LEVELS),
    Feature(
        "above.most_again",
        "the largest share of recurring text in a region around it",
        lambda v: most_above(over(*_in_all("again", v)), v.parent, 0.0),
        FALLING,
        compared=True,
    ),
    Feature(
        "above.most_link",
        "the largest share of link text in a region around it",
        lambda v: most_above(over(*_in_all("link", v)), v.parent, 0.0),
    ),
    Feature(
        "above.least_support",
        "the smallest share of the pages that have a region around it",
        lambda v: least_above(over(v.pages, v.site_pages), v.parent, 1.0),
        compared=True,
    ),
    Feature("above.in_content", "whether it is in the content area", lambda v: v.in_content, RISING),
    Feature("above.after_content", "how far after the middle of the content area it is", _after_content),
    Feature(
        "above.content_above",
        "elements above the content area",
        lambda v: array("d", [v.regions.depth[v.content]]) * len(v.parent),
    ),
    Feature("above.depth", "elements above it", lambda v: v.regions.depth),
    Feature(
        "unit.above",
        "steps up to the repeated block it is part of; -1 if there is none",
        lambda v: rises(v.regions.depth, v.units, -1.0),
    ),
    Feature(
        "unit.places_a_page",
        "places of that block on a page that has it",
        lambda v: (v.regions.places, v.pages),
        at="unit",
        none=1.0,
    ),
    Feature("unit.varies", "how much the number of places varies", _units_vary, at="unit"),
    Feature("unit.size", "letters in each place", lambda v: (v.below.size, v.regions.places), at="unit"),
    Feature("unit.texts", "texts in each place", lambda v: (v.below.texts, v.regions.places), at="unit"),
    *(
        Feature(f"unit.{name}", f"in all its places: {says}", partial(_in_all, name), at="unit")
        for name, says in (
            ("own", "share in texts of one page only, outside links"),
            ("link", "share of the text in links"),
            ("long", "share in texts of a line or more"),
        )
    ),
    *(
        Feature(f"unit.{name}", f"all its places: {says}", partial(_of_pages, name), at="unit")
        for name, says in (("share", "their share of a page's text"), ("own_share", "their share of a page's own text"))
    ),
    Feature("heading", "its level as a heading; 0 if it is not one", _heading),
    *(
        Feature(name, f"whether it is one of {', '.join(tags)}", partial(_is_one_of, tags), at="tag")
        for name, tags in _KINDS.items()
    ),
    *(
        Feature(f"in_{tag}", f"steps up to a {tag}", partial(_steps_to, "elements", bit), _ELEMENT_WAYS.get(tag, 0))
        for bit, tag in enumerate(ELEMENTS)
    ),
    *(
        Feature(
            f"hint_{hint}",
            f"steps up to an element whose name hints at {hint}",
            partial(_steps_to, "hints", bit),
            _HINT_WAYS.get(hint, 0),
        )
        for bit, hint in enumerate(HINTS)
    ),
    *_directly(_WRITTEN),
    *_above(WRITTEN_LEVELS, _WRITTEN),
    *(
        Feature(
            f"up{level}.holds_{name}",
            f"in the block {level} levels up: {says}",
            partial(_holding, name),
            at=f"up{level}",
        )
        for level in (0, 1, 2)
        for name, says in _HELD.items()
    ),
    *(
        Feature(f"{where}.holds_{name}", f"in the {says}: {held}", partial(_holding, name), at=where)
        for where, says in (("inner", "innermost repeated block"), ("unit", "outermost repeated block"))
        for name, held in _HELD.items()
    ),
    Feature(
        "inner.above",
        "steps up to the innermost repeated block; -1 if there is none",
        lambda v: rises(v.regions.depth, v.inner, -1.0),
    ),
    Feature(
        "inner.run",
        "how often that block is in each place of its parent",
        lambda v: v.under,
        at="inner",
        none=1.0,
    ),
    Feature("inner.share", "its share of a page's text", partial(_of_pages, "share"), at="inner"),
    Feature("inner.own_share", "its share of a page's own text", partial(_of_pages, "own_share"), at="inner"),
    Feature("inner.link", "share of its text in links", partial(_in_all, "link"), at="inner"),
    Feature("inner.place", "where on the page it is", partial(_in_all, "place"), at="inner"),
    Feature(
        "title.above",
        "steps up to the block that also holds the title",
        lambda v: rises(v.regions.depth, v.with_title, nan) if v.title >= 0 else v.unknown,
    ),
    Feature(
        "title.share",
        "share of a page's text in the block that also holds the title",
        partial(_of_pages, "share"),
        at="title",
    ),
    Feature(
        "title.after",
        "how far after the title it is, as a share of the page",
        lambda v: (v.direct.after_title, v.direct.size),
    ),
    Feature(
        "title.letters",
        "the letters since the title, as a logarithm",
        lambda v: (v.direct.letters_after, v.direct.size),
    ),
    Feature(
        "top.here",
        "whether it is in the repeated block with most text",
        lambda v: v.is_top,
        at="unit",
        none=0.0,
    ),
)

NAMES = (*(feature.name for feature in SITE_FEATURES), *(feature.name for feature in FEATURES))
"""The names of all features: those of the site first."""

_NONE = array("d", [feature.none for feature in FEATURES])
_COLUMN_OF = {feature.name: column for column, feature in enumerate(FEATURES)}


def _first_uses() -> list[int]:
    """Returns for each feature the first one with the same column: many are read at every level around a region."""
    first_uses: dict[object, int] = {}
    return [
        first_uses.setdefault((of.func, of.args) if isinstance(of := feature.of, partial) else of, column)
        for column, feature in enumerate(FEATURES)
    ]


_FIRST_USES = _first_uses()
_COLUMNS = [FEATURES[first] for first in sorted(set(_FIRST_USES))]
"""The features with a column of their own."""
_USED = [sorted(set(_FIRST_USES)).index(first) for first in _FIRST_USES]
"""For each feature, the number of its column among these."""
_LOOKS = [feature.at for feature in FEATURES]


@dataclass(frozen=True, slots=True)
class Figures:
    """The features of a site, and a row of features for each region that directly holds text."""

    site: "Column[float]"
    regions: "array[int]"
    rows: "Column[float]"

    def column(self, name: str) -> "Column[float]":
        """Returns a feature of all the regions."""
        return self.rows[_COLUMN_OF[name] :: len(FEATURES)]


def measured(regions: Regions) -> Figures:
    """Computes the features of the site and of each region that directly holds text."""
    if not regions.label:
        return Figures(array("d", [nan] * len(SITE_FEATURES)), array("i"), array("d"))
    view, alone = View(regions), regions.count == 1
    own = [view.unknown if alone and feature.compared else feature.of(view) for feature in _COLUMNS]
    columns = list(map(own.__getitem__, _USED))
    places = list(map(view.looks.__getitem__, _LOOKS))
    site = array("d", [nan if alone and feature.compared else feature.of(view) for feature in SITE_FEATURES])
    return Figures(site, view.with_text, table(columns, places, _NONE))


FIELD_PAGES, FIELD_PLACES, FIELD_SIZE = 0.8, 8.0, 60.0
FIELD_AGAIN, FIELD_ENTROPY, FIELD_SPREAD = 0.5, 0.4, 0.3
"""Bounds for a field: share of pages, places on a page, letters; share that recurs, entropy, spread of a value."""


def fields_of_records(figures: Figures) -> set[int]:
    """Returns the regions that are fields of a record: on most pages, with few and short values that vary and recur.

    "Canon", "Full-time" and "PG-13" are on many pages, but are content. So is the first heading of a page.
    """
    if not figures.regions or isnan(figures.column("direct.support")[0]):  # a single page: nothing can be compared
        return set()
    names = ("again", "slot_spread", "entropy", "support", "places_a_page", "text_size")
    columns = [figures.column(f"direct.{name}") for name in names]
    record_fields = set()
    for region, heading, again, spread, entropy, support, places, size in zip(
        figures.regions, figures.column("heading"), *columns, strict=True
    ):
        slot = support >= FIELD_PAGES and entropy >= FIELD_ENTROPY and spread <= FIELD_SPREAD and places <= FIELD_PLACES
        if slot and (heading == 1 or (again >= FIELD_AGAIN and size <= FIELD_SIZE)):
            record_fields.add(region)
    return record_fields
