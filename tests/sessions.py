"""Lists processes, and has a worker that answers requests; quick to import."""

import os
from collections.abc import Callable
from pathlib import Path

from dehusk.base.system import limit_time


def running(session: int) -> set[int]:
    """The processes of a session."""
    alive = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[3]) == session and after_name[0] != "Z":
            alive.add(int(stat.parent.name))
    return alive


def answering(greeting: str, number: int) -> Callable[[bytes], bytes]:
    """Answers requests, unless they say how to die."""

    def answer(question: bytes) -> bytes:
        words = question.decode()
        try:
            if words == "die":
                os._exit(3)
            if words == "remember":
                bytearray(3_000_000_000)
            if words.startswith("count"):
                limit_time(0 if words == "count on" else 0.1)
                sum(range(10**15))
        except MemoryError:
            return b"MemoryError"
        return f"{greeting} {number} {words}".encode()

    return answer
