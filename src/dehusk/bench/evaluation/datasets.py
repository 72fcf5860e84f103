"""Sites and pages with gold in the folders of a data set, and their brands and folds for cross-validation.

    docs/SITE                a manual: `site.json` names the CSS selector of the content
    manuals/SITE             more manuals, as a separate set
    news/SET-SITE            articles or threads: `gold/PAGE.txt` is the text of the content
    products/VERTICAL/SITE   records: `gold.json` has the field values of each page; `pairs.json`, if there is one, has
                             every label of a page with its values
    pages/SET.jsonl.gz       single pages: `url`, `html`, `text`, and other fields; recipes have `fields` and no `text`

Folders without gold are ignored.
"""

import gzip
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, Self

from publicsuffixlist import PublicSuffixList

from dehusk.base import fields, urls
from dehusk.page import Page
from dehusk.page.elements import attribute, plain_text

FOLDS = 5
"""Number of folds in cross-validation."""

SELECTED = ("docs", "manuals")
"""The sets whose gold is the content selected by a CSS selector."""

NEVER_TRAINED_ON = frozenset({"arstechnica", "bbc", "cnn", "forbes", "foxnews", "latimes", "nymag", "nypost", "yahoo"})
"""The brands of Big9, which is licensed for research only."""

_SETS = re.compile(r"(?:big9|dragnet|forum)-(?P<host>.+)|daniel-(?P<daniel>.+)-[a-z]{2}")
_SHARED = frozenset({"livejournal.com", "posterous.com", "substack.com", "tumblr.com", "typepad.com", "wordpress.com"})
"""Hosting domains that are missing in the list of public suffixes."""
_LANGUAGES = frozenset({"perl", "python", "ruby"})
"""Words that name the language of a library in the names of manuals, so that the next word names the project."""
_PORTALS = frozenset({"in.com"})
"""Domains whose sub-domains are separate brands."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site of a data set. `gold` maps each page to the text of its content, or to its field values."""

    kind: str
    name: str
    pages: Path
    gold: Mapping[Path, str] | Mapping[Path, list[str]]

    @property
    def path(self) -> str:
        """The site's folder, relative to the data set."""
        return f"{self.kind.partition('-')[0]}/{self.name}"


@dataclass(frozen=True, slots=True)
class SinglePage:
    """A page of a set of single pages. `snippets` must be in its content; `not_snippets` must not.

    If `text` is None, only the values in `fields` are known to be content; the rest of the page is unknown.
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
        """The page of a line (parsed JSON) of its file. Raises KeyError if it has no gold."""
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
        """The text of its content or, if unknown, its field values."""
        return self.text if self.text is not None else [value for values in self.fields.values() for value in values]


def sites(root: Path, *datasets: str) -> Iterator[Site]:
    """The sites of these sets, or of all sets; one in memory at a time."""
    readers: dict[str, Callable[[Path], _Gold]] = {**dict.fromkeys(SELECTED, _selected), "products": _fields}
    for dataset, name, folder in site_folders(root):
        if not datasets or dataset in datasets:
            yield Site(dataset, name, folder / "pages", readers.get(dataset, _texts)(folder))


def site_folders(root: Path) -> Iterator[tuple[str, str, Path]]:
    """The set, name and folder of each site with gold."""
    for dataset in SELECTED:
        for file in sorted(root.glob(f"{dataset}/*/site.json")):
            yield dataset, file.parent.name, file.parent
    for folder in sorted(root.glob("news/*/gold")):
        name = folder.parent.name
        yield f"news-{name.partition('-')[0]}", name, folder.parent
    for file in sorted(root.glob("products/*/*/gold.json")):
        yield "products", f"{file.parent.parent.name}/{file.parent.name}", file.parent


def page_files(dataset: str, folder: Path) -> list[Path]:
    """The pages of a site, sorted. Those of manuals may be in subfolders and have any name."""
    pages = folder / "pages"
    return sorted(filter(Path.is_file, pages.rglob("*") if dataset in SELECTED else pages.glob("*.html")))


def single_pages(root: Path, *names: str) -> Iterator[SinglePage]:
    """The single pages of these sets, or of all sets; one in memory at a time."""
    for file in sorted((root / "pages").glob("*.jsonl.gz")):
        name = file.name.removesuffix(".jsonl.gz")
        if not names or name in names:
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                yield from (SinglePage.of(name, fields.parsed(line)) for line in lines)


def content_selector(folder: Path) -> str:
    """The CSS selector of the content of a site of manuals."""
    return str(fields.parsed((folder / "site.json").read_text("utf-8"))["content_selector"])


def gold_text(file: Path) -> str:
    """The text of a gold file in UTF-8, UTF-16 or Windows-1252, with normalized line ends."""
    return _decoded(file.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")


def page_text(folder: Path, page: Path) -> str:
    """The gold text of a page of a site of articles or threads."""
    return gold_text(folder / "gold" / f"{page.stem}.txt")


def field_values(folder: Path) -> Mapping[str, Mapping[str, list[str]]]:
    """The field values of each page of a site of records, by page name without suffix."""
    values: Mapping[str, Mapping[str, list[str]]] = fields.parsed((folder / "gold.json").read_text("utf-8"))
    return values


def label_values(folder: Path) -> Mapping[str, Mapping[str, list[str]]]:
    """All labels with their values on each page of a site of records, by page name as in `field_values`.

    {} if there is no `pairs.json`. A label begins with the headings above it, separated by " | ". `topic_entity_name`
    is not a label, but the subject of the page.
    """
    file = folder / "pairs.json"
    pairs = fields.parsed(file.read_text("utf-8")) if file.is_file() else {}
    return {
        page: {unescape(label): list(map(unescape, values)) for label, values in labels.items()}
        for page, labels in pairs.items()
    }


def selected(page: Page, selector: str) -> str:
    """The text of the selected elements."""
    return "\n".join(plain_text(element) for element in page.select(selector))


def inside(page: Page, selector: str) -> bytearray:
    """Flags for the nodes of a page's tree that are inside the selected elements."""
    tree, nodes = page.tree, page.nodes
    chosen = set(page.select(selector))
    flags = bytearray(len(tree))
    for node in range(len(tree)):
        flags[node] = nodes[node] in chosen or (node > 0 and flags[tree.parent[node]])
    return flags


def brand(name: str) -> str:
    """The brand (owner) of a site, from the name of the site or host. Sites of one brand are in the same fold.

    For a host it is the registered name without the top-level domain; on a shared host, the sub-domain and the host.
    """
    known = _SETS.fullmatch(name)
    host = (known["host"] or known["daniel"] if known else name.rpartition("/")[2]).lower().rstrip(".")
    registered = _registered(host) if "." in host else None
    if registered is None:
        return _project(host)
    portal = next((portal for portal in _PORTALS if registered.endswith(f".{portal}")), None)
    # The suffix that registrars sell names under, which a shared host is not.
    suffix = portal or _suffixes(only_icann=True).publicsuffix(registered)
    return registered.removesuffix(f".{suffix}")


def _project(name: str) -> str:
    """The project of a manual, from a name that is no host: "python3.11-html", "aptitude-doc-cs-cs"."""
    first, _, rest = name.partition("-")
    if first in _LANGUAGES:
        return f"{first}-{rest.partition('-')[0]}"
    return first.rstrip("0123456789.") or first


def page_brand(html: str | bytes, url: str) -> str:
    """The brand of a page, from its URL or, if that is invented, from the page.

    From the page: its canonical URL, else the brand that it links to most.
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
    return linked.most_common(1)[0][0] if linked else urls.host(url) or url


def may_train_on(name: str) -> bool:
    """Whether a site or brand may be used for training."""
    return brand(name) not in NEVER_TRAINED_ON


def fold(name: str, assignment: int | str, folds: int = FOLDS) -> int:
    """The fold of a site, in one of several assignments to folds."""
    return fold_of_brand(brand(name), assignment, folds)


def fold_of_brand(owner: str, assignment: int | str, folds: int = FOLDS) -> int:
    """The fold of all sites and pages of a brand, in one of several assignments to folds."""
    return int(hashlib.blake2b(f"{assignment} {owner}".encode(), digest_size=8).hexdigest(), 16) % folds


def _registered(host: str) -> str | None:
    """The registered domain of a host; None if it has no known public suffix."""
    for above in _SHARED | _PORTALS:
        if host.endswith(f".{above}"):
            return f"{host.removesuffix(f'.{above}').rpartition('.')[2]}.{above}"
    return _suffixes().privatesuffix(host) or _suffixes(only_icann=True).privatesuffix(host)


@cache
def _suffixes(*, only_icann: bool = False) -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=only_icann)


def _host(url: str | None) -> str | None:
    """The host of an absolute URL; None if there is none, or it is invented (.invalid)."""
    parts = urls.split((url or "").strip())
    host = parts.hostname if parts and parts.scheme in ("", "http", "https") else None
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
