"""Recognizing pages among bytes, and decoding them."""

import codecs
import time

import pytest

from dehusk.page import Page, _decoding, unusable
from dehusk.page._decoding import MOST_ROOTS, closed
from dehusk.page.elements import attribute

RUSSIAN = "В порту варят уху прямо на причале, и весь город приходит к вечеру с ложками и хлебом."


def texts(html: bytes | str) -> list[str]:
    return [text for text in Page(html).tree.text if text]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(RUSSIAN.encode(), id="utf-8 undeclared"),
        pytest.param(b'<meta charset="windows-1251">' + RUSSIAN.encode("cp1251"), id="windows-1251 declared"),
        pytest.param(RUSSIAN.encode("cp1251"), id="windows-1251 undeclared"),
        pytest.param(b'<meta charset="utf-8">' + RUSSIAN.encode("cp1251"), id="windows-1251 declared as utf-8"),
        pytest.param(b'<meta charset="iso-8859-1">' + RUSSIAN.encode(), id="utf-8 declared as latin-1"),
        pytest.param(codecs.BOM_UTF16_LE + RUSSIAN.encode("utf-16-le"), id="utf-16 with a mark"),
        pytest.param(f"<html><body><p>{RUSSIAN}</p></body></html>".encode("utf-16-le"), id="utf-16 little endian"),
        pytest.param(f"<html><body><p>{RUSSIAN}</p></body></html>".encode("utf-16-be"), id="utf-16 big endian"),
        pytest.param(codecs.BOM_UTF8 + RUSSIAN.encode(), id="utf-8 with a mark"),
    ],
)
def test_the_encoding_is_decided_by_the_bytes(data: bytes) -> None:
    assert texts(data) == [RUSSIAN]


def test_iso_2022_jp_is_read_as_declared() -> None:
    words = "朝市を歩く"
    assert texts(b"<meta charset=iso-2022-jp>" + words.encode("iso-2022-jp")) == [words]


def test_a_character_cut_at_the_end_costs_only_that_character() -> None:
    assert texts("Пристань".encode()[:-1])[0].startswith("Пристан")


def test_one_bad_byte_does_not_change_the_encoding() -> None:
    assert "причал" in texts(b"<meta charset=utf-8>" + ("на причале " * 20).encode() + b"\xff")[0]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"PK\x03\x04\x14\x00", "binary"),
    ],
)
def test_data_that_is_not_a_page_has_a_reason(data: bytes, why: str) -> None:
    assert why in (unusable(data) or "")


@pytest.mark.parametrize("data", [b"<p>x", b"plain words", "<p>x".encode("utf-16"), "<p>xyz</p>".encode("utf-16-le")])
def test_data_that_may_be_a_page_is_accepted(data: bytes) -> None:
    assert unusable(data) is None


def test_an_unpaired_surrogate_is_replaced() -> None:
    assert texts("<p>a\ud800b</p>") == ["a?b"]


@pytest.mark.parametrize("charset", ["cp1251", "iso8859-5", "cp866"])
def test_a_latin_1_declaration_is_ignored_if_the_bytes_are_clearly_something_else(charset: str) -> None:
    assert texts(b'<meta charset="iso-8859-1"><p>' + RUSSIAN.encode(charset)) == [RUSSIAN]


@pytest.mark.parametrize("charset", ["cp1253", "iso8859-7"])
def test_greek_declared_as_latin_1_is_read_as_greek(charset: str) -> None:
    words = "Το πρωί στο λιμάνι μυρίζει ψωμί και θάλασσα, και όλοι περιμένουν το καράβι με τα νέα."
    assert texts(b'<meta charset="iso-8859-1"><p>' + words.encode(charset)) == [words]


def test_a_charset_is_detected_in_attributes_if_all_text_is_ascii() -> None:
    page = Page(b"<p>x<img src=y alt='" + RUSSIAN.encode("cp1251") + b"'>")
    assert page.tree.attributes[3]["alt"] == RUSSIAN


def test_a_rare_letter_late_in_the_page_is_read_right() -> None:
    words = "Το πρωί στο λιμάνι μυρίζει ψωμί και θάλασσα. "
    html = f"<p>{words * 60}</p><p>Άγιος</p><p>Άνδρος</p>"
    assert texts(html.encode("cp1253"))[-2:] == ["Άγιος", "Άνδρος"]
    assert texts(html.encode("iso8859-7"))[-2:] == ["Άγιος", "Άνδρος"]


def test_a_declaration_in_a_comment_is_ignored() -> None:
    assert texts(b"<!-- <meta charset=big5> --><p>" + RUSSIAN.encode("cp1251")) == [RUSSIAN]
    assert texts(b"<!-- <meta charset=big5> --><meta charset=cp1251><p>" + "Уха".encode("cp1251")) == ["Уха"]


def test_a_latin_1_declaration_is_used_if_it_may_be_true() -> None:
    words = "Die Straße führt über die Brücke, où était la crème"
    assert texts(b'<meta charset="iso-8859-1"><p>' + words.encode("latin-1")) == [words]


def test_the_charset_of_the_transport_is_used_and_an_invalid_one_is_ignored() -> None:
    assert [*filter(None, Page(RUSSIAN.encode("cp1251"), encoding="windows-1251").tree.text)] == [RUSSIAN]
    assert [*filter(None, Page(b"<p>x", encoding="no-such-charset").tree.text)] == ["x"]


MANY = "".join(f"<body a{number}=x><HTML b{number}=x>" for number in range(20_000)) + "<p>Tide"


@pytest.mark.parametrize(
    "data",
    [
        MANY,
        MANY.encode(),
        codecs.BOM_UTF16_LE + MANY.encode("utf-16-le"),
        MANY.encode("utf-16-be"),
        b"\xe9" + MANY.encode(),
    ],
    ids=["text", "bytes", "UTF-16", "UTF-16 without a mark", "no UTF-8"],
)
@pytest.mark.parametrize("quick", [True, False])
def test_of_many_start_tags_of_the_body_only_the_first_give_it_attributes(
    data: bytes | str, quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_decoding, "_QUICK", quick)
    start = time.process_time()
    page = Page(data)
    assert list(page.texts())[-1] == "Tide"
    assert {f"a{number}" for number in range(20)} <= {name for name in names_of(page) if name.startswith("a")}
    assert len(names_of(page)) <= MOST_ROOTS
    assert time.process_time() - start < 2  # 40,000 tags took the parser a minute


def names_of(page: Page) -> list[str]:
    """The names of the attributes of the body."""
    return [name for name in (f"a{number}" for number in range(1000)) if attribute(page.body, name)]


def test_start_tags_of_the_body_in_a_page_of_usual_size_are_left_to_the_parser() -> None:
    page = Page("".join(f"<body a{number}=x>" for number in range(200)) + "<p>Tide")
    assert len(names_of(page)) == 200


@pytest.mark.parametrize("tag", [b"<title ", b"<TITLE ", b"</title ", b"<title x</title ", b"<iframe /"])
def test_tags_that_never_end_are_searched_in_linear_time(tag: bytes) -> None:
    def taken(count: int) -> float:
        times = []
        for _ in range(3):
            start = time.process_time()
            closed(tag * count)
            times.append(time.process_time() - start)
        return min(times)

    assert taken(80_000) < 8 * max(taken(20_000), 0.01)
