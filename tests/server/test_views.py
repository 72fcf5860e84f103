"""Tables, chunks and kept versions of the pages of a site, over HTTP."""

import json

import pytest
from fastapi.testclient import TestClient

from dehusk.templates.template import Template

Sent = dict[str, str]
SITE = "/api/sites/tidewater.example"


@pytest.fixture
def page(taught: TestClient) -> str:
    """The id of a page of the shop."""
    listed = taught.get(f"{SITE}/pages", params={"query": "pier-lantern"}).json()["pages"]
    return str(listed[0]["id"])


def test_the_tables_of_a_site_have_columns_rows_and_places_on_pages(taught: TestClient, page: str) -> None:
    tables = taught.get(f"{SITE}/tables").json()
    names = [column["name"] for column in tables[0]["columns"]]
    assert names[:3] == ["title", "price", "maker"]
    found = taught.get(f"{SITE}/rows", params={"limit": 500}).json()
    assert found["total"] == len(found["rows"]) == 30
    of_first = {row["id"]: row["values"] for row in found["rows"] if row["table"] == tables[0]["name"]}
    assert len(of_first) == 14
    assert of_first[page]["price"] == "€89.00"
    here = taught.get(f"{SITE}/pages/{page}/cells").json()
    assert here["row"]["values"] == of_first[page]
    (path,) = [cell["path"] for cell in here["cells"] if cell["column"] == "price"]
    assert path == "body > div > main > div > p"


def test_rows_are_kept_and_have_the_new_names_of_columns(taught: TestClient, lantern: Sent, page: str) -> None:
    def values() -> dict[str, object]:
        rows = taught.get(f"{SITE}/rows", params={"limit": 500}).json()["rows"]
        return next(row["values"] for row in rows if row["id"] == page)

    assert values()["price"] == "€89.00"
    renamed = taught.post(f"{SITE}/columns", json={"column": "price", "name": "cost"}).json()
    assert (renamed["column"], renamed["name"], renamed["scope"]) == ("price", "cost", "site")
    assert (values()["cost"], values()["cost_value"], "price" in values()) == ("€89.00", 89.0, False)
    cells = taught.get(f"{SITE}/pages/{page}/cells").json()["cells"]
    assert {"cost"} == {cell["column"] for cell in cells} & {"cost", "price"}
    saved = taught.get(f"{SITE}/export", params={"form": "template"}).json()["text"]
    assert Template.from_json(json.loads(saved)).record(lantern["html"])["cost"] == "€89.00"
    dropped = taught.post(f"{SITE}/columns", json={"column": "maker", "keep": False}).json()
    assert "maker" not in values()
    for edit in (renamed, dropped):
        taught.delete(f"{SITE}/edits/{edit['id']}").raise_for_status()
    assert {"price", "maker"} <= values().keys()


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"column": "prise", "name": "cost"}, "the template has no column prise; did you mean price?"),
        ({"column": "price", "name": "maker"}, "maker is the name of another column; choose another name"),
        ({"column": "price", "name": "two words"}, "'two words': not a name for a column"),
    ],
)
def test_a_wrong_name_of_a_column_is_refused(taught: TestClient, asked: dict[str, str], wrong: str) -> None:
    answer = taught.post(f"{SITE}/columns", json=asked)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(wrong)


def test_chunks_of_a_page_have_the_asked_size(taught: TestClient, page: str) -> None:
    chunks = taught.get(f"{SITE}/pages/{page}/chunks", params={"size": 200}).json()["chunks"]
    assert len(chunks) > 1
    assert all(chunk["size"] <= 200 for chunk in chunks)


def test_versions_of_a_page_are_those_that_differ(taught: TestClient, lantern: Sent, page: str) -> None:
    assert taught.get(f"{SITE}/pages/{page}/versions").json() == []
    taught.post("/api/visit", json=lantern).raise_for_status()
    assert taught.get(f"{SITE}/pages/{page}/versions").json() == []
    taught.post("/api/visit", json={**lantern, "html": lantern["html"].replace("€89", "€79")}).raise_for_status()
    (version,) = taught.get(f"{SITE}/pages/{page}/versions").json()
    assert (version["id"], version["source"]) == ("visit", "visit")
    found = taught.get(f"{SITE}/pages/{page}/changes", params={"version": "visit"}).json()
    assert (found["verdict"], found["content"], found["husk"]) == ("content", 1, 0)
    assert found["changes"][0]["before"].startswith("€79")
    assert "<del" in found["html"]
    assert taught.get(f"{SITE}/pages/{page}/changes", params={"version": "gone"}).status_code == 404


def test_older_samples_have_versions_too(taught: TestClient, pages: list[Sent]) -> None:
    new = [{**one, "html": one["html"].replace("€89.00", "€99.00")} for one in pages]
    taught.post("/api/learn", json={"pages": new, "update": True}).raise_for_status()
    listed = taught.get(f"{SITE}/pages", params={"query": "pier-lantern"}).json()["pages"]
    (version,) = taught.get(f"{SITE}/pages/{listed[0]['id']}/versions").json()[-1:]
    assert version["source"] == "learned"
    found = taught.get(f"{SITE}/pages/{listed[0]['id']}/changes", params={"version": version["id"]}).json()
    assert found["content"] == 1
