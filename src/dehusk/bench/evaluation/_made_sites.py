"""Generated sites, for measurements that need more pages than real sites in the data have.

The pages of a site share header, menu, side bar and footer; each has its own title, text, list and teasers.
"""

import random

from dehusk.page import Page

_SYLLABLES = ("ka", "lo", "mi", "ren", "tas", "vo", "shi", "bel", "dor", "una", "fe", "gri")
_VOCABULARY = 2000
_MENU = 24


def made_site(pages: int, seed: int = 0) -> list[Page]:
    """A site of this many pages, always the same for a seed."""
    draw = random.Random(seed)  # noqa: S311  # not for secrets
    words = ["".join(draw.choices(_SYLLABLES, k=draw.randint(1, 4))) for _ in range(_VOCABULARY)]
    menu = "".join(f"<li><a href='/{k}.html'>{' '.join(draw.choices(words, k=2))}</a></li>" for k in range(_MENU))
    foot = " ".join(draw.choices(words, k=30))
    return [_page(draw, words, menu, foot, number) for number in range(pages)]


def _page(draw: random.Random, words: list[str], menu: str, foot: str, number: int) -> Page:
    def said(least: int, most: int) -> str:
        return " ".join(draw.choices(words, k=draw.randint(least, most)))

    paragraphs = "".join(f"<p>{said(20, 80)}.</p>" for _ in range(draw.randint(3, 12)))
    items = "".join(f"<li>{said(2, 6)}</li>" for _ in range(draw.randint(0, 8)))
    rows = "".join(f"<tr><td>{said(1, 2)}</td><td>{said(1, 3)}</td></tr>" for _ in range(draw.randint(0, 6)))
    teasers = "".join(
        f"<div class=card><a href='/{draw.randrange(1000)}.html'><b>{said(2, 5)}</b></a><p>{said(8, 15)}</p></div>"
        for _ in range(4)
    )
    html = (
        f"<html><head><title>{said(3, 6)}</title></head><body><header><h2>A made site</h2><ul class=menu>{menu}</ul>"
        f"</header><div class=wrap><main><h1>{said(3, 6)}</h1>{paragraphs}<ul>{items}</ul><table>{rows}</table></main>"
        f"<aside><h3>More</h3>{teasers}</aside></div><footer><p>{foot}</p></footer></body></html>"
    )
    return Page(html, url=f"https://made.example/{number}.html", name=f"{number}.html")
