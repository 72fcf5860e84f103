"""Pages as shown by the viewer and the extension."""

import json
import re
from typing import Any

import pytest

import dehusk
import demo_site
from dehusk.marking.edits import Edit
from dehusk.server.viewer import page_views as view_module
from dehusk.server.viewer.page_views import page_view


@pytest.fixture(scope="module")
def view() -> dict[str, Any]:
    pages = demo_site.pages()
    learned = dehusk.learn(pages.values())
    return page_view(learned.clean(dehusk.Page(pages["shop/pier-lantern.html"], name="shop/pier-lantern.html")))


def test_a_view_has_the_metadata_and_content_of_a_page(view: dict[str, Any]) -> None:
    assert view["name"] == "shop/pier-lantern.html"
    assert view["title"] == "Pier Lantern"
    assert 0.3 < view["share_removed"] < 0.7
    assert "lantern" in view["text"].lower()
    assert view["markdown"]
    json.dumps(view)


def test_each_region_is_one_element_of_the_sealed_page(view: dict[str, Any]) -> None:
    numbers = [int(number) for number in re.findall(r'data-husk="(\d+)"', view["tinted"])]
    assert sorted(numbers) == [region["n"] for region in view["regions"]]
    assert view["tinted"].count('data-husk-removed=""') == sum(region["removed"] for region in view["regions"])


def test_regions_are_removed_and_kept_parts_with_role_and_reason(view: dict[str, Any]) -> None:
    removed = [region for region in view["regions"] if region["removed"]]
    kept = [region for region in view["regions"] if not region["removed"]]
    assert any(region["role"] == "navigation" for region in removed)
    assert all(region["reason"].startswith(region["role"]) for region in [*removed, *kept])
    assert any(re.fullmatch(r"on \d+ of \d+ pages", region["pages"] or "") for region in removed)
    assert any(region["role"] == "title" and region["text"] == "Pier Lantern" for region in kept)
    assert all(0 <= region["confidence"] <= 1 for region in view["regions"])
    assert max(len(region["text"]) for region in view["regions"]) <= 160


def test_hidden_text_is_not_content_and_is_marked_as_hidden() -> None:
    learned = dehusk.learn(demo_site.pages().values())
    html = demo_site.pages()["shop/pier-lantern.html"].replace("<h1", "<p hidden>Secret words here</p><h1", 1)
    hidden = [r for r in page_view(learned.clean(html))["regions"] if r["text"] == "Secret words here"]
    assert [region["removed"] for region in hidden] == [True]


def test_an_empty_page_has_a_view() -> None:
    learned = dehusk.learn(demo_site.pages().values())
    view = page_view(learned.clean(b""))
    assert view["regions"] == []
    assert view["text"] == ""


def test_a_region_has_its_place_and_the_edit_that_keeps_it(view: dict[str, Any]) -> None:
    html = demo_site.pages()["shop/pier-lantern.html"]
    removed = next(r for r in view["regions"] if r["role"] == "navigation" and r["removed"])
    learned = dehusk.learn(demo_site.pages().values()).edited(Edit.new(removed["kind"], keep=True, by="Ann"))
    changed = page_view(learned.clean(html))["regions"]
    kept = [r for r in changed if r["edit"] == learned.edits[0].id]
    assert kept
    assert not any(r["removed"] for r in kept)
    assert all("kept by an edit of Ann" in r["reason"] for r in kept)
    assert all(r["path"].startswith(removed["path"]) for r in kept)
    assert not any(r["edit"] for r in view["regions"])


@pytest.mark.parametrize("limit", ["LARGEST_VIEW", "MOST_NAMED"])
def test_a_page_that_is_too_large_is_shown_as_text_only(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_module, limit, 100)
    learned = dehusk.learn(demo_site.pages().values())
    view = page_view(learned.clean(demo_site.pages()["shop/pier-lantern.html"]))
    assert view["tinted"] == ""
    assert view["regions"] == []
    assert "too large to be shown" in view["warnings"]
    assert "Pier Lantern" in view["text"]
