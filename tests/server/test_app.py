"""The answers of the service."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import dehusk
from dehusk.server.app import ServiceSettings

SITE = "tidewater.example"
NEWS = "<p>The pier is closed for repairs until the first of May, and the ferry leaves from the old quay.</p>"

Sent = dict[str, str]


def posted(client: TestClient, route: str, **body: Any) -> Any:
    """The answer of a route, which must be successful."""
    answer = client.post(f"/api/{route}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, status: int, route: str, **body: Any) -> str:
    """The error message of a refused request."""
    answer = client.post(f"/api/{route}", json=body)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert "\n" not in error
    return str(error)


def test_the_status_lists_methods_roles_and_limits(client: TestClient, settings: ServiceSettings) -> None:
    status = client.get("/api/status").json()
    assert status["version"] == dehusk.__version__
    assert "evidence" in status["methods"]
    assert status["roles"]["byline"].startswith("the author and publisher")
    assert status["limits"] == {"body": 20_000_000, "seconds": 30.0, "at_once": 8}
    assert status["store"] == str(settings.place.store)


def test_a_site_that_was_learned_is_in_the_list(taught: TestClient, pages: list[Sent]) -> None:
    (site,) = taught.get("/api/sites", params={"query": SITE}).json()
    assert site["site"] == SITE
    assert site["pages"] == len(pages)
    assert site["method"] == "evidence"


def test_sites_are_searched_by_name(taught: TestClient, pages: list[Sent]) -> None:
    for name in ("one.example", "two.example"):
        posted(taught, "learn", pages=pages[:1], site=name)
    try_it = {"WO": ["two.example"], "nowhere": []}
    for query, names in try_it.items():
        assert [one["site"] for one in taught.get("/api/sites", params={"query": query}).json()] == names
    few = taught.get("/api/sites", params={"query": "e.example", "limit": 1}).json()
    rest = taught.get("/api/sites", params={"query": "o.example", "offset": 1}).json()
    assert ([one["site"] for one in few], rest) == (["one.example"], [])


def test_learned_sites_are_in_the_store_for_the_command_line(taught: TestClient, settings: ServiceSettings) -> None:
    assert taught.get("/api/sites").json()
    with dehusk.Store(settings.place.store) as store:
        assert SITE in store


def test_pages_can_be_learned_as_a_site_of_another_name(taught: TestClient, pages: list[Sent]) -> None:
    (site,) = posted(taught, "learn", pages=pages[:4], site="tides")
    assert (site["site"], site["pages"]) == ("tides", 4)
    assert posted(taught, "clean", **pages[0], site="tides")["template"] == "tides"


def test_pages_without_an_address_are_the_site_called_dash(taught: TestClient, pages: list[Sent]) -> None:
    (site,) = posted(taught, "learn", pages=[{"html": page["html"]} for page in pages[:4]])
    assert site["site"] == "-"
    assert taught.get("/api/sites/-/pages").json()["total"] == 4


def test_a_page_is_cleaned_with_the_template_of_its_site(taught: TestClient, lantern: Sent) -> None:
    cleaned = posted(taught, "clean", **lantern)
    assert cleaned["template"] == SITE
    assert "The lantern that hangs on every third post" in cleaned["text"]
    assert "Newsletter" not in cleaned["text"]
    assert cleaned["title"] == "Pier Lantern"
    assert cleaned["share_removed"] > 0.3


def test_a_page_of_an_unknown_site_is_judged_alone_and_says_so(taught: TestClient, lantern: Sent) -> None:
    cleaned = posted(taught, "clean", html=lantern["html"], url="https://elsewhere.example/")
    assert cleaned["template"] is None
    assert "The lantern that hangs" in cleaned["text"]
    assert "learned from one page" in cleaned["warnings"][0]


@pytest.mark.parametrize(("form", "title"), [("markdown", "# Pier Lantern"), ("html", "<h1>Pier Lantern</h1>")])
def test_a_page_is_cleaned_to_the_requested_format(taught: TestClient, lantern: Sent, form: str, title: str) -> None:
    cleaned = posted(taught, "clean", **lantern, format=form)
    assert title in cleaned[form]
    assert cleaned["text"] is None


def test_service_and_viewer_answer_with_the_row_of_a_page(
    taught: TestClient, settings: ServiceSettings, lantern: Sent
) -> None:
    with dehusk.Store(settings.place.store) as store:
        cleaned = store.template(SITE).clean(dehusk.Page(lantern["html"].encode(), url=lantern["url"]))
    row = json.loads(json.dumps(cleaned.to_dict(["text", "fit", "length"], site=SITE)))
    answer = posted(taught, "clean", **lantern)
    assert {name: answer.pop(name) for name in row} == row
    assert answer == {"template": SITE, "markdown": None, "html": None}
    view = posted(taught, "mark", **lantern)
    assert {name: view.pop(name) for name in row} == row
    assert set(view) == {"markdown", "html", "template", "regions", "tinted"}
    listed = taught.get(f"/api/sites/{SITE}/pages", params={"limit": 500}).json()["pages"]
    (told,) = [one for one in listed if one["name"] == lantern["url"]]
    assert {name: told[name] for name in told if name not in ("id", "outlier")}.items() <= row.items()


def test_links_of_a_page_without_an_address_are_relative_to_the_one_given(client: TestClient) -> None:
    html = "<main><p>The ferry leaves at <a href=times.html>these times</a>, on every day of the week.</main>"
    asked = {"html": html, "format": "markdown", "base_url": "https://ferry.example/"}
    assert "(https://ferry.example/times.html)" in posted(client, "clean", **asked)["markdown"]
    assert "not an http or https URL" in refused(client, 422, "clean", **{**asked, "base_url": "ferry/"})


def test_pictures_are_written_as_asked(client: TestClient) -> None:
    html = "<main><p>The ferry <img src=https://t.example/f.png alt='at the pier'> leaves every day of the week.</main>"
    by_format = {"html": '<a href="https://t.example/f.png">', "markdown": "![at the pier]"}
    for form, picture in by_format.items():
        assert picture in posted(client, "clean", html=html, format=form)[form]
        assert "t.example" not in posted(client, "clean", html=html, format=form, images="drop")[form]
    assert "images" in refused(client, 422, "clean", html=html, images="show")


def test_links_and_front_matter_are_written_as_asked(client: TestClient) -> None:
    html = "<title>Ferry</title><main><p>The ferry leaves <a href=https://t.example/>at seven</a>, on every day.</main>"
    asked = {"html": html, "format": "markdown"}
    assert "https://t.example/" in posted(client, "clean", **asked)["markdown"]
    written = posted(client, "clean", **asked, links=False, front_matter=True)["markdown"]
    assert written.startswith('---\ntitle: "Ferry"\n')
    assert "t.example" not in written
    assert "front matter" in refused(client, 422, "clean", **{**asked, "format": "text"}, front_matter=True)


def test_requested_roles_are_kept(taught: TestClient, lantern: Sent) -> None:
    assert "Journal" not in posted(taught, "clean", **lantern)["text"]
    assert "Journal" in posted(taught, "clean", **lantern, keep=["navigation"])["text"]


def test_a_page_is_cut_into_chunks(taught: TestClient, lantern: Sent) -> None:
    answer = posted(taught, "chunks", **lantern, size=200, format="markdown")
    assert answer["template"] == SITE
    assert [chunk["position"] for chunk in answer["chunks"]] == list(range(len(answer["chunks"])))
    assert len(answer["chunks"]) > 1
    assert answer["chunks"][0]["path"].startswith("Pier Lantern")
    assert taught.post("/api/chunks", json={**lantern, "size": 0}).status_code == 422


def test_the_links_of_a_page_have_roles(taught: TestClient, lantern: Sent) -> None:
    links = posted(taught, "links", **lantern)["links"]
    assert {"navigation", "related"} & {link["role"] for link in links}
    assert all(link["url"].startswith("http") for link in links)


def test_a_site_is_checked_against_its_template(taught: TestClient, pages: list[Sent], lantern: Sent) -> None:
    assert posted(taught, "check", pages=pages)["state"] == "holds"
    new = [{**lantern, "html": "<h1>New</h1><p>All is new here.</p>"}]
    assert posted(taught, "check", pages=new)["state"] == "redesigned"
    unknown = [{"html": "<p>x", "url": "https://unknown.example/"}]
    assert "has no template; learn it first" in taught.post("/api/check", json={"pages": unknown}).json()["error"]


def test_a_page_is_decoded_by_the_client(taught: TestClient) -> None:
    html = "<meta charset=iso-8859-1><p>Überall fährt die Fähre, sagt der Wärter, und zwar täglich um zwölf.</p>"
    posted(taught, "learn", pages=[{"html": html, "url": "https://faehre.example/"}])
    assert "Überall fährt" in posted(taught, "clean", html=html, url="https://faehre.example/")["text"]
    (row,) = taught.get("/api/sites/faehre.example/pages").json()["pages"]
    assert "Überall fährt" in taught.get(f"/api/sites/faehre.example/pages/{row['id']}").json()["text"]


def test_unpaired_surrogates_are_accepted(taught: TestClient) -> None:
    body = rb'{"html": "<p>Half of a character: \ud800, and then the rest of the sentence."}'
    answer = taught.post("/api/clean", content=body, headers={"Content-Type": "application/json"})
    assert "Half of a character" in answer.json()["text"]


def test_a_marked_page_has_regions_with_places_roles_and_reasons(taught: TestClient, lantern: Sent) -> None:
    view = posted(taught, "mark", **lantern)
    assert view["template"] == SITE
    removed = [region for region in view["regions"] if region["removed"]]
    assert {"navigation", "masthead"} & {region["role"] for region in removed}
    assert any("Pier Lantern" in region["text"] for region in view["regions"] if not region["removed"])
    assert view["tinted"].count("data-husk-removed") >= len(removed)


def test_a_page_is_marked_by_another_method_or_grain_on_demand(taught: TestClient, lantern: Sent) -> None:
    usual = posted(taught, "mark", **lantern)["share_removed"]
    assert posted(taught, "mark", **lantern, method="rtdm")["share_removed"] != usual
    assert posted(taught, "mark", **lantern, grain="nodes")["share_removed"] > usual
    assert "has no option 'grain'" in refused(taught, 422, "mark", **lantern, method="rtdm", grain="nodes")


def test_candidates_are_links_of_the_same_directory_first(taught: TestClient, lantern: Sent) -> None:
    urls = posted(taught, "candidates", **lantern, limit=3)["urls"]
    assert len(urls) == 3
    assert all(url.startswith(f"https://{SITE}/shop/") for url in urls)


def test_the_template_of_a_page_is_found_among_pages_that_link_to_each_other(
    client: TestClient, pages: list[Sent], lantern: Sent
) -> None:
    key = {**lantern, "url": lantern["url"].replace(SITE, "linked.example")}
    given = [{**page, "url": page["url"].replace(SITE, "linked.example")} for page in pages]
    found = posted(client, "template", **key, pages=given, save=False)
    assert len(found["chosen"]) == 3
    assert found["template"] == "linked.example"
    assert all("/shop/" in url for url in found["chosen"])
    assert "linked.example" not in {site["site"] for site in client.get("/api/sites").json()}
    posted(client, "template", **key, pages=given, save=True)
    (saved,) = [site for site in client.get("/api/sites").json() if site["site"] == "linked.example"]
    assert saved["pages"] == 4


def test_the_template_by_votes_of_linked_pages_has_votes_and_loads(
    client: TestClient, pages: list[Sent], lantern: Sent
) -> None:
    default = posted(client, "template", **lantern, pages=pages)
    found = posted(client, "template", **lantern, pages=pages, method="etdm")
    assert (default["votes"], found["votes"], found["chosen"]) == (None, 2, default["chosen"])
    assert found["loaded"] == default["loaded"] >= 4
    removed = {region["reason"] for region in found["regions"] if region["removed"]}
    assert any("on the key page and on at least 2 of 3 others" in reason for reason in removed)


def test_a_template_by_votes_needs_voters_and_is_not_saved(
    client: TestClient, pages: list[Sent], lantern: Sent
) -> None:
    other = [{"html": "<p>Other", "url": "https://other.example/"}]
    assert "none of them can vote" in refused(client, 422, "template", **lantern, pages=other, method="etdm")
    assert "not saved" in refused(client, 422, "template", **lantern, pages=pages, method="etdm", save=True)


def test_a_page_without_usable_links_is_judged_alone(client: TestClient, lantern: Sent) -> None:
    found = posted(client, "template", **lantern, pages=[{"html": "<p>Other", "url": "https://other.example/"}])
    assert found["chosen"] == []
    assert found["template"] is None


def test_a_diff_says_where_on_the_new_page_each_change_is(taught: TestClient, lantern: Sent) -> None:
    new = lantern["html"].replace("</h1>", f"</h1>{NEWS}", 1)
    came = posted(taught, "diff", old=lantern["html"], new=new, url=lantern["url"])
    assert (came["verdict"], came["template"], came["content"]) == ("content", SITE, 1)
    (change,) = came["changes"]
    assert (change["what"], change["husk"], change["where"]) == ("added", False, "at")
    assert change["path"].endswith("p") or "p:nth-of-type" in change["path"]
    (change,) = posted(taught, "diff", old=new, new=lantern["html"], url=lantern["url"])["changes"]
    assert (change["what"], change["where"]) == ("removed", "after")
    assert change["path"].rpartition(" > ")[2].startswith("h1")
    assert change["before"].startswith("The pier is closed")


def test_a_rewritten_line_has_its_words_in_runs(client: TestClient) -> None:
    old, new = (
        f"<main><p>The pier is {word} until the spring of the next year.</main>" for word in ("shut", "wide open")
    )
    (change,) = posted(client, "diff", old=old, new=new)["changes"]
    assert change["words"] == [
        {"kind": "same", "text": "The pier is"},
        {"kind": "removed", "text": "shut"},
        {"kind": "added", "text": "wide open"},
        {"kind": "same", "text": "until the spring of the next year."},
    ]


def test_an_addition_at_the_start_of_an_element_is_within_it(client: TestClient) -> None:
    old, new = f"<main>{NEWS}<p>Something else to say.</main>", "<main><p>Something else to say.</main>"
    (change,) = posted(client, "diff", old=old, new=new)["changes"]
    assert (change["where"], change["path"].rpartition(" > ")[2]) == ("within", "main")


def test_changes_of_the_template_are_husk(taught: TestClient, lantern: Sent) -> None:
    new = lantern["html"].replace("About us", "About all of us")
    found = posted(taught, "diff", old=lantern["html"], new=new, url=lantern["url"])
    assert found["verdict"] == "husk only"
    assert {change["why"] for change in found["changes"]} == {"template"}
    assert all(change["husk"] for change in found["changes"])


def test_a_visit_returns_what_changed_since_the_last_one(taught: TestClient, lantern: Sent) -> None:
    first = posted(taught, "visit", **lantern)
    assert first == {
        "first": True,
        "since": None,
        "kept": True,
        "verdict": None,
        "template": SITE,
        "changes": [],
    }
    new = {"url": lantern["url"] + "#reviews", "html": lantern["html"].replace("</h1>", f"</h1>{NEWS}", 1)}
    private = posted(taught, "visit", **new, private=True)
    assert (private["verdict"], private["kept"]) == ("content", False)
    again = posted(taught, "visit", **new)
    assert (again["first"], again["verdict"], again["kept"]) == (False, "content", True)
    assert again["since"]
    assert posted(taught, "visit", **new)["verdict"] == "nothing"


def test_a_private_visit_is_not_stored(client: TestClient, settings: ServiceSettings) -> None:
    secret = "A diary entry that nobody should find on this disk."
    private = {"html": f"<p>{secret}", "url": "https://diary.example/", "private": True}
    assert posted(client, "visit", **private)["first"]
    assert "https://diary.example/" not in {one["url"] for one in client.get("/api/snapshots").json()}
    folder = Path(settings.place.store).parent
    assert not [file for file in folder.iterdir() if secret.encode() in file.read_bytes()]


def test_snapshots_are_listed_and_deleted_one_or_all(client: TestClient) -> None:
    client.delete("/api/snapshots")
    for name in ("a", "b", "c"):
        posted(client, "visit", html=f"<p>Page {name}", url=f"https://visits.example/{name}")
    kept = client.get("/api/snapshots").json()
    assert sorted(one["url"] for one in kept) == [f"https://visits.example/{name}" for name in ("a", "b", "c")]
    assert all(one["size"] == len("<p>Page a") for one in kept)
    gone = client.delete("/api/snapshots", params={"url": "https://visits.example/b"})
    assert gone.json() == {"deleted": 1}
    assert len(client.get("/api/snapshots").json()) == 2
    assert client.delete("/api/snapshots").json() == {"deleted": 2}
    assert client.get("/api/snapshots").json() == []


def test_the_pages_of_a_site_are_listed_with_outliers_first(taught: TestClient, pages: list[Sent]) -> None:
    listed = taught.get(f"/api/sites/{SITE}/pages", params={"limit": 5}).json()
    assert listed["total"] == len(pages)
    assert len(listed["pages"]) == 5
    assert [row["outlier"] for row in listed["pages"]] == sorted(
        (row["outlier"] for row in listed["pages"]), reverse=True
    )
    rest = taught.get(f"/api/sites/{SITE}/pages", params={"limit": 500, "offset": 5}).json()["pages"]
    assert len({row["id"] for row in (*listed["pages"], *rest)}) == len(pages)


def test_a_page_of_a_site_is_found_by_a_word_and_shown(taught: TestClient) -> None:
    (row,) = taught.get(f"/api/sites/{SITE}/pages", params={"query": "pier LANTERN"}).json()["pages"]
    view = taught.get(f"/api/sites/{SITE}/pages/{row['id']}").json()
    assert (view["title"], view["template"]) == ("Pier Lantern", SITE)
    other = taught.get(f"/api/sites/{SITE}/pages/{row['id']}", params={"method": "rtdm"}).json()
    assert other["share_removed"] != view["share_removed"]


def test_something_missing_is_reported_in_one_line(taught: TestClient, lantern: Sent) -> None:
    assert "did you mean tidewater.example?" in taught.get("/api/sites/tidewaters.example/pages").json()["error"]
    assert "learn it first" in refused(taught, 404, "clean", **lantern, site="nowhere.example")
    assert "no such page" in taught.get(f"/api/sites/{SITE}/pages/0123").json()["error"]
    assert "no such route" in taught.get("/api/nothing").json()["error"]
    assert "no such method" in taught.put("/api/clean").json()["error"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "html: Field required"),
        ({"html": 5}, "html: Input should be a valid string"),
        ({"html": ""}, "html: String should have at least 1 character"),
        ({"html": "<p>a", "format": "pdf"}, "format: Input should be"),
        ({"html": "<p>a", "keep": ["menus"]}, "keep.0: "),
        ({"html": "<p>a", "path": "/etc/passwd"}, "path: Extra inputs are not permitted"),
        ({"html": "<p>a", "url": "https://a.example/\n"}, "url: "),
        ({"html": "%PDF-1.7 and more"}, "a PDF, not HTML"),
        ({"html": "  "}, "empty"),
    ],
)
def test_invalid_requests_are_refused_in_one_line(client: TestClient, body: dict[str, Any], words: str) -> None:
    assert words in refused(client, 422, "clean", **body)


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b"\xff\xfe", b'"text"'])
def test_invalid_json_is_refused_in_one_line(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/clean", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert "\n" not in answer.json()["error"]
    assert "see /openapi.json" in answer.json()["error"]
    assert answer.json()["error"].startswith("the body")


def test_a_file_that_a_request_names_is_never_read(client: TestClient, settings: ServiceSettings) -> None:
    for url in ("file:///etc/hostname", str(settings.place.store), "../token"):
        assert posted(client, "clean", html="<p>Only what was sent is read here.", url=url)["text"] == (
            "Only what was sent is read here.\n"
        )
    for name in ("..%2f..%2ftoken", "%2e%2e/view.py", "view.py", "__init__.py"):
        assert client.get(f"/viewer/{name}").status_code == 404


def place(client: TestClient, page: Sent, words: str) -> dict[str, Any]:
    """The region of a page with this text."""
    (found,) = [one for one in posted(client, "mark", **page)["regions"] if words in one["text"]]
    return dict(found)


def test_a_correction_is_previewed_saved_used_and_undone(
    taught: TestClient, settings: ServiceSettings, lantern: Sent
) -> None:
    region = place(taught, lantern, "All prices include tax")
    assert region["removed"]
    edit = {"path": region["kind"], "keep": True, "scope": "site"}
    tried = posted(taught, "mark", **lantern, trial=[edit])
    assert "All prices include tax" in tried["text"]
    assert taught.get(f"/api/sites/{SITE}/edits").json() == []

    effects = posted(taught, f"sites/{SITE}/preview", **edit)
    assert [one["place_found"] for one in effects] == [True] * 3
    assert all("All prices include tax" in one["gained"] and not one["lost"] for one in effects)
    assert all(one["removed_after"] < one["removed_before"] for one in effects)

    saved = posted(taught, f"sites/{SITE}/edits", **edit, why="it matters to us", by="Ada")
    assert taught.get(f"/api/sites/{SITE}/edits").json() == [saved]
    assert (saved["path"], saved["keep"], saved["by"]) == (region["kind"], True, "Ada")
    assert [site["edits"] for site in taught.get("/api/sites").json() if site["site"] == SITE] == [1]
    assert "All prices include tax" in posted(taught, "clean", **lantern)["text"]
    assert place(taught, lantern, "All prices include tax")["edit"] == saved["id"]
    assert "All prices include tax" in posted(taught, "mark", **lantern, method="rtdm")["text"]
    with dehusk.Store(settings.place.store) as store:
        assert "All prices include tax" in store.template(SITE).clean(lantern["html"]).text

    gone = taught.delete(f"/api/sites/{SITE}/edits/{saved['id']}")
    assert gone.json() == {"deleted": 1}
    assert taught.delete(f"/api/sites/{SITE}/edits/{saved['id']}").status_code == 404
    assert "All prices include tax" not in posted(taught, "clean", **lantern)["text"]


def test_a_correction_of_a_family_is_for_the_family_of_its_page(taught: TestClient, lantern: Sent) -> None:
    (row,) = taught.get(f"/api/sites/{SITE}/pages", params={"query": "pier-lantern"}).json()["pages"]
    edit = {"path": place(taught, lantern, "All prices include tax")["kind"], "keep": True, "scope": "family"}
    saved = posted(taught, f"sites/{SITE}/edits", **edit, page=row["id"])
    assert (saved["scope"], saved["family"]) == ("family", row["family"])
    taught.delete(f"/api/sites/{SITE}/edits/{saved['id']}")
    assert "say which family" in refused(taught, 422, f"sites/{SITE}/edits", **edit)


def test_a_correction_of_one_page_is_for_this_page_alone(taught: TestClient) -> None:
    rows = taught.get(f"/api/sites/{SITE}/pages", params={"query": "shop/", "limit": 500}).json()["pages"]
    one, other = rows[0]["id"], rows[1]["id"]
    edit = {"path": "body > div.columns > aside.side", "keep": True, "scope": "page"}
    assert "the id of the page is missing" in refused(taught, 422, f"sites/{SITE}/edits", **edit)
    saved = posted(taught, f"sites/{SITE}/edits", **edit, page=one)
    assert (saved["page"], saved["scope"]) == (rows[0]["name"], "page")
    assert saved["text"].startswith("Categories")
    said = [taught.get(f"/api/sites/{SITE}/pages/{key}").json()["text"] for key in (one, other)]
    assert ["Every parcel leaves" in text for text in said] == [True, False]
    taught.delete(f"/api/sites/{SITE}/edits/{saved['id']}")


def test_the_pages_that_a_correction_reaches_and_empties_are_counted(taught: TestClient) -> None:
    def counted(path: str, **more: object) -> dict[str, int]:
        told: dict[str, int] = posted(taught, f"sites/{SITE}/reach?limit=500", path=path, keep=False, **more)
        return told

    side, whole = counted("body > div.columns > aside.side"), counted("body")
    assert side == {"total": 30, "looked": 30, "pages": 14, "emptied": 0}
    assert whole["pages"] == 30
    assert whole["emptied"] == 30
    first = posted(taught, f"sites/{SITE}/reach?limit=7", path="body", keep=True)
    assert first == {"total": 30, "looked": 7, "pages": 7, "emptied": 0}


def test_a_template_is_exported_for_other_programs(taught: TestClient, tmp_path: Path) -> None:
    files = {
        form: taught.get(f"/api/sites/{SITE}/export?form={form}").json() for form in ("template", "css", "wallabag")
    }
    assert [file["name"] for file in files.values()] == [f"{SITE}.husk", f"{SITE}.css", f"{SITE}.txt"]
    (tmp_path / "site.husk").write_text(files["template"]["text"])
    assert dehusk.load(tmp_path / "site.husk").site == SITE
    assert "display: none" in files["css"]["text"]
    assert "strip: " in files["wallabag"]["text"]


def test_pages_are_measured_some_at_a_time(taught: TestClient) -> None:
    posted(
        taught, "learn", pages=[{"html": f"<p>Quick page {k}.", "url": f"https://quick.example/{k}"} for k in range(5)]
    )
    at = "/api/sites/quick.example"
    listed = taught.get(f"{at}/measures?offset=1&limit=2&grain=nodes").json()
    assert [row["name"][-1] for row in listed["pages"]] == ["1", "2"]
    assert all(row["share_removed"] is not None for row in listed["pages"])
    assert (listed["total"], listed["missing"]) == (5, 0)


def test_a_preview_says_on_which_pages_the_place_is_missing(taught: TestClient) -> None:
    effects = posted(taught, f"sites/{SITE}/preview", path="body > div.nowhere", keep=False)
    assert [one["place_found"] for one in effects] == [False] * 3
    assert "body > [" in refused(taught, 422, f"sites/{SITE}/preview", path="body > [onclick]", keep=False)


def test_an_unsupported_http_method_is_refused_with_the_supported_ones(client: TestClient) -> None:
    answer = client.patch("/api/snapshots")
    assert (answer.status_code, answer.headers["allow"]) == (405, "DELETE, GET")


def test_a_request_with_two_origins_is_refused(client: TestClient) -> None:
    origins = [("Origin", "https://evil.example"), ("Origin", "http://127.0.0.1:8377")]
    answer = client.get("/api/status", headers=origins)
    assert (answer.status_code, "duplicate Host or Origin" in answer.json()["error"]) == (403, True)


def test_a_damaged_token_is_reported_in_one_line(client: TestClient, settings: ServiceSettings) -> None:
    token = settings.token.path.read_bytes()
    settings.token.path.write_bytes(b"\xff\xfe")
    try:
        answer = client.get("/api/status")
    finally:
        settings.token.path.write_bytes(token)
    assert (answer.status_code, "--new-token" in answer.json()["error"]) == (500, True)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert client.get("/api/status").status_code == 200


def test_a_table_of_pages_is_answered(client: TestClient, pages: list[Sent]) -> None:
    shop = [page for page in pages if "/shop/" in page["url"]]
    (table,) = client.post("/api/table", json={"pages": shop}).raise_for_status().json()
    assert [column["name"] for column in table["columns"]][:3] == ["title", "price", "maker"]
    assert len(table["rows"]) == len(shop)
    wrong = client.post("/api/table", json={"pages": shop[:1]})
    assert wrong.status_code == 422
    assert "share places" in wrong.json()["error"]
