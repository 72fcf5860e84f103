"""What cleaning costs compared with other tools:  python benchmarks/peers.py DATA

DATA has the layout of dehusk.evaluation.datasets: real sites below docs, news and products. For each site, dehusk's
template is learned before the clock starts. Then the tools get the same bytes one after the other, page by page, and of
a few times on each page the best counts: of processor time, since on a busy machine the clock on the wall is hardest on
those that take long. The table has how many times as long as dehusk each tool takes: above 1, dehusk is faster. What is
not installed is named and left out, and so is a page that a tool fails on, from both sides of its ratio; `pip install
--group bench` brings all of them.
"""

import argparse
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from math import inf
from pathlib import Path
from statistics import median

import dehusk
from dehusk import methods
from dehusk.evaluation.datasets import sites

Tool = Callable[[bytes], object]

OURS = "dehusk"
PAGES = 3
ROUNDS = 5


def resiliparse() -> Tool:
    """Its main content as text."""
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    detect = import_module("resiliparse.parse.encoding").detect_encoding
    tree = import_module("resiliparse.parse.html").HTMLTree
    return lambda html: extract(tree.parse_from_bytes(html, detect(html)), main_content=True)


def trafilatura() -> Tool:
    """Text, with its defaults."""
    extract: Tool = import_module("trafilatura").extract
    return extract


def readability() -> Tool:
    """The main content as HTML, which is what it gives."""
    document = import_module("readability").Document
    return lambda html: document(html.decode("utf-8", "replace")).summary()


def justext() -> Tool:
    """Paragraphs, with the stop words of English."""
    module = import_module("justext")
    words = module.get_stoplist("English")
    return lambda html: "\n".join(one.text for one in module.justext(html, words) if not one.is_boilerplate)


def boilerpy() -> Tool:
    """Text of an article."""
    extractor = import_module("boilerpy3.extractors").ArticleExtractor()
    return lambda html: extractor.get_content(html.decode("utf-8", "replace"))


def turbohtml_content() -> Tool:
    """The parser's own idea of the main content, as text."""
    parse = import_module("turbohtml").parse
    return lambda html: parse(html).main_text()


def turbohtml_parse() -> Tool:
    """Parsing alone."""
    parse: Tool = import_module("turbohtml").parse
    return parse


def selectolax_parse() -> Tool:
    """Parsing alone."""
    parse: Tool = import_module("selectolax.lexbor").LexborHTMLParser
    return parse


def lxml_parse() -> Tool:
    """Parsing alone."""
    parse: Tool = import_module("lxml.html").document_fromstring
    return parse


PEERS: Mapping[str, tuple[str, Callable[[], Tool]]] = {
    "resiliparse main content": ("resiliparse", resiliparse),
    "trafilatura": ("trafilatura", trafilatura),
    "readability-lxml": ("readability-lxml", readability),
    "jusText": ("justext", justext),
    "boilerpy3": ("boilerpy3", boilerpy),
    "turbohtml main content": ("turbohtml", turbohtml_content),
    "turbohtml, parsing alone": ("turbohtml", turbohtml_parse),
    "selectolax, parsing alone": ("selectolax", selectolax_parse),
    "lxml, parsing alone": ("lxml", lxml_parse),
}
"""Each tool with its package and what makes it ready."""


def installed() -> dict[str, Tool]:
    """The tools there are; the others are named."""
    found = {}
    for name, (package, ready) in PEERS.items():
        try:
            found[name] = ready()
        except ImportError:
            print(f"left out: {name} ({package} is not installed)")
    return found


def cleaned(template: dehusk.Template, html: bytes) -> str:
    """The page's content as text."""
    return template.clean(html).text


def seconds(tools: Mapping[str, Tool], html: bytes, rounds: int) -> dict[str, float]:
    """The best processor time of each tool on a page; none where it fails."""
    found = {}
    for name, tool in tools.items():
        best = inf
        try:
            for _ in range(rounds):
                started = time.process_time()
                tool(html)
                best = min(best, time.process_time() - started)
        except Exception:  # noqa: BLE001, S112  # others have their own
            continue
        found[name] = best
    return found


def ratios(timed: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """What each tool takes for the pages of a site that it does not fail on, as a multiple of ours."""
    found = {}
    for name in PEERS:
        pages = [page for page in timed if name in page]
        if pages:
            found[name] = sum(page[name] for page in pages) / sum(page[OURS] for page in pages)
    return found


def main() -> None:
    """Prints a table of ratios, a column for each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--method", choices=methods.METHODS, default=methods.DEFAULT)
    parser.add_argument("--pages", type=int, default=PAGES, help="of each site (%(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="on each page (%(default)s)")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # what the tools have to say of odd pages
    peers = installed()
    ours: dict[str, list[float]] = defaultdict(list)
    theirs: dict[str, list[dict[str, float]]] = defaultdict(list)
    failed: Counter[str] = Counter()
    for site in sites(options.data):
        template = dehusk.learn(site.pages, method=options.method)
        tools: dict[str, Tool] = {OURS: partial(cleaned, template), **peers}
        files = sorted(site.gold)[: options.pages]
        timed = [seconds(tools, file.read_bytes(), options.rounds) for file in files]
        failed.update(name for page in timed for name in peers if name not in page)
        ours[site.kind].append(1000 * sum(page[OURS] for page in timed) / len(timed))
        theirs[site.kind].append(ratios(timed))
    kinds = sorted(ours)
    print(f"processor time as a multiple of dehusk's ({options.method}); medians over sites")
    print(f"{'':32s}" + "".join(f"{kind:>14s}" for kind in kinds))
    print(f"{'sites':32s}" + "".join(f"{len(ours[kind]):14d}" for kind in kinds))
    print(f"{'dehusk, milliseconds a page':32s}" + "".join(f"{median(ours[kind]):14.2f}" for kind in kinds))
    for name in peers:
        label = f"{name} {version(PEERS[name][0])}"
        found = [[site[name] for site in theirs[kind] if name in site] for kind in kinds]
        print(f"{label:32s}" + "".join(f"{median(column):14.2f}" if column else f"{'-':>14s}" for column in found))
    for name, pages in failed.items():
        print(f"{name} failed on {pages} pages")


if __name__ == "__main__":
    main()
