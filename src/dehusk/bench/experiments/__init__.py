"""One file for each experiment. The table of them is in `dehusk.bench`."""
