"""Prints how good tools are that look at one page at a time:  python experiments/extractors.py DATA

DATA has the layout of dehusk.evaluation.datasets, and the measure is that of dehusk.evaluation.scoring: F1 of shingles,
or of products the share of field values and of text that is kept, means over sites. A tool that is not installed is
named and left out (`pip install --group bench` brings all of them). Where a tool fails on a page it has found nothing.
"""

import argparse
import logging
from collections import defaultdict
from functools import partial
from itertools import islice
from pathlib import Path

from dehusk.evaluation.datasets import sites
from dehusk.evaluation.measures import Score
from dehusk.evaluation.scoring import Kept, means, score
from dehusk.evaluation.tools import EXTRACTORS, Tool, installed
from dehusk.page import Page


def text_of(tool: Tool, html: bytes) -> str:
    """What a tool takes for the content; HTML as text."""
    try:
        found = str(tool(html) or "")
    except Exception:  # noqa: BLE001  # tools of others fail in their own ways
        return ""
    return Page(found).document.to_text() if found.startswith("<") else found


def shown(mean: Score | Kept) -> str:
    """F1; of products, the shares of fields and of text."""
    return f"{mean.f1:.3f}" if isinstance(mean, Score) else f"{mean.fields:.3f} {mean.text:.3f}"


def main() -> None:
    """Prints a table, a line a tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site (%(default)s)")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # the tools log what they find odd in pages
    tools = installed(EXTRACTORS)
    for name, (package, _) in EXTRACTORS.items():
        if name not in tools:
            print(f"left out: {name} ({package} is not installed)")
    found: dict[str, dict[str, list[Score | Kept]]] = {name: defaultdict(list) for name in tools}
    for site in islice(sites(options.data), None, None, options.every):
        for name, tool in tools.items():
            if one := score(site, partial(text_of, tool)):
                found[name][site.kind].append(one)
    for name, kinds in found.items():
        cells = (f"{kind} {shown(means(scores))}" for kind, scores in sorted(kinds.items()))
        print(f"{name:26s}", "  ".join(cells), flush=True)


if __name__ == "__main__":
    main()
