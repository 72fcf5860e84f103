"""The URLs of pages in a mirror, as HTTrack and wget write them: folders are named like hosts."""

import re

from dehusk.base.urls import normal, quoted

_NOTE = re.compile(rb"<!-- Mirrored from (\S{3,2000}) by HTTrack")
_LOOKED_AT = 4_096  # bytes at the start and the end of a page; HTTrack writes its note after <html>, and at the end
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]+(?::\d+)?|localhost(?::\d+)?", re.IGNORECASE)


def address_of(data: bytes, name: str, root: str) -> str | None:
    """Returns the URL of a page; None if neither HTTrack noted it nor a folder is a host.

    `name` is its path in the mirror, and `root` the name of the mirror's folder, which may be the host itself.
    """
    noted = _NOTE.search(data[:_LOOKED_AT]) or _NOTE.search(data[-_LOOKED_AT:])
    if noted:
        return normal(f"https://{noted[1].decode('utf-8', 'replace')}")
    first, _, rest = name.partition("/")
    host, path = (first, rest) if rest and _HOST.fullmatch(first) else (root, name)
    if not _HOST.fullmatch(host):
        return None
    path, query, asked = path.partition("?")
    return f"https://{host}/{'/'.join(map(quoted, path.split('/')))}{query}{asked}"
