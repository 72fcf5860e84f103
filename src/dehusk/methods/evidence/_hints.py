"""What the ids, classes and roles of elements hint at: navigation, comments, a record and more."""

from collections.abc import Iterator, Mapping

from dehusk.kernels.naming import Vocabulary, Word

# The vocabulary of HTML and ARIA, and common words in ids and classes; none of a particular generator or theme.
HINTS: Mapping[str, str] = {
    "navigation": "nav menu crumb pager paginat toolbar tabs <toc> contents @directory",
    "frame": "footer <foot header> masthead sidebar side> banner @contentinfo @complementary copyright",
    "comments": "comment reply> replies> respond response> responses> discuss",
    "promotion": (
        "relat!iv promo <ad> <ads> advert sponsor share sharing social recommend popular recent latest newsletter "
        "subscri widget teaser similar also more> login search signup"
    ),
    "about": "meta byline author date time tag categor info credit caption",
    "content": "content article body main story post> entry text @main",
    "record": "product item detail spec price descr title name summary fact attribute propert rating review",
    "hidden": "hidden sr-only visually screen-reader <d-none> collapse> invisible <hide> offscreen",
    "consent": "cookie consent gdpr privacy modal popup overlay dialog alert notice",
    "post": "post message thread topic <msg",
    "user": "user avatar poster profile member signature <sig> rank",
    "card": "card tile grid <list result <row> <col> loop feed gallery carousel slid",
    "lead": "hero intro lead deck dek standfirst subtitle excerpt headline",
    "section": "section block container feature faq accordion panel tab> testimon",
    "shop": "cart buy shop price wishlist checkout variant option filter sort facet",
    "legal": "legal terms disclaim copyright contact address language lang> locale",
}
"""Kinds of names, with the words that show them anywhere in a name.

`<` and `>` mean that a word begins or ends there; `relat!iv` is `relat` without `iv` after it; `@` begins a role.
"""


def _words() -> Iterator[Word]:
    for number, words in enumerate(HINTS.values()):
        for written in words.split():
            word, _, other = written.partition("!")
            yield word.strip("<>"), 1 << number, word.startswith("<"), word.endswith(">"), other


_VOCABULARY = Vocabulary(_words())


def hints_of(names: str) -> int:
    """Returns the kinds of names that some tokens have, as bits."""
    return _VOCABULARY.kinds(names.lower())


def bits(*kinds: str) -> int:
    """Returns these kinds as bits."""
    return sum(1 << list(HINTS).index(kind) for kind in kinds)
