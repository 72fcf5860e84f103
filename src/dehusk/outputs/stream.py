"""One page on an open stream, such as standard output."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import IO

from dehusk.template import Cleaned


class Stream(AbstractContextManager["Stream"]):
    """Writes pages to a stream that somebody else opened and will close."""

    def __init__(self, stream: IO[str], render: Callable[[Cleaned], str]) -> None:
        self._stream = stream
        self._render = render

    def write(self, cleaned: Cleaned) -> None:
        """The page as it is rendered."""
        self._stream.write(self._render(cleaned))

    def __exit__(self, *exception: object) -> None:
        self._stream.flush()
