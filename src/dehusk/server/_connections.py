"""Connections of the service: closed if they wait too long, and bounded in number. Neither needs a token to be reached.

A client without the token could otherwise open connections until no others are accepted.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 100
"""Maximum number of open connections. A browser opens 6, and only 8 requests are processed at once."""

IDLE_SECONDS = 10.0
"""How long a connection may wait for a whole request head, from its start or from the end of the last response."""

GRACE = 5
"""Seconds that a connection or a shutdown waits beyond the time limit of a request."""


class Connection(H11Protocol):
    """A connection with time limits of its own: bytes that arrive one by one do not extend them.

    If there are too many connections, the one that has waited longest for its client is closed, so that a client that
    sends its request at once is answered, however many others wait.
    """

    busy_seconds = 0.0
    """Maximum time from the head of a request to the end of its response; set by `connection_class`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._since = 0.0
        self._answered: object = None  # the last request whose time was limited

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Limits the time, and closes another connection if there are too many."""
        super().connection_made(transport)
        self._limit(IDLE_SECONDS)
        if len(self.connections) > MOST_CONNECTIONS:
            waiting = [one for one in self.connections if isinstance(one, Connection) and one.is_waiting]
            min(waiting, key=Connection.since, default=self).abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timer."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads data; a new request gets the time of a request."""
        super().data_received(data)
        self._note_request()

    def on_response_complete(self) -> None:
        """Waits for the next request, which may have been received already."""
        self._limit(IDLE_SECONDS)
        super().on_response_complete()
        self._note_request()

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for its client: to send a request, or to read more of the answer."""
        return self._is_idle or self.flow.write_paused

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def since(self) -> float:
        """When it began to wait, or to answer the last request, in the time of the event loop."""
        return self._since

    def abort(self) -> None:
        """Closes the connection at once."""
        self.connections.discard(self)  # not counted from now on: the event loop reports the loss later
        self.transport.abort()

    def _note_request(self) -> None:
        if self.cycle is not self._answered and not self._is_idle:
            self._answered = self.cycle
            self._limit(self.busy_seconds)

    def _limit(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.abort)
        self._since = self.loop.time()


def connection_class(seconds: float) -> type[Connection]:
    """Returns the connections of a service whose requests may take so long."""
    return type("Connection", (Connection,), {"busy_seconds": seconds + GRACE})
