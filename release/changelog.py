"""The changelog: checks the fragments in changes/, or moves them below the heading of a release.

    python release/changelog.py                    # checks that all fragments can be read; prints them by group
    python release/changelog.py 0.2.0              # writes the section into CHANGELOG.md, and removes the fragments

Lines below "Unreleased" in CHANGELOG.md become part of the section. The name of a fragment says where its lines go:
`NAME.new.md`, `NAME.fixed.md` and `NAME.security.md`; `NAME.md` is a change.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from dehusk.base.files import written_whole

ROOT = Path(__file__).parents[1]
HEADING = "## Unreleased"
GROUPS = {".new": "New", "": "Changed", ".fixed": "Fixed", ".security": "Security"}
"""The groups of a section, in order, by what the name of a fragment has before its suffix."""

_VERSION = re.compile(r"\d+\.\d+\.\d+")


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Prints or writes the section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", nargs="?", help="the version to release, such as 0.2.0 (default: only check)")
    version: str | None = parser.parse_args(arguments).version
    changelog = root / "CHANGELOG.md"
    fragments = sorted(path for path in (root / "changes").glob("*.md") if path.name != "README.md")
    try:
        new = [(group(path), fragment(path)) for path in fragments]
        if version is None:
            print(grouped("", new))
            return 0
        text = released(changelog.read_text("utf-8"), new, version, datetime.now(UTC).date())
    except ValueError as error:
        print(f"changelog: {error}", file=sys.stderr)
        return 1
    with written_whole(changelog) as file:
        file.write(text)
    for path in fragments:
        path.unlink()
    print(f"{changelog.name}: {version}, {len(fragments)} fragments")
    return 0


def fragment(path: Path) -> str:
    """The lines of a fragment. Raises ValueError if they are not a list."""
    text = path.read_text("utf-8").strip()
    if not all(line.startswith(("- ", "  ")) for line in text.splitlines()) or not text.startswith("- "):
        raise ValueError(f'{path.name}: every line begins with "- ", or with two spaces to go on')
    return text


def group(path: Path) -> str:
    """The group of a fragment. Raises ValueError if its name has another one."""
    kind = Path(path.stem).suffix
    if kind not in GROUPS:
        raise ValueError(
            f"{path.name}: {kind} is no group; name it NAME.md, or NAME{'.md, NAME'.join(filter(None, GROUPS))}.md"
        )
    return GROUPS[kind]


def grouped(section: str, fragments: Sequence[tuple[str, str]]) -> str:
    """A section with the lines of the fragments at the beginning of their groups."""
    parts = re.split(r"^### (.+)\n", section, flags=re.MULTILINE)
    texts = {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    whole = [parts[0].strip()]
    for name in dict.fromkeys([*GROUPS.values(), *texts]):
        lines = "\n".join(text for where, text in fragments if where == name)
        apart = "\n\n" if texts.get(name, "").startswith("#") else "\n"
        if text := apart.join(filter(None, (lines, texts.get(name)))):
            whole.append(f"### {name}\n\n{text}")
    return "\n\n".join(filter(None, whole))


def released(changelog: str, fragments: Sequence[tuple[str, str]], version: str, day: date) -> str:
    """The changelog with the section of a version. Raises ValueError if there is nothing to release."""
    if not _VERSION.fullmatch(version):
        raise ValueError(f"{version}: not a version; give three numbers, such as 0.2.0")
    before, heading, rest = changelog.partition(f"{HEADING}\n")
    if not heading:
        raise ValueError(f'CHANGELOG.md has no line "{HEADING}"; add it below the title')
    if f"\n## {version} " in changelog:
        raise ValueError(f"CHANGELOG.md has a section {version} already; give the next version")
    unreleased, older, sections = rest.partition("\n## ")
    section = grouped(unreleased, fragments)
    if not section:
        raise ValueError("nothing has changed; add a file to changes/")
    return f"{before}{HEADING}\n\n## {version} ({day.isoformat()})\n\n{section}\n{older}{sections}"


if __name__ == "__main__":
    sys.exit(main())
