"""The roles that people gave to regions of real pages; skipped where the data is not beside the clone."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import dehusk
from dehusk.evaluation.drawn import cleaned_regions
from dehusk.roles import Role

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data at {DATA}")


def _role(cleaned: dehusk.Cleaned, texts: Iterable[int]) -> Role:
    """The role of most of a region's letters."""
    roles = {text: one.role for one in cleaned.marking.roles for text in one.block.texts}
    shares: Counter[Role] = Counter()
    for text in texts:
        shares[roles[text]] += len(cleaned.page.tree.text[text])
    return shares.most_common(1)[0][0]


@pytest.mark.parametrize(
    ("file", "floor"),
    [
        pytest.param("roles.json", 0.9, id="that points were fitted to"),
        pytest.param("roles_unseen.json", 0.72, id="that nothing was fitted to"),
    ],
)
def test_most_regions_have_the_role_that_a_person_gave_them(file: str, floor: float) -> None:
    given = json.loads((HERE / file).read_text("utf-8"))
    right = [_role(cleaned, texts) == row["role"] for row, cleaned, texts in cleaned_regions(DATA, given)]
    assert len(right) == len(given)
    assert sum(right) >= floor * len(given)
