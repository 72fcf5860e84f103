"""Prints how the service copes with many concurrent clients: status codes and latencies.

    PYTHONPATH=tests:examples python benchmarks/service.py [--clients N] [--seconds N] [--patient]

Starts the installed command on this machine, and lets it learn the demo site. Each client sends one request after the
other to random routes. Patient clients wait as told by Retry-After; others continue at once. At the end, some clients
send pages that take long while another requests the status.
"""

import argparse
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import demo_site
from served import Service, running

HOSTILE = "<div>" * 400_000
"""A page that takes long to process."""

Question = tuple[str, str, Any]


@dataclass(slots=True)
class Found:
    """Counts of responses by status, and seconds by route."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, route: str, status: str, seconds: float) -> None:
        """Adds one response."""
        self.statuses[status] += 1
        if status == "200":
            self.seconds[route].append(seconds)


def questions(pages: Sequence[Mapping[str, str]]) -> list[Question]:
    """A request for each route that users wait for."""
    page, other = random.sample(pages, 2)
    changed = page["html"].replace("</h1>", "</h1><p>Something is new here since the last visit.</p>", 1)
    return [
        ("POST", "/api/clean", page),
        ("POST", "/api/mark", page),
        ("POST", "/api/diff", {"old": page["html"], "new": changed, "url": page["url"]}),
        ("POST", "/api/visit", {"html": random.choice([page["html"], changed]), "url": page["url"]}),
        ("POST", "/api/candidates", page),
        ("POST", "/api/learn", {"pages": [page, other]}),
        ("GET", "/api/sites", None),
        ("GET", "/api/sites/tidewater.example/pages", None),
        ("GET", "/api/snapshots", None),
    ]


def client(service: Service, pages: Sequence[Mapping[str, str]], until: float, *, patient: bool) -> Found:
    """Sends requests until the time is over."""
    found = Found()
    while time.monotonic() < until:
        method, route, body = random.choice(questions(pages))
        started = time.monotonic()
        try:
            status, headers, _ = service.ask(method, route, body)
        except (OSError, ValueError) as error:
            found.add(route, type(error).__name__, 0)
            continue
        kind = "503, try again" if status == 503 and "retry-after" in headers else str(status)
        found.add(route, kind, time.monotonic() - started)
        if patient and "retry-after" in headers:
            time.sleep(float(headers["retry-after"]) * random.random())
    return found


def responsiveness(service: Service, times: int = 20) -> tuple[float, str]:
    """The longest wait for the status while slow pages are processed, and the status codes of those."""
    with ThreadPoolExecutor(3) as clients:
        heavy = [clients.submit(service.ask, "POST", "/api/mark", {"html": HOSTILE}) for _ in range(2)]
        longest = 0.0
        for _ in range(times):
            started = time.monotonic()
            service.ask("GET", "/api/status")
            longest = max(longest, time.monotonic() - started)
            time.sleep(0.1)
        return longest, ", ".join(str(one.result()[0]) for one in heavy)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--patient", action="store_true")
    options = parser.parse_args()
    pages = [{"html": html, "url": f"https://tidewater.example/{name}"} for name, html in demo_site.pages().items()]
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), "-q") as service:
        service.ask("POST", "/api/learn", {"pages": pages})
        until = time.monotonic() + options.seconds
        with ThreadPoolExecutor(options.clients) as clients:
            asking = [
                clients.submit(client, service, pages, until, patient=options.patient) for _ in range(options.clients)
            ]
            found = [one.result() for one in asking]
        longest, fate = responsiveness(service)
    total = Counter[str]()
    seconds: dict[str, list[float]] = defaultdict(list)
    for one in found:
        total += one.statuses
        for route, some in one.seconds.items():
            seconds[route] += some
    print(f"{options.clients} clients, {options.seconds:g} s, {sum(total.values()):,} requests")
    for status, count in total.most_common():
        print(f"  {status:16} {count:6,}")
    print(f"{'answered':36} {'requests':>8} {'median':>8} {'95 of 100':>10}")
    for route, some in sorted(seconds.items()):
        cuts = quantiles(some, n=20) if len(some) > 1 else some * 19
        print(f"{route:36} {len(some):8,} {cuts[9]:7.3f}s {cuts[18]:9.3f}s")
    print(
        f"status while two pages of {len(HOSTILE) / 1e6:.0f} MB of open elements are processed: at most {longest:.3f} s"
    )
    print(f"these pages: {fate}")


if __name__ == "__main__":
    main()
