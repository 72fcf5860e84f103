"""What an element is called: its tag with the tokens of its id, classes and role, digits folded."""


def label(tag: str, identity: str | None, classes: str | None, role: str | None) -> str:
    """The tag, then each token once, in order: `#` and an id, `.` and a class, `@` and a role."""
    found: set[str] = set()
    if identity:
        add(found, "#", identity)
    if classes:
        add(found, ".", classes)
    if role:
        add(found, "@", role)
    if not found:
        return tag
    if len(found) == 1:
        return tag + " " + found.pop()
    return tag + " " + " ".join(sorted(found))


def add(found: set[str], mark: str, names: str) -> None:
    """Adds each name with its mark, and each number in it as 0: `post-1234` is on one page alone."""
    for name in names.split():
        for c in name:
            if c.isdecimal():
                name = folded(name)  # noqa: PLW2901  # the name as it counts
                break
        found.add(mark + name)


def folded(name: str) -> str:
    """The name with each row of digits as one 0."""
    parts = []
    start = 0
    inside = False
    for k in range(len(name)):
        digit = name[k].isdecimal()
        if digit and not inside:
            parts.append(name[start:k] + "0")
        if digit:
            start = k + 1
        inside = digit
    parts.append(name[start:])
    return "".join(parts)
