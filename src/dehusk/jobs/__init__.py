"""Whole jobs: from a source, by way of templates, to an output; on one core, on all of them, on a cluster."""
