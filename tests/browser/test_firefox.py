"""The extension in a real Firefox."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

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


def test_it_loads_is_paired_and_tints_a_page_with_one_click(browser: Firefox, service: str, demo_url: str) -> None:
    extension = browser.install()
    about = browser.about(extension)
    assert about["active"]
    browser.open(f"moz-extension://{about['host']}/options.html")
    browser.until("return document.querySelector('#address')?.value")
    browser.run("document.querySelector('#line').value = arguments[0]", service)
    browser.run("document.querySelector('#pairing button').click()")
    browser.until("return document.querySelector('#result.good')?.textContent")
    port = demo_url.rpartition(":")[2]
    browser.open(f"http://tidewater.test:{port}/shop/pier-lantern.html")
    browser.click(extension)
    told = "[...document.querySelectorAll('[data-dehusk=husk]')].map(one => one.className).sort().join()"
    browser.until(f"return {told} === 'crumbs,foot,related,side,top'")
    assert (
        browser.run("return getComputedStyle(document.querySelector('footer')).backgroundColor") == "rgb(253, 226, 221)"
    )
