"""Seals a weights file that is not sealed, or was changed on purpose: `python training/seal.py FILE`.

Its first line gets a hash of the rest, which is checked when the weights are loaded. `train.py` seals what it writes.
"""

import sys
from pathlib import Path

from dehusk.base.files import written_whole
from dehusk.methods.evidence.model import SEAL, sealed


def resealed(text: str) -> str:
    """The text with a valid seal, whether it had one or not."""
    first, _, rest = text.partition("\n")
    return sealed("{\n" + rest if first.startswith(f'{{"{SEAL}"') else text)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    text = resealed(path.read_text("utf-8"))
    with written_whole(path) as file:
        file.write(text)
    print(text.partition(",")[0].removeprefix("{"))
