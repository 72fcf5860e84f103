"""What stands before every route, in plain ASGI: limits of a request, and who may ask."""

import asyncio
import hmac
import os
import secrets
import stat
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from dehusk.base.errors import OutputError
from dehusk.base.files import reason
from dehusk.server._work import failure

DRAIN_BYTES, DRAIN_SECONDS = 100_000_000, 2.0
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

    body: int = 20_000_000
    """Bytes of a request: hundreds of pages."""
    seconds: float = 30.0
    """How long a request may take, from its first byte to its answer."""
    at_once: int = 8
    """Requests in work at once. More are refused, and told when to come again."""


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
            error = f"{self._busy} requests are in work, which is the limit; try again in a moment"
            await refuse(send, 503, error, (b"retry-after", b"1"))  # seconds
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
            larger = f"the request is larger than {self._limits.body // 1_000_000} MB; give fewer pages"
            await refuse(send, 413, larger, (b"connection", b"close"))
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
        async with asyncio.timeout(DRAIN_SECONDS):
            while more and size < DRAIN_BYTES:
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


EXTENSIONS = ("chrome-extension://", "moz-extension://")
"""Origins of the pages and scripts of browser extensions."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

PUBLIC = ("/", "/openapi.json", "/favicon.ico")
FILES = "/viewer/"
"""Paths that need no token: files of the package. All else does."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
VIEWER = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the viewer may do. The frames that it shows pages in inherit it: no page loads anything from anywhere."""


@dataclass(frozen=True, slots=True)
class TokenFile:
    """The file of the token. A running service reads it for each request, so a new token is good at once."""

    path: Path

    def token(self) -> str:
        """The token. It is made if there is none, or if others than its owner could read it."""
        try:
            with self.path.open(encoding="ascii") as file:
                shared = os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO)
                token = "" if shared and os.name == "posix" else file.read().strip()
        except FileNotFoundError:
            token = ""
        except (OSError, ValueError) as error:
            raise OutputError(f"cannot read the token in {self.path}: {error}; delete it") from error
        return token or self.renew()

    def renew(self) -> str:
        """A new token; the old one is good no more. Only the owner of the file can read it."""
        token = secrets.token_urlsafe(32)
        partial = self.path.with_name(f".{self.path.name}-{secrets.token_hex(6)}")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(token + "\n")
            partial.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                partial.unlink()
            raise OutputError(
                f"cannot write {self.path}: {reason(error)}; set XDG_DATA_HOME to a folder that you may write to"
            ) from error
        return token


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a service listens."""

    host: str
    port: int

    @property
    def name(self) -> str:
        """The host as URLs have it."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def anywhere(self) -> bool:
        """Whether it listens on all addresses of the machine."""
        try:
            return ip_address(self.host).is_unspecified
        except ValueError:
            return False

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{LOOPBACK[0] if self.anywhere else self.name}:{self.port}/"

    def is_for_us(self, host: str) -> bool:
        """Whether a Host header names the service.

        Where it listens on all addresses, any of them will do: only a name can lead somewhere else tomorrow.
        """
        name, colon, port = host.lower().rpartition(":")
        if not colon or port.endswith("]"):
            name, port = host.lower(), "80"
        if port != str(self.port):
            return False
        return name in (*LOOPBACK, self.name.lower()) or (self.anywhere and _is_address(name))


class Guarded:
    """An application that answers only those who may ask, with headers that bind the hands of a browser."""

    def __init__(self, app: App, listening: Listening, token: TokenFile) -> None:
        self._app = app
        self._listening = listening
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or says why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            return
        send = _sealed(send, scope["path"])
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if why := self._foreign(scope, headers):
            await refuse(send, 403, why)
            return
        try:
            known = _is_public(scope["path"]) or self._has_token(headers)
        except OutputError:
            await refuse(send, 500, "the file of the token is damaged; dehusk serve --new-token makes another one")
            return
        if not known:
            error = "the token is missing or wrong; dehusk serve prints it when it starts"
            await refuse(send, 401, error, (b"www-authenticate", b"Bearer"))
            return
        await self._app(scope, receive, send)

    def _foreign(self, scope: Scope, headers: Mapping[str, str]) -> str | None:
        """Why a request does not come from a program of this person; None if it may."""
        host = headers.get("host", "")
        if not self._listening.is_for_us(host):
            return f"this service is {self._listening.url}; use that address"
        names = [name for name, _ in scope["headers"]]
        if any(names.count(name) > 1 for name in (b"host", b"origin")):
            return "a request has one Host and one Origin; leave the others out"
        origin = headers.get("origin")
        if origin is not None:
            known = origin.startswith(EXTENSIONS) or origin.lower() == f"http://{host.lower()}"
            return None if known else "requests from web pages are refused; use the viewer or the extension"
        # A page of another site can send no token without an Origin. What needs none it may open, and not load.
        opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        other = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if other and _is_public(scope["path"]) and not opened:
            return "requests from web pages are refused; open the viewer by itself"
        return None

    def _has_token(self, headers: Mapping[str, str]) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(given.strip().encode(), self._token.token().encode())
        return right and scheme.lower() == "bearer"


def _is_public(path: str) -> bool:
    return path in PUBLIC or path.startswith(FILES)


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _sealed(send: Send, path: str) -> Send:
    """Sends with the headers that every response has."""
    policy = VIEWER if path == "/" or path.startswith(FILES) else NOTHING
    own = [*HEADERS, (b"content-security-policy", policy.encode())]

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return sealed
