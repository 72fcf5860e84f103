"""Reruns the papers' experiments and public benchmarks on any data set: the table of experiments, and how to run them.

An experiment is one file in `experiments` with a `run(bench)` that returns an `ExperimentResult`, and one entry here.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import SourceError, UsageError

if TYPE_CHECKING:
    from dehusk.bench._results import ExperimentResult
    from dehusk.bench.bench_report import Ran
    from dehusk.bench.measuring import Bench


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment: what it shows, which paper it reruns, how it differs from it, and which modules it needs."""

    name: str
    shows: str
    reruns: str
    differs: str
    """In one line: what the paper did, what we do, and why."""
    needs: tuple[str, ...] = ()

    @property
    def run(self) -> "Callable[[Bench], ExperimentResult]":
        """The function that runs the experiment."""
        run: Callable[[Bench], ExperimentResult] = import_module(f"dehusk.bench.experiments._{self.name}").run
        return run

    def check(self) -> None:
        """Raises UsageError if a required package is not installed."""
        missing = [name for name in ("matplotlib", *self.needs) if find_spec(name) is None]
        if missing:
            extra = 'pip install "dehusk[bench]"'
            raise UsageError(f"dehusk bench {self.name} needs {', '.join(missing)}; install it with {extra}")


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "content",
            "all methods and other tools, compared with content marked by people",
            "As in public benchmarks: F1 of 4-word shingles and of words, ROUGE-LSum, snippets, field values.",
            "Public benchmarks score single pages; we score up to five pages of each site too, because our methods "
            "need several pages.",
            ("rouge_score_rs",),
        ),
        Experiment(
            "metadata",
            "title, author and date by the default method and other tools",
            "As in public benchmarks: exact matches, and matches of half of the words, with values noted by people.",
            "No paper has this; the rules were written by looking at half of the hosts, so the other half is the test.",
        ),
        Experiment(
            "table",
            "columns found by dehusk table: the best for a field, by their names, pairs of label and value",
            "As for SWDE: F1 of pages with a right value; expanded SWDE: F1 of all pairs of label and value.",
            "Papers with named fields read pages with a language model; we learn columns from the pages of a site.",
        ),
        Experiment(
            "pages",
            "quality by the number of pages to learn from, from 1 to all pages of a site (at most 100)",
            "Vieira et al. 2006, Figure 7: F of the sets of template terms; in addition F1 of the content.",
            "The paper compared the detected template of ten sites with terms noted by hand; we take the terms that "
            "the gold calls template on half of a site's scored pages, and three random samples of each size.",
        ),
        Experiment(
            "training",
            "classification by the number of pages that the templates were learned from",
            "Vieira et al. 2006, Figure 9.",
            "The paper detected templates from 10 to 100 pages of a shop; our sites have fewer, so sizes end there.",
            ("sklearn",),
        ),
        Experiment(
            "votes",
            "quality by the size of the complete subdigraph, from 1 to 8, and by the number of votes",
            "Alarte et al. 2015, Tables 1 and 2.",
            "The paper took one key page of each of 40 sites on the web; we take up to eight of each manual whose "
            "links stay in the data, because few do, and times are without loading over a network.",
        ),
        Experiment(
            "equalities",
            "the template of a key page for a few hundred definitions of equal nodes",
            "Alarte et al. 2015, section 4.1: the search for a definition of equality.",
            "The paper made half a million experiments with properties it does not list; we try all sets of eight "
            "attributes, because the tag and the text must agree anyway.",
        ),
        Experiment(
            "cluster",
            "k-means over pages of several categories from several sites, before and after cleaning by each method",
            "Yi et al. 2003, Table 2 and Figure 9; Vieira et al. 2006, Table 2 and Figure 8.",
            "The papers had five shops with the same five categories and 800 runs; we have SWDE's films and jobs with "
            "categories from a field, and 100 runs, because no set of shops is public.",
            ("sklearn", "scipy"),
        ),
        Experiment(
            "classify",
            "naive Bayes for all pairs of categories in three configurations of sites, before and after cleaning",
            "Yi et al. 2003, Tables 3 and 4; Vieira et al. 2006, Tables 4 to 6.",
            "The papers learned from 500 and 100 pages of five shops; we learn from all pages that a site has in the "
            "data, about 30, with films and jobs for shops.",
            ("sklearn",),
        ),
        Experiment(
            "building",
            "the time to learn from up to 500 pages of a generated site, and to clean a page",
            "Yi et al. 2003, section 4.2: the time to build a style tree of 500 pages.",
            "The paper sampled 500 pages of real shops; no site in the data has so many, so we generate one.",
        ),
        Experiment(
            "search",
            "BM25 over pages before and after cleaning, with queries from titles and from terms of the template",
            "Ma et al. 2003, Figure 2, the shares of templates in Table 1, and switching between two engines.",
            "The paper had 280 user queries judged by people; we make queries of titles and take pages with that "
            "title as relevant. It ranks by Okapi BM25; we do too, and by Lucene's variant.",
            ("bm25s",),
        ),
        Experiment(
            "discovery",
            "how much of the template the chunks find by the number of pages, the time, and pages grouped by template",
            "Ma et al. 2003, Table 2, Figure 3, sections 4.2 and 4.4.",
            "The paper checked tables by hand; we count chunks that the gold calls template. It grouped 1,276 pages of "
            "unnamed templates; we mix pages of several sites, where the site is known.",
        ),
        Experiment(
            "pairs",
            "the methods that compare two pages, against RTDM-TD; time by the size of the tree",
            "Huang 2011, chapter 5: Figures 5.1, 5.2 and 5.5 to 5.15.",
            "The thesis took 500 pairs of each of ten news sites; we draw up to 500 of each site, and compare times of "
            "methods that are all compiled or all plain.",
        ),
    )
}

ALL = "all"

TRAINED_ON = frozenset(
    {"docs", "news-dragnet", "news-daniel", "news-forum", "products", "swde", "dragnet", "l3s", "cleaneval", "daniel"}
    | {"wcxb", "wcxb-dev"}
)
"""Sets with pages that the default weights were trained on, by their names in our layout and as published."""

_NOT_TRAINED_ON = "pages-recipes"
"""All other sets of single pages in our layout count as trained on."""


def chosen(name: str) -> list[Experiment]:
    """The experiment with this name, or all experiments for `all`."""
    return list(EXPERIMENTS.values()) if name == ALL else [EXPERIMENTS[name]]


def run(bench: "Bench", experiments: Iterable[Experiment], output: Path) -> "tuple[list[Ran], list[str]]":
    """Runs experiments; returns their results, and the reasons for those that were skipped.

    Skips experiments that the data is not suited for; raises SourceError if none remains.
    """
    from dehusk.bench.bench_report import Ran, with_views

    ran, unfit = [], []
    for experiment in experiments:
        started = time.perf_counter()
        try:
            result = experiment.run(bench)
        except SourceError as error:
            unfit.append(str(error))
            continue
        result = replace(result, worst=with_views(bench, result.worst, output))
        about = f"{experiment.shows[0].upper()}{experiment.shows[1:]}. {experiment.reruns}"
        ran.append(Ran(experiment.name, about, experiment.differs, result, time.perf_counter() - started))
    if not ran:
        raise SourceError("; ".join(unfit))
    return ran, unfit


def trained_on(ran: "Iterable[Ran]") -> list[str]:
    """Those sets in the results that the default weights were trained on."""
    sets = dict.fromkeys(name for experiment in ran for name in experiment.result.used)
    return [name for name in sets if name in TRAINED_ON or (name.startswith("pages-") and name != _NOT_TRAINED_ON)]
