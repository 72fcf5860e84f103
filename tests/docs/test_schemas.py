"""The JSON Schemas describe what dehusk writes, for every method and every field, and refuse what it does not write."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import schemas

import dehusk
import demo_site
from dehusk.methods import METHODS
from dehusk.templates.cleaned import FIELDS
from dehusk.templates.template import FORMAT

PAGES = [dehusk.Page(html, url=f"{demo_site.BASE_URL}{name}") for name, html in demo_site.pages().items()]
ON_DEMAND = [field.name for field in FIELDS if field.on_demand]


def faults(schema: dict[str, Any], value: object) -> list[str]:
    jsonschema.Draft202012Validator.check_schema(schema)
    found = jsonschema.Draft202012Validator(schema).iter_errors(value)
    return [f"{error.json_path}: {error.message:.80}" for error in found]


@pytest.mark.parametrize("method", METHODS)
def test_the_template_file_of_every_method_is_valid(method: str, tmp_path: Path) -> None:
    template = dehusk.learn(PAGES[:12], method=method)
    template.save(tmp_path / "site.husk")
    assert faults(schemas.template(), json.loads((tmp_path / "site.husk").read_text("utf-8"))) == []


def test_a_template_with_edits_is_valid() -> None:
    template = dehusk.learn(PAGES[:12]).edited(dehusk.Edit.new("body > nav.crumbs", keep=True, why="a reason"))
    assert faults(schemas.template(), json.loads(json.dumps(template.to_json()))) == []


def test_the_rows_of_the_demo_site_are_valid(tmp_path: Path) -> None:
    template = dehusk.learn(PAGES)
    for page in PAGES:
        row = json.loads(json.dumps(template.clean(page).to_dict(ON_DEMAND, site="tidewater.example")))
        assert row.keys() == schemas.row()["properties"].keys()
        assert faults(schemas.row(), row) == []
    demo_site.write(tmp_path / "in")
    dehusk.Job(tmp_path / "in", tmp_path / "rows.jsonl").run()
    lines = (tmp_path / "rows.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == len(PAGES)
    assert [fault for line in lines for fault in faults(schemas.row(), json.loads(line))] == []


@pytest.mark.parametrize(
    ("schema", "change"),
    [
        (schemas.row, {"title": 7}),
        (schemas.row, {"authors": "Ann"}),
        (schemas.row, {"quality": "good"}),
        (schemas.template, {"method": "magic"}),
        (schemas.template, {"dehusk": 99}),
        (schemas.template, {"families": []}),
        (schemas.template, {"edits": [{"path": "body"}]}),
    ],
)
def test_what_dehusk_does_not_write_is_refused(schema: Callable[[], dict[str, Any]], change: dict[str, Any]) -> None:
    template = dehusk.learn(PAGES[:12])
    real = template.clean(PAGES[1]).to_dict() if schema is schemas.row else template.to_json()
    assert faults(schema(), json.loads(json.dumps(real))) == []
    assert faults(schema(), real | change)


def test_the_files_are_named_after_their_versions(tmp_path: Path) -> None:
    schemas.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {f"template-{FORMAT}.schema.json", "row-1.schema.json"}
