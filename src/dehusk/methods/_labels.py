"""The tokens of an element's id, classes and role, prefixed and sorted."""

import re

_DIGITS = re.compile(r"\d+")


def tokens(identity: str, classes: str, role: str = "", *, fold: bool = True) -> list[str]:
    """Returns the distinct tokens, sorted: `#` and an id, `.` and a class, `@` and a role.

    Folding replaces each number by 0, so that `post-1234` and `post-1235` on two pages are the same place.
    """
    marked = [f"#{name}" for name in identity.split()] if identity else []
    if classes:
        marked += [f".{name}" for name in classes.split()]
    if role:
        marked += [f"@{name}" for name in role.split()]
    if fold and marked:
        marked = _DIGITS.sub("0", " ".join(marked)).split(" ")
    return sorted(set(marked))
