"""ASGI middleware in front of all routes: request limits, token and origin checks, security headers."""

import asyncio
import hmac
import os
import secrets
import stat
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any

from dehusk.base.errors import OutputError
from dehusk.base.files import reason
from dehusk.server._work import failure

DRAIN_BYTES, DRAIN_SECONDS = 100_000_000, 2.0
"""How much of a too large body to read, and for how long: many clients read no response before all is sent."""

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
"""The types of ASGI."""


class _TooLargeError(Exception):
    """The body is larger than allowed."""


class _GoneError(Exception):
    """The client has disconnected."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a service."""

    body: int = 20_000_000
    """Maximum bytes of a request, enough for hundreds of pages."""
    seconds: float = 30.0
    """Maximum time of a request, from its first byte to the response."""
    at_once: int = 8
    """Maximum number of concurrent requests. More get status 503 with Retry-After."""


class Limited:
    """Applies limits to an application. Requests whose path is not `limited` always pass."""

    def __init__(self, app: App, limits: Limits, limited: Callable[[str], bool]) -> None:
        self._app = app
        self._limits = limits
        self._limited = limited
        self._busy = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it with the limit that it exceeds."""
        if scope["type"] != "http" or not self._limited(scope["path"]):
            await self._app(scope, receive, send)
        elif self._busy >= self._limits.at_once:
            error = f"too many concurrent requests (the limit is {self._busy}); try again in a moment"
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
        """Reads the whole body, with or without Content-Length; never holds more than the limit in memory."""
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
    """Reads and discards the rest of a body, up to a limit."""
    size, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while more and size < DRAIN_BYTES:
                message = await receive()
                size, more = size + len(message.get("body", b"")), message.get("more_body", False)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body that was already read, then further messages."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


async def refuse(send: Send, status: int, error: str, *headers: tuple[bytes, bytes]) -> None:
    """Sends an error response; ignores a closed connection."""
    body = failure(status, error).body
    about = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *headers]
    with suppress(OSError):
        await send({"type": "http.response.start", "status": status, "headers": about})
        await send({"type": "http.response.body", "body": body})


EXTENSIONS = ("chrome-extension://", "moz-extension://")
"""Origins of the pages and scripts of browser extensions."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

PUBLIC = ("/", "/openapi.json", "/favicon.ico", "/hello")
FILES = "/viewer/"
"""Paths that need no token: files of the package, and a proof that the service knows it. All others need it."""

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
"""Content security policy of the viewer. The frames with pages inherit it, so that pages cannot load anything."""


@dataclass(frozen=True, slots=True)
class TokenFile:
    """The file of the token. The service reads it for each request, so a new token is valid at once."""

    path: Path

    def token(self) -> str:
        """Reads the token. Makes a new one if the file is missing, or if others than its owner can read it."""
        try:
            with self.path.open(encoding="ascii") as file:
                shared = os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO)
                token = "" if shared and os.name == "posix" else file.read().strip()
        except FileNotFoundError:
            token = ""
        except (OSError, ValueError) as error:
            raise OutputError(f"cannot read the token in {self.path}: {error}; delete it") from error
        return token or self.renew()

    def proof(self, address: str, nonce: str) -> str:
        """Proves that the service at an address knows the token, to a client that must not send it to another program.

        The address is the one that the client has reached, so another program cannot pass on the proof as its own.
        """
        return hmac.digest(self.token().encode(), f"dehusk {address} {nonce}".encode(), "sha256").hex()

    def renew(self) -> str:
        """Replaces the token with a new one and returns it. Only the owner of the file can read it."""
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
    """The host and port that a service listens on."""

    host: str
    port: int

    @property
    def name(self) -> str:
        """The host as in URLs: IPv6 addresses are in brackets."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def anywhere(self) -> bool:
        """Whether it listens on all addresses of the machine."""
        return (address := _address(self.host)) is not None and address.is_unspecified

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host == "localhost" or ((address := _address(self.host)) is not None and address.is_loopback)

    @property
    def url(self) -> str:
        """The URL to open."""
        return f"http://{LOOPBACK[0] if self.anywhere else self.name}:{self.port}/"

    def is_for_us(self, host: str) -> bool:
        """Whether a Host header names the service.

        If it listens on all addresses, any IP address is accepted. Host names are not: an attacker could rebind them.
        """
        name, colon, port = host.lower().rpartition(":")
        if not colon or port.endswith("]"):
            name, port = host.lower(), "80"
        if port != str(self.port):
            return False
        return name in (*LOOPBACK, self.name.lower()) or (self.anywhere and _address(name.strip("[]")) is not None)


class Guarded:
    """Protects an application: checks origin and token, and adds security headers to responses."""

    def __init__(self, app: App, listening: Listening, token: TokenFile) -> None:
        self._app = app
        self._listening = listening
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it with a reason."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # web sockets are not supported
            return
        send = _sealed(send, scope["path"])
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if why := self._foreign(scope, headers):
            await refuse(send, 403, why)
            return
        try:
            known = _is_public(scope["path"]) or self._has_token(headers)
        except OutputError:
            await refuse(send, 500, "the token file is damaged; make a new token with dehusk serve --new-token")
            return
        if not known:
            error = "the token is missing or wrong; dehusk serve prints it when it starts"
            await refuse(send, 401, error, (b"www-authenticate", b"Bearer"))
            return
        await self._app(scope, receive, send)

    def _foreign(self, scope: Scope, headers: Mapping[str, str]) -> str | None:
        """The reason to refuse a cross-origin request, or one for another host; None to accept it."""
        host = headers.get("host", "")
        if not self._listening.is_for_us(host):
            return f"wrong Host header; use {self._listening.url}"
        names = [name for name, _ in scope["headers"]]
        if any(names.count(name) > 1 for name in (b"host", b"origin")):
            return "duplicate Host or Origin header"
        origin = headers.get("origin")
        if origin is not None:
            known = origin.startswith(EXTENSIONS) or origin.lower() == f"http://{host.lower()}"
            return None if known else "cross-origin request refused; use the viewer or the extension"
        # A page of another site cannot send a token without an Origin. It may open public files, but not load them.
        opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        other = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if other and _is_public(scope["path"]) and not opened:
            return "cross-origin request refused; open the viewer directly"
        return None

    def _has_token(self, headers: Mapping[str, str]) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(given.strip().encode(), self._token.token().encode())
        return right and scheme.lower() == "bearer"


def _is_public(path: str) -> bool:
    return path in PUBLIC or path.startswith(FILES)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """The host as an IP address; None if it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _sealed(send: Send, path: str) -> Send:
    """A `send` that adds the security headers to each response."""
    policy = VIEWER if path == "/" or path.startswith(FILES) else NOTHING
    own = [*HEADERS, (b"content-security-policy", policy.encode())]

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return sealed
