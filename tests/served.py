"""Runs the installed `dehusk serve` on a free port, for tests and measurements over HTTP."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).with_name("dehusk")


@dataclass(frozen=True, slots=True)
class Service:
    """A running service."""

    process: subprocess.Popen[str]
    folder: Path
    port: int
    token: str

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], Any]:
        """The status, headers and JSON of a response; a header with the value "" is not sent."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            about = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(headers or {})}
            connection.request(
                method,
                path,
                None if body is None else json.dumps(body),
                {name: value for name, value in about.items() if value},
            )
            answer = connection.getresponse()
            data = answer.read()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, json.loads(data)


def start(folder: Path, *words: object) -> subprocess.Popen[str]:
    """Starts the command with its files in this folder."""
    return subprocess.Popen(
        [COMMAND, "serve", *map(str, words)],
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def running(folder: Path, *words: object) -> Iterator[Service]:
    """A service that answers; killed afterwards."""
    with start(folder, "--port", 0, *words) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            address, _, token = line.strip().partition("#token=")
            assert address.startswith("http://127.0.0.1:"), (line, process.stderr and process.stderr.read())
            yield Service(process, folder, int(address.rstrip("/").rpartition(":")[2]), token)
        finally:
            process.kill()


def drawn_requests(service: Service, *words: str) -> list[str | Path]:
    """The command that sends requests generated from the schema; `words` are more options of schemathesis."""
    return [
        Path(sys.executable).with_name("schemathesis"),
        "run",
        f"http://127.0.0.1:{service.port}/openapi.json",
        f"--header=Authorization: Bearer {service.token}",
        # The schema cannot express what is HTML, or which families and places a site has.
        "--exclude-checks=positive_data_acceptance",
        *words,
    ]
