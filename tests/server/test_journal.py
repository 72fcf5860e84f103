"""Failures of the service: each is printed once."""

import logging

from dehusk.server._journal import LONGEST_LINE, MOST_FAILURES, MOST_LINES, Journal


def trace(line: int, message: str = "x") -> str:
    return f'Traceback (most recent call last):\n  File "a.py", line {line}, in f\n    g()\nValueError: {message}\n'


def test_a_failure_is_printed_once() -> None:
    written: list[str] = []
    journal = Journal(written.append)
    for message in ("one", "two"):
        journal.note(trace(1, message))
    journal.note(trace(2))
    assert [text.splitlines()[-1] for text in written] == ["ValueError: one", "ValueError: x"]


def test_the_number_of_failures_is_bounded() -> None:
    written: list[str] = []
    journal = Journal(written.append)
    for line in range(1000):
        journal.note(trace(line))
    assert len(written) == MOST_FAILURES + 1
    assert written[-1] == "dehusk: no more failures are printed"


def test_a_failure_with_a_page_in_its_message_is_cut_and_cannot_write_to_the_terminal() -> None:
    written: list[str] = []
    Journal(written.append).note(trace(1, "\x1b[2J" + "a" * 10_000_000) + "b\n" * 1_000_000)
    (text,) = written
    assert "\x1b" not in text
    assert len(text) <= MOST_LINES * (LONGEST_LINE + 20)


def test_what_the_server_and_the_event_loop_report_is_printed_once() -> None:
    written: list[str] = []
    loggers = [logging.getLogger(name) for name in ("asyncio", "uvicorn.error")]
    before = [(logger.handlers, logger.propagate) for logger in loggers]
    try:
        Journal(written.append).listen()
        for logger in loggers:
            for _ in range(3):
                logger.error("%s failed", logger.name)
                logger.debug("details")
    finally:
        for logger, (handlers, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
    assert written == ["asyncio failed", "uvicorn.error failed"]
