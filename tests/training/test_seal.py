"""Sealing weights files."""

from seal import resealed

from dehusk.base.fields import parsed


def test_a_file_gets_a_seal_or_a_new_one_and_keeps_its_content() -> None:
    text = '{\n"format": 3,\n"first": []\n}\n'
    sealed = resealed(text)
    assert resealed(sealed) == sealed
    assert resealed(sealed.replace("3", "4", 1).replace('"format": 3', '"format": 4')) != sealed
    assert parsed(sealed).keys() == {"digest", "format", "first"}
    assert sealed.partition("\n")[2] == text.partition("\n")[2]
