"""Prints how the time grows with the size of hostile input: each shape by format and method, and each source.

Usage: `python benchmarks/growth.py [formats|methods|sources|outputs] [--shape NAME ...] [--column NAME ...]`. A figure
is an exponent of processor time: 1 means that twice the size takes twice the time, 2 that it takes four times. Sizes
are doubled until a run takes long, and the last two doublings count. Stars mark figures above 1.1. Times below a
millisecond are noise and count as a millisecond. The
allocator is told to keep freed memory, since getting large blocks from the system again would distort the figures.
"""

import argparse
import gc
import gzip
import io
import json
import math
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from fastwarc.stream_io import ZstdWriter
from shapes import SHAPES

import dehusk
from dehusk.methods import METHODS
from dehusk.methods.evidence.verdicts import Evidence
from dehusk.outputs import FORMATS as FORMATS_OF_FILES
from dehusk.outputs import open_output
from dehusk.page import Page
from dehusk.sources import Reading, open_source, pages_of
from dehusk.sources.warc import archived
from dehusk.sources.web.bodies import decompressed, unchunked
from dehusk.templates.cleaned import Cleaned
from dehusk.templates.template import Template

if TYPE_CHECKING:
    from dehusk.sources.web.crawl import Fetcher

TIMES = 2  # the fastest of so many runs counts
AGAIN = 3  # repetitions of a figure that looks too large: a busy machine can only add time
LEAST = 0.001  # seconds; less is noise
LONG = 0.1  # seconds; sizes are not doubled beyond this
LONG_OUTPUT = 2.0  # the same for outputs: what opening them takes is small only with many pages
MANY = 1.1
KEPT = {"MALLOC_TRIM_THRESHOLD_": "4000000000", "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TOP_PAD_": "67108864"}

FORMATS: Mapping[str, Callable[[Template, Page], object]] = {
    "text": lambda template, page: template.clean(page).text,
    "markdown": lambda template, page: template.clean(page).markdown,
    "html": lambda template, page: template.clean(page).html,
    "parts": lambda template, page: template.clean(page).parts,
    "metadata": lambda template, page: template.clean(page).metadata,
    "reasons": lambda template, page: template.clean(page).removed,
    "tei": lambda template, page: template.clean(page).tei,
    "chunks": lambda template, page: template.clean(page).chunks(),
    "links": lambda template, page: template.clean(page).links,
    "diff": lambda _, page: dehusk.diff(page, Page(str(page.html)[: len(page.html) // 2])).summary,
}
TABLES = "tables"
FORMAT_SIZES = (20_000, 640_000)  # the first and the last
METHOD_SIZES = (10_000, 320_000)
SOURCE_SIZES = (1_000, 64_000)
OUTPUT_SIZES = (4_000, 16_000)  # tenths of pages


def main() -> int:
    """Prints the tables."""
    tables: Mapping[str, Callable[[Iterable[str], Collection[str]], None]]
    tables = {"formats": formats, "methods": methods, "sources": sources, "outputs": outputs}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="*", choices=[*tables, []], help="which tables (default: all)")
    parser.add_argument("--shape", action="append", choices=SHAPES, help="only pages of this shape (default: all)")
    columns = [*FORMATS, *METHODS, TABLES]
    parser.add_argument("--column", action="append", choices=columns, help="only this format or method (default: all)")
    options = parser.parse_args()
    if not os.environ.keys() >= KEPT.keys():
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | KEPT)  # noqa: S606  # ourselves
    for name in options.table or tables:
        tables[name](options.shape or SHAPES, options.column or columns)
    return 0


def formats(shapes: Iterable[str], columns: Collection[str]) -> None:
    """Prints exponents for cleaning each shape to each format by the default method."""
    chosen = {name: write for name, write in FORMATS.items() if name in columns}
    _head("shape", chosen)
    for name in shapes:
        make = SHAPES[name]
        template = dehusk.learn([make(4_000), make(5_000)])
        made = _page(make)
        _row(name, [exponent(made, partial(write, template), *FORMAT_SIZES) for write in chosen.values()])


def methods(shapes: Iterable[str], columns: Collection[str]) -> None:
    """Prints exponents for learning and cleaning each shape by each method, and for its tables."""
    runs = {name: partial(learned, name) for name in METHODS} | {TABLES: tabled}
    runs = {name: run for name, run in runs.items() if name in columns}
    _head("shape", runs)
    for name in shapes:
        make = SHAPES[name]
        made = partial(site, make)
        _row(name, [exponent(made, run, *METHOD_SIZES) for run in runs.values()])


def _page(make: Callable[[int], str]) -> Callable[[int], Page]:
    return lambda size: Page(make(size))


def site(make: Callable[[int], str], size: int) -> list[str]:
    """Three pages of a shape, of about this size."""
    return [make(size + 500 * number) for number in range(3)]


def learned(method: str, pages: list[str]) -> str:
    """The text of a page, cleaned by a method that has learned from all."""
    return dehusk.learn(pages, method=method).clean(pages[0]).text


def tabled(pages: list[str]) -> tuple[object, object]:
    """The record and the items of a page, with the columns of all."""
    found = dehusk.learn(pages, columns=True).clean(pages[0])
    return found.record, found.items


def sources(_: Iterable[str], _columns: Collection[str]) -> None:
    """Prints exponents for reading each kind of source."""
    _head("source", ["exponent"])
    with tempfile.TemporaryDirectory() as folder:
        for name, (make, run) in sources_in(Path(folder)).items():
            _row(name, [exponent(make, run, *SOURCE_SIZES)])


def outputs(_: Iterable[str], _columns: Collection[str]) -> None:
    """Prints exponents for writing many pages to each kind of output: in memory, and to the disk of the machine."""
    memory = Path("/dev/shm")  # noqa: S108  # a folder of the system
    places = {"in memory": memory if memory.is_dir() else None, "on disk": None}
    _head("output", places)
    template = dehusk.learn(["<p>x"])
    for name in FORMATS_OF_FILES:
        found = []
        for parent in places.values():
            with tempfile.TemporaryDirectory(dir=parent) as folder:
                write = partial(written, place(Path(folder), name), name)
                found.append(exponent(partial(cleaned, template), write, *OUTPUT_SIZES, long=LONG_OUTPUT))
        _row(name, found)


def place(folder: Path, form: str) -> str:
    """Where to write a format."""
    chosen = FORMATS_OF_FILES[form]
    return str(folder / "out") + (chosen.suffixes[-1] if chosen.one_file else "/")


def cleaned(template: Template, size: int) -> list[Cleaned]:
    """A tenth as many small pages, cleaned."""
    return [template.clean(Page(f"<p>{k}", url=f"http://e.example/{k}", name=f"{k}.html")) for k in range(size // 10)]


def written(place: str, form: str, pages: list[Cleaned]) -> None:
    """Writes pages in a format."""
    with open_output(place, form, names=[page.page.name for page in pages]) as output:
        for page in pages:
            output.write(page.page, output.encode(page, "e.example"))


def exponent(
    make: Callable[[int], object], run: Callable[..., object], first: int, last: int, long: float = LONG
) -> float:
    """The exponent of the time of a run by size. Doubles the size until runs take long, or up to the last size."""
    taken = {first: _quickest(make, run, first)}
    while len(taken) < 3 or (2 * max(taken) <= last and taken[max(taken)] < long):
        size = 2 * max(taken)
        taken[size] = _quickest(make, run, size)
    small, _, large = sorted(taken)[-3:]
    for _ in range(AGAIN):
        if _slope(taken, small, large) <= MANY:
            break
        taken |= {size: min(taken[size], _quickest(make, run, size)) for size in (small, large)}
    return _slope(taken, small, large)


def _slope(taken: Mapping[int, float], small: int, large: int) -> float:
    before, after = max(taken[small], LEAST), max(taken[large], LEAST)
    return math.log(after / before) / math.log(large / small)


def _quickest(make: Callable[[int], object], run: Callable[..., object], size: int) -> float:
    """The least processor time of several runs, with garbage collection off."""
    best = math.inf
    for _ in range(TIMES):
        given = make(size)
        gc.collect()
        gc.disable()
        start = time.process_time()
        run(given)
        best = min(best, time.process_time() - start)
        gc.enable()
    return best


def sources_in(folder: Path) -> Mapping[str, tuple[Callable[[int], object], Callable[..., object]]]:
    """For each kind of source, functions that make one in this folder, and read it."""

    def read(suffix: str, data: Callable[[int], bytes]) -> tuple[Callable[[int], object], Callable[..., object]]:
        def make(size: int) -> Path:
            path = folder / f"a{suffix}"
            path.write_bytes(data(size))
            return path

        return make, lambda path: sum(1 for _ in open_source([path], Reading(fetcher=lambda: cast("Fetcher", _Web()))))

    empty = gzip.compress(b"", mtime=0)
    line = json.dumps({"url": "http://e.example/", "html": "<p>x"}).encode() + b"\n"
    return {
        "WARC": read(".warc", lambda size: _record() * size),
        "WARC, gzip": read(".warc.gz", lambda size: gzip.compress(_record(), mtime=0) * size),
        "WARC, lying lengths": read(".warc", lambda size: _record(10**12) * size),
        "WARC, gzip, lying lengths": read(".warc.gz", lambda size: gzip.compress(_record(10**12), mtime=0) * size),
        "WARC, gzip, lengths of a megabyte": read(
            ".warc.gz", lambda size: gzip.compress(_record(10**6), mtime=0) * size
        ),
        "WARC, false beginnings": read(".warc", lambda size: _record() + b"\x1f\x8b\x08\x00" * size + _record()),
        "WARC in one gzip stream": read(".warc.gz", lambda size: gzip.compress(_record() * size, mtime=0)),
        "WARC, zstd, lying lengths": read(".warc.zst", lambda size: _zstd(_record(10**12)) * size),
        "WACZ, deflated, lying lengths": read(".wacz", lambda size: _zip(_record(10**12, 300) * size)),
        "WACZ, stored, lying lengths": read(".wacz", lambda size: _zip(_record(10**12) * size, ZIP_STORED)),
        "JSON Lines": read(".jsonl", lambda size: line * size),
        "JSON Lines, one line of lists": read(".jsonl", lambda size: b'{"z":[' + b"[]," * (100 * size) + b"[]]}\n"),
        "Parquet": read(".parquet", _parquet),
        "HTML file": read(".html", lambda size: b"<p>x" * (100 * size)),
        "standard input": (
            lambda size: io.TextIOWrapper(io.BytesIO(b"<p>x" * (100 * size))),
            _from_standard_input,
        ),
        "folder": (partial(_folder, folder), lambda path: sum(1 for _ in open_source([path]))),
        "list of URLs": read(".txt", lambda size: b"http://e.example/%d\n" * size % tuple(range(size))),
        "sitemap": read(".xml", _sitemap),
        "gzip of many members": (lambda size: empty * (size // 8), lambda body: decompressed(body, ["gzip"], 10**8)),
        "deflate": (
            lambda size: zlib.compress(b"<p>x" * 100 * size),
            lambda body: decompressed(body, ["deflate"], 10**8),
        ),
        "chunks of one byte": (lambda size: b"1\r\nx\r\n" * (50 * size), unchunked),
        "a template of many classes": (_verdicts, Evidence.from_json),
        "a record of an archive, cut": (
            lambda size: io.BytesIO(_record(None, size)[:-5]),
            lambda file: list(archived(file, "x")),
        ),
    }


def _from_standard_input(given: io.TextIOWrapper) -> None:
    before, sys.stdin = sys.stdin, given
    try:
        for page in pages_of(open_source(["-"])):
            page.tree  # noqa: B018  # parses it
    finally:
        sys.stdin = before


class _Web:
    """A fetcher that returns a small page for every URL, without a network."""

    max_pages = 10**9

    def fetch(self, url: str) -> Page:
        """The page."""
        return Page("<p>x", url=url)


def _folder(folder: Path, size: int) -> Path:
    made = folder / str(size)
    made.mkdir(exist_ok=True)
    for number in range(size // 10):
        (made / f"{number}.html").write_text("<p>x")
    return made


def _sitemap(size: int) -> bytes:
    listed = b"".join(b"<url><loc>http://e.example/%d</loc></url>" % number for number in range(size))
    return b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>%b</urlset>" % listed


def _record(length: int | None = None, more: int = 0) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A page of a few words.</p>" + b"<p>more</p>" * more
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.example/\r\nContent-Type: application/http\r\n"
    return f"{head}Content-Length: {len(block) if length is None else length}\r\n\r\n".encode() + block + b"\r\n\r\n"


def _zstd(data: bytes) -> bytes:
    made = io.BytesIO()
    with ZstdWriter(made) as writer:
        writer.write(data)
    return made.getvalue()


def _zip(data: bytes, compression: int = ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", compression) as outer:
        outer.writestr("archive/a.warc", data)
    return made.getvalue()


def _parquet(size: int) -> bytes:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    made = io.BytesIO()
    write_table(pa.table({"url": ["http://e.example/"] * size, "html": ["<p>x"] * size}), made)
    return made.getvalue()


def _verdicts(size: int) -> dict[str, object]:
    line = {"verdict": "template", "content": 0.1, "pages": 3, "repeated": 1.0, "links": 0.0}
    regions = [{"in": -1, "region": "body", **line, "verdict": "mixed"}]
    regions += [{"in": 0, "region": f"div .c{number}", **line} for number in range(10 * size)]
    return {"pages": 3, "cut": 0.4, "regions": regions}


def _head(first: str, columns: Iterable[str]) -> None:
    names = [first, *columns]
    print(f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}", flush=True)


def _row(name: str, figures: Iterable[float]) -> None:
    cells = [f"{figure:.2f}{' *' * (figure > MANY)}" for figure in figures]
    print(f"| {' | '.join([name, *cells])} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
