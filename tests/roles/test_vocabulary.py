"""What names, phrases and addresses speak of."""

import pytest

from dehusk.roles import Role
from dehusk.roles._vocabulary import NAMES, TARGETS, roles_named, shape_of, target_named

ROLES = list(Role)


@pytest.mark.parametrize(
    ("names", "spoken_of"),
    [
        ("siteLogo", {Role.MASTHEAD}),
        ("main-nav", {Role.NAVIGATION}),
        ("wm-nav", {Role.NOTICE}),
        ("advertBox", {Role.ADVERTISEMENT}),
        ("ad x", {Role.ADVERTISEMENT}),
        ("adx", set()),
        ("comment-form", {Role.FORM, Role.COMMENT}),
        ("comment-body", {Role.COMMENT}),
        ("post_title3", {Role.TITLE, Role.POST}),
        ("hashtag", {Role.TAGS}),
        ("unrelated", set()),
        ("", set()),
    ],
)
def test_a_name_speaks_of_roles_by_how_its_words_begin(names: str, spoken_of: set[Role]) -> None:
    assert {NAMES[number] for number in roles_named(names)} & set(Role) == spoken_of


@pytest.mark.parametrize(
    ("text", "spoken_of"),
    [
        ("Anzeige", [Role.ADVERTISEMENT]),
        ("(Anzeige", [Role.ADVERTISEMENT]),
        ("Home", [Role.NAVIGATION]),
        ("Home and garden", []),
        ("\xab Older posts", [Role.NAVIGATION]),
        ("\u0420\u0415\u041a\u041b\u0410\u041c\u0410", [Role.ADVERTISEMENT]),
        ("\u017fkip", [Role.NAVIGATION]),
        ("12 comments", [Role.COMMENT]),
        ("Our news as RSS", [Role.TOOLS]),
        ("E-mail:", [Role.FORM]),
        ("\xa9 2024", [Role.LEGAL]),
        ("The tide", []),
        ("...", []),
    ],
)
def test_a_short_text_speaks_of_roles_by_how_it_begins(text: str, spoken_of: list[Role]) -> None:
    assert [ROLES[number] for number in shape_of(text).said] == spoken_of


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("/", {"home"}),
        ("https://a.example/index.html", {"home"}),
        ("https://a.example/tag/sea", {"tag"}),
        ("/2024/05/the-tide", {"article"}),
        ("/the-tide-came-in", {"article"}),
        ("/login?next=12345", {"account", "article"}),
    ],
)
def test_an_address_is_of_what_its_words_say(address: str, named: set[str]) -> None:
    assert {name for number, name in enumerate(TARGETS) if target_named(address) >> number & 1} == named
