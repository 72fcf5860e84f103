"""The papers' own figures, to stand beside ours where the experiment is the same."""

from dehusk.bench.results import Cell

Rows = list[list[Cell]]

TEMEX_NODES: Rows = [["Alarte et al. 2015, on TECO", 40, 0.9635, 0.9544, 0.9561]]
