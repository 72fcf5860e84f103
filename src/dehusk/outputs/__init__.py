"""Where results go, and in which formats.

A format has two halves. Its `encode` makes a cleaned page into a piece of the output, in whatever process the page was
cleaned. Its output takes these pieces in the order of the pages, and only writes them.

A new format is one file with `opened(form, target, **options)`, and one line in `FORMATS`.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Protocol

from dehusk.base import packing
from dehusk.base.errors import UsageError
from dehusk.base.files import writing
from dehusk.base.options import Option
from dehusk.outputs._folder import FolderOutput, Rendered
from dehusk.outputs.target import NewFile, StandardOutput, Target, refuse_sources
from dehusk.page import Page
from dehusk.templates.cleaned import Cleaned


class Encode(Protocol):
    """Makes a cleaned page into a piece of the output. Can be pickled, to be sent to other processes."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> Any:
        """The piece of the output that is this page."""


class Output(Protocol):
    """Takes pages one by one, each as the piece that `encode` made of it."""

    @property
    def encode(self) -> Encode:
        """What makes the pieces."""

    def write(self, page: Page, piece: Any) -> None:
        """Writes one page, whole or not at all."""

    def settle(self) -> int | None:
        """Waits until all that is written is on the disk, and returns how much it is; None if that is not known now."""

    def close(self) -> None:
        """Writes what comes after the last page."""


STDOUT = "-"

_MARKDOWN = Option("Markdown instead of text in the rows of jsonl and parquet", name="markdown", default=False)
_PARTS = Option(
    "the parts of each page with their roles, too, in the rows of jsonl and parquet", name="parts", default=False
)


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the names of its files, and its options. Its module is imported when it is used."""

    name: str
    module: str
    suffixes: tuple[str, ...]
    """What the name of a file in this format ends with; the first is that of files in a folder."""
    one_file: bool = True
    """Whether all pages go into one file; else each page has its own, in a folder."""
    options: tuple[Option, ...] = ()

    def opened(self, target: Target, **options: Any) -> AbstractContextManager[Output]:
        """The output that writes this format to a file."""
        opened: Callable[..., AbstractContextManager[Output]] = import_module(f"dehusk.outputs.{self.module}").opened
        return opened(self.name, target, **options)


FORMATS: Mapping[str, Format] = {
    form.name: form
    for form in (
        Format("text", "_folder", (".txt",), one_file=False),
        Format("markdown", "_folder", (".md",), one_file=False),
        Format("html", "_folder", (".html", ".htm"), one_file=False),
        Format("jsonl", "_jsonl", (".jsonl", ".jsonl.gz"), options=(_MARKDOWN, _PARTS)),
        Format("parquet", "parquet", (".parquet",), options=(_MARKDOWN, _PARTS)),
        Format("wet", "warc", (".wet", ".wet.gz")),
        Format("warc", "warc", (".warc", ".warc.gz")),
    )
}
"""All formats, and the only place that lists them."""

OPTIONS = tuple(dict.fromkeys(option for form in FORMATS.values() for option in form.options))
"""The options of all formats."""

DEFAULT = "text"


def chosen(path: str, form: str | None) -> str:
    """The format of an output: the given one, else the one of the suffix of the place, else text.

    A given format that is not the one of the suffix is refused. A folder that exists is a folder, whatever its name.
    """
    if form is not None and form not in FORMATS:
        raise UsageError(f"unknown format {form!r}: choose one of {', '.join(FORMATS)}")
    said = None if path == STDOUT else _said(path)
    if said and not FORMATS[said].one_file and _is_folder(path):
        said = None
    if form and said and form != said:
        raise UsageError(f"{path} is the name of a file in the format {said}, not {form}; change one of them")
    return form or said or DEFAULT


def _said(path: str) -> str | None:
    """The format with this suffix, if there is one."""
    inside, packed = packing.suffixes(path)
    for form in FORMATS.values():
        if inside + packed in form.suffixes:
            return form.name
        if inside in form.suffixes:
            raise UsageError(f"{path}: {form.name} is not written as {packed}; choose {' or '.join(form.suffixes)}")
    return None


def in_one_file(path: str, form: str) -> bool:
    """Whether all pages go into one file on the disk. That takes long, so a job that was stopped continues it."""
    return path != STDOUT and FORMATS[form].one_file


@contextmanager
def open_output(
    path: str,
    form: str,
    *,
    names: Sequence[str] | None = None,
    files: Collection[Path] = (),
    unfinished: Target | None = None,
    stdout: IO[str] | None = None,
    **options: Any,
) -> Iterator[Output]:
    """A folder with a file for each page, or one file, as place and format say; `-` is standard output.

    `names` are those of the source's pages, where they are known: they decide where two pages would get the same file.
    `files` are the source's own, which are never written to. A job that can be continued gives what it has of a file
    in `unfinished`. `options` are those of the format.
    """
    chosen_format = FORMATS[form]
    for name in options.keys() - {option.name for option in chosen_format.options}:
        raise UsageError(f"the format {form} has no option {name}; leave it out, or choose another format")
    is_file = path == STDOUT or chosen_format.one_file or (_said(path) == form and not _is_folder(path))
    if not is_file:
        suffix = chosen_format.suffixes[0]
        with FolderOutput(Path(path), Rendered(form), suffix, names=names or (), sources=files) as folder:
            yield folder
        return
    if not chosen_format.one_file and (names is None or len(names) > 1):
        where = "on standard output" if path == STDOUT else f"into {path}"
        raise UsageError(f"many pages do not fit {where} as {form}; give a folder, or --format jsonl")
    target = unfinished or (StandardOutput(stdout or sys.stdout) if path == STDOUT else NewFile(Path(path)))
    if path != STDOUT:
        refuse_sources([Path(path)], files)
    with writing("to standard output" if path == STDOUT else path), chosen_format.opened(target, **options) as output:
        yield output
        output.close()


def _is_folder(path: str) -> bool:
    """Whether a place is a folder, whatever the end of its name says."""
    return path.endswith("/") or Path(path).is_dir()
