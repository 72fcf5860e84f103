"""The sets of HTML tags."""

import re
from pathlib import Path

import pytest

import dehusk
from dehusk.base import tags

SETS = {name: tags_of for name, tags_of in vars(tags).items() if isinstance(tags_of, frozenset)}


def test_no_element_is_both_a_block_and_inline() -> None:
    assert not tags.BLOCKS & tags.INLINE
    assert not tags.BLOCKS & tags.VOID - {"hr"}


def test_judged_regions_keep_the_blocks_that_they_were_cut_by() -> None:
    names = "button dialog dir frameset hgroup listing optgroup option plaintext search xmp"
    assert sorted(tags.BLOCKS ^ tags.JUDGED_BLOCKS) == names.split()


@pytest.mark.parametrize("name", SETS)
def test_each_set_is_used(name: str) -> None:
    room = Path(dehusk.__file__).parent
    elsewhere = (file.read_text("utf-8") for file in room.rglob("*.py"))
    assert sum(len(re.findall(rf"\b{name}\b", code)) for code in elsewhere) > 1
