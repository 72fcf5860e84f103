"""The seeds of fuzzing: small pages, archives, tables and stores."""

import gzip
import io
import json
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from dehusk.jobs.store import Store
from dehusk.methods import METHODS
from dehusk.page import Page
from pages import END, PIECES

_FRAME = (
    "<html><head><title>%s - Harbour</title><meta charset=utf-8></head><body><nav class=menu><ul><li><a href=/>Home</a>"
    "<li><a href=/news>News</a></ul></nav><div id=content><h1>%s</h1><p>%s</p><table><tr><th>Tide<td>%d</table></div>"
    "<footer>Harbour office, open every day. <a href=/legal>Legal notice</a></footer></body></html>"
)
_NEWS = ("The ferry sails again", "A seal on the quay", "Storm warning for Friday", "New lamps for the pier")
SITE = tuple(
    _FRAME % (title, title, f"{title}, said the harbour master, and nobody was surprised. " * 3, number)
    for number, title in enumerate(_NEWS)
)
"""The pages of a small site."""

_SMALL = [
    f"<nav><a href=/>Home</a></nav><h1>{title}</h1><p>{title}, said the master.</p><footer>Harbour</footer>".encode()
    for title in _NEWS[:2]
]

_ODD_PAGES = (
    "", "<", "plain text", "<p>a<p>b", "<table><tr><td>a<td>b<tr><td rowspan=2>c</table>",
    "<ul><li>a<ul><li>b</ul></ul>",
    "<pre>a\n  b</pre><code>`</code>", "<script>var a = '</p>'</script><noscript>Please</noscript>",
    "<svg><title>t</title></svg><math><mi>x</mi></math>", "<a href='x'>a <b>b</b></a><img src=a.png alt=a>",
    "<dl><dt>Price<dd>3</dl><blockquote>q</blockquote>", "<iframe/><textarea/><p>after</p>", "<b><i></b></i>",
    "<div hidden>h</div><details><summary>s</summary>d</details>", "&#0;&nbsp;&amp;&bogus;&#xD800;",
)  # fmt: skip


def record(url: str, block: bytes, *, length: int | None = None) -> bytes:
    """One record of a WARC."""
    size = len(block) if length is None else length
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {size}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def answer(body: bytes, headers: str = "") -> bytes:
    """A response of a server."""
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n".encode() + body


@cache
def stored() -> bytes:
    """The bytes of a store with one site."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.store"
        with Store(path, method="bottom-up") as store:
            pages = [Page(html, url=f"http://e.example/{number}") for number, html in enumerate(SITE)]
            store.add(pages)
        return path.read_bytes()


def seeds() -> Mapping[str, Sequence[bytes]]:
    """The seeds of each target."""
    short = [page.encode() for page in _ODD_PAGES]
    alphabet = [bytes([128 + number]) for number in range(len(PIECES))]
    site = [page.encode() for page in SITE[:2]]
    learned = [bytes([number]) + END.join(short[3:8]) for number in range(len(METHODS))]
    return {
        "parse": [b"\0" + page for page in short + site] + [b"\2" + page.decode().encode("utf-16") for page in site],
        "write": [*short, *site, *alphabet],
        "clean": [*learned, *(bytes([number]) + END.join(_SMALL) for number in range(len(METHODS)))],
        "tell": [*short, *_SMALL],
        "compare": [END.join(_SMALL), *(END.join(two) for two in pairwise(short))],
        "template": [bytes([method, *edit]) for method in range(len(METHODS)) for edit in ((9, 3), (90, 20))],
        "template_text": [b"{}", b'{"dehusk": 1, "method": "evidence", "families": []}'],
        "store": [b"\0\0\x64\0", b"\0\x10\0\xff", b""],
        "archive": _archives(),
        "zipped": [_zip({"archive/a.warc": _archives()[0]}), _zip({"archive/a.warc.gz": _archives()[1]}), _zip({})],
        "lines": [json.dumps({"url": "http://e.example/", "html": page}).encode() for page in SITE[:1]]
        + [b'[]\n{}\n{"url": 1, "html": null}\n', gzip.compress(b'{"url":"a","html":"<p>b"}', mtime=0)],
        "parquet": [_parquet()],
        "body": [
            b"\1" + gzip.compress(b"<p>a", mtime=0) * 2,
            b"\2" + zlib.compress(b"<p>a"),
            b"\0" + b"3\r\n<p>\r\n0\r\n\r\n",
        ],
        "address": [b"http://e.example/a/b.html?c=d", b"//", b"http://[::1]/%2e%2e/x", b"http://CON/aux.txt"],
        "linked": [
            b"../a/b.html?c=d#e\nhttp://e.example/f/g.html", b"http://[\nhttp://e.example/", b"//[::1]:80/a\nhttps://u@e.example:443/",
            b"http://\xe2\x84\x80.example/\nhttp://e.example/", b"a.png\nhttp://[", b"http://e.example:99999/\nhttp://e.example:0x1/",
            b"http://xn--a.example/%zz\nfile:///a", b"data:,\njavascript:alert(1)", b"HTTP://E.EXAMPLE\\a\t/..;a\n//",
        ],
        "route": [
            *(bytes([number, 0, 0, 128]) + edit for number in range(16) for edit in (b"\n", b"\n\x40\x10")),
            *(bytes([route, 0, headers, 0]) for route in (0, 16, 17) for headers in range(12)),
            b'\2\0\0\0\n{"html": "<p>a", "url": ""}', b"\1\0\0\0\n" + b"[" * 300, b"\0\x82\0\0",
            b"\xff\0\0\0/api/sites", b"\0\0\0\0?query=a&offset=1&limit=2", b"\x0a\0\0\1xn--a.example",
        ],
    }  # fmt: skip


def _archives() -> list[bytes]:
    plain = [record(f"http://e.example/{number}", answer(page.encode())) for number, page in enumerate(SITE[:2])]
    packed = gzip.compress(b"<p>packed</p>", mtime=0)
    return [
        b"".join(plain),
        b"".join(gzip.compress(one, mtime=0) for one in plain),
        record("http://e.example/", answer(packed, "Content-Encoding: gzip\r\n")),
        record("http://e.example/", answer(b"3\r\n<p>\r\n1\r\na\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n")),
        record("http://e.example/", answer(b"<p>short"), length=10**6) + plain[0],
        plain[0][:100] + plain[1],
        plain[0] + b"junk" + plain[1],
        b"".join(gzip.compress(plain[0][at : at + 200], mtime=0) for at in range(0, len(plain[0]), 200)),
        _with_dictionary(plain),
    ]


def _with_dictionary(records: Sequence[bytes]) -> bytes:
    """A WARC packed with a zstd dictionary, which it begins with."""
    import zstandard

    samples = [record(f"http://e.example/{number}", answer(b"<p>%d" % number * 20)) for number in range(100)]
    trained = zstandard.train_dictionary(1000, list(samples))
    packer = zstandard.ZstdCompressor(dict_data=trained)
    data = trained.as_bytes()
    return b"\x5d\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data + b"".join(map(packer.compress, records))


def _zip(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as outer:
        for name, data in files.items():
            outer.writestr(name, data)
    return made.getvalue()


def _parquet() -> bytes:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    made = io.BytesIO()
    write_table(pa.table({"url": ["http://e.example/"], "html": [SITE[0]]}), made)
    return made.getvalue()
