"""Modules that begin with an underscore are imported only inside their room."""

from pathlib import Path

from draw_imports import imported, module_files

import dehusk

PACKAGE = Path(dehusk.__file__).parent
ALLOWED = {
    ("bench.experiments._pairs", "methods._sequences"),  # measures the steps inside methods
    ("bench.experiments._pairs", "methods._subtree"),
}


def test_no_room_imports_a_module_with_an_underscore_from_another_room() -> None:
    files = module_files(PACKAGE)
    crossing = {
        (module, target)
        for module, path in files.items()
        for target in imported(path, "dehusk", files)
        if module.partition(".")[0] != target.partition(".")[0] and "._" in target
    }
    assert crossing == ALLOWED
