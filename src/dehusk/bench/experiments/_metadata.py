"""Title, author and date: the default method and other tools."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from dehusk.base.errors import SourceError
from dehusk.bench._results import Cell, ExperimentResult, Plot, Table, used_of
from dehusk.bench.evaluation.layouts._gold import GoldGroup, GoldPage
from dehusk.bench.evaluation.measures import said_score, share_interval
from dehusk.bench.evaluation.tools import METADATA, MetadataTool, Said, installed, muted
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import (
    BenchSettings,
    Cache,
    gold_key,
    group_key,
    installed_version,
    learned,
    measuring_version,
    pages_of,
)
from dehusk.methods import DEFAULT

MOST_HOSTS = 600
"""Maximum number of hosts of a set without --all."""
METADATA_FIELDS = ("title", "author", "date")
DAY = 10  # characters of an ISO date without the time


def run(bench: Bench) -> ExperimentResult:
    """Extracts metadata with each tool and counts correct values."""
    entries = bench.draw(MOST_HOSTS, lambda entry: entry.single)
    tools = [DEFAULT, *installed(METADATA)]
    measured = partial(measure, bench.settings, tools)
    groups = [(entry, rows) for entry, rows in bench.map("metadata", measured, entries) if rows]
    if not groups:
        raise SourceError(f"metadata: no page of {bench.data.root} has a title, author or date as gold, as WCXB has")
    total: Counter[str] = Counter()
    for _, counted in groups:
        total.update(counted)
    fields = [field for field in METADATA_FIELDS if total[f"known {field}"]]
    return ExperimentResult(
        [f"{total['pages']} pages. " + " ".join(_said(total, field, tools) for field in fields)],
        [_table(total, field, tools) for field in fields],
        [_plot(total, fields, tools)],
        ["Case, punctuation and the time of day are ignored. Templates are learned from all pages of a host."],
        used=used_of((entry, counted["pages"]) for entry, counted in groups),
        figures={"counts": dict(total)},
    )


def measure(settings: BenchSettings, tools: Sequence[str], group: GoldGroup) -> Counter[str]:
    """Counts how often each tool is right on the pages of a host with gold."""
    pages = [page for page in group.pages if page.title or page.author or page.date]
    counted: Counter[str] = Counter(pages=len(pages)) if pages else Counter()
    for tool in tools if pages else ():
        version = "" if tool == DEFAULT else installed_version(METADATA[tool][0])
        key = ("metadata", measuring_version(), tool, version, group_key(settings, group, DEFAULT), gold_key(pages))
        said = Cache(settings.cache).of(partial(_read, settings, group, pages, tool), *key)
        for page, stated in zip(pages, said, strict=True):
            _count(counted, page, stated, tool)
    for page in pages:
        for field in METADATA_FIELDS:
            counted[f"{'known' if gold(page, field) else 'unknown'} {field}"] += 1
    return counted


def gold(page: GoldPage, field: str) -> str:
    """The gold value of a field; of a date only the day."""
    value = str(getattr(page, field) or "")
    return value[:DAY] if field == "date" else value


def _read(settings: BenchSettings, group: GoldGroup, pages: Sequence[GoldPage], tool: str) -> list[Said]:
    if tool != DEFAULT:
        ready = installed({tool: METADATA[tool]})[tool]
        return [_by_tool(ready, page) for page in pages]
    template = learned(settings, group, DEFAULT)
    read = [template.clean(page).metadata for page in pages_of(pages)]
    return [{"title": metadata.title, "author": metadata.author, "date": metadata.date} for metadata in read]


def _by_tool(tool: MetadataTool, page: GoldPage) -> Said:
    try:
        with muted():
            return tool(page.html, page.url)
    except Exception:  # noqa: BLE001  # other tools may raise anything
        return dict.fromkeys(METADATA_FIELDS)


def _count(counted: Counter[str], page: GoldPage, said: Mapping[str, Any], tool: str) -> None:
    for field in METADATA_FIELDS:
        value = str(said[field] or "")
        wanted, stated = gold(page, field), value[:DAY] if field == "date" else value
        if not wanted:
            counted[f"{tool} given {field}"] += bool(stated)
            continue
        score = said_score(stated, wanted)
        for verdict, right in score._asdict().items():
            counted[f"{tool} {verdict} {field}"] += right


def _table(total: Counter[str], field: str, tools: Sequence[str]) -> Table:
    rows: list[list[Cell]] = []
    known, unknown = total[f"known {field}"], total[f"unknown {field}"]
    for tool in tools:
        shares = [total[f"{tool} {verdict} {field}"] / known for verdict in ("exact", "partly", "missing")]
        rows.append([tool, *shares, total[f"{tool} given {field}"] / unknown if unknown else None])
    columns = ["tool", "exact", "by half of the words", "missing", "given without gold"]
    return Table(f"{field.capitalize()}: {known} pages with gold, {unknown} without", columns, rows)


def _plot(total: Counter[str], fields: Sequence[str], tools: Sequence[str]) -> Plot:
    counts = {tool: [(total[f"{tool} exact {field}"], total[f"known {field}"]) for field in fields] for tool in tools}
    return Plot(
        "Share that is exactly right, with 95% intervals",
        "bars",
        "",
        "share of pages with gold",
        {tool: [(float(k), right / known) for k, (right, known) in enumerate(own)] for tool, own in counts.items()},
        ticks=fields,
        intervals={tool: [share_interval(right, known) for right, known in own] for tool, own in counts.items()},
    )


def _said(total: Counter[str], field: str, tools: Sequence[str]) -> str:
    shares = {tool: total[f"{tool} exact {field}"] / total[f"known {field}"] for tool in tools}
    others = ", ".join(f"{tool} {share:.3f}" for tool, share in shares.items() if tool != DEFAULT)
    return f"{field.capitalize()} right: {shares[DEFAULT]:.3f} by the default{f' ({others})' if others else ''}."
