"""Writes the table of features of the default method:  python training/describe.py -o docs/features.md

It is generated from the declarations that the model and the training use.
"""

import argparse
from pathlib import Path

from dehusk.methods.evidence.features import FALLING, FEATURES, RISING, SITE_FEATURES

WAYS = {RISING: "for", FALLING: "against", 0: ""}
HEAD = """# Features of the default method

Written by `python training/describe.py -o docs/features.md` from the declarations in
`src/dehusk/methods/evidence/features.py`. "Direction": in training, higher values of the feature may only speak for
content, or only against it. Features that need a second page are unknown on a site of one page.

| feature | what it measures | direction | needs a second page |
|---|---|---|---|
"""


def described() -> str:
    """The table as Markdown."""
    site = [(one.name, one.says, 0, one.compared) for one in SITE_FEATURES]
    own = [(one.name, one.says, one.way, one.compared) for one in FEATURES]
    lines = (f"| `{name}` | {says} | {WAYS[way]} | {'yes' * compared} |" for name, says, way, compared in site + own)
    return HEAD + "\n".join(lines) + "\n"


def main() -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    parser.parse_args().output.write_text(described(), "utf-8")


if __name__ == "__main__":
    main()
