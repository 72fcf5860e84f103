"""Compares two versions of manuals, page by page:  python experiments/versions.py FOLDER [--pages 500] [PACKAGE ...]

The pages are from Debian packages with two versions in the archive: the release and its security updates. They are
downloaded to FOLDER once, with apt. Packages with one version are named and skipped. Identical pages are not counted.

For each package: the verdicts with and without the template of the site; the time for a pair; and how many words one
has to read on average: the changes of content by `dehusk diff`, the changed lines of a line diff of the text or of the
HTML, and the edit script of xmldiff. Since xmldiff is slow on long pages, it is run on pages of less than 60 kB whose
text changed, and the others are measured again on these.
"""

import argparse
import difflib
import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path

import dehusk
from dehusk import render
from dehusk.comparing import ChangeKind
from dehusk.comparing.words import inline_diff

PACKAGES = ("postgresql-doc-15", "openjdk-17-doc")
SAMPLE = 60
SHORT = 60_000
SHORT_PAIRS = 40

Pair = tuple[str, bytes, bytes]
Words = Callable[[bytes, bytes], int]


def run(*words: str, folder: Path) -> str:
    """Runs a program and returns its output."""
    program = shutil.which(words[0])
    if program is None:
        raise SystemExit(f"{words[0]} is not installed; this needs apt and dpkg")
    return subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True, check=True).stdout


def versions(package: str, folder: Path) -> list[Path]:
    """Downloads all versions of a package; returns their folders, the oldest first."""
    listed = run("apt-cache", "madison", package, folder=folder).splitlines()
    names = list(dict.fromkeys(line.split("|")[1].strip() for line in listed if line.count("|") == 2))[::-1]
    found = []
    for name in names:
        place = folder / package / name
        if not (place / "usr").exists():
            place.mkdir(parents=True, exist_ok=True)
            run("apt-get", "download", f"{package}={name}", folder=place)
            run("dpkg-deb", "-x", next(place.glob("*.deb")).name, ".", folder=place)
        found.append(place)
    return found


def pairs(old: Path, new: Path, most: int) -> tuple[list[Pair], list[Path]]:
    """A reproducible random sample of pages that differ; and all pages of the new version."""
    pages = sorted(file for file in new.rglob("*.html") if file.is_file() and not file.is_symlink())
    random.Random(1).shuffle(pages)
    found = []
    for page in pages:
        before = old / page.relative_to(new)
        if before.is_file() and before.read_bytes() != page.read_bytes():
            found.append((page.name, before.read_bytes(), page.read_bytes()))
        if len(found) == most:
            break
    return found, pages


def told_words(diff: dehusk.Diff) -> int:
    """The number of words that `dehusk diff` shows of content."""
    return sum(
        len((inline_diff(one.words) if one.kind is ChangeKind.CHANGED else one.after or one.before).split())
        for one in diff.content
    )


def line_words(old: str, new: str) -> int:
    """The number of words on the changed lines of a line diff."""
    marked = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return sum(len(line[1:].split()) for line in marked if line[0] in "+-" and line[:3] not in ("+++", "---"))


def text_lines(old: bytes, new: bytes) -> int:
    """The number of words on the changed lines of the text of whole pages."""
    return line_words(*(render.text(dehusk.Page(html), []) for html in (old, new)))


def html_lines(old: bytes, new: bytes) -> int:
    """The number of words on the changed lines of the HTML."""
    return line_words(old.decode("utf-8", "replace"), new.decode("utf-8", "replace"))


def xml_script(old: bytes, new: bytes) -> int:
    """The number of words of the edit script of xmldiff."""
    html, xmldiff = import_module("lxml.html"), import_module("xmldiff.main")
    trees = [html.fromstring(page).getroottree() for page in (old, new)]
    return sum(len(str(action).split()) for action in xmldiff.diff_trees(*trees))


def measured(name: str, words: Words, some: Sequence[Pair]) -> None:
    """Prints the mean time for a pair, the mean number of words to read, and the number of pages with any."""
    started = time.process_time()
    counts = [words(old, new) for _, old, new in some]
    seconds = (time.process_time() - started) / len(some)
    print(
        f"  {name:28} {1000 * seconds:8.1f} ms {sum(counts) / len(some):9.1f} words, on {sum(map(bool, counts))} pages"
    )


def tried(package: str, folder: Path, most: int, shown: int) -> None:
    """Prints the figures of a package."""
    places = versions(package, folder)
    if len(places) < 2:
        print(f"{package}: {len(places)} version available, two are needed; skipped")
        return
    some, pages = pairs(places[0], places[-1], most)
    print(f"{package}: {places[0].name} and {places[-1].name}, {len(some)} pairs of pages that differ")
    template = dehusk.learn(page.read_bytes() for page in pages[:SAMPLE])
    for name, known in (("without a template", None), ("with the template", template)):
        verdicts = Counter(str(dehusk.diff(old, new, known).verdict) for _, old, new in some)
        print(f"  {name:28} {', '.join(f'{count} {verdict}' for verdict, count in verdicts.most_common())}")
    ways: dict[str, Words] = {
        "dehusk diff": lambda old, new: told_words(dehusk.diff(old, new)),
        "dehusk diff -t": lambda old, new: told_words(dehusk.diff(old, new, template)),
        "line diff of the text": text_lines,
        "line diff of the HTML": html_lines,
    }
    for name, words in ways.items():
        measured(name, words, some)
    changed = [pair for pair in some if dehusk.diff(pair[1], pair[2]).changes]
    short = [pair for pair in changed if len(pair[2]) < SHORT][:SHORT_PAIRS]
    if short:
        print(f"  {len(short)} pairs of short pages whose text changed:")
        for name, words in {**ways, "xmldiff": xml_script}.items():
            measured(name, words, short)
    show(changed[:shown], template)


def show(some: Iterable[Pair], template: dehusk.Template) -> None:
    """Prints the summaries of some pairs whose text changed, for a person to judge."""
    for name, old, new in some:
        print(f"\n== {name}\n{dehusk.diff(old, new, template).summary}", end="")


def main() -> None:
    """Prints the figures of each package."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--pages", type=int, default=500, help="pairs of each package (default: %(default)s)")
    parser.add_argument(
        "--show", type=int, default=0, help="print the summaries of this many pairs (default: %(default)s)"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for package in options.packages:
        tried(package, options.folder.resolve(), options.pages, options.show)


if __name__ == "__main__":
    main()
