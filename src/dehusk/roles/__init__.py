"""The roles of the parts of a page."""
