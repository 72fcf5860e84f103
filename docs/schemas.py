"""JSON Schemas of template files and of rows, made from the declarations of their fields.

    python docs/schemas.py FOLDER        # writes template-VERSION.schema.json and row-VERSION.schema.json

A schema permits fields that it does not know: newer versions of dehusk may add some.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from reference_api import attribute_texts

from dehusk.base.files import written_whole
from dehusk.marking.edits import Edit
from dehusk.metadata import Habits
from dehusk.methods import METHODS
from dehusk.templates.cleaned import FIELDS
from dehusk.templates.families import Signature
from dehusk.templates.site_names import BY
from dehusk.templates.template import FORMAT, Template

DRAFT = "https://json-schema.org/draft/2020-12/schema"
ROW = 1
"""The version of rows. It rises when a field is removed or changes its type or meaning, not when one is added."""

_PLAIN = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}
_LISTS = (list, tuple, frozenset)
_OPTIONAL = ("left_out", "habits", "edits")
"""Fields of a template file that are left out if they are empty."""

Schema = dict[str, Any]


def of_type(hint: Any) -> Schema:
    """The schema of a Python type, as `json.dump` writes its values."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [of_type(one) for one in inside]}
    if origin in _LISTS:
        return {"type": "array", "items": of_type(inside[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": of_type(inside[1])}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"enum": [str(member) for member in hint]}
    if is_dataclass(hint):
        return of_fields(hint, required=True)
    return {"type": _PLAIN[hint]}


def of_fields(declared: Any, *, required: bool) -> Schema:
    """The schema of an object with the fields of a data class; of all or none of them."""
    hints = get_type_hints(declared)
    properties = {field.name: of_type(hints[field.name]) for field in fields(declared)}
    return {"type": "object", "properties": properties, **({"required": list(properties)} if required else {})}


def row() -> Schema:
    """The schema of a row: see `dehusk.Cleaned.to_dict`. Fields on demand are not required."""
    return {
        "$schema": DRAFT,
        "title": f"dehusk row, version {ROW}",
        "description": "A cleaned page as a row of JSON Lines, JSON, or the result of Cleaned.to_dict().",
        "type": "object",
        "properties": {field.name: {"description": field.meaning, **of_type(field.type)} for field in FIELDS},
        "required": [field.name for field in FIELDS if not field.on_demand],
    }


def template() -> Schema:
    """The schema of a template file: see `dehusk.Template.save`. The rules of a family are those of its method."""
    return {
        "$schema": DRAFT,
        "title": f"dehusk template file, version {FORMAT}",
        "description": "What dehusk learn writes. The number in `dehusk` is the version that a reader must know.",
        "type": "object",
        "properties": {name: {"description": _meaning(name), **schema} for name, schema in _of_template()},
        "required": [name for name, _ in _of_template() if name not in _OPTIONAL],
    }


def _meaning(name: str) -> str:
    """What a field of a template file means: as the template says."""
    return {"dehusk": "the version that a reader must know", **attribute_texts(Template)}[name].partition(". `")[0]


def _of_template() -> Iterator[tuple[str, Schema]]:
    """The fields of a template file."""
    hints = get_type_hints(Template)
    yield "dehusk", {"type": "integer", "minimum": 1, "maximum": FORMAT}
    for field in fields(Template):
        if field.name not in ("families", "habits", "edits", "method", "by"):
            yield field.name, of_type(hints[field.name])
    yield "method", {"enum": list(METHODS)}
    yield "by", {"enum": list(BY)}
    yield "habits", of_fields(Habits, required=False)
    edit = of_fields(Edit, required=False)
    yield "edits", {"type": "array", "items": {**edit, "required": ["path", "keep", "scope", "id"]}}
    family = {"signature": of_fields(Signature, required=True), "rules": {"type": "object"}}
    items = {"type": "object", "properties": {**family, "tables": {"type": "object"}}, "required": list(family)}
    yield "families", {"type": "array", "minItems": 1, "items": items}


def schemas() -> dict[str, Schema]:
    """All schemas, by the names of their files."""
    return {f"template-{FORMAT}.schema.json": template(), f"row-{ROW}.schema.json": row()}


def write(folder: Path) -> None:
    """Writes the schemas to a folder."""
    for name, schema in schemas().items():
        with written_whole(folder / name) as file:
            json.dump(schema, file, indent=2, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python docs/schemas.py FOLDER")
    write(Path(sys.argv[1]))
