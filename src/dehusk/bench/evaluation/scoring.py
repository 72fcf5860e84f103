"""The score of a site: what some cleaner keeps of its first pages, compared with the gold."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from dehusk.bench.evaluation.datasets import Site
from dehusk.bench.evaluation.measures import Score, Shares, field_recall, share_kept, shingle_score, words
from dehusk.marking.marking import Marking
from dehusk.page import Page
from dehusk.page.elements import html_of, plain_text

SCORED = 5
"""Pages of a site that are scored: the first that have gold."""

LEAST_GOLD = 20
"""Words that gold must have. Shorter gold says too little."""

Cleaner = Callable[[bytes], str]
"""Gives the text of a page's content."""


class KeptShares(NamedTuple):
    """What is kept of record pages: the share of the field values, and of all text."""

    fields: float
    text: float


def is_scorable(gold: str | Sequence[str]) -> bool:
    """Whether a page with this gold is scored."""
    return len(words(gold)) >= LEAST_GOLD if isinstance(gold, str) else bool(gold)


def scored_pages(site: Site) -> list[Path]:
    """The pages of a site that are scored."""
    return list(islice((page for page, gold in site.gold.items() if is_scorable(gold)), SCORED))


def score(site: Site, clean: Cleaner) -> Score | KeptShares | None:
    """The means over a site's scored pages; None if there are none."""
    found = [one for page in scored_pages(site) if (one := score_page(page.read_bytes(), site.gold[page], clean))]
    return means(found) if found else None


def score_page(html: bytes, gold: str | Sequence[str], clean: Cleaner) -> Score | KeptShares | None:
    """The score of one page; None if its text has none of the field values."""
    text = clean(html)
    if isinstance(gold, str):
        return shingle_score(text, gold)
    whole = plain_text(Page(html).whole)
    fields = field_recall(text, whole, list(gold))
    return None if fields is None else KeptShares(fields, share_kept(text, whole))


def template_shares(marking: Marking) -> Shares:
    """How much of a page is template."""
    removed = sum(len(html_of(node).encode("utf-8", "replace")) for node in marking.gone)
    whole = len(html_of(marking.page.whole).encode("utf-8", "replace"))
    return Shares(marking.share_removed, sum(marking.flags) / len(marking.flags), removed / whole)


def means(scores: Iterable[Score | KeptShares]) -> Score | KeptShares:
    """The mean of each number, over scores of one kind."""
    rows = list(scores)
    return type(rows[0])(*(fmean(column) for column in zip(*rows, strict=True)))


def weights_file(folder: Path, assignment: int, left_out: int) -> Path:
    """The file of the weights that were trained without a fold, of an assignment of sites to folds."""
    return folder / f"{assignment}-{left_out}.json"


@cache
def weights_without(folder: Path, left_out: int, assignment: int = 0) -> Mapping[str, Any]:
    """The weights that were trained without a fold."""
    weights: Mapping[str, Any] = json.loads(weights_file(folder, assignment, left_out).read_text("utf-8"))
    return weights
