"""The sources of the documentation site: links lead to its pages, every page is listed, and the site can be built."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

import build_site
import check_site
import pytest


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "sources"
    build_site.gather(folder)
    return folder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x](../../SECURITY.md)", "[x](../project/reporting.md)"),
        ("[x](../parts.md#the-title)", "[x](../parts.md#the-title)"),
        ("[x](../../src/dehusk/core.py)", "x"),
        ("![x](../report.png)", "![x](../report.png)"),
        ("[x](https://example.org/)", "[x](https://example.org/)"),
        ("[x](../../README.md)", "[x](../index.md)"),
        ("[docs/parts.md](../parts.md#the-title)", "[Parts of a page](../parts.md#the-title)"),
        ("```\n[x](../../README.md)\n```", "```\n[x](../../README.md)\n```"),
    ],
)
def test_links_to_files_of_the_repository_become_links_of_the_site(text: str, expected: str) -> None:
    path = build_site.HERE / "howto" / "report.md"
    assert build_site.linked(text, path, PurePosixPath("howto/report.md")) == expected


def test_a_section_of_the_readme_becomes_a_page(sources: Path) -> None:
    readme = "# x\n\n## A\n\nOne.\n\n## B\n\nTwo.\n"
    assert build_site.from_readme(readme, "A") == "# A\n\nOne.\n\n"
    with pytest.raises(KeyError):
        build_site.from_readme(readme, "C")
    page = (sources / "explanation" / "how-good-it-is.md").read_text("utf-8")
    assert "(../methods.md#" in page


def test_a_page_without_a_title_is_refused() -> None:
    with pytest.raises(ValueError, match="no title"):
        build_site.title("## Only a section\n")


def test_every_page_is_in_a_list_of_contents(sources: Path) -> None:
    listed = {sources / "index.md"}
    for readme in sources.glob("*/README.md"):
        listed |= set(readme.parent.glob("[0-9a-z]*.md"))
    for page in sources.rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            names = [line for line in block.splitlines() if line and line[0] not in ":["]
            listed |= {Path(os.path.normpath(page.parent / f"{name}.md")) for name in names}
    assert listed == set(sources.rglob("*.md"))


def test_no_two_pages_have_the_same_title(sources: Path) -> None:
    titles = [build_site.title(page.read_text("utf-8")) for page in sources.rglob("*.md")]
    assert [title for title in set(titles) if titles.count(title) > 1] == []


def test_llms_txt_lists_every_page_with_its_title(sources: Path) -> None:
    text = (sources / "_extra" / "llms.txt").read_text("utf-8")
    assert len(re.findall(r"^- \[.+\]\(.+\.html\)$", text, re.MULTILINE)) == len(list(sources.rglob("*.md")))
    assert "[Python API](reference/api.html)" in text.partition("\n## Reference\n")[2].partition("\n## ")[0]
    assert "JSON Schema" in (sources / "_extra" / "llms-full.txt").read_text("utf-8")


@pytest.mark.skipif(not find_spec("sphinx") or not find_spec("furo"), reason="Sphinx is missing: make docs installs it")
def test_the_site_is_built_without_warnings_and_has_no_broken_link(tmp_path: Path) -> None:
    command = [sys.executable, str(build_site.HERE / "build_site.py"), "-o", str(tmp_path / "docs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [fault for fault in check_site.faults(tmp_path / "docs") if fault] == []
    assert (tmp_path / "docs" / "searchindex.js").is_file()
    assert (tmp_path / "docs" / "schemas" / "row-1.schema.json").is_file()
