"""What a source or an output can be told, declared beside it, so that the command line need not know it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An option by its name in Python; the command line writes `--url-column` for `url_column`."""

    name: str
    help: str
    default: str | bool
    """What it is if it is not given. An option that is False by default is a switch."""
