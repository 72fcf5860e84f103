"""Pages that a browser saved as MHTML."""

from pathlib import Path

import pytest

from dehusk.base.errors import Skipped
from dehusk.page import Page
from dehusk.sources import open_source

MHTML = """From: <Saved by Blink>
Snapshot-Content-Location: https://sea.example/tides
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="--Mark+1"

----Mark+1
Content-Type: {type}
Content-Transfer-Encoding: {encoding}
{location}

{body}
----Mark+1
Content-Type: text/css
Content-Location: https://sea.example/style.css

p {{}}
----Mark+1--
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("encoding", "body"), [("quoted-printable", "<p>caf=C3=A9 =\nopen"), ("base64", "PHA+Y2Fmw6kgb3Blbg==")]
)
def test_the_root_is_the_page_with_its_url(tmp_path: Path, line_end: str, encoding: str, body: str) -> None:
    text = MHTML.format(type="text/html; charset=utf-8", encoding=encoding, location="Content-ID: <x>", body=body)
    (tmp_path / "a.mhtml").write_bytes(text.replace("\n", line_end).encode())
    for place in (tmp_path, tmp_path / "a.mhtml"):
        (page,) = open_source([place])
        assert isinstance(page, Page)
        assert (page.url, page.name, page.encoding) == ("https://sea.example/tides", "a.mhtml", "utf-8")
        assert page.text_without([]).split() == ["café", "open"]


@pytest.mark.parametrize("start", ["charset*=a\0b''x", f"charset*{'9' * 5000}=x"])
def test_a_header_that_cannot_be_read_costs_only_its_page(tmp_path: Path, start: str) -> None:
    given = {"encoding": "", "location": "", "body": "<p>x"}
    (tmp_path / "a.mhtml").write_text(MHTML.format(type=f"text/html; {start}", **given))
    (tmp_path / "b.mhtml").write_text(
        MHTML.format(type="text/html", **given).replace("boundary", "boundary*=idna''%ff;b")
    )
    (tmp_path / "c.mhtml").write_text(MHTML.format(type="text/html", **given))
    *bad, page = open_source([tmp_path])
    assert bad == [Skipped(name, "no page in this MHTML file") for name in ("a.mhtml", "b.mhtml")]
    assert isinstance(page, Page)


@pytest.mark.parametrize("text", ["", "hello", MHTML.format(type="text/plain", encoding="", location="", body="x")])
def test_a_file_without_a_page_is_skipped(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.mht").write_text(text)
    assert list(open_source([tmp_path / "a.mht"])) == [Skipped("a.mht", "no page in this MHTML file")]
