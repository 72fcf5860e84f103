"""URLs of pages: detecting, normalizing, quoting.

URLs to be fetched are parsed by the HTTP client instead (`web.crawl`), which sends the path as it was written.
"""

from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

_PORTS = {"http": ":80", "https": ":443"}
_UNQUOTED = "!$&'()*+,;=:@"  # allowed in a path without quoting (RFC 3986)


def on_the_web(address: str) -> bool:
    """Whether an address is an http or https URL, not a file name."""
    return address.lower().startswith(tuple(f"{scheme}://" for scheme in _PORTS))


def host(url: str | None) -> str:
    """The host of a URL; "" if it has none or is invalid."""
    try:
        return (urlsplit(url or "").hostname or "").rstrip(".")
    except ValueError:  # for example an unclosed bracket
        return ""


def normal(link: str, base: str = "") -> str | None:
    """The absolute, normalized URL of a link: without fragment, user and default port.

    None if it is not an http or https URL.
    """
    try:
        parts = urlsplit(urljoin(base, link.strip()))
        path = urljoin("/", parts.path or "/")  # urljoin keeps dot segments of absolute URLs; this removes them
    except ValueError:
        return None
    host = parts.netloc.rpartition("@")[2].lower()
    if parts.scheme not in _PORTS or not host:
        return None
    path = "/".join(quoted(unquoted(part)) for part in path.split("/"))
    return urlunsplit((parts.scheme, host.removesuffix(_PORTS[parts.scheme]), path, parts.query, ""))


def quoted(part: str) -> str:
    """Percent-encodes a path segment. Surrogates from file names that are not UTF-8 become their bytes."""
    return quote(part, safe=_UNQUOTED, errors="surrogateescape")


def unquoted(part: str) -> str:
    """Decodes a percent-encoded path segment."""
    return unquote(part, errors="surrogateescape")
