"""Other tools: installed ones are available, and their log output is hidden."""

import logging
import socket
import warnings

import pytest

from dehusk.bench.evaluation.tools import EXTRACTORS, METADATA, installed, muted, stop_words_for, text_of


def missing() -> None:
    raise ImportError


def test_tools_that_are_not_installed_are_left_out() -> None:
    assert installed({"here": ("here", lambda: 1), "not here": ("none", missing)}) == {"here": 1}


def test_tools_that_warn_when_they_are_loaded_are_muted(recwarn: pytest.WarningsRecorder) -> None:
    installed({"loud": ("loud", lambda: warnings.warn("odd", stacklevel=1))})
    assert not recwarn.list


def test_html_that_a_tool_gives_is_read_as_text() -> None:
    assert text_of(lambda _: "<p>one</p>", b"").strip() == "one"
    assert text_of(lambda _: None, b"") == ""


def test_a_tool_neither_logs_nor_warns(capsys: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder) -> None:
    with muted():
        logging.getLogger("tool").critical("odd")
        warnings.warn("odd", stacklevel=1)
    assert not recwarn.list
    assert not capsys.readouterr().err
    assert not logging.getLogger("tool").manager.disable


LISTS = {"English": {"the", "and", "of"}, "German": {"der", "und", "die"}}


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<html lang=de-AT><p>the and of", "German"),
        ("<p>der Mond und die Sonne", "German"),
        ("<html lang=xx><p>the moon and the sun", "English"),
        ("<html lang=zh><p>the", None),
        ("<p>eins zwei drei vier fuenf sechs sieben acht neun zehn elf der", None),
        ("<p>", None),
    ],
)
def test_stop_words_are_those_of_the_language_of_the_page(html: str, name: str | None) -> None:
    assert stop_words_for(html.encode(), LISTS, LISTS.__getitem__) == name


@pytest.mark.parametrize("head", ["", "<link rel=icon href=https://a.invalid/i.png>"])
def test_no_tool_fetches_anything(monkeypatch: pytest.MonkeyPatch, head: str) -> None:
    """newspaper4k fetches pictures of pages that name no picture, even if it is told not to."""
    asked: list[object] = []

    def refuse(*words: object, **_: object) -> None:
        asked.append(words)
        raise OSError("no network")

    for place, name in ((socket, "getaddrinfo"), (socket, "create_connection"), (socket.socket, "connect")):
        monkeypatch.setattr(place, name, refuse)
    refresh = "<meta http-equiv=refresh content='0; url=https://a.invalid/next'>"
    text = "<p>The moon pulls the sea, and the sea follows her twice a day along the whole coast.</p>" * 9
    page = f"""<html lang=en><head><title>Tides</title>{head}{refresh}
        <script src=https://a.invalid/s.js></script></head><body><img src=https://a.invalid/1.jpg>
        <article><h1>Tides</h1><img src=https://a.invalid/2.jpg>{text}<iframe src=https://a.invalid/f></iframe>
        </article></body></html>""".encode()
    with muted():
        for read in installed(EXTRACTORS).values():
            read(page)
        for said in installed(METADATA).values():
            said(page, "https://a.invalid/tides")
    assert not asked
