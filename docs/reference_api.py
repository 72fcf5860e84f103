"""The reference of the Python API in Markdown: signatures with types, docstrings, and an example for each name."""

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from enum import Enum
from types import FunctionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from api_examples import EXAMPLES

import dehusk
from dehusk.render.writing import OPTIONS

GROUPS = {
    "Learn and clean": ("learn", "clean", "load", "Job", "Store", "time_limit"),
    "Templates and cleaned pages": ("Template", "Cleaned", "Page", "Part", "Removed", "Marking", "Metadata"),
    "Data, chunks and links": ("table", "Table", "Chunk", "Link"),
    "Choices": ("Writing", "Role", "Edit"),
    "Versions of a page": ("diff", "Diff", "Change", "Verdict"),
    "Warnings and errors": (
        *("PageWarning", "DehuskError", "UsageError", "SourceError", "TemplateError", "OutputError", "FetchError"),
        "SlowError",
    ),
}
"""The public names, in the order in which people need them."""

_INTRODUCTION = """All public names are in the module `dehusk`. The examples begin with `import dehusk`; `pages` are
pages of a site, `html` is one of them, and `old` an earlier version of it."""

_LONG_ANSWER = 100  # characters of a signature; longer ones have a line for each parameter
_MODULES = re.compile(r"(?<![\w.])(?:dehusk|collections|typing|pathlib|os|enum|types)(?:\.\w+)*\.(?=[A-Z])")
_QUOTED = re.compile(r"'([A-Z][^']*)'")
_OURS = re.compile(r"<[^<>]*(?:<\w+>)? at 0x[0-9a-f]+>|<factory>|(?<== Writing\()[^)]*\(\)[^)]*\(\)[^)]*(?=\))")
"""Values that are objects or functions; of the usual `Writing`, what it has."""


def page() -> str:
    """The whole page."""
    parts = [
        "# Python API",
        _INTRODUCTION,
    ]
    for title, names in GROUPS.items():
        parts += [f"## {title}", *(_entry(name) for name in names)]
    return "\n\n".join(parts) + "\n"


def _entry(name: str) -> str:
    """One name: what it is, its members, and its example."""
    value = getattr(dehusk, name)
    members = list(_members(value)) if inspect.isclass(value) else []
    anchor = f"api-{name.lower()}" if inspect.isclass(value) else f"api-function-{name.lower()}"
    parts = [f"({anchor})=\n### `{name}`", _code(_declared(name, value)), _text(inspect.getdoc(value))]
    parts += [f"```python\n{EXAMPLES[name].strip()}\n```"]
    if members:
        parts += ["**Members**", "\n\n".join(members)]
    return "\n\n".join(part for part in parts if part)


def _declared(name: str, value: Any) -> str:
    if isinstance(value, FunctionType):
        return f"dehusk.{name}{_signature(value)}"
    if issubclass(value, Enum):
        return f"class dehusk.{name}({value.__mro__[1].__name__})"
    if issubclass(value, Exception):
        return f"class dehusk.{name}({value.__mro__[1].__name__})"
    return f"class dehusk.{name}{_signature(value)}"


def _signature(value: Any, *, bound: bool = False) -> str:
    """The signature with types, without the modules of types."""
    found = inspect.signature(value)
    if bound:
        found = found.replace(parameters=list(found.parameters.values())[1:])
    said = _plain(str(found))
    if len(said) <= _LONG_ANSWER or bound:
        return said
    lines = [_plain(str(one)) for one in found.parameters.values()]
    star = next((n for n, one in enumerate(found.parameters.values()) if one.kind is one.KEYWORD_ONLY), None)
    if star is not None and not any(one.kind is one.VAR_POSITIONAL for one in found.parameters.values()):
        lines.insert(star, "*")
    end = said.rpartition(")")[2]
    return "(\n    " + ",\n    ".join(lines) + f",\n){end}"


def _plain(code: str) -> str:
    """A signature or type without quotes around types, the modules of types, and the addresses of objects."""
    return _OURS.sub("...", _MODULES.sub("", _QUOTED.sub(r"\1", code)))


def _members(value: type) -> Iterator[str]:
    """The public members of a class, as entries of a list of definitions."""
    if issubclass(value, Enum):
        yield "\n".join(f"- `{one.name}`: {getattr(one, 'meaning', one.value)}" for one in value)
        return
    if dataclasses.is_dataclass(value):
        yield from _fields(value)
    for name, member in vars(value).items():
        if name.startswith("_") or (dataclasses.is_dataclass(value) and name in value.__dataclass_fields__):
            continue
        plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        getter = getattr(member, "fget", None) or getattr(member, "func", None)
        if inspect.isfunction(plain):
            code = f"{name}{_signature(plain, bound=not isinstance(member, staticmethod))}"
        elif getter:
            code = f"{name}: {_type(inspect.signature(getter).return_annotation)}"
        else:
            continue
        if "Node" not in code:  # for code inside of dehusk
            yield _definition(code, inspect.getdoc(getter or plain))


def _fields(value: Any) -> Iterator[str]:
    """The fields of a data class: with their meaning, or in one line if the text of the class tells it."""
    said = attribute_texts(value)
    if value is dehusk.Writing:
        said |= {option.name: option.help for option in OPTIONS}
    hints = get_type_hints(value, include_extras=True)
    told_above = []
    for field in dataclasses.fields(value):
        hint, *more = get_args(hints[field.name]) if get_origin(hints[field.name]) is Annotated else (field.type,)
        code, meaning = f"{field.name}: {_type(hint)}", said.get(field.name) or "".join(map(str, more))
        if meaning:
            yield _definition(code, meaning)
        elif not field.name.startswith("_"):
            told_above.append(f"`{code}`")
    if told_above:
        yield f"Fields, as told above: {', '.join(told_above)}."


def _type(hint: Any) -> str:
    return _plain(hint if isinstance(hint, str) else inspect.formatannotation(hint)).removeprefix("ForwardRef")


def _definition(code: str, text: str | None) -> str:
    return f"`{code}`\n: {' '.join(_text(text).split())}"


def _code(code: str) -> str:
    return f"```text\n{code}\n```"


def _text(text: str | None) -> str:
    """A docstring as Markdown: code that it shows becomes a block."""
    blocks = textwrap.dedent(text or "").strip().split("\n\n")
    return "\n\n".join(f"```text\n{textwrap.dedent(one)}\n```" if one.startswith("    ") else one for one in blocks)


def attribute_texts(value: type) -> dict[str, str]:
    """The texts below the attributes of a class."""
    body = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101
    found = {}
    for before, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found[ast.unparse(before.target)] = str(after.value.value)
    return found
