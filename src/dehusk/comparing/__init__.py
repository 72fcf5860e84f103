"""Compares two versions of a page: what changed, and whether the change is content or husk.

The idea, to show on a page what was added and removed since the last visit, is from FireDiff, in W. Huang:
Sequence-based Web Page Template Detection. MSc thesis, Arizona State University, 2011.
"""

from dehusk.comparing._changes import ChangeKind
from dehusk.comparing._compared import Change, Diff, Verdict, diff

__all__ = ["Change", "ChangeKind", "Diff", "Verdict", "diff"]
