"""Checks the built documentation site: `python docs/check_site.py build/docs` (or `make check-docs`).

Every link to the site leads to a page and to an anchor that is there, and no page loads anything from elsewhere.
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "srcset", "video": "src"}
LINKED = ("stylesheet", "icon", "preload", "manifest")
"""What the browser loads: elements with their attribute, and kinds of link elements."""


class _Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what an element is and where it leads."""
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADED and found.get(LOADED[tag]):
            self.loads.append(found[LOADED[tag]])
        if tag == "link" and any(kind in found.get("rel", "") for kind in LINKED):
            self.loads.append(found.get("href", ""))


def faults(site: Path) -> Iterator[str]:
    """What is wrong with the site."""
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        name = path.relative_to(site.resolve()).as_posix()
        for link in page.loads:
            if urlsplit(link).netloc or not link or not (path.parent / unquote(urlsplit(link).path)).is_file():
                yield f"{name}: loads {link[:80]}" if not link.startswith("data:") else ""
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name}: {link} is missing"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: {link} has no such anchor"
    for style in site.rglob("*.css"):
        text = style.read_text("utf-8")
        if "url(http" in text or "@import" in text:
            yield f"{style.relative_to(site)}: loads something from elsewhere"


def main() -> int:
    """Prints the faults; returns 1 if there are some."""
    site = Path(sys.argv[1])
    found = [fault for fault in faults(site) if fault]
    for fault in found:
        print(fault)
    links = sum(len(_Page(path.read_text("utf-8")).links) for path in site.rglob("*.html"))
    print(f"{len(list(site.rglob('*.html')))} pages, {links} links, {len(found)} faults")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
