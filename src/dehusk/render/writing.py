"""How pages are written: one object for text, Markdown and HTML, whoever asks for them.

A new option is a field of `Writing`, which the command line, Python, the service and Spark then have, and the writer
that obeys it.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from dehusk.base.errors import UsageError, did_you_mean
from dehusk.base.options import Option, one_of
from dehusk.base.urls import on_the_web
from dehusk.page import Page
from dehusk.roles import Role


def _declared(default: Any, option: Option) -> Any:
    return field(default=default, metadata={"option": option})


def _roles(names: Iterable[str]) -> tuple[Role, ...]:
    """The roles of these names, in one order. Raises UsageError for one that is unknown."""
    if isinstance(names, str):
        raise UsageError(f"{names!r}: give a list of roles, such as [{names!r}]")
    asked = list(names)
    known = list(map(str, Role)) if asked else []
    for name in asked:
        if name not in known:
            meant = did_you_mean(str(name), known)
            raise UsageError(f"{name!r} is not a role; choose from {', '.join(known)}{meant}")
    return tuple(role for role in Role if role in asked)


def _is_address(text: str) -> bool:
    try:
        return on_the_web(text) and bool(urlsplit(text).hostname)
    except ValueError:  # such as half an IPv6 address
        return False


@dataclass(frozen=True, slots=True)
class Writing:
    """How pages are written. Checked when it is made, once for all pages of a job; can be sent to other processes."""

    keep: Collection[str] = _declared(
        (), Option("keep parts with this role, whatever was learned", one_of(Role), many=True, metavar="ROLE")
    )
    drop: Collection[str] = _declared(
        (), Option("drop parts with this role, whatever was learned", one_of(Role), many=True, metavar="ROLE")
    )
    base_url: str | None = _declared(
        None, Option("the address of the folder that pages without one are from: links become absolute", metavar="URL")
    )

    def __post_init__(self) -> None:
        for name in ("keep", "drop"):
            object.__setattr__(self, name, _roles(getattr(self, name)))
        for role in self.keep:
            if role in self.drop:
                raise UsageError(f"{role} is both to be kept and to be dropped; leave one of them out")
        if self.base_url is not None and not _is_address(self.base_url):
            raise UsageError(f"base_url={self.base_url!r}: not an address of the web; give one with http or https")

    def also(self, keep: Iterable[str], drop: Iterable[str]) -> "Writing":
        """The same with more roles to keep and to drop."""
        if not keep and not drop:
            return self
        return replace(self, keep=(*self.keep, *_roles(keep)), drop=(*self.drop, *_roles(drop)))

    def base_of(self, page: Page) -> str:
        """What the relative addresses of a page are relative to; "" where that is not known."""
        return page.base_from(urljoin(self.base_url, quote(page.name, errors="surrogatepass")) if self.base_url else "")


AS_LEARNED = Writing()
"""What is written if nobody asks for anything else."""

OPTIONS = tuple(replace(one.metadata["option"], name=one.name, default=one.default) for one in fields(Writing))
"""All that can be told about writing."""
