"""A folder that mirrors the names of the pages, one file each."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath

from dehusk.errors import OutputError
from dehusk.files import reason, written_whole
from dehusk.template import Cleaned


class Folder(AbstractContextManager["Folder"]):
    """Writes `a/b.html` to `a/b.txt` below the folder, whole or not at all."""

    def __init__(self, root: Path, suffix: str, render: Callable[[Cleaned], str], names: Sequence[str]) -> None:
        self._root = root
        self._render = render
        self._files = file_names(names, suffix)
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot write to {root}: {reason(error)}") from error

    def write(self, cleaned: Cleaned) -> None:
        """The page as it is rendered, in a file of its own."""
        rendered = self._render(cleaned)
        with written_whole(self._root / self._files[cleaned.page.name]) as file:
            file.write(rendered)

    def __exit__(self, *exception: object) -> None:
        return None


def file_names(names: Sequence[str], suffix: str) -> dict[str, str]:
    """A file for every page: its name with the new suffix, behind its full old name where two would clash."""
    short = {name: PurePosixPath(name).with_suffix(suffix).as_posix() for name in names}
    wanted = Counter(short.values())
    folders = {above.as_posix() for name in names for above in PurePosixPath(name).parents}
    files: dict[str, str] = {}
    taken = {file for file, pages in wanted.items() if pages == 1} - folders
    for name in names:
        file = short[name]
        if wanted[file] > 1 or file in folders:
            file = name + suffix
            while file in taken or file in folders:
                file += suffix
            taken.add(file)
        files[name] = file
    return files
