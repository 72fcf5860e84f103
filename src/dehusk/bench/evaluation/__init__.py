"""Data sets with gold, measures of quality, other tools, and timing."""
