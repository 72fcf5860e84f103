"""Processes: their environment, limits and end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dehusk.base import system
from dehusk.base.processes import PAGE_MEMORY, Process, memory_share
from sessions import answering, running

MEMORY = 500_000_000


@pytest.fixture(autouse=True, params=["forked", "fresh"])
def _both_ways_to_start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "forked" and sys.platform != "linux":
        pytest.skip("never forked")
    monkeypatch.setattr(system, "can_fork", lambda: request.param == "forked")


def asked(process: Process, question: str) -> str | None:
    process.send(question.encode())
    answer = process.receive()
    return None if answer is None else answer.decode()


def test_a_process_answers_requests_in_turn_and_keeps_its_settings() -> None:
    process = Process(answering, "Dear", 5, memory=MEMORY)
    assert [asked(process, word) for word in ("me", "you")] == ["Dear 5 me", "Dear 5 you"]
    assert process.end() == -signal.SIGKILL


def test_a_process_may_be_ended_twice_and_without_news_of_its_end() -> None:
    process = Process(answering, "Dear", 5, memory=MEMORY)
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # as some daemons leave it
    try:
        assert asked(process, "me")
        process.end()
    finally:
        signal.signal(signal.SIGCHLD, before)
    process.kill()


def test_requests_may_be_queued_and_are_answered_in_order() -> None:
    process = Process(answering, "Dear", 5, memory=MEMORY)
    for word in ("me", "you"):
        process.send(word.encode())
    assert [process.receive() for _ in range(2)] == [b"Dear 5 me", b"Dear 5 you"]
    process.end()


def test_a_process_that_dies_gives_no_answer_and_says_how_it_ended() -> None:
    process = Process(answering, "Dear", 5, memory=MEMORY)
    assert asked(process, "die") is None
    assert asked(process, "me") is None
    assert process.end() == 3


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_only_the_parent_stops_a_process(stop: signal.Signals) -> None:
    process = Process(answering, "Dear", 5, memory=MEMORY)
    assert asked(process, "me")
    os.kill(process.pid, stop)
    assert asked(process, "you") == "Dear 5 you"
    assert os.getpgid(process.pid) == process.pid
    process.end()


def test_a_process_has_no_file_of_its_parent_and_leaves_signals_to_the_system(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    with (tmp_path / "own").open("w") as file:
        assert system.lock(file.fileno())
        process = Process(answering, "Dear", 5, memory=MEMORY)
        assert asked(process, "me")
    with (tmp_path / "own").open() as file:
        assert system.lock(file.fileno())
    os.kill(process.pid, signal.SIGUSR1)
    assert process.receive() is None
    assert process.end() == -signal.SIGUSR1
    signal.signal(signal.SIGUSR1, before)


def test_a_process_that_cannot_begin_ends_and_does_nothing_else(capfd: pytest.CaptureFixture[str]) -> None:
    process = Process(answering, "too", "many", "things", memory=MEMORY)
    assert asked(process, "me") is None
    assert process.end() in (1, -signal.SIGKILL)
    assert "TypeError" in capfd.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold to the limit")
def test_a_process_that_takes_too_much_memory_gets_a_memory_error() -> None:
    process = Process(answering, "Dear", 5, memory=MEMORY)
    assert asked(process, "remember") == "MemoryError"
    assert asked(process, "me") == "Dear 5 me"
    process.end()


def test_a_time_limit_ends_a_process_inside_compiled_code() -> None:
    process = Process(answering, "Dear", 5, memory=MEMORY)
    assert asked(process, "count") is None
    assert process.end() == -signal.SIGPROF


def test_a_new_interpreter_starts_where_a_fork_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(os, "fork", fail)
    process = Process(answering, "Dear", 5, memory=MEMORY)
    assert asked(process, "me") == "Dear 5 me"
    process.end()


def test_the_main_module_of_the_caller_is_not_run_again(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from sessions import answering\nfrom dehusk.base.processes import Process\nprint('once')\n"
        "process = Process(answering, 'Dear', 5, memory=500_000_000)\nprocess.send(b'me')\n"
        "print(process.receive().decode())\nprocess.end()\n"
    )
    places = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, script], env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "once\nDear 5 me\n"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")
def test_a_process_ends_with_its_parent_inside_compiled_code() -> None:
    words = (
        "import time; from sessions import answering; from dehusk.base.processes import Process; "
        "process = Process(answering, 'Dear', 5, memory=500_000_000); process.send(b'me'); process.receive(); "
        "process.send(b'count on'); print('begun', flush=True); time.sleep(1000)"
    )
    places = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    parent = subprocess.Popen(
        [sys.executable, "-c", words],
        env=os.environ | {"PYTHONPATH": places},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"begun\n"
    time.sleep(0.2)
    assert len(running(parent.pid)) == 2
    parent.kill()
    parent.communicate()
    end = time.monotonic() + 60
    while (left := running(parent.pid)) and time.monotonic() < end:
        time.sleep(0.01)
    assert left == set()


@pytest.mark.parametrize(
    ("memory", "count", "share"),
    [(64, 4, 12.0), (8, 8, PAGE_MEMORY / 1e9), (1, 1, 0.75), (1, 8, 0.75)],
)
def test_each_process_gets_a_share_of_the_memory_and_enough_for_a_page_if_available(
    monkeypatch: pytest.MonkeyPatch, memory: int, count: int, share: float
) -> None:
    monkeypatch.setattr(system, "memory", lambda: memory * 10**9)
    assert memory_share(count) == share * 1e9
