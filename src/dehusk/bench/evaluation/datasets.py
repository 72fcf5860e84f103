"""Real sites and pages with gold, in the folders of one data set, and which of them belong together.

    docs/SITE                a manual: `site.json` names the CSS selector of the content
    manuals/SITE             more manuals, a set of its own
    news/SET-SITE            articles or threads: `gold/PAGE.txt` is the text of the content
    products/VERTICAL/SITE   records: `gold.json` has the field values of each page; where there is a `pairs.json`, it
                             has every label of a page with its values
    pages/SET.jsonl.gz       single pages: `url`, `html`, `text`, and what else is known of each; recipes have `fields`
                             and no `text`

A folder that lacks its gold is left out: it may be of a kind that is not known here.
"""

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from dehusk.page import Page
from dehusk.page.elements import attribute, plain_text

FOLDS = 5
"""Parts of the sites that take turns to be left out of a training."""

SELECTED = ("docs", "manuals")
"""The sets of manuals: their gold is what a selector picks."""

NEVER_TRAINED_ON = frozenset({"arstechnica", "bbc", "cnn", "forbes", "foxnews", "latimes", "nymag", "nypost", "yahoo"})
"""The brands of Big9, which is for research only."""

_SETS = re.compile(r"(?:big9|dragnet|forum)-(?P<host>.+)|daniel-(?P<daniel>.+)-[a-z]{2}")
_SHARED = frozenset({"livejournal.com", "posterous.com", "substack.com", "tumblr.com", "typepad.com", "wordpress.com"})
"""Hosts of other people's sites that the list of public suffixes does not name."""
_PORTALS = frozenset({"in.com"})
"""Domains whose sub-domains are sites of their own name."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site of a data set. `gold` maps each page to its content's text, or to its field values."""

    kind: str
    name: str
    pages: Path
    gold: Mapping[Path, str] | Mapping[Path, list[str]]

    @property
    def path(self) -> str:
        """The site's folder, as seen from that of the data set."""
        return f"{self.kind.partition('-')[0]}/{self.name}"


@dataclass(frozen=True, slots=True)
class SinglePage:
    """A page of a set of single pages. `snippets` must be in its content, `not_snippets` must not.

    `text` is None where nobody wrote it down: then `fields` has values that are content, and nothing is known of the
    rest.
    """

    dataset: str
    url: str
    html: str
    text: str | None
    kind: str | None
    title: str | None
    author: str | None
    date: str | None
    snippets: tuple[str, ...]
    not_snippets: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    language: str | None

    @classmethod
    def of(cls, dataset: str, row: Mapping[str, Any]) -> Self:
        """A page as a line of its file has it. Raises KeyError where it has no gold."""
        fields = {name: tuple(values) for name, values in (row.get("fields") or {}).items() if values}
        return cls(
            dataset,
            row["url"],
            row["html"],
            row.get("text") if fields else row["text"],
            row.get("type"),
            row.get("title"),
            row.get("author"),
            row.get("date"),
            tuple(row.get("with") or ()),
            tuple(row.get("without") or ()),
            fields,
            row.get("language"),
        )

    @property
    def gold(self) -> str | list[str]:
        """The text of its content or, where that is not known, its field values."""
        return self.text if self.text is not None else [value for values in self.fields.values() for value in values]


def sites(root: Path, *datasets: str) -> Iterator[Site]:
    """The sites of these kinds, of all if none is named, one in memory at a time."""
    readers: dict[str, Callable[[Path], _Gold]] = {**dict.fromkeys(SELECTED, _selected), "products": _fields}
    for dataset, name, folder in site_folders(root):
        if not datasets or dataset in datasets:
            yield Site(dataset, name, folder / "pages", readers.get(dataset, _texts)(folder))


def site_folders(root: Path) -> Iterator[tuple[str, str, Path]]:
    """The kind, the name and the folder of each site that has gold."""
    for dataset in SELECTED:
        for file in sorted(root.glob(f"{dataset}/*/site.json")):
            yield dataset, file.parent.name, file.parent
    for folder in sorted(root.glob("news/*/gold")):
        name = folder.parent.name
        yield f"news-{name.partition('-')[0]}", name, folder.parent
    for file in sorted(root.glob("products/*/*/gold.json")):
        yield "products", f"{file.parent.parent.name}/{file.parent.name}", file.parent


def page_files(dataset: str, folder: Path) -> list[Path]:
    """The pages of a site, in order. A manual's may be in folders, and have any name."""
    pages = folder / "pages"
    return sorted(filter(Path.is_file, pages.rglob("*") if dataset in SELECTED else pages.glob("*.html")))


def single_pages(root: Path, *names: str) -> Iterator[SinglePage]:
    """The single pages of these sets, of all if none is named, one in memory at a time."""
    for file in sorted((root / "pages").glob("*.jsonl.gz")):
        name = file.name.removesuffix(".jsonl.gz")
        if not names or name in names:
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                yield from (SinglePage.of(name, json.loads(line)) for line in lines)


def content_selector(folder: Path) -> str:
    """The CSS selector of the content, of a site that has one."""
    return str(json.loads((folder / "site.json").read_text("utf-8"))["content_selector"])


def gold_text(file: Path) -> str:
    """The text of a gold file, in whichever of the usual encodings it is, with the usual ends of lines."""
    return _decoded(file.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")


def page_text(folder: Path, page: Path) -> str:
    """What people copied from a page of a site of news or threads."""
    return gold_text(folder / "gold" / f"{page.stem}.txt")


def field_values(folder: Path) -> Mapping[str, Mapping[str, list[str]]]:
    """The values of each field of the pages of a site of records, by the name of a page without its suffix."""
    values: Mapping[str, Mapping[str, list[str]]] = json.loads((folder / "gold.json").read_text("utf-8"))
    return values


def label_values(folder: Path) -> Mapping[str, Mapping[str, list[str]]]:
    """Every label of the pages of a site of records with its values, by page as `field_values` has them.

    {} where nobody wrote them down. A label has the headings above it before " | ". `topic_entity_name` is no label: it
    is what the page is about.
    """
    file = folder / "pairs.json"
    pairs = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {
        page: {unescape(label): list(map(unescape, values)) for label, values in labels.items()}
        for page, labels in pairs.items()
    }


def selected(page: Page, selector: str) -> str:
    """The text of what a selector picks."""
    return "\n".join(plain_text(element) for element in page.select(selector))


def inside(page: Page, selector: str) -> bytearray:
    """Flags of the nodes of a page's tree that are in what a selector picks."""
    tree, nodes = page.tree, page.nodes
    chosen = set(page.select(selector))
    flags = bytearray(len(tree))
    for node in range(len(tree)):
        flags[node] = nodes[node] in chosen or (node > 0 and flags[tree.parent[node]])
    return flags


def brand(name: str) -> str:
    """Whose site it is, by the name of a site or of a host. Sites of one brand are left out together.

    Of a host it is the name that somebody registered, whatever country it is registered in. Sites on a shared host
    keep their sub-domain.
    """
    known = _SETS.fullmatch(name)
    host = (known["host"] or known["daniel"] if known else name.rpartition("/")[2]).lower().rstrip(".")
    if "." not in host:
        return host.partition("-")[0]
    registered = _registered(host)
    if registered is None:  # no host of the public web
        return host.rpartition(".")[2]
    portal = next((portal for portal in _PORTALS if registered.endswith(f".{portal}")), None)
    # What registrars sell names under; a host that many people share is none.
    suffix = portal or _suffixes(only_icann=True).publicsuffix(registered)
    return registered.removesuffix(f".{suffix}")


def page_brand(html: str | bytes, url: str) -> str:
    """Whose page it is: by its address or, where that is made up, by what the page says of itself.

    That is its canonical address, else the brand that it links to most.
    """
    if host := _host(url):
        return brand(host)
    page = Page(html)
    stated = [
        *(attribute(link, "href") for link in page.select('link[rel~="canonical"]')),
        *(attribute(meta, "content") for meta in page.select('meta[property="og:url"]')),
    ]
    for address in stated:
        if host := _host(address):
            return brand(host)
    linked = Counter(brand(host) for link in page.select("a[href]") if (host := _host(attribute(link, "href"))))
    return linked.most_common(1)[0][0] if linked else urlsplit(url).hostname or url


def may_train_on(name: str) -> bool:
    """Whether a site, or the pages of a brand, may be trained on."""
    return brand(name) not in NEVER_TRAINED_ON


def fold(name: str, assignment: int | str, folds: int = FOLDS) -> int:
    """The fold of a site, in one of several assignments."""
    return fold_of_brand(brand(name), assignment, folds)


def fold_of_brand(owner: str, assignment: int | str, folds: int = FOLDS) -> int:
    """The fold of all sites and pages of a brand, in one of several assignments."""
    return int(hashlib.blake2b(f"{assignment} {owner}".encode(), digest_size=8).hexdigest(), 16) % folds


def _registered(host: str) -> str | None:
    """The part of a host that one owner has; None if no public suffix is known."""
    for above in _SHARED | _PORTALS:
        if host.endswith(f".{above}"):
            return f"{host.removesuffix(f'.{above}').rpartition('.')[2]}.{above}"
    return _suffixes().privatesuffix(host) or _suffixes(only_icann=True).privatesuffix(host)


@cache
def _suffixes(*, only_icann: bool = False) -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=only_icann)


def _host(url: str | None) -> str | None:
    """The host of an absolute address; None if there is none, or it is made up."""
    try:
        parts = urlsplit((url or "").strip())
        host = parts.hostname if parts.scheme in ("", "http", "https") else None
    except ValueError:  # an address that is none
        return None
    return host if host and "." in host and not host.endswith(".invalid") else None


_Gold = Mapping[Path, str] | Mapping[Path, list[str]]


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _selected(folder: Path) -> dict[Path, str]:
    selector = content_selector(folder)
    return {file: selected(Page(file.read_bytes()), selector) for file in page_files("docs", folder)}


def _texts(folder: Path) -> dict[Path, str]:
    return {file: page_text(folder, file) for file in page_files("news", folder)}


def _fields(folder: Path) -> dict[Path, list[str]]:
    gold = field_values(folder)
    files = page_files("products", folder)
    return {file: [value for values in gold[file.stem].values() for value in values] for file in files}
