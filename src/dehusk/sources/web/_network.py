"""HTTP requests: to public addresses only, with limits on bytes and seconds."""

import ipaddress
import re
import socket
import ssl
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from typing import Any, NoReturn

import httpcore
import httpx

from dehusk.base.errors import TOO_LARGE
from dehusk.sources.web.bodies import BodyError, decompressed

_HTML = ("text/html", "application/xhtml+xml")
_ERROR_NUMBER = re.compile(r"^\[[^\]]*\] ")
_REDIRECTS = (301, 302, 303, 307, 308)
# Global unicast addresses (RFC 4291), and the exceptions among them: IANA's special-purpose registries as of 2025.
# Addresses that embed an IPv4 address (6to4, Teredo, NAT64) are excluded, since they could stand for 127.0.0.1.
_UNICAST = [ipaddress.ip_network(name) for name in ("0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3", "2000::/3")]
_SPECIAL = [
    ipaddress.ip_network(name)
    for name in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
        *("192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
]


class Refused(Exception):  # noqa: N818  # half of them are our refusals, not errors
    """A URL was not fetched. The message is the reason, without the URL."""


class Unreachable(Refused):
    """No server: no such host, no connection, or an address that is not allowed."""


class BadStatus(Refused):
    """The server answered with an error status."""

    def __init__(self, status: int, headers: httpx.Headers) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        after = headers.get("retry-after", "")
        self.retry_after = float(after) if after.isdecimal() and status in (429, 503) else 0.0

    @property
    def missing(self) -> bool:
        """Whether the server has no such page. Status 429 (too many requests) does not mean that."""
        return 400 <= self.status < 500 and self.status != 429


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: the decoded body, the headers as received, and an id and a date for the WARC record."""

    url: str
    status: int
    headers: httpx.Headers
    body: bytes = b""
    record: str = field(default_factory=lambda: f"<urn:uuid:{uuid.uuid4()}>")
    date: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))

    @property
    def redirect(self) -> str | None:
        """The target of a redirect, if it is one."""
        return self.headers.get("location") if self.status in _REDIRECTS else None

    @property
    def charset(self) -> str | None:
        """The charset that the server declares."""
        return _content_type(self.headers)[1]


class Network:
    """Sends requests. Each uses a new connection, so every address is checked and no response can affect the next.

    `timeout` is how long a server may be silent, `max_seconds` how long the whole response may take.
    """

    def __init__(self, *, user_agent: str, timeout: float, max_seconds: float, allow_private: bool) -> None:
        self._headers: dict[bytes | str, bytes | str] = {
            "User-Agent": user_agent,
            "Accept": "text/html, application/xhtml+xml, */*;q=0.1",
            "Accept-Encoding": "gzip",
        }
        self._timeout, self._max_seconds = timeout, max_seconds
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(trust_env=False),
            max_keepalive_connections=0,
            network_backend=_Guard(allow_private=allow_private, max_seconds=max_seconds),
        )

    def close(self) -> None:
        """Closes all connections."""
        self._pool.close()

    def get(self, url: httpx.URL, *, max_bytes: int, html: bool = False) -> Answer:
        """Sends one request; redirects are returned, not followed. With `html`, other content types are refused."""
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), self._timeout)
        limit = _Limit(self._max_seconds)
        try:
            with self._pool.stream("GET", target, headers=self._headers, extensions={"timeout": timeouts}) as response:
                answer = Answer(str(url), response.status, httpx.Headers(response.headers))
                if answer.redirect:
                    return answer
                if not 200 <= answer.status < 300:
                    raise BadStatus(answer.status, answer.headers)
                media_type = _content_type(answer.headers)[0]
                if html and media_type and media_type not in _HTML:
                    raise Refused(f"not HTML ({media_type})")
                body = _read(response.iter_stream(), answer.headers, max_bytes, limit)
                return Answer(answer.url, answer.status, answer.headers, body)
        except httpcore.TimeoutException as error:
            raise Refused(f"no answer within {self._timeout:g} s") from error
        except httpcore.ConnectError as error:
            raise Unreachable(f"cannot connect: {_words(error)}") from error
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise Refused(f"broken answer: {_words(error)}") from error


def is_public(address: str) -> bool:
    """Whether an address is public: reachable from the whole internet, and with no other address embedded in it."""
    ip = ipaddress.ip_address(address)
    if getattr(ip, "scope_id", None):  # belongs to an interface of this machine
        return False
    return any(ip in network for network in _UNICAST) and not any(ip in network for network in _SPECIAL)


def _read(pieces: Iterable[bytes], headers: httpx.Headers, max_bytes: int, limit: "_Limit") -> bytes:
    """The whole body, decoded. The limits hold for reading and for decoding."""
    claimed = headers.get("content-length", "")
    if claimed.isdecimal() and int(claimed) > max_bytes:
        raise Refused(TOO_LARGE)
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > max_bytes:
            raise Refused(TOO_LARGE)
    try:
        encodings = headers.get("content-encoding", "").split(",")
        return decompressed(bytes(body), encodings, max_bytes, before_each=limit.check)
    except BodyError as error:
        raise Refused(str(error)) from error


def _content_type(headers: httpx.Headers) -> tuple[str | None, str | None]:
    """The declared content type and charset."""
    if not headers.get("content-type", "").strip():
        return None, None
    message = Message()
    message["Content-Type"] = headers["content-type"]
    return message.get_content_type(), message.get_content_charset()


def _words(error: Exception) -> str:
    """The message of an exception on one line, without the error number of the operating system."""
    return _ERROR_NUMBER.sub("", " ".join(str(error).split())) or type(error).__name__


class _Guard(httpcore.NetworkBackend):
    """Connects to the same address that it checked, so that a second DNS answer cannot lead elsewhere."""

    def __init__(self, *, allow_private: bool, max_seconds: float) -> None:
        self._allow_private = allow_private
        self._max_seconds = max_seconds
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connects to the first address of the host that is allowed and answers."""
        limit = _Limit(self._max_seconds)
        failure: httpcore.ConnectError | None = None
        for address in self._allowed(host, port):
            try:
                stream = self._backend.connect_tcp(
                    address, port, limit.left(timeout), local_address, socket_options or ()
                )
            except httpcore.ConnectError as error:
                failure = error
            else:
                return _Limited(stream, limit)
        raise failure or Unreachable(f"host not found: {host}")

    def _allowed(self, host: str, port: int) -> list[str]:
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError, OverflowError) as error:
            raise Unreachable(f"host not found: {host}") from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
        allowed = [address for address in addresses if self._allow_private or is_public(address)]
        if addresses and not allowed:
            raise Unreachable(f"{addresses[0]} is not a public address; --allow-private permits it")
        return allowed


class _Limit:
    """The time left for one response."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self, timeout: float | None) -> float:
        """How long the next step may take."""
        left = self._end - time.monotonic()
        if left <= 0:
            self.over()
        return left if timeout is None else min(timeout, left)

    def check(self) -> None:
        """Raises Refused if the time for the whole response is over."""
        if time.monotonic() >= self._end:
            self.over()

    def over(self) -> NoReturn:
        raise Refused(f"took longer than {self._seconds:g} s")


class _Limited(httpcore.NetworkStream):
    """A connection that ends when its time is over, even if bytes still arrive."""

    def __init__(self, stream: httpcore.NetworkStream, limit: _Limit) -> None:
        self._stream = stream
        self._limit = limit

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Reads at most this many bytes."""
        try:
            return self._stream.read(max_bytes, self._limit.left(timeout))
        except httpcore.ReadTimeout:
            self._limit.check()
            raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Writes all bytes."""
        self._stream.write(buffer, self._limit.left(timeout))

    def close(self) -> None:
        """Closes the connection."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Encrypts the connection. The same time limit applies."""
        return _Limited(self._stream.start_tls(ssl_context, server_hostname, self._limit.left(timeout)), self._limit)

    def get_extra_info(self, info: str) -> Any:
        """Information about the connection."""
        return self._stream.get_extra_info(info)
