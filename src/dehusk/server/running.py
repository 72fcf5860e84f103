"""Where a service has its files, and how it listens."""

import errno
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import uvicorn

from dehusk.base.errors import DehuskError, OutputError
from dehusk.base.files import reason, unwritable
from dehusk.jobs.store import Store
from dehusk.server.app import ServiceSettings, service
from dehusk.server.guards import Listening


def data_folder() -> Path:
    """The folder of the service, in the user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dehusk"


def private_store(path: Path | None, by: str | None = None) -> Path:
    """The store, by default that of the user. It is made if it is not there, and then only its owner can read it."""
    store_path = path or data_folder() / "dehusk.store"
    try:
        store_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        store_path.touch(0o600)
    except OSError as error:
        advice = "set XDG_DATA_HOME to a folder that you may write to"
        why = unwritable(error) if path else f"{reason(error)}; {advice}"
        raise OutputError(f"cannot write {store_path}: {why}") from error
    with Store(store_path, by=by) as store:
        store.make()
    return store_path


GRACE = 5
"""Seconds that a stop waits beyond the time limit of a request."""


class _Server(uvicorn.Server):
    """A server that tells when it listens, and for which a signal to stop is no failure."""

    def __init__(self, config: uvicorn.Config, listens: Callable[[], object]) -> None:
        super().__init__(config)
        self._listens = listens
        self.failed: Exception | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, and tells it. Where nobody can be told, it stops."""
        await super().startup(sockets)
        try:
            self._listens()
        except (OSError, DehuskError) as error:
            self.failed, self.should_exit = error, True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stops at the first signal, at once at the second; afterwards signals mean what they did before."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(settings: ServiceSettings, listens: Callable[[Listening], object]) -> None:
    """Serves until a signal says to stop. `listens` is told where, once it answers."""
    with closing(_bound(settings.listening)) as bound:
        listening = replace(settings.listening, port=bound.getsockname()[1])
        app = service(replace(settings, listening=listening))
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=int(settings.limits.seconds) + GRACE,
        )
        server = _Server(config, lambda: listens(listening))
        server.run([bound])
        if server.failed is not None:
            raise server.failed


def check(listening: Listening) -> None:
    """Raises DehuskError where nothing can listen there: better before much is learned than after it."""
    _bound(listening).close()


def _bound(listening: Listening) -> socket.socket:
    """A socket at this address."""
    try:
        return socket.create_server(
            (listening.host, listening.port), family=socket.AF_INET6 if ":" in listening.host else socket.AF_INET
        )
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        advice = "dehusk serve may run already; choose another --port" if taken else "choose another --host or --port"
        why = reason(error).partition(" (while")[0]  # what follows repeats the address
        raise DehuskError(f"cannot listen on {listening.name}:{listening.port}: {why}; {advice}") from error
