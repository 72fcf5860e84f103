"""Polite fetching: robots.txt, delays, limits, and no private addresses unless asked."""
