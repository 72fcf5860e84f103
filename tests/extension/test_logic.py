"""The scripts of the extension that need no browser."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dehusk.base.tree import Tree
from dehusk.page import Page
from dehusk.page.places import Naming

NAMES = (
    {"class": "menu"},
    {"id": "main", "class": "wide left"},
    {"id": "post-1234", "class": "post post-1234 col-8"},
    {"class": "css-1q2w3e a1b2c"},
    {"id": "side2", "class": "md:flex"},
)


def test_the_scripts_do_what_they_should() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("no Node here: install the package nodejs to test the extension's scripts")
    steps = [(names, Naming(_tree(names)).kind(1).removeprefix("body > ")) for names in NAMES]
    ran = subprocess.run(
        [node, "--test", "--test-reporter=tap", str(Path(__file__).with_name("logic.mjs"))],
        env={**os.environ, "STEPS": json.dumps(steps)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


def _tree(names: dict[str, str]) -> Tree:
    attributes = " ".join(f'{name}="{value}"' for name, value in names.items())
    return Page(f"<body><div {attributes}><p>Text").tree
