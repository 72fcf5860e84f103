"""Learning many sites: an error affects only its own site."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dehusk.base.errors import Skipped, TemplateError
from dehusk.cli import main
from dehusk.core import Learning
from dehusk.jobs import _tasks as learners
from dehusk.jobs import workers
from dehusk.jobs._tasks import Cleaning, Early, clean_all, learn_sites
from dehusk.jobs.job import Job
from dehusk.jobs.result import Done
from dehusk.jobs.site_templates import Templates
from dehusk.jobs.workers import Crew
from dehusk.page import Page
from dehusk.templates.sampling import Sample
from dehusk.templates.template import Template
from killers import Deadly, Fatal, Poison, Riddle, Vexing

FRAME = "<body><ul><li><a href=/>Home</a><li><a href=/all>All tides</a></ul>{}<div>Set in whatever serif is near</div>"
LEARNING = Learning("bottom-up", 4)

pytestmark = pytest.mark.usefixtures("forks")


def html(number: int) -> str:
    return FRAME.format(f"<p>Tide {number} came at {number} o'clock and left.")


def site(name: str, *pages: Page, number: int = 3) -> tuple[str, list[Page]]:
    return name, [*(Page(html(k), name=f"{name}/{k}") for k in range(number)), *pages]


@pytest.fixture(autouse=True)
def _every_site_is_worth_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "BATCH_BYTES", 0)


def learned(*sites: tuple[str, list[Page]], how: Learning = LEARNING, seconds: float = 60) -> list[str | list[str]]:
    """For each site, the pages that were left out, or why it failed."""
    with Crew(1, seconds) as crew:
        found = list(learn_sites(sites, "host", how, crew))
    return [list(one.left_out) if isinstance(one, Template) else str(one) for one in found]


def test_learning_in_other_processes_gives_the_same() -> None:
    sites = [site("a.example"), site("b.example", number=1), site("c.example", number=9)]
    with Crew(2) as crew:
        found = list(learn_sites(sites, "host", LEARNING, crew))
    expected = [LEARNING.learn(pages, name, "host") for name, pages in sites]
    assert [one.to_json() for one in found if isinstance(one, Template)] == [one.to_json() for one in expected]
    assert list(learn_sites(sites, "host", LEARNING)) == expected


def test_a_page_that_kills_is_left_out_and_named() -> None:
    poison = Page(Poison(b"<p>It is bitter."), name="bitter")
    assert learned(site("a.example", poison), site("b.example")) == [["bitter"], []]


def test_a_page_that_takes_too_long_is_left_out_and_named() -> None:
    riddle = Page(Riddle(b"<p>What is it?"), name="riddle")
    assert learned(site("a.example", riddle), site("b.example"), seconds=0.3) == [["riddle"], []]


def test_a_site_that_kills_costs_that_site() -> None:
    alone = Page(Poison(b"<p>It is bitter."), name="bitter")
    assert learned(("a.example", [alone]), site("b.example")) == [
        "a.example could not be learned: the process that worked on it died (exit code 4)",
        [],
    ]
    fatal: Any = Fatal()
    assert learned(site(""), how=replace(LEARNING, dedupe=fatal)) == [
        "pages without a URL could not be learned: the process that worked on it died (exit code 4)"
    ]


@pytest.mark.parametrize("crew", [lambda: None, lambda: Crew(1)])
def test_a_site_that_fails_costs_that_site(crew: Callable[[], Crew | None]) -> None:
    vexing: Any = Vexing()
    found = list(learn_sites([site("a.example")], "host", replace(LEARNING, dedupe=vexing), crew()))
    assert isinstance(found[0], TemplateError)
    assert "a.example could not be learned: ValueError: whatever" in str(found[0])


def early(*sites: tuple[str, list[Page]], crew: Crew) -> tuple[list[str | list[str]], list[str]]:
    """Of each site what was left out; and what became of the pages that were cleaned where they were learned."""
    asked = Early(Cleaning(Deadly()))
    found = list(learn_sites(sites, "host", LEARNING, crew, asked))
    pieces = [asked.done[page].piece for _, pages in sites for page in pages if page in asked.done]
    return [list(one.left_out) if isinstance(one, Template) else str(one) for one in found], pieces


@pytest.mark.parametrize("few", [10_000, 10**9])
def test_the_pages_of_a_small_site_are_cleaned_where_it_is_learned(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(learners, "BATCH_BYTES", few)  # in other processes after a few, and in this one
    sites = [site(f"{name}.example") for name in "abcdefghijklmnopqrstuvwxyz"]
    expected = [LEARNING.learn(pages, name, "host").clean(page).text for name, pages in sites for page in pages]
    with Crew(2, seconds=0) as crew:
        assert early(*sites, crew=crew) == ([[]] * len(sites), expected)
        assert crew.started is (few == 10_000)
        large = site("large.example", number=few // 100 if few == 10_000 else 0)
        assert early(large, crew=crew)[1] == []


@pytest.mark.parametrize("words", ["leave at once", "complain", "think for ever", "come back"])
def test_a_page_that_fails_where_it_is_learned_is_left_for_later(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.setattr(learners, "BATCH_BYTES", 2000)
    monkeypatch.setattr(learners, "LARGE", 10)  # not in this process
    monkeypatch.setattr(workers, "STRIKES", 1)
    bad = Page(FRAME.format(f"<p>Now {words}"), name="bad")
    sites = [site("a.example"), ("b.example", [*site("b.example")[1], bad]), site("c.example")]
    sites += [(f"{number}.example", [bad]) for number in range(workers.STRIKES + 1)]
    with Crew(1, seconds=0.3) as crew:
        left_out, pieces = early(*sites, crew=crew)
    assert left_out == [[]] * len(sites)
    good = {f"Tide {k} came at {k} o'clock and left.\n" for k in range(3)}
    assert good >= {*pieces}
    assert len(pieces) >= 6


def crawl(folder: Path, hosts: str = "ab") -> Path:
    rows = [
        {"url": f"http://{host}.example/{k}", "html": f"{html(k)}<!-- {host} -->"} for host in hosts for k in range(3)
    ]
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / "in.jsonl"


def fails_at(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes one site fail to learn in this process."""
    learn = Learning.template

    def template(self: Learning, sample: Sample, name: str, by: str) -> Template:
        if name == site:
            raise RecursionError("it goes round and round")
        return learn(self, sample, name, by)

    monkeypatch.setattr(learners, "BATCH_BYTES", 10**9)
    monkeypatch.setattr(Learning, "template", template)


@pytest.mark.parametrize("store", [False, True])
def test_the_pages_of_a_site_that_cannot_be_learned_are_skipped_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, store: bool
) -> None:
    fails_at("a.example", monkeypatch)
    skipped: list[Skipped] = []
    job = Job(crawl(tmp_path), tmp_path / "out.jsonl", store=tmp_path / "s.store" if store else None)
    result = job.run(skipped=skipped.append)
    why = "a.example could not be learned: RecursionError: it goes round and round"
    assert (result.cleaned, result.reasons) == (3, {why: 3})
    assert [one.name for one in skipped] == [f"http://a.example/{k}" for k in range(3)]


def test_learn_names_the_sites_that_it_could_not_learn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails_at("a.example", monkeypatch)
    source = str(crawl(tmp_path, "abc"))
    for place in (["-o", str(tmp_path / "out")], ["--store", str(tmp_path / "s.store")]):
        assert main(["learn", source, *place]) == 0
        said = capsys.readouterr().err
        assert "skipped a.example: a.example could not be learned: RecursionError" in said
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["b.example.husk", "c.example.husk"]
    fails_at("", monkeypatch)
    (tmp_path / "page.html").write_text(html(1))
    assert main(["learn", str(tmp_path / "page.html"), "-o", str(tmp_path / "one.husk")]) == 1
    assert "error: pages without a URL could not be learned" in capsys.readouterr().err


def test_learn_names_the_pages_that_it_has_no_room_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3):
        (tmp_path / "in" / f"{number}.html").write_text(html(number))
    (tmp_path / "in" / "large.html").write_text("<p>a" * 200_000)
    assert main(["learn", str(tmp_path / "in"), "-o", str(tmp_path / "one.husk"), "--jobs", "1"]) == 0
    said = capsys.readouterr().err
    assert "learned without 1 page that would take too much memory or time: large.html\n" in said


def test_a_few_small_pages_have_a_clock_too_where_processes_are_costly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "can_fork", lambda: False)
    monkeypatch.setattr(learners, "BATCH_BYTES", 10**9)
    pages = [Page(FRAME.format(f"<p>{words}"), name=words) for words in ("One", "Now think for ever", "Two")]
    template = LEARNING.learn(pages)
    with Crew(1, seconds=0.3) as crew:
        done = [result for _, result in clean_all(pages, Templates({"": template}), Cleaning(Deadly()), crew)]
        assert not crew.started
    assert [isinstance(result, Done) for result in done] == [True, False, True]
    assert done[1] == Skipped("Now think for ever", "took more than 0.3 s")


def test_a_small_site_that_takes_too_long_to_learn_fails_where_processes_are_costly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "can_fork", lambda: False)
    monkeypatch.setattr(learners, "BATCH_BYTES", 10**9)
    pensive: Any = Pensive()
    with Crew(1, seconds=0.1) as crew:
        found = list(learn_sites([site("a.example")], "host", replace(LEARNING, dedupe=pensive), crew))
    assert [str(outcome) for outcome in found] == ["a.example could not be learned: took more than 0.3 s"]


class Pensive:
    """A switch that is never set."""

    def __bool__(self) -> bool:
        return all(iter(lambda: 1, 0))  # for ever


def test_where_processes_are_cheap_a_few_small_pages_go_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page(FRAME.format(f"<p>{words}"), name=words) for words in ("One", "Now leave at once", "Two")]
    template = LEARNING.learn(pages)
    monkeypatch.setattr(workers, "can_fork", lambda: True)
    monkeypatch.setattr(learners, "BATCH_BYTES", 10**9)
    with Crew(1) as crew:
        done = [result for _, result in clean_all(pages, Templates({"": template}), Cleaning(Deadly()), crew)]
        assert crew.started
    assert [isinstance(result, Done) for result in done] == [True, False, True]
