"""Makes a WARC of real pages of a given size:  python benchmarks/make_warc.py DATA OUT.warc.gz --size 1GB

DATA has the layout of bench.evaluation.datasets. The pages of some sites are repeated until the uncompressed records
have the given size; from the second round on, each page gets a unique paragraph in its middle. URLs are invented for
each site. The same data give the same bytes.
"""

import argparse
import hashlib
import itertools
import math
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dehusk.base.files import written_whole_bytes
from dehusk.bench.evaluation.datasets import sites
from dehusk.outputs.warc import as_header, derived_id, record

UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9}
STARTED = datetime(2024, 1, 1, tzinfo=UTC)
WORDS = ("amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbour")


def size(text: str) -> int:
    """Parses a number of bytes, with or without a unit."""
    for unit, factor in UNITS.items():
        if text.endswith(unit):
            return int(float(text.removesuffix(unit)) * factor)
    return int(text)


def chosen(data: Path, count: int) -> dict[str, list[Path]]:
    """The pages of some sites, sampled evenly from all sets, by invented host."""
    found = [(site.name.replace("/", "-").replace("_", "-").lower(), site) for site in sites(data)]
    step = max(1, len(found) // count)
    return {f"{name}.example": sorted(site.gold) for name, site in found[::step][:count]}


def copies(hosts: dict[str, list[Path]]) -> Iterator[tuple[str, bytes]]:
    """URLs and pages, without end."""
    for round_ in itertools.count():
        for host, files in hosts.items():
            for file in files:
                html = file.read_bytes()
                url = f"http://{host}/{'/'.join(file.parts[file.parts.index('pages') + 1 :])}"
                yield (f"{url}?copy={round_}", marked(html, f"{url} {round_}")) if round_ else (url, html)


def marked(html: bytes, seed: str) -> bytes:
    """The page with a unique paragraph after the paragraph in its middle, else at the end of its body."""
    digest = hashlib.blake2b(seed.encode()).digest()
    paragraph = f"<p>This copy is about {' '.join(WORDS[byte % 8] for byte in digest[:24])}.</p>".encode()
    place = html.find(b"</p>", len(html) // 2)
    place = place + 4 if place >= 0 else html.rfind(b"</body>")
    return html[:place] + paragraph + html[place:] if place >= 0 else html + paragraph


def write(
    out: Path, hosts: dict[str, list[Path]], *, size: float = math.inf, pages: float = math.inf
) -> tuple[int, int]:
    """Writes an archive of at least this many bytes, or this many pages; returns the numbers of bytes and pages."""
    total = number = 0
    with written_whole_bytes(out) as file:
        for url, html in copies(hosts):
            if total >= size or number >= pages:
                break
            fields = {
                "WARC-Type": "response",
                "WARC-Target-URI": as_header(url),
                "WARC-Date": (STARTED + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "WARC-Record-ID": derived_id(url),
                "Content-Type": "application/http; msgtype=response",
            }
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
            file.write(record(fields, block, packed=out.suffix == ".gz", level=1))  # fast compression
            total += len(block) + sum(len(name) + len(value) + 4 for name, value in fields.items())
            number += 1
    return total, number


def prepared(folder: Path, data: Path, **limits: float) -> tuple[Path, Path, int, int]:
    """Makes an archive up to the limits, and templates of its sites; returns both, and the numbers of bytes and pages.

    The templates are learned from a smaller archive with one round of pages, which suffices.
    """
    archive, first, husks = (folder / name for name in ("in.warc.gz", "first.warc.gz", "husks"))
    hosts = chosen(data, 12)
    total, pages = write(archive, hosts, **limits)
    write(first, hosts, pages=sum(map(len, hosts.values())))
    subprocess.run([sys.executable, "-m", "dehusk", "learn", first, "-o", husks, "-q"], check=True)
    return archive, husks, total, pages


def main() -> None:
    """Writes the archive and prints its size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", type=size, default="1GB", help="of the records, uncompressed (default: %(default)s)")
    parser.add_argument("--sites", type=int, default=12, help="how many to take (default: %(default)s)")
    options = parser.parse_args()
    hosts = chosen(options.data, options.sites)
    total, pages = write(options.out, hosts, size=options.size)
    print(f"{pages} pages of {len(hosts)} sites, {total / 1e6:.0f} MB, as {options.out.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
