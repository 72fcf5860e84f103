"""The signs of the texts of a page: what is around each, what it says and looks like, and what all of that counts.

A sign is a number: `SINGLE` names the first of them, `dehusk.roles.observing` all.
"""

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from math import exp

from dehusk.base.tags import BLOCKS, CELLS, FITTED_LISTS, HEADINGS
from dehusk.kernels.shapes import Shape, size_of

SINGLE = (
    *("always", "kept", "gone", "top", "bottom", "opening", "first heading", "heading that stays", "heading that goes"),
    *("h1", "list in a list", "long list", "long list on documentation", "data that stays", "data that goes"),
    *("data of a thing", "no link", "few links", "links to this page", "long links", "short links", "several links"),
    *("label", "short", "long", "date", "date that goes", "has a date", "price", "rights", "by", "number"),
    *("number in link", "steps", "sentence", "prose", "sentence that goes", "colon", "label of a thing"),
    *("title of the page", "begins the title", "part of the title", "author"),
)
"""The signs that stand alone, in the order of the numbers below."""

_ALWAYS, _KEPT, _GONE, _TOP, _BOTTOM, _OPENING, _FIRST_HEADING, _HEADING_STAYS, _HEADING_GOES = range(9)
_H1, _LIST_IN_LIST, _LONG_LIST, _LONG_LIST_ON_DOCUMENTATION, _DATA_STAYS, _DATA_GOES = range(9, 15)
_DATA_OF_THING, _NO_LINK, _FEW_LINKS, _TO_THIS_PAGE, _LONG_LINKS, _SHORT_LINKS, _SEVERAL_LINKS = range(15, 22)
_LABEL, _SHORT, _LONG, _DATE, _DATE_GOES, _HAS_DATE, _PRICE, _RIGHTS, _BY, _NUMBER = range(22, 32)
_NUMBER_IN_LINK, _STEPS, _SENTENCE, _PROSE, _SENTENCE_GOES, _COLON, _LABEL_OF_THING = range(32, 39)
_TITLE, _BEGINS_TITLE, _PART_OF_TITLE, _AUTHOR = range(39, 43)

PLACES = ("in content", "before content", "just before content", "just after content", "after content")
"""Where a block that goes stands from what stays. Each is a sign, and another on forums."""

_BEFORE, _JUST_BEFORE, _JUST_AFTER, _AFTER = range(1, 5)

LABEL = 25
"""Letters up to which a text is a name of something."""

SHORT_TEXT = 60
"""Letters up to which a text is a label, a name or a link rather than prose."""

LONG_LINK = 22
"""Letters from which a link is the title of something rather than the name of a place."""

MOST_LINKS = 8
"""Links of a block that are looked at."""

EDGE = 0.04
"""The share of a page's letters that is its top, and that is its bottom."""

LONG_LIST = 15
"""Items of a list, with those of the lists in it, from which it is a long one."""

FARTHER = 0.9
"""What a name or tag says counts less for what is farther inside, by this factor a step."""

MOST_OF_PAGE = 0.45
"""What holds this share of a page says little about what is in it."""

OPENING = 7
"""Blocks that content may begin with before its text: section, title, byline, date, summary."""

CLOSING = 3
"""Blocks that may end it after its text: date, writer, source."""

LARGEST_PART = 0.4
"""What holds more than this share of a page is not what is around a block."""

FEW_BLOCKS = 4
"""What is around a block is the innermost element with this many blocks."""

AROUND_WEIGHT = 0.7
"""How much the mean points around a block count beside its own."""

AROUND_HEADING = 1.0
"""The weight around a heading that goes: it belongs to what it stands over."""

CLEAR = 0.5
"""By how much both count less for a block that says itself what it is, by a name or a phrase."""

UNDER = 4
"""Blocks after such a heading that say what it stands over."""

TELLING = (
    *("nav", "footer", "aside", "form", "label", "button", "fieldset", "pre", "figcaption", "caption", "figure", "time"),
    *("address", "blockquote", "p", "menu", "cite", "option"),
)
"""Tags that say something about what is in them."""

TELLING_INSIDE = ("time", "code", "button", "label", "b", "strong")
"""Tags inside a block that say something about it, if they hold all of its text."""

ITEMS = ("li", "dt", "dd", "td", "th")
"""Tags that say something about a block that has one."""

_LONG_CELL, _LEAST_CELLS = 300, 4
_LONG_START = 8
_MOST_SIGNS, _MOST_TARGETS = 256, 32

_IS_BLOCK, _IS_HEADING, _IS_LIST, _IS_ITEM, _IS_CELL, _IS_LINK, _IS_TABLE, _LAYS_OUT = (1 << bit for bit in range(8))
_INSIDE, _TELLS, _ITEM = 8, 16, 24  # where the bits of tags inside begin, and the numbers of tags that tell, from 1 on
_TAGS: dict[str, int] = {}
for _bits, _tags in (
    *((_IS_BLOCK, BLOCKS), (_IS_HEADING, HEADINGS), (_IS_LIST, FITTED_LISTS), (_IS_ITEM, ("li", "dd"))),
    *((_IS_CELL, CELLS), (_IS_LINK, ("a",)), (_IS_TABLE, ("table",))),
    (_LAYS_OUT, (*HEADINGS, "table", "form", "nav", "article")),
    *((1 << (_INSIDE + number), (tag,)) for number, tag in enumerate(TELLING_INSIDE)),
    *((number << _TELLS, (tag,)) for number, tag in enumerate(TELLING, 1)),
    *((number << _ITEM, (tag,)) for number, tag in enumerate(ITEMS, 1)),
):
    for _tag in _tags:
        _TAGS[_tag] = _TAGS.get(_tag, 0) | _bits


_NOTHING = array("d", [0.0])


class TextBlock:
    """Texts beside each other in one element, `node`: what they say, how many of their letters are links, and to where.

    `number` is its place among the blocks of the page.
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
        """The roles that the heading over it speaks of: the last one before it in a part of the page."""


class Faded:
    """Signs that elements give to all that is in them, and how strong they still are at a place, from 0 to 1.

    `steps` has the same for elements right inside: pages of a site are alike, so most of it is made once.
    """

    def __init__(self, signs: list[int], strengths: list[float], own: bool) -> None:
        self.signs, self.strengths, self.own = signs, strengths, own
        self.bare: Faded | None = None
        self.steps: dict[tuple[int, ...], Faded] = {}
        self.faint_steps: dict[tuple[int, ...], Faded] = {}
        self.kept_weighed = self.gone_weighed = False
        self.kept_points = self.gone_points = _NOTHING


class Weights:
    """What signs count: `table` has a row of points for each sign, with a column for each role.

    `factors` say by how much each sign of names is fainter one element farther in. `other` is the sign that stands for
    `record` in what goes.
    """

    def __init__(
        self, table: "array[float]", roles: int, factors: "array[float]", record: int, other: int, families: Mapping[str, int]
    ) -> None:
        self.table, self.roles, self.factors, self.record, self.other = table, roles, factors, record, other
        self.named, self.under, self.says = families["named"], families["under"], families["says"]
        self.inside, self.all_in, self.links = families["in"], families["all in"], families["links"]
        self.items, self.places, self.kinds = families["items"], families["places"], families["kinds"]
        self.nothing = Faded([], [], False)
        self.count = 0

    def step(self, above: Faded, own: tuple[int, ...], strength: float) -> Faded:
        """What is left of the signs above in an element that has some of its own."""
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

    def begun(self, names: Faded, kept: bool) -> "array[float]":
        """The points that every block has, and those of its names."""
        if kept and not names.kept_weighed:
            names.kept_points = self._weighed(names, kept)
            names.kept_weighed = True
        elif not kept and not names.gone_weighed:
            names.gone_points = self._weighed(names, kept)
            names.gone_weighed = True
        return names.kept_points if kept else names.gone_points

    def _weighed(self, names: Faded, kept: bool) -> "array[float]":
        points = array("d", bytes(8 * self.roles))
        sums = points
        for role in range(self.roles):
            sums[role] = self.table[_ALWAYS * self.roles + role]
        for k in range(len(names.signs)):
            sign = names.signs[k]
            # A thing with a price that goes is another one than the page is about.
            row = (self.other if sign == self.record and not kept else sign) * self.roles
            strength = names.strengths[k]
            for role in range(self.roles):
                sums[role] = sums[role] + strength * self.table[row + role]
        return points


class Statement:
    """What a page says of itself, as letters and digits alone: its titles, their parts, and its authors."""

    def __init__(self, titles: Collection[str], title_parts: Collection[str], authors: Collection[str]) -> None:
        self.titles, self.title_parts, self.authors = titles, title_parts, authors
        self.lengths = frozenset(map(len, (*titles, *title_parts, *authors)))


class Sight:
    """What is seen of a page: its blocks, what is around each of them, and all their signs."""

    def __init__(
        self,
        weights: Weights,
        tree: "tuple[array[int], array[int], Sequence[str], Sequence[str], Sequence[str]]",
        gone: Sequence[int],
        kind: str,
        kind_number: int,
        names: Sequence[tuple[int, ...] | None],
    ) -> None:
        """`tree` has parents, sizes, tags, texts and links; `names` what each element's names speak of, as signs."""
        self.weights = weights
        self.parent, self.tree_size, self.tags, self.texts, self.links = tree
        self.kind_number = kind_number
        self.on_forum, self.on_documentation = kind == "forum", kind == "documentation"
        self.about_thing = kind in {"product", "listing", "collection"}
        self.blocks: list[TextBlock] = []
        self.signs = array("i", bytes(4 * _MOST_SIGNS))
        self.strengths = array("d", bytes(8 * _MOST_SIGNS))
        self.count = 0
        self._walk(gone, names)

    def _walk(self, gone: Sequence[int], names: Sequence[tuple[int, ...] | None]) -> None:
        """All that is around each node, from the top down, and the blocks."""
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
        self.named = [self.weights.nothing]
        self.tagged = [self.weights.nothing]
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
            self.named.append(self.weights.step(named, own or (), 1.0 if share < MOST_OF_PAGE else 0.25))
            number = here >> _TELLS & 255
            if number and (share < MOST_OF_PAGE or tags[node] == "pre"):
                tagged = self.weights.step(tagged, (self.weights.inside + number - 1,), 1.0)
            self.tagged.append(tagged)
        before[count] = len(self.blocks)
        for block in self.blocks:
            block.kept = not gone[block.texts[0]]
            block.is_heading = bits[block.node] & _IS_HEADING != 0
            if len(block.texts) == 1:
                block.text = texts[block.texts[0]]
            else:
                block.text = " ".join([texts[text] for text in block.texts])
            if len(block.anchors) > 1:
                block.anchors = list(dict.fromkeys(block.anchors))
        self.data_tables = self._data_tables()

    def _data_tables(self) -> set[int]:
        """The tables that hold data and do not lay out the page."""
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
        """Reads what each block says, and what stands over each; `comment` is the number of that role."""
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
        self.letters_before = letters = array("i", bytes(4 * (len(self.blocks) + 1)))
        for block in self.blocks:
            letters[block.number + 1] = letters[block.number] + block.size
            said = block.shape.said
            if said or block.is_heading:
                end = self._end_of_part(block, comment in said and block.is_heading)
                for number in range(block.number + 1, end):
                    other = self.blocks[number]
                    other.under = said

    def _end_of_part(self, block: TextBlock, comments: bool) -> int:
        """The number of the first block that is not in the innermost element that has some after this one."""
        node = self.parent[block.node]
        while node >= 0:
            if self.size[node] / self.total > LARGEST_PART and not comments:
                break
            end = self.blocks_before[node + self.tree_size[node]]
            if end > block.number + 1:
                return end
            node = self.parent[node]
        return block.number + 1

    def _see(self, sign: int) -> None:
        if self.count < _MOST_SIGNS:
            self.signs[self.count] = sign
            self.strengths[self.count] = 1.0
            self.count += 1

    def look(self, block: TextBlock, statement: Statement, plain: Callable[[str], str], target_named: Callable[[str], int]) -> None:
        """Notes the signs of a block, but for those of its names."""
        self.count = 0
        self._look_at_place(block)
        self._look_at_tags(block)
        self._look_at_links(block, target_named)
        self._look_at_shape(block)
        if block.size <= 4 * SHORT_TEXT:
            self._look_at_statement(block, statement, plain)

    def _look_at_place(self, block: TextBlock) -> None:
        """Whether it stays, on which kind of page, where on it, and where from what stays."""
        kept, number = block.kept, block.number
        self._see(_KEPT if kept else _GONE)
        self._see(self.weights.kinds + 2 * self.kind_number + (not kept))
        if not kept:
            place = 0
            if number < self.first_kept:
                place = _JUST_BEFORE if number > self.first_kept - OPENING else _BEFORE
            elif number > self.last_kept:
                place = _JUST_AFTER if number < self.last_kept + CLOSING else _AFTER
            self._see(self.weights.places + 2 * place)
            if self.on_forum:
                self._see(self.weights.places + 2 * place + 1)
        before = self.letters_before[number] / self.total
        if before < EDGE:
            self._see(_TOP)
        elif before > 1 - EDGE:
            self._see(_BOTTOM)
        if kept and number < self.opening_end:
            self._see(_OPENING)
        if number == self.first_heading:
            self._see(_FIRST_HEADING)
        for role in block.under:
            self._see(self.weights.under + role)

    def _look_at_tags(self, block: TextBlock) -> None:
        """What the elements around it are, those in it that hold all of its text, its lists and its table."""
        kept, node = block.kept, block.node
        tagged = self.tagged[node]
        for k in range(len(tagged.signs)):
            self._see(tagged.signs[k])
            self.strengths[self.count - 1] = tagged.strengths[k]
        if block.is_heading:
            self._see(_HEADING_STAYS if kept else _HEADING_GOES)
            if self.tags[node] == "h1":
                self._see(_H1)
        elif self.bits[node] >> _ITEM:
            self._see(self.weights.items + (self.bits[node] >> _ITEM) - 1)
        shared = self._inside(block)
        if shared:
            for k in range(len(TELLING_INSIDE)):
                if shared >> (_INSIDE + k) & 1:
                    self._see(self.weights.all_in + k)
        if self.depth[node] > 1:
            self._see(_LIST_IN_LIST)
        if self.items[node] >= LONG_LIST:
            self._see(_LONG_LIST)
            if self.on_documentation:
                self._see(_LONG_LIST_ON_DOCUMENTATION)
        if self.table[node] and self.table[node] in self.data_tables:
            self._see(_DATA_STAYS if kept else _DATA_GOES)
            if self.about_thing and kept:
                self._see(_DATA_OF_THING)
        for role in block.shape.said:
            self._see(self.weights.says + role)

    def _inside(self, block: TextBlock) -> int:
        """The tags of elements in a block that hold all of its text, where they say something, as bits."""
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

    def _look_at_links(self, block: TextBlock, target_named: Callable[[str], int]) -> None:
        """How much of it is links, and what they look like: names of places are short, titles of things are long."""
        count = len(block.anchors)
        if not count:
            self._see(_NO_LINK)
            return
        share = block.linked / block.size if block.size else 0.0
        if share < 0.5:
            self._see(_FEW_LINKS)
            return
        targets = [target for node in block.anchors if (target := self.links[node])]
        few = targets[:MOST_LINKS]
        if len(few) == 1:
            every = target_named(few[0])
            for k in range(_MOST_TARGETS):
                if every >> k & 1:
                    self._see(self.weights.links + k)
        elif few:
            counts = [target_named(target) for target in few]
            every = 0
            for k in range(len(counts)):
                every |= counts[k]
            for k in range(_MOST_TARGETS):
                if every >> k & 1 and 2 * sum([count >> k & 1 for count in counts]) > len(counts):
                    self._see(self.weights.links + k)
        if targets and share > 0.8 and all([target[0] == "#" and len(target) > 1 for target in targets]):
            self._see(_TO_THIS_PAGE)
        elif block.linked / count >= LONG_LINK:
            self._see(_LONG_LINKS)
        else:
            self._see(_SHORT_LINKS)
        if count > 2:
            self._see(_SEVERAL_LINKS)

    def _look_at_shape(self, block: TextBlock) -> None:
        """What the text looks like, and whether it is prose or a label."""
        shape, kept, linked = block.shape, block.kept, len(block.anchors) > 0
        short = block.size <= SHORT_TEXT
        self._see(_LABEL if block.size <= LABEL else _SHORT if short else _LONG)
        if shape.dated >= 0.4 and short:
            self._see(_DATE if kept else _DATE_GOES)
        elif shape.dated:
            self._see(_HAS_DATE)
        if shape.priced:
            self._see(_PRICE)
        if shape.reserves_rights:
            self._see(_RIGHTS)
        if shape.begins_byline:
            self._see(_BY)
        if shape.is_number:
            self._see(_NUMBER_IN_LINK if linked else _NUMBER)
        if linked and short and shape.has_steps:
            self._see(_STEPS)
        if shape.ends_sentence:
            if not linked or 2 * block.linked < block.size:
                self._see(_SENTENCE if short else _PROSE)
                if not kept:
                    self._see(_SENTENCE_GOES)
        elif short:
            if shape.ends_in_colon:
                self._see(_COLON)
            if kept and self.about_thing and not (block.is_heading and not linked):
                self._see(_LABEL_OF_THING)

    def _look_at_statement(self, block: TextBlock, statement: Statement, plain: Callable[[str], str]) -> None:
        """What the page says about itself: its title, its writer, the name of its site."""
        shape = block.shape
        heads = block.kept and block.is_heading
        if not heads and shape.words not in statement.lengths and block.text.isascii():
            return
        text = shape.plain
        if text is None:
            text = shape.plain = plain(block.text)
        if text in statement.titles:
            self._see(_TITLE)
        elif heads and (text in statement.title_parts or _begins_one(text, statement.titles)):
            self._see(_BEGINS_TITLE)
        elif text in statement.title_parts:
            self._see(_PART_OF_TITLE)
        if text in statement.authors:
            self._see(_AUTHOR)

    def around(self, block: TextBlock) -> tuple[int, int, float]:
        """Which blocks of the page are around this one, from the first to before the last, and how much they count."""
        heads = block.is_heading and not block.kept
        weight = AROUND_HEADING if heads else AROUND_WEIGHT
        if self.named[block.node].own or block.shape.said:
            weight *= CLEAR
        node = self.parent[block.node] if heads else block.node
        first = block.number + 1
        while node >= 0:
            last = self.blocks_before[node + self.tree_size[node]]
            if heads:  # the first blocks that follow it in the innermost element where any do
                if last > first:
                    return first, min(last, first + UNDER), weight
            else:  # the blocks of the innermost element with a few of them; none if that is most of the page
                if self.size[node] / self.total > LARGEST_PART:
                    break
                if last - self.blocks_before[node] >= FEW_BLOCKS:
                    return self.blocks_before[node], last, weight
            node = self.parent[node]
        return 0, 0, weight

    def _add_up(self, block: TextBlock, own: "array[float]") -> None:
        """Adds up what the signs of a block count that were noted last, and those of its names."""
        width, table = self.weights.roles, self.weights.table
        start = block.number * width
        begun = self.weights.begun(self.named[block.node], block.kept)
        for role in range(width):
            own[start + role] = begun[role]
        for k in range(self.count):
            row = self.signs[k] * width
            strength = self.strengths[k]
            for role in range(width):
                own[start + role] = own[start + role] + strength * table[row + role]

    def judge(
        self, statement: Statement, plain: Callable[[str], str], target_named: Callable[[str], int]
    ) -> list[tuple[int, float]]:
        """The role of each block with the most points, and how sure that is. Points of what is around it count too.

        Of two roles with as many, it is the one with the smaller number.
        """
        own = array("d", bytes(8 * self.weights.roles * len(self.blocks)))
        points = own
        for block in self.blocks:
            self.look(block, statement, plain, target_named)
            self._add_up(block, points)
        return self._best(points)

    def _best(self, own: "array[float]") -> list[tuple[int, float]]:
        width = self.weights.roles
        means: dict[int, array[float]] = {}
        total = array("d", bytes(8 * width))
        judged = []
        for block in self.blocks:
            first, last, weight = self.around(block)
            start = block.number * width
            for role in range(width):
                total[role] = own[start + role]
            if last > first:
                key = first * (len(self.blocks) + 1) + last
                if key not in means:
                    means[key] = _mean(own, first, last, width)
                mean = means[key]
                for role in range(width):
                    total[role] = total[role] + weight * mean[role]
            best = 0
            for role in range(width):
                if total[role] > total[best]:
                    best = role
            others = 0.0
            for role in range(width):
                others += exp(total[role] - total[best])
            judged.append((best, 1 / others))
        return judged


def _begins_one(text: str, titles: Collection[str]) -> bool:
    """Whether a title begins so."""
    return len(text) > _LONG_START and any([title.startswith(text) for title in titles])


def _mean(own: "array[float]", first: int, last: int, width: int) -> "array[float]":
    sums = array("d", bytes(8 * width))
    mean = sums
    for row in range(first * width, last * width, width):
        for role in range(width):
            mean[role] = mean[role] + own[row + role]
    for role in range(width):
        mean[role] = mean[role] / (last - first)
    return sums
