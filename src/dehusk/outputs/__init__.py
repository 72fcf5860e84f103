"""Where results go, and in which formats.

A format has two halves. `encode` turns a cleaned page into a piece of the output, in the process that cleaned the page.
The output writes these pieces in the order of the pages.

A new format is a function `opened(form, target, **options)` in a file, and one line in `FORMATS`.
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
from dehusk.templates.chunks import OPTION as CHUNK_SIZE
from dehusk.templates.cleaned import Cleaned


class Encode(Protocol):
    """Turns a cleaned page into a piece of the output. Can be pickled and sent to other processes."""

    def __call__(self, cleaned: Cleaned, site: str, /) -> Any:
        """Returns the piece for this page."""


class Output(Protocol):
    """Writes pages one by one, each as a piece made by `encode`."""

    @property
    def encode(self) -> Encode:
        """The function that makes the pieces."""

    def write(self, page: Page, piece: Any) -> None:
        """Writes one page, whole or not at all."""

    def settle(self) -> int | None:
        """Flushes everything to the disk and returns the length of the output so far; None if it is not known now."""

    def close(self) -> None:
        """Finishes the output after the last page."""


STDOUT = "-"

_MARKDOWN = Option(
    "Markdown instead of text in rows: jsonl, json, csv, parquet and chunks", name="markdown", default=False
)
_CRAWL_NEXT = Option(
    "only the URLs that are worth fetching next, content and pagination first", name="crawl_next", default=False
)
_PARTS = Option("the parts of each page with their roles, too, in rows", name="parts", default=False)


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its file suffixes and options. Its module is imported on first use."""

    name: str
    module: str
    suffixes: tuple[str, ...]
    """File name suffixes. Files in a folder get the first one."""
    one_file: bool = True
    """Whether all pages go into one file. Otherwise each page has its own file in a folder."""
    options: tuple[Option, ...] = ()
    opens: str = "opened"
    """The function of the module that opens a file."""
    also: tuple[str, ...] = ()
    """Suffixes of other formats that its files may have if it is asked for by name."""
    internal: bool = False
    """Whether only other jobs write it, on the way to their own output. Users do not see it."""

    def opened(self, target: Target, **options: Any) -> AbstractContextManager[Output]:
        """Opens an output that writes this format to a file."""
        module = import_module(f"dehusk.outputs.{self.module}")
        opened: Callable[..., AbstractContextManager[Output]] = getattr(module, self.opens)
        return opened(self.name, target, **options)


FORMATS: Mapping[str, Format] = {
    form.name: form
    for form in (
        Format("text", "_folder", (".txt",), one_file=False),
        Format("markdown", "_folder", (".md",), one_file=False),
        Format("html", "_folder", (".html", ".htm"), one_file=False),
        Format("tei", "_folder", (".xml", ".tei"), one_file=False),
        Format("jsonl", "_jsonl", (".jsonl", ".jsonl.gz"), options=(_MARKDOWN, _PARTS)),
        Format("json", "_jsonl", (".json",), options=(_MARKDOWN, _PARTS), opens="opened_array"),
        Format("csv", "_jsonl", (".csv",), options=(_MARKDOWN, _PARTS), opens="opened_csv"),
        Format("parquet", "parquet", (".parquet",), options=(_MARKDOWN, _PARTS)),
        Format(
            "chunks", "_chunks", (".chunks",), options=(CHUNK_SIZE, _MARKDOWN), also=(".jsonl", ".jsonl.gz", ".parquet")
        ),
        Format("links", "_links", (".links",), options=(_CRAWL_NEXT,), also=(".jsonl", ".jsonl.gz", ".txt")),
        Format("records", "_records", (), internal=True),
        Format("items", "_records", (), internal=True),
        Format("wet", "warc", (".wet", ".wet.gz")),
        Format("warc", "warc", (".warc", ".warc.gz")),
    )
}
"""All formats, and the only place that lists them."""

CHOICES = {name: form for name, form in FORMATS.items() if not form.internal}
"""The formats that users choose from."""

OPTIONS = tuple(dict.fromkeys(option for form in FORMATS.values() for option in form.options))
"""The options of all formats."""

DEFAULT = "text"

_OTHER_FILES = frozenset(
    f".{suffix}"
    for words in (
        "doc docx epub mht mhtml mobi odp ods odt pdf ppt pptx rst rtf tex xhtml xls xlsx",
        "avro db feather husk log ndjson orc rss sqlite sqlite3 store toml tsv yaml yml",
        "7z bz2 gz jpeg jpg png rar svg tar tgz wacz xz zip zst",
    )
    for suffix in words.split()
)
"""Suffixes of files that are not written. A name with another suffix (`example.org`, `run.2`) is that of a folder."""


def chosen(path: str, form: str | None) -> str:
    """The format of an output: `form` if given, otherwise by suffix, otherwise text.

    Raises UsageError if `form` and the suffix disagree, or if a format of one file is to go into a folder. The suffix
    of an existing folder does not count.
    """
    if form is not None and form not in FORMATS:
        raise UsageError(f"unknown format {form!r}: choose one of {', '.join(CHOICES)}")
    said = None if path == STDOUT else _said(path)
    if said and not FORMATS[said].one_file and _is_folder(path):
        said = None
    if form and said and form != said and "".join(packing.suffixes(path)) not in FORMATS[form].also:
        raise UsageError(f"{path} is the name of a file in the format {said}, not {form}; change one of them")
    found = form or said or DEFAULT
    if FORMATS[found].one_file and path.endswith("/"):
        raise UsageError(f"{path} is the name of a folder, and {found} is one file; give the name of a file")
    return found


def _said(path: str) -> str | None:
    """The format by suffix, if there is one."""
    inside, packed = packing.suffixes(path)
    for form in CHOICES.values():
        if inside + packed in form.suffixes:
            return form.name
        if inside in form.suffixes:
            raise UsageError(f"{path}: {form.name} is not written as {packed}; choose {' or '.join(form.suffixes)}")
    if {inside, packed} & _OTHER_FILES and not _is_folder(path):
        known = " ".join(form.suffixes[0] for form in CHOICES.values())
        advice = f"choose one of {known}, or end the name of a folder with /"
        raise UsageError(f"{path}: {packed or inside} files are not written; {advice}")
    return None


def in_one_file(path: str, form: str) -> bool:
    """Whether all pages go into one file on disk. Such a job can be continued after it was stopped."""
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
    """Opens a folder with a file for each page, or a single file, depending on path and format; `-` is standard output.

    `names` are the names of the source's pages, if known; they resolve clashes between file names. `files` are the
    files of the source, which are never overwritten. `unfinished` is the file of a job that can be continued. `options`
    are those of the format.
    """
    chosen_format = FORMATS[form]
    declared = {option.name: option for option in chosen_format.options}
    for name, value in options.items():
        if name not in declared:
            raise UsageError(f"the format {form} has no option {name}; leave it out, or choose another format")
        declared[name].check(value)
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
    """Whether a path is a folder, even if it has a suffix."""
    return path.endswith("/") or Path(path).is_dir()
