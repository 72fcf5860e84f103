"""Prints how well exported selectors agree with the template: applies site configs with lxml to pages of real sites.

For each site: the number of lines of the config; F of the words that it extracts against those that dehusk keeps, on
the pages that it was made from and on others; and on how many pages title, author and date agree with dehusk's.

    python experiments/exports.py ../shared/data
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from site_config import extracted

import dehusk
from dehusk.bench.evaluation.datasets import sites
from dehusk.bench.evaluation.measures import words
from dehusk.metadata import dates
from dehusk.page import Page
from dehusk.templates.selectors import site_rules

MADE_FROM, OTHERS = 12, 12


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the data set")
    parser.add_argument("--step", type=int, default=12, help="take every N-th site (default: %(default)s)")
    options = parser.parse_args()
    print("| site | lines | F, same pages | F, other pages | title | author | date |", "|---" * 7 + "|", sep="\n")
    every = [site for site in sites(options.data) if len(site.gold) > 3]
    rows = [
        _measured(site.path, [Page(path.read_bytes(), name=path.name) for path in site.gold])
        for site in every[:: options.step]
    ]
    same, other = ([row[at] for row in rows if row[at] is not None] for at in (0, 1))
    print(f"| mean | | {mean(filter(None, same)):.3f} | {mean(filter(None, other)):.3f} | | | |")


def _measured(name: str, pages: Sequence[Page]) -> tuple[float | None, float | None]:
    used, others = pages[:MADE_FROM], pages[MADE_FROM : MADE_FROM + OTHERS]
    template = dehusk.learn(used)
    config = site_rules(template, used).ftr
    scores = [[_score(template, config, page) for page in some] for some in (used, others)]
    same, other = (mean(some) if some else None for some in scores)
    fields = [_agreed(template, config, [*used, *others], field) for field in ("title", "author", "date")]
    f = [f"{one:.3f}" if one is not None else "-" for one in (same, other)]
    print("|", " | ".join([name, str(len(config.splitlines())), *f, *fields]), "|", flush=True)
    return same, other


def _score(template: dehusk.Template, config: str, page: Page) -> float:
    """F of the words that the config extracts, against those that dehusk keeps."""
    found = Counter(words(" ".join(value for field, value in extracted(config, page).items() if field != "date")))
    wanted = Counter(words(template.clean(page).text))
    if not found and not wanted:
        return 1.0
    return 2 * (found & wanted).total() / (found.total() + wanted.total())


def _agreed(template: dehusk.Template, config: str, pages: Sequence[Page], field: str) -> str:
    told = [(getattr(template.clean(page).metadata, field), extracted(config, page)[field]) for page in pages]
    has = [(wanted, found) for wanted, found in told if wanted]
    right = [found for wanted, found in has if _same(field, wanted, found)]
    return f"{len(right)} of {len(has)}"


def _same(field: str, wanted: str, found: str) -> bool:
    if field == "date":
        return dates.may_be_same(dates.iso(found) or "", wanted)
    return all(word in words(found) for word in words(wanted))


if __name__ == "__main__":
    main()
