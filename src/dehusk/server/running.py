"""Runs the service: its default files, its socket, its signals."""

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
from dehusk.server._connections import GRACE, MOST_CONNECTIONS, connection_class
from dehusk.server._journal import Journal
from dehusk.server.app import ServiceSettings, service
from dehusk.server.guards import Listening


def data_folder() -> Path:
    """The folder for the service's files, in the user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dehusk"


def private_store(path: Path | None, by: str | None = None) -> Path:
    """The path of the store, by default in the user's data folder. A new store is readable only by its owner."""
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


class _Server(uvicorn.Server):
    """A server that calls `listens` when it is ready, and exits normally on a stop signal."""

    def __init__(self, config: uvicorn.Config, listens: Callable[[], object]) -> None:
        super().__init__(config)
        self._listens = listens
        self.failed: Exception | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts and calls `listens`; stops if that fails."""
        await super().startup(sockets)
        try:
            self._listens()
        except (OSError, DehuskError) as error:
            self.failed, self.should_exit = error, True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stops gracefully at the first signal and at once at the second; restores the handlers afterwards."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(settings: ServiceSettings, listens: Callable[[Listening], object]) -> None:
    """Serves until stopped by a signal. Calls `listens` with the address when ready."""
    with closing(_bound(settings.listening)) as bound:
        listening = replace(settings.listening, port=bound.getsockname()[1])
        journal = Journal()
        app = service(replace(settings, listening=listening, journal=journal))
        config = uvicorn.Config(
            app,
            http=connection_class(settings.limits.seconds),
            ws="none",
            backlog=MOST_CONNECTIONS,  # also how many are accepted before the first is counted
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=int(settings.limits.seconds) + GRACE,
        )
        journal.listen()  # after the configuration, which sets levels
        server = _Server(config, lambda: listens(listening))
        server.run([bound])
        if server.failed is not None:
            raise server.failed


def check(listening: Listening) -> None:
    """Raises DehuskError if the address is not available: call it before learning, which may take long."""
    _bound(listening).close()


def _bound(listening: Listening) -> socket.socket:
    """A listening socket at this address."""
    try:
        return socket.create_server(
            (listening.host, listening.port), family=socket.AF_INET6 if ":" in listening.host else socket.AF_INET
        )
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        advice = (
            "dehusk serve may already be running; choose another --port" if taken else "choose another --host or --port"
        )
        why = reason(error).partition(" (while")[0]  # what follows repeats the address
        raise DehuskError(f"cannot listen on {listening.name}:{listening.port}: {why}; {advice}") from error
