"""Prints a Markdown table of the roles that the gold keeps and that dehusk keeps, by set.

    python experiments/kept_roles.py ../shared/data

For the words of each role: the share that is in the gold of the page, and the share that dehusk keeps. A word counts as
in the gold if it occurs there with its neighbours; a short text must occur as a whole. Samples every fifth site of a
set (its first pages with gold) and every 20th single page. Roles with few words in a set are left out.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import dehusk
from dehusk import Cleaned, Role
from dehusk.bench.evaluation.datasets import single_pages, sites
from dehusk.bench.evaluation.measures import scored_pages, words
from dehusk.page import Page

EVERY_SITE, EVERY_PAGE = 5, 20
BESIDE = 3
"""Number of adjacent words that must match in the gold."""
FEW = 150
"""Minimum number of words of a role in a set."""


def cleaned(data: Path) -> Iterator[tuple[str, Cleaned, str]]:
    """A sample of all sets: the name of the set, a cleaned page and its gold."""
    seen: Counter[str] = Counter()
    for site in sites(data):
        seen[site.kind] += 1
        if seen[site.kind] % EVERY_SITE == 1:
            template = dehusk.learn(site.pages)
            for file in scored_pages(site):
                name = site.kind.removeprefix("news-")
                yield name, template.clean(Page(file.read_bytes())), as_text(site.gold[file])
    for page in islice(single_pages(data), 0, None, EVERY_PAGE):
        kind = f" {page.kind}" if page.kind else ""
        yield page.dataset + kind, dehusk.clean(Page(page.html, url=page.url)), as_text(page.gold)


def as_text(gold: str | Sequence[str]) -> str:
    """Gold as a text, with one field value per line."""
    return gold if isinstance(gold, str) else "\n".join(gold)


def in_gold(text: Sequence[str], runs: set[tuple[str, ...]]) -> int:
    """The number of words that are part of a run of words in the gold."""
    length = min(BESIDE, len(text))
    found: set[int] = set()
    for start in range(len(text) - length + 1):
        if tuple(text[start : start + length]) in runs:
            found.update(range(start, start + length))
    return len(found)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    totals: dict[str, Counter[tuple[Role, str]]] = defaultdict(Counter)
    for name, page, gold in cleaned(parser.parse_args().data):
        right = words(gold)
        runs = {tuple(right[k : k + size]) for size in range(1, BESIDE + 1) for k in range(len(right))}
        for part in page.parts:
            said = words(part.text)
            totals[name] += Counter(
                {(part.role, "all"): len(said), (part.role, "gold"): in_gold(said, runs)}
                | ({(part.role, "kept"): len(said)} if part.kept else {})
            )
    shown = [role for role in Role if any(one[role, "all"] >= FEW for one in totals.values())]
    print("| |", " | ".join(shown), "|")
    print("|---" * (len(shown) + 1) + "|")
    for name, one in totals.items():
        cells = (
            f"{100 * one[role, 'gold'] / one[role, 'all']:.0f} / {100 * one[role, 'kept'] / one[role, 'all']:.0f}"
            if one[role, "all"] >= FEW
            else ""
            for role in shown
        )
        print(f"| {name} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
