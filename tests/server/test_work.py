"""Requests in worker processes that hang, die or fail."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from dehusk.page import Page
from dehusk.server import _bodies as bodies
from dehusk.server import catalogue
from dehusk.server._work import LONGEST_ERROR, Workers, _reply, failure
from dehusk.server.answers import Desk, ServiceFiles
from dehusk.server.running import private_store
from dehusk.server.snapshots import Snapshots

PAGE = bodies.Clean(html="<main><p>One paragraph with enough words in it to be the content of a page.</main>")


@pytest.fixture
def place(tmp_path: Path) -> ServiceFiles:
    return ServiceFiles(private_store(tmp_path / "dehusk.store"), Snapshots(tmp_path / "snapshots"))


def working(place: ServiceFiles, test: Callable[[Workers], Coroutine[None, None, None]], most: int = 1) -> None:
    """Runs a test with some workers, which are stopped afterwards."""

    async def run() -> None:
        workers = Workers(place, most)
        try:
            await test(workers)
        finally:
            await workers.close()

    asyncio.run(run())


def processes(workers: Workers) -> list[int]:
    return [process.pid for process in workers._idle]


def test_a_process_answers_one_request_after_the_other(place: ServiceFiles) -> None:
    async def test(workers: Workers) -> None:
        first = await workers.ask("clean", PAGE)
        assert (first.status, json.loads(first.body)["text"]) == (200, PAGE.html[9:-7] + "\n")
        (worker,) = processes(workers)
        assert (await workers.ask("sites", "", 0, 10)).body == b"[]"
        assert processes(workers) == [worker]

    working(place, test)


def test_a_cancelled_request_ends_its_process_and_frees_its_place(place: ServiceFiles) -> None:
    async def test(workers: Workers) -> None:
        await workers.warm()
        (worker,) = processes(workers)
        os.kill(worker, signal.SIGSTOP)  # it will never answer
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(workers.ask("sites", "", 0, 10), 0.2)
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)
        assert (await workers.ask("sites", "", 0, 10)).status == 200

    working(place, test)


def test_a_process_that_dies_while_it_works_costs_one_answer(place: ServiceFiles) -> None:
    async def test(workers: Workers) -> None:
        await workers.warm()
        (worker,) = processes(workers)
        os.kill(worker, signal.SIGSTOP)
        asked = asyncio.create_task(workers.ask("sites", "", 0, 10))
        await asyncio.sleep(0.1)
        os.kill(worker, signal.SIGKILL)
        lost = await asked
        assert (lost.status, "ended" in json.loads(lost.body)["error"]) == (500, True)
        assert (await workers.ask("sites", "", 0, 10)).status == 200

    working(place, test)


def test_idle_processes_that_were_killed_are_replaced(place: ServiceFiles) -> None:
    async def test(workers: Workers) -> None:
        await asyncio.gather(workers.ask("sites", "", 0, 10), workers.ask("sites", "", 0, 10))
        killed = processes(workers)
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        for process in workers._idle:
            assert process.connection.poll(60)  # the system has closed its end
        assert [(await workers.ask("sites", "", 0, 10)).status for _ in range(3)] == [200] * 3
        assert not {*killed} & {*processes(workers)}

    working(place, test, most=2)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold to the limit")
def test_a_page_that_takes_too_much_memory_costs_one_answer(place: ServiceFiles) -> None:
    async def test() -> None:
        workers = Workers(place, 1, memory=150_000_000)
        hostile = bodies.MarkRequest(html="<p>a" * 250_000)
        lost = await workers.ask("mark", hostile)
        assert (lost.status, "too much memory" in json.loads(lost.body)["error"]) == (413, True)
        assert (await workers.ask("clean", PAGE)).status == 200
        await workers.close()

    asyncio.run(test())


def test_worker_processes_ignore_sigterm_and_sigint(place: ServiceFiles) -> None:
    async def test(workers: Workers) -> None:
        await workers.ask("sites", "", 0, 10)
        for one in (signal.SIGTERM, signal.SIGINT):
            os.kill(processes(workers)[0], one)
        assert (await workers.ask("sites", "", 0, 10)).status == 200

    working(place, test)


def test_no_more_processes_work_at_once_than_there_may_be(place: ServiceFiles) -> None:
    async def test(workers: Workers) -> None:
        replies = await asyncio.gather(*(workers.ask("clean", PAGE) for _ in range(6)))
        assert [reply.status for reply in replies] == [200] * 6
        assert len(processes(workers)) == 2

    working(place, test, most=2)


def test_an_internal_error_is_printed_once_and_costs_one_answer(
    place: ServiceFiles, capfd: pytest.CaptureFixture[str]
) -> None:
    async def test(workers: Workers) -> None:
        for _ in range(3):
            failed = await workers.ask("clean", None)
            assert (failed.status, json.loads(failed.body)["error"].count("\n")) == (500, 0)
        assert (await workers.ask("sites", "", 0, 10)).status == 200

    working(place, test)
    assert capfd.readouterr().err.count("AttributeError") == 1


def test_a_slow_page_does_not_block_others(place: ServiceFiles) -> None:
    async def test(workers: Workers) -> None:
        await asyncio.gather(workers.ask("sites", "", 0, 10), workers.ask("sites", "", 0, 10))
        os.kill(processes(workers)[-1], signal.SIGSTOP)  # the next one in the queue, which will never answer
        slow = asyncio.create_task(workers.ask("clean", PAGE))
        await asyncio.sleep(0)
        for _ in range(5):
            assert (await workers.ask("sites", "", 0, 10)).status == 200
        assert not slow.done()
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow

    working(place, test, most=2)


def test_a_page_whose_name_and_text_are_not_unicode_is_shown(place: ServiceFiles) -> None:
    page = Page(f"{PAGE.html}\ud800", name="caf\udce9.html")
    with catalogue.filling(catalogue.beside(place.store)) as filling:
        filling.add("fold\udcff", page)
    desk = Desk(place)
    desk.store.add([page], site=lambda _: "fold\udcff")
    (site,) = desk.store.sites()
    (listed,) = json.loads(_reply(desk, "pages", (site,)).body)["pages"]
    shown = _reply(desk, "page", (site, listed["id"]))
    assert shown.status == 200
    assert "caf\udce9.html" in json.loads(shown.body).values()


def test_an_error_that_quotes_a_client_at_length_is_cut() -> None:
    told = json.loads(failure(422, "no such field\n" * 10_000).body)["error"]
    assert len(told) == LONGEST_ERROR
    assert told.startswith("no such field no such")
