"""Many clients at once, and generated requests."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from served import Service, drawn_requests, running

CLIENTS = 20
PAGE = "<main><h1>Tides</h1><p>High water comes at six, and the ferry leaves an hour later from the old quay.</main>"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("clients"), "-q") as service:
        yield service


def test_twenty_clients_at_once_get_answers_or_are_asked_to_retry(service: Service) -> None:
    def ask(number: int) -> list[tuple[int, bool]]:
        page = {"html": PAGE, "url": f"https://site{number}.example/"}
        answers = [
            service.ask("POST", "/api/learn", {"pages": [page]}),
            service.ask("POST", "/api/clean", page),
            service.ask("POST", "/api/visit", page),
            service.ask("GET", "/api/sites"),
        ]
        return [(status, "retry-after" in headers) for status, headers, _ in answers]

    with ThreadPoolExecutor(CLIENTS) as clients:
        found = Counter(one for answers in clients.map(ask, range(CLIENTS)) for one in answers)
    assert found.keys() <= {(200, False), (503, True)}
    assert found[200, False] >= CLIENTS


def test_requests_drawn_from_the_schema_find_no_fault(service: Service, tmp_path: Path) -> None:
    done = subprocess.run(
        drawn_requests(service, "--phases=examples,fuzzing", "--max-examples=2", "--seed=1"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert service.ask("GET", "/api/status")[0] == 200
