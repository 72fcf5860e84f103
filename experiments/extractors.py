"""How good tools are that look at one page at a time:  python experiments/extractors.py DATA

DATA has the layout of dehusk.evaluation.datasets. The measure is that of `make accuracy`: on the first five pages with
gold, F1 of 4-word shingles, or of products the share of field values and of text that is kept; means over sites. What
is not installed is named and left out (`pip install --group bench`); a tool that fails on a page has found nothing.
"""

import argparse
import logging
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from peers import Tool, installed

from dehusk.evaluation.datasets import Site, sites
from dehusk.evaluation.measures import field_recall, share_kept, shingle_score, words
from dehusk.page import parse

PAGES = 5
LEAST_GOLD = 20  # words


def text_of(tool: Tool, html: bytes) -> str:
    """What a tool takes for the content; HTML as text."""
    try:
        found = str(tool(html) or "")
    except Exception:  # noqa: BLE001  # others have their own
        return ""
    return parse(found).to_text() if found.startswith("<") else found


def score(site: Site, tool: Tool) -> list[float]:
    """F1 on a site; of products, the shares of fields and of text."""
    found: list[list[float]] = []
    for file, gold in site.gold.items():
        if len(found) == PAGES:
            break
        html = file.read_bytes()
        if isinstance(gold, str):
            if len(words(gold)) >= LEAST_GOLD:
                found.append([shingle_score(text_of(tool, html), gold).f1])
        elif gold:
            whole, text = parse(html).to_text(), text_of(tool, html)
            fields = field_recall(text, whole, gold)
            found += [[fields, share_kept(text, whole)]] if fields is not None else []
    return [fmean(column) for column in zip(*found, strict=True)]


def main() -> None:
    """Prints a table, a line a tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    tools = {name: tool for name, tool in installed().items() if "parsing" not in name}
    means: dict[str, dict[str, list[list[float]]]] = {name: defaultdict(list) for name in tools}
    for site in sites(options.data):
        for name, tool in tools.items():
            means[name][site.kind].append(score(site, tool))
    for name, kinds in means.items():
        columns = {kind: [fmean(column) for column in zip(*rows, strict=True)] for kind, rows in sorted(kinds.items())}
        cells = (f"{kind} {' '.join(f'{number:.3f}' for number in numbers)}" for kind, numbers in columns.items())
        print(f"{name:26s}", "  ".join(cells), flush=True)


if __name__ == "__main__":
    main()
