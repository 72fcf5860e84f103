"""Prints what it changes to write once what a page has twice:  python experiments/copies.py ../shared/data

For each set: how many pages change, and by how much their F1 (or the share of field values) differs from that of the
same pages with all copies; the mean over the pages of a set. The thresholds of `marking/_copies.py` were chosen on one
half of the hosts, so the halves are printed apart. Then the pages that fall by more than FALLS.
"""

import argparse
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import dehusk
from dehusk import Template, render
from dehusk.bench.evaluation.datasets import single_pages, sites
from dehusk.bench.evaluation.measures import field_recall, scored_pages, shingle_score
from dehusk.marking.marking import Marking
from dehusk.page import Page
from dehusk.templates.site_names import site_of

FALLS = 0.01
"""A page that falls by more than this is listed."""

Gold = str | Sequence[str]


def pages(data: Path) -> Iterator[tuple[str, str, Template, Page, Gold]]:
    """The pages of all sets: set, host, template, page and gold."""
    for site in sites(data):
        template = dehusk.learn(site.pages)
        for file in scored_pages(site):
            yield site.kind, site.path, template, Page(file.read_bytes(), name=str(file)), site.gold[file]
    hosts: defaultdict[tuple[str, str], list[tuple[Page, str, Gold]]] = defaultdict(list)
    for one in single_pages(data):
        page = Page(one.html, url=one.url)
        hosts[one.dataset, site_of(page)].append((page, one.kind or "", one.gold))
    for (dataset, host), found in hosts.items():
        template = dehusk.learn([page for page, _, _ in found])
        for page, kind, gold in found:
            yield f"{dataset} {kind}".strip(), host, template, page, gold


def change(template: Template, page: Page, gold: Gold) -> float | None:
    """How much the score of a page changes; None if it has no copies."""
    marking = template.mark(page)
    every = Marking(page, replace(marking._marks, once=False)).gone  # noqa: SLF001  # the marks are the same
    if list(marking.gone) == list(every):
        return None
    before, after = (render.text(page, render.unseen(page, gone)) for gone in (every, marking.gone))
    if isinstance(gold, str):
        return shingle_score(after, gold).f1 - shingle_score(before, gold).f1
    whole = render.text(page, [])
    kept = [field_recall(text, whole, list(gold)) or 0.0 for text in (before, after)]
    return kept[1] - kept[0]


def half(host: str) -> int:
    """The half of the hosts that a host is in. The thresholds were chosen on half 0."""
    return hashlib.md5(host.encode(), usedforsecurity=False).digest()[0] & 1


def shown(name: str, changes: Mapping[int, Sequence[float | None]]) -> str:
    """A line of the table."""
    every = [*changes[0], *changes[1]]
    known = [one for one in every if one is not None]
    means = [sum(filter(None, one)) / len(one) if one else 0.0 for one in (changes[0], changes[1], every)]
    up, down = sum(one > 0 for one in known), sum(one < 0 for one in known)
    figures = "".join(f"{mean:+10.4f}" for mean in means)
    return f"{name:22s}{len(every):6d}{len(known):9d}{up:5d}{down:6d}{figures}"


def main() -> None:
    """Prints the table and the pages that fall."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    sets: defaultdict[str, dict[int, list[float | None]]] = defaultdict(lambda: {0: [], 1: []})
    fall = []
    for name, host, template, page, gold in pages(parser.parse_args().data):
        changed = change(template, page, gold)
        for group in {name, name.split(" ")[0]}:
            sets[group][half(host)].append(changed)
        if changed is not None and changed < -FALLS:
            fall.append(f"{changed:+.4f} {name} {page.name}")
    print(f"{'set':22s} pages  changed   up  down   chosen on  the other  all")
    for name in sorted(sets):
        print(shown(name, sets[name]))
    print("\n".join(sorted(fall)))


if __name__ == "__main__":
    main()
