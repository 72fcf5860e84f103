"""dehusk compare on the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dehusk.methods import METHODS
from reports import data_of

Run = Callable[..., tuple[int, str, str]]


def test_all_methods_are_in_one_table(run: Run, shop: Path) -> None:
    code, out, err = run("compare", shop)
    assert code == 0
    head, first, *others = out.splitlines()
    assert head.split() == ["method", "removed", "agrees", "learning", "a", "page"]
    assert first.split()[0] == "evidence"
    assert first.split()[2] == "100%"
    assert [line.split()[0] for line in (first, *others)] == list(METHODS)
    assert len({len(line) for line in (head, first, *others)}) == 1
    assert f"14 pages cleaned by {len(METHODS)} methods" in err


def test_a_method_that_fails_is_a_row(run: Run, shop: Path) -> None:
    code, out, err = run("compare", next(shop.iterdir()), "--method", "evidence", "--method", "rtdm")
    assert code == 0
    assert out.splitlines()[2].startswith("rtdm      failed: the method rtdm cannot learn from a single page")
    assert "1 page cleaned by 1 method" in err


def test_it_fails_only_if_no_method_can_learn(run: Run, shop: Path) -> None:
    code, out, err = run("compare", next(shop.iterdir()), "--method", "rtdm")
    assert (code, out) == (1, "")
    assert "no method could learn; rtdm: the method rtdm cannot learn from a single page" in err


@pytest.mark.parametrize(("given", "file"), [("r.html", "r.html"), ("looks", "looks/report.html")])
def test_the_report_has_the_table_and_each_method(run: Run, shop: Path, tmp_path: Path, given: str, file: str) -> None:
    words = ("--method", "evidence", "--method", "chunks", "--pages", "3", "-o", tmp_path / given)
    code, out, err = run("compare", shop, *words)
    assert code == 0
    assert f"open {tmp_path / file} in a browser" in err
    data = data_of((tmp_path / file).read_text("utf-8"))
    assert data["methods"] == ["evidence", "chunks"]
    assert [len(views) for views in data["views"]] == [3, 3]
    assert [row[0] for row in data["site"]["table"]] == ["method", "evidence", "chunks"]
    assert data["site"]["table"][1][1] in out


def test_other_files_are_refused_before_anything_is_read(run: Run, tmp_path: Path) -> None:
    code, _, err = run("compare", tmp_path / "missing", "-o", "report.pdf")
    assert (code, "the report is an .html file" in err) == (2, True)
    code, _, err = run("compare", "-")
    assert (code, "give a folder" in err) == (2, True)
