"""The blocks of text of a page, the elements and blocks around each, and the division of a page into parts."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dehusk.base.tags import BLOCKS, CELLS, HEADINGS, LISTS
from dehusk.kernels.shapes import Shape, letters_in, size_of

FARTHER = 0.9
"""Factor by which a sign of a name or tag is weaker for each level farther inside."""

MOST_OF_PAGE = 0.45
"""An element with this share of a page says little about its content."""

OPENING = 7
"""How many blocks may open the content before its text: section, title, byline, date, summary."""

CLOSING = 3
"""How many blocks may close it after its text: date, author, source."""

LARGEST_PART = 0.4
"""An element with more than this share of a page does not count as the surroundings of a block."""

FEW_BLOCKS = 4
"""The surroundings of a block are the innermost element with at least this many blocks."""

AROUND_WEIGHT = 0.7
"""The weight of the mean points of the surroundings, relative to the block's own."""

AROUND_HEADING = 1.0
"""That weight for a removed heading, whose surroundings are the blocks after it."""

CLEAR = 0.5
"""Factor of both weights for a block with a name or phrase of its own that suggests a role."""

UNDER = 4
"""How many blocks after a removed heading are its surroundings."""

TELLING = (
    *(
        "nav",
        "footer",
        "aside",
        "form",
        "label",
        "button",
        "fieldset",
        "pre",
        "figcaption",
        "caption",
        "figure",
        "time",
    ),
    *("address", "blockquote", "p", "menu", "cite", "option"),
)
"""Tags that suggest the role of their content."""

TELLING_INSIDE = ("time", "code", "button", "label", "b", "strong")
"""Tags inside a block that suggest its role, if they hold all of its text."""

ITEMS = ("li", "dt", "dd", "td", "th")
"""Tags that suggest the role of a block with this tag."""

_LONG_CELL, _LEAST_CELLS = 300, 4
_NOTHING = array("d", [0.0])

_IS_BLOCK, _IS_HEADING, _IS_LIST, _IS_ITEM, _IS_CELL, _IS_LINK, _IS_TABLE, _LAYS_OUT = (1 << bit for bit in range(8))
_INSIDE, _TELLS, _ITEM = 8, 16, 24  # first bits of TELLING_INSIDE, and of the numbers (from 1) of TELLING and ITEMS
_TAGS: dict[str, int] = {}
for _bits, _tags in (
    *((_IS_BLOCK, BLOCKS), (_IS_HEADING, HEADINGS), (_IS_LIST, LISTS), (_IS_ITEM, ("li", "dd"))),
    *((_IS_CELL, CELLS), (_IS_LINK, ("a",)), (_IS_TABLE, ("table",))),
    (_LAYS_OUT, (*HEADINGS, "table", "form", "nav", "article")),
    *((1 << (_INSIDE + number), (tag,)) for number, tag in enumerate(TELLING_INSIDE)),
    *((number << _TELLS, (tag,)) for number, tag in enumerate(TELLING, 1)),
    *((number << _ITEM, (tag,)) for number, tag in enumerate(ITEMS, 1)),
):
    for _tag in _tags:
        _TAGS[_tag] = _TAGS.get(_tag, 0) | _bits


class TextBlock:
    """Consecutive texts in one block element, `node`: their text, size, size of links, and link elements.

    `number` is its position among the blocks of the page.
    """

    def __init__(self, number: int, node: int) -> None:
        self.number, self.node = number, node
        self.texts: list[int] = []
        self.text = ""
        self.size = 0
        self.linked = 0
        self.anchors: list[int] = []
        self.kept = False
        self.is_heading = False
        self.shape: Shape
        self.under: tuple[int, ...] = ()
        """The roles that the last heading before it suggests."""


class Faded:
    """Signs inherited from ancestors, and their strengths at a place, from 0 to 1.

    `steps` caches the signs of child elements: pages of a site are alike, so most are computed once.
    """

    def __init__(self, signs: list[int], strengths: list[float], own: bool) -> None:
        self.signs, self.strengths, self.own = signs, strengths, own
        self.bare: Faded | None = None
        self.steps: dict[tuple[int, ...], Faded] = {}
        self.faint_steps: dict[tuple[int, ...], Faded] = {}
        self.kept_weighed = self.gone_weighed = False
        self.kept_points = self.gone_points = _NOTHING


class Ways:
    """Computes and caches the inherited signs along paths of elements.

    `factors` say by how much each sign is weaker one level farther inside.
    """

    def __init__(self, factors: "array[float]") -> None:
        self.factors = factors
        self.nothing = Faded([], [], own=False)
        self.count = 0

    def step(self, above: Faded, own: tuple[int, ...], strength: float) -> Faded:
        """Returns the signs in a child element, from those above and its own."""
        steps = above.steps if strength == 1.0 else above.faint_steps
        if not own and not above.signs:
            return above
        faded = steps.get(own) if own else above.bare
        if faded is not None:
            return faded
        self.count += 1
        signs: list[int] = []
        strengths: list[float] = []
        for k in range(len(above.signs)):
            sign = above.signs[k]
            signs.append(sign)
            strengths.append(strength if sign in own else self.factors[sign] * above.strengths[k])
        for sign in own:
            if sign not in above.signs:
                signs.append(sign)
                strengths.append(strength)
        faded = Faded(signs, strengths, bool(own) and strength == 1.0)
        if own:
            steps[own] = faded
        else:
            above.bare = faded
        return faded


class Sight:
    """The blocks of a page, and the surroundings of each."""

    def __init__(
        self,
        ways: Ways,
        tree: "tuple[array[int], array[int], Sequence[str], Sequence[str], Sequence[str]]",
        gone: Sequence[int],
        names: Sequence[tuple[int, ...] | None],
        telling: int,
    ) -> None:
        """`tree` has parents, sizes, tags, texts and links; `names` the signs of each element's names.

        `telling` is the number of the first sign of TELLING.
        """
        self.ways = ways
        self.parent, self.tree_size, self.tags, self.texts, self.links = tree
        self.blocks: list[TextBlock] = []
        self._walk(gone, names, telling)

    def _walk(self, gone: Sequence[int], names: Sequence[tuple[int, ...] | None], telling: int) -> None:
        """Computes the surroundings of each node from the root down, and the blocks."""
        count = len(self.parent)
        parent, texts, tags = self.parent, self.texts, self.tags
        self.size = size = array("i", bytes(4 * count))
        for node in range(count):
            if texts[node]:
                size[node] = size_of(texts[node])
        for node in range(count - 1, 0, -1):
            size[parent[node]] = size[parent[node]] + size[node]
        self.total = max(1, size[0])
        self.bits = bits = array("i", bytes(4 * count))
        items_before = array("i", bytes(4 * (count + 1)))
        for node in range(count):
            here = _TAGS.get(tags[node], 0)
            bits[node] = here
            items_before[node + 1] = items_before[node] + (here & _IS_ITEM != 0)
        self.table = table = array("i", bytes(4 * count))
        self.depth = depth = array("i", bytes(4 * count))
        self.items = items = array("i", bytes(4 * count))
        self.named = [self.ways.nothing]
        self.tagged = [self.ways.nothing]
        holder, link = array("i", bytes(4 * count)), array("i", bytes(4 * count))
        self.blocks_before = before = array("i", bytes(4 * (count + 1)))
        block: TextBlock | None = None
        for node in range(1, count):
            above = parent[node]
            before[node] = len(self.blocks)
            holder[node], link[node], table[node] = holder[above], link[above], table[above]
            depth[node], items[node] = depth[above], items[above]
            named, tagged = self.named[above], self.tagged[above]
            if texts[node]:
                self.named.append(named)
                self.tagged.append(tagged)
                if block is None or block.node != holder[node]:
                    block = TextBlock(len(self.blocks), holder[node])
                    self.blocks.append(block)
                block.texts.append(node)
                block.size += size[node]
                if link[node]:
                    block.linked += size[node]
                    if not block.anchors or block.anchors[len(block.anchors) - 1] != link[node]:
                        block.anchors.append(link[node])
                continue
            here = bits[node]
            if here & _IS_BLOCK:
                holder[node] = node
            if here & _IS_LINK:
                link[node] = node
            if here & _IS_TABLE:
                table[node] = node
            if here & _IS_LIST:
                if not items[node]:
                    items[node] = items_before[node + self.tree_size[node]] - items_before[node]
                depth[node] = depth[node] + 1
            share = size[node] / self.total
            own = names[node]
            self.named.append(self.ways.step(named, own or (), 1.0 if share < MOST_OF_PAGE else 0.25))
            number = here >> _TELLS & 255
            if number and (share < MOST_OF_PAGE or tags[node] == "pre"):
                tagged = self.ways.step(tagged, (telling + number - 1,), 1.0)
            self.tagged.append(tagged)
        before[count] = len(self.blocks)
        for block in self.blocks:
            block.kept = not gone[block.texts[0]]
            block.is_heading = bits[block.node] & _IS_HEADING != 0
            block.text = " ".join([texts[text] for text in block.texts])
            if len(block.anchors) > 1:
                block.anchors = list(dict.fromkeys(block.anchors))
        self.data_tables = self._data_tables()

    def _data_tables(self) -> set[int]:
        """Returns the tables that hold data, not layout."""
        layout: set[int] = set()
        long: set[int] = set()
        headed: set[int] = set()
        cells: dict[int, int] = {}
        for node in range(1, len(self.parent)):
            above = self.table[self.parent[node]]
            if not above:
                continue
            here = self.bits[node]
            if here & _LAYS_OUT:
                layout.add(above)
            if here & _IS_CELL:
                cells[above] = cells.get(above, 0) + 1
                if self.size[node] > _LONG_CELL:
                    long.add(above)
                if self.tags[node] == "th":
                    headed.add(above)
        layout |= long - headed
        return {table for table, number in cells.items() if number >= _LEAST_CELLS and table not in layout}

    def read(
        self,
        known_shape: Callable[[str], Shape],
        shape_of: Callable[[str], Shape],
        longest_known: int,
        comment: int,
    ) -> None:
        """Computes the shape of each block, and the heading over each. `comment` is the number of that role."""
        for block in self.blocks:
            block.shape = known_shape(block.text) if len(block.text) <= longest_known else shape_of(block.text)
        self.first_kept, self.last_kept, self.opening_end, self.first_heading = len(self.blocks), -1, 0, -1
        opened = 0
        for block in self.blocks:
            if block.kept:
                self.first_kept = min(self.first_kept, block.number)
                self.last_kept = block.number
                if opened < OPENING:
                    opened += 1
                    self.opening_end = block.number + 1
                    if block.is_heading and self.first_heading < 0:
                        self.first_heading = block.number
        self.far_before, self.far_after = self.first_kept - OPENING, self.last_kept + CLOSING
        self.letters_before = letters = array("i", bytes(4 * (len(self.blocks) + 1)))
        over: list[tuple[int, Any]] = []  # headings whose part is open: the end of the part, and what they say
        for block in self.blocks:
            letters[block.number + 1] = letters[block.number] + block.size
            while over and over[len(over) - 1][0] <= block.number:
                over.pop()
            if over:
                block.under = over[len(over) - 1][1]
            said = block.shape.said
            if said or block.is_heading:
                end = self._end_of_part(block, comment in said and block.is_heading)
                over.append((end, said))

    def _end_of_part(self, block: TextBlock, comments: bool) -> int:
        """Returns the end (number of a block) of the innermost element that has blocks after this one."""
        node = self.parent[block.node]
        while node >= 0:
            if self.size[node] / self.total > LARGEST_PART and not comments:
                break
            end = self.blocks_before[node + self.tree_size[node]]
            if end > block.number + 1:
                return end
            node = self.parent[node]
        return block.number + 1

    def inside(self, block: TextBlock) -> int:
        """Returns as bits which of TELLING_INSIDE hold all text of a block."""
        shared = 255 << _INSIDE
        for text in block.texts:
            here = 0
            node = self.parent[text]
            while node > block.node:
                here |= self.bits[node]
                node = self.parent[node]
            shared &= here
            if not shared:
                break
        return shared

    def around(self, block: TextBlock) -> tuple[int, int, float]:
        """Returns the range of blocks around this one (first, and end), and their weight."""
        heads = block.is_heading and not block.kept
        weight = AROUND_HEADING if heads else AROUND_WEIGHT
        if self.named[block.node].own or block.shape.said:
            weight *= CLEAR
        node = self.parent[block.node] if heads else block.node
        first = block.number + 1
        while node >= 0:
            last = self.blocks_before[node + self.tree_size[node]]
            if heads:  # the first blocks after it in the innermost element that has any
                if last > first:
                    return first, min(last, first + UNDER), weight
            else:  # the blocks of the innermost element with FEW_BLOCKS; none if it is most of the page
                if self.size[node] / self.total > LARGEST_PART:
                    break
                if last - self.blocks_before[node] >= FEW_BLOCKS:
                    return self.blocks_before[node], last, weight
            node = self.parent[node]
        return 0, 0, weight


def pieces(
    parent: "array[int]",
    size: "array[int]",
    texts: Sequence[str],
    judged: Iterable[tuple[TextBlock, Any, float]],
    unwritten: bytearray,
) -> list[tuple[Any, bool, float, list[int]]]:
    """Divides a page into pieces: consecutive texts with the same role that are all written or all not.

    Returns for each piece its role, whether it is written, its confidence, and the largest nodes that hold only it.
    """
    before = array("i", bytes(4 * (len(texts) + 1)))  # texts before each node
    counts = before
    for node in range(len(texts)):
        counts[node + 1] = counts[node] + (1 if texts[node] else 0)
    found: list[tuple[Any, bool, float, list[int]]] = []
    together: list[int] = []
    role: Any = None
    gone = whole = 0
    sure = 0.0
    for block, its_role, confidence in judged:
        for text in block.texts:
            if its_role is not role or unwritten[text] != gone:
                if together:
                    found.append((role, not gone, sure / whole, _cover(parent, size, together, counts)))
                role, gone = its_role, unwritten[text]
                together, whole, sure = [], 0, 0.0
            together.append(text)
            letters = max(1, letters_in(texts[text]))
            whole += letters
            sure += letters * confidence
    if together:
        found.append((role, not gone, sure / whole, _cover(parent, size, together, counts)))
    return found


def _cover(parent: "array[int]", size: "array[int]", texts: list[int], before: "array[int]") -> list[int]:
    """Returns the largest nodes that hold only these consecutive texts."""
    first, last = before[texts[0]], before[texts[len(texts) - 1] + 1]
    nodes: list[int] = []
    end = 0
    for text in texts:
        if text < end:
            continue
        node = text
        above = parent[node]
        while above > 0 and before[above] >= first and before[above + size[above]] <= last:
            node = above
            above = parent[node]
        end = node + size[node]
        nodes.append(node)
    return nodes
