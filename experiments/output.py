"""Prints faults in the output for real pages:  python experiments/output.py DATA [--every 6]

DATA has the layout of bench.evaluation.datasets. For each set, the share of pages whose Markdown has one of these
faults: HTML, images without alt text, `javascript:` links, empty links, entities, permalinks, escaped dots. Then the
share of pages whose text has lines of separators, whose HTML is unsafe, and where the guard restored text. Last, how
well the Markdown, rendered by a library, agrees with the text output (F1 of 4-word shingles).
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from markdown_it import MarkdownIt

import dehusk
from dehusk import render
from dehusk.base.errors import PageWarning
from dehusk.bench.evaluation.datasets import sites
from dehusk.bench.evaluation.measures import shingle_score
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned

PAGES = 10

CODE = re.compile(r"(?ms)^[ >-]*(`{3,})[^`\n]*\n.*?^[ >]*\1$|(`+)[^`].*?\2")
FAULTS: Mapping[str, re.Pattern[str]] = {
    "html": re.compile(r"(?<!\\)<(?:table|t[dhr]|div|span|p|br|a|img|font|center)\b[^>\n]*>", re.IGNORECASE),
    "no alt": re.compile(r"!\[\s*\]\("),
    "js": re.compile(r"\]\(\s*javascript:", re.IGNORECASE),
    "empty": re.compile(r"(?<!!)\[\s*\]\("),
    "entity": re.compile(r"(?<!\\)&(?:#\d+|#x[0-9a-f]+|nbsp|amp|lt|gt|quot);", re.IGNORECASE),
    "permalink": re.compile(r"\[\\?[¶#§🔗]\]\("),
    "dots": re.compile(r"\d\\\.\d"),
}
SEPARATORS = re.compile(r"(?m)^[|»«›‹,·•]+$")
UNSAFE = re.compile(
    r"(?i)<(?:script|iframe|frame|object|embed|form|link)\b|<[^>]*\son\w+\s*=|(?:href|src)=.?javascript:"
)


def faults(cleaned: Cleaned) -> list[str]:
    """The names of the faults of a page."""
    prose = CODE.sub("code", cleaned.markdown)
    found = [name for name, fault in FAULTS.items() if fault.search(prose)]
    if SEPARATORS.search(cleaned.text):
        found.append("lines")
    if UNSAFE.search(cleaned.html):
        found.append("unsafe")
    if PageWarning.NEARLY_ALL in cleaned.warnings:
        found.append("guard")
    return found


def round_trip(cleaned: Cleaned, library: MarkdownIt) -> float:
    """F1 of the text of the rendered Markdown against the text output."""
    rendered = render.text(Page(f"<body>{library.render(cleaned.markdown)}"), [])
    return shingle_score(rendered, cleaned.text).f1 if cleaned.text else 1.0


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=PAGES, help="of each site (%(default)s)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th site (%(default)s)")
    parser.add_argument("--show", action="store_true", help="name the pages with faults")
    options = parser.parse_args()
    library = MarkdownIt("commonmark").enable("table")
    found: dict[str, Counter[str]] = defaultdict(Counter)
    agreement: dict[str, list[float]] = defaultdict(list)
    for site in islice(sites(options.data), None, None, options.every):
        template = dehusk.learn(site.pages)
        for file in sorted(site.gold)[: options.pages]:
            cleaned = template.clean(Page(file.read_bytes(), name=str(file)))
            wrong = faults(cleaned)
            agreed = round_trip(cleaned, library)
            found[site.kind].update(wrong)
            agreement[site.kind].append(agreed)
            if options.show and (wrong or agreed < 0.99):
                print(f"{file}: {' '.join(wrong)} {agreed:.3f}")
    names = [*FAULTS, "lines", "unsafe", "guard"]
    print("set            pages " + " ".join(f"{name:>9s}" for name in names) + "  round trip")
    for kind, agreed_all in sorted(agreement.items()):
        shares = " ".join(f"{found[kind][name] / len(agreed_all):9.1%}" for name in names)
        print(f"{kind:14s} {len(agreed_all):5d} {shares} {sum(agreed_all) / len(agreed_all):11.4f}")


if __name__ == "__main__":
    main()
