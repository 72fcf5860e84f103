"""One page on an open stream, such as standard output."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import IO

from dehusk.files import writing
from dehusk.template import Cleaned


class Stream(AbstractContextManager["Stream"]):
    """Writes pages to a stream that somebody else opened and will close."""

    def __init__(self, stream: IO[str], render: Callable[[Cleaned], str]) -> None:
        self._stream = stream
        self._render = render

    def write(self, cleaned: Cleaned, *, site: str = "") -> None:  # noqa: ARG002  # a page on its own says it all
        """The page as it is rendered."""
        rendered = self._render(cleaned)
        with writing("to standard output"):
            self._stream.write(rendered)

    def __exit__(self, *exception: object) -> None:
        with writing("to standard output"):
            self._stream.flush()
