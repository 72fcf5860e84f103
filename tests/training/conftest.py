"""Small made-up sites to train on."""

import gzip
import json
from pathlib import Path

import pytest

WORDS = (
    "harbour",
    "lamp",
    "ferry",
    "pier",
    "stone",
    "winter",
    "market",
    "bridge",
    "garden",
    "letter",
    "window",
    "river",
)


def prose(number: int, size: int = 40) -> str:
    return " ".join(WORDS[(number * 7 + k * k + k) % len(WORDS)] for k in range(size)) + "."


def page(number: int, site: str) -> str:
    menu = "".join(f"<li><a href=/{word}>{word} {site}</a></li>" for word in WORDS[:6])
    parts = "".join(f"<p>{prose(number * 5 + part)}</p>" for part in range(3))
    return (
        f"<title>{site}</title><nav><ul>{menu}</ul></nav><article><h1>Story {number} of {site}</h1>{parts}</article>"
        f"<footer>All rights of {site} reserved, {number} visitors</footer>"
    )


def gold(number: int, site: str) -> str:
    return f"Story {number} of {site}\n" + "\n".join(prose(number * 5 + part) for part in range(3))


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six blogs (one of an excluded brand), a manual, single pages of three hosts, and a recipe."""
    root = tmp_path_factory.mktemp("data")
    for site in ("amber.com", "birch.com", "cedar.com", "delta.com", "ember.com", "www.cnn.com"):
        for folder in ("pages", "gold"):
            (root / "news" / f"dragnet-{site}" / folder).mkdir(parents=True)
        for number in range(6):
            (root / "news" / f"dragnet-{site}/pages/{number}.html").write_text(page(number, site), "utf-8")
            (root / "news" / f"dragnet-{site}/gold/{number}.txt").write_text(gold(number, site), "utf-8")
    (root / "manuals/guide/pages").mkdir(parents=True)
    (root / "manuals/guide/site.json").write_text('{"content_selector": "article"}', "utf-8")
    for number in range(6):
        (root / f"manuals/guide/pages/{number}.html").write_text(page(number, "guide"), "utf-8")
    rows = [
        {"url": f"https://{host}/{number}", "html": page(number, host), "text": gold(number, host), "type": kind}
        for host, kind, pages in (
            ("www.fern.com", "article", 4),
            ("www.grove.com", "listing", 1),
            ("edition.cnn.com", "article", 1),
        )
        for number in range(pages)
    ]
    (root / "pages").mkdir()
    with gzip.open(root / "pages/wcxb.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    recipe = {"url": "https://www.hazel.com/1", "html": page(1, "hazel"), "type": "recipe"}
    with gzip.open(root / "pages/recipes.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(recipe | {"fields": {"steps": [prose(5), prose(6)]}}) + "\n")
    return root
