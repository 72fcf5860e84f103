"""What is kept although the model calls it template, because the site is unlike those that the model was trained on.

A model is sure of what it learned, and is also sure where it knows nothing: without records in training, it calls the
fields of records template. Two signs need no knowledge of any kind of page. The text that only one page has, outside
links, is mostly content: if most of it would go, the model is wrong. And short texts that vary from page to page beside
a label that does not are the fields of a record.

On sites left out of training, with all records left out too: 0.50 of the product fields are kept without these rules,
0.71 with the first, 0.82 with both (0.43 of the text). With records in training 0.959 and 0.979. Other sets stay the
same within 0.002. Keeping all text of such pages from 0.9 of the own text on reaches 0.88, but costs Big9 0.04.
"""

from collections.abc import Mapping
from typing import NamedTuple

from dehusk.methods.evidence.features import Figures
from dehusk.methods.evidence.regions import Regions

PAGES = 3
"""With fewer pages, texts do not show whether they vary."""

SURE = 0.5
"""From this probability on, text counts as kept."""

FAMILIAR = 0.75
"""On sites of known kinds, at least this share of the pages' own text is kept; usually more than 0.9."""

VARIES, IN_LINKS = 0.5, 0.5
"""Text that fewer of the other pages have in the same place varies; less of it in links is no list of links."""

RECORD_FAMILIAR, RECORD_FIELDS = 0.95, 5
"""Below this share, so many labelled fields make a record. Articles have a date and an author, rarely more."""

FIELD_SUPPORT, FIELD_SPREAD, FIELD_ENTROPY, FIELD_SIZE, FIELD_PLACES = 0.7, 0.3, 0.4, 80.0, 8.0
"""Bounds for a field: share of pages, share with the same value, entropy of values, letters, places on a page."""

LABEL_SUPPORT, LABEL_SPREAD, LABEL_SIZE = 0.5, 0.6, 40.0
"""Bounds for a label: share of pages, share with the same text, letters."""

_COLUMNS = ("slot_spread", "link", "support", "entropy", "text_size", "places_a_page")


class Overlooked(NamedTuple):
    """The regions to keep, and whether the site is unlike what was learned as a whole."""

    regions: set[int]
    unfamiliar: bool


def overlooked(regions: Regions, figures: Figures, likely: Mapping[int, float]) -> Overlooked:
    """Returns the regions to keep on a site that is unlike what was learned; none on others."""
    if regions.count < PAGES:
        return Overlooked(set(), unfamiliar=False)
    own = regions.direct.own
    every = sum(own[region] for region in likely)
    share = sum(own[region] for region, p in likely.items() if p >= SURE) / every if every else 1.0
    if share >= RECORD_FAMILIAR:
        return Overlooked(set(), unfamiliar=False)
    slots = {
        region: (spread, link, support, entropy, size, places)
        for region, spread, link, support, entropy, size, places in zip(
            figures.regions, *(figures.column(f"direct.{name}") for name in _COLUMNS), strict=True
        )
        if not regions.in_comments[region]
    }
    found = _fields(regions, slots)
    if share < FAMILIAR:
        found |= {region for region, (spread, link, *_) in slots.items() if spread < VARIES and link < IN_LINKS}
    return Overlooked(found, share < FAMILIAR)


def _fields(regions: Regions, slots: Mapping[int, tuple[float, ...]]) -> set[int]:
    """Returns the fields of a record with their labels beside them; none if there are too few."""
    parent = regions.parent
    labels = [
        region
        for region, (spread, link, support, _, size, _) in slots.items()
        if spread >= LABEL_SPREAD and link < IN_LINKS and support >= LABEL_SUPPORT and size <= LABEL_SIZE
    ]
    homes = {home for region in labels for home in (region, parent[region], parent[parent[region]])}
    fields = {
        region: link
        for region, (spread, link, support, entropy, size, places) in slots.items()
        if (spread <= FIELD_SPREAD and support >= FIELD_SUPPORT and entropy >= FIELD_ENTROPY)
        and (size <= FIELD_SIZE and places <= FIELD_PLACES)
        and (parent[region] in homes or parent[parent[region]] in homes)
    }
    return set(fields) if sum(link < IN_LINKS for link in fields.values()) >= RECORD_FIELDS else set()
