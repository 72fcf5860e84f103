"""Chunks of cleaned pages."""

import pytest

import dehusk
from dehusk.roles import Role

HTML = """<html><head><title>The Manual - Example</title></head><body>
<nav><a href=/>Home</a> <a href=/all>All pages</a></nav>
<main><h1>The Manual</h1><p>All about pictures and how to change them with our tools, in a few steps.</p>
<h2 id=blur>Blur</h2><p>Blur makes the edges of a picture soft. It has one slider, which goes from zero to ten.</p>
<pre>blur --radius 3 picture.png
blur --radius 5 another.png</pre></main></body></html>"""
SIZE = 130
URL = "https://docs.example/manual.html"


@pytest.fixture(scope="module")
def chunks() -> list[dehusk.Chunk]:
    return dehusk.clean(HTML, url=URL).chunks(SIZE)


def test_a_chunk_has_the_path_and_the_address_of_its_section(chunks: list[dehusk.Chunk]) -> None:
    assert [(chunk.position, chunk.path, chunk.url) for chunk in chunks] == [
        (0, "The Manual", URL),
        (1, "The Manual > Blur", f"{URL}#blur"),
    ]
    assert {chunk.title for chunk in chunks} == {"The Manual"}
    assert {chunk.page for chunk in chunks} == {URL}
    assert {chunk.pages for chunk in chunks} == {(URL,)}


def test_a_chunk_has_the_role_of_most_of_its_text(chunks: list[dehusk.Chunk]) -> None:
    assert [chunk.role for chunk in chunks] == [Role.BODY, Role.BODY]


def test_the_template_is_in_no_chunk(chunks: list[dehusk.Chunk]) -> None:
    assert not any("All pages" in chunk.text for chunk in chunks)


def test_the_id_depends_on_the_content_alone(chunks: list[dehusk.Chunk]) -> None:
    again = dehusk.clean(HTML.replace("<h1>", "<h1 class=new>"), url="https://other.example/").chunks(SIZE)
    assert [chunk.id for chunk in again] == [chunk.id for chunk in chunks]
    other = dehusk.clean(HTML.replace("ten.", "twelve."), url=URL).chunks(SIZE)
    assert [chunk.id == was.id for chunk, was in zip(other, chunks, strict=True)] == [True, False]


def test_the_size_counts_letters_and_tokens_roughly(chunks: list[dehusk.Chunk]) -> None:
    assert chunks[0].size == len("".join(chunks[0].text.split()))
    assert 15 < chunks[0].tokens < 35


def test_a_size_that_is_no_number_is_refused() -> None:
    with pytest.raises(dehusk.UsageError, match="chunk_size=0: give a whole number, 1 or more"):
        dehusk.clean(HTML).chunks(0)


def test_a_page_without_a_url_gets_the_base_that_was_given() -> None:
    page = dehusk.Page(HTML, name="manual.html")
    template = dehusk.learn([page])
    assert template.clean(page).chunks()[0].url is None
    based = template.clean(page, writing=dehusk.Writing(base_url="https://docs.example/"))
    assert based.chunks(SIZE)[1].url == f"{URL}#blur"


@pytest.mark.parametrize("heading", ["<h1 id={long}>Head</h1>", "<h1>{long}</h1>"])
def test_chunks_take_a_small_multiple_of_the_page(heading: str) -> None:
    html = heading.format(long="x" * 20_000) + f"<p>{'letters ' * 20}</p>" * 500
    chunks = dehusk.clean(html, url=URL).chunks()
    assert len(chunks) > 40
    assert sum(len(str(chunk.to_dict())) for chunk in chunks) < 4 * len(html)
