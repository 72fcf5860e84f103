"""Prints the cost of decoding by charset, relative to parsing decoded text:  python benchmarks/decoding.py DATA

DATA has the layout of bench.evaluation.datasets. The pages of its sites in Chinese, Greek, Polish, Russian and English
are encoded in other charsets, with the charset declared, not declared, or declared wrongly. `ratio` is the time to read
such a page divided by the time to parse its text; `right` is the share of pages whose text is decoded correctly.
"""

import argparse
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import turbohtml

from dehusk.bench.evaluation.tools import in_turns
from dehusk.page import Page
from dehusk.page.elements import text_of

CHARSETS = {
    "ru": ("windows-1251", "koi8-r", "iso-8859-5"),
    "po": ("windows-1250", "iso-8859-2"),
    "gr": ("windows-1253", "iso-8859-7"),
    "ch": ("gbk", "big5"),
    "en": ("windows-1252",),
}
"""Charsets by language, which is the end of a site's name."""

DECLARED = {"rightly": "", "not": None, "as latin-1": "iso-8859-1", "as utf-8": "utf-8"}
PAGES = 3
ROUNDS = 3

_OWN = re.compile(r"(?i)charset|encoding")


def pages(data: Path, most: int) -> Iterator[tuple[str, str]]:
    """The language and HTML of some pages of each site, with charset declarations disabled."""
    for site in sorted((data / "news").glob("daniel-*")):
        for file in sorted((site / "pages").iterdir())[:most]:
            yield site.name[-2:], _OWN.sub("x", file.read_text("utf-8", "replace"))


def encoded(text: str, charset: str, declared: str | None) -> bytes:
    """Encodes a page, without the letters that the charset lacks, and declares a charset."""
    html = text.encode(charset, "ignore")
    return html if declared is None else f'<meta charset="{declared or charset}">'.encode() + html


def parsing(plain: str) -> Callable[[bytes], object]:
    """A function that parses this text and ignores its argument."""
    return lambda _: turbohtml.parse(plain, positions=False)


def main() -> None:
    """Prints a table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=PAGES, help="of each site (%(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="on each page (%(default)s)")
    options = parser.parse_args()
    found: dict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for language, text in pages(options.data, options.pages):
        for charset in CHARSETS[language]:
            for how, declared in DECLARED.items():
                html = encoded(text, charset, declared)
                plain = html.decode(charset)
                works = {"parse": parsing(plain), "read": lambda html: Page(html).whole}
                took = in_turns(works, html, rounds=options.rounds)
                right = text_of(Page(html).body) == text_of(Page(plain).body)
                found[charset, how].append((took["read"] / took["parse"], right))
    print("charset       declared    pages  ratio: median    most   right")
    for (charset, how), rows in sorted(found.items()):
        ratios = [ratio for ratio, _ in rows]
        share = sum(right for _, right in rows) / len(rows)
        print(f"{charset:13s} {how:11s} {len(rows):5d} {median(ratios):14.1f} {max(ratios):7.1f} {share:7.2f}")


if __name__ == "__main__":
    main()
