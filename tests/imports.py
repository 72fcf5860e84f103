"""The imports of the package, read from its source. Unlike import-linter, this follows re-exported names."""

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

Name = tuple[str, str]
"""A module and a name in it; "" for the module itself."""

PARSER = "turbohtml"
PARSER_ROOMS = frozenset({"page", "render", "kernels"})

BY_NAME = ("dehusk.methods.", "dehusk.integrations.")
"""Modules that are imported by name, or by users."""


@cache
def parsed(source: str) -> ast.Module:
    """The syntax tree of a module. Most tests change one module of hundreds, so trees are shared."""
    return ast.parse(source)


@cache
def bindings(tree: ast.Module) -> tuple[tuple[str, Name], ...]:
    """The names that imports bind anywhere in a module, and what they refer to, if that is no module."""
    bound: list[tuple[str, Name]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            bound += [(alias.asname or alias.name, (alias.name, "")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            bound += [(alias.asname or alias.name, (node.module, alias.name)) for alias in node.names]
    return tuple(bound)


class Imports:
    """The imports of the package in a folder, with lines added to some of its modules."""

    def __init__(self, package: Path, added: dict[str, str] | None = None) -> None:
        sources = {file.relative_to(package).as_posix(): file.read_text("utf-8") for file in package.rglob("*.py")}
        for file, lines in (added or {}).items():
            sources[file] = f"{sources.get(file, '')}\n{lines}\n"
        self.trees: dict[str, ast.Module] = {}
        for file, source in sorted(sources.items()):
            parts = (package.name, *file.removesuffix(".py").split("/"))
            self.trees[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = parsed(source)

    @cached_property
    def _bound(self) -> dict[str, dict[str, Name]]:
        """The names that imports bind in each module, anywhere in it, and what they refer to."""
        return {module: dict(self._imports(tree)) for module, tree in self.trees.items()}

    def _imports(self, tree: ast.Module) -> Iterator[tuple[str, Name]]:
        for name, (module, inner) in bindings(tree):
            whole = f"{module}.{inner}"
            yield name, (whole, "") if whole in self.trees else (module, inner)

    def origin(self, name: Name) -> Name:
        """The module that defines a name, if other modules re-export it."""
        seen: set[Name] = set()
        while name not in seen and name[1] in self._bound.get(name[0], {}):
            seen.add(name)
            name = self._bound[name[0]][name[1]]
        return name

    def private(self) -> Iterator[str]:
        """Imports of modules with an underscore from other rooms."""
        for module, bound in self._bound.items():
            for imported, _ in bound.values():
                private = any(part.startswith("_") and not part.startswith("__") for part in imported.split("."))
                if private and imported in self.trees and room(imported) != room(module):
                    yield f"{module} imports {imported}"

    def needlessly_public(self, scripts: Iterable[Path]) -> Iterator[str]:
        """Modules without an underscore that neither another room nor a script imports.

        Excludes packages, which are imported through their modules, methods, which are imported by name, and adapters,
        which users import.
        """
        users = {(imported, room(module)) for module, bound in self._bound.items() for imported, _ in bound.values()}
        for script in scripts:
            users.update((used, "") for _, (used, _) in self._imports(parsed(script.read_text("utf-8"))))
        for module in self.trees:
            inner = module.split(".")[2:]
            folder = any(other.startswith(f"{module}.") for other in self.trees)
            if not inner or folder or "_" in (part[0] for part in inner) or module.startswith(BY_NAME):
                continue
            if not any(imported == module and user != room(module) for imported, user in users):
                yield module

    def importing_parser(self) -> set[str]:
        """The modules that would change with another parser."""
        return {
            module
            for module, bound in self._bound.items()
            if any(imported.split(".")[0] == PARSER for imported, _ in bound.values())
        }

    def handed_on(self, knowing: Collection[str]) -> Iterator[str]:
        """Places where a type of the parser reaches a module that should not know it, by an import or a signature."""
        for module, bound in self._bound.items():
            if module in knowing:
                continue
            for name in bound.values():
                if self._is_parsers(name):
                    yield f"{module} imports {'.'.join(filter(None, name))}"
                elif room(name[0]) in PARSER_ROOMS:
                    yield from (f"{module} has {told}" for told in self._told_by(name))
        for module in self.trees:
            if room(module) == "page" and "._" not in module:
                yield from (f"{module} hands on {told}" for told in self._told_by((module, "")))
        for exported in self._bound.get("dehusk.page", {}):
            if self._is_parsers(("dehusk.page", exported)):
                yield f"dehusk.page hands on {exported}"

    def _is_parsers(self, name: Name) -> bool:
        return self.origin(name)[0].split(".")[0] == PARSER

    def _told_by(self, name: Name) -> Iterator[str]:
        """The public functions and classes behind a name whose signatures contain types of the parser."""
        module, inner = self.origin(name)
        if not inner:
            exported = [one for one in self._bound[module] if module in ("dehusk.page", "dehusk.render")]
            defined = [one.name for one in self.trees[module].body if isinstance(one, _DEFINITIONS)]
            for public in (one for one in (*exported, *defined) if not one.startswith("_")):
                if self.origin((module, public))[1]:
                    yield from self._told_by((module, public))
            return
        for node in self.trees[module].body if module in self.trees else ():
            if isinstance(node, _DEFINITIONS) and node.name == inner:
                for function in _signatures(node):
                    if any(map(self._is_parsers, self._types(module, function))):
                        yield f"{module}.{inner}{'' if function is node else f'.{function.name}'}"

    def _types(self, module: str, function: "ast.FunctionDef") -> Iterator[Name]:
        """The names in the annotations of a function, including those behind aliases in its module."""
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        waiting: list[ast.AST | None] = [function.returns, *(one.annotation for one in arguments)]
        aliases = {
            target.id: node.value
            for node in self.trees[module].body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        while waiting:
            for node in ast.walk(waiting.pop() or ast.Pass()):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    waiting.append(ast.parse(node.value, mode="eval"))
                elif isinstance(node, ast.Name):
                    waiting.append(aliases.pop(node.id, None))
                    yield module, node.id


_DEFINITIONS = ast.FunctionDef | ast.ClassDef


def _signatures(node: "ast.FunctionDef | ast.ClassDef") -> Iterator[ast.FunctionDef]:
    if isinstance(node, ast.FunctionDef):
        yield node
        return
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef) and (not inner.name.startswith("_") or inner.name == "__init__"):
            yield inner


def room(module: str) -> str:
    """The folder or module directly below the package; "" for the package itself and for other packages."""
    parts = module.split(".")
    return parts[1] if parts[0] == "dehusk" and len(parts) > 1 else ""
