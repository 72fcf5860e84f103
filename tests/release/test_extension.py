"""The zips of the browser extension for the stores."""

import json
import zipfile
from pathlib import Path

import pytest

import extension


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_a_zip_has_all_files_and_a_manifest_for_its_browser(browser: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(extension.build(browser, tmp_path)) as packed:
        names = set(packed.namelist())
        manifest = json.loads(packed.read("manifest.json"))
    files = {file.relative_to(extension.EXTENSION).as_posix() for file in extension.EXTENSION.rglob("*.js")}
    assert files <= names
    assert "steps.html" not in names
    assert ("browser_specific_settings" in manifest) == (browser == "firefox")
    assert ("service_worker" in manifest["background"]) == (browser == "chromium")


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    first = extension.build("firefox", tmp_path).read_bytes()
    assert extension.build("firefox", tmp_path).read_bytes() == first
