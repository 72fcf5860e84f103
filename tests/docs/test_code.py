"""The code of the documentation runs as shown: of the pages of docs/, and the examples of the Python reference.

Commands that fetch pages, run until they are stopped or belong to other programs are only parsed.
"""

import argparse
import re
import shlex
import shutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import api_examples
import pytest
import reference_api
import reference_pages

import dehusk
import demo_site
from archives import http, record, zipped
from browsing import LANTERN
from dehusk.base.errors import PageWarning
from dehusk.cli import COMMANDS, main
from dehusk.methods.evidence.second_look import PAGE_KINDS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if page.parent.name != "integrations")
"""Not those of other libraries, which tests/integrations runs with the libraries."""
OTHER_PROGRAMS = ("cp", "pip", "make")
ENDLESS = ("serve", "mcp")


def blocks(language: str) -> list[Any]:
    """The code blocks of all pages in a language."""
    found = []
    for page in PAGES:
        name = page.relative_to(DOCS).as_posix()
        codes = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        found += [pytest.param(name, code, id=f"{name}-{number}") for number, code in enumerate(codes)]
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the examples: crawls, archives, pages, a template and a store."""
    place = tmp_path_factory.mktemp("made")
    for folder in ("crawl", "new-pages"):
        demo_site.write(place / folder)
    pages = demo_site.pages()
    for name in ("page.html", "monday.html", "tuesday.html"):
        (place / name).write_text(pages[LANTERN].replace("€89", "€79" if name == "tuesday.html" else "€89"), "utf-8")
    records = (record(f"http://example.org/{name}", http(html.encode())) for name, html in pages.items())
    (place / "crawl.warc.gz").write_bytes(zipped(*records))
    dehusk.learn(place / "crawl").save(place / "site.husk")
    with dehusk.Store(place / "sites.store") as store:
        store.add(dehusk.Page(html, url=f"https://example.org/{name}") for name, html in pages.items())
    return place


@pytest.fixture
def desk(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of this folder, which the code of a test may change."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@cache
def learned() -> dehusk.Template:
    """The template of the demo site. It cannot change, so all code has the same."""
    return dehusk.learn(site_pages())


def site_pages() -> list[dehusk.Page]:
    """The pages of the demo site."""
    return [dehusk.Page(html, url=f"https://site.example/{name}") for name, html in demo_site.pages().items()]


def names() -> dict[str, object]:
    """The names that the code of the pages takes as given."""
    html = demo_site.pages()[LANTERN]
    given = {"html": html, "old": html.replace("€89", "€79"), "new": html, "pages": site_pages()}
    return {**given, "template": learned(), "cleaned": learned().clean(html), "dehusk": dehusk, "Path": Path}


@pytest.mark.parametrize(("page", "code"), blocks("console"))
def test_commands_run_and_print_what_is_shown(
    desk: Path, page: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in re.split(r"^\$ ", code.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        line, _, shown = command.partition("\n")
        program, *words = shlex.split(line.partition(" >> ")[0], comments=True)
        if program in OTHER_PROGRAMS:
            continue
        assert program == "dehusk", page
        if words[0] in ENDLESS or "https://" in line:
            parser = argparse.ArgumentParser()
            import_module(f"dehusk.cli._{words[0]}").add_arguments(parser)
            parser.parse_args(words[1:])
            continue
        assert main(words) == 0, line
        printed = re.sub(r"\d+\.\d s", "", "".join(capsys.readouterr()))
        assert all(re.sub(r"\d+\.\d s", "", expected) in printed for expected in shown.splitlines())
    assert desk.exists()


@pytest.mark.parametrize(("page", "code"), blocks("python"))
def test_python_code_runs(desk: Path, page: str, code: str) -> None:
    if page == "turbohtml.md":
        code = code.replace("16_000", "1_000").replace("8_000", "500").replace("4_000", "200")  # it shows a slow case
    exec(code, names())  # our own code
    assert desk.exists()


@pytest.mark.parametrize("name", api_examples.EXAMPLES)
def test_the_example_of_every_public_name_runs_and_prints(
    desk: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "empty.warc.gz").write_bytes(zipped())
    exec(api_examples.EXAMPLES[name], names())
    assert capsys.readouterr().out


def test_the_reference_has_every_public_name_once() -> None:
    grouped = [name for names in reference_api.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted({*dehusk.__all__} - {"__version__"})
    assert set(grouped) == api_examples.EXAMPLES.keys()
    page = reference_api.page()
    assert all(f"### `{name}`" in page for name in grouped)
    assert " at 0x" not in page


def test_the_reference_has_every_command_with_all_its_options() -> None:
    page = reference_pages.commands()
    for name in COMMANDS:
        parser = argparse.ArgumentParser()
        import_module(f"dehusk.cli._{name}").add_arguments(parser)
        part = page.partition(f"\n## `dehusk {name}`\n")[2].partition("\n## ")[0]
        flags = [flag for flag in parser._option_string_actions if flag not in ("-h", "--help")]
        assert [flag for flag in flags if not re.search(rf"\| `[^|]*{re.escape(flag)}\b", part)] == []


def test_every_kind_warning_and_error_says_what_it_is_and_what_to_do() -> None:
    assert reference_pages.KINDS.keys() == set(PAGE_KINDS)
    assert reference_pages.TO_DO.keys() == set(PageWarning)
    errors = {name for name in dehusk.__all__ if name.endswith("Error")}
    assert reference_pages.ERRORS.keys() == errors
    assert all(name in reference_pages.warnings() for name in errors)


def test_the_reference_has_every_route_and_every_option_of_a_method() -> None:
    from dehusk.methods import METHODS
    from dehusk.server.answers import QUESTIONS

    http_page, methods_page = reference_pages.http(), reference_pages.methods()
    routes = {f"## `{question.method} /api{question.path}`" for question in QUESTIONS.values()}
    assert {route for route in routes if route not in http_page} == set()
    objects = set(re.findall(r"\(#(\w+)\)", http_page))
    assert {name for name in objects if f"\n### `{name}`\n" not in http_page.lower()} == set()
    assert objects >= {"siteout", "pagein"}
    for method in METHODS.values():
        part = methods_page.partition(f"\n## `{method.name}`")[2].partition("\n## ")[0]
        assert all(f"| `{option.spelled}` |" in part for option in method.options.values())
