"""Draws which room of the package imports which:  python docs/draw_imports.py src/dehusk -o docs/imports.svg

A room is a module or a package directly below the root. Every room is drawn above the rooms that it imports. If rooms
import each other in a circle, all their arrows are red, and as few as possible point upward. A dark arrow has the
number of imports between modules. An arrow is thin and grey if a path of dark arrows leads to the same room. Imports
for type checkers and inside functions are counted too. `__init__.py` and `__main__.py` are left out: no room imports
them.
"""

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from xml.sax.saxutils import escape

Edge = tuple[str, str]
"""A pair of rooms: the first imports the second."""
Place = tuple[int, str]
"""A room in its layer, or the point where an arrow crosses a layer."""

BOX_HEIGHT, LAYER_HEIGHT, GAP, MARGIN = 40, 76, 34, 24
NARROWEST, NARROWEST_PICTURE, CHARACTER = 84, 700, 8.4
ROUNDS = 24
LEGEND = "dark: imports, with their number; grey: implied by dark arrows; red: rooms that import each other in a circle"
STYLE = """
text { font: 14px system-ui, sans-serif; text-anchor: middle; fill: #1c2733 }
.small { font-size: 11px; fill: #5a6876 } .left { text-anchor: start } .title { font-weight: 600; font-size: 17px }
.box { fill: #eef3f8; stroke: #7d93a8; rx: 6px } .circle { fill: #fdecea; stroke: #c62828 }
path { fill: none } .way { stroke: #37506a; stroke-width: 1.5 } .implied { stroke: #d5dde5; stroke-width: 1 }
.back { stroke: #c62828; stroke-width: 2 }
.count { font-size: 11px; fill: #37506a; paint-order: stroke; stroke: #fff; stroke-width: 4px }
.red { fill: #c62828 }
"""


@dataclass(frozen=True, slots=True)
class Rooms:
    """The rooms with their numbers of modules, and how many imports lead from one to another."""

    modules: Mapping[str, int]
    imports: Mapping[Edge, int]


def module_files(package: Path) -> dict[str, Path]:
    """The files of a package by module name, relative to the package."""
    files = {
        ".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(package.rglob("*.py"))
    }
    return {name: path for name, path in files.items() if not name.startswith("__")}


def read(package: Path) -> Rooms:
    """The rooms of a package, from its source."""
    files = module_files(package)
    imports = Counter(
        (name.partition(".")[0], target.partition(".")[0])
        for name, path in files.items()
        for target in imported(path, package.name, files)
    )
    modules = Counter(name.partition(".")[0] for name in files)
    return Rooms(modules, {edge: count for edge, count in imports.items() if edge[0] != edge[1]})


def imported(path: Path, package: str, known: Mapping[str, Path]) -> set[str]:
    """The modules of the package that a file imports, relative to the package."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    inside = {name.removeprefix(f"{package}.") for name in names if name.startswith(f"{package}.")}
    return {name if name in known else name.rpartition(".")[0] for name in inside} & known.keys()


def reached(edges: Iterable[Edge]) -> dict[str, set[str]]:
    """The rooms that each room reaches by one or more imports."""
    below = defaultdict[str, set[str]](set)
    for above, under in edges:
        below[above].add(under)
    found = {}
    for room in list(below):
        seen, waiting = set[str](), [room]
        while waiting:
            new = below.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        found[room] = seen
    return found


def circles(rooms: Rooms) -> list[list[str]]:
    """Groups of rooms that import each other in a circle."""
    reach = reached(rooms.imports)
    groups = {
        tuple(sorted(other for other in seen if room in reach.get(other, ())))
        for room, seen in reach.items()
        if room in seen
    }
    return [list(group) for group in sorted(groups)]


def upward(group: list[str], imports: Mapping[Edge, int]) -> set[Edge]:
    """The smallest set of imports that breaks a circle, found by trying all orders of its rooms.

    For each set of rooms (as bits), `best` has the cheapest order from the bottom up and its upward imports.
    """
    best: dict[int, tuple[int, tuple[str, ...]]] = {0: (0, ())}
    for chosen in range(1, 1 << len(group)):
        options = []
        for place, room in enumerate(group):
            if chosen >> place & 1:
                cost, order = best[chosen ^ 1 << place]
                options.append((cost + sum(imports.get((below, room), 0) for below in order), (*order, room)))
        best[chosen] = min(options)
    order = best[(1 << len(group)) - 1][1]
    return {
        (below, above) for place, below in enumerate(order) for above in order[place + 1 :] if (below, above) in imports
    }


def layers(rooms: Rooms, edges: Iterable[Edge]) -> dict[str, int]:
    """The layer of each room, from the bottom up: the length of its longest path down."""
    below = defaultdict[str, list[str]](list)
    for above, under in edges:
        below[above].append(under)
    height: dict[str, int] = {}
    while len(height) < len(rooms.modules):
        for room in rooms.modules:
            if all(under in height for under in below[room]):
                height[room] = 1 + max((height[under] for under in below[room]), default=-1)
    return height


def without_implied(edges: set[Edge]) -> set[Edge]:
    """The edges that no longer path replaces."""
    reach = reached(edges)
    return {
        (above, under)
        for above, under in edges
        if not any(under in reach.get(step, ()) for start, step in edges if start == above)
    }


def crossings(edge: Edge, height: Mapping[str, int]) -> list[Place]:
    """The points that an arrow passes, from the upper end to the lower."""
    upper, lower = sorted(edge, key=lambda room: -height[room])
    between = range(height[upper] - 1, height[lower], -1)
    return [(height[upper], upper), *((layer, f"{upper}>{lower}") for layer in between), (height[lower], lower)]


class Drawing:
    """The rooms in their layers, ordered so that arrows are short."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.groups = circles(rooms)
        self.up = {edge for group in self.groups for edge in upward(group, rooms.imports)}
        down = set(rooms.imports) - self.up
        self.height = layers(rooms, down)
        self.red = {edge for edge in rooms.imports for group in self.groups if {*edge} <= {*group}}
        self.dark = without_implied(down) | self.red
        self.ways = {edge: crossings(edge, self.height) for edge in sorted(self.dark)}
        self.centres = self._arranged()
        self.width = max(max(x + self.wide(place) / 2 for place, x in self.centres.items()) + MARGIN, NARROWEST_PICTURE)

    def wide(self, place: Place) -> float:
        """The width of a room's box; small for an arrow that passes."""
        name = place[1]
        return max(len(name) * CHARACTER + 34, NARROWEST) if name in self.rooms.modules else 10

    def _arranged(self) -> dict[Place, float]:
        """The centre of each place, moved repeatedly towards the places that its arrows lead to."""
        near = defaultdict[Place, list[Place]](list)
        for way in self.ways.values():
            for upper, lower in pairwise(way):
                near[upper].append(lower)
                near[lower].append(upper)
        rows = defaultdict[int, list[Place]](list)
        for place in sorted({*near, *((height, room) for room, height in self.height.items())}):
            rows[place[0]].append(place)
        centres = {place: x for row in rows.values() for place, x in self._spread(row, {}).items()}
        for turn in range(ROUNDS):
            for layer in sorted(rows, reverse=turn % 2 == 0):
                wanted = {place: fmean(_sides(place, near[place], centres, turn)) for place in rows[layer]}
                rows[layer].sort(key=wanted.__getitem__)
                centres |= self._spread(rows[layer], wanted)
        left = min(x - self.wide(place) / 2 for place, x in centres.items()) - MARGIN
        right = max(x + self.wide(place) / 2 for place, x in centres.items()) + MARGIN
        left -= max(NARROWEST_PICTURE - (right - left), 0) / 2  # a narrow drawing is centred
        return {place: x - left for place, x in centres.items()}

    def _spread(self, row: list[Place], wanted: Mapping[Place, float]) -> dict[Place, float]:
        """Positions of the places of a row: in order, and as close to their targets as their widths allow."""
        runs: list[list[Place]] = []
        starts: list[float] = []
        for place in row:
            runs.append([place])
            starts.append(wanted.get(place, 0.0) - self.wide(place) / 2)
            while len(runs) > 1 and starts[-2] + self._length(runs[-2]) > starts[-1]:
                last, _ = runs.pop(), starts.pop()
                runs[-1] += last
                starts[-1] = fmean(wanted.get(other, 0.0) - offset for other, offset in self._offsets(runs[-1]))
        return {
            place: start + offset
            for run, start in zip(runs, starts, strict=True)
            for place, offset in self._offsets(run)
        }

    def _length(self, run: list[Place]) -> float:
        return sum(self.wide(place) + GAP for place in run)

    def _offsets(self, run: list[Place]) -> Iterator[tuple[Place, float]]:
        """The distance of the centre of each place from the start of a run."""
        start = 0.0
        for place in run:
            yield place, start + self.wide(place) / 2
            start += self.wide(place) + GAP

    def top(self, layer: int) -> float:
        """The upper edge of the boxes of a layer."""
        return 90 + (max(self.height.values()) - layer) * LAYER_HEIGHT

    def svg(self, title: str) -> str:
        """The picture."""
        tall = round(self.top(0) + BOX_HEIGHT + MARGIN)
        wide = round(self.width)
        red = sum(self.rooms.imports[edge] for edge in self.red)
        said = (
            f"{len(self.rooms.modules)} rooms, {sum(self.rooms.modules.values())} modules, "
            f"{sum(self.rooms.imports.values())} imports from room to room, {red} of them in circles, "
            f"{sum(self.rooms.imports[edge] for edge in self.up)} upward"
        )
        grey = sorted(set(self.rooms.imports) - self.dark)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}">',
            f"<style>{STYLE}</style>",
            *(
                marker(name, colour)
                for name, colour in (("way", "#37506a"), ("implied", "#d5dde5"), ("back", "#c62828"))
            ),
            f'<rect width="{wide}" height="{tall}" fill="#fff"/>',
            f'<text class="title left" x="{MARGIN}" y="30">{escape(title)}</text>',
            f'<text class="small left" x="{MARGIN}" y="50">{escape(said)}</text>',
            f'<text class="small left" x="{MARGIN}" y="67">{escape(LEGEND)}</text>',
            *(self._arrow(edge, [(self.height[room], room) for room in edge], "implied") for edge in grey),
            *(self._arrow(edge, self.ways[edge], "back" if edge in self.red else "way") for edge in self.ways),
            *(self._box(room) for room in sorted(self.rooms.modules)),
            *(self._count(edge) for edge in self.ways),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _points(self, edge: Edge, way: list[Place]) -> list[tuple[float, float]]:
        """The points of an arrow, from its start to its head. Two opposite arrows are drawn side by side."""
        aside = 7 if (edge[1], edge[0]) in self.rooms.imports else 0
        aside = -aside if edge in self.up else aside
        points = [(self.centres[way[0]] + aside, self.top(way[0][0]) + BOX_HEIGHT)]
        for place in way[1:-1]:
            points += [(self.centres[place] + aside, self.top(place[0]) + end) for end in (0, BOX_HEIGHT)]
        points.append((self.centres[way[-1]] + aside, self.top(way[-1][0])))
        return points[::-1] if edge in self.up else points

    def _arrow(self, edge: Edge, way: list[Place], kind: str) -> str:
        points = self._points(edge, way)
        path = f"M{points[0][0]:.0f},{points[0][1]:.0f}"
        for (x0, y0), (x1, y1) in pairwise(points):
            middle = (y0 + y1) / 2
            path += f" C{x0:.0f},{middle:.0f} {x1:.0f},{middle:.0f} {x1:.0f},{y1:.0f}"
        return f'<path class="{kind}" d="{path}" marker-end="url(#{kind})"/>'

    def _box(self, room: str) -> str:
        place = (self.height[room], room)
        x, y, wide = self.centres[place], self.top(place[0]), self.wide(place)
        number = self.rooms.modules[room]
        circle = " circle" if any(room in group for group in self.groups) else ""
        return (
            f'<rect class="box{circle}" x="{x - wide / 2:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{BOX_HEIGHT}"/>'
            f'<text x="{x:.0f}" y="{y + 18:.0f}">{escape(room)}</text>'
            f'<text class="small" x="{x:.0f}" y="{y + 33:.0f}">{number} module{"s" if number > 1 else ""}</text>'
        )

    def _count(self, edge: Edge) -> str:
        (x0, y0), (x1, y1) = self._points(edge, self.ways[edge])[:2]
        red = " red" if edge in self.red else ""
        return (
            f'<text class="count{red}" x="{(x0 + x1) / 2:.0f}" y="{(y0 + y1) / 2 + 4:.0f}">'
            f"{self.rooms.imports[edge]}</text>"
        )


def _sides(place: Place, near: list[Place], centres: Mapping[Place, float], turn: int) -> list[float]:
    """The places that a place is attracted to: alternately those above and below, and both in the last rounds."""
    above = turn % 2 == 0
    both = turn >= ROUNDS - 4
    return [centres[other] for other in near if both or (other[0] > place[0]) == above] or [centres[place]]


def marker(name: str, colour: str) -> str:
    """The head of an arrow."""
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto" '
        f'markerUnits="userSpaceOnUse"><path d="M0,0 L8,4 L0,8 z" style="fill: {colour}"/></marker>'
    )


def main() -> None:
    """Reads a package and writes its picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="its folder")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the SVG file to write")
    parser.add_argument("--title", default="Which room imports which")
    options = parser.parse_args()
    options.output.write_text(Drawing(read(options.package)).svg(options.title), "utf-8")


if __name__ == "__main__":
    main()
