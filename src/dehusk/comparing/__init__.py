"""Two versions of a page: what changed, and whether it is content or husk.

The idea is FireDiff, in W. Huang: Sequence-based Web Page Template Detection. MSc thesis, Arizona State University,
2011: to show on a page what came and what went since the last visit.
"""

from dehusk.comparing._changes import ChangeKind
from dehusk.comparing._compared import Change, Diff, Verdict, diff

__all__ = ["Change", "ChangeKind", "Diff", "Verdict", "diff"]
