"""Views of a marked page: the template by itself, and the page tinted."""

from collections.abc import Callable

import pytest

import dehusk
from dehusk import render
from marked import marking


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("show", [render.highlighted_html, render.template_html])
def test_nothing_in_a_view_runs_and_it_goes_nowhere(show: Callable[..., str], sealed: bool) -> None:
    html = (
        "<head><meta http-equiv=refresh content='0;url=x'><script>alert(1)</script><!-- <head> --></head>"
        "<body onload='alert(1)'><nav><a href='javascript:alert(1)'>menu</a><iframe src=x></iframe></nav><p>x</p>"
    )
    written = show(marking(html, "menu"), sealed=sealed)
    assert "default-src 'none'" in written
    assert "menu" in written
    for sign in ("refresh", "alert", "<script", "<iframe"):
        assert sign not in written


def test_a_sealed_view_loads_no_style_and_others_do() -> None:
    html = "<head><link rel=stylesheet href=a.css></head><nav><p>menu</p></nav><p>x</p>"
    assert "a.css" not in render.template_html(marking(html, "menu"), sealed=True)
    assert "a.css" in render.template_html(marking(html, "menu"))


def test_html_of_the_template_has_all_but_the_content() -> None:
    html = "<head><title>T</title></head><nav><p>menu</p></nav><main><p>mine</p></main>"
    written = render.template_html(marking(html, "menu"))
    assert "menu" in written
    assert "mine" not in written
    assert "<title>T</title>" in written


def test_the_tinted_page_shows_all_with_reasons_as_tooltips() -> None:
    html = "<nav><p>menu</p></nav><div>loose<p>mine</p></div>"
    written = render.highlighted_html(marking(html, "menu", "loose"))
    assert '<nav data-dehusk="template" title="navigation, because of nav">' in written
    assert '<span data-dehusk="template" title="byline, because of #text">loose</span>' in written
    assert "<p>mine</p>" in written
    assert "[data-dehusk]{" in written


def test_every_rendering_of_one_page_can_be_asked_for_in_any_order() -> None:
    pages = [f"<nav>menu</nav><p>mine {k}</p>" for k in "ab"]
    cleaned = dehusk.learn(pages).clean(pages[0])
    assert cleaned.html.count("mine a") == cleaned.markdown.count("mine a") == cleaned.text.count("mine a") == 1
    assert "menu" in render.highlighted_html(cleaned.marking)
