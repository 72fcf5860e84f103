"""Samples regions of real pages at random, for a person to label their roles.

    python experiments/draw_regions.py ../shared/data -o tests/roles.json --show regions.txt

Samples eight sites of each set and three pages of each site, twelve forums and two pages of each, and single pages by
kind; one region of each page. The same `--seed` gives the same sample: `tests/roles.json` has seed 20;
`training/roles.json` and `tests/roles_unseen.json` have seeds 21, 22 and 31 to 33, split by site. To keep these samples
reproducible, the later sets `manuals` and `recipes` are not sampled. The output has no text of the pages; the file of
`--show` has it. The roles are left empty.
"""

import argparse
import json
import random
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from dehusk import metadata
from dehusk.bench.evaluation.datasets import single_pages, sites
from dehusk.bench.evaluation.drawn import path, regions
from dehusk.page import Page

SITES, PAGES = 8, 3
FORUMS = 12
"""Number of forums, which have two pages each."""
KINDS = ("docs", "news-big9", "news-daniel", "news-dragnet", "news-forum", "products")
SINGLE = {"wcxb": 5, "l3s": 7, "cleaneval": 7, "dragnet": 7}
"""Number of single pages of each kind, by set."""


def drawn(data: Path, chance: random.Random) -> Iterator[tuple[str, str, Page]]:
    """Random pages, each with its site or set, and its name there."""
    every = sorted(sites(data, *KINDS), key=lambda site: (site.kind, site.name))
    for kind, group in groupby(every, key=lambda site: site.kind):
        forums = kind == "news-forum"
        large = [site for site in group if len(site.gold) >= PAGES - forums]
        for site in chance.sample(large, FORUMS if forums else SITES):
            for file in chance.sample(sorted(site.gold), PAGES - forums):
                name = file.relative_to(site.pages).as_posix()
                yield site.path, name, Page(file.read_bytes(), name=name)
    for name, most in SINGLE.items():
        of_set = sorted(single_pages(data, name), key=lambda page: (page.kind or "", page.url))
        for _, pages in groupby(of_set, key=lambda page: page.kind):
            for page in chance.sample(list(pages), most):
                yield f"pages/{name}", page.url, Page(page.html, url=page.url)


def shown(page: Page, node: int, own: list[int], where: str) -> str:
    """Text for the person who labels: the region, its ancestors, and the text before and after it."""
    tree = page.tree

    def text(start: int, end: int) -> str:
        return " ".join(filter(None, tree.text[max(0, start) : end]))

    names = []
    for step in [node, *tree.ancestors(node)][::-1][-6:]:
        attributes = tree.attributes[step]
        about = [attributes.get(key, "") for key in ("id", "class", "role", "itemprop")]
        names.append(f"{tree.tag[step]}[{' '.join(filter(None, about))[:50]}]")
    node, end = own[0], own[-1] + 1
    links = sum(tree.tag[one] == "a" for one in range(node, end))
    said, place = (
        " ".join(tree.text[one] for one in own),
        sum(map(len, tree.text[:node])) / max(1, sum(map(len, tree.text))),
    )
    return (
        f"{where} | {metadata.read(page).title}\n  AT {place:.0%} {' > '.join(names)} links={links}\n"
        f"  BEFORE …{text(0, node)[-90:]}\n  TEXT({len(said)}) {said[:260]}\n  AFTER {text(end, end + 60)[:90]}"
    )


def main() -> None:
    """Samples the regions, and writes the list and the file to read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--show", type=Path, required=True, help="the file to read while labelling")
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    lines, seen = [], []
    for where, name, page in drawn(options.data, random.Random(options.seed)):
        found = regions(page.tree)
        if found:
            node = chance.choice(list(found))
            lines.append({"site": where, "page": name, "path": path(page.tree, node), "role": ""})
            seen.append(shown(page, node, found[node], f"#{len(lines)} {where} {name}"))
    options.output.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n", "utf-8")
    options.show.write_text("\n".join(seen) + "\n", "utf-8")


if __name__ == "__main__":
    main()
