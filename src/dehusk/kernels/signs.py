"""The signs of the blocks of a page, and their weights.

A sign is a number: `SINGLE` names the first of them, `dehusk.roles.observing` all.
"""

from array import array
from collections.abc import Callable, Collection, Mapping
from math import exp

from dehusk.kernels.sight import TELLING_INSIDE, Faded, Sight, TextBlock

SINGLE = (
    *("always", "kept", "gone", "top", "bottom", "opening", "first heading", "heading that stays", "heading that goes"),
    *("h1", "list in a list", "long list", "long list on documentation", "data that stays", "data that goes"),
    *("data of a thing", "no link", "few links", "links to this page", "long links", "short links", "several links"),
    *("label", "short", "long", "date", "date that goes", "has a date", "price", "rights", "by", "number"),
    *("number in link", "steps", "sentence", "prose", "sentence that goes", "colon", "label of a thing"),
    *("title of the page", "begins the title", "part of the title", "author"),
)
"""The signs that are not in a group, in the order of the numbers below."""

_ALWAYS, _KEPT, _GONE, _TOP, _BOTTOM, _OPENING, _FIRST_HEADING, _HEADING_STAYS, _HEADING_GOES = range(9)
_H1, _LIST_IN_LIST, _LONG_LIST, _LONG_LIST_ON_DOCUMENTATION, _DATA_STAYS, _DATA_GOES = range(9, 15)
_DATA_OF_THING, _NO_LINK, _FEW_LINKS, _TO_THIS_PAGE, _LONG_LINKS, _SHORT_LINKS, _SEVERAL_LINKS = range(15, 22)
_LABEL, _SHORT, _LONG, _DATE, _DATE_GOES, _HAS_DATE, _PRICE, _RIGHTS, _BY, _NUMBER = range(22, 32)
_NUMBER_IN_LINK, _STEPS, _SENTENCE, _PROSE, _SENTENCE_GOES, _COLON, _LABEL_OF_THING = range(32, 39)
_TITLE, _BEGINS_TITLE, _PART_OF_TITLE, _AUTHOR = range(39, 43)

PLACES = ("in content", "before content", "just before content", "just after content", "after content")
"""The place of a removed block relative to the content. Each is a sign, with a second one for forums."""

_BEFORE, _JUST_BEFORE, _JUST_AFTER, _AFTER = range(1, 5)

LABEL = 25
"""Maximum size of a text that is a name of something."""

SHORT_TEXT = 60
"""Maximum size of a text that is a label, a name or a link rather than prose."""

LONG_LINK = 22
"""Minimum size of a link that is the title of something rather than the name of a place."""

MOST_LINKS = 8
"""How many links of a block are checked."""

EDGE = 0.04
"""The share of a page's letters that counts as its top, and as its bottom."""

LONG_LIST = 15
"""Minimum number of items of a long list, including those of nested lists."""

_LONG_START = 8
_MOST_SIGNS, _MOST_TARGETS = 256, 32
_MOST_INSIDE = len(TELLING_INSIDE)
_INSIDE, _ITEM = 8, 24  # as in the bits of tags of `Sight`


class Weights:
    """The weights of signs: `table` has a row of points for each sign, with a column for each role.

    `families` has the first sign of each group. In removed blocks, the sign `other` replaces `record`.
    """

    def __init__(self, table: "array[float]", roles: int, families: Mapping[str, int], record: int, other: int) -> None:
        self.table, self.roles, self.record, self.other = table, roles, record, other
        self.under, self.says = families["under"], families["says"]
        self.all_in, self.links = families["all in"], families["links"]
        self.items, self.places, self.kinds = families["items"], families["places"], families["kinds"]

    def begun(self, names: Faded, kept: bool) -> "array[float]":
        """Returns the points that every block has, and those of its names."""
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
            # A removed record with a price is not what the page is about.
            row = (self.other if sign == self.record and not kept else sign) * self.roles
            strength = names.strengths[k]
            for role in range(self.roles):
                sums[role] = sums[role] + strength * self.table[row + role]
        return points


class Statement:
    """Titles, their parts, and authors of a page, as letters and digits only."""

    def __init__(self, titles: Collection[str], title_parts: Collection[str], authors: Collection[str]) -> None:
        self.titles, self.title_parts, self.authors = titles, title_parts, authors
        self.lengths = frozenset(map(len, (*titles, *title_parts, *authors)))


class Signs:
    """Finds the signs of the blocks of a page, and judges the blocks by them."""

    def __init__(
        self,
        sight: Sight,
        weights: Weights,
        statement: Statement,
        kind: str,
        kind_number: int,
        plain: Callable[[str], str],
        target_named: Callable[[str], int],
    ) -> None:
        """`plain` reduces a text to letters and digits; `target_named` returns the kinds of a URL as bits."""
        self.sight, self.weights, self.statement = sight, weights, statement
        self.plain, self.target_named = plain, target_named
        self.kind_number = kind_number
        self.on_forum, self.on_documentation = kind == "forum", kind == "documentation"
        self.about_thing = kind in {"product", "listing", "collection"}
        self.signs = array("i", bytes(4 * _MOST_SIGNS))
        self.strengths = array("d", bytes(8 * _MOST_SIGNS))
        self.count = 0

    def of(self, block: TextBlock) -> dict[int, float]:
        """Returns the signs of a block with their strengths, for training and inspection."""
        named = self.sight.named[block.node]
        signs = dict(zip(named.signs, named.strengths, strict=True))
        if not block.kept and self.weights.record in signs:
            signs[self.weights.other] = signs.pop(self.weights.record)
        self._look(block)
        for k in range(self.count):
            signs[self.signs[k]] = self.strengths[k]
        return signs

    def _see(self, sign: int) -> None:
        if self.count < _MOST_SIGNS:
            self.signs[self.count] = sign
            self.strengths[self.count] = 1.0
            self.count += 1

    def _look(self, block: TextBlock) -> None:
        """Collects the signs of a block, except those of its names."""
        self.count = 0
        self._look_at_place(block)
        self._look_at_tags(block)
        self._look_at_links(block)
        self._look_at_shape(block)
        if block.size <= 4 * SHORT_TEXT:
            self._look_at_statement(block)

    def _look_at_place(self, block: TextBlock) -> None:
        """Adds signs for kept or removed, the kind of page, and the place on the page."""
        kept, number = block.kept, block.number
        self._see(_KEPT if kept else _GONE)
        self._see(self.weights.kinds + 2 * self.kind_number + (not kept))
        if not kept:
            place = 0
            if number < self.sight.first_kept:
                place = _JUST_BEFORE if number > self.sight.far_before else _BEFORE
            elif number > self.sight.last_kept:
                place = _JUST_AFTER if number < self.sight.far_after else _AFTER
            self._see(self.weights.places + 2 * place)
            if self.on_forum:
                self._see(self.weights.places + 2 * place + 1)
        before = self.sight.letters_before[number] / self.sight.total
        if before < EDGE:
            self._see(_TOP)
        elif before > 1 - EDGE:
            self._see(_BOTTOM)
        if kept and number < self.sight.opening_end:
            self._see(_OPENING)
        if number == self.sight.first_heading:
            self._see(_FIRST_HEADING)
        for role in block.under:
            self._see(self.weights.under + role)

    def _look_at_tags(self, block: TextBlock) -> None:
        """Adds signs for the elements around the block and in it, its lists and its table."""
        kept, node = block.kept, block.node
        tagged = self.sight.tagged[node]
        for k in range(len(tagged.signs)):
            self._see(tagged.signs[k])
            self.strengths[self.count - 1] = tagged.strengths[k]
        if block.is_heading:
            self._see(_HEADING_STAYS if kept else _HEADING_GOES)
            if self.sight.tags[node] == "h1":
                self._see(_H1)
        elif self.sight.bits[node] >> _ITEM:
            self._see(self.weights.items + (self.sight.bits[node] >> _ITEM) - 1)
        shared = self.sight.inside(block)
        if shared:
            for k in range(_MOST_INSIDE):
                if shared >> (_INSIDE + k) & 1:
                    self._see(self.weights.all_in + k)
        if self.sight.depth[node] > 1:
            self._see(_LIST_IN_LIST)
        if self.sight.items[node] >= LONG_LIST:
            self._see(_LONG_LIST)
            if self.on_documentation:
                self._see(_LONG_LIST_ON_DOCUMENTATION)
        if self.sight.table[node] and self.sight.table[node] in self.sight.data_tables:
            self._see(_DATA_STAYS if kept else _DATA_GOES)
            if self.about_thing and kept:
                self._see(_DATA_OF_THING)
        for role in block.shape.said:
            self._see(self.weights.says + role)

    def _look_at_links(self, block: TextBlock) -> None:
        """Adds signs for the share of links and their form: names of places are short, titles of things are long."""
        count = len(block.anchors)
        if not count:
            self._see(_NO_LINK)
            return
        share = block.linked / block.size if block.size else 0.0
        if share < 0.5:
            self._see(_FEW_LINKS)
            return
        targets = [target for node in block.anchors if (target := self.sight.links[node])]
        few = targets[:MOST_LINKS]
        if len(few) == 1:
            every = self.target_named(few[0])
            for k in range(_MOST_TARGETS):
                if every >> k & 1:
                    self._see(self.weights.links + k)
        elif few:
            counts = [self.target_named(target) for target in few]
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
        """Adds signs for the shape of the text."""
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

    def _look_at_statement(self, block: TextBlock) -> None:
        """Adds signs for a text that is the title, a part of it, or the author."""
        shape, statement = block.shape, self.statement
        heads = block.kept and block.is_heading
        if not heads and shape.words not in statement.lengths and block.text.isascii():
            return
        text = shape.plain
        if text is None:
            text = shape.plain = self.plain(block.text)
        if text in statement.titles:
            self._see(_TITLE)
        elif heads and (text in statement.title_parts or _begins_one(text, statement.titles)):
            self._see(_BEGINS_TITLE)
        elif text in statement.title_parts:
            self._see(_PART_OF_TITLE)
        if text in statement.authors:
            self._see(_AUTHOR)

    def _add_up(self, block: TextBlock, own: "array[float]") -> None:
        """Writes the sum of the points of a block's signs, collected by `_look`, and of its names to `own`."""
        width, table = self.weights.roles, self.weights.table
        start = block.number * width
        begun = self.weights.begun(self.sight.named[block.node], block.kept)
        for role in range(width):
            own[start + role] = begun[role]
        for k in range(self.count):
            row = self.signs[k] * width
            strength = self.strengths[k]
            for role in range(width):
                own[start + role] = own[start + role] + strength * table[row + role]

    def judge(self) -> list[tuple[int, float]]:
        """Returns the role with most points for each block, and its probability. Points of the surroundings count too.

        Of two roles with the same points, the one with the smaller number is taken.
        """
        own = array("d", bytes(8 * self.weights.roles * len(self.sight.blocks)))
        points = own
        for block in self.sight.blocks:
            self._look(block)
            self._add_up(block, points)
        return self._best(points)

    def _best(self, own: "array[float]") -> list[tuple[int, float]]:
        width = self.weights.roles
        means: dict[int, array[float]] = {}
        total = array("d", bytes(8 * width))
        judged = []
        for block in self.sight.blocks:
            first, last, weight = self.sight.around(block)
            start = block.number * width
            for role in range(width):
                total[role] = own[start + role]
            if last > first:
                key = first * (len(self.sight.blocks) + 1) + last
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
    """Returns whether a title begins with a text."""
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
