"""The command line: messages, exit codes, bad input."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reports import data_of

COMMAND = [sys.executable, "-m", "dehusk"]
Run = Callable[..., tuple[int, str, str]]


def one_line(err: str) -> bool:
    return err.startswith("dehusk: error: ") and err.count("\n") == 1


def test_clean_mirrors_the_folder_and_closes_with_a_summary(run: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "more").mkdir()
    (shop / "harbour-mug.html").rename(shop / "more" / "mug.html")
    code, out, err = run("clean", shop, "-o", tmp_path / "text")
    assert code == 0
    assert out == ""
    assert "14 pages read, 14 cleaned, 0 skipped" in err.splitlines()[-1]
    assert err.splitlines()[-1].endswith(f" s: {tmp_path / 'text'}")
    text = (tmp_path / "text" / "more" / "mug.txt").read_text("utf-8")
    assert "Harbour Mug" in text
    assert "newsletter" not in text.lower()


@pytest.mark.parametrize(("form", "suffix", "start"), [("markdown", ".md", ""), ("html", ".html", "<!DOCTYPE html>")])
def test_each_format_has_its_suffix(run: Run, shop: Path, tmp_path: Path, form: str, suffix: str, start: str) -> None:
    assert run("clean", shop, "-o", tmp_path / "out", "--format", form, "-q") == (0, "", "")
    written = sorted((tmp_path / "out").iterdir())
    assert {file.suffix for file in written} == {suffix}
    assert all(file.read_text("utf-8").startswith(start) for file in written)


def test_jsonl_has_one_line_per_page(run: Run, shop: Path, tmp_path: Path) -> None:
    assert run("clean", shop, "-o", tmp_path / "out.jsonl", "--format", "jsonl", "-q")[0] == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    mug = next(row for row in rows if row["name"] == "harbour-mug.html")
    assert len(rows) == 14
    assert mug["title"].startswith("Harbour Mug")
    assert 0 < mug["share_removed"] < 1
    assert "Harbour Mug" in mug["text"]


def test_each_kind_of_warning_is_one_line_with_a_count_and_an_example(run: Run, shop: Path, tmp_path: Path) -> None:
    assert run("learn", shop, "-o", tmp_path / "shop.husk", "-q")[0] == 0
    other = tmp_path / "other"
    other.mkdir()
    for number in range(30):
        (other / f"{number:02}.html").write_text(f"<main><h2>Log {number}</h2><p>The water rose {number} times today.")
    err = run("clean", other, "-t", tmp_path / "shop.husk", "-o", tmp_path / "text")[2]
    warnings = [line for line in err.splitlines() if line.startswith("warning")]
    assert len(warnings) == 1
    assert warnings[0].startswith("warning: 30 pages, such as 00.html: does not look like the pages")


def test_jsonl_goes_to_standard_output_too(run: Run, shop: Path) -> None:
    code, out, _ = run("clean", shop, "-o", "-", "--format", "jsonl", "-q")
    assert code == 0
    assert len(out.splitlines()) == 14


def test_names_that_would_clash_keep_their_old_suffix(run: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "harbour-mug.htm").write_text((shop / "harbour-mug.html").read_text("utf-8"), "utf-8")
    assert run("clean", shop, "-o", tmp_path / "text", "-q")[0] == 0
    names = {file.name for file in (tmp_path / "text").iterdir()}
    assert {"harbour-mug.htm.txt", "harbour-mug.html.txt", "pier-lantern.txt"} <= names
    assert "harbour-mug.txt" not in names


def test_a_learned_template_cleans_new_pages_and_standard_input(shop: Path, tmp_path: Path, run: Run) -> None:
    template = tmp_path / "site.husk"
    code, _, err = run("learn", shop, "-o", template)
    assert code == 0
    assert "learned from 14 pages" in err
    page = (shop / "pier-lantern.html").read_bytes()
    piped = subprocess.run([*COMMAND, "clean", "-", "-t", template], input=page, capture_output=True, check=True)
    assert run("clean", shop / "pier-lantern.html", "-t", template, "-o", tmp_path / "one", "-q")[0] == 0
    assert piped.stdout == (tmp_path / "one" / "pier-lantern.txt").read_bytes()
    assert "Pier Lantern" in piped.stdout.decode()


def test_a_bad_page_is_skipped_counted_and_named_and_the_rest_is_cleaned(run: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "empty.html").touch()
    (shop / "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    page = (shop / "pier-lantern.html").read_bytes()
    (shop / "truncated.html").write_bytes(page[: len(page) // 2])
    (shop / "wide.html").write_bytes(page.decode().encode("utf-16"))
    (shop / "deep.html").write_text("<div>" * 200_000 + "deep")
    (shop / "style.css").write_text("p {}")
    code, _, err = run("clean", shop, "-o", tmp_path / "text", "--log", tmp_path / "log.jsonl")
    assert code == 0
    assert "skipped empty.html: empty\n" in err
    assert "skipped picture.html: binary data, not HTML\n" in err
    assert "19 pages read, 17 cleaned, 2 skipped" in err
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["name"] for row in log] == ["empty.html", "picture.html"]
    assert "Pier Lantern" in (tmp_path / "text" / "wide.txt").read_text("utf-8")
    assert (tmp_path / "text" / "deep.txt").read_text() == "deep\n"


def test_a_page_from_another_site_is_named_and_does_not_spoil_the_template(
    run: Run, shop: Path, tmp_path: Path
) -> None:
    (shop / "stranger.html").write_text("<body><table><tr><td>Somebody else's page</table>")
    code, _, err = run("clean", shop, "-o", tmp_path / "text")
    assert code == 0
    assert "stranger.html: does not look like the pages this template was learned from" in err
    code, _, err = run("clean", shop, "-o", tmp_path / "text", "--method", "rtdm")
    assert code == 0
    assert "learned without 1 of 15 pages that do not share the template: stranger.html" in err
    assert run("learn", shop, "-o", tmp_path / "shop.husk", "-q")[0] == 0
    assert "learned without" not in run("clean", shop, "-t", tmp_path / "shop.husk", "-o", tmp_path / "again")[2]
    assert "newsletter" not in (tmp_path / "text" / "pier-lantern.txt").read_text("utf-8").lower()
    assert (tmp_path / "text" / "stranger.txt").read_text() == "Somebody else's page\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "no pages"), (b"", "a.html: empty; give"), (b"\x00\x01\x02", "a.html: binary data, not HTML; give")],
)
def test_a_folder_without_pages_ends_with_1(run: Run, tmp_path: Path, content: bytes | None, words: str) -> None:
    (tmp_path / "in").mkdir()
    if content is not None:
        (tmp_path / "in" / "a.html").write_bytes(content)
    code, _, err = run("clean", tmp_path / "in", "-o", tmp_path / "out")
    assert code == 1
    assert one_line(err)
    assert words in err


def test_a_single_page_is_judged_by_itself_with_a_warning(run: Run, shop: Path, tmp_path: Path) -> None:
    code, _, err = run("clean", shop / "pier-lantern.html", "-o", tmp_path / "out")
    assert code == 0
    assert "warning: pier-lantern.html: learned from one page" in err
    text = (tmp_path / "out" / "pier-lantern.txt").read_text("utf-8")
    assert "Pier Lantern" in text
    assert "All prices include tax" not in text


def test_one_page_on_standard_input_needs_no_template(shop: Path) -> None:
    page = (shop / "pier-lantern.html").read_bytes()
    done = subprocess.run([*COMMAND, "clean", "-"], input=page, capture_output=True, check=True)
    assert "Pier Lantern" in done.stdout.decode()
    assert "learned from one page" in done.stderr.decode()


def test_other_methods_learn_nothing_from_a_single_page(run: Run, shop: Path, tmp_path: Path) -> None:
    code, _, err = run("clean", shop / "pier-lantern.html", "-o", tmp_path / "out", "--method", "rtdm")
    assert code == 1
    assert one_line(err)
    assert "give at least two different pages" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["clean", "SHOP", "-o", "OUT", "--method", "magic"], "unknown method 'magic'"),
        (["clean", "SHOP"], "give an output with -o"),
        (["clean", "SHOP", "-o", "SHOP"], "both source and output"),
        (["clean", "-", "SHOP", "-o", "OUT"], "cannot be mixed"),
        (["clean", "SHOP", "-o", "-"], "do not fit on standard output"),
        (["learn", "-", "-o", "OUT"], "give a folder"),
        (["show", "-", "-o", "OUT"], "give a folder"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(
    run: Run, shop: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    places = {"SHOP": shop, "OUT": tmp_path / "out"}
    code, _, err = run(*(places.get(word, word) for word in words))
    assert code == 2
    assert one_line(err)
    assert said in err


@pytest.mark.parametrize(
    "words",
    [
        ["learn", "SHOP", "-o", "PAGE"],
        ["learn", "PAGE", "OTHER", "-o", "PAGE"],
        ["learn", "ROWS", "-o", "ROWS"],
        ["show", "SHOP", "-o", "PAGE"],
        ["clean", "SITE", "-o", "SHOP", "--format", "html"],
        ["clean", "SHOP", "-o", "OUT", "--log", "PAGE"],
        ["clean", "ROWS", "-o", "OUT", "--log", "ROWS"],
        ["clean", "ROWS", "-o", "OUT", "--store", "ROWS"],
    ],
)
def test_no_page_or_input_file_is_overwritten(run: Run, shop: Path, tmp_path: Path, words: list[str]) -> None:
    page, other = sorted(shop.iterdir())[:2]
    (tmp_path / "index.html").write_text("<p>All shops")
    rows = tmp_path / "rows.jsonl"
    row = {"url": "https://shop.example/mug", "html": page.read_text("utf-8")}
    rows.write_text(json.dumps(row) + "\n", "utf-8")
    places = {
        "SITE": shop.parent,
        "SHOP": shop,
        "PAGE": page,
        "OTHER": other,
        "ROWS": rows,
        "OUT": tmp_path / "out.jsonl",
    }
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    code, _, err = run(*(places.get(word, word) for word in words))
    assert code == 2
    assert one_line(err)
    assert "both source and output" in err
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_a_template_and_a_report_may_be_written_into_the_folder_again_and_again(run: Run, shop: Path) -> None:
    for _ in range(2):
        assert run("learn", shop, "-o", shop / "site.husk", "-q")[0] == 0
        assert run("show", shop, "-t", shop / "site.husk", "-o", shop / "report.html", "--pages", "1", "-q")[0] == 0


def test_cleaned_pages_may_be_written_into_a_folder_of_the_source_again_and_again(run: Run, shop: Path) -> None:
    for _ in range(2):
        code, _, err = run("clean", shop, "-o", shop / "cleaned", "--format", "html")
        assert code == 0
        assert "14 pages read" in err


def test_text_that_begins_like_html_may_be_written_into_a_folder_of_the_source_again(run: Run, shop: Path) -> None:
    for number, name in enumerate(("note.htm", "note.html")):  # two pages that would get the same file
        (shop / name).write_text(f"<p>&lt;p&gt; begins paragraph {number} of all that there is to be told.", "utf-8")
    for _ in range(2):
        assert run("clean", shop, "-o", shop / "cleaned", "-q")[0] == 0
    assert (shop / "cleaned" / "note.html.txt").read_text("utf-8").startswith("<p>")


@pytest.mark.parametrize(
    "words", [[], ["melt"], ["--nope"], ["clean"], ["clean", "x", "--format", "pdf"], ["learn", "x", "--sample", "1"]]
)
def test_wrong_arguments_end_with_2_and_one_line_that_names_the_help(run: Run, words: list[str]) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert one_line(err)
    command = "clean " if words[:1] == ["clean"] else "learn " if words[:1] == ["learn"] else ""
    assert err.endswith(f"; see dehusk {command}--help\n")


@pytest.mark.parametrize(("content", "words"), [('{"a": 1}', "not a dehusk template"), ('{"dehusk', "damaged")])
def test_a_foreign_or_damaged_template_ends_with_1(
    run: Run, shop: Path, tmp_path: Path, content: str, words: str
) -> None:
    (tmp_path / "t.husk").write_text(content)
    code, _, err = run("clean", shop, "-o", tmp_path / "out", "-t", tmp_path / "t.husk")
    assert code == 1
    assert one_line(err)
    assert words in err


def test_an_output_under_a_file_ends_with_1(run: Run, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for form in ("text", "jsonl"):
        code, _, err = run("clean", shop, "-o", tmp_path / "file" / "out", "--format", form)
        assert code == 1
        assert one_line(err)
        assert "a file is in the way" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_output_ends_with_1(run: Run, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    code, _, err = run("clean", shop, "-o", tmp_path / "locked" / "out")
    assert code == 1
    assert "choose a place you may write to" in err


def test_a_full_disk_ends_with_1_and_leaves_no_incomplete_file(shop: Path, tmp_path: Path) -> None:
    for form in ("text", "jsonl"):
        out = tmp_path / f"out-{form}"
        done = subprocess.run(
            [*COMMAND, "clean", shop, "-o", out, "--format", form],
            capture_output=True,
            text=True,
            check=False,
            # No file may grow beyond 64 bytes. So a write fails half-way, as on a full disk.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
        )
        assert done.returncode == 1
        assert one_line(done.stderr.splitlines(keepends=True)[-1])
        assert "cannot write" in done.stderr
        left = [file for file in tmp_path.rglob("*") if file.is_file() and shop not in file.parents]
        assert left == []


def test_ctrl_c_stops_cleanly_and_written_files_are_complete(shop: Path, tmp_path: Path) -> None:
    pages = [page.read_text("utf-8") for page in shop.iterdir()]
    for number in range(3000):
        page = pages[number % len(pages)]
        (shop / f"copy-{number}.html").write_text(page.replace("<h1", f"<i>{number}</i><h1", 1), "utf-8")
    out = tmp_path / "out"
    running = subprocess.Popen([*COMMAND, "clean", shop, "-o", out], stderr=subprocess.PIPE, text=True)
    while not any(out.glob("*.txt")) and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.splitlines()[-1].startswith("dehusk: interrupted")
    written = list(out.iterdir())
    assert 0 < len(written) < 3000
    assert all(file.suffix == ".txt" and file.stat().st_size > 300 for file in written)


def test_the_output_is_not_read_as_part_of_the_source(run: Run, shop: Path) -> None:
    for _ in range(2):
        code, _, err = run("clean", shop, "-o", shop / "clean", "--format", "html")
        assert code == 0
        assert "14 pages read" in err


def test_no_source_is_ever_overwritten(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {page: page.read_bytes() for page in shop.iterdir()}
    monkeypatch.chdir(shop)
    names = sorted(page.name for page in shop.iterdir())
    for words in ([*names, "-o", "."], [*names, "-o", "../shop/../shop"], ["../shop", "-o", "../shop"]):
        code, _, err = run("clean", *words, "--format", "html")
        assert code == 2
        assert one_line(err)
    assert {page: page.read_bytes() for page in shop.iterdir()} == before


def test_files_given_by_indirect_paths_stay_inside_the_output(run: Run, shop: Path, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    pages = [shop / ".." / "x" / ".." / "shop" / name for name in ("pier-lantern.html", "harbour-mug.html")]
    assert run("clean", *pages, "-o", tmp_path / "out", "-q")[0] == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["harbour-mug.txt", "pier-lantern.txt"]


def test_files_written_by_the_command_are_not_read_as_pages(run: Run, shop: Path) -> None:
    for _ in range(2):
        assert "from 14 pages" in run("learn", shop, "-o", shop / "site.husk")[2]
        assert "14 pages in" in run("show", shop, "-o", shop / "report.html", "-t", shop / "site.husk")[2]
        (shop / "report.html").unlink()
        clean = ("clean", shop, "-o", shop / "o.jsonl", "--format", "jsonl", "-t", shop / "site.husk")
        assert "14 pages read" in run(*clean, "--log", shop / "skipped")[2]
        (shop / "o.jsonl").unlink()
        (shop / "skipped").unlink()


def test_a_pipe_in_the_folder_is_skipped(run: Run, shop: Path, tmp_path: Path) -> None:
    os.mkfifo(shop / "pipe.html")
    assert "skipped pipe.html: not a regular file" in run("clean", shop, "-o", tmp_path / "out")[2]


def test_a_device_is_not_replaced_by_a_file(run: Run, shop: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, _, err = run("clean", shop, "-o", tmp_path / "out", "--log", tmp_path / "pipe")
    assert code == 1
    assert "not a regular file" in err
    assert not (tmp_path / "pipe").is_file()


def test_the_log_is_written_when_nothing_can_be_learned(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").touch()
    assert run("clean", tmp_path / "in", "-o", tmp_path / "out", "--log", tmp_path / "log")[0] == 1
    assert json.loads((tmp_path / "log").read_text()) == {"name": "a.html", "reason": "empty"}
    assert not (tmp_path / "out").exists()


def test_a_very_long_name_is_shortened(run: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "pier-lantern.html").rename(shop / f"{'⚓' * 82}.html")
    assert run("clean", shop, "-o", tmp_path / "out", "-q")[0] == 0
    assert len(list((tmp_path / "out").iterdir())) == 14


def test_a_reader_that_closes_the_pipe_early_is_not_an_error(shop: Path) -> None:
    command = " ".join([*COMMAND, "clean", str(shop), "-o", "-", "--format", "jsonl", "-q"])
    done = subprocess.run(f"{command} | head -c 10", shell=True, capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["clean", "SHOP", "-o", "-", "--format", "jsonl", "-q"], ["methods"]])
def test_a_full_standard_output_gives_one_line(shop: Path, words: list[str], unbuffered: str) -> None:
    command = " ".join([*COMMAND, *words]).replace("SHOP", str(shop))
    done = subprocess.run(
        f"{command} > /dev/full",
        shell=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "no space left" in done.stderr.lower()
    assert done.stderr.count("\n") == 1


def test_sigterm_leaves_no_incomplete_file(shop: Path, tmp_path: Path) -> None:
    page = (shop / "pier-lantern.html").read_text("utf-8")
    for number in range(3000):
        (shop / f"copy-{number}.html").write_text(f"{page}{number}", "utf-8")
    out = tmp_path / "out"
    out.mkdir()
    running = subprocess.Popen([*COMMAND, "clean", shop, "-o", out / "o.jsonl", "--format", "jsonl"])
    while not any(out.glob("*/*")) and running.poll() is None:  # the folder belongs to this job once it has a file
        time.sleep(0.01)
    running.terminate()
    assert running.wait(timeout=60) == 143
    assert list(out.iterdir()) == []


def test_the_data_in_a_report_is_json_for_any_pages(run: Run, shop: Path, tmp_path: Path) -> None:
    for page in shop.iterdir():
        page.write_text(page.read_text("utf-8").replace("<head>", "<head><!-- a </script> & b -->", 1), "utf-8")
    run("show", shop, "-o", tmp_path / "report.html", "-q")
    data = data_of((tmp_path / "report.html").read_text("utf-8"))
    assert len(data["rows"][0]) == len(data["views"][0]) == 14


def test_show_writes_a_report_that_needs_nothing_else(run: Run, shop: Path, tmp_path: Path) -> None:
    code, _, err = run("show", shop, "-o", tmp_path / "report.html")
    report = (tmp_path / "report.html").read_text("utf-8")
    assert code == 0
    assert "14 pages" in err
    assert "of the text of its" in report
    assert "Content-Security-Policy" in report
    assert "data-husk-removed" in data_of(report)["views"][0][0]["tinted"]
    assert "src=" not in report.replace("data:image/", "").partition("</script>")[0]


def test_methods_explains_each_method(run: Run) -> None:
    code, out, _ = run("methods")
    assert code == 0
    assert "rtdm" in out
    assert "Vieira et al. 2006" in out


def test_help_and_version_end_with_0(run: Run) -> None:
    assert "clean" in run("--help")[1]
    assert run("--version")[1].startswith("dehusk ")
    assert run("--vers")[1] == run("--version")[1]
    assert run("clean", "--help")[0] == 0


def test_streams_that_the_caller_has_closed_give_one_line(shop: Path, tmp_path: Path) -> None:
    page = str(shop / "pier-lantern.html")
    for words, code, said in (
        (f"clean {page} >&-", 1, "dehusk: error: cannot write to standard output: bad file descriptor\n"),
        (f"clean {page} -o {tmp_path / 'a.txt'} -q <&- >&-", 0, ""),
        (f"clean {page} -o {tmp_path / 'b.txt'} 2>&-", 0, ""),
    ):
        done = subprocess.run(["sh", "-c", f"{' '.join(COMMAND)} {words}"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (code, "", said)
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes() != b""
