"""The base of objects that several threads may use at once."""

import gc
import importlib
import inspect
import pkgutil
from functools import cached_property
from pathlib import Path

import dehusk
from dehusk.base.shared import Shared


class _Cached(Shared):
    """Like an object of ours: attributes that are set, and one that is computed."""

    def __init__(self, value: list[int]) -> None:
        self.value = value

    @cached_property
    def doubled(self) -> list[int]:
        return self.value * 2


def test_an_object_has_one_dictionary_even_if_the_collector_runs_when_it_is_asked_for() -> None:
    cached = _Cached([1])
    seen: list[dict[str, object]] = []

    def look(_phase: str, _info: dict[str, int]) -> None:
        seen.append(vars(cached))

    usual = gc.get_threshold()
    kept: list[object] = [{} for _ in range(300)]  # so that the next dictionary is a new one, and counts as such
    gc.disable()
    gc.set_threshold(5, 1000, 1000)
    try:
        kept += [[] for _ in range(100)]
        gc.callbacks.append(look)
        gc.enable()
        assert cached.doubled == [1, 1]
        gc.collect()
    finally:
        gc.callbacks.remove(look)
        gc.set_threshold(*usual)
        gc.enable()
    assert seen
    assert all(attributes is vars(cached) for attributes in seen)


def test_every_class_with_a_cached_property_is_shared() -> None:
    unsafe = set()
    for module in pkgutil.walk_packages(dehusk.__path__, "dehusk."):
        if module.name.startswith(("dehusk.bench", "dehusk.integrations.")) or module.name.endswith("__main__"):
            continue  # needs other libraries
        for _, found in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if found.__module__.startswith("dehusk.") and not issubclass(found, Shared):
                unsafe |= {found for value in vars(found).values() if isinstance(value, cached_property)}
    assert unsafe == set()


def test_no_adapter_has_a_cached_property() -> None:
    files = list((Path(dehusk.__file__).parent / "integrations").rglob("*.py"))  # which cannot be imported here
    assert files
    assert not [file.name for file in files if "cached_property" in file.read_text("utf-8")]
