"""Tests the service with random requests made from its schema, and prints failures.

    PYTHONPATH=tests:examples python experiments/fuzz_service.py [--examples N] [--seed N]

Starts the installed command on this machine, lets it learn the demo site, and runs schemathesis on /openapi.json with
all phases and all checks but one. That check requires that every request that fits the schema is accepted; but a schema
cannot describe what is HTML, nor which families and places a site has.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import demo_site
from served import drawn_requests, running


def main() -> int:
    """Runs schemathesis; returns 1 if a check failed or the service died."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pages = [{"html": html, "url": f"https://tidewater.example/{name}"} for name, html in demo_site.pages().items()]
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), "-q") as service:
        service.ask("POST", "/api/learn", {"pages": pages})
        done = subprocess.run(
            drawn_requests(
                service, f"--max-examples={options.examples}", f"--seed={options.seed}", "--continue-on-failure"
            ),
            cwd=folder,
            check=False,
        )
        alive = service.ask("GET", "/api/status")[0] == 200
    print("the service still answers" if alive else "the service does not answer any more")
    return done.returncode or not alive


if __name__ == "__main__":
    sys.exit(main())
