"""A view of a file: a part of it, or the file with other bytes at some places."""

from io import SEEK_CUR, SEEK_END, SEEK_SET, RawIOBase
from pathlib import Path


class FileView(RawIOBase):
    """Opens a file and moves over it, or over fewer bytes if a subclass says so. Subclasses define `readinto`."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._length = self._file.seek(0, SEEK_END)
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, position: int, whence: int = SEEK_SET) -> int:
        self._at = position + {SEEK_SET: 0, SEEK_CUR: self._at, SEEK_END: self._length}[whence]
        return self._at

    def close(self) -> None:
        self._file.close()
        super().close()
