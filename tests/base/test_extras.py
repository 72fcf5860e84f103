"""A failed import of an optional dependency says which extra to install."""

import pytest

from dehusk.base.errors import DehuskError
from dehusk.base.extras import MissingLibraryError, needs_extra


def test_a_missing_library_is_named_with_its_extra_on_one_line() -> None:
    with pytest.raises(MissingLibraryError) as caught, needs_extra("attic"):
        import no_such_library.inside  # type: ignore[import-not-found]  # noqa: F401
    assert str(caught.value) == "no_such_library is not installed; run: pip install 'dehusk[attic]'"
    assert isinstance(caught.value, DehuskError)
    assert isinstance(caught.value, ImportError)
    assert caught.value.__suppress_context__


def test_a_missing_module_of_our_own_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'dehusk\.no_such_module'"), needs_extra("attic"):
        import dehusk.no_such_module  # type: ignore[import-not-found]  # noqa: F401
