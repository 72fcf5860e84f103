"""Content: all methods and other tools, compared with content marked by people."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from statistics import fmean
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._results import TEMEX_NODES, Cell, ExperimentResult, Plot, Table, Worst
from dehusk.bench.evaluation.layouts import _articles as articles
from dehusk.bench.evaluation.layouts._gold import GoldGroup, GoldPage
from dehusk.bench.evaluation.measures import (
    BETTER,
    SCORED,
    TIE,
    WORSE,
    Counts,
    SegmentCounts,
    article_counts,
    article_score,
    bootstrap,
    field_recall,
    is_scorable,
    rouge_lsum,
    segment_counts,
    segment_score,
    set_score,
    share_kept,
    shingle_score,
    snippets,
    verdict,
    word_score,
)
from dehusk.bench.evaluation.tools import SITE_TOOLS
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import (
    ORIGINAL,
    BenchSettings,
    Cache,
    by_assignment,
    gold_key,
    group_key,
    measuring_version,
    method_of,
    missing_tools,
    names,
    texts,
    whole_text,
)
from dehusk.methods import DEFAULT

SCORED_SITES = 120
HOSTS = 80
"""Maximum number of sites of a set, and of hosts of a set of single pages, without --all."""

FEWEST = 6
"""Sites or pages that a verdict needs: even if all of five agree, that happens by chance once in 16 sets."""

WORST = 12
COMPARED_CLEANERS = 5  # cleaners in the plot
PAGE_MEASURES = ("precision", "recall", "f1")

Figures = Mapping[str, Any]
"""The figures of a page and a cleaner, by measure."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A scored page, with figures by cleaner."""

    dataset: str
    group: str
    page: str
    kind: str | None
    language: str | None
    single: bool
    by: Mapping[str, Figures] = field(default_factory=dict)

    @property
    def unit(self) -> tuple[str, ...]:
        """The unit of averaging: the page, or its site."""
        return (self.group, self.page) if self.single else (self.group,)


def run(bench: Bench) -> ExperimentResult:
    """Cleans and scores the pages, and makes the tables."""
    entries = bench.draw(SCORED_SITES, lambda entry: not entry.single) + bench.draw(HOSTS, lambda entry: entry.single)
    measured = partial(measure, bench.settings, names(bench.settings), everything=bench.everything)
    pages = [page for _, scored in bench.map("content", measured, entries) for page in scored]
    if not pages:
        raise SourceError(f"content: no page of {bench.data.root} has gold of 20 words or more")
    sets = list(dict.fromkeys(page.dataset for page in pages))
    tables = [_overview(pages, sets)]
    tables += [_of_kinds(pages, dataset) for dataset in sets if _kinds(pages, dataset)]
    own_measures = (_of_languages(pages), _of_nodes(pages), _of_articles(pages), _of_segments(pages))
    tables += [table for table in own_measures if table]
    tables += [_of_set([page for page in pages if page.dataset == dataset], dataset) for dataset in sets]
    missing = [f"{name} ({package})" for name, package in missing_tools().items()]
    return ExperimentResult(
        _summary(pages, sets),
        tables,
        _plots(pages, sets),
        [*_NOTES, *([f"Not installed, so left out: {', '.join(missing)}."] if missing else [])],
        _worst(pages),
        {dataset: _counted(pages, dataset) for dataset in sets},
        {"pages": [asdict(page) for page in pages]},
    )


_NOTES = [
    f"Means are over sites (of the means of their first {SCORED} pages with gold), or over single pages.",
    "With weights of several assignments of brands to folds, the figures of a page are means over these.",
    "Pages whose gold has fewer than 20 words are left out.",
    "If a tool fails on a page, its text counts as empty. jusText uses the stop words of the page's language.",
    "mdream's rule drops runs of 12 words or more whose 6-word shingles are on half of a site's pages.",
    "Only this rule is run, on the whole text of pages, not mdream itself.",
    "Times are processor time.",
    "Confidence intervals of differences are from 1,000 bootstrap samples; significant if 0 is outside.",
    f"With fewer than {FEWEST} sites or pages, a difference is called a tie.",
    "On single pages only the default of our methods is measured, since the others need a second page, as does mdream.",
]


def measure(
    settings: BenchSettings, cleaners: Sequence[str], group: GoldGroup, *, everything: bool = False
) -> list[Scored]:
    """Scores the first pages of a group by each suitable cleaner; of single pages with `everything`, all."""
    entry = group.entry
    most = None if entry.single and everything else SCORED
    pages = [page for page in group.golden if _by_segments(page) or is_scorable(_gold(page))][:most]
    by_page: list[dict[str, Figures]] = [{} for _ in pages]
    for cleaner in (ORIGINAL, *cleaners):
        method = method_of(cleaner)
        needs_site = cleaner in SITE_TOOLS or bool(method and not method.alone)
        if pages and not (entry.single and needs_site):
            for number, figures in enumerate(_figures(settings, group, cleaner, pages)):
                by_page[number][cleaner] = figures
    return [
        Scored(entry.dataset, entry.name, page.name, page.kind, entry.language, entry.single, by)
        for page, by in zip(pages, by_page, strict=True)
    ]


def _by_segments(page: GoldPage) -> bool:
    """Whether only segments of its content are known."""
    return page.text is None and not page.fields


def _gold(page: GoldPage) -> str | list[str]:
    return page.text if page.text is not None else [value for values in page.fields.values() for value in values]


def _figures(settings: BenchSettings, group: GoldGroup, cleaner: str, pages: Sequence[GoldPage]) -> list[Figures]:
    key = (measuring_version(), cleaner, group_key(settings, group, cleaner), gold_key(pages))
    figures: list[Figures] = Cache(settings.cache).of(partial(_made, settings, group, cleaner, pages), "content", *key)
    return figures


def _made(settings: BenchSettings, group: GoldGroup, cleaner: str, pages: Sequence[GoldPage]) -> list[dict[str, Any]]:
    """The figures of each page; with weights of several assignments, their means."""
    rounds = [_made_once(one, group, cleaner, pages) for one in by_assignment(settings, cleaner)]
    return [_mean_figures(figures) for figures in zip(*rounds, strict=True)]


def _mean_figures(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean of each figure of a page; a page that failed once has failed."""
    first = rounds[0]
    if len(rounds) == 1:
        return first

    def mean_of(values: Sequence[Any]) -> Any:
        if isinstance(values[0], list):
            return [fmean(column) for column in zip(*values, strict=True)]
        return None if values[0] is None else any(values) if isinstance(values[0], bool) else fmean(values)

    measures = [measure for measure in first if all(measure in figures for figures in rounds)]
    return {measure: mean_of([figures[measure] for figures in rounds]) for measure in measures}


def _made_once(
    settings: BenchSettings, group: GoldGroup, cleaner: str, pages: Sequence[GoldPage]
) -> list[dict[str, Any]]:
    made_texts = texts(settings, group, cleaner, pages)
    made = []
    for page, text, seconds, nodes in zip(pages, made_texts.texts, made_texts.cleaning, made_texts.nodes, strict=True):
        figures = _scores(page, text or "") | {"ms": 1000 * seconds, "failed": text is None}
        wanted = page.template() if nodes is not None else None
        if nodes is not None and wanted is not None:
            figures["nodes"] = list(set_score(nodes, wanted))
        if group.entry.dataset == articles.DATASET:
            figures["counts"] = list(article_counts(text or "", page.text or ""))
        made.append(figures | {"learning": made_texts.learning})
    return made


def _scores(page: GoldPage, text: str) -> dict[str, Any]:
    if _by_segments(page):
        counts = segment_counts(text, page.must, page.must_not)
        wrong = counts.missed + counts.wrong
        return {"segments": 1 - wrong / (len(page.must) + len(page.must_not)), "segment counts": list(counts)}
    if page.text is None:
        whole = whole_text(page.html)
        return {"fields": field_recall(text, whole, list(_gold(page))), "text": share_kept(text, whole)}
    shingles, here = shingle_score(text, page.text), snippets(text, page.must, page.must_not)
    return {
        **dict(zip(PAGE_MEASURES, shingles, strict=True)),
        "words": word_score(text, page.text).f1,
        "rouge": rouge_lsum(text, page.text).f1,
        "there": here.there,
        "not there": here.not_there,
    }


def means(pages: Iterable[Scored], cleaner: str, measure: str) -> dict[tuple[str, ...], float]:
    """The mean of a measure for each site or single page that has it."""
    units: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for page in pages:
        value = page.by.get(cleaner, {}).get(measure)
        if value is not None:
            units[page.unit].append(value)
    return {unit: fmean(values) for unit, values in units.items()}


def mean(pages: Iterable[Scored], cleaner: str, measure: str) -> float | None:
    """The mean of a measure over sites or single pages; None if none has it."""
    units = means(pages, cleaner, measure)
    return fmean(units.values()) if units else None


def _cleaners(pages: Iterable[Scored]) -> list[str]:
    return list(dict.fromkeys(cleaner for page in pages for cleaner in page.by))


def _main(pages: Sequence[Scored]) -> str:
    """The main measure of a set."""
    return next(measure for measure in ("fields", "segments", "f1") if measure in pages[0].by[ORIGINAL])


def _of(pages: Iterable[Scored], dataset: str) -> list[Scored]:
    return [page for page in pages if page.dataset == dataset]


def _counted(pages: Iterable[Scored], dataset: str) -> tuple[int, int]:
    own = _of(pages, dataset)
    return len({page.group for page in own}), len(own)


def _overview(pages: Sequence[Scored], sets: Sequence[str]) -> Table:
    by_set = {dataset: _of(pages, dataset) for dataset in sets}
    columns = [[mean(own, cleaner, _main(own)) for own in by_set.values()] for cleaner in _cleaners(pages)]
    rows: list[list[Cell]] = [[cleaner, *means] for cleaner, means in zip(_cleaners(pages), columns, strict=True)]
    heads = [f"{dataset}{' ' * (_main(own) != 'f1')}{_main(own).removeprefix('f1')}" for dataset, own in by_set.items()]
    title = "F1 of 4-word shingles by set; of records, the share of field values kept; of segments, the share right"
    return Table(title, ["cleaner", *heads], rows)


def _of_set(pages: Sequence[Scored], dataset: str) -> Table:
    if _main(pages) == "fields":
        measures = {"fields": "fields kept", "text": "text kept"}
    elif _main(pages) == "segments":
        measures = {"segments": "segments right"}
    else:
        measures = {"f1": "F1", "precision": "precision", "recall": "recall", "words": "F1 of words"}
        measures |= {"rouge": "ROUGE-LSum", "there": "snippets there", "not there": "others not there"}
        measures = {key: name for key, name in measures.items() if mean(pages, ORIGINAL, key) is not None}
    rows: list[list[Cell]] = []
    for cleaner in _cleaners(pages):
        figures = [mean(pages, cleaner, key) for key in measures]
        times = [mean(pages, cleaner, key) for key in ("ms", "learning")]
        rows.append([cleaner, *figures, *(_difference(pages, cleaner)), *times, _failed(pages, cleaner)])
    columns = ["cleaner", *measures.values(), "to the default", "from", "to", "ms a page", "s to learn", "failed"]
    groups, count = _counted(pages, dataset)
    return Table(f"{dataset}: {groups} sites or hosts, {count} pages", columns, rows)


def _difference(pages: Sequence[Scored], cleaner: str) -> list[Cell]:
    """The difference of a cleaner to the default, with its confidence interval."""
    ours, theirs = (means(pages, name, _main(pages)) for name in (DEFAULT, cleaner))
    both = ours.keys() & theirs.keys()
    if cleaner == DEFAULT or not both:
        return [None, None, None]
    return list(bootstrap([theirs[unit] - ours[unit] for unit in sorted(both)]))


def _failed(pages: Iterable[Scored], cleaner: str) -> int:
    return sum(page.by.get(cleaner, {}).get("failed", False) for page in pages)


def _kinds(pages: Iterable[Scored], dataset: str) -> list[str]:
    kinds = sorted({page.kind for page in _of(pages, dataset) if page.kind})
    return kinds if len(kinds) > 1 else []


def _of_kinds(pages: Sequence[Scored], dataset: str) -> Table:
    return _split(_of(pages, dataset), f"{dataset}: F1 by kind of page", lambda page: page.kind)


def _of_languages(pages: Sequence[Scored]) -> Table | None:
    known = [page for page in pages if page.language]
    return _split(known, "F1 by language", lambda page: page.language) if known else None


def _split(pages: Sequence[Scored], title: str, part: Callable[[Scored], str | None]) -> Table:
    parts = sorted({name for page in pages if (name := part(page))})
    split = {name: [page for page in pages if part(page) == name] for name in parts}
    rows: list[list[Cell]] = [
        [cleaner, *(mean(split[name], cleaner, "f1") for name in parts)] for cleaner in _cleaners(pages)
    ]
    return Table(title, ["cleaner", *(f"{name} ({len(split[name])})" for name in parts)], rows)


def _of_nodes(pages: Sequence[Scored]) -> Table | None:
    rows: list[list[Cell]] = []
    for cleaner in _cleaners(pages):
        scores = [page.by[cleaner]["nodes"] for page in pages if "nodes" in page.by.get(cleaner, {})]
        if scores:
            rows.append([cleaner, len(scores), *(fmean(column) for column in zip(*scores, strict=True))])
    columns = ["method", "pages", "precision", "recall", "F1"]
    title = "The template in nodes (Alarte et al. 2015, Table 1)"
    return Table(title, columns, rows, "Mean over pages.", paper=TEMEX_NODES) if rows else None


def _of_articles(pages: Sequence[Scored]) -> Table | None:
    own = _of(pages, articles.DATASET)
    rows: list[list[Cell]] = [
        [cleaner, *article_score(Counts(*page.by[cleaner]["counts"]) for page in own)] for cleaner in _cleaners(own)
    ]
    columns = ["cleaner", "precision", "recall", "F1"]
    return Table("The article-extraction benchmark's own measure", columns, rows) if rows else None


def _of_segments(pages: Sequence[Scored]) -> Table | None:
    own = [page for page in pages if "segment counts" in page.by[ORIGINAL]]
    rows: list[list[Cell]] = []
    for cleaner in _cleaners(own):
        counts = [page.by[cleaner]["segment counts"] for page in own if cleaner in page.by]
        rows.append([cleaner, *segment_score(SegmentCounts(*page) for page in counts)])
    columns = ["cleaner", "precision", "recall", "F1"]
    return Table("Segments over all pages, as in trafilatura's evaluation", columns, rows) if rows else None


def _summary(pages: Sequence[Scored], sets: Sequence[str]) -> list[str]:
    tools = [tool for tool in _cleaners(pages) if tool != ORIGINAL and not method_of(tool)]
    if not tools:
        return ["No other tool is installed to compare with."]
    verdicts: dict[str, list[str]] = {BETTER: [], TIE: [], WORSE: []}
    for dataset in sets:
        own = _of(pages, dataset)
        others = [tool for tool in _cleaners(own) if tool in tools]
        best = max(others, key=lambda tool: mean(own, tool, _main(own)) or 0.0)
        enough = len(means(own, DEFAULT, _main(own))) >= FEWEST
        verdicts[against(_difference(own, best)) if enough else TIE].append(f"{dataset} ({best})")
    figures = "; ".join(f"{name} on {len(named)}, {', '.join(named)}" for name, named in verdicts.items() if named)
    where = f"each of {len(sets)} sets" if len(sets) > 1 else "the set"
    return [f"The default against the best other tool on {where}: {figures}."]


def against(difference: Sequence[Cell]) -> str:
    """What the default is against a tool, by the tool's difference to it; without one, a tie."""
    ours = [-figure for figure in reversed(difference) if isinstance(figure, float)]
    return verdict([ours[-1], *ours[:2]]) if ours else TIE


def _plots(pages: Sequence[Scored], sets: Sequence[str]) -> list[Plot]:
    marked = [dataset for dataset in sets if _main(_of(pages, dataset)) == "f1"]
    own = [page for page in pages if page.dataset in marked]
    if not own:
        return []
    by = {cleaner: [mean(_of(own, dataset), cleaner, "f1") for dataset in marked] for cleaner in _cleaners(own)}
    whole = {cleaner: fmean(v or 0.0 for v in column) for cleaner, column in by.items() if None not in column}
    best = sorted((cleaner for cleaner in whole if not method_of(cleaner)), key=lambda cleaner: -whole[cleaner])
    shown = [DEFAULT, *[cleaner for cleaner in best if cleaner != ORIGINAL][: COMPARED_CLEANERS - 2], ORIGINAL]
    bars = {cleaner: [(float(k), value or 0.0) for k, value in enumerate(by[cleaner])] for cleaner in shown}
    intervals = {cleaner: [_interval(_of(own, dataset), cleaner) for dataset in marked] for cleaner in shown}
    timed = [cleaner for cleaner in whole if cleaner != ORIGINAL]
    speed = {name: [(max(mean(own, name, "ms") or 0.0, 0.01), mean(own, name, "f1") or 0.0)] for name in timed}
    title = "F1 by set with 95% intervals: the default and the best tools"
    return [
        Plot(title, "bars", "", "F1 of shingles", bars, ticks=marked, intervals=intervals),
        Plot("F1 against time, all sets", "points", "milliseconds a page, without learning", "F1", speed, log=True),
    ]


def _interval(pages: Sequence[Scored], cleaner: str) -> tuple[float, float]:
    _, low, high = bootstrap(list(means(pages, cleaner, "f1").values()))
    return low, high


def _worst(pages: Iterable[Scored]) -> list[Worst]:
    """The pages with the lowest scores, each with the tool that is best on it."""
    scored = [page for page in pages if "f1" in page.by.get(DEFAULT, {})]
    few = sorted(scored, key=lambda page: (page.by[DEFAULT]["f1"], page.group, page.page))[:WORST]
    made = []
    for page in few:
        tools = {name: by["f1"] for name, by in page.by.items() if name != ORIGINAL and not method_of(name)}
        best = max(tools, key=tools.__getitem__, default="")
        made.append(Worst(page.dataset, page.group, page.page, page.by[DEFAULT]["f1"], best, tools.get(best, 0.0)))
    return made
