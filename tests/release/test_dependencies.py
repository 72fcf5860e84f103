"""Licences and the SBOM of a release."""

import re
import tomllib
from email.message import Message
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, cast

import dependencies
import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMPARED = ("trafilatura", "resiliparse", "readability-lxml", "justext", "boilerpy3", "newspaper4k", "rs-trafilatura")


def named(requirement: str) -> str:
    return re.split(r"[<>=;\[ ]", requirement)[0]


def test_every_dependency_has_an_upper_bound_except_those_that_say_why() -> None:
    extras = PROJECT["optional-dependencies"].values()
    wanted = [*PROJECT["dependencies"], *(one for extra in extras for one in extra)]
    assert {named(one) for one in wanted if not re.search(r"<\d", one)} == {"pyarrow", *COMPARED}


def test_all_that_dehusk_installs_has_a_licence_that_is_fine(capsys: pytest.CaptureFixture[str]) -> None:
    packages, _ = dependencies.installed()
    assert dependencies.told(packages) == 0
    assert {named(one) for one in PROJECT["dependencies"]} <= packages.keys()
    assert "turbohtml" in capsys.readouterr().out


class Package:
    """A package with some metadata."""

    version = "1.0"
    requires = ("turbohtml>=1", "colorama; sys_platform == 'none'", "mcp[cli]; extra == 'mcp'")

    def __init__(self, **fields: str) -> None:
        self.metadata = Message()
        for name, value in fields.items():
            self.metadata[name.replace("_", "-")] = value


@pytest.mark.parametrize(
    ("fields", "licence", "fine"),
    [
        ({"License_Expression": "MIT"}, "MIT", True),
        ({"License_Expression": "(MIT OR GPL-3.0-only)"}, "(MIT OR GPL-3.0-only)", True),
        ({"License_Expression": "MPL-2.0 AND MIT"}, "MPL-2.0 AND MIT", True),
        ({"License_Expression": "MIT AND GPL-3.0-only"}, "MIT AND GPL-3.0-only", False),
        ({"License": "Apache License 2.0"}, "Apache-2.0", True),
        ({"License": "Copyright\n" * 50, "Classifier": "License :: OSI Approved :: BSD License"}, "BSD-3-Clause", True),
        ({"Classifier": "Topic :: Text Processing"}, "", False),
    ],
)
def test_a_licence_is_fine_or_has_to_be_looked_at(fields: dict[str, str], licence: str, *, fine: bool) -> None:
    package = cast("Distribution", Package(**fields))
    assert dependencies.licence(package) == licence
    assert dependencies.is_fine(licence) is fine
    assert dependencies.told({"a": package}) == (0 if fine else 1)


def test_requirements_depend_on_the_machine_and_on_extras() -> None:
    package = cast("Distribution", Package())
    assert list(dependencies.required(package, frozenset())) == [("turbohtml", frozenset())]
    assert ("mcp", frozenset({"cli"})) in dependencies.required(package, frozenset({"mcp"}))


def test_an_sbom_names_every_package_and_what_it_requires() -> None:
    packages, _ = dependencies.installed()
    made: dict[str, Any] = dependencies.sbom(packages)
    assert made == dependencies.sbom(packages)
    assert made["metadata"]["component"]["name"] == "dehusk"
    listed = {one["name"]: one for one in made["components"]}
    assert {"dehusk", *listed} == packages.keys()
    assert listed["turbohtml"]["purl"] == f"pkg:pypi/turbohtml@{packages['turbohtml'].version}"
    assert listed["turbohtml"]["licenses"] == [{"expression": "MIT"}]
    links = {one["ref"]: one["dependsOn"] for one in made["dependencies"]}
    assert set(links) == {made["metadata"]["component"]["bom-ref"], *(one["bom-ref"] for one in listed.values())}
    assert listed["httpcore"]["bom-ref"] in links[listed["httpx"]["bom-ref"]]
    assert {ref for refs in links.values() for ref in refs} <= links.keys()
