"""What a request may take: how large it is, how long it takes, and how many there are at once."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dehusk.server._work import failure

BODY = 20_000_000
"""Bytes of a request: hundreds of pages."""

SECONDS = 30.0
"""How long a request may take, from its first byte to its answer."""

AT_ONCE = 8
"""Requests in work at once. More are sent away, and told when to come again."""

RETRY = 1
"""Seconds after which to come again."""

DRAINED, PATIENCE = 100_000_000, 2.0
"""Bytes of a body that is too large to take in, and for how long: many clients read no answer before all is sent."""

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
"""An application and what it is called with, as ASGI has them."""


class _TooLargeError(Exception):
    """A body that is larger than allowed."""


class _GoneError(Exception):
    """Whoever asked is gone."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a service."""

    body: int = BODY
    seconds: float = SECONDS
    at_once: int = AT_ONCE


class Limited:
    """An application behind limits. What is not `limited` by its path is answered in any case."""

    def __init__(self, app: App, limits: Limits, limited: Callable[[str], bool]) -> None:
        self._app = app
        self._limits = limits
        self._limited = limited
        self._busy = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or says which limit it went over."""
        if scope["type"] != "http" or not self._limited(scope["path"]):
            await self._app(scope, receive, send)
        elif self._busy >= self._limits.at_once:
            await refuse(
                send,
                503,
                f"{self._busy} requests are in work, which is the limit; try again in a moment",
                (b"retry-after", b"%d" % RETRY),
            )
        else:
            self._busy += 1
            try:
                await self._in_time(scope, receive, send)
            finally:
                self._busy -= 1

    async def _in_time(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            async with asyncio.timeout(self._limits.seconds):
                body = await self._body(scope, receive)
                await self._app(scope, _replayed(body, receive), noted)
        except _GoneError:
            return
        except _TooLargeError:
            await _drained(receive)
            most = self._limits.body // 1_000_000
            await refuse(
                send, 413, f"the request is larger than {most} MB; give fewer pages", (b"connection", b"close")
            )
        except TimeoutError:
            if begun:
                raise
            await refuse(send, 504, f"took longer than {self._limits.seconds:g} s; give fewer or smaller pages")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body, whether or not it says how long it is; no more than the limit is ever held."""
        said = dict(scope["headers"]).get(b"content-length", b"")
        if said.isdigit() and int(said) > self._limits.body:
            raise _TooLargeError
        pieces: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _GoneError
            pieces.append(message.get("body", b""))
            size, more = size + len(pieces[-1]), message.get("more_body", False)
            if size > self._limits.body:
                raise _TooLargeError
        return b"".join(pieces)


async def _drained(receive: Receive) -> None:
    """Takes in the rest of a body, up to a bound, and forgets it."""
    size, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while more and size < DRAINED:
                message = await receive()
                size, more = size + len(message.get("body", b"")), message.get("more_body", False)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read, and then what comes after it."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


async def refuse(send: Send, status: int, error: str, *headers: tuple[bytes, bytes]) -> None:
    """Answers with an error. Whoever asked may be gone by then."""
    body = failure(status, error).body
    about = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *headers]
    with suppress(OSError):
        await send({"type": "http.response.start", "status": status, "headers": about})
        await send({"type": "http.response.body", "body": body})
