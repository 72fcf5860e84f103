"""A small data set with data of every kind."""

import gzip
import json
from pathlib import Path

import pytest

WORDS = " ".join(f"word{number}" for number in range(30))


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    html = f"<nav>Home</nav><main><h1>Title</h1><p>{WORDS}</p></main>"
    for page in ("a.html", "deep/b.html"):
        write(tmp_path / "docs/manual/pages" / page, html)
    write(tmp_path / "docs/manual/site.json", json.dumps({"content_selector": "main"}))
    write(tmp_path / "manuals/guide/pages/deep/c.htm", html)
    write(tmp_path / "manuals/guide/site.json", json.dumps({"content_selector": "main"}))
    for number in range(7):
        write(tmp_path / f"news/dragnet-example.com/pages/{number}.html", html)
        write(tmp_path / f"news/dragnet-example.com/gold/{number}.txt", WORDS if number else "too short")
    write(tmp_path / "products/auto/shop/pages/1.html", "<nav>Home</nav><p>Canon</p><p>used, for 300</p>")
    write(tmp_path / "products/auto/shop/pages/2.html", "<nav>Home</nav><p>Nikon</p>")
    gold: dict[str, dict[str, list[str]]] = {"1": {"name": ["Canon"], "price": ["300"]}, "2": {"name": []}}
    write(tmp_path / "products/auto/shop/gold.json", json.dumps(gold))
    pairs = {"1": {"Maker:": ["Canon"], "Offers | Price": ["300 &amp; more", "310"]}}
    write(tmp_path / "products/auto/shop/pairs.json", json.dumps(pairs))
    rows = [
        {
            "url": "https://a.example/1",
            "html": html,
            "text": WORDS,
            "type": "article",
            "with": ["word1"],
            "date": "2024",
        },
        {"url": "http://1.set.invalid/", "html": html, "text": WORDS},
    ]
    (tmp_path / "pages").mkdir()
    with gzip.open(tmp_path / "pages/some.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    return tmp_path


@pytest.fixture
def recipes(data: Path) -> Path:
    """The small data set with two more recipes of one host, which have fields instead of text."""
    page = "<nav>Home</nav><h1>Soup</h1><ul><li>2 leeks</li><li>1 l water</li></ul><p>Boil the leeks.</p>"
    fields = {"ingredients": ["2 leeks", "1 l water"], "steps": ["Boil the leeks."], "notes": []}
    rows = [
        {"url": f"https://kitchen.example/{n}", "html": page, "type": "recipe", "language": "en", "fields": fields}
        for n in (1, 2)
    ]
    with gzip.open(data / "pages/recipes.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    return data
