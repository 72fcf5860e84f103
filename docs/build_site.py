"""Builds the documentation site: `python docs/build_site.py -o build/docs` (or `make docs`).

The sources are the pages of this folder, the pages at the root of the repository (the changelog and others, which the
site has below project/), and the pages of the reference, which are made here from what dehusk declares. They are
gathered beside the output, with links that lead to pages of the site; Sphinx makes HTML and a search index of them.
Warnings are errors. `llms.txt` lists all pages for programs that read text.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path, PurePath, PurePosixPath

import reference_pages
import schemas

HERE = Path(__file__).parent
ROOT = HERE.parent
PROJECT = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/reporting.md",
    "README.md": "index.md",
}
"""Pages at the root of the repository, and where the site has them. The README is not a page: the index replaces it."""

FROM_README = {"explanation/how-good-it-is.md": "How good it is"}
"""Pages that are sections of the README, and the headings of these."""

ICON = ROOT / "src" / "dehusk" / "extension" / "icons" / "48.png"
PICTURES = (".png", ".svg", ".webp")
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)

_SECTIONS = {
    "index.md": "Begin",
    "tutorials": "Tutorials",
    "howto": "How-to guides",
    "explanation": "Explanation",
    "reference": "Reference",
}
_MORE = "More"
"""The sections of llms.txt, by folders, and the one for all other pages."""

_ALL_BESIDE = "\n```{toctree}\n:hidden:\n:glob:\n\n[0-9a-z]*\n```\n"
"""All other pages of a folder are pages below its README."""


def main() -> int:
    """Gathers the sources, runs Sphinx, and writes llms.txt."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path("build/docs"), help="the folder for the site")
    site: Path = parser.parse_args().output.resolve()
    sources = site.parent / f"{site.name}-sources"
    gather(sources)
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", "html"]
    doctrees = site.parent / f"{site.name}-doctrees"
    code = subprocess.run([*command, "-d", str(doctrees), str(sources), str(site)], check=False).returncode
    if not code:
        pages = len(list(site.rglob("*.html")))
        print(f"{pages} pages: open {site / 'index.html'} in a browser")
    return code


def gather(sources: Path) -> None:
    """Copies and makes all sources of the site."""
    shutil.rmtree(sources, ignore_errors=True)
    for path in sorted(HERE.rglob("*")):
        if path.suffix in (".md", ".css", *PICTURES):
            _put(path, sources / path.relative_to(HERE))
    for name in ("conf.py", "search_order.js"):
        _put(HERE / name, sources / name)
    _put(ICON, sources / "_static" / "icon.png")
    for name, place in PROJECT.items():
        if place != "index.md":
            _put(ROOT / name, sources / place)
    for readme in sources.glob("*/README.md"):
        with readme.open("a", encoding="utf-8") as index:
            index.write(_ALL_BESIDE)
    for place, heading in FROM_README.items():
        text = from_readme((ROOT / "README.md").read_text("utf-8"), heading)
        (sources / place).write_text(linked(text, ROOT / "README.md", PurePosixPath(place)), "utf-8")
    reference_pages.write(sources / "reference")
    extra = sources / "_extra"
    (extra / "schemas").mkdir(parents=True)
    schemas.write(extra / "schemas")
    listed = list(_listed(sources))
    (extra / "llms.txt").write_text(llms(listed), "utf-8")
    (extra / "llms-full.txt").write_text("\n\n".join(path.read_text("utf-8") for path, _, _ in listed), "utf-8")


def _put(path: Path, target: Path) -> None:
    """Copies a file; in a page, links to files of the repository become links to pages of the site."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".md":
        shutil.copyfile(path, target)
        return
    target.write_text(linked(path.read_text("utf-8"), path, PurePosixPath(_place(path) or path.name)), "utf-8")


def from_readme(readme: str, heading: str) -> str:
    """A section of the README as a page. Raises KeyError if it is missing."""
    parts = re.split(r"^## (.+)$", readme, flags=re.MULTILINE)
    return f"# {heading}{dict(zip(parts[1::2], parts[2::2], strict=True))[heading]}"


def _place(path: Path) -> str | None:
    """Where the site has a file of the repository, or a page that is made; None if it has not."""
    if path.is_relative_to(HERE) and path.suffix in (".md", ".json", *PICTURES):
        return path.relative_to(HERE).as_posix()
    return PROJECT.get(path.relative_to(ROOT).as_posix()) if path.is_relative_to(ROOT) else None


def linked(text: str, path: Path, place: PurePosixPath) -> str:
    """The text of a page with links for the site. A link to a file that the site does not have becomes plain text.

    A link that shows the name of a page's file shows the title of the page.
    """

    def replaced(match: re.Match[str]) -> str:
        picture, words, link, anchor = match.groups()
        if not link or ":" in link:
            return match.group()
        target = Path(os.path.normpath(path.parent / link))
        found = _place(target)
        if found is None:
            return str(words)
        if words.endswith(".md") and target.suffix == ".md" and target.is_file():
            words = title(target.read_text("utf-8"))
        return f"{picture}[{words}]({os.path.relpath(found, place.parent)}{anchor or ''})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else _LINK.sub(replaced, part) for part in parts)


def _listed(sources: Path) -> Iterator[tuple[Path, str, str]]:
    """The pages in the order of the index: the file, its address in the site, and its title. Indexes come first."""
    sections = [*_SECTIONS.values(), _MORE]

    def order(path: Path) -> tuple[int, bool, str]:
        return sections.index(_section(path.relative_to(sources))), path.stem != "index", path.as_posix()

    for path in sorted(sources.rglob("*.md"), key=order):
        yield path, path.relative_to(sources).with_suffix(".html").as_posix(), title(path.read_text("utf-8"))


def title(text: str) -> str:
    """The title of a page. Raises ValueError if it has none."""
    if found := _HEADING.search(text):
        return found[1]
    raise ValueError("a page has no title; begin it with a line such as # Title")


def _section(place: PurePath) -> str:
    """The section of a page in llms.txt."""
    return _SECTIONS.get(place.parts[0], _MORE)


def llms(pages: list[tuple[Path, str, str]]) -> str:
    """The list of all pages in the form of llms.txt (https://llmstxt.org): a section for each folder."""
    about = "Learns the template of a web site from a few of its pages and strips it from all of them."
    text = f"# dehusk\n\n> {about}\n\nAll pages in one file: [llms-full.txt](llms-full.txt)\n"
    for section, inside in groupby(pages, lambda page: _section(PurePosixPath(page[1]).with_suffix(".md"))):
        lines = "\n".join(f"- [{title}]({address})" for _, address, title in inside)
        text += f"\n## {section}\n\n{lines}\n"
    return text


if __name__ == "__main__":
    sys.exit(main())
