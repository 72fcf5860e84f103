"""The generated pages of the reference, in Markdown: made from what dehusk declares, so that they are always true."""

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import reference_api
import schemas

import dehusk
from dehusk.base.errors import PageWarning
from dehusk.base.options import Option
from dehusk.cli import COMMANDS
from dehusk.methods import DEFAULT, METHODS
from dehusk.methods.evidence.second_look import PAGE_KINDS
from dehusk.outputs import CHOICES
from dehusk.roles import Role
from dehusk.sources import SOURCE_TYPES
from dehusk.templates.cleaned import FIELDS

KINDS = {
    "article": "one text: news, posts, essays, encyclopedia entries",
    "collection": "pictures or items without much text of their own",
    "documentation": "manuals and references, with code",
    "forum": "threads: questions, answers and posts of several people",
    "listing": "lists of links with teasers: front pages, search results, categories",
    "product": "one item with its fields: price, maker, size",
    "recipe": "ingredients and steps",
    "service": "what a company or office offers",
}
"""The kinds of pages, and what they are."""

TO_DO = {
    PageWarning.NO_PAGES: "learn from pages of the same site",
    PageWarning.ONE_PAGE: "give more pages of the site: three are enough for most",
    PageWarning.NO_SECOND_PAGE: "give a second page of the site, or use the default method, which can judge one page",
    PageWarning.OTHER_SITE: "check that the template is of this site; if the site was redesigned, learn again",
    PageWarning.UNSEEN_STYLE: "learn from pages of this style too (`--sample`)",
    PageWarning.NEARLY_ALL: "look at the page with `dehusk show`; correct it with `dehusk edit --keep`",
    PageWarning.UNFAMILIAR: "look at the pages with `dehusk show`; correct the template with `dehusk edit`",
    PageWarning.NO_TEXT: "pages that scripts fill have no text: save them from a browser",
}
"""What to do about each warning."""

ERRORS = {
    "UsageError": ("2", "the message names the option or argument and what to give instead"),
    "SourceError": ("1", "check the path, and that the source has HTML; `--log FILE` lists every skipped page"),
    "TemplateError": ("1", "learn the template again, or upgrade dehusk if a newer one wrote it"),
    "OutputError": ("1", "choose another output; free some space; wait for another process that writes there"),
    "FetchError": ("1", "check the URL and the network; `--allow-private` for your own machines"),
    "SlowError": ("1", "leave the page out, or give it more time with `--page-seconds`"),
    "DehuskError": ("1", "the class of all the others: catch it to catch all of them"),
}
"""The exit code of each error, and what to do."""

_ROLES = """# Roles

Every part of a page has one of {count} roles. `--keep ROLE` and `--drop ROLE` choose by them;
[Parts of a page](../parts.md) has the rules.

{table}
"""
_KINDS = """# Kinds of pages

`Cleaned.kind` and the field `kind` of a row have one of these. `kind_confidence` is its probability; both are null for
pages without text, and for methods that do not know it.

{table}
"""
_ERRORS = """Each message names the file or URL and says what to do. All are in the module `dehusk`.
[Input and output](input-and-output.md#exit-codes) has all exit codes."""
_METHODS = """# Methods and their options

`--method NAME:option=value,option=value`, or keywords of `dehusk.learn(pages, method=NAME, ...)`.
[Comparing the methods](../methods.md) has their quality; [the papers](../papers.md) their sources."""
_SCHEMAS = """# Schemas of rows and template files

JSON Schema (draft 2020-12). The number in a name is the version of the format: it rises when a field is removed or
changes its meaning."""
_HTTP = """# HTTP routes

The routes of `dehusk serve`. All need the token: `Authorization: Bearer TOKEN` ([how to get it](../serve.md)). A
running service has its own description at `/openapi.json`."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown, without columns that are empty in all rows."""
    body = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    used = [number for number in range(len(head)) if any(row[number] for row in body)]
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line[number] for number in used) + " |" for line in lines)


def code(text: object) -> str:
    """A text as code in Markdown."""
    return f"`{text}`" if str(text) else ""


def commands() -> str:
    """Every command with its options."""
    parts = ["# Commands", "`dehusk COMMAND --help` prints the same."]
    parts += [
        table(
            ["command", "what it does"],
            ([f"[`dehusk {name}`](#dehusk-{name})", does] for name, does in COMMANDS.items()),
        )
    ]
    for name, does in COMMANDS.items():
        parser = argparse.ArgumentParser(prog=f"dehusk {name}", formatter_class=argparse.RawDescriptionHelpFormatter)
        import_module(f"dehusk.cli._{name}").add_arguments(parser)
        parts += [f"## `dehusk {name}`", f"{does[0].upper()}{does[1:]}.", *_of_parser(parser)]
    return "\n\n".join(parts) + "\n"


def _of_parser(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The usage, the options in groups, and the examples of a command."""
    yield f"```text\n{parser.format_usage().strip()}\n```"
    for group in parser._action_groups:
        rows = [_of_action(parser, action) for action in group._group_actions if action.dest != "help"]
        if rows:
            title = {"positional arguments": "arguments", "options": "options"}.get(
                group.title or "", group.title or ""
            )
            words = f" ({_escaped(group.description)})" if group.description else ""
            yield f"**{title.capitalize()}**{words}"
            yield table(["option", "meaning"], rows)
    lines = [line.strip() for line in (parser.epilog or "").splitlines()[1:]]
    if lines:
        yield "```text\n" + "\n".join(lines) + "\n```"


def _of_action(parser: argparse.ArgumentParser, action: argparse.Action) -> tuple[str, str]:
    names = ", ".join(action.option_strings) or str(action.metavar)
    taken = str(action.metavar or "").replace(",", ", ")  # so that a list of choices fits into its column
    value = f" {taken}" if action.option_strings and taken and action.nargs != 0 else ""
    helps = argparse.HelpFormatter(parser.prog)._expand_help(action) if action.help else ""
    return code(f"{names}{value}"), _escaped(re.sub(r", here \d+", "", helps))


def _escaped(text: str) -> str:
    """Text that has no meaning in Markdown."""
    return re.sub(r"([*_<>\[\]`{}$#~])", r"\\\1", text)


def roles() -> str:
    """The roles of parts."""
    rows = ([code(role), role.meaning] for role in Role)
    return _ROLES.format(count=len(Role), table=table(["role", "what it is"], rows))


def kinds() -> str:
    """The kinds of pages."""
    rows = ([code(kind), KINDS[kind]] for kind in sorted(PAGE_KINDS))
    return _KINDS.format(table=table(["kind", "what it is"], rows))


def formats() -> str:
    """Sources and outputs."""
    read = (
        [
            one.name,
            ", ".join(map(code, one.suffixes)),
            ", ".join(map(code, one.packings)),
            "yes" if one.fetched else "",
            _options(one.options),
        ]
        for one in SOURCE_TYPES
    )
    written = (
        [
            code(one.name),
            ", ".join(map(code, one.suffixes)),
            "one file" if one.one_file else "a folder, or a file for one page",
            _options(one.options),
        ]
        for one in CHOICES.values()
    )
    return (
        "\n\n".join(
            [
                "# Formats",
                "## Sources",
                "What is none of these is a folder or a file of pages.",
                table(["source", "suffixes", "also compressed", "fetches pages", "options"], read),
                "## Outputs",
                "`--format NAME`, or by the suffix of OUT.",
                table(["format", "suffixes", "written to", "options"], written),
            ]
        )
        + "\n"
    )


def _options(options: Iterable[Option]) -> str:
    return ", ".join(code(f"--{option.spelled}") for option in options)


def warnings() -> str:
    """Warnings and errors."""
    said = ([code(one.name), _escaped(one.value), TO_DO[one]] for one in PageWarning)
    errors = ([f"[`{name}`](api.md#api-{name.lower()})", exit_code, does] for name, (exit_code, does) in ERRORS.items())
    return (
        "\n\n".join(
            [
                "# Warnings and errors",
                "## Warnings of a page",
                "In `Cleaned.warnings` and in the field `warnings` of a row, as members of `dehusk.PageWarning`.",
                table(["name", "message", "what to do"], said),
                "## Errors",
                _ERRORS,
                table(["error", "exit code", "what to do"], errors),
            ]
        )
        + "\n"
    )


def methods() -> str:
    """The methods with their options, defaults and the papers' values."""
    parts = [_METHODS]
    for one in METHODS.values():
        usual = " (default)" if one.name == DEFAULT else ""
        facts = [
            f"**Finds** {one.finds}.",
            f"**Needs** {one.needs}.",
            f"**Costs** {one.cost}.",
            f"**Paper**: {one.paper}.",
        ]
        rows = [
            [code(option.spelled), _escaped(option.help), _escaped(option.possible), code(option.usual), option.paper]
            for option in one.options.values()
        ]
        parts += [f"## `{one.name}`{usual}", "  \n".join(facts)]
        parts += [
            table(["option", "meaning", "values", "default", "in the paper"], rows) if rows else "It has no options."
        ]
    return "\n\n".join(parts) + "\n"


def rows_and_templates() -> str:
    """The JSON Schemas, with the fields of a row."""
    links = "\n".join(
        f'- <a href="../schemas/{name}">{name}</a>: {schema["description"]}'
        for name, schema in schemas.schemas().items()
    )
    rows = (
        [
            code(field.name),
            _escaped(_type_words(schemas.of_type(field.type))),
            field.meaning,
            "on demand" if field.on_demand else "",
        ]
        for field in FIELDS
    )
    told = schemas.template()
    made = (
        [
            code(name),
            _escaped(_type_words(one)),
            one["description"],
            "" if name in told["required"] else "left out if empty",
        ]
        for name, one in told["properties"].items()
    )
    return (
        "\n\n".join(
            [
                _SCHEMAS,
                links,
                "## The columns of a row",
                "[A cleaned page as a row](../rows.md) says where rows are written.",
                table(["field", "type", "meaning", "when"], rows),
                "## The fields of a template file",
                table(["field", "type", "meaning", "when"], made),
                "The rules of a family are those of its method, and may change with it.",
            ]
        )
        + "\n"
    )


def _type_words(schema: Mapping[str, Any]) -> str:
    """A schema in a few words."""
    if "anyOf" in schema:
        return " or ".join(_type_words(one) for one in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    if schema["type"] == "array":
        return f"list of {_type_words(schema['items'])}"
    return str(schema["type"])


def http() -> str:
    """The routes of `dehusk serve`, from its OpenAPI description."""
    from fastapi import FastAPI

    from dehusk.server.app import API

    app = FastAPI()
    app.include_router(API)
    told = app.openapi()
    known = told["components"]["schemas"]
    parts = [_HTTP]
    for path, ways in told["paths"].items():
        for way, route in ways.items():
            parts += [f"## `{way.upper()} {path}`", route.get("description", route["summary"])]
            parts += _of_route(route, known)
    inside = _named("".join(parts))
    for name in inside:  # grows: an object may have others
        inside += [other for other in _named(_of_fields(known[name])) if other not in inside]
    parts += ["## Objects", "What bodies and answers have in their fields."]
    parts += [text for name in inside for text in (f"### `{name}`", *_of_model(known[name]))]
    return "\n\n".join(parts) + "\n"


def _named(text: str) -> list[str]:
    """The objects that the types of a text lead to, each once."""
    return list(dict.fromkeys(re.findall(r"\[`(\w+)`\]\(#", text)))


def _of_route(route: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    """The parameters, body and answer of a route."""
    rows = [
        [code(one["name"]), one["in"], _json_type(one["schema"]), _meaning(one)] for one in route.get("parameters", ())
    ]
    if rows:
        yield table(["parameter", "in", "type", "meaning"], rows)
    bodies = {"Body": route.get("requestBody", {}), "Answer": route["responses"].get("200", {})}
    for title, body in bodies.items():
        for content in body.get("content", {}).values():
            model = content["schema"]
            while "$ref" in model:
                model = known[model["$ref"].rpartition("/")[2]]
            if "properties" in model:
                yield f"**{title}**: `{model['title']}`"
                yield from _of_model(model)
            elif model.get("type") == "array":
                yield f"**{title}**: {_json_type(model)}"


def _of_model(model: Mapping[str, Any]) -> Iterator[str]:
    """What an object is, and its fields."""
    yield from filter(None, [model.get("description"), _of_fields(model)])


def _of_fields(model: Mapping[str, Any]) -> str:
    """The fields of an object, or the words of an enumeration."""
    if "enum" in model:
        return f"One of {', '.join(map(code, model['enum']))}."
    required = model.get("required", ())
    rows = (
        [code(key), _json_type(one), "" if key in required else _default(one), _escaped(_meaning(one))]
        for key, one in model["properties"].items()
    )
    return table(["field", "type", "if it is left out", "meaning"], rows)


def _default(schema: Mapping[str, Any]) -> str:
    """What a field is if it is left out."""
    return code(json.dumps(schema.get("default")))


def _meaning(schema: Mapping[str, Any]) -> str:
    """What a field means: as it says itself, or as its type does."""
    inside = [schema, schema.get("schema", {}), *schema.get("anyOf", ())]
    return next((str(one["description"]) for one in inside if "description" in one), "")


def _json_type(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_json_type(one) for one in schema["anyOf"]))
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        return f"[`{name}`]({f'api.md#api-{name.lower()}' if name in dehusk.__all__ else f'#{name.lower()}'})"
    if schema.get("type") == "array":
        return f"list of {_json_type(schema.get('items', {}))}"
    if schema.get("enum") == list(Role):
        return "[role](roles.md)"
    if schema.get("enum") == list(METHODS):
        return "[method](methods.md)"
    return _escaped(" or ".join(map(str, schema.get("enum", [])))) or str(schema.get("type", "any"))


PAGES: Mapping[str, Callable[[], str]] = {
    "api": reference_api.page,
    "commands": commands,
    "roles": roles,
    "kinds": kinds,
    "formats": formats,
    "warnings": warnings,
    "methods": methods,
    "schemas": rows_and_templates,
    "http": http,
}
"""All generated pages of the reference, by the names of their files."""


def write(folder: Path) -> None:
    """Writes all pages to a folder."""
    for name, page in PAGES.items():
        (folder / f"{name}.md").write_text(page(), "utf-8")
