"""Names of files for pages: each page has its own, on every file system.

Some file systems do not tell capital letters from small ones, or keep some names for devices. So two names that differ
in case alone are the same name here, and a name that is kept for a device is changed.
"""

import hashlib
import os
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

# Bytes that a name may have: common file systems allow 255, and a clash may add some. A longer one gets `_SHORT`.
_LONGEST = 240
_SHORT = 200
_LONGEST_PATH = 800  # bytes of all steps: some systems allow 1,024 for these and the folder that they are in
_NO_HOST = "no-host"
_SAFE = "%~!$&'()+,;=@"
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}
)


def same(file: str) -> str:
    """What two names have in common that are one to some file system."""
    return unicodedata.normalize("NFC", file).casefold()


def file_names(names: Sequence[str], suffix: str) -> dict[str, str]:
    """A file for every page: its name with the new suffix, or its full old name and that where two would clash."""
    short = {name: _portable(PurePosixPath(name).with_suffix(suffix).as_posix(), suffix) for name in names}
    wanted = Counter(map(same, short.values()))
    folders = {same(above.as_posix()) for name in names for above in PurePosixPath(name).parents}
    files: dict[str, str] = {}
    taken = {file for file, pages in wanted.items() if pages == 1} - folders
    for name in names:
        file = short[name]
        if wanted[same(file)] > 1 or same(file) in folders:
            file = _portable(name + suffix, suffix)
            while same(file) in taken or same(file) in folders:
                file += suffix
            taken.add(same(file))
        files[name] = file
    return files


def page_file(url: str | None, name: str, suffix: str) -> str:
    """A file for a page that may have no URL."""
    return url_file(url or f"//{_NO_HOST}/{_quoted(name)}", suffix)


def url_file(url: str, suffix: str) -> str:
    """A file for the page at a URL: host and path, a hash for the query; different URLs have different files."""
    try:
        parts = urlsplit(url)
    except ValueError:  # not a URL
        parts = urlsplit(f"//{_NO_HOST}/{_quoted(url)}")
    steps = [_quoted(step, _SAFE) for step in parts.path.split("/") if step not in ("", ".", "..")]
    if not steps or parts.path.endswith("/"):
        steps.append("index")
    if parts.query:
        steps[-1] += f"-{hashlib.blake2b(parts.query.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"
    host = _quoted(parts.netloc.rpartition("@")[2])
    folders = [host if host.strip(".") else _NO_HOST, *steps[:-1]]
    # A folder with the suffix of files could be in the way of one, and some systems drop a dot at the end.
    folders = [f"{step}_" if step.lower().endswith((suffix, ".")) else step for step in folders]
    return _portable("/".join([*(short(step) for step in folders), steps[-1] + suffix]), suffix)


def short(name: str, suffix: str = "") -> str:
    """A name that is short enough for every file system; a hash replaces what is left out."""
    if len(os.fsencode(name)) <= _LONGEST:
        return name
    digest = hashlib.blake2b(os.fsencode(name), digest_size=16).hexdigest()
    start = os.fsdecode(os.fsencode(name)[:_SHORT]).encode("utf-8", "ignore").decode()
    return f"{start}-{digest}{suffix}"


def site_file(site: str, suffix: str) -> str:
    """A file for what belongs to a site, and to no other: a name that had to be changed has a sign that no site has."""
    name = _quoted(site)
    own = name and name == short(name) == _spared(name)
    return f"{name if own else '+' + (short(name) or 'no-site')}{suffix}"


def _portable(file: str, suffix: str) -> str:
    """The path with steps that every file system takes, and not too many of them."""
    *folders, last = file.split("/")
    steps = [*map(_spared, folders), _spared(short(last, suffix))]
    whole = "/".join(steps)
    if len(os.fsencode(whole)) <= _LONGEST_PATH or len(steps) < 3:
        return whole
    digest = hashlib.blake2b(os.fsencode(whole), digest_size=6).hexdigest()
    return "/".join([steps[0], f"long-{digest}", steps[-1]])


def _spared(step: str) -> str:
    """A step of a path that is no device, and does not lead up."""
    if step == "..":
        return ".._"
    stem, dot, rest = step.partition(".")
    return f"{stem}_{dot}{rest}" if stem.lower() in _DEVICES else step


def _quoted(text: str, safe: str = "") -> str:
    """A text as a URL has it. Half a character, which is no Unicode, counts as a character."""
    return quote(text, safe=safe, errors="surrogatepass")
