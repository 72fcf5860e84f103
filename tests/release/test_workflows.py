"""Workflows call make targets that exist, need no secrets, and name no address."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([\w-]+):(?!=)", MAKEFILE, re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def steps(path: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_there_is_a_workflow_for_each_task() -> None:
    assert [path.stem for path in WORKFLOWS] == ["docs", "fuzz", "release", "test"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_step_is_an_action_or_a_make_target(path: Path) -> None:
    commands = [step["run"].split() for step in steps(path) if "run" in step]
    assert commands
    assert [words for words in commands if words[0] != "make" or words[1] not in TARGETS] == []
    assert all("uses" in step for step in steps(path) if "run" not in step)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_workflow_has_a_secret_an_address_or_more_rights_than_it_needs(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "secrets." not in text
    assert "://" not in text
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_every_target_that_makes_no_file_is_declared_phony() -> None:
    phony = set(re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)[0].split())
    assert phony == TARGETS


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == PROJECT["project"]["version"]
    assert citation["authors"] == PROJECT["project"]["authors"] == [{"name": "the dehusk developers"}]


@pytest.mark.parametrize("name", ["bug", "wrong-page"])
def test_issue_forms_ask_for_the_doctor(name: str) -> None:
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text("utf-8"))
    (doctor,) = (field for field in form["body"] if field["id"] == "doctor")
    assert doctor["validations"]["required"]
    assert "dehusk doctor" in doctor["attributes"]["label"]
