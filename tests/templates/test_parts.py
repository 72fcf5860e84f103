"""The parts of a page: the whole page in pieces, each with its role."""

import pickle
from dataclasses import asdict

import pytest

import dehusk
from dehusk import Role, render
from dehusk.base.errors import UsageError
from dehusk.core import Learning
from dehusk.page.elements import html_of
from journals import ENGLISH

PAGES = ENGLISH.pages()
TEMPLATE = dehusk.learn(PAGES)
PARTS = TEMPLATE.clean(PAGES[0]).parts


def squeezed(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def parts(html: str) -> list[dehusk.Part]:
    return Learning().learn([]).clean(html).parts


def test_the_parts_contain_the_whole_page_in_order() -> None:
    for page in PAGES:
        cleaned = TEMPLATE.clean(page)
        assert squeezed("".join(part.text for part in cleaned.parts)) == squeezed("".join(cleaned.page.tree.text))


def test_the_parts_that_are_kept_are_the_text() -> None:
    assert squeezed("".join(part.text for part in PARTS if part.kept)) == squeezed(TEMPLATE.clean(PAGES[0]).text)


def test_a_part_ends_where_the_role_changes_or_content_begins() -> None:
    assert [(part.role, part.kept) for part in PARTS] == [
        (Role.LEGAL, False),
        (Role.MASTHEAD, False),
        (Role.NAVIGATION, False),
        (Role.BREADCRUMBS, False),
        (Role.TITLE, True),
        (Role.CONTENTS, False),
        (Role.HEADING, True),
        (Role.BODY, True),
        (Role.HEADING, True),
        (Role.BODY, True),
        (Role.RELATED, False),
        (Role.COMMENT, False),
        (Role.RELATED, False),
        (Role.LEGAL, False),
    ]


def test_a_part_says_where_it_is_and_how_sure_its_role_is() -> None:
    (title,) = (part for part in PARTS if part.role is Role.TITLE)
    assert title.path == "body > main > article > h1"
    assert all(0 < part.confidence <= 1 for part in PARTS)


def test_texts_of_a_part_are_separated_by_what_is_between_them() -> None:
    (part,) = parts("<p>One<br>two <i>three</i> <img src=a.png alt=A><script>x()</script> <b>four</b></p>")
    assert part.text == "One\ntwo three four\n"
    (first, second) = parts("<h1>Title</h1>One<br><br>two <i>three</i> <b>four</b>")
    assert (first.text, second.text) == ("Title\n", "One\n\ntwo three four\n")


def test_hidden_text_is_not_kept() -> None:
    shown = "<p>The lighthouse was built by the people of the island in one summer.</p>"
    found = parts(f"{shown}<div style='display:none'>Please turn on scripts</div>")
    assert [(part.kept, part.text[:6]) for part in found] == [(True, "The li"), (False, "Please")]


def test_parts_do_not_depend_on_earlier_calls() -> None:
    cleaned = TEMPLATE.clean(PAGES[0])
    assert cleaned.text
    assert cleaned.html
    assert cleaned.parts == PARTS


def test_parts_are_written_when_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[object] = []

    def write(inside: object, *_: object) -> str:
        written.append(inside)
        return ""

    monkeypatch.setattr(render, "markdown_of", write)
    monkeypatch.setattr(render, "text_of", write)
    found = TEMPLATE.clean(PAGES[0]).parts
    assert [part.role for part in found] == [part.role for part in PARTS]
    assert written == []
    assert found[0].markdown == ""
    assert len(written) == len(found)


def test_a_part_can_be_read_last_first_copied_and_put_in_a_row() -> None:
    found = TEMPLATE.clean(PAGES[0]).parts
    assert [part.text for part in reversed(found)] == [part.text for part in reversed(PARTS)]
    assert pickle.loads(pickle.dumps(found[1])) == PARTS[1]
    assert found[2].to_dict() == asdict(PARTS[2])
    with pytest.raises(AttributeError, match="unknown"):
        _ = found[0].unknown


def test_a_text_alone_is_written_as_all_others_are() -> None:
    for html, text in (
        ("<div><span>A  label\n</span></div>", "A label\n"),
        ("<div>A\xa0 label</div>", "A label\n"),
        ("<ul><li>A label</ul>", "- A label\n"),
        ("<div>|</div>", ""),
        ("<div>A title \xb6</div>", "A title\n"),
    ):
        (part,) = parts(html)
        assert part.text == text


def test_a_part_is_markdown_too() -> None:
    (title,) = (part for part in PARTS if part.role is Role.TITLE)
    assert title.markdown == f"# {ENGLISH.stories[0].title}\n"


def test_items_cells_and_code_stay_what_they_are() -> None:
    html = (
        "<p>Long before the storm came, all was said and written down here.<ul><li>One <li>Two</ul>"
        "<pre>a = 1\n  b = 2</pre>"
        "<table><tr><th>Sea<th>Depth<tr><td>North<td>700</table>"
    )
    text, code, table = parts(html)
    assert [text.role, code.role, table.role] == [Role.BODY, Role.CODE, Role.TABLE]
    assert text.markdown.endswith("- One\n- Two\n")
    assert code.text == "a = 1\n  b = 2\n"
    assert "North" in table.markdown.splitlines()[-1]
    assert table.markdown.count("|") > 4


def test_items_of_a_split_list_are_still_items() -> None:
    html = '<ol><li>First of all, we go.</li><li class="caption">Photo: a wave</li></ol>'
    first, second = parts(html)
    assert first.markdown == "1. First of all, we go.\n"
    assert second.role is Role.CAPTION


def test_asking_for_parts_changes_nothing_else() -> None:
    cleaned = TEMPLATE.clean(PAGES[0])
    before = cleaned.text, html_of(cleaned.page.whole)
    assert cleaned.parts
    assert (TEMPLATE.clean(cleaned.page).text, html_of(cleaned.page.whole)) == before


def test_parts_kept_or_dropped_by_role_have_that_verdict() -> None:
    cleaned = TEMPLATE.clean(PAGES[0], keep=["comment"], drop=[Role.TITLE])
    assert [part.role for part in cleaned.parts] == [part.role for part in PARTS]
    assert {part.role for part in cleaned.parts if part.kept} == {Role.HEADING, Role.BODY, Role.COMMENT}
    assert ENGLISH.stories[0].comment in cleaned.markdown
    assert ENGLISH.stories[0].title not in cleaned.text
    assert cleaned.share_removed == pytest.approx(cleaned.marking.share_removed)


def test_one_page_and_many_are_cleaned_with_roles_too() -> None:
    assert ENGLISH.imprint in dehusk.clean(PAGES[0], keep=["legal"]).text
    assert all(ENGLISH.imprint in one.text for one in TEMPLATE.clean_many(PAGES, keep=["legal"]))


def test_an_empty_page_has_no_parts() -> None:
    assert parts("") == []


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"keep": ["menus"]}, r"^'menus' is not a role; choose from title, byline, .*, masthead"),
        ({"drop": ["comments"]}, "comment"),
        ({"keep": "comment"}, r"give a list of roles, such as \['comment'\]"),
        ({"keep": ["date"], "drop": ["date"]}, "date is in both keep and drop"),
    ],
)
def test_invalid_roles_are_refused(roles: dict[str, list[str]], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        TEMPLATE.clean(PAGES[0], **roles)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=said):
        dehusk.Writing(**roles)  # type: ignore[arg-type]


def test_addresses_and_places_of_all_parts_take_a_small_multiple_of_the_page() -> None:
    base = f"<head><base href='https://e.example/{'long/' * 300}'></head>"
    html = base + "<div>" * 300 + "<nav><a href=a>Harbour</a></nav><p>The harbour is quiet today.</p>" * 300
    found = parts(html)
    assert len(found) > 300
    assert sum(len(part.markdown) + len(part.path) for part in found) < 12 * len(html)
