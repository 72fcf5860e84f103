"""A whole job in Python."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk.base.errors import PageWarning, Skipped, SourceError, UsageError
from dehusk.jobs import _unfinished as unfinished
from dehusk.jobs import job as jobs
from dehusk.jobs import result as results
from dehusk.jobs.job import Job
from dehusk.jobs.result import Phase, Progress
from dehusk.jobs.site_templates import Templates
from dehusk.page import Page
from dehusk.templates import sampling
from journals import ENGLISH, GERMAN

JOURNALS = {"en.example": ENGLISH, "de.example": GERMAN}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two sites in one file, with rows between them that are not pages."""
    rows: list[dict[str, str | None]] = [
        {"url": f"http://{host}/{number}", "html": html}
        for host, journal in JOURNALS.items()
        for number, html in enumerate(journal.pages())
    ]
    rows[3:3] = [{"url": "http://en.example/pdf", "html": "%PDF-1.7"}, {"url": "http://en.example/no", "html": None}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "in.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One site as files."""
    (tmp_path / "in").mkdir()
    for number, html in enumerate(ENGLISH.pages()):
        (tmp_path / "in" / f"{number}.html").write_text(html, "utf-8")
    return tmp_path / "in"


PAGES = {host: len(journal.pages()) for host, journal in JOURNALS.items()}


def test_a_job_returns_its_result(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = Job(table, out, jobs=1).run()
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert done.cleaned == len(rows) == sum(PAGES.values())
    assert (done.skipped, done.read) == (2, done.cleaned + 2)
    assert done.reasons == {"a PDF, not HTML": 1, "empty": 1}
    assert done.first_skipped[0] == Skipped("http://en.example/pdf", "a PDF, not HTML")
    assert done.outputs == (str(out),)
    assert done.families == {"de.example": 1, "en.example": 1}
    assert done.templates is not None
    assert done.outliers == done.templates.outliers
    assert 0 < done.share_removed < 1
    assert done.seconds > 0
    assert done.resumed == 0


def test_a_job_and_its_result_are_immutable(table: Path, tmp_path: Path) -> None:
    job = Job(table, tmp_path / "out.jsonl")
    done = job.run()
    for one, name in ((job, "output"), (done, "cleaned")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, name, None)


def test_progress_reports_each_phase_with_done_and_total(folder: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    Job(folder, tmp_path / "out.jsonl", jobs=1).run(progress=told.append)
    pages = PAGES["en.example"]
    assert [one for one in told if one.phase is Phase.LOOKING] == [
        Progress(Phase.LOOKING, number, pages) for number in range(1, pages + 1)
    ]
    assert [one for one in told if one.phase is Phase.CLEANING] == [
        Progress(Phase.CLEANING, number, pages) for number in range(1, pages + 1)
    ]
    for phase in (Phase.LEARNING, Phase.WRITING):
        assert [one for one in told if one.phase is phase] == [Progress(phase, 0, 1), Progress(phase, 1, 1)]
    assert list(dict.fromkeys(one.phase for one in told)) == ["looking", "learning", "cleaning", "writing"]


def test_learning_counts_sites(table: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    Job(table, tmp_path / "out.jsonl").run(progress=told.append)
    assert Progress(Phase.LEARNING, 2, 2) in told


def test_all_skipped_pages_are_reported_once_and_the_result_has_a_few(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "NAMED", 1)
    told: list[Skipped] = []
    done = Job(table, tmp_path / "out.jsonl").run(skipped=told.append)
    assert [one.name for one in told] == ["http://en.example/pdf", "http://en.example/no"]
    assert len(done.first_skipped) == 1
    assert done.skipped == 2


def test_progress_has_a_total_once_the_pages_were_counted(table: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    done = Job(table, tmp_path / "out.jsonl").run(progress=told.append)
    assert {one.total for one in told if one.phase is Phase.LOOKING} == {None}
    assert {one.total for one in told if one.phase is Phase.CLEANING} == {done.read}


def test_warnings_are_counted_by_kind(folder: Path, tmp_path: Path) -> None:
    done = Job(folder / "0.html", tmp_path / "out.txt").run()
    assert done.warnings == {PageWarning.ONE_PAGE: 1}
    assert done.first_warnings == (("0.html", PageWarning.ONE_PAGE),)
    assert (tmp_path / "out.txt").is_file()


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_job_continues_and_says_how_much_was_done(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr(unfinished, "INTERVAL", 0)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    first = Job(table, whole).run()

    def stop(progress: Progress) -> None:
        if (progress.phase, progress.done) == (Phase.CLEANING, 6):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="again to continue"):
        Job(table, parts, jobs=jobs).run(progress=stop)
    told: list[Progress] = []
    skipped: list[Skipped] = []
    second = Job(table, parts, jobs=jobs).run(progress=told.append, skipped=skipped.append)
    assert told[0] == Progress(Phase.RESUMING, 6, None)
    assert Phase.LEARNING not in {one.phase for one in told}
    assert len(skipped) == 2
    assert second.resumed == 6
    same = ("cleaned", "skipped", "reasons", "first_skipped", "warnings", "first_warnings", "share_removed", "families")
    assert all(getattr(first, name) == getattr(second, name) for name in same)
    assert whole.read_bytes() == parts.read_bytes()


def test_pages_in_other_languages_are_skipped_and_counted(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = Job(table, out, languages=["DE"], jobs=1).run()
    assert {json.loads(line)["site"] for line in out.read_text("utf-8").splitlines()} == {"de.example"}
    assert (done.cleaned, done.reasons["its language is en"]) == (PAGES["de.example"], PAGES["en.example"])
    with pytest.raises(UsageError, match="'german' is not a language"):
        Job(table, out, languages=["german"])


@pytest.mark.parametrize("out", ["out", "out.jsonl", "out.json", "out.csv", "out.parquet", "out.warc"])
def test_a_job_that_cleans_no_page_leaves_nothing(table: Path, tmp_path: Path, out: str) -> None:
    there = set(tmp_path.iterdir())
    done = Job(table, tmp_path / out, languages=["fr"], jobs=1).run()
    assert (done.cleaned, done.outputs) == (0, ())
    assert set(tmp_path.iterdir()) == there


def test_a_job_that_cleans_no_page_keeps_the_output_of_an_earlier_one(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    Job(table, out, jobs=1).run()
    before = out.read_bytes()
    assert Job(table, out, languages=["fr"], jobs=1).run().cleaned == 0
    assert out.read_bytes() == before


def test_a_job_does_not_continue_with_another_detector_of_languages(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(table)
    identities = set()
    for version in (None, "1.0", "1.1"):
        monkeypatch.setattr(jobs, "detector_version", lambda version=version: version)
        with job.open() as work:
            identities.add(job.identity(work.source))
    assert len(identities) == 3


@pytest.mark.parametrize(
    "other",
    [
        {"method": "rtdm"},
        {"method_options": {"favor": "recall"}},
        {"writing": dehusk.Writing(keep=["comment"])},
        {"writing": dehusk.Writing(drop=["title"])},
        {"writing": dehusk.Writing(base_url="https://e.example/")},
        {"writing": dehusk.Writing(links=False)},
        {"languages": ["de", "en"]},
        {"writing": dehusk.Writing(front_matter=True), "output_options": {"markdown": True}},
        {"output_options": {"markdown": True}},
    ],
)
def test_a_job_with_other_options_starts_from_the_beginning(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
) -> None:
    monkeypatch.setattr(unfinished, "INTERVAL", 0)

    def stop(progress: Progress) -> None:
        if progress.phase is Phase.CLEANING and progress.done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Job(table, tmp_path / "out.jsonl").run(progress=stop)
    told: list[Progress] = []
    done = Job(table, tmp_path / "out.jsonl", **other).run(progress=told.append)
    assert told[0].phase is Phase.RESTARTING
    assert done.resumed == 0


def test_a_template_may_be_an_object_a_file_or_a_folder(table: Path, folder: Path, tmp_path: Path) -> None:
    learned = Job(table).learn()
    (tmp_path / "husks").mkdir()
    (tmp_path / "husks" / "en.example.husk").symlink_to(tmp_path / "elsewhere")
    learned.save(tmp_path / "husks")
    assert not (tmp_path / "elsewhere").exists()  # a link that others put there is not followed
    one = learned.by_site["en.example"]
    one.save(tmp_path / "one.husk")
    written = []
    either: tuple[dehusk.Template | Path, ...] = (one, tmp_path / "one.husk")
    for number, template in enumerate(either):
        Job(folder, tmp_path / f"{number}.jsonl", template=template).run()
        written.append((tmp_path / f"{number}.jsonl").read_bytes())
    assert written[0] == written[1]
    both: tuple[Templates | Path, ...] = (learned, tmp_path / "husks")
    for number, templates in enumerate(both):
        Job(table, tmp_path / f"{number}.wet", template=templates).run()
        written.append((tmp_path / f"{number}.wet").read_bytes().replace(b"1.wet", b"0.wet"))
    assert (
        written[2].count(b"WARC-Type: conversion") == written[3].count(b"WARC-Type: conversion") == sum(PAGES.values())
    )


def test_a_source_may_be_open_already(tmp_path: Path) -> None:
    class Source:
        names = None
        files: tuple[Path, ...] = ()

        def __iter__(self) -> Iterator[Page | Skipped]:
            yield Skipped("a picture", "not HTML")
            yield from (Page(html, url=f"http://en.example/{k}") for k, html in enumerate(ENGLISH.pages()))

    done = Job(Source(), tmp_path / "out.jsonl").run()
    assert (done.cleaned, done.skipped) == (PAGES["en.example"], 1)


def test_one_of_several_sites_can_be_chosen(table: Path, tmp_path: Path) -> None:
    done = Job(table, tmp_path / "out.jsonl", site="de.example").run()
    assert (done.cleaned, done.skipped, list(done.families)) == (PAGES["de.example"], 0, ["de.example"])
    with pytest.raises(SourceError, match=r"no page of the site dee.example; there are .*; did you mean de.example\?"):
        Job(table, tmp_path / "out.jsonl", site="dee.example").run()


def test_a_store_learns_what_it_lacks_and_is_filled_without_cleaning(table: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    added = Job(table, store=tmp_path / "a.store").add_to_store(progress=told.append)
    assert (added.sites, added.learned) == (2, 2)
    assert told[-1] == Progress(Phase.LEARNING, 2)
    for store in ("a", "b"):
        done = Job(table, tmp_path / f"{store}.jsonl", store=tmp_path / f"{store}.store").run()
        assert done.templates is None
        assert done.families == {}
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_the_suffix_of_the_output_chooses_the_format(table: Path, folder: Path, tmp_path: Path) -> None:
    Job(table, tmp_path / "out.parquet").run()
    assert (tmp_path / "out.parquet").read_bytes().startswith(b"PAR1")
    Job(folder / "0.html", tmp_path / "page.md").run()
    assert (tmp_path / "page.md").read_text("utf-8").strip()
    with pytest.raises(UsageError, match=r"out.jsonl is the name of a file in the format jsonl, not text"):
        Job(table, tmp_path / "out.jsonl", format="text").run()
    assert not (tmp_path / "out.jsonl").exists()


def test_a_source_without_pages_is_an_error_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"%PDF-1.7")
    with pytest.raises(SourceError, match=r"a\.html: a PDF, not HTML; give a page"):
        Job(tmp_path / "a.html", tmp_path / "out.txt").run()
    (tmp_path / "in.jsonl").write_text('{"address": "x", "page": "y"}\n' * 3)
    skipped: list[Skipped] = []
    with pytest.raises(SourceError, match=r"the first of 3, in\.jsonl line 1: no column .*; it has address, page"):
        Job(tmp_path / "in.jsonl", tmp_path / "out.jsonl").run(skipped=skipped.append)
    assert len(skipped) == 3
    assert not (tmp_path / "out.jsonl").exists()


def test_invalid_arguments_are_refused(table: Path, folder: Path, tmp_path: Path) -> None:
    template = dehusk.learn(folder)
    for words, said in (
        ({"template": template, "store": tmp_path / "s"}, "leave one of them out"),
        ({"template": template, "method": "rtdm"}, "learned already; leave out method"),
        ({"store_version": 1}, "name it with --store"),
    ):
        with pytest.raises(UsageError, match=said):
            Job(table, tmp_path / "out", **words)
    for job, said in (
        (Job(folder), "give an output"),
        (Job(folder, folder), "both source and output"),
        (Job(table, tmp_path / "a.jsonl", leave_out=[tmp_path / "a.jsonl"]), "two different things"),
        (Job(table, tmp_path / "a.wet", output_options={"markdown": True}), "the format wet has no option markdown"),
        (Job(table, tmp_path / "a.wet", method="rtmd"), "did you mean rtdm"),
    ):
        with pytest.raises(UsageError, match=said):
            job.run()
    assert not (tmp_path / "a.wet").exists()


def test_the_package_exports_the_job_and_the_store(table: Path) -> None:
    assert dehusk.Job is Job
    assert dehusk.Store.__module__ == "dehusk.jobs.store"
    assert isinstance(dehusk.Job(table).learn(), Templates)


class Counted:
    """A source that knows how often it was read."""

    names = None
    files: tuple[Path, ...] = ()

    def __init__(self, *sites: int) -> None:
        self.read = 0
        self._items = [
            Page(html, url=f"http://{number}.{host}/{name}")
            for number in sites
            for host, journal in JOURNALS.items()
            for name, html in enumerate(journal.pages()[: number % 4 + 1])
        ]

    def __iter__(self) -> Iterator[Page | Skipped]:
        self.read += 1
        yield Skipped("nothing", "empty")
        yield from self._items
        yield from self._items[:3]  # once more


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("name", ["out.jsonl", "out.wet.gz", "out.warc.gz", "out"])
def test_a_source_that_memory_has_room_for_is_read_once_and_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    written = []
    for room, times in ((10**8, 1), (100_000, 2), (0, 2)):
        monkeypatch.setattr(sampling, "HELD", room)
        source, out = Counted(*range(12)), tmp_path / str(room) / name
        out.parent.mkdir()
        result = Job(source, out, jobs=2).run()
        assert source.read == times
        files = sorted(file for file in (tmp_path / str(room)).rglob("*") if file.is_file())
        written.append([*(file.read_bytes() for file in files), result.cleaned, result.skipped, result.share_removed])
        written[-1].append([*result.warnings.items(), *result.first_warnings])
    assert written[0] == written[1] == written[2]
