"""What stands around a page with its changes marked."""

import re

import pytest

import dehusk
from dehusk.render import Overview, ShownChange, Version, Word
from dehusk.render._overview import STEPS, Listed, header, side_by_side, steps

CHANGED = ShownChange(
    "changed", "", "", [1], words=[Word("same", "at"), Word("removed", "<eight>"), Word("added", "nine")], under="Hours"
)


def test_the_header_names_the_page_and_both_versions_with_their_dates() -> None:
    overview = Overview("One & two", "Harbour", Version("a<b", "2025-05-03T10:20:30"), Version("b"))
    html = header(overview, [Listed(CHANGED, "x")], 2)
    assert "<h1>One &amp; two</h1>" in html
    assert "Harbour" in html
    assert 'From <b>a&lt;b</b>, <time datetime="2025-05-03T10:20:30">2025-05-03 10:20</time> to <b>b</b>' in html


def test_the_list_is_closed_and_each_item_has_its_context() -> None:
    html = header(Overview("x"), [Listed(CHANGED, "x")], 0)
    assert "<details>" in html
    assert 'at <del data-dehusk="removed">&lt;eight&gt;</del> <ins data-dehusk="added">nine</ins>' in html
    assert "under “Hours”" in html


def test_each_step_leads_to_its_neighbours() -> None:
    bars, style = steps([Listed(CHANGED, f"c{n}") for n in range(STEPS + 5)])
    assert bars.count("<nav") == STEPS
    second = bars.split("<nav")[2]
    assert re.findall(r'href="#(\w+)"', second) == ["c0", "c2"]
    assert f"2 of {STEPS + 5}" in second
    assert f"#c{STEPS}" not in bars
    assert style.endswith("{display:flex}")
    assert steps([]) == ("", "")


@pytest.mark.parametrize(
    ("change", "row"),
    [
        (CHANGED, '<td>at <del data-dehusk="removed">&lt;eight&gt;</del> </td><td>at  <ins data-dehusk="added">nine'),
        (ShownChange("added", "", "a\nb", [1]), '<td></td><td><ins data-dehusk="added">a<br>b</ins></td>'),
        (ShownChange("removed", "", "a", [1]), '<td><del data-dehusk="removed">a</del></td><td></td>'),
        (ShownChange("moved", "", "a", [1]), '<td>a</td><td><span data-dehusk="moved">a</span></td>'),
        (ShownChange("added", "date", "a", [1]), "added (husk)"),
    ],
)  # fmt: skip
def test_both_sides_of_a_change_are_shown(change: ShownChange, row: str) -> None:
    assert row in side_by_side([change])


def test_a_page_cannot_end_the_overview() -> None:
    old, new = (
        f"<title></title><h2>&lt;/table&gt;</h2><p>It is &lt;b&gt; at {n} in the morning" for n in ("one", "six")
    )
    html = dehusk.diff(old, new).html
    assert html.count("</table>") == 1


def test_a_name_that_both_versions_have_stands_there_once() -> None:
    overview = Overview("x", "", Version("a", "2025-05-03T10:20:30"), Version("a", "2025-05-04T10:20:30"))
    assert overview.versions.count("<b>a</b>") == 1
    assert overview.versions.endswith("2025-05-04 10:20</time>")
