"""Whether a template still holds."""

import pytest

import dehusk
import demo_site
from dehusk.page import Page
from dehusk.templates.drift import State, state_of

PAGES = {name: html for name, html in demo_site.pages().items() if name.startswith("shop/")}


def pages(change: tuple[str, str] = ("", "")) -> list[Page]:
    return [Page(html.replace(*change) if change[0] else html, name=name) for name, html in PAGES.items()]


@pytest.fixture(scope="module")
def template() -> dehusk.Template:
    return dehusk.learn(pages())


def other() -> list[Page]:
    """The same products in another design."""
    body = "<body><div id=head><b>Welcome to our new shop</b></div><h1>{0}</h1><p>{0} is made by hand here.</p></body>"
    return [Page(body.format(name), name=name) for name in PAGES]


def test_a_template_holds_for_pages_like_those_it_was_learned_from(template: dehusk.Template) -> None:
    state = state_of(template, pages(), "shop.example")
    assert state.state is State.HOLDS
    assert state.strange == state.empty == ()
    assert str(state) == f"shop.example: holds ({len(PAGES)} pages, median fit 1.00)"
    assert not state.families[0].vanished
    assert not state.families[0].moved


def test_another_design_is_told_with_what_is_gone(template: dehusk.Template) -> None:
    state = state_of(template, other())
    assert state.state is State.REDESIGNED
    assert state.strange_pages == len(PAGES)
    assert state.families[0].vanished
    assert "places gone" in str(state)


def test_some_pages_of_another_design_are_a_drift(template: dehusk.Template) -> None:
    count = len(PAGES) // 3
    state = state_of(template, [*pages()[count:], *other()[:count]])
    assert state.state is State.DRIFTING
    assert state.strange_pages == count


def test_a_text_that_stands_elsewhere_has_moved(template: dehusk.Template) -> None:
    texts = [saying.partition(": ")[2] for saying in sorted(template.families[0].signature.sayings)]
    text = next(text for text in texts if all(html.count(f">{text}<") == 1 for html in PAGES.values()))
    moved = pages((f">{text}<", f"><u><b><i>{text}</i></b></u><"))
    state = state_of(template, moved)
    assert state.state is State.HOLDS
    assert text in {one.text for one in state.families[0].moved}


def test_pages_without_content_are_named(template: dehusk.Template) -> None:
    state = state_of(template, [*pages(), Page("<body></body>", name="nothing.html")])
    assert state.empty == ("nothing.html",)


def test_the_state_is_json(template: dehusk.Template) -> None:
    row = state_of(template, pages()).to_dict()
    assert row["state"] == "holds"
    assert row["families"][0]["known"] == len(template.families[0].signature.sayings)
