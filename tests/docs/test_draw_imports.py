"""The diagram of imports between rooms."""

from pathlib import Path

import pytest
from draw_imports import Drawing, read


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose kitchen and cellar import each other. The door imports everything and is not a room."""
    files = {
        "__init__.py": "from house import roof",
        "roof.py": "import house.kitchen.oven\nfrom house import cellar, floor",
        "kitchen/__init__.py": "from house.cellar import wine\nfrom house.floor import tiles",
        "kitchen/oven.py": "def bake():\n    from house.cellar import wood, coal",
        "cellar.py": "import os\nfrom house.kitchen import soup",
        "floor.py": "",
    }
    for name, text in files.items():
        (tmp_path / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "house" / name).write_text(text)
    return tmp_path / "house"


def test_imports_are_counted_from_module_to_module(package: Path) -> None:
    rooms = read(package)
    assert rooms.modules == {"roof": 1, "kitchen": 2, "cellar": 1, "floor": 1}
    assert rooms.imports == {
        ("roof", "kitchen"): 1,
        ("roof", "cellar"): 1,
        ("roof", "floor"): 1,
        ("kitchen", "cellar"): 2,
        ("kitchen", "floor"): 1,
        ("cellar", "kitchen"): 1,
    }


def test_a_circle_is_red_and_the_fewest_imports_point_upward(package: Path) -> None:
    drawing = Drawing(read(package))
    assert drawing.red == {("kitchen", "cellar"), ("cellar", "kitchen")}
    assert drawing.up == {("cellar", "kitchen")}
    assert "3 of them in circles, 1 upward" in drawing.svg("A house")


def test_a_room_is_above_all_that_it_imports_and_implied_arrows_are_not_dark(package: Path) -> None:
    drawing = Drawing(read(package))
    assert drawing.height == {"roof": 2, "kitchen": 1, "cellar": 0, "floor": 0}
    assert drawing.dark == {("roof", "kitchen"), ("kitchen", "cellar"), ("kitchen", "floor"), ("cellar", "kitchen")}
