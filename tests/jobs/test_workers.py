"""Cleaning in several processes."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import dehusk
from dehusk.base import system
from dehusk.base.errors import DehuskError, OutputError, Skipped
from dehusk.cli import main
from dehusk.jobs import _tasks as cleaning
from dehusk.jobs import workers
from dehusk.jobs._tasks import BATCH_PAGES, Batch, Cleaning, Lookup, Outcome, clean_all
from dehusk.jobs._worker import TEMPLATES
from dehusk.jobs.result import Done
from dehusk.jobs.site_templates import Templates
from dehusk.jobs.workers import BATCH_BYTES, Crew
from dehusk.page import Page
from dehusk.templates.template import Template
from killers import Deadly, Unwelcome
from sessions import running

FRAME = "<body><ul><li><a href=/>Home</a><li><a href=/all>All tides</a></ul>{}<div>Set in whatever serif is near</div>"
TEMPLATE = dehusk.learn([FRAME.format(f"<p>Tide {k} came at {k} o'clock and left.") for k in range(4)], method="rtdm")
EVERY = Templates({"": TEMPLATE}, "host")
CLEANING = Cleaning(Deadly())
PROC = Path("/proc/self/stat")


def page(words: str, host: str = "a") -> Page:
    name = f"http://{host}.example/{words.replace(' ', '-')}"
    return Page(FRAME.format(f"<p>{words}"), url=name, name=name)


def cleaned(
    items: Iterable[Page | Skipped],
    *,
    jobs: int,
    learned: Lookup = EVERY,
    how: Cleaning = CLEANING,
    seconds: float = 60,
) -> Generator[Outcome, None, None]:
    """The result of each page, cleaned by this many processes."""
    with Crew(jobs, seconds) as crew, closing(clean_all(items, learned, how, crew)) as outcomes:
        yield from outcomes


def texts(items: Iterable[Page | Skipped], *, jobs: int, learned: Lookup = EVERY, seconds: float = 60) -> list[str]:
    """The result of each page, cleaned by this many processes."""
    return [
        result.piece if isinstance(result, Done) else f"{result.name}: {result.reason}"
        for _, result in cleaned(items, jobs=jobs, learned=learned, seconds=seconds)
    ]


def texts_here(items: Sequence[Page | Skipped], learned: Lookup = EVERY) -> list[str]:
    """The result of each page in this process, which cleans a few pages itself."""
    few = BATCH_PAGES - 1
    return [
        text
        for first in range(0, len(items), few)
        for text in texts(items[first : first + few], jobs=1, learned=learned, seconds=0)
    ]


def test_results_come_in_the_order_of_the_pages() -> None:
    items: list[Page | Skipped] = [page(f"Page {k}. " + "It goes on. " * (k % 7 * 100)) for k in range(4 * BATCH_PAGES)]
    items[100] = Skipped("a picture", "not HTML")
    assert texts(iter(items), jobs=3) == texts_here(items)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not count all memory")
def test_a_page_that_takes_too_much_memory_costs_only_that_page() -> None:
    items = [page(f"Page {k}.") for k in range(100)]
    items[3] = page("Page 3 makes us remember all")
    with Crew(2, memory=2_000_000_000) as crew:
        found = [result for _, result in clean_all(items, EVERY, CLEANING, crew)]
    assert [number for number, result in enumerate(found) if isinstance(result, Skipped)] == [3]
    assert found[3] == Skipped(items[3].name, "could not be cleaned: takes too much memory")


@pytest.mark.usefixtures("forks")
def test_a_process_that_dies_of_a_page_costs_only_that_page() -> None:
    items = [page(f"Page {k}.") for k in range(100)]
    expected = texts_here(items)
    deaths = {
        3: ("leave at once", "exit code 3"),
        4: ("fall over", signal.strsignal(signal.SIGSEGV)),
        70: ("be killed", signal.strsignal(signal.SIGKILL)),
    }
    for place, (deadly, how) in deaths.items():
        items[place] = page(f"Page {place} makes us {deadly}")
        expected[place] = f"{items[place].name}: the process that worked on it died ({how})"
    assert texts(items, jobs=2) == expected


@pytest.mark.usefixtures("forks")
def test_a_process_that_dies_while_it_hands_back_a_page_costs_only_that_page() -> None:
    items = [page(f"Page {k}.") for k in range(100)]
    expected = texts_here(items)
    for place in (0, 64):
        items[place] = page(f"Page {place} does not come back")
        expected[place] = f"{items[place].name}: the process that worked on it died (exit code 4)"
    assert texts(items, jobs=1) == expected


@pytest.mark.usefixtures("forks")
def test_a_process_that_is_killed_by_accident_costs_nothing(tmp_path: Path) -> None:
    items = [page(f"Page {k}.") for k in range(100)]
    items[70] = page(f"We stumble at {tmp_path / 'once'}")
    assert texts(items, jobs=1)[70] == "we go on"


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_page_that_takes_too_long_is_skipped(jobs: int) -> None:
    items = [page(f"Page {k}.") for k in range(100)]
    expected = texts_here(items)
    for place, how in ((5, "think"), (70, "count")):
        items[place] = page(f"I {how} for ever")
        expected[place] = f"{items[place].name}: took more than 0.3 s"
    assert texts(items, jobs=jobs, seconds=0.3) == expected


def test_a_single_page_that_may_take_too_long_is_cleaned_with_a_time_limit() -> None:
    large = page("I think for ever. " + "The water rises and falls again. " * 2000)
    assert texts([large], jobs=1, seconds=0.3) == [f"{large.name}: took more than 0.3 s"]


def test_a_temporary_disk_that_is_full_ends_the_job_and_costs_no_page() -> None:
    items = [page(f"Page {k}.") for k in range(100)] + [page("I write no more")] * 100
    with pytest.raises(OutputError, match="cannot write pages to the temporary disk"):
        texts(items, jobs=1)


def test_a_page_that_fails_is_skipped_with_the_same_words_in_any_process() -> None:
    items = [page(f"Page {k}.") for k in range(BATCH_PAGES)] + [page("I complain")]
    here = texts_here(items)
    assert here[-1] == "http://a.example/I-complain: could not be cleaned: ValueError: no more"
    assert texts(items, jobs=2) == here


class Counted:
    """An endless source that counts how many pages were read."""

    def __init__(self, text: str) -> None:
        self.read = 0
        self._text = text

    def __iter__(self) -> Iterator[Page]:
        for self.read in itertools.count(1):
            yield page(f"{self.read} {self._text}")


@pytest.mark.parametrize(("text", "most"), [("small", BATCH_PAGES), ("large " * (BATCH_BYTES // 60), 12)])
def test_only_a_few_batches_are_read_ahead_of_what_is_written(text: str, most: int) -> None:
    source = Counted(text)
    with closing(cleaned(source, jobs=2)) as results:
        for written, _ in enumerate(itertools.islice(results, 600 if text == "small" else 60)):
            assert source.read - written <= most * (workers.AHEAD * 2 + 1)


def test_at_most_one_very_large_page_per_process_is_in_progress() -> None:
    large = Page("<p>Tide" * BATCH_BYTES)
    with Crew(2) as crew:
        for crowded in (False, False, True):
            batch = Batch(CLEANING)
            batch.add(large, EVERY)
            crew._line.append(batch)
            assert crew._crowded is crowded


def test_small_tasks_are_sent_ahead_in_larger_numbers() -> None:
    with Crew(2) as crew:
        for number in range(1, 100):
            crew._line.append(batch := Batch(CLEANING))
            batch.load = 0.25
            assert crew._crowded is (number >= 4 * workers.AHEAD * 2)


def test_pages_that_are_done_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "Worker", None)
    items = [page(f"Page {k}.") for k in range(3 * BATCH_PAGES)]
    known = {item: Done(item.name, 1, 0.0, [], item.name) for item in items}
    with Crew(2) as crew:
        assert [result for _, result in clean_all(items, EVERY, CLEANING, crew, known)] == list(known.values())


def test_the_number_of_jobs_must_be_positive(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("0", "-1", "many"):
        with pytest.raises(SystemExit, match="2"):
            main(["clean", "in", "-o", "out", f"--jobs={wrong}"])
        assert f"'{wrong}' is not a number of processes" in capsys.readouterr().err


def test_a_job_ends_while_threads_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise AssertionError("a fork has the locks of threads that it does not have")

    monkeypatch.setattr(os, "fork", fork)
    items = [page(f"Page {k}.") for k in range(2 * BATCH_PAGES)]
    shared, done = page("A page that all threads have."), threading.Event()
    right = TEMPLATE.clean(page("A page that all threads have.")).text

    def clean() -> set[str]:
        written: set[str] = set()
        while not done.is_set() or not written:
            written.add(TEMPLATE.clean(shared).text)
        return written

    with ThreadPoolExecutor(4) as threads:
        try:
            others = [threads.submit(clean) for _ in range(4)]
            results = texts(items, jobs=2)
        finally:
            done.set()
        assert [one.result() for one in others] == [{right}] * 4
    assert results == texts_here(items)


def test_processes_end_when_the_results_are_no_longer_read(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, words: Sequence[str], **options: object) -> None:
            super().__init__(words, **options)  # type: ignore[call-overload]  # passed on
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    monkeypatch.setattr(system, "can_fork", lambda: False)
    items = itertools.islice(Counted("page"), 2 * BATCH_PAGES)
    with closing(cleaned(items, jobs=8)) as results:
        next(results)
    assert len(started) == 2  # no more pages than fit the waiting batches
    assert all(process.returncode == -signal.SIGKILL for process in started)


@pytest.mark.parametrize("jobs", [1, 8])
def test_a_handful_of_pages_starts_no_process(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(workers, "Worker", None)
    monkeypatch.setattr(workers, "can_fork", lambda: False)  # else a process has the clock
    assert len(texts([page(f"Page {k}.") for k in range(BATCH_PAGES - 1)], jobs=jobs)) == BATCH_PAGES - 1


def test_a_slow_source_starts_no_process_and_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "Worker", None)
    monkeypatch.setattr(workers, "can_fork", lambda: False)  # else a process has the clock
    monkeypatch.setattr(cleaning, "BATCH_SECONDS", -1)
    source = Counted("page")
    with closing(cleaned(source, jobs=2)) as results:
        for written, _ in enumerate(itertools.islice(results, 100)):
            assert source.read == written + 1


class Many:
    """A template for each site, newly made on each call."""

    def of(self, page: Page) -> tuple[str, Template | None]:
        """A template that knows the host."""
        host = (page.url or "").split("/")[2]
        if host == "none.example":
            return host, None
        only = FRAME.replace("</ul>", f"</ul><h2>{host}</h2>")
        return host, dehusk.learn([only.format(f"<p>{words}") for words in ("One.", "Two.")], method="rtdm")


def test_each_of_many_sites_has_its_template() -> None:
    hosts = [*(f"site{k}" for k in range(TEMPLATES + 8)), "none"]
    items = [
        Page(
            str(page(f"{round_} of it.").html).replace("</ul>", f"</ul><h2>{host}.example</h2>"),
            url=f"http://{host}.example/",
        )
        for round_ in range(5)
        for host in hosts
    ]
    found = texts(items, jobs=2, learned=Many())
    assert found == texts_here(items, Many())
    assert found[: len(hosts)] == ["0 of it.\n"] * (len(hosts) - 1) + [
        "http://none.example/: no template for none.example"
    ]


def test_processes_that_cannot_work_end_the_job_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "STRIKES", 1)  # each process is a new interpreter
    with pytest.raises(DehuskError, match=r"die at once \(exit code 4\); is there enough memory"):
        list(cleaned([page(f"Page {k}.") for k in range(100)], jobs=2, how=Cleaning(Unwelcome())))


def test_a_process_that_ends_before_its_first_task_is_not_a_broken_output(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stillborn(subprocess.Popen[bytes]):
        def __init__(self, *_: object, **options: object) -> None:
            super().__init__([sys.executable, "-c", "raise SystemExit(5)"], **options)  # type: ignore[call-overload]
            self.wait()

    monkeypatch.setattr(subprocess, "Popen", Stillborn)
    monkeypatch.setattr(system, "can_fork", lambda: False)
    with pytest.raises(DehuskError, match=r"die at once \(exit code 5\)"):
        list(cleaned([page(f"Page {k}.") for k in range(100)], jobs=2))


def write_pages(folder: Path, pages: int) -> tuple[Path, Path]:
    """A folder with this many pages, and a template for them."""
    (folder / "in").mkdir()
    for number in range(pages):
        words = f"<p>Page {number}. <h2>Ebb</h2>" + "<p>The <b>water</b> rises and falls again. " * (number % 50)
        (folder / "in" / f"{number:05d}.html").write_text(FRAME.format(words))
    TEMPLATE.save(folder / "site.husk")
    return folder / "in", folder / "site.husk"


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize(
    ("form", "out"),
    [
        ("text", "out"),
        ("markdown", "out"),
        ("html", "out"),
        ("jsonl", "out.jsonl"),
        ("jsonl", "out.jsonl.gz"),
        ("parquet", "out.parquet"),
        ("wet", "out.wet.gz"),
        ("warc", "out.warc"),
    ],
)
def test_the_output_is_the_same_to_the_byte_with_any_number_of_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, out: str
) -> None:
    source, husk = write_pages(tmp_path, BATCH_PAGES + 16)
    (source / "00070.html").write_bytes(b"\x89PNG\x00")
    written = []
    for jobs, handful in (("1", 1000), ("2", BATCH_PAGES)):  # in this process, and in two workers
        monkeypatch.setattr(cleaning, "BATCH_PAGES", handful)
        place = tmp_path / jobs / out
        words = ["clean", str(source), "-t", str(husk), "-o", str(place), "--format", form, "--jobs", jobs, "-q"]
        assert main(words) == 0
        files = sorted(file for file in (tmp_path / jobs).rglob("*") if file.is_file())
        written.append([(file.relative_to(tmp_path / jobs), file.read_bytes()) for file in files])
    assert written[0] == written[1]


@pytest.fixture(scope="module")
def many_pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """More pages than a job writes before it is stopped, and a template for them."""
    return write_pages(tmp_path_factory.mktemp("many"), 1500)


@pytest.mark.skipif(not PROC.exists(), reason="tells processes by /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_job(tmp_path: Path, many_pages: tuple[Path, Path], how: signal.Signals) -> None:
    source, husk = many_pages
    out = tmp_path / "out"
    words = [str(word) for word in ("clean", source, "-t", husk, "-o", out, "--jobs", 2)]
    command = [sys.executable, "-m", "dehusk", *words]
    job = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not any(out.glob("*.txt")) and job.poll() is None:
        time.sleep(0.01)
    os.killpg(job.pid, how)  # to the whole group, like a terminal
    _, err = job.communicate(timeout=60)
    end = time.monotonic() + 60  # a worker notices the end of its parent after its batch
    while (left := running(job.pid)) and time.monotonic() < end:
        time.sleep(0.01)
    assert left == set()
    said = {signal.SIGINT: "dehusk: interrupted; all files written so far are complete\n"}
    assert (job.returncode, err) == (
        130 if how == signal.SIGINT else 143 if how == signal.SIGTERM else -9,
        said.get(how, ""),
    )
    assert all(file.suffix == ".txt" for file in out.iterdir()) or how == signal.SIGKILL


@pytest.mark.skipif(not PROC.exists(), reason="tells processes by /proc")
def test_a_process_ends_with_its_parent_in_the_middle_of_a_page(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    words = (
        "import sys; sys.path[:0] = sys.argv[1:2]; from test_workers import cleaned, page; "
        "list(cleaned([page(f'I count for ever since {sys.argv[2]}')] * 64, jobs=1, seconds=0))"
    )
    places = [str(Path(__file__).parent), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    job = subprocess.Popen(
        [sys.executable, "-c", words, str(Path(__file__).parent), begun],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(places)},
        start_new_session=True,
    )
    while not begun.exists() and job.poll() is None:
        time.sleep(0.01)
    assert len(running(job.pid)) == 2
    job.kill()
    job.wait(timeout=60)
    end = time.monotonic() + 60
    while (left := running(job.pid)) and time.monotonic() < end:
        time.sleep(0.01)
    assert left == set()
