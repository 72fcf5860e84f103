"""The content of a page in pieces."""

import re

import pytest

from dehusk import render
from dehusk.page import Page
from dehusk.render import Chunked, _chunks

MANUAL = """<body><h1>Manual</h1><p>All about pictures.</p>
<section id="tools"><h2>Tools</h2>
<h3 id="blur">Blur</h3><p>Blur makes edges soft. It has one slider.</p>
<h3><a name="crop"></a>Crop</h3><p>Crop cuts a picture.</p></section>
<h2>Formats</h2><table><tr><th>Name</th><th>Bits</th></tr>
<tr><td>first</td><td>8</td></tr><tr><td>second</td><td>16</td></tr><tr><td>third</td><td>32</td></tr></table></body>"""


def chunked(html: str, size: int = 500, *, markdown: bool = False) -> list[Chunked]:
    return render.chunked(Page(f"<html>{html}</html>"), [], size, markdown=markdown)


def test_headings_begin_pieces_and_give_their_path_and_anchor() -> None:
    pieces = [(piece.headings, piece.anchor, piece.text.split("\n")[0]) for piece in chunked(MANUAL, 50)]
    assert pieces == [
        (("Manual",), "", "Manual"),
        (("Manual", "Tools", "Blur"), "blur", "Tools"),
        (("Manual", "Tools", "Crop"), "crop", "Crop"),
        (("Manual", "Formats"), "crop", "Formats"),
    ]


def test_a_heading_without_text_goes_with_the_next_one() -> None:
    assert chunked(MANUAL, 50)[1].text.startswith("Tools\n\nBlur\n\nBlur makes")


def test_small_sections_go_together_under_the_headings_that_they_share() -> None:
    (piece,) = chunked(MANUAL)
    assert piece.headings == ("Manual",)
    both = "<h2>Tools</h2><h3>Blur</h3><p>It is soft.</p><h3>Crop</h3><p>It cuts.</p>"
    first, second = chunked(f"<body>{both}<h2>Formats</h2><p>{'There are many formats. ' * 2}</p></body>", 60)
    assert (first.headings, second.headings) == (("Tools",), ("Formats",))


def test_the_section_that_a_heading_begins_gives_its_anchor() -> None:
    (piece,) = chunked('<body><div id="intro"><h2>Intro</h2><p>Text of it.</p></div></body>')
    assert piece.anchor == "intro"


def test_pieces_have_at_most_the_size_and_lose_nothing() -> None:
    words = " ".join(f"Sentence number {number} of a long paragraph." for number in range(60))
    html = f"<body><h2>Long</h2><p>{words}</p><p>{words}</p><p>End.</p></body>"
    pieces = chunked(html, 200)
    assert all(len(re.sub(r"\s", "", piece.plain)) <= 200 for piece in pieces)
    assert " ".join(" ".join(piece.text for piece in pieces).split()) == f"Long {words} {words} End."
    assert all(piece.text.endswith(".") for piece in pieces)


def test_a_cut_table_repeats_its_head() -> None:
    tables = [piece.text for piece in chunked(MANUAL, 20, markdown=True) if "|" in piece.text]
    assert len(tables) == 3
    assert all(table.split("\n")[-3:-1] == ["| Name | Bits |", "| --- | --- |"] for table in tables)


def test_a_cut_list_goes_on_with_its_numbers_and_keeps_its_items_whole() -> None:
    items = "".join(f"<li>Step {number} is to turn the wheel slowly.</li>" for number in range(1, 7))
    texts = [piece.text for piece in chunked(f"<body><ol>{items}</ol></body>", 80, markdown=True)]
    assert [text[:2] for text in texts] == ["1.", "3.", "5."]
    assert "".join(f"{text}\n" for text in texts).count("slowly.\n") == 6
    plain = [piece.text for piece in chunked(f"<body><ol>{items}</ol></body>", 80)]
    assert [text[:2] for text in plain] == ["1.", "3.", "5."]


def test_code_is_cut_only_if_it_is_too_large_and_between_lines() -> None:
    code = "\n".join(f"print({number}, 'a line of code')" for number in range(20))
    (whole,) = chunked(f"<body><pre>{code}</pre></body>", 2000, markdown=True)
    assert whole.text == f"```\n{code}\n```"
    parts = [piece.text for piece in chunked(f"<body><pre>{code}</pre></body>", 100, markdown=True)]
    assert len(parts) > 1
    assert all(part.startswith("```\n") and part.endswith("\n```") for part in parts)
    assert "\n".join(part[4:-4] for part in parts) == code


@pytest.mark.parametrize("text", ["字" * 50, "x" * 50, "word " * 10], ids=["chinese", "one word", "words"])
def test_a_sentence_larger_than_the_size_is_cut(text: str) -> None:
    pieces = [piece.text for piece in chunked(f"<body><p>{text}</p></body>", 20)]
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(len("".join(piece.split())) <= 20 for piece in pieces)


def test_a_page_without_text_has_no_pieces() -> None:
    assert chunked("<body><p> </p></body>") == []


def test_chunks_in_markdown_have_links() -> None:
    (piece,) = chunked('<body><p>See <a href="https://e.example/x">there</a>.</p></body>', markdown=True)
    assert piece.text == "See [there](https://e.example/x)."
    assert piece.plain == "See there."


@pytest.mark.parametrize("text", ["w" * 40_000, "It is. " * 6_000])
def test_the_letters_of_a_long_text_are_counted_a_few_times(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def letters(text: str) -> int:
        counted.append(len(text))
        return len(text) - text.count(" ")

    monkeypatch.setattr(_chunks, "letters", letters)
    assert "".join("".join(_chunks.packed_sentences(text, 100)).split()) == "".join(text.split())
    assert sum(counted) <= 2 * len(text)


def test_thousands_of_headings_go_with_the_text_below() -> None:
    pieces = chunked("<h2>Heading</h2>" * 3_000 + "<p>Text</p>")
    assert sum(piece.plain.count("Heading") for piece in pieces) == 3_000
    assert pieces[-1].plain.endswith("Text")
