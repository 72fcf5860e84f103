"""The extension in a real Firefox."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from firefox import Firefox, firefox, installed

DEHUSK = Path(sys.executable).with_name("dehusk")


@pytest.fixture(scope="module")
def browser() -> Iterator[Firefox]:
    path = installed()
    if not path:
        pytest.skip("no Firefox here: install the package firefox-esr to try the extension in it")
    with firefox(path) as started:
        yield started


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("service")
    command = [str(DEHUSK), "serve", "--port", "0", "--store", str(folder / "sites.store")]
    home = {**os.environ, "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=home) as process:
        assert process.stdout
        line = process.stdout.readline().strip()
        assert line, "the service did not start"
        yield line
        process.terminate()


HUSKS = "[...document.querySelectorAll('[data-dehusk=husk]')].map(one => one.className).sort().join()"
TINTED = f"return {HUSKS} === 'buy,crumbs,foot,related,side,top'"


def snapshots(service: str) -> int:
    """The number of pages that the service has stored."""
    address, _, token = service.partition("/#token=")
    asked = Request(f"{address}/api/snapshots", headers={"Authorization": f"Bearer {token}"})
    with urlopen(asked) as answer:
        return len(json.load(answer))


def test_the_whole_way_from_loading_it_to_a_private_window(browser: Firefox, service: str, demo_url: str) -> None:
    extension = browser.install()
    assert browser.about(extension)["active"]
    browser.open(service)
    browser.until("return sessionStorage.getItem('dehusk-token')")
    browser.click(extension)
    browser.choose("#accept")
    browser.menu("Paired with dehusk")

    port = demo_url.rpartition(":")[2]
    page = f"http://tidewater.test:{port}/shop/pier-lantern.html"
    browser.open(page)
    browser.click(extension)
    browser.until(TINTED)
    tint = browser.run("return getComputedStyle(document.querySelector('footer')).backgroundColor")
    assert tint == "rgb(253, 226, 221)"
    browser.choose("[data-view=changes]")
    browser.menu("This is your first visit")
    assert snapshots(service) == 1

    browser.private_window()
    browser.open(page.replace("pier-lantern", "quayside-kettle"))
    browser.click(extension)
    browser.until("return document.querySelector('[data-dehusk=husk]') !== null")
    browser.choose("[data-view=changes]")
    browser.menu("Pages in private windows are not stored")
    assert snapshots(service) == 1
