"""Learning from a place."""

import json
from pathlib import Path

import pytest

import dehusk
from dehusk.errors import UsageError
from journals import ENGLISH


def test_a_place_with_pages_of_several_sites_is_refused_with_what_to_use(tmp_path: Path) -> None:
    rows = [
        {"url": f"http://{host}.example/{number}", "html": html}
        for number, html in enumerate(ENGLISH.pages())
        for host in "ab"
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = r"in.jsonl has pages of several sites, such as a.example and b.example; .*dehusk.Job\(.*dehusk learn"
    with pytest.raises(UsageError, match=said):
        dehusk.learn(tmp_path / "in.jsonl")


def test_a_place_with_one_site_is_learned_even_if_some_pages_have_no_address(tmp_path: Path) -> None:
    rows = [
        {"url": "" if number == 0 else f"http://a.example/{number}", "html": html}
        for number, html in enumerate(ENGLISH.pages())
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert dehusk.learn(tmp_path / "in.jsonl").pages == len(rows)
