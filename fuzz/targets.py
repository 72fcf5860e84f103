"""Fuzz targets: functions of bytes that raise if a guarantee is broken. They need no fuzzer: tests call them too."""

import io
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from html import escape
from pathlib import Path
from typing import cast
from urllib.parse import unquote

import httpx
from protego import Protego
from turbohtml import Element

import dehusk
from dehusk import render
from dehusk.base.errors import DehuskError, FetchError, Skipped
from dehusk.base.tree import letters
from dehusk.base.urls import host, joined, normal
from dehusk.jobs.store import Store
from dehusk.kernels import plain_text
from dehusk.kernels.reading import read, read_html
from dehusk.marking.marking import Marking
from dehusk.methods import METHODS
from dehusk.outputs.target import file_names, url_file
from dehusk.page import Page
from dehusk.page.elements import attribute, html_of, text_of
from dehusk.render._addresses import is_safe
from dehusk.render._pictures import EMBEDDED
from dehusk.render.views import content_html, template_html
from dehusk.sources._sitemap import Sitemap
from dehusk.sources.jsonl import JsonLines
from dehusk.sources.parquet import ParquetSource
from dehusk.sources.wacz import Wacz
from dehusk.sources.warc import archived
from dehusk.sources.web._network import Refused
from dehusk.sources.web.bodies import BodyError, decompressed, unchunked
from dehusk.sources.web.crawl import Fetcher, requested
from dehusk.templates.links import links
from dehusk.templates.posts import posts_of
from dehusk.templates.template import Template
from pages import page_of, pages_of
from promises import changed, holds, memory
from routes import route
from seeds import SITE, stored

TIMES = 12
"""The output for a page is at most this many times as long as the page, plus a constant."""
BEGINNING = 3000
LIMIT = 1 << 16
"""The largest page from an archive, in bytes."""

_ENCODINGS = (
    None,
    "utf-8",
    "utf-16",
    "latin-1",
    "windows-1251",
    "shift_jis",
    "gb18030",
    "iso-2022-jp",
    "utf-7",
    "x-no",
)
_RUNNING = frozenset({"script", "iframe", "frame", "object", "embed", "applet", "link", "svg", "template"})
_ADDRESSES = frozenset({"href", "action", "formaction", "data", "xlink:href"})
_CODINGS = ("gzip", "deflate", "br", "zstd", "identity")


def most(html: str) -> int:
    """The maximum length of the output for a page."""
    return TIMES * len(html.encode("utf-8", "replace")) + BEGINNING


def parse(data: bytes) -> None:
    """Any bytes with any declared charset are a page."""
    page = Page(data[1:], encoding=_ENCODINGS[data[0] % len(_ENCODINGS)] if data else None)
    text = render.text(page, [])
    holds("text is a small multiple of the page", len(text) <= TIMES * len(data) + BEGINNING)
    holds("text can be written", text.encode("utf-8", "strict") or True)
    holds("all of it is in the tree", len(page.nodes) == len(page.tree))
    dehusk.clean(page).metadata  # noqa: B018  # computed on access


def write(data: bytes) -> None:
    """One page in every format: bounded output, an unchanged document, and the same result twice."""
    html = page_of(data)
    page = Page(html, url="https://e.example/page")
    before = html_of(page.whole)
    unseen = render.unseen(page, [])
    for writer in (render.text, render.markdown, render.html):
        written = writer(page, unseen)
        holds(f"{writer.__name__} is a small multiple", len(written) <= most(html))
        holds(f"{writer.__name__} again is the same", writer(page, unseen) == written)
    holds("the document is as it was", html_of(page.whole) == before)
    markup = read_html(html_of(page.body))
    holds(
        "markup is read as its nodes are",
        markup is None or plain_text.write(markup) == plain_text.write(read(page.body)),
    )
    safe = render.html(page, unseen)
    again = Page(safe, url="https://e.example/page")
    holds("HTML runs and loads nothing", not _run(safe))
    holds("no tag is shown as text", _said(again).count("<") <= (_said(page) + _called(page)).count("<"))
    twice = render.html(again, render.unseen(again, []))
    holds("HTML of HTML says the same", "".join(twice.split()) == "".join(safe.split()))


def _said(page: Page) -> str:
    return text_of(page.body)


def _called(page: Page) -> str:
    """What the pictures of a page may be called: pictures are links with these words."""
    names = ("alt", "title", "src", "data-src", "data-original")
    return unquote(" ".join(filter(None, (attribute(image, name) for image in page.select("img") for name in names))))


def _run(html: str) -> bool:
    """Whether anything in a page would run or load something."""
    return any(map(_runs, cast("list[Element]", Page(html).select("*"))))


def _runs(element: Element) -> bool:
    """Whether an element would run or load something."""
    names = [name.lower() for name in element.attrs]
    named = any(name.startswith("on") or name in ("srcdoc", "srcset") for name in names)
    safe = all(is_safe(element.attr(name) or "") for name in names if name in _ADDRESSES)
    loads = "src" in names and not EMBEDDED.match(element.attr("src") or "")
    return element.tag in _RUNNING or named or not safe or loads


def clean(data: bytes) -> None:
    """Learns from a few pages, by each method in turn, and cleans one of them in both ways."""
    method = list(METHODS)[data[0] % len(METHODS)] if data else "evidence"
    htmls = pages_of(data[1:])
    page = Page(htmls[0])
    try:
        template = dehusk.learn(map(Page, htmls), method=method)
    except DehuskError:
        return
    cleaned = template.clean(page)
    text, marking = cleaned.text, cleaned.marking
    _makes_up(page, marking)
    holds("text is a small multiple", len(text) <= most(htmls[0]))
    marked = render.unseen(page, [page.nodes[node] for node in marking.topmost])
    posts = posts_of(page, marked, cleaned.kind, signed=False)
    holds("marking does the same", render.text(page, marked, posts=posts) == text)
    holds("shares are shares", 0 <= cleaned.share_removed <= 1 and 0 <= cleaned.fit <= 1)
    loaded = Template.from_json(json.loads(json.dumps(template.to_json())))
    holds("a loaded template does the same", loaded.clean(Page(htmls[0])).text == text)


def _makes_up(page: Page, marking: Marking) -> None:
    """The removed and the kept parts make up the page."""
    tree = page.tree
    inside = bytearray(len(tree))
    for node in marking.topmost:
        holds("the topmost are apart", not any(inside[node : node + tree.size[node]]))
        inside[node : node + tree.size[node]] = b"\1" * tree.size[node]
    texts = [node for node, text in enumerate(tree.text) if text]
    holds("a text is removed or kept", all(bool(inside[node]) == bool(marking.flags[node]) for node in texts))
    gone = sum(letters(tree.text[node]) for node in texts if inside[node])
    kept = sum(letters(tree.text[node]) for node in texts if not marking.flags[node])
    holds("they make up the page", gone + kept == sum(map(letters, tree.text)))


def tell(data: bytes) -> None:
    """Parts, reasons, metadata and views of a page, with the template of any site."""
    html = page_of(data)
    cleaned = _site().clean(Page(html, url="https://e.example/page"))
    parts, removed = cleaned.parts, cleaned.removed
    holds("parts are bounded", sum(len(part.text) + len(part.markdown) for part in parts) <= 2 * most(html))
    holds("what is removed is bounded", sum(len(one.text) for one in removed) <= most(html))
    holds(
        "shares are shares",
        all(0 <= sure <= 1 for sure in [one.confidence for one in parts] + [one.confidence for one in removed]),
    )
    holds("metadata can be written", json.dumps(asdict(cleaned.metadata)).encode("utf-8", "strict"))
    for view in (template_html(cleaned.marking), content_html(cleaned.marking)):
        holds("a view is bounded", len(view) <= 2 * most(html))
        holds("a view runs nothing", not _run(view))


def compare(data: bytes) -> None:
    """Two versions of a page: what changed, as data and as HTML."""
    old, new, *_ = *pages_of(data), ""
    found = dehusk.diff(Page(old), Page(new))
    holds("what changed is bounded", sum(len(one.before) + len(one.after) for one in found.changes) <= most(old + new))
    holds("what changed can be written", found.json.encode("utf-8", "strict"))
    holds("a view is bounded", len(found.html) <= 2 * most(old + new))
    holds("a view runs nothing", not _run(found.html))
    holds("a page is as it is", not dehusk.diff(Page(old), Page(old)).changes)


def template(data: bytes) -> None:
    """A template file with unusual values: it is refused with one line, or it cleans."""
    if not data:
        return
    learned = _learned()
    loads(json.dumps(changed(json.loads(learned[data[0] % len(learned)]), data[1:])))


def template_text(data: bytes) -> None:
    """A template file of random bytes."""
    loads(data.decode("utf-8", "replace"))


def loads(text: str) -> None:
    """A template from JSON: it is refused with one line, or it cleans."""
    try:
        loaded = Template.from_json(json.loads(text))
    except (DehuskError, ValueError, RecursionError):
        return
    cleaned = loaded.clean(SITE[0])
    cleaned.text, cleaned.markdown, cleaned.metadata, cleaned.removed, cleaned.fit  # noqa: B018
    json.dumps(loaded.to_json())


@cache
def _site() -> Template:
    return dehusk.learn(SITE)


@cache
def _learned() -> list[str]:
    return [json.dumps(dehusk.learn(SITE, method=name).to_json()) for name in METHODS]


def store(data: bytes) -> None:
    """A store with changed bytes: it is refused with one line, or it gives templates."""
    whole = bytearray(stored())
    for change in range(0, len(data) - 3, 4):
        at = int.from_bytes(data[change : change + 3], "big") % len(whole)
        whole[at] = data[change + 3]
    with _file(bytes(whole), ".store") as path, suppress(DehuskError), Store(path, create=False) as opened:
        for site in list(opened.sites()):
            opened.versions(site)
            opened.template(site).clean(SITE[0])


def archive(data: bytes) -> None:
    """A WARC of random bytes: at most as many pages and skipped records as bytes."""
    _items(archived(io.BytesIO(data), "x", limit=LIMIT), data)


def zipped(data: bytes) -> None:
    """A WACZ of random bytes."""
    with _file(data, ".wacz") as path:
        _items(Wacz(path, limit=LIMIT), data)


def lines(data: bytes) -> None:
    """JSON Lines of random bytes."""
    with _file(data, ".jsonl") as path:
        _items(JsonLines(path, limit=LIMIT), data)


def parquet(data: bytes) -> None:
    """A Parquet file of random bytes."""
    with _file(data, ".parquet") as path, suppress(DehuskError):
        _items(ParquetSource(path, limit=LIMIT), data)


def _items(items: Iterable[Page | Skipped], data: bytes) -> None:
    for number, item in enumerate(items):
        holds("there are no more items than bytes", number <= len(data))
        holds("a page is within the limit", isinstance(item, Skipped) or len(item.html) <= LIMIT)
        holds("an item has a name", isinstance(item.name, str))


def body(data: bytes) -> None:
    """The body of a response, compressed and chunked."""
    if not data:
        return
    codings = [name for number, name in enumerate(_CODINGS) if data[0] >> number & 1]
    try:
        made = decompressed(unchunked(data[1:]), codings, LIMIT)
    except BodyError:
        return
    holds("a body is within the limit", len(made) <= max(LIMIT, len(data)))


def address(data: bytes) -> None:
    """A URL of any characters: its file name stays in the folder and can be created."""
    url = data.decode("utf-8", "surrogateescape")
    host(url)
    normal(url)
    for file in (url_file(url, ".txt"), *file_names([url], ".txt").values()) if url.strip("/.") else ():
        steps = file.split("/")
        holds("a name stays in its folder", ".." not in steps and "\0" not in url_file(url, ".txt"))
    steps = url_file(url, ".txt").split("/")
    holds("a name fits a file system", all(len(step.encode("utf-8", "surrogateescape")) <= 255 for step in steps))


def linked(data: bytes) -> None:
    """Any two texts as a link and the URL of its page: read in every way, they raise nothing but our own errors."""
    link, _, base = data.decode("utf-8", "surrogateescape").partition("\n")
    whole = joined(base, link)
    for url in (link, base, whole or ""):
        target = _target(url)
        with suppress(Refused):
            requested(link, target)
        holds("a normal URL is normal", normal(normal(url) or "") == normal(url))
        holds("robots.txt has an opinion", target is None or _ROBOTS.can_fetch(str(target), "dehusk") in (True, False))
    quoted = escape(link)
    html = (
        f'<base href="{quoted}"><link rel=canonical href="{quoted}"><link rel=stylesheet href="{quoted}">'
        f'<h1>A</h1><p><a href="{quoted}">b</a> <img src="{quoted}"> <img src="{quoted}" alt=c></p>'
    )
    for page in (Page(html, url=base), Page(html.partition(">")[2], url=base, name=link)):
        cleaned = dehusk.clean(page)
        for text in (cleaned.text, cleaned.markdown, cleaned.html, json.dumps(asdict(cleaned.metadata))):
            holds("output is bounded", len(text) <= most(html + base))
        links(page)
        url_file(base, ".txt")
    entries = f"<urlset><url><loc>{escape(link)}</loc></url></urlset>".encode("utf-8", "replace")
    with suppress(DehuskError):
        for item in Sitemap("http://e.example/sitemap.xml", cast("Fetcher", _Given(entries))):
            holds("an entry is a page or skipped", isinstance(item, Skipped))


_ROBOTS = Protego.parse("User-agent: *\nDisallow: /a*b$\nDisallow: //[\n")


def _target(url: str) -> httpx.URL | None:
    with suppress(Refused):
        return requested(url)
    return None


class _Given:
    """A fetcher that gives one sitemap and refuses every page."""

    max_pages = 10

    def __init__(self, data: bytes) -> None:
        self._data = data

    def download(self, url: str, *, max_bytes: int) -> bytes:
        return self._data if url.endswith("sitemap.xml") and len(self._data) <= max_bytes else b""

    def fetch(self, url: str) -> Page:
        raise FetchError(url, "refused")


class _file:  # noqa: N801  # a context, used like a function
    """A temporary file, in memory if possible."""

    def __init__(self, data: bytes, suffix: str) -> None:
        self._folder = tempfile.TemporaryDirectory(dir=memory())
        self._path = Path(self._folder.name) / f"x{suffix}"
        self._path.write_bytes(data)

    def __enter__(self) -> Path:
        return self._path

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    one.__name__: one
    for one in (
        *(parse, write, clean, tell, compare, template, template_text, store),
        *(archive, zipped, lines, parquet, body, address, linked, route),
    )
}
"""All targets by name."""
