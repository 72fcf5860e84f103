"""The options of learning on the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import dehusk
from dehusk.methods import METHODS
from dehusk.methods.evidence.second_look import PAGE_KINDS
from dehusk.page import Page
from journals import ENGLISH
from reports import data_of

Run = Callable[..., tuple[int, str, str]]
FOREST = {"features": ["heading"], "base": -5.0, "trees": []}
NO_FEATURES = FOREST | {"features": []}
NOTHING = {"format": 3, "first": FOREST, "second": FOREST, "kinds": dict.fromkeys(PAGE_KINDS, NO_FEATURES)}
THREAD, RELATED = ENGLISH.stories[0].comment, ENGLISH.stories[1].title


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal as a folder."""
    (tmp_path / "in").mkdir()
    for number, html in enumerate(ENGLISH.pages()):
        (tmp_path / "in" / f"{number}.html").write_text(html, "utf-8")
    return tmp_path / "in"


@pytest.fixture
def clean(run: Run, journal: Path, tmp_path: Path) -> Callable[..., str]:
    """Cleans the journal with options; returns the text of its first page."""

    def call(*words: object) -> str:
        assert run("clean", journal, "-o", tmp_path / "out", "-q", *words) == (0, "", "")
        return (tmp_path / "out" / "0.txt").read_text("utf-8")

    return call


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ([], (False, False)),
        (["--keep", "comment"], (True, False)),
        (["--keep", "comment,related"], (True, True)),
        (["--keep", "comment", "--keep", "related"], (True, True)),
    ],
)
def test_roles_to_keep_are_listed_or_repeated(
    clean: Callable[..., str], words: list[str], kept: tuple[bool, bool]
) -> None:
    text = clean(*words)
    assert (THREAD in text, RELATED in text) == kept


@pytest.mark.parametrize(("words", "loads"), [([], False), (["--images", "keep"], True), (["--images", "drop"], False)])
def test_html_loads_pictures_only_if_asked_to(run: Run, tmp_path: Path, words: list[str], *, loads: bool) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>The ferry leaves at seven.<p><img src=https://t.example/f.png alt=ferry>", "utf-8")
    code, out, _ = run("clean", page, "-o", "-", "--format", "html", *words)
    assert code == 0
    assert ('<img src="https://t.example/f.png"' in out) == ("img-src *" in out) == loads
    assert ("t.example" in out) == ("drop" not in words)


def test_markdown_without_links_and_with_front_matter(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<title>Ferry: times</title><p>The ferry leaves <a href=/t>at seven</a> on all days.</p>", "utf-8")
    words = ("clean", page, "-o", "-", "--no-links", "--base-url", "https://e.example/")
    code, out, _ = run(*words, "--format", "markdown", "--front-matter")
    assert code == 0
    assert out.startswith('---\ntitle: "Ferry: times"\n')
    assert out.endswith("The ferry leaves at seven on all days.\n")
    code, out, _ = run(*words, "--format", "html")
    assert "leaves at seven on" in out
    assert "e.example" not in out.partition("<body>")[2]
    code, out, err = run(*words, "--front-matter")
    assert (code, out) == (2, "")
    assert "front matter is the beginning of Markdown, and text has none; choose markdown" in err


@pytest.mark.parametrize(
    ("command", "option"),
    [("links", "--no-links"), ("links", "--images=drop"), ("links", "--front-matter"), ("show", "--front-matter")],
)
def test_options_without_an_effect_on_what_is_written_are_refused(
    run: Run, tmp_path: Path, command: str, option: str
) -> None:
    (tmp_path / "a.html").write_text("<p>The ferry leaves <a href=/t>at seven</a> on all days.</p>", "utf-8")
    code, out, err = run(command, tmp_path / "a.html", "-o", tmp_path / "out", option)
    assert (code, out) == (2, "")
    assert option.partition("=")[0] in err
    assert not (tmp_path / "out").exists()


def test_links_become_absolute_with_the_address_of_the_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in" / "sea").mkdir(parents=True)
    (tmp_path / "in" / "sea" / "a.html").write_text("<p>The tide <a href=b.html>turns</a> twice a day, all year.</p>")
    words = ("--base-url", "https://e.example/", "--format", "markdown", "-q")
    assert run("clean", tmp_path / "in", "-o", tmp_path / "out", *words) == (0, "", "")
    assert "[turns](https://e.example/sea/b.html)" in (tmp_path / "out" / "sea" / "a.md").read_text()
    code, _, err = run("clean", tmp_path / "in", "-o", tmp_path / "out", "--base-url", "docs/")
    assert (code, "not an http or https URL" in err) == (2, True)


def test_parts_are_kept_and_dropped_with_a_learned_template(run: Run, journal: Path, tmp_path: Path) -> None:
    template = tmp_path / "t.husk"
    assert run("learn", journal, "-o", template, "-q")[0] == 0
    before = template.read_bytes()
    words = ("-t", template, "--keep", "comment", "--drop", "title,heading")
    assert run("clean", journal, "-o", tmp_path / "out", "-q", *words) == (0, "", "")
    text = (tmp_path / "out" / "0.txt").read_text("utf-8")
    assert THREAD in text
    assert ENGLISH.stories[0].title not in text
    assert ENGLISH.stories[0].parts[0][0] not in text
    assert template.read_bytes() == before


@pytest.mark.parametrize("method", ["rtdm", "chunks"])
def test_parts_are_kept_and_dropped_with_any_method(run: Run, journal: Path, tmp_path: Path, method: str) -> None:
    words = ("--method", method, "--keep", "legal", "--drop", "body")
    assert run("clean", journal, "-o", tmp_path / "out", "-q", *words)[0] == 0
    text = (tmp_path / "out" / "0.txt").read_text("utf-8")
    assert ENGLISH.imprint in text
    assert ENGLISH.stories[0].parts[0][1] not in text


def test_a_role_that_is_both_kept_and_dropped_is_refused(run: Run, journal: Path, tmp_path: Path) -> None:
    code, _, err = run("clean", journal, "-o", tmp_path / "out", "--keep", "date", "--drop", "date")
    assert code == 2
    assert err == "dehusk: error: date is in both keep and drop; remove it from one of them\n"


def test_favoring_recall_keeps_more_than_favoring_precision(clean: Callable[..., str], tmp_path: Path) -> None:
    doubtful = dict.fromkeys(("first", "second"), FOREST | {"base": -0.2})
    (tmp_path / "weights.json").write_text(json.dumps(NOTHING | doubtful))
    weights = "--weights", tmp_path / "weights.json"
    assert len(clean("--favor", "recall", *weights)) > len(clean("--favor", "precision", *weights))


def test_the_title_stays_with_both_grains_and_is_dropped_on_request(clean: Callable[..., str]) -> None:
    title = ENGLISH.stories[0].title  # other pages repeat this title in their links
    assert clean("--grain", "regions").startswith(title)
    assert clean("--grain", "nodes").startswith(title)
    assert title not in clean("--grain", "nodes", "--article-body")


def test_learn_and_show_take_the_same_options(run: Run, journal: Path, tmp_path: Path) -> None:
    own = ("--grain", "nodes", "--favor", "recall")
    assert run("learn", journal, "-o", tmp_path / "t.husk", "-q", *own)[0] == 0
    (family,) = json.loads((tmp_path / "t.husk").read_text("utf-8"))["families"]
    assert family["rules"]["repeated"]
    assert run("show", journal, "-o", tmp_path / "r.html", "-q", "--keep", "comment")[0] == 0
    report = data_of((tmp_path / "r.html").read_text("utf-8"))
    assert any(THREAD in view["text"] for view in report["views"][0])


def test_show_takes_several_methods_and_the_first_is_the_one_that_counts(
    run: Run, journal: Path, tmp_path: Path
) -> None:
    wrong = ("--method", "bottom-up", "--method", "evidence", "--grain", "nodes")
    assert "the method bottom-up has no --grain" in run("show", journal, "-o", tmp_path / "r.html", *wrong)[2]
    several = ("--method", "evidence", "--method", "bottom-up", "--grain", "nodes", "--pages", "4")
    assert run("show", journal, "-o", tmp_path / "r.html", "-q", *several)[0] == 0
    report = data_of((tmp_path / "r.html").read_text("utf-8"))
    assert report["methods"] == ["evidence", "bottom-up"]
    assert [len(views) for views in report["views"]] == [4, 4]
    assert report["site"]["method"] == "evidence"


def test_custom_weights_are_read_from_a_file(clean: Callable[..., str], run: Run, tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text(json.dumps(NOTHING))
    out = tmp_path / "t.husk"
    assert run("learn", tmp_path / "in", "-o", out, "-q", "--weights", tmp_path / "weights.json")[0] == 0
    assert json.loads(out.read_text("utf-8"))["families"][0]["rules"]["regions"][0]["content"] < 0.2
    assert clean("--weights", tmp_path / "weights.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        (b"{", "not weights of the method evidence"),
        (b"[]", "not weights of the method evidence"),
        (b"\xff", "not weights of the method evidence"),
        (b"{}", "do not fit this version"),
        (json.dumps(NOTHING | {"first": FOREST | {"features": ["unheard of"]}}).encode(), "do not fit this version"),
        (json.dumps(NOTHING | {"second": FOREST | {"trees": [[]]}}).encode(), "do not fit this version"),
    ],
)
def test_invalid_weights_give_one_line(
    run: Run, journal: Path, tmp_path: Path, content: bytes | None, said: str
) -> None:
    file = tmp_path / "weights.json"
    if content is not None:
        file.write_bytes(content)
    code, _, err = run("clean", journal, "-o", tmp_path / "out", "--weights", file)
    assert code == 2
    assert err.startswith("dehusk: error: ")
    assert err.count("\n") == 1
    assert str(file) in err
    assert said in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [["--grain", "nodes"], ["--favor", "recall"]])
@pytest.mark.parametrize("command", ["clean", "learn", "show"])
def test_an_option_that_the_method_lacks_is_refused(
    run: Run, journal: Path, tmp_path: Path, command: str, words: list[str]
) -> None:
    code, _, err = run(command, journal, "-o", tmp_path / "out", "--method", "rtdm", *words)
    assert code == 2
    assert err.count("\n") == 1
    assert f"the method rtdm has no {words[0]}" in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words", [["--method", "evidence"], ["--sample", "5"], ["--no-dedupe"], ["--favor", "recall"], ["--weights", "w"]]
)
def test_options_of_learning_are_refused_with_a_learned_template(
    run: Run, journal: Path, tmp_path: Path, words: list[str]
) -> None:
    assert run("learn", journal, "-o", tmp_path / "t.husk", "-q")[0] == 0
    code, _, err = run("clean", journal, "-o", tmp_path / "out", "-t", tmp_path / "t.husk", *words)
    assert code == 2
    assert err.count("\n") == 1
    assert f"{words[0]} is an option for learning" in err


@pytest.mark.parametrize(
    "words", [["--keep", "menus"], ["--keep", ""], ["--drop", "menus"], ["--grain", "letters"], ["--favor", "speed"]]
)
def test_invalid_values_are_refused_with_the_valid_ones(run: Run, words: list[str]) -> None:
    code, _, err = run("clean", "in", "-o", "out", *words)
    assert code == 2
    assert "choose" in err.splitlines()[-1]


def test_a_single_page_to_learn_from_is_a_warning(run: Run, journal: Path, tmp_path: Path) -> None:
    code, _, err = run("learn", journal / "0.html", "-o", tmp_path / "t.husk")
    assert code == 0
    assert "warning: 1 of 1 site had only one page to learn from" in err
    assert "learned from 1 page in" in err


def test_loops_that_are_not_compiled_are_mentioned_once(
    run: Run, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dehusk.kernels.compiled", lambda: False)
    assert run("clean", journal, "-o", tmp_path / "out")[2].count("without its compiled kernels") == 1
    assert run("clean", journal, "-o", tmp_path / "quiet", "-q")[2] == ""
    monkeypatch.setattr("dehusk.kernels.compiled", lambda: True)
    assert "without its compiled" not in run("clean", journal, "-o", tmp_path / "again")[2]


def test_a_method_is_typed_with_its_options(run: Run, journal: Path, tmp_path: Path) -> None:
    words = "--method", "style-tree:threshold=0.5,epsilon=0.1"
    assert run("learn", journal, "-o", tmp_path / "t.husk", "-q", *words)[0] == 0
    pages = [Page(file.read_bytes(), name=file.name) for file in sorted(journal.iterdir())]
    expected = dehusk.learn(pages, method="style-tree", threshold=0.5, epsilon=0.1)
    assert json.loads((tmp_path / "t.husk").read_text("utf-8")) == expected.to_json()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "rtdm:grain=nodes"], "method rtdm has no option 'grain'; it has replace"),
        (["--method", "style-tree:threshold=high"], "threshold=high: give a number from 0 to 1"),
        (["--method", "evidence:grain=nodes", "--grain", "nodes"], "grain is given twice, with --method and --grain"),
    ],
)
@pytest.mark.parametrize("command", ["clean", "learn", "show"])
def test_invalid_options_of_methods_give_one_line(
    run: Run, journal: Path, tmp_path: Path, command: str, words: list[str], said: str
) -> None:
    code, _, err = run(command, journal, "-o", tmp_path / "out", *words)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err
    assert not (tmp_path / "out").exists()


def test_options_may_name_files(clean: Callable[..., str], run: Run, journal: Path, tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text(json.dumps(NOTHING))
    assert clean("--method", f"evidence:weights={tmp_path / 'weights.json'}")
    key = min(journal.iterdir())
    assert run("learn", journal, "-o", tmp_path / "t.husk", "-q", "--method", f"etdm:key={key}", "--jobs", "1")[0] == 0
    (family,) = json.loads((tmp_path / "t.husk").read_text("utf-8"))["families"]
    assert family["rules"]["key"] == Page(key.read_bytes()).digest


def test_the_methods_and_the_options_of_each_are_listed(run: Run) -> None:
    code, out, _ = run("methods")
    assert code == 0
    assert all(f"{name}" in out for name in METHODS)
    code, out, _ = run("methods", "style-tree")
    assert code == 0
    assert "  threshold: the importance below which an element is noise: a number from 0 to 1 (default: 0.3; in" in out
    assert (
        "  epsilon: how even the spread of a noisy feature is: a number from 0 to 1 (default: 0.01; in the paper" in out
    )
    assert "has no options" in run("methods", "prufer")[1]
    assert run("methods", "style-three")[0] == 2


def test_the_options_of_the_default_method_have_flags_of_their_own(run: Run) -> None:
    helped = run("clean", "--help")[1]
    assert all(f"--{option.spelled} " in helped for option in METHODS["evidence"].options.values())


def test_only_pages_in_the_languages_are_written_and_the_others_counted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, start in {"a": "<html lang=de-AT>", "b": "<html lang=en>", "c": "<html lang=fr>", "d": "<html>"}.items():
        (tmp_path / "in" / f"{name}.html").write_text(f"{start}<body><p>{name * 9}</p></body>", "utf-8")
    code, _, err = run("clean", tmp_path / "in", "-o", tmp_path / "out", "--language", "de,fr")
    assert code == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["a.txt", "c.txt"]
    assert "skipped b.html: its language is en\n" in err
    assert "4 pages read, 2 cleaned, 2 skipped" in err
    assert "skipped d.html: it" in err  # its language is unknown, with or without the extra
    code, _, err = run("clean", tmp_path / "in", "-o", tmp_path / "out", "--language", "german")
    assert (code, "'german' is not a language" in err) == (2, True)
