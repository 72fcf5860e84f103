"""Views of the pages that came out worst: each with its template tinted, as a file beside the report."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from dehusk.base.files import written_whole
from dehusk.bench._results import Worst
from dehusk.bench.cache import Cache
from dehusk.bench.evaluation.layouts._gold import GoldGroup
from dehusk.bench.measuring import Bench
from dehusk.bench.texts import BenchSettings, code_version, group_key, learned, pages_of
from dehusk.marking.marking import Marking
from dehusk.methods import DEFAULT
from dehusk.render import numbered_html
from dehusk.render.views import REMOVED

FOLDER = "views"

_TINT = f"<style>[{REMOVED}]{{background:#f4b8a8!important;outline:1px solid #d9694f;opacity:.75}}</style>"


def tinted(marking: Marking) -> str:
    """The page with all that goes tinted. It loads nothing and runs nothing."""
    page = numbered_html(marking, [(node, True) for node in marking.topmost])
    return page.replace("</head>", f"{_TINT}</head>", 1)


def with_views(bench: Bench, worst: Sequence[Worst], output: Path) -> list[Worst]:
    """The same pages, each with the file that its view was written to."""
    wanted = defaultdict(list)
    for one in worst:
        wanted[one.dataset, one.group].append(one.page)
    entries = [entry for entry in bench.data.entries if (entry.dataset, entry.name) in wanted]
    written: dict[tuple[str, str, str], str] = {}
    for group in bench.groups(entries):
        key = (group.entry.dataset, group.entry.name)
        parts = ("views", code_version(), *group_key(bench.settings, group, DEFAULT), wanted[key])
        views = Cache(bench.settings.cache).of(partial(_views, bench.settings, group, wanted[key]), *parts)
        for page, view in views.items():
            name = hashlib.blake2b("\n".join((*key, page)).encode(), digest_size=6).hexdigest()
            with written_whole(output / FOLDER / f"{name}.html") as file:
                file.write(view)
            written[*key, page] = f"{FOLDER}/{name}.html"
    return [replace(one, view=written.get((one.dataset, one.group, one.page), "")) for one in worst]


def _views(settings: BenchSettings, group: GoldGroup, wanted: Sequence[str]) -> dict[str, str]:
    template = learned(settings, group, DEFAULT)
    return {str(page.name): tinted(template.mark(page)) for page in pages_of(group.pages) if page.name in wanted}
