"""The default method, in a room of its own: `judging` has its steps."""

from dehusk.methods.evidence.judging import learn, load

__all__ = ["learn", "load"]
