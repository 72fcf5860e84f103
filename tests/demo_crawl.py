"""The demo site for the tests of adapters: as pages, as a file, and its text as `dehusk clean` writes it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dehusk
import demo_site

PAGES = {f"https://tidewater.example/{name}": html for name, html in demo_site.pages().items()}
"""The HTML of each page by URL."""

DOCS = Path(__file__).parents[1] / "docs" / "integrations"


def jsonl(folder: Path, pages: Mapping[str, str] = PAGES) -> Path:
    """Writes the site, or other pages by URL, as one file that dehusk reads."""
    file = folder / "crawl.jsonl"
    rows = ({"url": url, "html": html} for url, html in pages.items())
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return file


def texts(folder: Path, field: str = "text", pages: Mapping[str, str] = PAGES) -> dict[str, str]:
    """The text of each page by URL, from `dehusk clean`."""
    out = folder / f"clean-{field}.jsonl"
    dehusk.Job(jsonl(folder, pages), out, output_options={"markdown": True} if field == "markdown" else {}).run()
    return {row["url"]: row[field] for row in map(json.loads, out.read_text("utf-8").splitlines())}


def learned(folder: Path) -> dict[str, Any]:
    """Saves a template and a store of the site; returns both as options of an adapter, one by one."""
    file = jsonl(folder)
    dehusk.Job(file).learn().save(folder / "site.husk")
    dehusk.Job(file, store=folder / "site.store").add_to_store()
    return {"template": str(folder / "site.husk"), "store": str(folder / "site.store")}


def examples(name: str) -> list[str]:
    """The Python examples of a page of the docs."""
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / f"{name}.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)


def run(name: str, **given: object) -> dict[str, Any]:
    """Runs the Python examples of a page one after another, in this folder; returns their variables.

    Only what a page cannot have, such as the results of a browser, is `given`.
    """
    names: dict[str, Any] = dict(given)
    for example in examples(name):
        exec(example, names)  # our own code
    return names
