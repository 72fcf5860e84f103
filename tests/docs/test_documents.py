"""Everything that the documents mention exists: linked files, paths, and names of the package."""

import pkgutil
import re
import tomllib
from functools import cache
from pathlib import Path

import build_site
import pytest
import reference_pages

from dehusk import Role

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "dehusk"
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/dehusk/extension/*.md")]
FOLDERS = {path.name for folder in (ROOT, PACKAGE) for path in folder.iterdir() if path.is_dir()} - {"build"}
"""A path that begins with one of these folders belongs to the repository, not to a user."""

REFERENCE = [f"reference/{name}.md" for name in reference_pages.PAGES]
MADE = {ROOT / "docs" / name for name in (*build_site.FROM_README, *REFERENCE)}
"""Pages of the documentation site that are made when it is built."""


def links(text: str) -> set[str]:
    """The relative links of a document."""
    return {link for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if "://" not in link}


def paths(text: str) -> set[str]:
    """The files and folders that a document mentions as code."""
    words = (word.rstrip(",;:") for code in re.findall(r"`([^`\n]+)`", text) for word in code.split())
    named = {word for word in words if re.fullmatch(r"[a-z_0-9.][a-z_0-9./-]*", word)}
    return {
        name for name in named if re.search(r"\w\.(py|pxd)$", name) or ("/" in name and name.split("/")[0] in FOLDERS)
    }


@cache
def is_there(path: str) -> bool:
    """Whether a path exists in the root or in the package, or is the end of an existing path."""
    return any((folder / path).exists() for folder in (ROOT, PACKAGE)) or any(ROOT.glob(f"[a-z]*/**/{path}"))


def is_in_adapter(name: str) -> bool:
    """Whether an adapter defines a name. It cannot be imported here, because its library is not installed."""
    adapter, _, inner = name.removeprefix("dehusk.integrations.").partition(".")
    file = PACKAGE / "integrations" / f"{adapter}.py"
    code = file.read_text("utf-8") if name.startswith("dehusk.integrations.") and file.exists() else None
    return code is not None and (not inner or re.search(rf"^(?:class |def |){inner}\b", code, re.MULTILINE) is not None)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_everything_that_a_document_mentions_exists(document: Path) -> None:
    text = document.read_text("utf-8")
    targets = {link: (document.parent / link).resolve() for link in links(text)}
    missing = {link for link, target in targets.items() if not target.exists() and target not in MADE}
    missing |= {path for path in paths(text) if not is_there(path)}
    for name in set(re.findall(r"\bdehusk(?:\.[A-Za-z_]\w*)+", text)) - {"dehusk.store"}:  # a file of the service
        try:
            pkgutil.resolve_name(name)
        except (AttributeError, ImportError):
            if not is_in_adapter(name):
                missing.add(name)
    assert not missing


def test_the_table_of_roles_is_that_of_the_roles() -> None:
    text = (ROOT / "docs" / "parts.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.MULTILINE) == [(str(role), role.meaning) for role in Role]
    assert f"There are {len(Role)} roles" in text


def test_the_index_of_decisions_lists_each_of_them_by_its_title() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = dict(re.findall(r"^- \[(.+)\]\((\d.+)\)$", (folder / "README.md").read_text("utf-8"), re.MULTILINE))
    titles = {path.read_text("utf-8").splitlines()[0].removeprefix("# "): path.name for path in folder.glob("[0-9]*")}
    assert listed == titles
    assert [int(title.partition(".")[0]) for title in sorted(titles, key=titles.__getitem__)] == [
        *range(1, len(titles) + 1)
    ]


def test_the_table_of_extras_has_all_of_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = re.findall(r"^\| `dehusk\[(\w+)\]` \|", (ROOT / "docs/howto/install.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(project["optional-dependencies"])


def test_every_target_of_make_that_a_document_names_exists() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {name for path in DOCUMENTS for name in re.findall(r"`make ([\w-]+)", path.read_text("utf-8"))}
    assert named <= targets


def test_every_folder_of_the_source_distribution_exists() -> None:
    grafted = re.findall(r"^graft (.+)$", (ROOT / "MANIFEST.in").read_text("utf-8"), re.MULTILINE)
    assert [name for name in grafted if not (ROOT / name).is_dir()] == []
