"""Whole jobs: read a source, learn templates, clean, write an output; on one core, on all cores, on a cluster."""
