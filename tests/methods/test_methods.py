"""Properties of every method in the table."""

import json
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dehusk
import demo_site
from dehusk.methods import METHODS
from trees import Nested, page, trees

every = pytest.mark.parametrize("method", METHODS)
SHOP = [html for name, html in demo_site.pages().items() if name.startswith("shop/")]


@every
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=st.lists(trees("abc", leaves=5), min_size=1, max_size=5), random=st.randoms(use_true_random=False))
def test_the_order_of_pages_changes_nothing(method: str, drawn: list[Nested], random: Random) -> None:
    pages = [page(tree) for tree in drawn]
    one = dehusk.learn(pages, method=method)
    other = dehusk.learn(random.sample(pages, len(pages)), method=method)
    assert one.to_json() == other.to_json()


@pytest.mark.parametrize("method", [name for name in METHODS if name != "evidence"])  # which also judges a single page
@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(SHOP[:1], id="one page"),
        pytest.param(SHOP[:1] * 2, id="two identical pages"),
        pytest.param(["", "<p>x</p>"], id="an empty body"),
        pytest.param(["<p>one</p>", "<div>two</div>"], id="nothing in common"),
    ],
)
def test_too_little_to_learn_from_removes_nothing(method: str, pages: list[str]) -> None:
    template = dehusk.learn(pages, method=method)
    for html in [*pages, SHOP[3], ""]:
        assert template.clean(html).share_removed == 0


@every
def test_saving_and_loading_changes_no_mark(method: str) -> None:
    template = dehusk.learn(SHOP[:8], method=method)
    again = dehusk.Template.from_json(json.loads(json.dumps(template.to_json())))
    for html in [*SHOP, "<p>elsewhere"]:
        marks, others = template.mark(html), again.mark(html)
        assert marks.flags == others.flags
        assert [marks.reason(node) for node in marks.topmost] == [others.reason(node) for node in others.topmost]
    assert again.to_json() == template.to_json()


@every
def test_a_shop_loses_its_template_and_keeps_its_products(method: str) -> None:
    template = dehusk.learn(SHOP, method=method)
    for html in SHOP:
        cleaned = template.clean(html)
        assert cleaned.share_removed > 0.2
        assert (cleaned.metadata.title or "").split(" – ")[0] in cleaned.text
        assert all(region.reason for region in cleaned.removed)


@every
@pytest.mark.parametrize(
    "html",
    [
        pytest.param(["<div>" * 30_000 + "a", "<div>" * 30_000 + "b"], id="30,000 nested elements"),
        pytest.param([f"<ul>{'<li>x' * 3000}<li>{k}</ul>" for k in "ab"], id="long lists of equal items"),
        pytest.param(
            ["<ul>" + "".join(f"<li>{salt}{k}" for k in range(2000)) + "</ul>" for salt in "ab"], id="long lists"
        ),
    ],
)
def test_hostile_pages_are_learned_from_and_cleaned(method: str, html: list[str]) -> None:
    template = dehusk.learn(html, method=method)
    assert template.clean(html[0]).text


@every
def test_damaged_rules_are_refused(method: str) -> None:
    data = dehusk.learn(SHOP[:3], method=method).to_json()
    damages: list[object] = [{}, [], None, {"pages": "many"}, dict.fromkeys(data["families"][0]["rules"])]
    for damage in damages:
        with pytest.raises(dehusk.DehuskError, match="damaged"):
            dehusk.Template.from_json({**data, "families": [{**data["families"][0], "rules": damage}]})
