"""Each adapter says what to install if its library is missing, has an extra, and a page that begins with an example."""

import ast
import importlib
import sys
import tomllib
from pathlib import Path

import pytest

import dehusk
import demo_crawl
from dehusk.base.extras import MissingLibraryError

ROOT = Path(__file__).parents[2]
FILES = sorted((Path(dehusk.__file__).parent / "integrations").glob("[a-z]*.py"))
PAGES = sorted(page.stem for page in demo_crawl.DOCS.glob("[a-z]*.md"))
MOST_LINES = 10
"""Lines of the first example of a page, without empty ones."""


def libraries(file: Path) -> set[str]:
    """The packages that an adapter imports inside of `with needs_extra(...)`."""
    inside = [
        node for block in ast.parse(file.read_text("utf-8")).body if isinstance(block, ast.With) for node in block.body
    ]
    names = [alias.name for node in inside if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in inside if isinstance(node, ast.ImportFrom) and node.module]
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_without_its_library_an_adapter_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = libraries(file)
    assert needed
    monkeypatch.delitem(sys.modules, f"dehusk.integrations.{file.stem}", raising=False)
    for name in [module for module in sys.modules if module.partition(".")[0] in needed]:
        monkeypatch.delitem(sys.modules, name)
    for name in needed:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingLibraryError, match=rf"^\w+ is not installed; run: pip install 'dehusk\[{file.stem}\]'$"):
        importlib.import_module(f"dehusk.integrations.{file.stem}")


def test_each_adapter_has_an_extra_with_bounds_and_a_page() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for name in [*(file.stem for file in FILES), "spark", "tables"]:
        first, *_ = extras[name]
        assert ">=" in first
        assert "<" in first
        assert name == "tables" or name in PAGES


@pytest.mark.parametrize("page", PAGES)
def test_a_page_begins_with_at_most_ten_lines_that_run(page: str) -> None:
    text = (demo_crawl.DOCS / f"{page}.md").read_text("utf-8")
    title, empty, fence, *code = text.splitlines()
    assert title.startswith("# ")
    assert not empty
    assert fence in ("```python", "```console")
    assert len([line for line in code[: code.index("```")] if line]) <= MOST_LINES
