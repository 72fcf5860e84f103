"""Logos above the title and buttons: removed from the content; what only looks like them stays."""

import pytest

import dehusk
from dehusk.marking._leftovers import leftovers
from dehusk.page import Page

PROSE = (
    "<p>A strong rope of ten metres for boats that stay in the harbour all winter, made of hemp by people here.</p>"
    "<p>It does not float, so tie it well before you let it go, and dry it in the sun when the boats are on land.</p>"
)


def left(html: str, kind: str = "product") -> list[str]:
    """The ids of the removed elements."""
    page = Page(html, url="https://harbour.example/rope")
    return [str(node.attr("id")) for node in leftovers(page, [], kind)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "picture",
    [
        "<a id=x href=/><img src=a.png alt=Harbour></a>",
        "<a id=x href=https://harbour.example><img src=a.png></a>",
        "<a id=x href=/index.html><picture><img src=a.png></picture></a>",
        "<a id=x href=/shop/start><img src=/img/harbour-logo.svg></a>",
        "<a id=x href=/shop class=logo><img src=a.png></a>",
        "<img id=x src=a.png alt='Harbour logo'>",
        "<a href=/>Harbour <img id=x src=a.png></a>",
        "<h1><a id=x href=/><img src=a.png alt=Harbour></a></h1>",
    ],
)
def test_a_logo_above_the_title_is_left_out(picture: str) -> None:
    assert left(f"<div>{picture}</div><h1>Blue rope</h1>{PROSE}") == ["x"]


@pytest.mark.parametrize(
    "html",
    [
        "<a id=x href=/gallery/7><img src=a.png></a><h1>Blue rope</h1>",
        "<img id=x src=a.png alt='Boats on land'><h1>Blue rope</h1>",
        "<h1>Blue rope</h1><img id=x src=/img/old-logo.svg alt='The logo of 1950'>",
        "<p>The sign of the town:</p><a id=x href=/><img src=a.png></a>",
        "<img id=x src=/catalogo/blogout.png><h1>Blue rope</h1>",
    ],
)
def test_other_pictures_and_those_below_the_title_stay(html: str) -> None:
    assert left(html + PROSE) == []


@pytest.mark.parametrize(
    "button",
    [
        "<button id=x>Add to basket</button>",
        "<button id=x> Buy \n now </button>",
        "<div id=x role=button>Share</div>",
        "<button id=x>Filter</button>",
        "<a id=x href=/cart/add?rope=7>Add to cart</a>",
        "<a id=x class=to-basket href=/7>Buy now</a>",
    ],
)
def test_a_button_that_says_what_to_do_is_left_out(button: str) -> None:
    assert left(f"<h1>Blue rope</h1>{PROSE}{button}") == ["x"]


@pytest.mark.parametrize(
    "button",
    [
        "<button id=x aria-expanded=false>Share of the catch</button>",
        "<button id=x>How long is it?</button>",
        "<button id=x>Share the boat with others, " + "and the nets, " * 9 + "</button>",
        "<a id=x href=/cart>What is a cart?</a>",
        "<a id=x href=/share>Share</a>",
        "<p id=x>Add to basket</p>",
    ],
)
def test_questions_cards_links_and_text_are_no_buttons(button: str) -> None:
    assert left(f"<h1>Blue rope</h1>{PROSE}{button}") == []


def test_the_content_has_no_logo_and_no_buttons_and_the_reasons_say_so() -> None:
    html = (
        "<title>Blue rope</title><main><a href=/><img src=logo.png alt=Harbour></a><h1>Blue rope</h1>"
        f"{PROSE}<button>Add to basket</button><button>Share</button><button aria-expanded=false>Shipping</button>"
        "<p>We ship within two days.</p><p>Length: 10 m. Width: 12 mm. Colour: blue. Weight: 800 g.</p></main>"
    )
    cleaned = dehusk.clean(html, url="https://harbour.example/rope")
    assert cleaned.markdown.startswith("# Blue rope")
    assert "basket" not in cleaned.text
    assert "logo.png" not in cleaned.html
    reasons = {part.text: part.reason for part in cleaned.removed}
    assert reasons == dict.fromkeys(["Add to basket", "Share"], "tools, a button, logo or crumb")


def test_an_edit_keeps_a_button() -> None:
    html = f"<title>Blue rope</title><main><h1>Blue rope</h1>{PROSE}<button>Add to basket</button>{PROSE}</main>"
    assert "Add to basket" not in dehusk.clean(html).text
    template = dehusk.learn([html]).edited(dehusk.Edit.new("body > main > button", keep=True))
    assert "Add to basket" in template.clean(html).text


def test_a_page_of_nothing_but_buttons_keeps_them() -> None:
    assert "Add to basket" in dehusk.clean("<main><button>Add to basket</button></main>").text


@pytest.mark.parametrize("tag", ["nav class=page-breadcrumbs", "nav aria-label=Breadcrumb"])
def test_what_is_left_of_breadcrumbs_is_left_out(tag: str) -> None:
    assert left(f"<{tag} id=x>&gt; &gt; Blue rope</{tag.split(maxsplit=1)[0]}><h1>Blue rope</h1>{PROSE}") == ["x"]


def test_an_element_called_breadcrumbs_that_holds_the_title_stays() -> None:
    assert left(f"<nav id=x class=breadcrumbs><h1>Blue rope</h1></nav>{PROSE}") == []


def test_the_text_of_an_article_has_no_breadcrumbs() -> None:
    html = (
        "<title>Blue rope</title><main><nav class=breadcrumbs><a href=/>Harbour</a> &gt; <a href=/r>Ropes</a> &gt; "
        f"Blue rope</nav><h1>Blue rope</h1>{PROSE}</main>"
    )
    assert dehusk.clean(html, writing=dehusk.Writing(article_body=True)).text.startswith("A strong rope")


def test_links_are_buttons_only_where_something_is_sold() -> None:
    html = f"<h1>Blue rope</h1>{PROSE}<a id=x href=/cart/add>Add to cart</a>"
    assert (left(html), left(html, "article")) == (["x"], [])
