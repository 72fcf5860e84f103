"""The papers' own figures, to stand beside ours where the experiment is the same."""

from dehusk.bench._results import Cell

Rows = list[list[Cell]]

TEMEX_NODES: Rows = [["Alarte et al. 2015, on TECO", 40, 0.9635, 0.9544, 0.9561]]

_YI, _VIEIRA = "Yi et al. 2003", "Vieira et al. 2006"

CLUSTERING: Rows = [
    [f"{_YI}: original", 0.506, None, 0.4763, 0.0050, 0.0013, 0.0, None, None],
    [f"{_YI}: pagelets", 0.631, 0.631 / 0.506 - 1, 0.1063, 0.2325, 0.0775, 0.0, None, None],
    [f"{_YI}: style tree", 0.751, 0.751 / 0.506 - 1, 0.0325, 0.7813, 0.2475, 0.1175, None, None],
    [f"{_VIEIRA}: original", 0.306, None, None, None, None, None, None, None],
    [f"{_VIEIRA}: RTDM-TD", 0.482, 0.482 / 0.306 - 1, None, None, None, None, 0.40, None],
]


def _after(name: str, before: tuple[float, float], f: float, accuracy: float) -> list[Cell]:
    return [name, f, f / before[0] - 1, accuracy, accuracy / before[1] - 1]


def _configuration(yi: tuple[float, ...], vieira: tuple[float, ...]) -> Rows:
    """F and accuracy of original pages, pagelets and style tree; of original pages and RTDM-TD."""
    return [
        [f"{_YI}: original", yi[0], None, yi[1], None],
        _after(f"{_YI}: pagelets", (yi[0], yi[1]), yi[2], yi[3]),
        _after(f"{_YI}: style tree", (yi[0], yi[1]), yi[4], yi[5]),
        [f"{_VIEIRA}: original", vieira[0], None, vieira[1], None],
        _after(f"{_VIEIRA}: RTDM-TD", (vieira[0], vieira[1]), vieira[2], vieira[3]),
    ]


CLASSIFICATION = {
    1: _configuration((0.925, 0.932, 0.965, 0.969, 0.989, 0.991), (0.844, 0.857, 0.939, 0.943)),
    2: _configuration((0.763, 0.792, 0.918, 0.934, 0.968, 0.974), (0.525, 0.585, 0.765, 0.778)),
    3: _configuration((0.596, 0.625, 0.831, 0.855, 0.944, 0.954), (0.387, 0.431, 0.589, 0.608)),
}
"""By configuration. Table 3 prints 0.918 as the mean F of original pages in the first; that of its rows is 0.925."""

TEMEX_SIZES: Rows = [
    ["2015: 1", 1, 0.8856, 0.9489, 0.8869, 2.0, None, None],
    ["2015: 2", 1, 0.9634, 0.9032, 0.9193, 5.6, None, None],
    ["2015: 3", 2, 0.9544, 0.9635, 0.9561, 10.13, None, None],
    ["2015: 4", 3, 0.9461, 0.9688, 0.9527, 16.52, None, None],
    ["2015: 5", 3, 0.9469, 0.9696, 0.9540, 18.68, None, None],
    ["2015: 6", 3, 0.9521, 0.9682, 0.9569, 23.68, None, None],
    ["2015: 7", 3, 0.9546, 0.9631, 0.9557, 30.0, None, None],
    ["2015: 8", 4, 0.9514, 0.9657, 0.9554, 32.08, None, None],
]

THESIS: tuple[Rows, Rows] = (
    [
        ["Huang 2011, ten sets of news", "bottom-up", 0.943, 0.942, 0.946],
        ["Huang 2011, ten sets of news", "prufer", 0.981, 0.988, 0.976],
        ["Huang 2011, ten sets of news", "consolidated-prufer", 0.985, 0.991, 0.980],
    ],
    [
        ["Huang 2011, ten sets of news", "bottom-up", 0.003, 0.003, 0.003],
        ["Huang 2011, ten sets of news", "prufer", 0.981, 0.988, 0.976],
        ["Huang 2011, ten sets of news", "consolidated-prufer", 0.985, 0.991, 0.980],
    ],
)
"""Means of the rows of Figures 5.1 and 5.2: without and with the penalty."""

_MA = "Ma et al. 2003"

SEARCH: Rows = [[f"{_MA}: 280 queries, judged by people", None, None, None, None, 39, 5, 236]]

TEMPLATE_RATIO: Rows = [
    [f"{_MA}: cnnfn.com", "chunks", 0.341, None, None],
    [f"{_MA}: netflix.com", "chunks", 0.178, None, None],
    [f"{_MA}: nba.com", "chunks", 0.181, None, None],
    [f"{_MA}: amazon.com", "chunks", 0.193, None, None],
    [f"{_MA}: ebay.com", "chunks", 0.225, None, None],
    [f"{_MA}: disneylandsource.com", "chunks", 0.541, None, None],
    [f"{_MA}: elle.com", "chunks", 0.193, None, None],
    [f"{_MA}: launch.yahoo.com", "chunks", 0.293, None, None],
    [f"{_MA}: mean of eight sites", "chunks", 0.268, None, None],
]

DISCOVERY: Rows = [
    [f"{_MA}: nba.com", None, None, 0.86, None],
    [f"{_MA}: seven other sites", None, None, 1.0, None],
    [f"{_MA}: cnnfn.com, 200 of 55,711 pages", None, None, 0.923, None],
]
