"""What the quality of a result is predicted from: how sure the model is, and what its verdicts look like.

Quality is the F1 that can be expected. A forest (`training/quality.py`) predicts it from these columns; it is trained
on the measured F1 of sites and pages that the model was not trained on.
"""

from array import array
from collections.abc import Iterable, Mapping
from math import log1p

from dehusk.kernels.columns import over
from dehusk.methods.evidence.features import Figures
from dehusk.methods.evidence.regions import Regions
from dehusk.methods.evidence.second_look import OF_KINDS, PAGE_KINDS, expected_f1

VERDICTS = (
    *("verdict.best", "verdict.cut", "verdict.letters", "verdict.kept", "verdict.own_kept", "verdict.long_kept"),
    *("verdict.kept_link", "verdict.kept_long", "verdict.doubt", "verdict.doubt_kept", "verdict.switches"),
)
"""The largest expected F1, the cut; letters kept; shares kept of all, of own and of long text; links and long texts in
what is kept; doubt in all and in what is kept; how often, in the order of the page, kept text follows removed text."""

OF_QUALITY = (*OF_KINDS, *(f"kind.{kind}" for kind in PAGE_KINDS), *VERDICTS)
"""The columns that predict the quality."""


def columns(
    regions: Regions,
    figures: Figures,
    page: Iterable[float],
    kinds: Mapping[str, float],
    likely: Mapping[int, float],
    cut: float,
) -> "array[float]":
    """Returns the columns of OF_QUALITY; `page` has the results of the first pass, `likely` those after all rules."""
    return array("d", (*figures.site, *page, *kinds.values(), *_verdicts(regions, likely, cut)))


def _verdicts(regions: Regions, likely: Mapping[int, float], cut: float) -> Iterable[float]:
    direct = regions.direct
    kept = [region for region, p in likely.items() if p >= cut]
    letters, all_letters = _sum(direct.size, kept), _sum(direct.size, likely)
    yield expected_f1(array("d", [direct.size[region] for region in likely]), array("d", likely.values()))
    yield cut
    yield log1p(letters / regions.count)
    yield _share(letters, all_letters)
    yield _share(_sum(direct.own, kept), _sum(direct.own, likely))
    yield _share(_sum(direct.long, kept), _sum(direct.long, likely))
    yield _share(_sum(direct.link, kept), letters)
    yield _share(_sum(direct.long, kept), letters)
    doubt = {region: p * (1 - p) * direct.size[region] for region, p in likely.items()}
    yield _share(sum(doubt.values()), all_letters)
    yield _share(sum(map(doubt.__getitem__, kept)), letters)
    yield _switches(regions, likely, cut)


def _switches(regions: Regions, likely: Mapping[int, float], cut: float) -> float:
    """Returns how often kept text follows removed text or the reverse, as a share of the regions."""
    middles = over(regions.direct.place, regions.direct.size)
    order = [likely[region] >= cut for region in sorted(likely, key=middles.__getitem__)]
    return _share(sum(map(bool.__ne__, order, order[1:])), len(order))


def _sum(column: "array[float]", chosen: Iterable[int]) -> float:
    return sum(map(column.__getitem__, chosen))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
