"""What changed, as a sentence."""

import pytest

import dehusk
from dehusk.comparing._headline import sentence

FIRST = "The harbour was built by fishermen who had no other place to go."
SECOND = "Later the merchants came, and with them the tall houses on the quay."


ITEMS = "<li>The first boat came home.<li>The second boat came home."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (f"<p>{FIRST}<p>{SECOND}", f"<p>{FIRST} Yes.<p>{SECOND} No.", "Two paragraphs changed"),
        (f"<p>{FIRST}", f"<p>{FIRST}<p>{SECOND}", "One paragraph is new"),
        (f"<p>{FIRST}<p>{SECOND}", f"<p>{FIRST}", "One paragraph is gone"),
        (f"<p>{FIRST}<ul>{ITEMS}</ul>", f"<p>{FIRST}<ul>{ITEMS}<li>A third came home.</ul>", "One list item is new"),
        (f"<p>{FIRST}", f"<p>{FIRST}<div><p>{SECOND}<p>{SECOND}</div>", "One section is new"),
        (f"<p>{FIRST}<p>{SECOND}", f"<p>{SECOND}<p>{FIRST}", "One paragraph moved"),
        (f"<p>{FIRST}<div><img src=a.png></div>", f"<p>{FIRST}<div><img src=b.png></div>", "One picture changed"),
        ("<p><a href=a>Harbour</a>", "<p><a href=b>Harbour</a>", "One link leads elsewhere"),
        (f"<h2>Harbour then</h2><p>{FIRST}", f"<h2>Harbour now</h2><p>{FIRST} Yes.",
         "One heading and one paragraph changed"),
    ],
)  # fmt: skip
def test_parts_are_counted_and_named(old: str, new: str, said: str) -> None:
    assert dehusk.diff(f"<body>{old}", f"<body>{new}").headline == said


def test_many_parts_are_figures() -> None:
    old, new = ("".join(f"<p>{FIRST} {n} {word}" for n in range(1500)) for word in ("then", "now"))
    assert dehusk.diff(old, new).headline == "1,500 paragraphs changed"


def test_the_husk_comes_after_the_content() -> None:
    assert sentence(["two paragraphs changed"], ["the menu"]) == (
        "Two paragraphs of the content changed; the menu did too"
    )
    assert sentence(["one list is new", "one link leads elsewhere"], ["the menu", "one date"]) == (
        "One list of the content is new, and one link leads elsewhere; the menu and one date changed, too"
    )
    assert sentence([], ["the menu", "two dates", "one counter"]) == (
        "Only the husk changed: the menu, two dates and one counter"
    )
    assert sentence([], ["the husk"]) == "Only the husk changed"
