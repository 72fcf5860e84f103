"""A web server on loopback that sends exactly the responses of a test, valid or broken."""

import gzip
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Answer = bytes | Callable[[socket.socket], None]


def answer(body: str | bytes = b"", status: str = "200 OK", kind: str | None = "text/html", **headers: object) -> bytes:
    """A complete HTTP response. Keywords are additional headers; `Content_Length` replaces the right one."""
    data = body.encode() if isinstance(body, str) else body
    fields = {"Content-Length": len(data), **{name.replace("_", "-"): value for name, value in headers.items()}}
    if kind:
        fields["Content-Type"] = kind
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode() + data


def redirect(location: str) -> bytes:
    return answer(status="302 Found", Location=location)


def packed(body: str | bytes) -> bytes:
    return gzip.compress(body.encode() if isinstance(body, str) else body, 1)


def trickle(data: bytes, pause: float = 0.05) -> Callable[[socket.socket], None]:
    """Sends one byte at a time."""

    def send(connection: socket.socket) -> None:
        for byte in data:
            connection.sendall(bytes([byte]))
            time.sleep(pause)

    return send


class Server:
    """Responses by path, and a log of requests. Any other path is a 404."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.routes: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.times: list[float] = []
        self.headers: list[str] = []
        self.sent = 0

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """The URL of a path on this server."""
        return f"http://{host}:{self.port}{path}"

    @property
    def pages_asked(self) -> list[str]:
        """The requested paths, without robots.txt."""
        return [path for path in self.asked if path != "/robots.txt"]

    def endless(self, start: bytes, piece: bytes) -> Callable[[socket.socket], None]:
        """Sends the start, then repeats a piece until the client disconnects, and counts."""

        def send(connection: socket.socket) -> None:
            connection.sendall(start)
            while True:
                connection.sendall(piece)
                self.sent += len(piece)

        return send


@contextmanager
def serving() -> Iterator[Server]:
    """Runs a server while the context is open."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            data = b""
            while b"\r\n\r\n" not in data:
                piece = self.request.recv(65536)
                if not piece or piece[0] == 0x16:  # the start of a TLS handshake, which is not supported here
                    return
                data += piece
            server.times.append(time.monotonic())
            path = data.split(b" ", 2)[1].decode()
            server.asked.append(path)
            server.headers.append(data.decode())
            found = server.routes.get(path, answer("<p>nothing here", "404 Not Found"))
            try:
                if isinstance(found, bytes):
                    self.request.sendall(found)
                else:
                    found(self.request)
            except OSError:
                pass  # the client disconnected, as it should

    class Threads(socketserver.ThreadingTCPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 50

    with Threads(("127.0.0.1", 0), Handler) as threads:
        server = Server(threads.server_address[1])
        threading.Thread(target=threads.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        threads.shutdown()
