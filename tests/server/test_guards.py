"""Limits of requests: requests above a limit get an error and are released."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from dehusk.server import guards as limits
from dehusk.server.guards import Limited, Limits, Message, Receive, Scope, Send


@pytest.fixture(autouse=True)
def _nobody_waits_long_for_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DRAIN_SECONDS", 0.01)


@dataclass(slots=True)
class Route:
    """An application that answers when a test tells it to, and records requests."""

    go: asyncio.Event = field(default_factory=asyncio.Event)
    bodies: list[bytes] = field(default_factory=list)
    cancelled: int = 0

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Lets the application answer."""
        self.bodies.append((await receive())["body"])
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})


async def asked(
    app: Limited, *pieces: bytes, path: str = "/api/clean", headers: Sequence[tuple[bytes, bytes]] = ()
) -> tuple[int, dict[bytes, bytes], dict[str, str]]:
    """The status, headers and JSON of the answer to a request; without pieces, no body ever arrives."""
    messages: list[Message] = [
        {"type": "http.request", "body": piece, "more_body": number < len(pieces)}
        for number, piece in enumerate(pieces, 1)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        if not messages:
            await asyncio.Event().wait()
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await app({"type": "http", "path": path, "headers": headers}, receive, send)
    start, body = sent
    return start["status"], dict(start["headers"]), json.loads(body["body"])


def limited(route: Route, **most: float) -> Limited:
    return Limited(route, Limits(**most), lambda path: path != "/api/status")  # type: ignore[arg-type]


def test_requests_above_the_limit_are_refused_with_a_time_to_retry() -> None:
    async def run() -> None:
        route = Route()
        app = limited(route, at_once=2)
        working = [asyncio.create_task(asked(app, b"{}")) for _ in range(2)]
        await asyncio.sleep(0)
        status, headers, answer = await asked(app, b"{}")
        assert (status, headers[b"retry-after"]) == (503, b"1")
        assert "too many concurrent requests (the limit is 2)" in answer["error"]
        route.go.set()
        assert [status for status, _, _ in await asyncio.gather(*working)] == [200, 200]
        assert (await asked(app, b"{}"))[0] == 200

    asyncio.run(run())


def test_the_status_is_answered_even_if_the_service_is_busy() -> None:
    async def run() -> None:
        route = Route()
        app = limited(route, at_once=1)
        working = asyncio.create_task(asked(app, b"{}"))
        await asyncio.sleep(0)
        status = asyncio.create_task(asked(app, b"", path="/api/status"))
        await asyncio.sleep(0)
        route.go.set()
        assert ((await status)[0], (await working)[0]) == (200, 200)

    asyncio.run(run())


def test_a_request_that_takes_too_long_is_ended_and_frees_its_place() -> None:
    async def run() -> None:
        route = Route()
        app = limited(route, at_once=1, seconds=0.05)
        status, _, answer = await asked(app, b"{}")
        assert (status, route.cancelled) == (504, 1)
        assert "took longer than 0.05 s" in answer["error"]
        assert (await asked(app, b"{}"))[0] == 504  # not 503, which means that the service is busy

    asyncio.run(run())


def test_a_body_that_never_arrives_ends_with_the_time_limit() -> None:
    async def run() -> None:
        route = Route()
        assert (await asked(limited(route, seconds=0.05)))[0] == 504
        assert not route.bodies

    asyncio.run(run())


@pytest.mark.parametrize(("pieces", "status"), [((b"12345", b"67890"), 200), ((b"12345", b"678901"), 413)])
def test_a_body_is_measured_while_it_is_received(pieces: tuple[bytes, ...], status: int) -> None:
    async def run() -> None:
        route = Route()
        route.go.set()
        assert (await asked(limited(route, body=10), *pieces))[0] == status
        assert route.bodies == ([b"".join(pieces)] if status == 200 else [])

    asyncio.run(run())


@pytest.mark.parametrize("length", [b"11", b"9" * 400])
def test_a_body_that_declares_to_be_too_large_is_not_read(length: bytes) -> None:
    async def run() -> None:
        status, _, answer = await asked(limited(Route(), body=10), headers=[(b"content-length", length)])
        assert status == 413
        assert "give fewer pages" in answer["error"]

    asyncio.run(run())
