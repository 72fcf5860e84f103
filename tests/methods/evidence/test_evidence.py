"""The default method: verdicts on regions, from site and page evidence."""

import json
from typing import Any

import pytest

import demo_site
from dehusk.base.errors import UsageError
from dehusk.marking.marking import Marking
from dehusk.methods import METHODS, evidence
from dehusk.methods.evidence.model import model_of
from dehusk.methods.evidence.second_look import PAGE_KINDS
from dehusk.methods.evidence.verdicts import Evidence
from dehusk.page import Page

PAGES = demo_site.pages()
SHOP = {name: html for name, html in PAGES.items() if name.startswith("shop/")}
BLOG = {name: html for name, html in PAGES.items() if name.startswith("blog/")}
NO_KINDS: dict[str, Any] = {kind: {"features": [], "base": 0.0, "trees": []} for kind in PAGE_KINDS}


def weights(base: float, *trees: list[list[float]], features: tuple[str, ...] = ("heading",)) -> dict[str, Any]:
    """Weights whose second pass repeats the first."""
    passed = {"features": list(features), "base": base, "trees": list(trees)}
    return {"format": 3, "first": passed, "second": passed, "kinds": NO_KINDS}


# Three models: everything is template; everything is content; texts that no other page has are content.
NOTHING, EVERYTHING = weights(-5.0), weights(5.0)
DOUBTFUL = weights(0.0, [[0, 0.5, 1, 2, 1], [-5.0], [5.0]], features=("direct.own",))


def learned(pages: dict[str, str], **options: Any) -> Evidence:
    rules = evidence.learn([Page(html, name=name) for name, html in sorted(pages.items())], **options).rules
    assert isinstance(rules, Evidence)
    return rules


def kept(rules: Evidence, html: str) -> str:
    marking = Marking(Page(html), rules.mark(Page(html)))
    texts = zip(marking.page.tree.text, marking.flags, strict=True)
    return " ".join(text for text, gone in texts if text and not gone)


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("name", BLOG)
def test_posts_in_five_scripts_keep_their_text_and_lose_the_template(name: str) -> None:
    text = squeezed(kept(learned(BLOG), BLOG[name]))
    paragraphs = [line for line in demo_site.kernel(name).splitlines() if line.strip()]
    found = sum(squeezed(line) in text for line in paragraphs)
    assert found >= 0.9 * len(paragraphs)
    assert "Frontpage" not in text
    assert "founded1911" not in text


@pytest.mark.parametrize("name", SHOP)
def test_products_keep_their_fields_and_lose_menus_and_footers(name: str) -> None:
    text = kept(learned(SHOP), SHOP[name])
    page = Page(SHOP[name]).tree
    heading = page.text[page.tag.index("h1") + 1]
    assert heading in text
    assert "Journal" not in text
    assert "Privacy" not in text


def test_the_same_pages_give_the_same_rules() -> None:
    assert json.dumps(learned(SHOP).to_json()) == json.dumps(learned(SHOP).to_json())


@pytest.mark.parametrize("options", [{}, {"grain": "nodes", "favor": "recall"}])
def test_loaded_rules_mark_the_same(options: dict[str, Any]) -> None:
    rules = learned(dict(list(SHOP.items())[:6]), **options)
    again = evidence.load(json.loads(json.dumps(rules.to_json())))
    assert again.to_json() == rules.to_json()
    for html in [*PAGES.values(), "<p>elsewhere", ""]:
        marks, others = rules.mark(Page(html)), again.mark(Page(html))
        assert marks.flags == others.flags
        assert [marks.reason(node) for node in range(len(marks.flags))] == [
            others.reason(node) for node in range(len(others.flags))
        ]


def test_a_single_page_is_judged_by_itself_with_a_warning() -> None:
    name, html = next(iter(BLOG.items()))
    rules = learned({name: html})
    marks = rules.mark(Page(html))
    assert "one page" in marks.warnings[0]
    text = squeezed(kept(rules, html))
    assert squeezed(demo_site.kernel(name).splitlines()[-1]) in text
    assert len(text) < len(squeezed(" ".join(Page(html).tree.text)))


def test_a_menu_that_only_a_new_page_has_is_judged_by_the_page() -> None:
    links = "".join(f'<li><a href="/{k}">Offer {k}</a></li>' for k in range(12))
    name, html = next(iter(SHOP.items()))
    strange = html.replace("<footer", f'<nav class="brand-new"><ul>{links}</ul></nav><footer', 1)
    others = {other: page for other, page in SHOP.items() if other != name}
    marking = Marking(Page(strange), learned(others).mark(Page(strange)))
    removed = {region.text: region.reason for region in marking.removed}
    reason = next(reason for text, reason in removed.items() if "Offer 3" in text)
    assert "this page alone" in reason


def test_reasons_name_pages_repetition_and_links() -> None:
    rules = learned(SHOP)
    page = Page(next(iter(SHOP.values())))
    reasons = [region.reason for region in Marking(page, rules.mark(page)).removed]
    assert any(f"on {len(SHOP)} of {len(SHOP)} pages, 100% repeated" in reason for reason in reasons)
    assert all("sure" in reason or "a button" in reason for reason in reasons)


def test_with_the_grain_nodes_labels_are_removed_too() -> None:
    html = next(iter(SHOP.values()))
    nodes = kept(learned(SHOP, grain="nodes"), html)
    assert "Specification" in html
    assert "Specification" not in nodes
    assert len(nodes) < len(kept(learned(SHOP), html))


def test_favoring_recall_keeps_no_less_and_precision_no_more() -> None:
    for pages in (SHOP, BLOG):
        few, some, many = (learned(pages, favor=favor) for favor in ("precision", None, "recall"))
        for html in list(pages.values())[:5]:
            assert len(kept(few, html)) <= len(kept(some, html)) <= len(kept(many, html))


def test_custom_weights_replace_the_shipped_ones() -> None:
    html = next(iter(SHOP.values()))
    assert not any(learned(SHOP, weights=EVERYTHING).mark(Page(html)).flags)
    alone = {"": html}  # with more pages, what is own to them is kept
    assert all(learned(alone, weights=NOTHING).mark(Page(html)).flags)
    assert all(learned(alone, weights=model_of(NOTHING)).mark(Page(html)).flags)


@pytest.mark.parametrize(
    "options",
    [
        {"grain": "letters"},
        {"favor": "speed"},
        {"weights": "a file"},
        {"weights": weights(0.0, features=("unheard of",))},
        {"weights": NOTHING | {"kinds": {}}},
        {"weights": NOTHING | {"format": 1}},
        {"weights": weights(0.0, [[0, 1, 0, 0, 0]])},
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        METHODS["evidence"].check(options)


def test_names_stay_with_the_values_that_they_name() -> None:
    html = "<dl><dt><b>Weight</b></dt><dd>{0} kg of {1}, all of it</dd></dl><footer><dl><dt>Phone</dt></dl></footer>"
    pages = {name: html.format(k, name) for k, name in enumerate(("iron", "wool", "sand", "salt"))}
    text = kept(learned(pages, weights=DOUBTFUL), pages["wool"])
    assert text == "Weight 1 kg of wool, all of it"


def test_the_kind_of_page_has_a_confidence() -> None:
    kinds = {kind: own | {"base": float(kind == "article")} for kind, own in NO_KINDS.items()}
    rules = learned(SHOP, weights=EVERYTHING | {"kinds": kinds})
    assert rules.kind is not None
    assert rules.kind[0] == "article"
    assert rules.kind[1] == pytest.approx(0.2797, abs=0.001)
    again = evidence.load(json.loads(json.dumps(rules.to_json())))
    page = Page(next(iter(SHOP.values())))
    assert again.mark(page).kind == ("article", 0.2797)
    data = rules.to_json()
    assert (data["kind"], data["kind_confidence"]) == ("article", 0.2797)


ARTICLE = "<main><h1>{0}</h1><p>The {0} has a history of its own, told at length in this one paragraph here.</p></main>"
COMMENTS = '<div class="comments"><p>I once saw the {0} myself, and would not trade that day for any other.</p></div>'


@pytest.mark.parametrize(("kind", "stays"), [("article", False), ("forum", True), ("documentation", True)])
def test_comments_are_removed_beside_an_article_but_not_in_a_thread_or_manual(kind: str, *, stays: bool) -> None:
    # In this model no name counts against a region, so nearly everything is content.
    likely = weights(0.0, [[0, 0.5, 1, 2, 1], [-5.0], [0.5]], features=("direct.own",))
    kinds = NO_KINDS | {kind: NO_KINDS[kind] | {"base": 9.0}}
    pages = {name: (6 * ARTICLE + COMMENTS).format(name) for name in ("heron", "otter", "raven", "viper")}
    text = kept(learned(pages, weights=likely | {"kinds": kinds}), pages["otter"])
    assert "history of its own" in text
    assert ("I once saw the otter" in text) is stays


def test_comments_are_kept_if_nothing_else_is_likely_content() -> None:
    likely = weights(0.0, [[0, 0.5, 1, 2, 1], [-5.0], [0.5]], features=("direct.own",))
    pages = {name: (4 * COMMENTS).format(name) for name in ("heron", "otter", "raven", "viper")}
    assert "I once saw the otter" in kept(learned(pages, weights=likely), pages["otter"])


NOTICE = "<p>Nothing on these pages may be copied or sold by anyone without our word, given in writing beforehand.</p>"


def test_a_long_notice_on_nearly_all_pages_is_removed_from_their_content() -> None:
    names = ("heron", "otter", "raven", "viper", "swift")
    pages = {name: f"<main>{ARTICLE.format(name)}{NOTICE if name != 'swift' else ''}</main>" for name in names}
    rules = learned(pages, weights=EVERYTHING)
    assert "history of its own" in kept(rules, pages["otter"])
    assert "copied or sold" not in kept(rules, pages["otter"])
    again = evidence.load(json.loads(json.dumps(rules.to_json())))
    assert "copied or sold" not in kept(again, pages["otter"])


def test_a_text_of_two_pages_or_of_few_words_is_not_a_notice() -> None:
    two = {name: f"<main>{ARTICLE.format(name)}{NOTICE}</main>" for name in ("heron", "otter")}
    assert "copied or sold" in kept(learned(two, weights=EVERYTHING), two["otter"])
    short = {name: f"<main>{ARTICLE.format(name)}<p>Where it lives</p></main>" for name in ("heron", "otter", "raven")}
    assert "Where it lives" in kept(learned(short, weights=EVERYTHING), short["otter"])
