"""Hidden text is not written, unless the page can show it, or all text is hidden."""

import pytest

from dehusk import render
from dehusk.page import Page

SHOWN = "<p>The pier is open from March to October, and the boats go out at nine.</p>"
LONG = "The lantern is made of brass and glass, as it was a hundred years ago, and it burns for nine hours. " * 2


def text(html: str) -> str:
    page = Page(SHOWN + html)
    return render.text(page, render.unseen(page, [])).split("\n", 1)[1].strip()


@pytest.mark.parametrize(
    "attribute",
    [
        "hidden",
        "style='display:none'",
        "style='color:red; DISPLAY: none'",
        "style='visibility:hidden'",
        "class=sr-only",
        "class='a visually-hidden'",
        "class=screen-reader-text",
    ],
)
def test_hidden_text_is_not_written(attribute: str) -> None:
    html = f"<p>one</p><div {attribute}>Loading</div><span {attribute}>two</span>"
    page = Page(SHOWN + html)
    gone = render.unseen(page, [])
    for write in (render.text, render.markdown, render.html):
        written = write(page, gone)
        assert "one" in written
        assert "Loading" not in written
        assert "two" not in written


def test_noembed_is_not_written() -> None:
    assert text("<noembed>Get the player</noembed>") == ""


@pytest.mark.parametrize(
    "panel",
    [
        "<div role=tabpanel hidden>Steel</div>",
        "<div aria-labelledby=t hidden>Steel</div>",
        "<h3>Is it steel?</h3><div style='display:none'>Steel, all of it, and rivets.</div>",
        "<div class=q>Is it steel?</div> <div style='display:none'>Steel, all of it, and rivets.</div>",
        f"<div style='display:none'>Steel. {LONG}</div>",
    ],
)
def test_panels_of_tabs_and_answers_to_questions_are_written(panel: str) -> None:
    assert "Steel" in text(panel)


def test_a_hidden_copy_of_what_is_shown_is_not_written() -> None:
    assert text(f"<p>{LONG}</p><div style='display:none'>{LONG}</div>").count("brass") == 2


def test_a_page_that_is_all_hidden_is_written() -> None:
    page = Page("<body><div style='display:none'><p>The boats go out at nine.</p></div></body>")
    assert render.text(page, render.unseen(page, [])) == "The boats go out at nine.\n"


def test_a_body_that_a_script_shows_is_written() -> None:
    page = Page(f"<body style='visibility:hidden'>{SHOWN}<p hidden>Loading</p></body>")
    assert "Loading" not in render.text(page, render.unseen(page, []))


MATH = (
    "<math><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding='application/x-tex'>x^2</annotation></math>"
)
LETTERS = "<span class='katex-html' aria-hidden=true><span>x</span><span>2</span></span>"
PICTURE = "<img class='mwe-math-fallback-image-inline' src=x.svg alt='x^2'>"


@pytest.mark.parametrize(
    "drawn",
    [
        f"<span class=katex><span class=katex-mathml>{MATH}</span>{LETTERS}</span>",
        f"<span><span style='display: none'>{MATH}</span>{PICTURE}</span>",
    ],
)
def test_a_formula_that_is_also_drawn_is_written_once(drawn: str) -> None:
    page = Page(f"<p>The size of this boat is {drawn}, twice {drawn}, as every sailor who was at sea knows well.</p>")
    gone = render.unseen(page, [])
    assert "boat is x^2 , twice x^2 , as" in render.text(page, gone)  # with a space for what was removed
    assert "boat is $x^2$ , twice $x^2$ , as" in render.markdown(page, gone)
    assert "x.svg" not in render.html(page, gone)


def test_a_drawn_formula_without_its_meaning_is_written() -> None:
    page = Page(f"<p>The size of this boat is {PICTURE}, {LETTERS}, and this is {MATH}, which every sailor knows.</p>")
    written = render.markdown(page, render.unseen(page, []))
    assert written == "The size of this boat is ![x^2](x.svg), x2, and this is $x^2$, which every sailor knows.\n"
