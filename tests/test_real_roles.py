"""The roles and titles of real pages, as people gave them; skipped if the data is not beside the clone."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean

import pytest

import dehusk
from dehusk.bench.evaluation.datasets import single_pages
from dehusk.bench.evaluation.drawn import cleaned_regions
from dehusk.kernels.walking import folded
from dehusk.page import Page
from dehusk.roles import Role

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "shared" / "data"

FILES = {"roles.json": 0.9, "roles_unseen.json": 0.72}
"""The minimum shares of right roles: of regions that points were fitted to, and of others."""

SAMPLE = 8
"""Pages to learn from, at most: 8 give 0.930 and 0.757, the usual 24 give 0.925 and 0.757."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")


def _role(cleaned: dehusk.Cleaned, texts: Iterable[int]) -> Role:
    """The role of most letters of a region."""
    roles = {text: one.role for one in cleaned.marking.roles for text in one.block.texts}
    shares: Counter[Role] = Counter()
    for text in texts:
        shares[roles[text]] += len(cleaned.page.tree.text[text])
    return shares.most_common(1)[0][0]


@cache
def _right() -> Mapping[str, list[bool]]:
    """Whether each region of each file has the right role; both files at once, because they share sets and sites."""
    rows = [{**row, "file": file} for file in FILES for row in json.loads((HERE / file).read_text("utf-8"))]
    right: dict[str, list[bool]] = {file: [] for file in FILES}
    for row, cleaned, texts in cleaned_regions(DATA, rows, SAMPLE):
        right[row["file"]].append(_role(cleaned, texts) == row["role"])
    assert sum(map(len, right.values())) == len(rows)
    return right


@pytest.mark.parametrize(("file", "floor"), FILES.items())
def test_most_regions_have_the_role_that_a_person_gave_them(file: str, floor: float) -> None:
    assert fmean(_right()[file]) >= floor


EVERY, EVERY_ROLE = 12, 20
"""One of so many single pages is asked for its title, and one of so many of these for each of its roles."""

IN_TEXT, FIRST_IN_MARKDOWN = 0.95, 0.98
"""The minimum shares of pages whose `<h1>` is the title. The others hide it, or have it beside another title."""


@cache
def _single() -> list[tuple[Page, str]]:
    """Some single pages, with their titles as people gave them."""
    pages = islice(single_pages(DATA, "wcxb"), 0, None, EVERY)
    return [(Page(one.html, url=one.url), one.title or "") for one in pages]


def test_the_title_is_in_the_text_and_the_first_heading_of_the_markdown() -> None:
    in_text, first = [], []
    for page, title in _single():
        if folded(title) not in {folded(heading.text) for heading in page.headings("h1")}:
            continue
        cleaned = dehusk.clean(page)
        heading = next((line for line in cleaned.markdown.splitlines() if line.startswith("#")), "")
        in_text.append(folded(title) in folded(cleaned.text))
        first.append(folded(cleaned.metadata.title or "") in folded(heading))
    assert len(first) > 60
    assert fmean(in_text) >= IN_TEXT
    assert fmean(first) >= FIRST_IN_MARKDOWN


def test_roles_to_keep_and_to_drop_are_always_obeyed() -> None:
    for page, _ in _single()[::EVERY_ROLE]:
        template = dehusk.learn([page])
        for role in {part.role for part in template.clean(page).parts}:
            for asked in (dehusk.Writing(keep=[role]), dehusk.Writing(drop=[role])):
                kept = {part.kept for part in template.clean(page, writing=asked).parts if part.role == role}
                assert kept == {bool(asked.keep)}, (page.url, asked)
