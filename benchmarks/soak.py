"""Cleans a mixture of all kinds of input for an hour of processor time, and prints the memory over time.

Usage: `python benchmarks/soak.py --seconds 3600`. Each round learns with another method from a site of another size,
saves and loads the template, reads the same pages from every kind of file, and writes every format. Some of the pages
are hostile. Every tenth round also cleans them in two processes, fetches them from a local server, and sends them to
the service. A memory leak would add up. Measures the memory of this process, which is the parent of the others.
"""

import argparse
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi.testclient import TestClient
from shapes import SHAPES

import dehusk
from dehusk.jobs.store import Store
from dehusk.methods import METHODS
from dehusk.page import Page
from dehusk.server.answers import ServiceFiles
from dehusk.server.app import ServiceSettings, service
from dehusk.server.guards import Limits, Listening, TokenFile
from dehusk.server.running import private_store
from dehusk.server.snapshots import Snapshots
from dehusk.sources import open_source
from dehusk.sources.web.crawl import Fetcher, fetch_all

ROWS = 12  # printed lines
OFTEN = 10  # every so many rounds, also use other processes, a network and the service


def main() -> int:
    """Runs the rounds and prints a line from time to time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=3600, help="of processor time (default: %(default)s)")
    options = parser.parse_args()
    print("| processor time, s | rounds | pages | memory, MB |\n|---|---|---|---|", flush=True)
    pages = rounds = 0
    told = 0.0
    with tempfile.TemporaryDirectory() as name, _client(Path(name)) as client:
        folder = Path(name)
        while time.process_time() < options.seconds:
            pages += _round(rounds, folder)
            if rounds % OFTEN == 0:
                pages += _in_processes(folder) + _fetched(folder) + _asked(client, rounds)
            rounds += 1
            if time.process_time() >= told:
                print(f"| {time.process_time():.0f} | {rounds} | {pages} | {_memory():.0f} |", flush=True)
                told += options.seconds / ROWS
    print(f"| {time.process_time():.0f} | {rounds} | {pages} | {_memory():.0f} |", flush=True)
    return 0


def _round(number: int, folder: Path) -> int:
    """Learns, saves, loads, reads and writes once; returns the number of cleaned pages."""
    draw = random.Random(number)
    pages = _pages(draw)
    method = list(METHODS)[number % len(METHODS)]
    dehusk.learn(pages, method=method).save(folder / "a.husk")
    template = dehusk.load(folder / "a.husk")
    count = 0
    for source in _files(pages, folder):
        for item in open_source([source]):
            if isinstance(item, Page):
                cleaned = template.clean(item)
                _ = cleaned.text, cleaned.markdown, cleaned.html, cleaned.metadata, cleaned.parts, cleaned.removed
                count += 1
    store = folder / "a.store"
    store.unlink(missing_ok=True)
    with Store(store, method=method) as kept:
        kept.add(pages)
        kept.template("soak.example").clean(pages[0])
    dehusk.diff(pages[0], pages[1])
    return count


def _in_processes(folder: Path) -> int:
    """Cleans many copies of the round's pages, enough to start other processes."""
    many = folder / "many.jsonl"
    many.write_text(20 * (folder / "a.jsonl").read_text("utf-8"), "utf-8")
    return dehusk.Job([many], folder / "out.jsonl", jobs=2).run().cleaned


def _fetched(folder: Path) -> int:
    """Fetches the round's pages from a local server."""
    handler = partial(_Quiet, directory=str(folder / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, Fetcher(allow_private=True, delay=0) as fetcher:
        Thread(target=server.serve_forever, daemon=True).start()
        urls = [f"http://127.0.0.1:{server.server_port}/{number}.html" for number in range(5)]
        count = sum(isinstance(item, Page) for item in fetch_all(fetcher, urls))
        server.shutdown()
    return count


class _Quiet(SimpleHTTPRequestHandler):
    """A server that prints nothing."""

    def log_message(self, *_: object) -> None:
        """Does nothing."""


def _client(folder: Path) -> TestClient:
    """A client, with the token, of a service that has its files in a folder."""
    token = TokenFile(folder / "token")
    place = ServiceFiles(private_store(folder / "service.store"), Snapshots(folder / "service.snapshots"))
    app = service(ServiceSettings(place, Listening("127.0.0.1", 8377), token, Limits(), 1))
    return TestClient(app, base_url="http://127.0.0.1:8377", headers={"Authorization": f"Bearer {token.token()}"})


def _asked(client: TestClient, number: int) -> int:
    """Lets the service learn a site and clean a page of it."""
    pages = [{"html": str(page.html), "url": page.url} for page in _pages(random.Random(number))]
    client.post("/api/learn", json={"pages": pages}).raise_for_status()
    client.post("/api/clean", json=pages[0]).raise_for_status()
    return 1


def _pages(draw: random.Random) -> list[Page]:
    """Generated pages of a site, and two hostile ones."""
    menu = "".join(f"<li><a href=/{word}>{word}</a>" for word in _words(draw, 12))
    hostile = [make(draw.randrange(2_000, 20_000)) for _, make in draw.sample(list(SHAPES.items()), 2)]
    plain = [
        f"<html><head><title>{' '.join(_words(draw, 4))}</title></head><body><nav><ul>{menu}</ul></nav><main>"
        f"<h1>{' '.join(_words(draw, 5))}</h1>{''.join(_paragraphs(draw))}</main><footer>Open daily.</footer></body>"
        for _ in range(draw.randrange(3, 12))
    ]
    return [Page(html, url=f"http://soak.example/{number}") for number, html in enumerate([*plain, *hostile])]


def _words(draw: random.Random, count: int) -> list[str]:
    return ["".join(draw.choices("abcdefghijklmnoprstuvwz", k=draw.randrange(2, 9))) for _ in range(count)]


def _paragraphs(draw: random.Random) -> Iterator[str]:
    for _ in range(draw.randrange(2, 40)):
        yield f"<p>{' '.join(_words(draw, draw.randrange(5, 80)))}.</p>"


def _files(pages: list[Page], folder: Path) -> Iterator[Path]:
    """The pages in every kind of file."""
    import pyarrow as pa
    from fastwarc.stream_io import GzipWriter
    from fastwarc.warc import WarcRecord, WarcRecordType
    from pyarrow.parquet import write_table

    rows = [{"url": page.url, "html": page.html} for page in pages]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    yield folder / "a.jsonl"
    write_table(pa.Table.from_pylist(rows), folder / "a.parquet")
    yield folder / "a.parquet"
    packed = io.BytesIO()
    for page in pages:
        record = WarcRecord()
        record.init_headers(WarcRecordType.response)
        record.headers["WARC-Target-URI"] = page.url or ""
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.set_bytes_content(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + str(page.html).encode())
        writer = GzipWriter(packed)
        record.write(writer)
        writer.finish()
    damaged = packed.getvalue()[:-100]
    (folder / "a.warc.gz").write_bytes(damaged)
    yield folder / "a.warc.gz"
    with ZipFile(folder / "a.wacz", "w", ZIP_DEFLATED) as outer:
        outer.writestr("archive/a.warc.gz", damaged)
    yield folder / "a.wacz"
    (folder / "site").mkdir(exist_ok=True)
    for number, page in enumerate(pages):
        (folder / "site" / f"{number}.html").write_text(str(page.html), "utf-8")
    yield folder / "site"


def _memory() -> float:
    """The resident memory of this process in megabytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    sys.exit(main())
