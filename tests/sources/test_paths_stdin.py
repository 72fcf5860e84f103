"""One page on standard input."""

import io
import sys
from types import SimpleNamespace

import pytest

from dehusk.base.errors import Skipped, SourceError
from dehusk.page import Page
from dehusk.sources import _paths as stdin
from dehusk.sources._paths import Stdin


def given(monkeypatch: pytest.MonkeyPatch, data: bytes) -> Stdin:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    return Stdin()


def test_a_page_is_read_once_and_can_be_iterated_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    source = given(monkeypatch, b"<p>Ebb")
    items = [*source, *source]
    assert [(item.name, item.html) for item in items if isinstance(item, Page)] == [("standard input", b"<p>Ebb")] * 2
    assert source.files == ()


def test_input_that_is_not_a_page_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(given(monkeypatch, b"%PDF-1.4")) == [Skipped("standard input", "a PDF, not HTML")]
    assert list(given(monkeypatch, b"")) == [Skipped("standard input", "empty")]


def test_input_above_the_size_limit_of_a_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdin, "LARGEST", 5)
    with pytest.raises(SourceError, match="standard input: too large"):
        list(given(monkeypatch, b"<p>Ebb"))


def test_a_closed_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="standard input is closed"):
        list(Stdin())
