"""The file of a store: when it is created, and what it refuses."""

from pathlib import Path

import pytest

from dehusk.base.errors import TemplateError, UsageError
from dehusk.jobs._store_file import StoreFile

DEFAULTS = {"by": "host", "sample": 24}
SITES = "SELECT site FROM version"
ADD = "INSERT INTO version VALUES (NULL, ?, 1, 0, 0, '', NULL)"


@pytest.fixture
def file(tmp_path: Path) -> StoreFile:
    return StoreFile(tmp_path / "sites.store", DEFAULTS, {"by": "domain"})


def test_it_is_created_by_the_first_write(file: StoreFile) -> None:
    assert (file.exists, file.rows((object,), SITES), file.row((object,), SITES)) == (False, [], None)
    with file.writing() as db:
        db.execute(ADD, ("a.example",))
    assert (file.exists, file.rows((object,), SITES)) == (True, [("a.example",)])
    file.close()


def test_a_write_that_fails_leaves_nothing(file: StoreFile) -> None:
    rows = [("a.example",), ("a.example",)]  # a version of a site is unique
    with pytest.raises(TemplateError), file.writing() as db:
        db.executemany(ADD, rows)
    assert file.rows((object,), SITES) == []
    file.close()


def test_its_options_of_learning_are_fixed_when_it_is_created(file: StoreFile) -> None:
    file.open()
    file.close()
    again = StoreFile(file.path, DEFAULTS, {})
    again.open()
    assert again.settings == {"by": "domain", "sample": 24}
    again.close()
    with pytest.raises(UsageError, match=r'made with by="domain", not "host"'):
        StoreFile(file.path, DEFAULTS, {"by": "host"}).open()
