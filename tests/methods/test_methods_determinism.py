"""The default method gives the same bytes for the same pages: in any order, and in any process."""

import json
import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
import demo_site
from journals import ENGLISH

DEMO = demo_site.pages()  # pages of two families, and two that belong to none
SOME = ENGLISH.pages()


def written(template: dehusk.Template) -> str:
    return json.dumps(template.to_json())


@settings(max_examples=5)
@given(st.permutations(sorted(DEMO)))
def test_the_order_of_pages_changes_neither_template_nor_text(names: list[str]) -> None:
    one = dehusk.learn([dehusk.Page(DEMO[name], name=name) for name in sorted(DEMO)])
    other = dehusk.learn([dehusk.Page(DEMO[name], name=name) for name in names])
    assert written(one) == written(other)
    assert [one.clean(html).markdown for html in SOME] == [other.clean(html).markdown for html in SOME]


@settings(max_examples=10)
@given(st.permutations(SOME), st.integers(2, 3))
def test_a_sample_of_the_pages_is_the_same_in_any_order(pages: list[str], sample: int) -> None:
    one, other = (dehusk.learn(some, sample=sample, grain="nodes", favor="recall") for some in (pages, SOME))
    assert written(one) == written(other)


PROCESS = """
import sys
from dehusk.cli import main
source, out = sys.argv[1:]
own = ["--grain", "nodes", "--favor", "recall"]
main(["learn", source, "-o", f"{out}/site.husk", "-q"])
main(["learn", source, "-o", f"{out}/own.husk", "-q", *own])
main(["clean", source, "-o", f"{out}/out.jsonl", "-q", "--format", "jsonl", "--parts"])
main(["clean", source, "-o", f"{out}/html", "-q", "--format", "html", "-t", f"{out}/own.husk", "--keep", "related"])
"""


def test_processes_that_hash_differently_write_the_same_bytes(tmp_path: Path) -> None:
    demo_site.write(tmp_path / "in")
    results = []
    for seed in ("0", "1"):
        out = tmp_path / seed
        command = [sys.executable, "-c", PROCESS, str(tmp_path / "in"), str(out)]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        files = sorted(file for file in out.rglob("*") if file.is_file())
        results.append({str(file.relative_to(out)): file.read_bytes() for file in files})
    assert len(results[0]) == len(DEMO) + 3
    assert results[0] == results[1]
