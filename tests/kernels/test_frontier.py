"""The walk that finds the template of a page by the regions it passes."""

from types import ModuleType
from typing import Any

import pytest

from conftest import kernel_versions
from dehusk.methods.evidence.regions import label_of
from dehusk.page import Page

both = pytest.mark.parametrize("kernel", kernel_versions("frontier"))


def frontier(kernel: ModuleType, *, alone: bool = False) -> Any:
    """A body with a menu to remove, prose to keep, and a box with a label to remove and words to keep."""
    root = kernel.RegionPlace(0, 0.6, None, 0.5, whole=False, in_link=False)
    root.below["ul .menu"] = kernel.RegionPlace(1, 0.1, None, 0.5, whole=True, in_link=False)
    root.below["p"] = kernel.RegionPlace(2, 0.9, None, 0.5, whole=True, in_link=False)
    box = root.below["div"] = kernel.RegionPlace(3, 0.4, 0.2, 0.5, whole=False, in_link=False)
    box.below["b"] = kernel.RegionPlace(4, 0.8, None, 0.5, whole=True, in_link=False)
    known = None if alone else {"ul": frozenset({".menu"})}
    return kernel.Frontier(root, 0.5, known, label_of, lambda near, size, linked: near * (1 - linked / size))


def gone(html: str, walked: Any) -> list[tuple[str, int]]:
    found, _ = walked.walk(Page(html).root())
    return [(one.node.html, one.region) for one in found]


@both
def test_a_region_that_is_all_template_is_removed_as_a_whole(kernel: ModuleType) -> None:
    assert gone("<ul class=menu><li>Home</ul><p>words", frontier(kernel)) == [
        ('<ul class="menu"><li>Home</li></ul>', 1)
    ]


@both
def test_a_mixed_region_loses_its_own_texts_and_keeps_its_content(kernel: ModuleType) -> None:
    assert gone("<div>Label <b>words</b></div>", frontier(kernel)) == [("Label ", 3)]


@both
def test_a_mixed_region_without_remaining_content_is_removed_as_a_whole(kernel: ModuleType) -> None:
    assert gone("<p>words<div> <i></i>Label<br> more </div>", frontier(kernel)) == [
        ("<div> <i></i>Label<br> more </div>", 3)
    ]


def prose(kernel: ModuleType, *tags: str) -> Any:
    """A walk that keeps the texts of a section, and removes links, and these elements with their links."""
    walked = frontier(kernel)
    for block in ("section", "h2"):
        place = walked.root.below[block] = kernel.RegionPlace(5, 0.9, 0.9, 0.5, whole=False, in_link=False)
        link = place.below["a"] = kernel.RegionPlace(6, 0.1, None, 0.5, whole=True, in_link=False)
        place.below["em"] = kernel.RegionPlace(8, 0.9, None, 0.5, whole=True, in_link=False)
        for tag in tags:
            inline = place.below[tag] = kernel.RegionPlace(7, 0.3, 0.2, 0.5, whole=False, in_link=False)
            inline.below["a"] = link
    return walked


def lost(text: str, walked: Any, block: str = "section") -> str:
    """What a section loses, in brackets: [[ and ]] stand for a link."""
    html = text.replace("[[", "<a href=x>").replace("]]", "</a>")
    found, _ = walked.walk(Page(f"<{block}>{html}</{block}>").root())
    return " ".join(one.node.text for one in found)


@both
@pytest.mark.parametrize(
    "text",
    [
        "If you have questions, see [[our page]] or write to us.",
        "What others asked, and what we said, is on [[our page]].",
        "Interesting [[research]] from RAND:",
        "Remember the [[work]] [[of]] Max Abrahms.",
        "Posted by [[Ann]]",
        "By [[Ann]] on Monday",
        "[[Ann]] has more.",
        "The [[Times]]'s view",
        "We met [[Ann]], [[Bob]], [[Eve]]",
        "[[Ann]], [[Bob]] and others",
        "Read <em>about</em> [[lamps]] there",
        "灯笼[[很好]]看",
    ],
)
def test_a_word_of_a_kept_sentence_is_kept(kernel: ModuleType, text: str) -> None:
    for tag in ("strong", "small", "sup", "acronym"):
        walked = prose(kernel, tag)
        assert lost(text, walked) == ""
        assert lost(text.replace("[[", f"<{tag}>[[").replace("]]", f"]]</{tag}>"), walked) == ""


@both
@pytest.mark.parametrize(
    ("text", "removed"),
    [
        ("If you have questions, write to us. [[Our page]] Goodbye.", "Our page"),
        ("By Ann | [[Share]] | [[Print]]", "Share Print"),
        ("posted by [[Ann]] | [[Share]] | [[Print]]", "Share Print"),
        ("Tags: [[lamps]], [[light]], [[dark]]", "lamps light dark"),
        ("12 May 2012 [[Permalink]]", "Permalink"),
        ("The lamp is lit<br>[[Read more]]", "Read more"),
        ("The lamp is lit<div>[[Read more]]</div>", "Read more"),
        ("The lamp is lit [[#]]", "#"),
        ("The lamp is lit [[¶]]", "¶"),
        ("The lamp is lit [[[edit] ]]", "[edit] "),
        ("[[Home]] [[Lamps]] Light", "Home Lamps"),
    ],
)
def test_links_that_are_no_words_of_a_sentence_are_removed(kernel: ModuleType, text: str, removed: str) -> None:
    walked = prose(kernel)
    walked.root.below["section"].below["div"] = kernel.RegionPlace(9, 0.1, None, 0.5, whole=True, in_link=False)
    assert lost(text, walked) == removed


@both
def test_a_mark_at_the_end_of_a_heading_is_removed(kernel: ModuleType) -> None:
    assert lost("The making of lamps [[edit]]", prose(kernel), "h2") == "edit"
    assert lost("The making of [[lamps]] in spring", prose(kernel), "h2") == ""


@both
def test_a_text_that_is_removed_keeps_no_word_beside_it(kernel: ModuleType) -> None:
    assert gone("<div>words of <i>the label</i> <b>Words</b></div>", frontier(kernel)) == [
        ("words of ", 3),
        ("<i>the label</i>", kernel.UNKNOWN),
    ]


def sections(kernel: ModuleType, *, heading: float, links: float, repeated: float = 0.0) -> Any:
    """A page of articles, with h2 and lists of links as likely as given; other headings and texts are kept."""
    walked = frontier(kernel)
    main = walked.root.below["main"] = kernel.RegionPlace(5, 0.8, None, 0.5, whole=False, in_link=False)
    box = main.below["div"] = kernel.RegionPlace(6, 0.6, None, 0.5, whole=False, in_link=False)
    for place in (main, box):
        for tag in ("h1", "h3", "h4", "p"):
            place.below[tag] = kernel.RegionPlace(7, 0.9, None, 0.5, whole=True, in_link=False)
        place.below["h2"] = kernel.RegionPlace(8, heading, None, 0.5, whole=True, in_link=False, repeated=repeated)
        place.below["ul"] = kernel.RegionPlace(9, links, None, 0.5, whole=True, in_link=False)
        place.below["table"] = kernel.RegionPlace(10, 0.1, None, 0.5, whole=True, in_link=False)
    return walked


TITLE = "<h1>How lamps are made</h1><p>Of glass.</p>"
LINKS = "<ul><li><a href=x>How a lamp was found</a><li><a href=x>Why lamps break</a></ul>"
TABLE = "<table><tr><td>A table of all lamps of the year</table>"
PROSE = "<p>Lamps are lit in the evening, and put out in the morning.</p>"


def tags(html: str, walked: Any) -> list[str]:
    body = Page(f"<main>{html}</main>").root()
    return [one.node.tag for one in walked.with_headings(body, walked.walk(body)[0])]


@both
@pytest.mark.parametrize("wrapper", ["{}", "<div>{}</div>", "<div> <!-- box --> <div>{}</div></div>"])
def test_a_heading_over_removed_links_goes_with_them(kernel: ModuleType, wrapper: str) -> None:
    walked = sections(kernel, heading=0.9, links=0.1)
    walked.root.below["main"].below["div"].below["div"] = walked.root.below["main"].below["div"]
    top = "div" if "div" in wrapper else "h2"
    related = wrapper.format("<h2>Related</h2>") + LINKS
    assert tags(TITLE + related, walked) == [top, "ul"]
    assert tags(TITLE + related + "<h2>More</h2>" + PROSE, walked) == [top, "ul"]
    assert tags(f"{TITLE}<div>{related}</div>", walked) == [top, "ul"]
    assert tags(f"{TITLE}<div>{related}</div>{LINKS} <h3>More</h3>", walked) == [top, "ul", "ul"]
    assert tags(f"{TITLE}<div>{related}</div></main> <!-- end --> ", walked) == [top, "ul"]


@both
def test_a_heading_over_something_kept_stays(kernel: ModuleType) -> None:
    walked = sections(kernel, heading=0.9, links=0.1)
    assert tags(f"{TITLE}<h2>Related</h2>{LINKS}{PROSE}", walked) == ["ul"]
    assert tags(f"{TITLE}<h2>Related</h2>{LINKS}<img src=x>", walked) == ["ul"]
    assert tags(f"{TITLE}<h2>Related</h2>{LINKS}<h3>More</h3>{PROSE}", walked) == ["ul"]


@both
def test_titles_stay_over_removed_links(kernel: ModuleType) -> None:
    walked = sections(kernel, heading=0.9, links=0.1)
    assert tags(f"{PROSE}<h1>How lamps are made</h1>{LINKS}", walked) == ["ul"]
    assert tags(f"<h3>Lamps</h3><h1>How lamps are made</h1>{LINKS}", walked) == ["ul"]
    assert tags(f"<h2>Lamps</h2>{LINKS}<p>Of glass", walked) == ["ul"]  # the first heading
    assert tags(f"{TITLE}<div><h2>Lamps</h2>{LINKS}</div>{PROSE}", walked) == ["ul"]  # perhaps of what follows
    assert tags(f"{TITLE}<h2><a href=x>A lamp was found</a></h2>{LINKS}", walked) == ["ul"]  # of a teaser
    assert tags(f"{TITLE}<h2>{'A long title ' * 9}</h2>{LINKS}", walked) == ["ul"]  # has more to say than the links
    often = sections(kernel, heading=0.9, links=0.1, repeated=0.9)
    assert tags(f"{TITLE}<div><h2>Lamps</h2>{LINKS}</div>{PROSE}", often) == ["h2", "ul"]  # no title is on all pages


@both
def test_a_heading_over_removed_text_goes_only_if_it_is_in_doubt(kernel: ModuleType) -> None:
    page = f"{TITLE}<h2>Lamps</h2>{TABLE}"
    assert tags(page, sections(kernel, heading=0.55, links=0.1)) == ["h2", "table"]
    assert tags(page, sections(kernel, heading=0.9, links=0.1)) == ["table"]


@both
@pytest.mark.parametrize("wrapper", ["{}", "<div>{}</div>"])
def test_the_heading_of_a_kept_section_stays(kernel: ModuleType, wrapper: str) -> None:
    walked = sections(kernel, heading=0.1, links=0.9)
    heading = wrapper.format("<h2>Lamps</h2>")
    top = "div" if "div" in wrapper else "h2"
    assert tags(TITLE + heading + PROSE, walked) == []
    assert tags(TITLE + heading + LINKS, walked) == []
    assert tags(f"{TITLE}{heading}<h3>By day</h3>{PROSE}<h2>By night</h2>{PROSE}", walked) == []
    assert tags(TITLE + heading, walked) == [top]
    assert tags(TITLE + heading + TABLE + "<p>All</p>", walked) == [top, "table"]  # most of it is removed
    assert tags(f"{TITLE}<h2><a href=x>Our shop</a></h2>{PROSE}", walked) == ["h2"]


@both
def test_kept_links_never_go_with_their_heading(kernel: ModuleType) -> None:
    page = f"{TITLE}<h2>Cast</h2>{LINKS}<h2>Lamps</h2>{PROSE}"
    assert tags(page, sections(kernel, heading=0.1, links=0.55, repeated=0.9)) == []


@both
def test_there_may_be_very_many_sections_and_nodes(kernel: ModuleType) -> None:
    walked = sections(kernel, heading=0.9, links=0.1)
    assert len(tags(TITLE + f"<h2>Related</h2>{LINKS}" * 2000, walked)) == 4000
    assert len(tags(TITLE + "<h2>Related</h2>" + LINKS * 4000, walked)) == 4001


@both
def test_an_empty_region_is_kept(kernel: ModuleType) -> None:
    assert gone("<p>words<div> <i></i> </div>", frontier(kernel)) == []


@both
def test_unknown_regions_are_judged_by_their_links(kernel: ModuleType) -> None:
    page = "<section>words</section><section><a href=x>all of it a link</a></section><a href=y>link</a>"
    assert [region for _, region in gone(page, frontier(kernel))] == [kernel.UNKNOWN, kernel.UNKNOWN]


@both
def test_a_link_inside_another_is_counted_once(kernel: ModuleType) -> None:
    nested = "<math>thirty letters of a formula stand<a>a<a>b<a>c<a>d</a></a></a></a></math>"
    assert gone(nested, frontier(kernel)) == []


@both
def test_pictures_without_text_are_removed_with_their_parent(kernel: ModuleType) -> None:
    assert gone("<img src=a><div><a href=x><img src=b></a><b>words</b></div>", frontier(kernel)) == [
        ('<a href="x"><img src="b"></a>', 3)
    ]


@both
def test_scripts_are_not_text(kernel: ModuleType) -> None:
    assert gone("<div>Label<script>var b</script><i><script>var c</script></i></div>", frontier(kernel)) == [
        ("<div>Label<i></i></div>", 3)
    ]


@both
def test_names_that_the_site_does_not_share_do_not_separate_places(kernel: ModuleType) -> None:
    assert len(gone("<ul class='menu wide-17' id=u7><li>Home</ul>", frontier(kernel))) == 1
    assert len(gone("<div class=menu>Label</div>", frontier(kernel))) == 1
    assert gone("<ul class='menu wide-17'><li>Home</ul>", frontier(kernel, alone=True)) == []


@both
def test_a_page_may_be_very_deep(kernel: ModuleType) -> None:
    walked = frontier(kernel)
    box = walked.root.below["div"]
    box.below["div"] = box
    depth = 20_000
    found = gone("<div><b>words</b>" + "<div>" * depth + "Label" + "</div>" * depth, walked)
    assert [(html[:15], region) for html, region in found] == [("<div><div><div>", 3)]


@both
def test_the_memory_for_labels_is_bounded(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "MANY_LABELS", 10)
    walked = frontier(kernel)
    for number in range(100):
        gone(f"<ul class='menu m{number}'><li>Home</ul>", walked)
        assert len(walked.labels) <= 10
