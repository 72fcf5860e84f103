"""The default method, in a room of its own: see `learn`."""

from dehusk.methods.evidence.judging import learn, load

__all__ = ["learn", "load"]
