"""The time to learn from many pages (Yi et al. 2003, section 4.2: a style tree of 500 pages), on a generated site."""

from functools import partial

from dehusk import kernels
from dehusk.bench._results import BUILDING, Cell, ExperimentResult, Plot, Table
from dehusk.bench.evaluation._made_sites import made_site
from dehusk.bench.evaluation.tools import timed
from dehusk.bench.measuring import Bench
from dehusk.core import Learning
from dehusk.methods import METHODS
from dehusk.methods.style_tree import composite_importances, grown
from dehusk.page import Page

BUILT_FROM = (10, 50, 100, 200, 500)
CLEANED_PAGES = 20


def run(bench: Bench) -> ExperimentResult:
    """Learns a made site from more and more pages, and times the steps of the style tree."""
    most = bench.limit(BUILT_FROM[-1]) or BUILT_FROM[-1]
    sizes = [size for size in BUILT_FROM if size <= most]
    site = made_site(sizes[-1], bench.seed)
    for page in site:
        _ = page.tree  # parsed before, as the paper's times are without parsing
    steps: list[list[Cell]] = []
    lines: dict[str, list[tuple[float, float]]] = {method: [] for method in METHODS}
    for done, size in enumerate(sizes):
        bench.progress("building", done, len(sizes))
        steps.append([size, *_steps(site[:size])])
        for method in METHODS:
            _, seconds = timed(partial(_learn, method, site[:size]))
            lines[method].append((float(size), seconds))
    rows: list[list[Cell]] = [[method, *(seconds for _, seconds in points)] for method, points in lines.items()]
    built, weighed, _ = steps[-1][1:]
    return ExperimentResult(
        [
            f"A style tree of {sizes[-1]} pages takes {built:.2f} s, its importances {weighed:.2f} s.",
        ],
        [
            Table("The steps of the style tree, in seconds", _STEPS, steps, paper=BUILDING),
            Table("Seconds to learn by number of pages", ["method", *map(str, sizes)], rows),
        ],
        [
            Plot(
                "Seconds to learn by number of pages",
                "lines",
                "pages",
                "seconds",
                lines,
                log=True,
                log_y=True,
                paper=_PAPER_POINT,
            )
        ],
        [
            f"A generated site of {sizes[-1]} pages with about {len(site[0].tree)} nodes each.",
            "Processor time in one process, without reading and parsing the pages.",
            f"The kernels are {'compiled' if kernels.compiled() else 'plain Python, which is slow'}.",
        ],
        figures={"steps": steps, "learning": lines},
    )


_PAPER_POINT = {"style-tree: Yi et al. 2003, at most, Pentium 4": [(500.0, 20.0)]}
_STEPS = ["pages", "building the tree", "importances", "cleaning a page"]


def _learn(method: str, pages: list[Page]) -> object:
    return Learning(method, None).learn(pages)


def _steps(pages: list[Page]) -> list[float]:
    """Seconds to build the style tree, to compute importances, and to clean a page."""
    (contents, tree), building = timed(partial(grown, pages))
    _, weighing = timed(partial(composite_importances, tree, contents))
    template = Learning("style-tree", None).learn(pages)
    few = pages[:CLEANED_PAGES]
    _, cleaning = timed(lambda: [template.clean(page).text for page in few])
    return [building, weighing, cleaning / len(few)]
