"""What an element is called: the tokens of its id, classes and role, marked and in one order."""

import re

_DIGITS = re.compile(r"\d+")


def tokens(identity: str, classes: str, role: str = "", *, fold: bool = True) -> list[str]:
    """Each token once, in order: `#` and an id, `.` and a class, `@` and a role.

    Folding makes all numbers one: `post-1234` is on one page alone, and must not keep apart one place of a site.
    """
    marked = [f"#{name}" for name in identity.split()] if identity else []
    if classes:
        marked += [f".{name}" for name in classes.split()]
    if role:
        marked += [f"@{name}" for name in role.split()]
    if fold and marked:
        marked = _DIGITS.sub("0", " ".join(marked)).split(" ")
    return sorted(set(marked))
