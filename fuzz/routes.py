"""The target `route`: one request of any bytes to the service, answered in this process."""

import asyncio
import atexit
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote

from dehusk.page import Page
from dehusk.server._work import LONGEST_ERROR, Reply, _reply
from dehusk.server.answers import QUESTIONS, Desk, ServiceFiles
from dehusk.server.app import STATUS, ServiceSettings, routes
from dehusk.server.guards import FILES, HEADERS, PUBLIC, App, Guarded, Limited, Limits, Listening, Message, TokenFile
from dehusk.server.snapshots import Snapshots
from promises import changed, holds, memory
from seeds import SITE, stored

_STATUSES = frozenset({200, 307, 400, 401, 403, 404, 405, 413, 422})
"""What the service may answer. 500, 503 and 504 are failures: it has nothing else to do, and enough room."""
_PORT, _TOKEN = 8377, "a-token-of-the-service"
_BODY = 100_000  # bytes of a request; twice as many as the fuzzer can give
_OURS = "e.example"
_SOME = {"html": SITE[0], "url": f"http://{_OURS}/0"}
_FIX = {"path": "body > footer", "keep": True, "scope": "family", "page": Page(SITE[0]).digest, "by": "a", "why": "b"}
_TRIED = {name: value for name, value in _FIX.items() if name not in ("by", "why")} | {"family": None}
BODIES: Mapping[str, object] = {
    "learn": {"pages": [_SOME, {"html": SITE[1], "name": "b"}], "site": "other.example", "update": True},
    "clean": {
        **_SOME,
        "site": _OURS,
        "format": "html",
        "keep": ["navigation"],
        "images": "drop",
        "base_url": "http://a/",
    },
    "chunks": {**_SOME, "site": _OURS, "size": 50, "format": "markdown", "drop": ["title"]},
    "links": {**_SOME, "site": _OURS, "base_url": "http://a/"},
    "check": {"pages": [_SOME], "site": _OURS},
    "table": {"pages": [{"html": html, "name": str(number)} for number, html in enumerate(SITE)], "rows": "pages"},
    "mark": {**_SOME, "method": "evidence", "grain": "nodes", "trial": [{"path": "body > nav", "keep": True}]},
    "candidates": {**_SOME, "limit": 3},
    "template": {**_SOME, "pages": [{"html": SITE[1], "url": f"http://{_OURS}/news"}], "save": False, "method": "etdm"},
    "diff": {"old": SITE[0], "new": SITE[1], "url": _SOME["url"], "site": _OURS},
    "visit": {**_SOME, "private": False},
    "edit": _FIX,
    "preview": _TRIED,
    "reach": _TRIED,
    "column": {"column": "title", "keep": True, "name": "heading", "by": "a", "why": "b"},
}
"""A good request of each route that has a body."""

_PATHS = (
    *((question.method, f"/api{question.path}", question.name) for question in QUESTIONS.values()),
    *(("GET", path, "") for path in (STATUS, *PUBLIC, f"{FILES}index.html", "/hello?nonce=" + "0" * 32, "")),
)
_METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH", "TRACE", "get", "X")
_HEADERS: tuple[Mapping[str, str], ...] = (
    {},
    {"authorization": ""},
    {"authorization": f"Bearer {_TOKEN}x"},
    {"authorization": f"Basic {_TOKEN}"},
    {"host": "rebound.example:8377"},
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:8377"},
    {"sec-fetch-site": "cross-site"},
    {"content-type": "text/plain"},
    {"content-type": "application/json; charset=utf-16"},
    {"content-length": "99999999999999999999"},
)
_REFUSED = frozenset({1, 2, 3, 4, 5, 6})  # of these headers, those that lack the token, or come from elsewhere


@dataclass(frozen=True, slots=True)
class Request:
    """A request, from bytes: route, method, headers, changes of the good body, and then its place and body as text."""

    method: str
    path: str
    query: bytes
    headers: Mapping[str, str]
    body: bytes
    refused: bool

    @classmethod
    def of(cls, data: bytes) -> "Request":
        """Bytes 0 to 3 choose; the first line after them is put into the path or after it; the rest is the body."""
        choice = data[:4].ljust(4, b"\0")
        usual, path, name = _PATHS[choice[0] % len(_PATHS)]
        method = _METHODS[choice[1] % len(_METHODS)] if choice[1] >= 128 else usual
        number = choice[2] % len(_HEADERS)
        line, _, body = data[4:].partition(b"\n")
        if choice[3] >= 128 and name in BODIES:  # a good body with odd values
            body = json.dumps(changed(json.loads(json.dumps(BODIES[name])), body)).encode()
        path = _filled(path, quote(line, safe="/?&=%+;"), given=bool(choice[3] & 1))
        place, _, query = path.partition("?")
        usual_ones = {"host": f"127.0.0.1:{_PORT}", "authorization": f"Bearer {_TOKEN}"}
        headers = {**usual_ones, "content-type": "application/json", **_HEADERS[number]}
        return cls(method, unquote(place), query.encode(), headers, body, number in _REFUSED)


def _filled(path: str, line: str, *, given: bool) -> str:
    """The path with its parameters: those of the store, or if `given` the line. The line is else added to the path."""
    known = {"{site}": _OURS, "{page}": Page(SITE[0]).digest, "{edit}": "0"}
    for name, value in known.items():
        path = path.replace(name, line.partition("?")[0].replace("/", "%2F") if given else value)
    return path if given else path + line


@dataclass(slots=True)
class Answer:
    """What the service sent."""

    status: int = 0
    headers: dict[bytes, bytes] = field(default_factory=dict)
    body: bytes = b""

    async def take(self, message: Message) -> None:
        """The `send` of ASGI."""
        if message["type"] == "http.response.start":
            holds("there is one answer", not self.status)
            self.status, self.headers = message["status"], dict(message["headers"])
        else:
            self.body += message["body"]


def route(data: bytes) -> None:
    """Any request: an answer that the schema has, one line for an error, nothing without the token."""
    request = Request.of(data)
    answer, asked = answered(request)
    holds(f"the status is one of ours, not {answer.status}", answer.status in _STATUSES)
    holds("security headers are there", all(answer.headers.get(name) for name, _ in HEADERS))
    public = request.path in PUBLIC or request.path.startswith(FILES)
    holds("only who may asks", not (request.refused and asked))
    holds("others are refused", answer.status in (401, 403) or not request.refused or public)
    if answer.status >= 400 and request.method != "HEAD":
        told = json.loads(answer.body)
        holds("an error is one line", list(told) == ["error"] and len(told["error"].splitlines()) == 1)
        holds("an error is short", len(told["error"]) <= LONGEST_ERROR)


def answered(request: Request) -> tuple[Answer, bool]:
    """The answer to a request, and whether it got as far as the workers."""
    service = _service()
    if service.asked and service.last not in ("GET", "HEAD"):  # what a request changes is not there for the next
        service.renew()
    service.last, service.asked = request.method, False
    return _loop().run_until_complete(_sent(request, service.app)), service.asked


async def _sent(request: Request, app: App) -> Answer:
    answer, left = Answer(), [request.body]

    async def receive() -> Message:
        return {"type": "http.request", "body": left.pop()} if left else {"type": "http.disconnect"}

    scope = {
        "type": "http", "method": request.method, "path": request.path, "raw_path": quote(request.path).encode(),
        "query_string": request.query, "root_path": "", "scheme": "http", "http_version": "1.1",
        "headers": [(name.encode(), value.encode()) for name, value in request.headers.items() if value],
        "server": ("127.0.0.1", _PORT), "client": ("127.0.0.1", 50000),
    }  # fmt: skip
    await app(scope, receive, answer.take)
    return answer


class _Service:
    """A service that knows one site. It is its own workers, without processes."""

    def __init__(self, folder: Path) -> None:
        self._files = ServiceFiles(folder / "sites.store", Snapshots(folder / "snapshots"))
        (folder / "token").touch(0o600)
        (folder / "token").write_text(_TOKEN)
        listening, token = Listening("127.0.0.1", _PORT), TokenFile(folder / "token")
        app = routes(ServiceSettings(self._files, listening, token, Limits(_BODY), 1))
        app.state.workers = self
        limited = Limited(app, Limits(_BODY), lambda path: path.startswith("/api/") and path != STATUS)
        self.app = Guarded(limited, listening, token)
        self.renew()

    def renew(self) -> None:
        """Forgets what requests have changed."""
        self._files.store.write_bytes(stored())
        self._files.snapshots.path.unlink(missing_ok=True)
        self._desk = Desk(self._files)
        self.last, self.asked = "", False

    async def ask(self, name: str, *question: object) -> Reply:
        """What the workers of the service answer."""
        self.asked = True
        reply = _reply(self._desk, name, question)
        holds(f"dehusk does not fail: {reply.trace}", not reply.trace)
        return reply


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@cache
def _service() -> _Service:
    folder = tempfile.TemporaryDirectory(dir=memory())
    atexit.register(folder.cleanup)
    return _Service(Path(folder.name))
