"""The files of the service: where they are if nothing else is said, and that nobody else can read them."""

import os
from pathlib import Path

from dehusk.base.errors import OutputError
from dehusk.base.files import reason, unwritable
from dehusk.jobs.store import Store


def data_folder() -> Path:
    """The folder of the service, in the user's data folder."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dehusk"


def private_store(path: Path | None, by: str | None = None) -> Path:
    """The store, by default that of the user. It is made if it is not there, and then only its owner can read it."""
    place = path or data_folder() / "dehusk.store"
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.touch(0o600)
    except OSError as error:
        other = "set XDG_DATA_HOME to a folder that you may write to"
        why = unwritable(error) if path else f"{reason(error)}; {other}"
        raise OutputError(f"cannot write {place}: {why}") from error
    with Store(place, by=by) as store:
        store.make()
    return place
