"""Run every command of docs/papers.md on small data, to show that all it says is there:  python docs/run_papers.py

Fails if a row has no command, names a file that does not exist, or its command fails. Each command runs once.
"""

import argparse
import gzip
import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAPERS = Path(__file__).with_name("papers.md")
CODE = re.compile(r"`([^`]+)`")

TOPICS = {
    "movie": {"genre": ("drama", "comedy"), "title": ("ship", "bakery")},
    "job": {"genre": ("full", "part"), "title": ("developer", "engineer")},
}
WORDS = {
    "movie": "sail mast hull keel rudder anchor harbour wind wave deck rope tide cabin bow stern",
    "job": "flour sugar butter egg oven cream vanilla dough icing sponge lemon whisk bake batter jam",
}
SITE_PAGES = 8


class Row(NamedTuple):
    """A row of a table: the item, the file where it is, its status and its command."""

    item: str
    where: str
    status: str
    command: str


def rows(text: str) -> Iterator[Row]:
    """The rows of all tables of a page. Raises ValueError for a row without a file, a status or a command."""
    for line in text.splitlines():
        if not line.startswith("|") or line.startswith(("| item |", "|---")):
            continue
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        code = [CODE.fullmatch(cell.strip()) for cell in cells]
        if len(cells) != len(Row._fields) or not cells[2] or not code[1] or not code[3]:
            raise ValueError(f"not an item with a file, a status and a command: {line}")
        yield Row(cells[0], code[1][1], cells[2], code[3][1])


def missing_files(every: list[Row]) -> list[str]:
    """The files of rows that exist neither in the package nor in the repository."""
    folders = (ROOT / "src" / "dehusk", ROOT)
    return sorted({row.where for row in every if not any((folder / row.where).is_file() for folder in folders)})


def words_of(command: str, places: dict[str, Path]) -> list[str]:
    """The command line of a command of the page. Raises ValueError if it is neither dehusk nor pytest."""
    program, *rest = shlex.split(command)
    if program not in {"dehusk", "pytest"}:
        raise ValueError(f"only dehusk and pytest are run: {command}")
    own = [re.sub(r"\b[A-Z]{4,}\b|\bOUT\b", lambda word: str(places.get(word[0], word[0])), word) for word in rest]
    more = ["--cache", str(places["OUT"] / "cache.sqlite"), "--jobs", "1"] if rest[:1] == ["bench"] else []
    return [sys.executable, "-m", program, *own, *(more if program == "dehusk" else ["-q", "-p", "no:cacheprovider"])]


def make_data(folder: Path) -> dict[str, Path]:
    """Writes a small site and a small data set; returns the places that commands name."""
    draw = random.Random(1)  # not for secrets
    manual = folder / "data/docs/manual/pages"
    _write_site(manual, draw)
    (manual.parent / "site.json").write_text(json.dumps({"content_selector": "main"}), "utf-8")
    _write_records(folder / "data/products", draw)
    _write_single(folder / "data/pages", draw)
    _write_site(folder / "site", draw)
    (folder / "out").mkdir()
    page, other = folder / "site/0.html", folder / "site/1.html"
    return {"SITE": folder / "site", "DATA": folder / "data", "OUT": folder / "out", "PAGE": page, "OTHER": other}


def _write_site(folder: Path, draw: random.Random) -> None:
    folder.mkdir(parents=True)
    links = " ".join(f"<a href={k}.html>Chapter {k}</a>" for k in range(SITE_PAGES))
    for number in range(SITE_PAGES):
        text = " ".join(draw.choices(WORDS["movie"].split(), k=60))
        own = " ".join(f"own{number}{k}" for k in range(5))
        body = f"<div id=nav>{links}</div><main><h1>Chapter {number}</h1><p>{text} {own}</p></main>"
        page = f"<html><body>{body}<div id=foot>Copyright of the manual and of its authors</div></body></html>"
        (folder / f"{number}.html").write_text(page, "utf-8")


def _write_records(folder: Path, draw: random.Random) -> None:
    for topic, fields in TOPICS.items():
        for site in ("north", "south", "west"):
            gold = {}
            pages = folder / topic / site / "pages"
            pages.mkdir(parents=True)
            menu = " ".join(f"<li><a href=/{site}{k}>{site} link {k}</a></li>" for k in range(12))
            for number in range(SITE_PAGES):
                said = {name: [f"{values[number % 2]} {number}"] for name, values in fields.items()}
                text = " ".join(draw.choices(WORDS[topic].split(), k=40))
                shown = "".join(f"<p class={name}>{values[0]}</p>" for name, values in said.items())
                page = f"<ul id=menu>{menu}</ul><h1>{said['title'][0]} {site}</h1>{shown}<div><p>{text}</p></div>"
                (pages / f"{number}.html").write_text(f"{page}<div id=foot>All rights are with {site}</div>", "utf-8")
                gold[str(number)] = said
            (pages.parent / "gold.json").write_text(json.dumps(gold), "utf-8")


def _write_single(folder: Path, draw: random.Random) -> None:
    folder.mkdir(parents=True)
    with gzip.open(folder / "set.jsonl.gz", "wt", encoding="utf-8") as file:
        for number in range(3):
            text = " ".join(draw.choices(WORDS["job"].split(), k=50))
            html = f"<title>Cake {number}</title><nav>Home</nav><article><h1>Cake {number}</h1><p>{text}.</p></article>"
            row = {"url": f"https://{number}.example/", "html": html, "text": text, "type": "article"}
            file.write(json.dumps({**row, "title": f"Cake {number}", "with": [], "without": []}) + "\n")


def run(commands: list[str], places: dict[str, Path]) -> list[str]:
    """Runs commands in the repository, each once; returns those that failed."""
    failed = []
    for command in commands:
        started = time.perf_counter()
        ran = subprocess.run(words_of(command, places), cwd=ROOT, capture_output=True, text=True, check=False)
        print(
            f"{'ok    ' if ran.returncode == 0 else 'FAILED'} {time.perf_counter() - started:6.1f} s  {command}",
            flush=True,
        )
        if ran.returncode:
            failed.append(command)
            print("\n".join((ran.stdout + ran.stderr).splitlines()[-15:]))
    return failed


def main() -> int:
    """Checks the page and runs its commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="run only commands with this text (default: all)")
    options = parser.parse_args()
    every = list(rows(PAPERS.read_text("utf-8")))
    if missing := missing_files(every):
        print(f"no such file: {', '.join(missing)}")
        return 1
    commands = [command for command in dict.fromkeys(row.command for row in every) if options.only in command]
    with tempfile.TemporaryDirectory() as folder:
        failed = run(commands, make_data(Path(folder)))
    print(f"{len(every)} items, {len(commands)} commands, {len(failed)} failed")
    return 1 if failed or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
