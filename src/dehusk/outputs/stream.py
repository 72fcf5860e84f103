"""One file, piece after piece: lines of JSON, or a page on standard output."""

from typing import IO, TYPE_CHECKING

from dehusk.files import settled
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.outputs import Encode


class Stream:
    """Puts pieces into a file that somebody else opened and will close."""

    def __init__(self, file: IO[bytes], encode: "Encode") -> None:
        self.encode = encode
        self._file = file

    def write(self, page: Page, piece: bytes) -> None:  # noqa: ARG002  # the piece says it all
        """The page as it is encoded."""
        self._file.write(piece)

    def settle(self) -> int:
        """How long the file is."""
        return settled(self._file)

    def close(self) -> None:
        """Nothing comes behind the last piece."""
