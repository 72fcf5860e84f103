"""A page as text, Markdown or HTML: a file in a folder, or the only page of an output."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from dehusk.outputs.target import Stream, Target
from dehusk.templates.cleaned import Cleaned


@dataclass(frozen=True, slots=True)
class Rendered:
    """Makes a page into a file of text, Markdown or HTML."""

    form: str

    def __call__(self, cleaned: Cleaned, site: str, /) -> bytes:  # noqa: ARG002  # the URL says it
        """The file's content."""
        content: str = getattr(cleaned, self.form)
        return content.encode("utf-8", "backslashreplace")


@contextmanager
def opened(form: str, target: Target) -> Iterator[Stream]:
    """A file for one page."""
    with target.open(target.written) as file:
        yield Stream(file, Rendered(form))
