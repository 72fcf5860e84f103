"""Draws regions of real pages at random, for a person to say what role each has.

    python experiments/draw_regions.py ../shared/data -o tests/roles.json --show regions.txt

Eight sites of each set and three pages of each site, twelve forums and two pages of each, single pages by kind; one
region a page. Draws the same for the same `--seed`: `tests/roles.json` is of seed 20; `training/roles.json` and
`tests/roles_unseen.json` are of seeds 21, 22 and 31 to 33, parted by site. So nothing is drawn from the sets `manuals`
and `recipes`, which came later. What it writes has no text of the pages: that is in the file to look at. The role is
left empty.
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
"""Forums have two pages each."""
KINDS = ("docs", "news-big9", "news-daniel", "news-dragnet", "news-forum", "products")
SINGLE = {"wcxb": 5, "l3s": 7, "cleaneval": 7, "dragnet": 7}
"""Single pages of each set and kind."""


def drawn(data: Path, chance: random.Random) -> Iterator[tuple[str, str, Page]]:
    """Pages at random, with the set or folder they are in and their name there."""
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
    """What a person needs to see: the region, what it is in, and what is before and after it."""
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
    """Draws, writes the list and what to look at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--show", type=Path, required=True, help="a file with what a person needs to see")
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
