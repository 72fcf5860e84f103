"""Marked pages: which nodes are template, with reasons; and edits by users."""
