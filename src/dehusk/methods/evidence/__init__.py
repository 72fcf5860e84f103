"""The default method; `judging` has its steps."""

from dehusk.methods.evidence.judging import learn, load

__all__ = ["learn", "load"]
