"""Addresses of pages: what is one, its host, and one spelling for the same page.

What is asked for on the web is parsed by the client that asks (`web.crawl`), which sends a path as it was written.
"""

from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

_PORTS = {"http": ":80", "https": ":443"}
_UNQUOTED = "!$&'()*+,;=:@"  # what may stand in a path as it is (RFC 3986)


def on_the_web(address: str) -> bool:
    """Whether a place is a URL that can be fetched, and not a file."""
    return address.lower().startswith(tuple(f"{scheme}://" for scheme in _PORTS))


def host(url: str | None) -> str:
    """The host of a URL; "" if it has none, or is not a URL."""
    try:
        return (urlsplit(url or "").hostname or "").rstrip(".")
    except ValueError:  # such as a bracket that does not close
        return ""


def normal(link: str, base: str = "") -> str | None:
    """A link as a whole URL, spelled alike for the same page: without fragment, user or usual port.

    None if it is not a URL of the web.
    """
    try:
        parts = urlsplit(urljoin(base, link.strip()))
        path = urljoin("/", parts.path or "/")  # a URL that was whole before still has its dots
    except ValueError:
        return None
    host = parts.netloc.rpartition("@")[2].lower()
    if parts.scheme not in _PORTS or not host:
        return None
    path = "/".join(quoted(unquoted(part)) for part in path.split("/"))
    return urlunsplit((parts.scheme, host.removesuffix(_PORTS[parts.scheme]), path, parts.query, ""))


def quoted(part: str) -> str:
    """One step of a path as a URL has it. File names need not be Unicode."""
    return quote(part, safe=_UNQUOTED, errors="surrogateescape")


def unquoted(part: str) -> str:
    """The opposite."""
    return unquote(part, errors="surrogateescape")
