"""The options of fetching."""

import subprocess
import sys

from dehusk.sources.web.fetching import Fetching


def test_the_options_make_a_fetcher() -> None:
    with Fetching(max_pages=7, user_agent="tester/1").open() as fetcher:
        assert (fetcher.max_pages, fetcher.user_agent) == (7, "tester/1")


def test_options_alone_do_not_load_the_network() -> None:
    script = "import sys, dehusk.sources.web.fetching; print('httpx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
