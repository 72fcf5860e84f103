"""Write down the features of the default method:  python training/describe.py -o docs/features.md

The table is made from the declarations that the model and the training read.
"""

import argparse
from pathlib import Path

from dehusk.methods.evidence.features import FALLING, FEATURES, RISING, SITE_FEATURES

WAYS = {RISING: "for", FALLING: "against", 0: ""}
HEAD = """# Features of the default method

Written by `python training/describe.py -o docs/features.md` from the declarations in
`src/dehusk/methods/evidence/features.py`. "Speaks" says whether the training lets more of a feature speak only for
content, or only against it. Features that take a second page are unknown on a site of one page.

| feature | what it measures | speaks | takes a second page |
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
    parser.add_argument("-o", "--output", type=Path, required=True, help="where it goes")
    parser.parse_args().output.write_text(described(), "utf-8")


if __name__ == "__main__":
    main()
