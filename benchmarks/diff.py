"""Prints the time of comparing two versions of a large page that changed everywhere:  python benchmarks/diff.py

Each page is made by this script. The time includes parsing both versions, and writing the new one with all changes
marked (HTML) or the list of changes (JSON). The best of a few rounds counts.
"""

import argparse
import random
from collections.abc import Callable, Mapping
from time import process_time

import dehusk

MEGABYTE = 1_000_000
Words = Callable[[], str]
Piece = Callable[[Words, random.Random], tuple[str, str]]
"""Makes one part of a page in its old and its new version."""


def _one_word(words: Words, chance: random.Random) -> tuple[str, str]:
    """A paragraph of 40 words, one of which is another one now."""
    line = [words() for _ in range(40)]
    place = chance.randrange(len(line))
    return f"<p>{' '.join(line)}</p>\n", f"<p>{' '.join([*line[:place], words(), *line[place + 1 :]])}</p>\n"


def _each_third(words: Words, _: random.Random) -> tuple[str, str]:
    """A paragraph of 40 words, of which each third is another one now."""
    line = [words() for _ in range(40)]
    now = [word if place % 3 else words() for place, word in enumerate(line)]
    return f"<p>{' '.join(line)}</p>\n", f"<p>{' '.join(now)}</p>\n"


def _all_words(words: Words, _: random.Random) -> tuple[str, str]:
    """A paragraph of 40 words, all of them new."""
    old, new = (" ".join(words() for _ in range(40)) for _ in range(2))
    return f"<p>{old}</p>\n", f"<p>{new}</p>\n"


def _item(words: Words, chance: random.Random) -> tuple[str, str]:
    """An item of a list with a new price."""
    name = f"{words()} {words()}"
    old, new = (f"<li>{name} €{chance.randrange(9999) / 100:.2f}</li>\n" for _ in range(2))
    return old, new


def _row(words: Words, chance: random.Random) -> tuple[str, str]:
    """A row of a table, with two of four cells changed."""
    name, kind = words(), words()
    row = "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n"
    old, new = (row.format(name, chance.randrange(999), kind, chance.randrange(999)) for _ in range(2))
    return old, new


def _link(words: Words, _: random.Random) -> tuple[str, str]:
    """A link that leads elsewhere now."""
    name = f"{words()} {words()}"
    old, new = (f'<p><a href="/{words()}">{name}</a></p>\n' for _ in range(2))
    return old, new


def _text(words: Words, _: random.Random) -> tuple[str, str]:
    """Words of one long text, one of six another one now."""
    line = [words() for _ in range(6)]
    return " ".join(line) + " ", " ".join([*line[:5], words()]) + " "


def _gone(words: Words, _: random.Random) -> tuple[str, str]:
    """Two paragraphs; between them one was removed."""
    kept, gone = (" ".join(words() for _ in range(20)) for _ in range(2))
    return f"<p>{kept}</p>\n<p>{gone}</p>\n", f"<p>{kept}</p>\n"


PIECES: Mapping[str, Piece] = {
    "one word of each paragraph": _one_word,
    "each third word": _each_third,
    "all words": _all_words,
    "each item of a list": _item,
    "half of the cells of a table": _row,
    "each link": _link,
    "one text, each sixth word": _text,
    "each second paragraph removed": _gone,
}
_AROUND: Mapping[Piece, tuple[str, str]] = {
    _item: ("<ul>", "</ul>"),
    _row: ("<table>", "</table>"),
    _text: ("<p>", "</p>"),
}


def versions(piece: Piece, size: int, vocabulary: int) -> tuple[str, str]:
    """Two versions of a page of about `size` bytes, with words from a vocabulary of this size."""
    chance = random.Random(7)
    known = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 10))) for _ in range(vocabulary)]
    start, end = _AROUND.get(piece, ("", ""))
    olds, news, length = [], [], 0
    while length < size:
        old, new = piece(lambda: chance.choice(known), chance)
        olds.append(old)
        news.append(new)
        length += len(old)
    return f"<body><main>{start}{''.join(olds)}{end}</main>", f"<body><main>{start}{''.join(news)}{end}</main>"


def seconds(old: str, new: str, output: str, rounds: int) -> float:
    """The least processor time to compare two versions and to write the changes as "html" or "json"."""
    best = float("inf")
    for _ in range(rounds):
        start = process_time()
        getattr(dehusk.diff(old.encode(), new.encode()), output)
        best = min(best, process_time() - start)
    return best


def main() -> None:
    """Prints a line for each page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=MEGABYTE, help="bytes of each version (%(default)s)")
    parser.add_argument("--words", type=int, default=20_000, help="number of different words (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts (%(default)s)")
    parser.add_argument("--only", default="", metavar="NAME", help="only pages with this in their name")
    options = parser.parse_args()
    print(f"{'changed':32} {'changes':>8} {'HTML':>8} {'JSON':>8}")
    for name, piece in PIECES.items():
        if options.only not in name:
            continue
        old, new = versions(piece, options.size, options.words)
        changes = len(dehusk.diff(old, new).changes)
        html, json = (seconds(old, new, output, options.rounds) for output in ("html", "json"))
        print(f"{name:32} {changes:8,} {html:7.2f}s {json:7.2f}s", flush=True)


if __name__ == "__main__":
    main()
