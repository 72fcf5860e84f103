"""Comparing two versions of a page: changes, verdicts and output."""

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
import demo_site
from dehusk import Verdict
from dehusk.comparing import ChangeKind

FIRST = "The harbour was built by fishermen who had no other place to go."
SECOND = "Later the merchants came, and with them the tall houses on the quay."
THIRD = "Today it is quiet, and most of the boats belong to visitors."


def page(*blocks: str) -> str:
    return "<title>Harbour</title><body><h1>Harbour</h1>" + "".join(
        block if block.startswith("<") else f"<p>{block}</p>" for block in blocks
    )


def told(old: str, new: str) -> list[tuple[str, str, str, str]]:
    return [(str(one.kind), one.before, one.after, one.husk) for one in dehusk.diff(old, new).changes]


def test_the_same_page_has_no_changes() -> None:
    diff = dehusk.diff(page(FIRST), page(FIRST))
    assert (diff.verdict, diff.changes) == (Verdict.NOTHING, [])
    assert diff.summary == "Nothing changed\n"


@pytest.mark.parametrize(
    "other",
    [
        page(FIRST).replace("<p>", "<p class=new>"),
        page(FIRST.replace("fishermen", "<a href=x><b>fishermen</b></a>")),
        page("<!-- made today -->", FIRST),
        page(f"<div><section><p>{FIRST}</p></section></div>"),
    ],
)
def test_invisible_markup_is_husk(other: str) -> None:
    diff = dehusk.diff(page(FIRST), other)
    assert (diff.verdict, diff.changes) == (Verdict.HUSK, [])
    assert diff.headline == "Nothing that can be seen changed, only the markup"


def test_additions_and_removals_are_reported_by_block() -> None:
    assert told(page(FIRST, THIRD), page(FIRST, SECOND, THIRD)) == [("added", "", SECOND, "")]
    assert told(page(FIRST, SECOND, THIRD), page(FIRST, THIRD)) == [("removed", SECOND, "", "")]


def test_a_new_section_is_one_change_with_a_line_for_each_block() -> None:
    section = f"<section><h2>Boats</h2><p>{SECOND}</p><ul><li>one</li><li>two</li></ul></section>"
    assert told(page(FIRST), page(FIRST, section)) == [("added", "", f"Boats\n{SECOND}\none\ntwo", "")]


def test_a_rewritten_paragraph_is_a_change_of_words() -> None:
    (change,) = dehusk.diff(page(FIRST, SECOND), page(FIRST, SECOND.replace("merchants", "bankers"))).changes
    assert change.kind is ChangeKind.CHANGED
    assert [(word.kind, word.text) for word in change.words if word.kind != "same"] == [
        ("removed", "merchants"),
        ("added", "bankers"),
    ]


def test_a_paragraph_that_replaces_another_is_not_its_new_version() -> None:
    kinds = [kind for kind, *_ in told(page(FIRST), page(THIRD.upper()))]
    assert sorted(kinds) == ["added", "removed"]


def test_a_value_that_replaces_another_is_its_new_version() -> None:
    row = "<table><tr><td>Price</td><td>{}</td></tr><tr><td>Weight</td><td>{}</td></tr></table>"
    assert told(page(row.format("12.50", "2 kg")), page(row.format("14.00", "2 kg"))) == [
        ("changed", "12.50", "14.00", "")
    ]


def test_a_text_at_another_place_has_moved() -> None:
    assert told(page(FIRST, SECOND, THIRD), page(SECOND, THIRD, FIRST)) == [("moved", FIRST, FIRST, "")]


def test_a_new_wrapper_around_a_text_is_not_a_change() -> None:
    old, new = page(f"<ul><li>{FIRST}</li></ul>", SECOND, THIRD), page(SECOND, THIRD, f"<table><tr><td>{FIRST}</table>")
    assert told(old, new) == [("moved", FIRST, FIRST, "")]


def test_a_rewritten_text_is_not_also_reported_as_moved() -> None:
    long = f"<ul><li>{FIRST}</li></ul>"
    changes = told(page(long, "Boats and gulls"), page("Boats and gulls and ropes and rain", FIRST))
    assert sum(after.count("rain") for _, _, after, _ in changes) == 1
    assert sum(before.count("Boats") for _, before, _, _ in changes) == 1


def test_a_moved_text_does_not_hide_rewritten_paragraphs() -> None:
    old = page(FIRST, SECOND, THIRD, "Updated 3 May 2024", "<pre>x = 1</pre>")
    second, third = SECOND.replace("merchants", "bankers"), THIRD.replace("visitors", "nobody")
    new = page(second, third, "New: a lighthouse, red and white.", FIRST, "Updated 4 June 2025", "<pre>x = 1</pre>")
    assert [(kind, after, husk) for kind, _, after, husk in told(old, new)] == [
        ("changed", second, ""),
        ("changed", third, ""),
        ("added", "New: a lighthouse, red and white.", ""),
        ("moved", FIRST, ""),
        ("changed", "Updated 4 June 2025", "date"),
    ]


def test_a_short_text_elsewhere_has_not_moved() -> None:
    kinds = {kind for kind, *_ in told(page("Yes", SECOND, THIRD), page(SECOND, THIRD, "Yes"))}
    assert kinds == {"added", "removed"}


def test_a_paragraph_that_is_rewritten_inside_new_wrappers_is_changed() -> None:
    new = page(f"<div><div><p>{FIRST}</p><p>{SECOND.replace('merchants', 'bankers')}</p></div></div>", THIRD)
    assert [kind for kind, *_ in told(page(FIRST, SECOND, THIRD), new)] == ["changed"]


def test_removed_text_is_reported_at_its_old_place() -> None:
    texts = [
        before or after
        for _, before, after, _ in told(page(FIRST, SECOND, "a", "b", THIRD), page(FIRST, "a", "b", "New."))
    ]
    assert texts[0] == SECOND
    assert set(texts[1:]) == {THIRD, "New."}


def test_dates_and_counters_are_husk_without_a_template() -> None:
    old, new = (page(FIRST, f"Updated 3 May {year}", f"{year} views") for year in (2024, 2025))
    diff = dehusk.diff(old, new)
    assert diff.verdict is Verdict.HUSK
    assert [one.husk for one in diff.changes] == ["date", "counter"]
    assert diff.headline == "Only the husk changed: one date and one counter"


SHOP = {name: html for name, html in demo_site.pages().items() if name.startswith("shop/")}
LANTERN = SHOP["shop/pier-lantern.html"]


@pytest.fixture(scope="module")
def template() -> dehusk.Template:
    return dehusk.learn(SHOP.values())


def test_a_template_separates_content_from_husk(template: dehusk.Template) -> None:
    other = LANTERN.replace("Quayside Kettle for €72.00", "Salt Cellar for €12.00").replace(
        ">About us<", ">Who we are<"
    )
    diff = dehusk.diff(LANTERN, other, template)
    assert len(diff.changes) == 2
    assert diff.verdict is Verdict.HUSK
    assert {one.husk for one in diff.changes} == {"template"}
    content = dehusk.diff(LANTERN, LANTERN.replace("1 week", "3 weeks").replace(">About us<", ">Who<"), template)
    assert content.verdict is Verdict.CONTENT
    assert [(one.before, one.after) for one in content.content] == [("1 week", "3 weeks")]
    assert content.headline == "One table cell of the content changed; the menu did too"


STORY = "<title>The pier</title><body><div class=story><h1>The pier</h1>{}</div>{}"
TOLD = f"<p>{FIRST} {SECOND} {THIRD}</p><p>{SECOND} {THIRD} {FIRST}</p>"
AROUND = {
    "teasers": "<aside class=related><h3>Read also</h3><ul><li><a href=/{0}1>Ropes {0}</a>"
    "<li><a href=/{0}2>Nets {0}</a><li><a href=/{0}3>Gulls {0}</a></ul></aside>",
    "a basket": "<div class=basket><a href=/basket>Basket</a> <span>{0} things in your basket</span></div>",
    "a menu": "<nav><ul><li><a href=/a>Home</a><li><a href=/b>Boats {0}</a><li><a href=/c>Contact</a></ul></nav>",
    "a footer": "<footer><p>Season {0}. All rights reserved.</p></footer>",
}


@pytest.mark.parametrize("around", AROUND)
def test_without_a_template_each_version_is_judged_by_itself(around: str) -> None:
    old, new = (STORY.format(TOLD, AROUND[around].format(name)) for name in ("north", "south"))
    diff = dehusk.diff(old, new)
    assert diff.verdict is Verdict.HUSK
    assert {one.husk for one in diff.changes} == {"template"}
    other = dehusk.diff(old, new.replace("merchants", "bankers"))
    assert [one.kind for one in other.content] == [ChangeKind.CHANGED] * 2
    assert any(change.husk for change in other.changes)


def test_without_a_template_no_page_was_redesigned() -> None:
    old, new = STORY.format(TOLD, AROUND["a menu"]), f"<body><center>{TOLD}</center>"
    assert dehusk.diff(old, new).verdict is not Verdict.REDESIGNED


def test_a_page_that_no_longer_fits_the_template_was_redesigned(template: dehusk.Template) -> None:
    words = dehusk.clean(LANTERN).text.splitlines()
    new = "<body><center>" + "".join(f"<dl><dd><font>{line}</font></dd></dl>" for line in words) + "</center>"
    assert dehusk.diff(LANTERN, new, template).verdict is Verdict.REDESIGNED
    assert dehusk.diff(new, new.replace("Lantern", "Lamp"), template).verdict is Verdict.CONTENT


def test_the_summary_shows_the_words_that_changed_and_a_few_around_them() -> None:
    long = f"{FIRST} {SECOND} {THIRD}"
    summary = dehusk.diff(page(long), page(long.replace("merchants", "bankers"), SECOND.upper())).summary
    assert summary.startswith("One paragraph changed, and one paragraph is new\n")
    assert "[-merchants-] {+bankers+}" in summary
    assert "fishermen" not in summary
    assert f"  + {SECOND.upper()}" in summary


def test_a_long_list_of_changes_is_cut_only_in_the_summary() -> None:
    diff = dehusk.diff(page(), page(*(f"<div><p>{FIRST} {k}</p></div><hr>{THIRD[:k]}" for k in range(30))))
    assert len(json.loads(diff.json)["changes"]) == len(diff.changes)
    assert diff.summary.count("\n") < 100


def test_json_has_the_verdict_and_every_change() -> None:
    data = json.loads(dehusk.diff(page(FIRST), page(FIRST, SECOND)).json)
    assert (data["verdict"], data["content"], data["husk"]) == ("content", 1, 0)
    assert data["changes"] == [
        {"kind": "added", "path": "body > p:nth-of-type(2)", "before": "", "after": SECOND, "husk": ""},
    ]


def test_html_is_the_new_page_with_the_changes_in_their_places() -> None:
    html = dehusk.diff(page(FIRST, SECOND), page(FIRST.replace("built", "dug"), THIRD)).html
    shown = html.partition("</header>")[2]
    assert re.search(
        r'harbour was <del data-dehusk="removed" id="dehusk-1"[^>]*>built</del> <ins [^>]*>dug</ins> by',
        shown,
    )
    assert re.search(rf'<del data-dehusk="part"[^>]*>{SECOND}</del>', shown)
    assert re.search(rf'<p data-dehusk="added"[^>]*>{THIRD}</p>', shown)
    assert html.count("<body") == 1


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("<ul><li>one<li>two<li>three</ul>", "<ul><li>one<li>three</ul>",
         r"<li>one</li><li><del .*>two</del></li><li>"),
        ("<table><tr><td>a b<tr><td>c d<tr><td>e f</table>", "<table><tr><td>a b<tr><td>e f</table>",
         r"</tr><tr><td colspan=.99.><del .*>c d</del></td></tr><tr>"),
        ("<dl><dt>a<dd>x<dt>b<dd>y</dl>", "<dl><dt>a<dd>x</dl>",
         r"<dd>x</dd><dd><del .*>b</del></dd><dd><del .*>y</del>"),
    ],
)  # fmt: skip
def test_text_removed_from_a_list_or_table_is_shown_in_it(old: str, new: str, shown: str) -> None:
    assert re.search(shown, dehusk.diff(page(old), page(new)).html)


def test_white_space_of_code_is_kept_in_html() -> None:
    old, new = (page(f"<pre>if x:\n    y = {value}\n    z = 1\n</pre>") for value in (1, 2))
    html = dehusk.diff(old, new).html
    assert re.search(
        r'if x:\n    y = <del data-dehusk="removed" id="dehusk-1"[^>]*>1</del> <ins data-dehusk="added">2</ins>\n    z',
        html,
    )


def test_pictures_that_changed_are_marked() -> None:
    old, new = (page(f"<p>{FIRST} <img src='{name}.png'></p>") for name in ("quay", "boats"))
    html = dehusk.diff(old, new).html
    assert re.search(r'<del [^>]*>\[quay.png\]</del> *<a data-dehusk="added"[^>]* href="boats.png">boats.png</a>', html)


def test_the_view_of_changes_loads_nothing() -> None:
    old, new = (page(f"<p>{FIRST} <img src='https://a.example/{name}.png'></p>") for name in ("quay", "boats"))
    html = dehusk.diff(old, new + "<p><img src='data:image/png;base64,AAAA' alt=here></p>").html
    assert re.findall(r'src="[^"]*"', html) == ['src="data:image/png;base64,AAAA"']
    assert "img-src data:;" in html


def test_links_of_the_list_lead_to_the_changes_and_those_of_the_page_to_its_site() -> None:
    old, new = (f"<link rel=canonical href=https://a.example/b/><p>{text}</p>" for text in ("The quay", "The boats"))
    html = dehusk.diff(old, new + '<p><a href="../c">c</a> <a href="#d">d</a></p><img src="data:image/png,x">').html
    assert "<base" not in html
    assert re.search(r'<a href="#(dehusk-1)">changed</a>: .*id="\1"', html, re.DOTALL)
    assert 'href="https://a.example/c"' in html
    assert 'href="#d"' in html


def test_the_list_shows_added_and_removed_words() -> None:
    html = dehusk.diff(page(FIRST, SECOND), page(FIRST.replace("built", "dug"), SECOND)).html
    listed = html.partition("</header>")[0]
    assert '<del data-dehusk="removed">built</del> <ins data-dehusk="added">dug</ins>' in listed
    assert "{+" not in listed


def test_husk_is_dimmed_in_html_and_listed_only_if_nothing_else_changed() -> None:
    html = dehusk.diff(page("Updated 3 May 2024"), page("Updated 4 May 2024")).html
    assert 'data-dehusk="added husk"' in html.partition("</header>")[2]
    assert html.count("<li>") == 1
    html = dehusk.diff(page("Updated 3 May 2024", FIRST), page("Updated 4 May 2024", FIRST + " So they say.")).html
    assert html.count("<li>") == 1
    assert "2024" not in html.partition("</header>")[0]


HOSTILE = (
    "<script>alert(1)</script>{0}<p onclick=alert(1)>{0}</p><iframe src=//x.example></iframe>"
    "<a href='javascript:alert(1)'>{0}</a>"
    "<img src=x onerror=alert(1)><svg onload=alert(1)><form action=//x.example><input></form><object data=x></object>"
    "<p data-dehusk='removed' style='position:fixed'>{0} &lt;script&gt;</p><meta http-equiv=refresh content='0'>"
)


def test_nothing_runs_in_html() -> None:
    old, new = (page(HOSTILE.format(word)) for word in (FIRST, f"{SECOND} &lt;script&gt;alert(2)&lt;/script&gt;"))
    for html in (dehusk.diff(old, new).html, dehusk.diff(new, old).html):
        ours = r'<input type="(?:radio|checkbox)" name="[a-z]+"[a-z= "]*>'
        shown = re.sub(ours, "", html.partition("</head>")[2], count=3)
        assert "default-src 'none'" in html
        assert not re.search(
            r"(?i)<(?:script|iframe|svg|form|object|input|meta|style)\b|<[^>]*\son\w+=|javascript:|style=", shown
        )
        assert 'data-dehusk="removed"' not in re.sub(r"<del[^>]*>", "", shown.partition("</header>")[2])


BLOCK = st.sampled_from(
    ["<p>{}</p>", "<ul><li>{}</li></ul>", "<div><p>{}</p>x</div>", "<table><tr><td>{}</table>", "{}<br>"]
)
WORDS = st.lists(st.sampled_from(["a", "b", "c", "river", "harbour", "12", "[x]"]), max_size=6).map(" ".join)
PAGES = st.lists(st.builds(str.format, BLOCK, WORDS), max_size=8).map("".join)


@given(PAGES, PAGES)
def test_the_changes_cover_all_text_of_both_versions(old: str, new: str) -> None:
    diff = dehusk.diff(f"<body>{old}", f"<body>{new}")
    for side, kinds in (("before", (ChangeKind.ADDED,)), ("after", (ChangeKind.REMOVED,))):
        assert all(bool(getattr(one, side)) != (one.kind in kinds) for one in diff.changes)
    words = [sorted(" ".join(dehusk.Page(f"<body>{html}").texts()).split()) for html in (old, new)]
    for one in diff.changes:
        for word in one.before.split():
            words[0].remove(word)
        for word in one.after.split():
            words[1].remove(word)
    assert words[0] == words[1]
    assert "</html>" in diff.html


def test_a_page_with_deep_nesting_is_compared() -> None:
    deep = "<div>" * 5000 + "{}" + "</div>" * 5000
    assert told(page(deep.format(FIRST)), page(deep.format(FIRST + " New."))) == [
        ("changed", FIRST, FIRST + " New.", "")
    ]


def test_many_moved_rows_are_compared() -> None:
    rows = [f"<tr><td>row {k}</td><td>{random.randrange(9)}</td></tr>" for k in range(2000)]
    other = random.sample(rows, len(rows))
    diff = dehusk.diff(page(f"<table>{''.join(rows)}</table>"), page(f"<table>{''.join(other)}</table>"))
    assert diff.verdict is Verdict.CONTENT
    assert "</html>" in diff.html


def test_mark_elements_of_the_page_itself_are_not_changes() -> None:
    html = dehusk.diff(page("<p data-dehusk=added>Old.</p>"), page("<p data-dehusk=added>Old.</p>", SECOND)).html
    assert "<p>Old.</p>" in html


def test_addresses_of_links_with_a_long_base_take_a_small_multiple_of_the_page() -> None:
    base = f"<base href='http://site.example/{'a' * 1900}/'>"
    old, new = (base + "".join(f"<p><a href={side}{n}?{side}>{n}</a>" for n in range(500)) for side in "ab")
    diff = dehusk.diff(old, new)
    assert [one.kind for one in diff.changes] == ["link"] * 500
    assert {one.husk for one in diff.changes} == {""}
    assert sum(
        len(one.before + one.after + "".join(word.text for word in one.words)) for one in diff.changes
    ) < 20 * len(new)
    assert diff.changes[0].after.startswith("http://site.example/aaa")
    assert diff.changes[-1].after == "b499?b"


def test_places_of_very_deep_changes_take_a_small_multiple_of_the_page() -> None:
    old, new = ("<div>" * 300 + "".join(f"<h2>{what} {n}</h2><p>stays {n}" for n in range(300)) for what in "ab")
    changes = dehusk.diff(old, new).changes
    assert len(changes) >= 300
    assert sum(len(one.path) for one in changes) < 12 * len(new)
