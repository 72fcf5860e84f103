"""Folders of real sites with gold: documentation (a CSS selector), news (text by people), products (field values)."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dehusk.page import Page, parse

FOLDS = 5
"""Sites are left out of a training in so many parts."""

_HOSTS = {"com", "co", "uk", "net", "org", "in"}
_SHARED_HOSTS = {"blogspot", "typepad", "posterous"}


@dataclass(frozen=True, slots=True)
class Site:
    """A site of a data set. `gold` maps each page to its content's text, or to its field values."""

    kind: str
    name: str
    pages: Path
    gold: dict[Path, str] | dict[Path, list[str]]


def sites(root: Path) -> Iterator[Site]:
    """All sites below `docs`, `news` and `products`, one in memory at a time."""
    for folder in sorted((root / "docs").glob("*")):
        selector = json.loads((folder / "site.json").read_text("utf-8"))["content_selector"]
        files = sorted(file for file in (folder / "pages").rglob("*") if file.is_file())
        yield Site("docs", folder.name, folder / "pages", {file: selected(file, selector) for file in files})
    for folder in sorted((root / "news").glob("*")):
        files = sorted((folder / "pages").glob("*.html"))
        gold = {file: (folder / "gold" / f"{file.stem}.txt").read_text("utf-8", "replace") for file in files}
        yield Site(f"news-{folder.name.split('-')[0]}", folder.name, folder / "pages", gold)
    for folder in sorted((root / "products").glob("*/*")):
        fields = json.loads((folder / "gold.json").read_text("utf-8"))
        files = sorted((folder / "pages").glob("*.html"))
        values = {file: [value for field in fields[file.stem].values() for value in field] for file in files}
        yield Site("products", f"{folder.parent.name}/{folder.name}", folder / "pages", values)


def selected(file: Path, selector: str) -> str:
    """The text of the elements that a selector picks."""
    return "\n".join(element.to_text() for element in parse(file.read_bytes()).select(selector))


def inside(page: Page, selector: str) -> bytearray:
    """Flags of the nodes of a page's tree that are in what a selector picks."""
    tree = page.tree
    nodes = page.nodes
    chosen = set(page.document.select(selector))
    flags = bytearray(len(tree))
    for node in range(len(tree)):
        flags[node] = nodes[node] in chosen or (node > 0 and flags[tree.parent[node]])
    return flags


def brand(name: str) -> str:
    """Whose site it is: sites of one brand, in any year and any vertical, are left out together."""
    host = re.sub(r"^(big9|dragnet)-", "", name).split("/")[-1]
    if "." not in host:
        return host.split("-")[0]
    parts = [part for part in host.split(".") if part not in _HOSTS]
    return ".".join(parts) if parts[-1] in _SHARED_HOSTS else parts[-1]


def fold(name: str, assignment: int | str, folds: int = FOLDS) -> int:
    """The fold of a site, in one of several assignments."""
    return int(hashlib.blake2b(f"{assignment} {brand(name)}".encode(), digest_size=8).hexdigest(), 16) % folds
