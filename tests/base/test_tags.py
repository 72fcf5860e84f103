"""The table of tags."""

import re
from pathlib import Path

import pytest

import dehusk
from dehusk.base import tags

SETS = {name: tags_of for name, tags_of in vars(tags).items() if isinstance(tags_of, frozenset)}


def test_no_element_is_both_a_block_and_inline() -> None:
    assert not tags.BLOCKS & tags.INLINE
    assert not tags.BLOCKS & tags.VOID - {"hr"}


def test_all_blocks_of_the_model_and_of_judged_regions_are_blocks() -> None:
    assert tags.MODEL_BLOCKS <= tags.BLOCKS
    assert tags.JUDGED_BLOCKS <= tags.BLOCKS
    assert {"button", "caption", "legend", "summary"} <= tags.BLOCKS - tags.MODEL_BLOCKS


def test_the_blocks_of_the_model_are_those_of_its_weights() -> None:
    assert len(tags.MODEL_BLOCKS) == 40
    assert len(tags.JUDGED_BLOCKS) == 43


@pytest.mark.parametrize("name", SETS)
def test_each_set_is_used(name: str) -> None:
    room = Path(dehusk.__file__).parent
    elsewhere = (file.read_text("utf-8") for file in room.rglob("*.py"))
    assert sum(len(re.findall(rf"\b{name}\b", code)) for code in elsewhere) > 1
