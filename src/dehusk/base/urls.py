"""URLs of pages: detecting, splitting, joining, normalizing, quoting.

Pages, headers and files may give anything as a URL, and the standard library raises ValueError for some of it, such as
`http://[`. So `split` and `joined` are the only places that call it; the linter refuses it elsewhere in the package.
URLs to be fetched are parsed by the HTTP client instead (`web.crawl`), which sends the path as it was written.
"""

from base64 import b64encode
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit  # noqa: TID251

_PORTS = {"http": ":80", "https": ":443"}
_UNQUOTED = "!$&'()*+,;=:@"  # allowed in a path without quoting (RFC 3986)


def on_the_web(address: str) -> bool:
    """Whether an address is an http or https URL, not a file name."""
    return address.lower().startswith(tuple(f"{scheme}://" for scheme in _PORTS))


def host(url: str | None) -> str:
    """The host of a URL; "" if it has none or is invalid."""
    parts = split(url or "")
    return ((parts.hostname if parts else None) or "").rstrip(".")


def split(url: str) -> SplitResult | None:
    """The parts of a URL; None if it is not a URL, for example because of an unclosed bracket."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def path_of(url: str) -> str:
    """The path of a URL; "" if it is not a URL."""
    parts = split(url)
    return parts.path if parts else ""


def joined(base: str, link: str) -> str | None:
    """The absolute URL of a link; None if one of the two is not a URL."""
    try:
        return urljoin(base, link)
    except ValueError:
        return None


def normal(link: str, base: str = "") -> str | None:
    """The absolute, normalized URL of a link: without fragment, user and default port.

    None if it is not an http or https URL.
    """
    whole = joined(base, link.strip())
    parts = None if whole is None else split(whole)
    if parts is None:
        return None
    host = parts.netloc.rpartition("@")[2].lower()
    if parts.scheme not in _PORTS or not host:
        return None
    steps = _without_dots([unquoted(step) for step in parts.path.split("/")[1:]])
    try:
        path = "/" + "/".join(map(quoted, steps))
    except UnicodeEncodeError:  # half a character, as JSON may have
        return None
    return urlunsplit((parts.scheme, host.removesuffix(_PORTS[parts.scheme]), path, parts.query, ""))


def _without_dots(steps: list[str]) -> list[str]:
    """The steps of a path without `.` and `..` (RFC 3986, 5.2.4). Joining keeps those of absolute URLs."""
    found: list[str] = []
    for step in steps:
        if step == "..":
            found[-1:] = []
        elif step != ".":
            found.append(step)
    return [*found, ""] if steps[-1:] in (["."], [".."]) else found


def quoted(part: str) -> str:
    """Percent-encodes a path segment. Surrogates from file names that are not UTF-8 become their bytes."""
    return quote(part, safe=_UNQUOTED, errors="surrogateescape")


def unquoted(part: str) -> str:
    """Decodes a percent-encoded path segment."""
    return unquote(part, errors="surrogateescape")


PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}
"""The media types of pictures that browsers show, by the suffixes of their files."""


def data_url(media_type: str, data: bytes) -> str:
    """Returns a URL that holds the data itself."""
    return f"data:{media_type};base64,{b64encode(data).decode()}"
