"""Prints how well questions find chunks, and pieces of plain text of the same size:  python experiments/chunks.py DATA

DATA has the layout of bench.evaluation.datasets. The first ten manuals by name are cleaned. A question is the first
sentence of a section of the main content, as the gold selects it; it is removed from all indexes. A piece is a hit if
it has the second sentence of the section. Okapi BM25 ranks the pieces of all ten manuals together. Plain text is cut
every so many letters, at the end of a word, so that the mean size of its pieces is that of the chunks. The path of
headings is indexed with each chunk, as retrieval does; `text alone` leaves it out. Raw pages are cut like plain text,
without cleaning. Needs dehusk[bench].
"""

import argparse
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import dehusk
from dehusk import render
from dehusk.base import fields
from dehusk.base.tree import letters
from dehusk.page import Page
from dehusk.page.elements import html_of

MANUALS = 10
QUESTIONS = 300
SEED = 1
SAMPLE = 24
SHORT = 40
"""Sentences with fewer letters are no questions: many pages have them."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_HEADING = re.compile(r"(?=<h[1-6][\s>])")
_WORD = re.compile(r"\w+")


class Question(NamedTuple):
    """The first sentence of a section, and its second, which a hit has."""

    asked: str
    sought: str


class Piece(NamedTuple):
    """A piece of a page: what is indexed with it, and its text."""

    above: str
    text: str


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--size", type=int, default=1500, help="maximum letters of a chunk")
    options = parser.parse_args()
    chunks: list[Piece] = []
    texts: list[str] = []
    raw: list[str] = []
    questions: list[Question] = []
    for folder in manuals(options.data):
        pages = [Page(file.read_bytes(), name=file.name) for file in sorted((folder / "pages").rglob("*.htm*"))]
        template = dehusk.learn(pages[:SAMPLE])
        selector = fields.parsed((folder / "site.json").read_text("utf-8"))["content_selector"]
        for page in pages:
            cleaned = template.clean(page)
            chunks += [Piece(chunk.path, chunk.text) for chunk in cleaned.chunks(options.size)]
            texts.append(cleaned.text)
            raw.append(render.text(page, []))
            questions += asked_of(page, selector)
    chunks = list(dict.fromkeys(chunks))
    flat = [" ".join(text.split()) for text in texts]
    once = [question for question in questions if sum(question.asked in text for text in flat) == 1]
    chosen = random.Random(SEED).sample(sorted(set(once)), min(QUESTIONS, len(set(once))))
    mean = sum(letters(piece.text) for piece in chunks) / len(chunks)
    print(f"{MANUALS} manuals, {len(texts)} pages, {len(chosen)} questions; mean size of a chunk {mean:.0f} letters")
    print(f"{'pieces':<22}{'number':>8}{'letters':>11}{'hits at 1':>11}{'hits at 5':>11}")
    for name, pieces in (
        ("chunks", chunks),
        ("chunks, text alone", [Piece("", piece.text) for piece in chunks]),
        ("plain text", [Piece("", text) for text in split(without(texts, chosen), mean)]),
        ("raw pages", [Piece("", text) for text in split(without(raw, chosen), mean)]),
    ):
        first, five, size = hits(pieces, chosen)
        print(f"{name:<22}{len(pieces):>8,}{size:>11,}{first:>11.3f}{five:>11.3f}")


def manuals(data: Path) -> Sequence[Path]:
    """Returns the folders of the first manuals."""
    return [folder for folder in sorted((data / "manuals").iterdir()) if (folder / "site.json").exists()][:MANUALS]


def asked_of(page: Page, selector: str) -> Iterator[Question]:
    """Yields a question for each section of the main content that has two sentences or more."""
    html = "".join(map(html_of, page.select(selector)))
    for section in _HEADING.split(html)[1:]:
        text = render.text(Page(section), [])
        body = " ".join(text.partition("\n\n")[2].split())  # without the heading
        sentences = [one for one in _SENTENCE.split(body) if letters(one) >= SHORT]
        if len(sentences) > 1:
            yield Question(*sentences[:2])


def without(texts: Iterable[str], questions: Sequence[Question]) -> list[str]:
    """Returns texts on one line, without the questions."""
    flat = [" ".join(text.split()) for text in texts]
    for question in questions:
        flat = [text.replace(question.asked, " ") for text in flat]
    return flat


def split(texts: Iterable[str], mean: float) -> list[str]:
    """Cuts texts into pieces of about so many letters."""
    pieces = []
    for text in texts:
        words: list[str] = []
        held = 0
        for word in text.split():
            words.append(word)
            held += len(word)
            if held >= mean:
                pieces.append(" ".join(words))
                words, held = [], 0
        if words:
            pieces.append(" ".join(words))
    return pieces


def hits(pieces: Sequence[Piece], questions: Sequence[Question]) -> tuple[float, float, int]:
    """Returns the shares of questions with a hit at 1 and among the best five, and the letters in the index."""
    bm25s: Any = import_module("bm25s")
    flat = [" ".join(piece.text.split()) for piece in pieces]
    index = bm25s.BM25(method="robertson")
    unasked = [f"{piece.above} {text}" for piece, text in zip(pieces, without(flat, questions), strict=True)]
    index.index([_WORD.findall(text.lower()) for text in unasked], show_progress=False)
    first = five = 0
    for question in questions:
        found, _ = index.retrieve([_WORD.findall(question.asked.lower())], k=5, show_progress=False)
        ranks = [rank for rank, number in enumerate(found[0]) if question.sought in flat[number]]
        first += bool(ranks) and ranks[0] == 0
        five += bool(ranks)
    return first / len(questions), five / len(questions), sum(map(letters, unasked))


if __name__ == "__main__":
    main()
