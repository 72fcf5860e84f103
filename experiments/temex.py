"""Prints table 2 of the TeMex paper on real sites:  python experiments/temex.py DATA

DATA has the layout of dehusk.evaluation.datasets; used are the manuals whose pages link to each other. The key pages of
a site are those with the smallest content hashes. For each size of the subdigraph: how many pages are loaded (the key
page with them), how many links lead to none, and how many pages the subdigraph has. For each number of votes: how much
of the template found is right, and how much of what is right is found, in nodes. Means over key pages, then over sites.
A node is template by gold if it is neither inside nor around what the content selector picks.
"""

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from dehusk.evaluation.datasets import content_selector, inside
from dehusk.evaluation.measures import Score
from dehusk.marking import Marking
from dehusk.methods import etdm
from dehusk.page import Page
from dehusk.sites.links import Folder, complete_subdigraph, links

SITES = ("rust-book", "selinux-policy-html", "tomcat10-docs")
KEYS = 10
SIZES = range(1, 9)
CHECKED = 3  # the size for which a search by brute force tells whether there is such a subdigraph

Row = tuple[float, ...]


def gold_template(html: bytes | str, selector: str) -> set[int]:
    """The nodes of a page's tree that are neither content, nor inside it, nor around it."""
    page = Page(html)
    tree, content = page.tree, inside(page, selector)
    around = {above for node in range(len(tree)) if content[node] for above in tree.ancestors(node)}
    return {node for node in range(len(tree)) if not content[node]} - around


def score(key: Page, others: Sequence[Page], votes: int, gold: set[int]) -> Score:
    """Precision, recall and F1 of the key page's template in nodes."""
    rules = etdm.learn([key, *others], key=key, votes=votes).rules
    flags = Marking(key, rules.mark(key)).flags
    found = {node for node, flag in enumerate(flags) if flag}
    return Score.of(len(found & gold), len(found), len(gold))


def exists(key: Page, load: Folder, size: int) -> bool:
    """Whether this many links of the key page lead to pages that all link to each other, by trying all of them."""
    pages = {page.url: page for link in links(key) if (page := load(link.url))}
    leads = {url: {link.url for link in links(page)} for url, page in pages.items() if url != key.url}
    mutual = {url: {other for other in leads if other in leads[url] and url in leads[other]} for url in leads}
    return any(
        all(one in mutual[other] for one, other in itertools.combinations(some, 2))
        for some in itertools.combinations(mutual, size)
    )


def key_pages(site: Path, count: int) -> tuple[list[Page], Folder]:
    """The key pages of a site, and the loader of the others."""
    folder = Folder(site / "pages")
    files = [file for file in (site / "pages").rglob("*") if file.is_file()]
    pages = [Page(file.read_bytes(), url=folder.url(file), name=file.name) for file in files]
    return sorted(pages, key=lambda page: page.digest)[:count], folder


def means(rows: Sequence[Row]) -> Row:
    """Column by column."""
    return tuple(fmean(column) for column in zip(*rows, strict=True))


def measure(site: Path, count: int) -> tuple[dict[int, Row], dict[tuple[int, int], Row]]:
    """For each size: loads, links that failed, pages found; for each size and number of votes: the scores."""
    selector = content_selector(site)
    keys, folder = key_pages(site, count)
    searches: dict[int, list[Row]] = {size: [] for size in SIZES}
    scores: dict[tuple[int, int], list[Row]] = {(size, votes): [] for size in SIZES for votes in range(1, size + 1)}
    missed = 0
    for key in keys:
        gold = gold_template(key.html, selector)
        for size in SIZES:
            found = complete_subdigraph(key, folder, size=size)
            searches[size].append((found.loaded, found.failed, len(found.pages)))
            missed += size == CHECKED and len(found.pages) < size and exists(key, folder, size)
            for votes in range(1, size + 1):
                scores[size, votes].append(score(key, found.pages, votes, gold))
    loaded, failed, pages = means(searches[CHECKED])
    precision, recall, f1 = means(scores[CHECKED, 2])
    print(
        f"{site.name:20s} size {CHECKED}, 2 votes: {loaded:.2f} loaded, {failed:.2f} links to none, {pages:.2f} pages, "
        f"{missed} subdigraphs missed; precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f}",
        flush=True,
    )
    return {size: means(rows) for size, rows in searches.items()}, {case: means(rows) for case, rows in scores.items()}


def main() -> None:
    """Prints a line a site, then the table, with the best number of votes for each size marked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--keys", type=int, default=KEYS, help="key pages of each site (%(default)s)")
    options = parser.parse_args()
    measured = [measure(options.data / "docs" / name, options.keys) for name in SITES]
    print("\nsize  votes   loads  to none  pages  precision  recall      F1")
    for size in SIZES:
        loaded, failed, pages = means([searches[size] for searches, _ in measured])
        rows = {votes: means([scores[size, votes] for _, scores in measured]) for votes in range(1, size + 1)}
        best = max(rows, key=lambda votes: rows[votes][-1])
        for votes, (precision, recall, f1) in rows.items():
            print(
                f"{size:4d}  {votes:5d}  {loaded:6.2f}  {failed:7.2f}  {pages:5.2f}  {precision:9.4f}  {recall:6.4f}"
                f"  {f1:6.4f}{' *' if votes == best else ''}"
            )


if __name__ == "__main__":
    main()
