"""dehusk tune on the command line."""

from pathlib import Path

import pytest

from dehusk.cli import main


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for word in ("harbour", "lantern", "kettle", "meadow", "violin", "copper"):
        page = f"<nav><p>Home News Contact</p></nav><main><p>About the {word} there is much to say.</p></main>"
        (folder / f"{word}.html").write_text(page, encoding="utf-8")
    return folder


def test_the_curve_and_the_best_value_are_printed(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", str(site), "--selector", "main", "--method", "style-tree:epsilon=0", "--values", "0,0.3"]) == 0
    out, said = capsys.readouterr()
    head, low, middle = out.splitlines()
    assert head.split() == ["threshold", "precision", "recall", "F1"]
    assert low.split()[:1] == ["0.0"]
    assert middle.split() == ["0.3", "1.000", "1.000", "1.000", "#" * 40]
    assert "best on 6 pages: --method style-tree:epsilon=0,threshold=0.3" in said


def test_edits_of_a_template_are_gold(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    husk = str(tmp_path / "site.husk")
    assert main(["learn", str(site), "-o", husk]) == 0
    assert main(["edit", husk, "--keep", "body > main"]) == 0
    assert main(["edit", husk, "--drop", "body > nav"]) == 0
    assert main(["tune", str(site), "--edits", husk, "--method", "style-tree:epsilon=0", "--values", "0,0.3"]) == 0
    assert "--method style-tree:epsilon=0,threshold=0.3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "what is content?"),
        (["--selector", "main", "--edits", "x.husk"], "what is content?"),
        (["--edits", "no-such.husk"], "no template with edits"),
        (["--selector", "main", "--method", "style-tree:threshold=0.1"], "threshold has a value in --method"),
        (["--selector", "main", "--method", "rtdm"], "has no option 'threshold'"),
        (["--selector", "main", "--values", "0,x"], "threshold=x: give a number from 0 to 1"),
    ],
)
def test_wrong_usage_is_explained(site: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", str(site), *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["0.000001", "0.01"])
def test_pages_and_values_that_take_too_long_are_told(
    site: Path, seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in site.iterdir():
        file.write_text(file.read_text("utf-8") + "".join(f"<p>{file.name} {n}</p>" for n in range(20_000)), "utf-8")
    assert main(["tune", str(site), "--selector", "main", "--page-seconds", seconds]) == 1
    *skipped, error = capsys.readouterr().err.splitlines()
    assert error.startswith("dehusk: error: ")
    assert all(f"took more than {seconds.replace('0.000001', '1e-06')} s" in line for line in skipped)
    assert skipped or "took more than" in error
