"""The command line on archives, tables and many sites."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import demo_site
from dehusk.base.errors import DehuskError
from dehusk.jobs.site_templates import Templates

SITES = {"shop": "https://shop.example/", "blog": "https://journal.tidewater.example/"}
PAGES = {
    SITES[name.partition("/")[0]] + name.partition("/")[2]: html
    for name, html in demo_site.pages().items()
    if name.partition("/")[0] in SITES
}
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Both parts of the demo site as two hosts in one WARC, with other records between them."""
    path = tmp_path / "in.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, (url, html) in enumerate(PAGES.items()):
            body = html.encode()
            _respond(writer, url, "200 OK", "text/html; charset=utf-8", body)
            if number == 3:
                _respond(writer, "https://shop.example/logo.png", "200 OK", "image/png", b"\x89PNG")
                _respond(writer, "https://shop.example/gone", "404 Not Found", "text/html", b"<p>gone")
    return path


def _respond(writer: WARCWriter, url: str, status: str, kind: str, body: bytes) -> None:
    from io import BytesIO

    headers = StatusAndHeaders(status, [("Content-Type", kind)], protocol="HTTP/1.1")
    writer.write_record(writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=headers))


def test_a_warc_becomes_a_wet_file_with_a_template_for_each_site(run: Run, archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.wet.gz"
    code, _, err = run("clean", archive, "-o", out, "--format", "wet")
    assert code == 0
    assert "30 pages read, 28 cleaned, 2 skipped" in err
    assert "skipped https://shop.example/gone: HTTP 404" in err
    with out.open("rb") as file:
        texts = {
            record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read().decode()
            for record in WarcioIterator(file)
            if record.rec_type == "conversion"
        }
    assert set(texts) == set(PAGES)
    assert not any("newsletter" in text.lower() or "whatever serif" in text for text in texts.values())
    assert "Pier Lantern" in texts["https://shop.example/pier-lantern.html"]
    with out.open("rb") as file:
        assert sum(record.record_id is not None for record in ArchiveIterator(file)) == 29


def test_the_same_archive_gives_the_same_bytes(run: Run, archive: Path, tmp_path: Path) -> None:
    for form in ("wet", "warc", "jsonl"):
        outs = [tmp_path / folder / f"out.{form}" for folder in ("a", "b")]
        for out in outs:
            assert run("clean", archive, "-o", out, "--format", form, "-q")[0] == 0
        assert outs[0].read_bytes() == outs[1].read_bytes()


def test_templates_of_several_sites_are_a_folder_that_cleans_again(run: Run, archive: Path, tmp_path: Path) -> None:
    assert "2 sites" in run("learn", archive, "-o", tmp_path / "husks")[2]
    assert {file.name for file in (tmp_path / "husks").iterdir()} == {
        "shop.example.husk",
        "journal.tidewater.example.husk",
    }
    for name, words in (("a", ()), ("b", ("-t", tmp_path / "husks"))):
        run("clean", archive, "-o", tmp_path / name, "--format", "jsonl", "-q", *words)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_page_of_a_site_without_a_template_is_skipped(run: Run, archive: Path, tmp_path: Path) -> None:
    run("learn", archive, "-o", tmp_path / "husks", "-q")
    (tmp_path / "husks" / "shop.example.husk").unlink()
    _, _, err = run("clean", archive, "-o", tmp_path / "out.jsonl", "--format", "jsonl", "-t", tmp_path / "husks")
    assert "14 cleaned, 16 skipped" in err
    assert "no template for shop.example" in err


def test_a_site_with_one_page_in_an_archive_is_judged_by_that_page(run: Run, tmp_path: Path) -> None:
    urls = [*list(PAGES)[:6], "https://alone.example/"]
    rows = [{"url": url, "html": PAGES.get(url, PAGES[urls[0]])} for url in urls]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = run("clean", tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl", "--format", "jsonl")
    assert code == 0
    assert err.count("warning: https://alone.example/: learned from one page") == 1
    last = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[-1])
    assert last["site"] == "alone.example"
    assert 0 < last["share_removed"] < 1


@pytest.mark.parametrize(("by", "sites"), [("host", 3), ("domain", 2)])
def test_sites_are_hosts_or_domains(run: Run, tmp_path: Path, by: str, sites: int) -> None:
    rows = [
        {"address": url.replace("shop.example", f"{part}.example.co.uk"), "page": html}
        for part in "ab"
        for url, html in PAGES.items()
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = ("--url-column", "address", "--html-column", "page")
    assert f"{sites} sites" in run("learn", tmp_path / "in.jsonl", "-o", tmp_path / "husks", "--by", by, *columns)[2]


def test_rows_say_site_and_family(run: Run, archive: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    assert run("clean", archive, "-o", tmp_path / "out.parquet", "--format", "parquet", "--markdown", "-q")[0] == 0
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert {row["site"] for row in rows} == {"shop.example", "journal.tidewater.example"}
    assert {row["family"] for row in rows} == {"1"}
    assert any("## Steps" in row["markdown"] for row in rows)


def test_a_folder_of_text_files_is_named_by_urls(run: Run, archive: Path, tmp_path: Path) -> None:
    assert run("clean", archive, "-o", tmp_path / "text", "-q")[0] == 0
    assert (tmp_path / "text" / "shop.example" / "pier-lantern.html.txt").is_file()
    assert (tmp_path / "text" / "journal.tidewater.example" / "ru" / "uha-na-prichale.html.txt").is_file()


def test_a_truncated_warc_gives_the_pages_before_the_cut(run: Run, archive: Path, tmp_path: Path) -> None:
    data = archive.read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(data[: len(data) * 3 // 4])
    code, _, err = run("clean", tmp_path / "cut.warc.gz", "-o", tmp_path / "out.wet.gz", "--format", "wet")
    assert code == 0
    assert "truncated" in err
    assert gzip.decompress((tmp_path / "out.wet.gz").read_bytes()).count(b"WARC-Type: conversion") > 10


def test_copies_of_a_page_count_once_by_default(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    pages = [html for name, html in demo_site.pages().items() if name.startswith("shop/")]
    for number, html in enumerate(pages[:4]):
        for copy in range(6):
            (tmp_path / "in" / f"{number}-{copy}.html").write_text(f"{html}<!-- {copy} -->", "utf-8")
    assert "from 4 pages" in run("learn", tmp_path / "in", "-o", tmp_path / "few.husk")[2]
    assert "from 24 pages" in run("learn", tmp_path / "in", "-o", tmp_path / "all.husk", "--no-dedupe")[2]


def test_the_shop_and_the_journal_of_one_site_are_two_families(run: Run, tmp_path: Path) -> None:
    for name, html in demo_site.pages().items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(html, "utf-8")
    code, _, err = run("clean", tmp_path / "in", "-o", tmp_path / "out.jsonl", "--format", "jsonl")
    rows = {row["name"]: row for row in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    assert code == 0
    families = {
        name.partition("/")[0]: {row["family"] for other, row in rows.items() if other.startswith(name[:4])}
        for name in rows
    }
    assert len(families["shop"]) == len(families["blog"]) == 1
    assert families["shop"] != families["blog"]
    assert families["about"] == {None}
    assert "warning: 2 pages, such as about/plain.html: does not look like" in err
    assert rows["about/plain.html"]["share_removed"] == 0
    assert not any("newsletter" in row["text"].lower() for row in rows.values())


def test_templates_in_a_folder_know_their_sites_and_how_sites_were_grouped(run: Run, tmp_path: Path) -> None:
    hosts = ["a.shop.example.org", "b.shop.example.org", "[::1]:8080", "bücher.example"]
    rows = [
        {"url": f"http://{host}/{k}", "html": f"{html}{host}"}
        for host in hosts
        for k, html in enumerate(PAGES.values())
    ]
    rows += [{"url": "", "html": html} for html in PAGES.values()]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("learn", tmp_path / "in.jsonl", "-o", tmp_path / "husks", "--by", "domain", "-q")
    clean = (
        "clean",
        tmp_path / "in.jsonl",
        "-o",
        tmp_path / "out.jsonl",
        "--format",
        "jsonl",
        "-t",
        tmp_path / "husks",
    )
    assert f"{4 * len(PAGES)} cleaned" in run(*clean)[2]
    with pytest.raises(DehuskError, match="learned by domain"):
        Templates.load(tmp_path / "husks", "host")


def test_no_url_leads_out_of_the_output(run: Run, tmp_path: Path) -> None:
    urls = [
        "http://../evil",
        "http://..@../q",
        "http://./x",
        "http://h.example/../../y",
        "http://h.example/%2e%2e/%2e%2e/z",
    ]
    urls += ["http://h.example/x", "https://h.example/x", "http://h.example/x-2", "http://h.example/x?q=1"]
    pages = list(PAGES.values())
    rows = [{"url": url, "html": html} for url, html in zip(urls, pages, strict=False)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("learn", tmp_path / "in.jsonl", "-o", tmp_path / "husks", "-q")
    run("clean", tmp_path / "in.jsonl", "-o", tmp_path / "deep" / "out", "-t", tmp_path / "husks", "-q")
    written = [file for file in tmp_path.rglob("*.txt") if file.is_file()]
    assert len(written) == len(urls)
    assert all((tmp_path / "deep" / "out") in file.parents for file in written)


def test_names_that_are_not_unicode_are_accepted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number, html in enumerate(PAGES.values()):
        name = os.fsdecode(b"caf\xe9-%d.html" % number)
        (tmp_path / "in" / name).write_text(html, "utf-8")
    for form in ("text", "jsonl", "wet"):
        assert run("clean", tmp_path / "in", "-o", tmp_path / f"out-{form}", "--format", form, "-q")[0] == 0
    assert len(list((tmp_path / "out-text").iterdir())) == len(PAGES)


def test_one_path_cannot_be_used_for_two_purposes(run: Run, archive: Path, tmp_path: Path) -> None:
    run("learn", archive, "-o", tmp_path / "husks", "-q")
    template = next((tmp_path / "husks").iterdir())
    before = template.read_bytes()
    same = tmp_path / "same"
    for words in (["-t", template, "-o", template], ["-o", same, "--log", same], ["-o", same, "--keep-fetched", same]):
        code, _, err = run("clean", archive, "--format", "jsonl", *words)
        assert (code, "two different things" in err) == (2, True)
    assert template.read_bytes() == before


def test_a_bad_source_among_several_is_skipped(run: Run, archive: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"no parquet")
    (tmp_path / "prose.txt").write_text("no address here\n")
    bad = (tmp_path / "bad.parquet", tmp_path / "prose.txt")
    code, _, err = run("clean", archive, *bad, "-o", tmp_path / "o", "--format", "jsonl")
    assert code == 0
    assert "28 cleaned, 4 skipped" in err
    assert "prose.txt: no URLs" in err


def test_packed_rows_are_packed(run: Run, archive: Path, tmp_path: Path) -> None:
    run("clean", archive, "-o", tmp_path / "out.jsonl.gz", "--format", "jsonl", "-q")
    assert len(gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).splitlines()) == 28


def test_a_page_of_another_site_is_reported(run: Run, archive: Path, tmp_path: Path) -> None:
    run("learn", archive, "-o", tmp_path / "husks", "-q")
    shop = tmp_path / "husks" / "shop.example.husk"
    _, _, err = run("clean", archive, "-o", tmp_path / "o.jsonl", "--format", "jsonl", "-t", shop)
    assert "does not look like the pages this template was learned from" in err
    assert "14 of 28 pages do not look like the pages this template was learned from; the site may have been" in err


def test_a_site_that_did_not_change_is_not_called_redesigned(run: Run, archive: Path, tmp_path: Path) -> None:
    run("learn", archive, "-o", tmp_path / "husks", "-q")
    _, _, err = run("clean", archive, "-o", tmp_path / "o.jsonl", "--format", "jsonl", "-t", tmp_path / "husks")
    assert "28 cleaned" in err
    assert "redesigned" not in err


def test_a_file_too_large_for_a_page_is_skipped(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number, html in enumerate(PAGES.values()):
        (tmp_path / "in" / f"{number}.html").write_text(html, "utf-8")
    with (tmp_path / "in" / "huge.html").open("wb") as file:
        file.truncate(2_000_000_000)
    assert "skipped huge.html: too large" in run("clean", tmp_path / "in", "-o", tmp_path / "out")[2]


def _rows(tmp_path: Path, *urls: str) -> Path:
    file = tmp_path / "rows.jsonl"
    page = "<nav>Home News</nav><h1>Title {}</h1><p>Some words that are on this page alone, as is number {}.</p>"
    lines = [json.dumps({"url": url, "html": page.format(number, number)}) for number, url in enumerate(urls)]
    file.write_text("\n".join(lines))
    return file


def test_control_characters_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    url = "http://e.example/\x1b[2J\n\u202e"
    file = _rows(tmp_path, "http://e.example/a", "http://e.example/b")
    file.write_text(file.read_text() + "\n" + json.dumps({"url": url, "html": None}))
    code, _, err = run("clean", file, "-o", tmp_path / "out.jsonl")
    assert code == 0
    assert r"skipped http://e.example/\x1b[2J\n\u202e: empty" in err
    assert "\x1b" not in err


def test_unusual_urls_do_not_end_the_job(run: Run, tmp_path: Path) -> None:
    odd = ["http://e.example/" + "a/" * 3000, "http://e.example/\ud800", f"http://{'h' * 300}.example/", "\ud800"]
    file = _rows(tmp_path, "http://e.example/a", *odd, "http://" + "\u00fc" * 50 + ".example/")
    assert run("clean", file, "-o", tmp_path / "out/")[0] == 0
    assert len(list((tmp_path / "out").rglob("*.txt"))) == 5  # a row without a URL belongs to no site
    assert run("learn", file, "-o", tmp_path / "husks")[0] == 0
    assert run("clean", file, "-t", tmp_path / "husks", "-o", tmp_path / "again/")[0] == 0


def test_a_page_of_an_archive_does_not_replace_another_source(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _rows(tmp_path, "http://e.example/a", "http://e.example/b")
    source = tmp_path / "e.example" / "b.html"
    source.parent.mkdir()
    source.write_text("<p>A source of the same command.")
    monkeypatch.chdir(tmp_path)
    code, _, err = run("clean", "rows.jsonl", "e.example", "-o", ".", "--format", "html")
    assert code == 2
    assert "e.example/b.html is both source and output" in err
    assert source.read_text() == "<p>A source of the same command."
