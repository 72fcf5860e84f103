"""Pages of a site as selectors see them: the names of their elements, and what of them goes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from dehusk.base.tree import TEXT, Tree, letters
from dehusk.metadata import Metadata
from dehusk.page import Page
from dehusk.page.places import Naming, Place, Step
from dehusk.templates.template import Template


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page: its tree, what goes, the names of each element that are of the site, and elements by their names."""

    page: Page
    tree: Tree
    gone: bytearray
    topmost: list[int]
    steps: Sequence[Step]
    by_name: dict[str, set[int]]
    metadata: Metadata
    before: list[int]
    """Letters before each node."""
    kept_before: list[int]
    """Letters before each node that stay."""

    def letters(self, node: int) -> int:
        """How many letters are at and below a node."""
        return self.before[node + self.tree.size[node]] - self.before[node]

    def kept(self, node: int) -> int:
        """How many of them stay."""
        return self.kept_before[node + self.tree.size[node]] - self.kept_before[node]

    def text(self, node: int) -> str:
        """All text at and below a node."""
        return " ".join(filter(None, self.tree.text[node : node + self.tree.size[node]]))

    def kind(self, node: int) -> Place:
        """The place of an element on any page of the site. Where it has an id, that is enough of a name."""
        steps = (self.steps[one] for one in [node, *self.tree.ancestors(node)][::-1])
        return tuple(Step(step.tag, step.id) if step.id else step for step in steps)

    def at(self, place: Place) -> Iterator[int]:
        """The elements at the end of some steps, wherever these begin, in page order."""
        names = [self.by_name.get(name, set()) for name in _names(place[-1])]
        for node in sorted(set.intersection(*names)):
            above = [node, *self.tree.ancestors(node)][: len(place)]
            if len(above) == len(place) and all(
                _fits(self.steps[one], step) for one, step in zip(above, reversed(place), strict=True)
            ):
                yield node


def seen(template: Template, page: Page) -> SeenPage:
    """A page as the template cleans it."""
    cleaned = template.clean(page)
    marking, tree = cleaned.marking, page.tree
    naming = Naming(tree)
    steps = [Step(TEXT) if tag == TEXT else naming.lasting(node) for node, tag in enumerate(tree.tag)]
    by_name: dict[str, set[int]] = {}
    for node, step in enumerate(steps):
        for name in _names(step):
            by_name.setdefault(name, set()).add(node)
    sizes = list(map(letters, tree.text))
    stay = (size * (not gone) for size, gone in zip(sizes, marking.flags, strict=True))
    sums = [0, *accumulate(sizes)], [0, *accumulate(stay)]
    return SeenPage(page, tree, marking.flags, marking.topmost, steps, by_name, cleaned.metadata, *sums)


def _names(step: Step) -> list[str]:
    return [step.tag, *([f"#{step.id}"] if step.id else []), *(f".{name}" for name in step.classes)]


def _fits(has: Step, wanted: Step) -> bool:
    if has.tag != wanted.tag or wanted.id not in (None, has.id):
        return False
    return all(name in has.classes for name in wanted.classes)
