"""A small data set for experiments: manuals, shops of two categories, and single pages."""

import gzip
import json
import random
from pathlib import Path

import pytest

from gold_pages import write

TOPICS = {
    "boat": "sail mast hull keel rudder anchor harbour wind wave deck rope tide cabin bow stern",
    "cake": "flour sugar butter egg oven cream vanilla dough icing sponge lemon whisk bake batter jam",
}


def sentence(draw: random.Random, topic: str, length: int = 40) -> str:
    return " ".join(draw.choices(TOPICS[topic].split(), k=length))


def shop_page(draw: random.Random, site: str, topic: str, number: int) -> tuple[str, dict[str, list[str]]]:
    menu = " ".join(f"<li><a href=/{site}{k}>{site} link {k}</a></li>" for k in range(12))
    title, price = f"{topic} {site} {number}", f"{100 + number} coins"
    html = (
        f"<html><head><title>{title}</title></head><body><ul id=menu>{menu}</ul><h1>{title}</h1>"
        f"<div id=text><p>{sentence(draw, topic)}</p></div><p class=price>{price}</p>"
        f"<div id=foot>{site} terms of use and privacy of {site}, all rights are with {site}</div></body></html>"
    )
    return html, {"title": [title], "price": [price]}


@pytest.fixture(scope="session")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root, draw = tmp_path_factory.mktemp("shops"), random.Random(1)
    for topic in TOPICS:
        for site in ("north", "south", f"only-{topic}"):
            gold = {}
            for number in range(6):
                html, gold[str(number)] = shop_page(draw, site, topic, number)
                write(root / f"products/{topic}/{site}/pages/{number}.html", html)
            write(root / f"products/{topic}/{site}/gold.json", json.dumps(gold))
    return root


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root, draw = tmp_path_factory.mktemp("mixed"), random.Random(2)
    for number in range(6):
        links = " ".join(f"<a href={k}.html>Chapter {k}</a>" for k in range(6))
        own = " ".join(f"own{number}{k}" for k in range(5))  # no two pages may have the same words
        text = f"<main><h1>Chapter {number}</h1><p>{sentence(draw, 'boat', 60)} {own}</p></main>"
        page = f"<html><body><div id=nav>{links}</div>{text}<div id=foot>Copyright of the manual</div></body></html>"
        write(root / f"docs/manual/pages/{number}.html", page)
    write(root / "docs/manual/site.json", json.dumps({"content_selector": "main"}))
    rows = []
    for number in range(4):
        text = sentence(draw, "cake", 50)
        page = (
            f"<title>Cake {number}</title><nav>Home About</nav><article><h1>Cake {number}</h1><p>{text}.</p></article>"
        )
        known = {
            "title": f"Cake {number}",
            "author": "Ann Lee",
            "date": "2024-05-06",
            "with": [text[:30]],
            "without": ["About"],
        }
        kind = ("article", "product")[number % 2]
        rows.append({"url": f"https://{number}.example/", "html": page, "text": text, "type": kind, **known})
    (root / "pages").mkdir()
    with gzip.open(root / "pages/set.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    return root
