"""Connections that wait, trickle or are too many."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
import uvicorn
from uvicorn.server import ServerState

from dehusk.server import _connections
from dehusk.server._connections import MOST_CONNECTIONS, connection_class
from dehusk.server.guards import Receive, Scope, Send
from served import running

SOON = 0.3
HEAD = b"GET /%s HTTP/1.1\r\nHost: a\r\n\r\n"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[bytes], Coroutine[None, None, Streams]]


async def app(scope: Scope, _: Receive, send: Send) -> None:
    """Answers at once, after a while, never, or with more than buffers take."""
    await asyncio.sleep({"/slow": 2 * SOON, "/never": 60.0}.get(scope["path"], 0))
    if scope["path"] == "/large":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(10_000_000), "more_body": True})
        await send({"type": "http.response.body"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def serving(test: Callable[[Connect], Coroutine[None, None, None]], most: int = MOST_CONNECTIONS) -> None:
    """Runs a test with a server on loopback whose connections wait only for a moment."""

    async def run() -> None:
        config, state = uvicorn.Config(app, log_config=None, lifespan="off"), ServerState()
        config.load()
        made = connection_class(4 * SOON - _connections.GRACE)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: made(config, state, {}, loop), "127.0.0.1", 0)
        kept: list[asyncio.StreamWriter] = []
        port = server.sockets[0].getsockname()[1]

        async def connect(data: bytes) -> Streams:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            kept.append(writer)  # a writer that is no longer used closes its connection
            return reader, writer

        await test(connect)
        server.close()
        for one in list(state.connections):
            one.transport.abort()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_connections, "IDLE_SECONDS", SOON)
        patched.setattr(_connections, "MOST_CONNECTIONS", most)
        asyncio.run(asyncio.wait_for(run(), 60))


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What is received until the connection is closed."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


@pytest.mark.parametrize(
    "data", [b"", b"GET / HT", HEAD[:-2] % b"", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9"]
)
def test_a_connection_that_sends_no_whole_request_is_closed(data: bytes) -> None:
    async def test(connect: Connect) -> None:
        reader, _ = await connect(data)
        assert await asyncio.wait_for(rest(reader), 20 * SOON) == b""

    serving(test)


def test_bytes_one_by_one_do_not_keep_a_connection_open() -> None:
    async def test(connect: Connect) -> None:
        reader, writer = await connect(b"")
        closed = asyncio.create_task(rest(reader))
        for byte in HEAD * 100:
            if closed.done():
                break
            writer.write(bytes([byte]))
            await asyncio.sleep(SOON / 3)
        assert closed.done()

    serving(test)


def test_a_connection_is_closed_after_its_answer_even_if_the_rest_of_the_body_comes_slowly() -> None:
    async def test(connect: Connect) -> None:
        reader, writer = await connect(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        closed = asyncio.create_task(rest(reader))
        for _ in range(100):
            if closed.done():
                break
            writer.write(b"a")
            await asyncio.sleep(SOON / 3)
        assert closed.done()
        assert closed.result().endswith(b"ok")

    serving(test)


def test_a_request_has_more_time_than_a_waiting_connection_and_a_limit_too() -> None:
    async def test(connect: Connect) -> None:
        (slow, _), (never, _) = await connect(HEAD % b"slow"), await connect(HEAD % b"never")
        answers = await asyncio.wait_for(asyncio.gather(rest(slow), rest(never)), 40 * SOON)
        assert [answer.endswith(b"ok") for answer in answers] == [True, False]

    serving(test)


def test_a_connection_is_used_for_several_requests() -> None:
    async def test(connect: Connect) -> None:
        reader, writer = await connect(HEAD % b"slow" * 2)
        for _ in range(2):
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(HEAD % b"")
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    serving(test)


def test_the_connection_that_has_waited_longest_is_closed_if_there_are_too_many() -> None:
    async def test(connect: Connect) -> None:
        working, _ = await connect(HEAD % b"slow")
        await asyncio.sleep(SOON / 10)
        waiting = [(await connect(b""))[0] for _ in range(3)]
        await asyncio.sleep(SOON / 10)
        assert not any(reader.at_eof() for reader in waiting)
        served, _ = await connect(HEAD % b"")
        assert (await served.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        assert await asyncio.wait_for(rest(waiting[0]), SOON) == b""
        assert (await working.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    serving(test, most=4)


def test_clients_that_do_not_read_their_answers_do_not_keep_others_out() -> None:
    async def test(connect: Connect) -> None:
        unread = [(await connect(HEAD % b"large"))[0] for _ in range(4)]
        for reader in unread:
            assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 200")
        working, _ = await connect(HEAD % b"slow")
        served, _ = await connect(HEAD % b"")
        for reader in (served, working):
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")

    serving(test, most=4)


def test_a_service_answers_however_many_connections_wait_and_prints_nothing(tmp_path: Path) -> None:
    with running(tmp_path, "-q") as service:
        waiting = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(3 * MOST_CONNECTIONS)]
        assert service.ask("GET", "/api/status")[0] == 200
        assert sum(map(is_open, waiting)) < MOST_CONNECTIONS
        for one in waiting:
            one.close()
        assert service.ask("GET", "/api/status")[0] == 200
        service.process.terminate()
        assert service.process.communicate(timeout=60) == ("", "")


def is_open(client: socket.socket) -> bool:
    """Whether the server has not closed a connection."""
    client.settimeout(0.01)
    try:
        return bool(client.recv(1))
    except TimeoutError:
        return True
    except ConnectionError:
        return False
