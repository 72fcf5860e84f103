"""TeMex: an equal top-down mapping for each page, and the votes of the pages."""

import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.base.errors import TemplateError, UsageError
from dehusk.base.tree import Classes
from dehusk.marking.marking import Marking
from dehusk.methods import METHODS
from dehusk.methods._equal_mapping import Side, etdm
from dehusk.methods._equality import EQUALITIES, selectors
from dehusk.methods.etdm import learn, load, template_nodes
from dehusk.page import Page
from dehusk.templates.sampling import sample_of
from trees import Nested, flat, page, pair, trees

KEY, OTHERS = page("r(a(b),c(d),e)"), [page("r(a(b),f)"), page("r(g,c(d))")]


def names(key: Page, others: list[Page], votes: int) -> str:
    """The template of the key page in the notation of the papers: one letter per node, without the body."""
    tags = (key.tree.tag[node] for node in template_nodes(key, others, votes=votes))
    return "".join(tag.removeprefix("x-") for tag in tags if tag != "body")


def mates(first: str, second: str) -> dict[str, str]:
    """Pairs of texts of the two pages whose parents were matched."""
    one, two = Page(first), Page(second)
    classes = Classes()
    pairs = etdm(Side.of(one, "attributes", classes), Side.of(two, "attributes", classes))
    texts = {
        one.tree.text[x + 1]: two.tree.text[y + 1]
        for x, y in pairs
        if x + 1 < len(one.tree) and y + 1 < len(two.tree) and one.tree.parent[x + 1] == x
    }
    return {mine: theirs for mine, theirs in texts.items() if mine}


def test_one_vote_joins_the_templates_of_two_pages() -> None:
    assert names(KEY, OTHERS, votes=1) == "rabcd"


def test_two_votes_leave_what_both_pages_share() -> None:
    assert names(KEY, OTHERS, votes=2) == "r"


def test_more_votes_than_pages_mean_all_pages() -> None:
    assert names(KEY, OTHERS, votes=9) == "r"


def test_no_votes_are_refused() -> None:
    with pytest.raises(UsageError, match="1 or more"):
        METHODS["etdm"].check({"votes": 0})


def test_an_unknown_equality_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="attributes, label"):
        METHODS["etdm"].check({"equality": "looks"})


def test_without_a_number_half_of_the_pages_must_agree_and_at_least_two() -> None:
    pages = [Page(f"<p>menu</p><i>{number}</i>") for number in range(9)]
    assert [learn(pages[: 1 + others]).rules.to_json()["votes"] for others in (1, 2, 3, 5, 6, 8)] == [1, 2, 2, 3, 3, 4]


@given(trees(root=None), trees(root=None))
def test_pairs_are_equal_one_to_one_and_top_down(left: Nested, right: Nested) -> None:
    first, second = pair(left, right)
    pairs = etdm(Side(first), Side(second))
    assert len({x for x, _ in pairs}) == len({y for _, y in pairs}) == len(pairs)
    assert bool(pairs) == (first.label[0] == second.label[0])
    for x, y in pairs:
        assert first.label[x] == second.label[y]
        assert (x, y) == (0, 0) or (first.parent[x], second.parent[y]) in pairs


@given(trees(root=None))
def test_a_tree_maps_on_itself_whole(tree: Nested) -> None:
    first, second = pair(tree, tree)
    assert len(etdm(Side(first), Side(second))) == len(first)


def distinct(tree: Nested) -> Nested:
    """A tree in which no label occurs twice among siblings, so a path identifies a node."""
    first = {label: (label, children) for label, children in reversed(tree[1])}
    return tree[0], [distinct(child) for child in first.values()]


def algorithm_1(key: Nested, pages: list[Nested], votes: int) -> set[str]:
    """As printed in the paper: the key page against every set of this many pages; nodes as their paths."""
    found: set[str] = set()
    for chosen in itertools.combinations(pages, votes):
        if all(page[0] == key[0] for page in chosen):
            found |= _etdm(key, *chosen)
    return found


def _etdm(*roots: Nested) -> set[str]:
    nodes = {roots[0][0]}
    for children in itertools.product(*(root[1] for root in roots)):
        if len({label for label, _ in children}) == 1:
            nodes |= {f"{roots[0][0]}/{path}" for path in _etdm(*children)}
    return nodes


def paths(tree: Nested) -> list[str]:
    """The path of every node in pre-order."""
    labels, parent = flat(tree)
    found: list[str] = []
    for label, above in zip(labels, parent, strict=True):
        found.append(label if above < 0 else f"{found[above]}/{label}")
    return found


@settings(max_examples=60)
@given(
    trees("abc").map(distinct),
    st.lists(trees("abc").map(distinct), min_size=1, max_size=4),
    st.integers(min_value=1, max_value=4),
)
def test_counting_votes_equals_algorithm_1_if_no_two_siblings_are_equal(
    key: Nested, others: list[Nested], votes: int
) -> None:
    votes = min(votes, len(others))
    nodes = template_nodes(page(key), [page(other) for other in others], votes=votes)
    known = ["", *paths(key)]  # the body is not in the tree
    assert {known[node] for node in nodes if node} == algorithm_1(key, others, votes)


def test_nodes_are_equal_by_id_and_classes_in_any_order() -> None:
    key = Page('<div id=nav class="a b">menu</div><div id=top>top</div><div class=c>box</div>')
    other = Page('<div id=nav class="b a">menu</div><div id=end>top</div><div class=d>box</div>')
    assert [key.tree.text[node] for node in template_nodes(key, [other]) if key.tree.text[node]] == ["menu"]
    by_label = template_nodes(key, [other], equality="label")
    assert [key.tree.text[node] for node in by_label if key.tree.text[node]] == ["menu", "top", "box"]


def test_the_number_of_children_need_not_agree() -> None:
    key, other = Page("<ul><li>home<li>news</ul>"), Page("<ul><li>home<li>shop<li>blog</ul>")
    assert [key.tree.text[node] for node in template_nodes(key, [other]) if key.tree.text[node]] == ["home"]


def test_classes_of_the_body_do_not_keep_pages_apart() -> None:
    key, other = Page('<body class="post-1"><p>menu'), Page('<body class="post-2"><p>menu')
    assert len(template_nodes(key, [other])) == len(key.tree)


def test_an_identical_candidate_is_chosen_before_any_other() -> None:
    assert mates("<p>a</p><p>b</p>", "<p>b</p><p>x</p><p>a</p>") == {"a": "a", "b": "b"}


def test_among_equal_candidates_the_number_of_children_chooses_first() -> None:
    assert mates("<p>one<b></b></p><p>two</p>", "<p>three</p><p>four<b></b></p>") == {"one": "four", "two": "three"}


def test_then_the_position_chooses() -> None:
    assert mates("<i></i><p>one</p>", "<p>two</p><p>three</p>") == {"one": "three"}


def test_then_the_other_attributes_choose() -> None:
    second = "<i></i><i></i><p title=x>two</p><p title=y>three</p>"
    assert mates("<p title=y>one</p>", second) == {"one": "three"}


def test_then_the_first_is_chosen() -> None:
    assert mates("<p>one</p>", "<i></i><p>two</p><p>three</p>") == {"one": "two"}


@pytest.mark.parametrize(
    "second",
    [
        pytest.param("<p title=y>two<b></b></p><p title=x>three<b></b></p>", id="another number of children"),
        pytest.param("<p title=y>two</p><p title=x>three</p>", id="as many children"),
    ],
)
def test_attributes_choose_after_the_position(second: str) -> None:
    assert mates("<i></i><p title=y>one</p>", second) == {"one": "three"}


def test_attributes_choose_after_the_position_among_identical_elements_too() -> None:
    classes = Classes()
    one, two = Page("<i></i><p title=y>same</p>"), Page("<p title=y>same</p><p title=x>same</p>")
    assert (2, 3) in etdm(Side.of(one, "attributes", classes), Side.of(two, "attributes", classes))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p id=a.b>", "<p id=a class=b>"),
        ("<p id=a#b>", '<p id="a b">'),
        ("<p class=a.b>", '<p class="a b">'),
        ("<x.y>", "<x class=y>"),
        ("<p id='a\\.b'>", "<p id=a.b>"),
    ],
)
def test_a_dot_or_hash_inside_a_name_does_not_split_it(one: str, other: str) -> None:
    assert selectors(Page(one).tree) != selectors(Page(other).tree)


def test_labels_look_like_selectors() -> None:
    tree = Page('<body class=x><div class="e d c b a" id="n"><a href=/>go</a><img class=logo src=/i.png></div>').tree
    assert selectors(tree) == ["body", "div#n.a.b.c.d.e", "a", '"go', "img.logo /i.png"]


def texts(one: Page, rules: object) -> list[str]:
    flags = rules.mark(one).flags  # type: ignore[attr-defined]
    return [text for text, flag in zip(one.tree.text, flags, strict=True) if text and flag]


def test_the_template_is_found_on_a_page_that_was_not_learned_from() -> None:
    pages = [Page(f"<div id=nav>menu</div><p>{own}</p><div>foot</div>") for own in ("one", "two", "three")]
    rules = learn(pages).rules
    assert texts(Page("<div>new</div><div>foot</div><p>four</p><div id=nav>menu</div>"), rules) == ["foot", "menu"]


def test_a_reason_names_the_votes() -> None:
    rules = learn([Page(f"<ul><li>menu</ul><i>{own}</i>") for own in "abcd"]).rules
    marking = Marking(one := Page("<ul><li>menu</ul><i>e</i>"), rules.mark(one))
    assert [(went.text, went.reason) for went in marking.removed] == [
        ("menu", "navigation, on the key page and on at least 2 of 3 others")
    ]


MINE, MENU = "<div>mine</div>", "<div>menu<i>{}</i></div>"


def test_on_the_key_page_the_nodes_that_won_the_vote_are_marked() -> None:
    key, other = Page(MINE + MENU.format("x")), Page("<div>menu<b>y</b></div>")
    rules = learn([key, other], key=key, votes=1).rules
    chosen = template_nodes(key, [other], votes=1)
    for one in (rules, load(rules.to_json())):
        assert [node for node, flag in enumerate(one.mark(key).flags) if flag] == chosen
        assert texts(Page(key.html), one) == ["menu"]


def test_on_the_key_page_an_element_similar_to_the_chosen_one_is_not_marked() -> None:
    key, other = Page("<div>menu</div>" + MENU.format("x")), Page("<div>menu<b>y</b></div>")
    rules = learn([key, other], key=key, votes=1).rules
    assert marked(key, rules) == ["menu x"]


@settings(max_examples=60)
@given(st.lists(trees(leaves=6), min_size=2, max_size=4))
def test_the_key_page_loses_what_the_others_voted_for_and_nothing_else(drawn: list[Nested]) -> None:
    key, *others = map(page, drawn)
    others = [other for other in others if other.digest != key.digest]
    flags = learn([key, *others], key=key, votes=1).rules.mark(key).flags
    assert [node for node, flag in enumerate(flags) if flag] == template_nodes(key, others, votes=1)


def test_on_another_page_position_and_children_on_the_key_page_choose_among_equal_elements() -> None:
    key, other = Page(MINE + MENU.format("x")), Page("<div>menu<b>y</b></div>")
    rules = learn([key, other], key=key, votes=1).rules
    assert marked(Page(f"{MINE}<div>new<u>z</u></div>"), rules) == ["new z"]  # two children
    assert marked(Page(f"{MINE}<div>new</div><div>newer</div>"), rules) == ["new"]  # the second of three
    assert marked(Page(f"<hr><div>new</div>{MINE}<div>new<u>z</u></div>"), rules) == ["new z"]


def test_an_element_learned_only_by_its_label_does_not_match_an_empty_one() -> None:
    key, other = Page("<hr><p>mine<i>x</i></p>"), Page("<p>yours<b>y</b></p>")
    rules = learn([key, other], key=key, votes=1).rules
    assert marked(Page("<p></p><p>new<i>z</i></p>"), rules) == ["new z"]


def test_among_identical_elements_the_one_at_the_learned_position_is_chosen() -> None:
    key, other = Page("<hr><p>menu</p><u>x</u>"), Page("<i></i><p>menu</p><b>y</b>")
    rules = learn([key, other], key=key, votes=1).rules
    assert list(rules.mark(Page("<p>menu</p><p>menu</p>")).flags) == [1, 0, 0, 1, 1]


def test_the_key_page_read_in_another_encoding_is_marked_as_any_page() -> None:
    key, other = Page(b"<p>caf\xe9</p><i>menu</i>", encoding="latin-1"), Page("<p>caf\xe9</p><i>menu</i><b>y</b>")
    rules = learn([key, other], key=key, votes=1).rules
    assert texts(key, rules) == ["caf\xe9", "menu"]
    assert texts(Page(key.html, encoding="koi8-r"), rules) == ["menu"]


def marked(one: Page, rules: object) -> list[str]:
    """The texts of the marked elements, except the body."""
    tree, flags = one.tree, rules.mark(one).flags  # type: ignore[attr-defined]
    elements = (node for node in range(1, len(tree)) if flags[node] and not tree.text[node])
    return [" ".join(filter(None, tree.text[node : node + tree.size[node]])) for node in elements]


def test_an_old_file_must_be_learned_again() -> None:
    data = learn([KEY, *OTHERS]).rules.to_json()
    del data["places"], data["key"]
    with pytest.raises(TemplateError, match=r"older dehusk.*learn it again"):
        load(data)


def test_the_key_page_has_no_vote_whether_or_not_it_is_among_the_pages() -> None:
    pages = [Page(f"<p>menu</p><i>{own}</i><b>{own[:2]}</b>") for own in ("one", "on", "two", "three")]
    inside = learn(pages, key=pages[1], votes=1)
    outside = learn([pages[0], *pages[2:]], key=Page(pages[1].html), votes=1)
    assert inside.rules.to_json() == outside.rules.to_json()
    assert inside.rules.to_json()["pages"] == 3
    assert inside.rules.to_json()["tree"] != learn(pages, key=pages[2], votes=1).rules.to_json()["tree"]


@given(st.lists(trees(leaves=4), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_the_pages_does_not_matter(drawn: list[Nested], chance: random.Random) -> None:
    pages = [page(tree) for tree in drawn]
    mixed = chance.sample(pages, len(pages))
    assert learn(sample_of(pages, None).pages).rules.to_json() == learn(sample_of(mixed, None).pages).rules.to_json()


@pytest.mark.parametrize("equality", EQUALITIES)
@settings(max_examples=40)
@given(st.lists(trees(leaves=4), min_size=2, max_size=4))
def test_learned_rules_survive_saving_and_loading(equality: str, drawn: list[Nested]) -> None:
    pages = [page(tree) for tree in drawn]
    rules = learn(pages, equality=equality).rules
    again = load(rules.to_json())
    assert again.to_json() == rules.to_json()
    assert all(again.mark(one).flags == rules.mark(one).flags for one in pages)


@pytest.mark.parametrize(
    "damage",
    [
        {"equality": "looks"},
        {"votes": None},
        {"tree": ["body", "   p"]},
        {"places": []},
        {"places": ["0 0"] * 2},
        {"places": None},
    ],
)
def test_a_damaged_file_is_noticed(damage: dict[str, object]) -> None:
    data = learn([KEY, *OTHERS]).rules.to_json()
    with pytest.raises((ValueError, TypeError)):
        load({**data, **damage})


@pytest.mark.parametrize(
    "pages",
    [
        [],
        [Page("<p>one</p>")],
        [Page("<body></body>"), Page("<p>one</p>")],
        [Page("<p>one</p>"), Page("<div>two</div>")],
    ],
    ids=["no page", "one page", "an empty body", "nothing in common"],
)
def test_if_there_is_nothing_to_learn_nothing_is_removed(pages: list[Page]) -> None:
    rules = learn(pages).rules
    one = Page("<p>one</p><div>two</div>")
    assert Marking(one, rules.mark(one)).removed == []


def test_a_page_of_50000_nested_elements_is_learned_cleaned_and_saved() -> None:
    deep = ["<div>" * 50_000 + f"menu<p>{own}</p>" for own in ("one", "two")]
    rules = load(learn([Page(html) for html in deep]).rules.to_json())
    assert texts(Page(deep[0]), rules) == ["menu"]


def test_a_list_of_10000_equal_children_is_learned() -> None:
    lists = [Page("<ul>" + "".join(f"<li>{k % m}</li>" for k in range(10_000)) + "</ul>") for m in (7_000, 9_000)]
    rules = learn(lists).rules
    assert len(texts(lists[0], rules)) >= 7_000


def test_the_key_page_is_the_one_with_the_smallest_hash_in_any_order() -> None:
    pages = [page("r(a(b),c(d),e)"), page("r(a(b),f)"), page("r(g,c(d))")]
    found = {json.dumps(learn(list(order), votes=1).rules.to_json()) for order in itertools.permutations(pages)}
    assert len(found) == 1
