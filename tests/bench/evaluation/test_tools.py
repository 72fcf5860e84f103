"""Other tools: installed ones are available, and their log output is hidden."""

import logging
import warnings

import pytest

from dehusk.bench.evaluation.tools import installed, muted, text_of


def missing() -> None:
    raise ImportError


def test_tools_that_are_not_installed_are_left_out() -> None:
    assert installed({"here": ("here", lambda: 1), "not here": ("none", missing)}) == {"here": 1}


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
