"""Families: pages that share a template are found, kept together and recognized."""

import json
import random
from pathlib import Path

import pytest

import demo_site
from dehusk.page import Page
from dehusk.templates import families
from dehusk.templates.families import Signature, group, route, signature

DATA = Path(__file__).parents[3] / "shared" / "data"
DEMO = [Page(html, name=name) for name, html in demo_site.pages().items()]


def page(template: str, number: int, *, items: int = 12, extra: str = "") -> Page:
    """A page of a made-up template: a menu that all its pages have, and its own story."""
    menu = "".join(f"<li><a href='/{template}/{item}'>{template} item {item}</a>" for item in range(items))
    return Page(f"<ul>{menu}</ul><h1>Story {number}</h1><p>What happened in {template} on day {number}.</p>{extra}")


def names(pages: list[Page], found: list[list[int]]) -> list[set[str]]:
    return [{pages[number].name.split("/")[0] for number in family} for family in found]


def test_the_shop_and_the_blog_of_the_demo_site_are_two_families_and_the_other_pages_in_none() -> None:
    found = group(DEMO)
    assert sorted(map(sorted, names(DEMO, found))) == [["blog"], ["shop"]]
    assert sum(map(len, found)) == len(DEMO) - 2


def test_every_page_of_a_family_is_routed_to_it_and_a_page_without_template_to_none() -> None:
    found = group(DEMO)
    known = [signature(DEMO[number] for number in family[::2]) for family in found]
    for number, family in enumerate(found):
        assert {route(known, DEMO[one]) for one in family} == {number}
    plain = next(one for one in DEMO if one.name == "about/plain.html")
    assert route(known, plain) is None
    assert [one.fit(plain) for one in known] == [0.0, 0.0]


def test_the_order_of_the_pages_makes_no_difference() -> None:
    expected = [{DEMO[number].name for number in family} for family in group(DEMO)]
    for seed in range(3):
        shuffled = random.Random(seed).sample(DEMO, len(DEMO))
        assert [{shuffled[number].name for number in family} for family in group(shuffled)] == expected


def test_a_signature_survives_json_and_fits_as_before() -> None:
    pages = [page("a", number) for number in range(4)]
    known = signature(pages)
    again = Signature.from_json(json.loads(json.dumps(known.to_json())))
    assert again == known
    assert "ul li a: a item 3" in again.sayings
    assert again.fit(page("a", 9)) == 1.0
    assert again.fit(page("b", 9)) == 0.0


def test_fit_is_the_share_of_the_template_that_a_page_has() -> None:
    known = signature([page("a", number) for number in range(4)])
    assert known.fit(page("a", 9, items=6)) == 0.5


def test_a_single_page_repeats_nothing_and_every_page_fits_it() -> None:
    known = signature([page("a", 0)])
    assert known == Signature(frozenset(), 0, 1)
    assert known.fit(page("b", 1)) == 1.0
    assert route([known, signature([page("b", number) for number in range(4)])], page("b", 9)) == 1


def test_a_single_page_has_no_family() -> None:
    assert group([]) == []
    assert group([page("a", 0)]) == []
    assert group([page("a", 0), page("b", 1), page("c", 2)]) == []


def test_two_pages_are_a_family() -> None:
    assert group([page("a", 0), page("b", 1), page("a", 2)]) == [[0, 2]]


def test_a_word_or_two_in_common_is_not_a_template() -> None:
    assert group([Page("<p>Home</p><p>Search</p>One"), Page("<p>Home</p><p>Search</p>Other")]) == []


def test_pages_without_any_text_are_in_no_family() -> None:
    assert group([Page("<div><img src=a></div>"), Page("<div></div>"), Page("")]) == []


def test_two_sites_of_one_generator_are_separated_although_their_tags_are_the_same() -> None:
    pages = [page("ab"[number % 2], number, extra="<p>Powered by</p><p>Next</p><p>Up</p>") for number in range(20)]
    assert sorted(group(pages)) == [list(range(0, 20, 2)), list(range(1, 20, 2))]


def test_a_menu_that_grew_by_a_third_does_not_make_a_family_of_its_own() -> None:
    pages = [page("a", number, items=12 if number % 2 else 16) for number in range(20)]
    assert group(pages) == [list(range(20))]


def test_a_page_with_a_second_menu_is_routed_to_the_family_that_has_it_though_it_fits_the_plainer_one_too() -> None:
    sidebar = "".join(f"<aside>Topic {item}</aside>" for item in range(40))
    plainer = signature([page("a", number) for number in range(4)])
    richer = signature([page("a", number, extra=sidebar) for number in range(4)])
    new = page("a", 9, extra=sidebar.replace("Topic 7<", "Topic seven<"))
    assert plainer.fit(new) > richer.fit(new)
    assert route([plainer, richer], new) == 1
    assert route([plainer, richer], page("a", 9)) == 0


def test_stories_that_two_pages_share_do_not_split_a_site() -> None:
    def story(number: int) -> str:
        return "".join(f"<p>Sentence {sentence} of story {number}." for sentence in range(10))

    pages = [page("a", number, extra=story(number if number < 16 else number - 2)) for number in range(18)]
    assert group(pages) == [list(range(18))]


def test_large_tables_with_the_same_figures_do_not_hide_the_menus() -> None:
    def table(number: int) -> str:
        figures = random.Random(number)
        return "<table>" + "".join(f"<tr><td>{figures.randrange(3000)}" for _ in range(300)) + "</table>"

    pages = [page("abc"[number % 3], number, items=90, extra=table(number)) for number in range(60)]
    assert sorted(group(pages)) == [list(range(first, 60, 3)) for first in range(3)]


def test_pages_beyond_those_compared_are_routed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "COMPARED_PAGES", 20)
    pages = [page("ab"[number % 2], number) for number in range(60)]
    assert sorted(group(pages)) == [list(range(0, 60, 2)), list(range(1, 60, 2))]


def test_a_signature_of_a_very_large_template_stays_small_and_says_how_large_it_is() -> None:
    known = signature([page("a", number, items=2000) for number in range(3)])
    assert len(known.sayings) == families.SAYINGS
    assert known.size == 2000
    assert known.fit(page("a", 7, items=1000)) == pytest.approx(0.5, abs=0.1)


def test_all_large_pages_are_grouped() -> None:
    rows = "".join(f"<tr><td>cell {row}<td>{row % 7}<td>yes" for row in range(2000))
    pages = [page("ab"[number % 2], number, extra=f"<table>{rows}</table>") for number in range(12)]
    assert sum(len(one.tree) for one in pages) > 12 * 14_000
    assert sum(map(len, group(pages))) == 12


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")
def test_mixed_real_sites_are_separated_and_not_split() -> None:
    folders = [folder for pattern in ("docs/*", "news/*", "products/*/*") for folder in sorted(DATA.glob(pattern))]
    drawn = random.Random(1)
    grouped = pure = count = pages_in_all = 0
    for _ in range(6):
        pages = [
            Page(file.read_bytes(), name=str(folder))
            for folder in drawn.sample(folders, 3)
            for file in sorted((folder / "pages").rglob("*.html"))[:12]
        ]
        found = group(pages)
        for family in found:
            owners = [pages[number].name for number in family]
            pure += max(owners.count(owner) for owner in owners)
            grouped += len(family)
        count += len(found)
        pages_in_all += len(pages)
    assert pure / grouped >= 0.97
    assert grouped / pages_in_all >= 0.95
    assert count <= 2 * 3 * 6
