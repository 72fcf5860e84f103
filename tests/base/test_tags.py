"""The sets of HTML tags."""

import re
from collections import Counter
from pathlib import Path

import dehusk
from dehusk.base import tags

SETS = {name: tags_of for name, tags_of in vars(tags).items() if isinstance(tags_of, frozenset)}


def test_no_element_is_both_a_block_and_inline() -> None:
    assert not tags.BLOCKS & tags.INLINE
    assert not tags.BLOCKS & tags.VOID - {"hr"}


def test_judged_regions_keep_the_blocks_that_they_were_cut_by() -> None:
    names = "button dialog dir frameset hgroup listing optgroup option plaintext search xmp"
    assert sorted(tags.BLOCKS ^ tags.JUDGED_BLOCKS) == names.split()


def test_each_set_is_used() -> None:
    code = [file.read_text("utf-8") for file in Path(dehusk.__file__).parent.rglob("*.py")]
    words = Counter(word for text in code for word in re.findall(r"\w+", text))
    assert [name for name in SETS if words[name] < 2] == []
