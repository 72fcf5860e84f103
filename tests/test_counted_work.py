"""The work that cleaning a page takes, counted and not timed: parses, trees, walks over nodes.

A rule that takes the quick way from a site makes cleaning several times as slow, and no other test fails.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
import turbohtml

import dehusk
import demo_site
from dehusk.bench.evaluation.tools import OUTPUTS
from dehusk.kernels import walking
from dehusk.marking.edits import Edit
from dehusk.page import _decoding
from dehusk.render import _markdown, _text

NOTICE = "<p>These words stand on each page of the site: who may copy it, and where to ask for a printed one.</p>"
DEMO = demo_site.pages()


def article(number: int, inside: str = "") -> str:
    said = (
        f"<p>Number {number} tells of boats, {'and of harbours ' * number}, which no other page of the site does.</p>"
    )
    menu = "<nav><ul><li><a href=/>Home</a><li><a href=/b>Boats</a></ul></nav>"
    return f"<!DOCTYPE html><title>{number}</title>{menu}<article><h1>Boat {number}</h1>{said * 4}{inside}</article>"


SITES: dict[str, Sequence[str]] = {
    "shop": [html for name, html in DEMO.items() if name.startswith("shop/")],
    "blog": [html for name, html in DEMO.items() if name.startswith("blog/")],
    "notices": [article(number, NOTICE) for number in range(1, 9)],
    "hidden": [article(number, f"<p hidden>See {number}</p>") for number in range(1, 9)],
    "counts": [article(number, "<p>Replies <b>0</b></p>") for number in range(1, 9)],
    "tables": [article(number, f"<table><tr><th>a<th>b<tr><td>{number}<td>2</table>") for number in range(1, 9)],
    "as XML": [
        "<html><body>" + article(number, '<iframe src="x"/><p>After it.</p>')[15:] + "</body></html>"
        for number in range(1, 9)
    ],
}
QUICK = ("text", "Markdown", "HTML", "row")


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts parses, trees and walks from here on."""
    counted: Counter[str] = Counter()

    def count(module: Any, name: str, what: str) -> None:
        plain: Callable[..., Any] = getattr(module, name)

        def counting(*arguments: Any, **options: Any) -> Any:
            counted[what] += 1
            return plain(*arguments, **options)

        monkeypatch.setattr(module, name, counting)

    parser = type("Parser", (), {"parse": turbohtml.parse})
    monkeypatch.setattr(_decoding, "turbohtml", parser)
    count(parser, "parse", "parses")
    count(walking, "walk", "trees")
    count(_text, "read_html", "readings of markup")
    count(_text, "read", "readings of nodes")
    count(_markdown, "read", "readings of nodes")
    return counted


def clean(template: dehusk.Template, pages: Iterable[str], output: str) -> None:
    for html in pages:
        OUTPUTS[output](template.clean(html.encode()))


@pytest.mark.parametrize("output", QUICK)
@pytest.mark.parametrize("site", SITES)
def test_a_page_is_parsed_once_and_no_tree_is_built(site: str, output: str, work: Counter[str]) -> None:
    pages = SITES[site]
    template = dehusk.learn(pages)
    work.clear()
    clean(template, pages, output)
    assert (work["parses"], work["trees"]) == (len(pages), 0)


@pytest.mark.parametrize("site", SITES)
def test_text_is_read_from_the_markup_once(site: str, work: Counter[str]) -> None:
    pages = SITES[site]
    clean(dehusk.learn(pages), pages, "text")
    assert (work["readings of markup"], work["readings of nodes"]) == (len(pages), 0)


def test_edits_take_no_tree(work: Counter[str]) -> None:
    pages = SITES["blog"]
    template = dehusk.learn(pages)
    for path, keep in (("body > header", True), ("body > main > article", False)):
        template = template.edited(Edit.new(path, keep=keep))
    work.clear()
    clean(template, pages, "text")
    assert (work["parses"], work["trees"]) == (len(pages), 0)


@pytest.mark.parametrize("output", ["parts", "row+parts", "reasons"])
def test_parts_and_reasons_take_one_tree(output: str, work: Counter[str]) -> None:
    pages = SITES["blog"]
    template = dehusk.learn(pages)
    work.clear()
    clean(template, pages, output)
    assert (work["parses"], work["trees"]) == (len(pages), len(pages))


def test_the_counters_count(work: Counter[str]) -> None:
    assert dehusk.Page(article(1)).tree
    assert work == {"parses": 1, "trees": 1}
