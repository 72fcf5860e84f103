"""Optional dependencies: a failed import says which extra to install."""

from collections.abc import Iterator
from contextlib import contextmanager

from dehusk.base.errors import UsageError


class MissingLibraryError(UsageError, ModuleNotFoundError):
    """A library of an extra is not installed. It is an ImportError, too, as programs expect of an import."""


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Turns a failed import of an optional dependency into an error that says which extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library == "dehusk":
            raise
        raise MissingLibraryError(
            f"{library} is not installed; run: pip install 'dehusk[{name}]'", name=library
        ) from None
