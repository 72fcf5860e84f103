"""What speaks for each role of a block: rules that give points. The role with the most points wins.

Each kind of evidence is one function. None knows the others; what is unsure is settled by what is around it.
"""

from collections.abc import Callable, Iterator, Mapping

from dehusk.roles import shapes
from dehusk.roles.blocks import Block
from dehusk.roles.role import Role
from dehusk.roles.sight import Sight

Points = Iterator[tuple[Role, float]]

FRAME = frozenset(
    {
        Role.RELATED,
        Role.NAVIGATION,
        Role.BREADCRUMBS,
        Role.CONTENTS,
        Role.TAGS,
        Role.TOOLS,
        Role.FORM,
        Role.PROMOTION,
        Role.ADVERTISEMENT,
        Role.LEGAL,
        Role.NOTICE,
        Role.MASTHEAD,
        Role.COMMENT,
    }
)
"""Roles of what is around the content."""

CONTENT = frozenset(Role) - FRAME
"""Roles of what the page itself has to say."""

LOST = frozenset({Role.BYLINE, Role.DATE, Role.CAPTION, Role.HEADING})
"""Roles of content that templates often have."""

SHORT = 60
"""Letters up to which a text is a label, a name or a link rather than prose."""

LONG_LINK = 22
"""Letters from which a link is the title of something rather than the name of a place."""

_LOUD = {Role.ADVERTISEMENT: 4.5, Role.BREADCRUMBS: 5.5, Role.NOTICE: 3.5}
"""What a name counts, where it is not 3 points: nobody gives these by chance."""

_STEPS = frozenset({">", ">>", "»", "›", "→", "::"})
"""What stands between the steps of a path."""

_LISTS = frozenset({"listing", "collection"})
_THINGS = frozenset({"product", "listing", "collection"})


def by_names(sight: Sight, block: Block) -> Points:
    """What the authors of the page call the element and those around it."""
    beside = not sight.kept(block) and sight.kind not in _LISTS
    for role, loud in sight.named[block.node].items():
        # A thing with a price that goes is another one than the page is about.
        yield Role.RELATED if beside and role is Role.RECORD else role, _LOUD.get(role, 3.0) * loud


def by_verdict(sight: Sight, block: Block) -> Points:
    """Whether it stays. What goes is seldom the page's own text."""
    if sight.kept(block):
        for role in Role:
            yield role, 1.5 if role in CONTENT else -1.5
        yield Role.BODY, 1.0
        return
    for role in Role:
        yield role, 1.5 if role in FRAME else 0.0 if role in LOST else -1.5
    yield Role.NAVIGATION, 0.3
    if sight.kind in _LISTS:
        yield Role.RECORD, 1.5
    for role in LOST:
        yield role, 1.0 if sight.among(block) else -7.0
    if not sight.among(block):
        yield Role.TAGS, -1.0


_TAGS: Mapping[str, tuple[tuple[Role, float], ...]] = {
    "nav": ((Role.NAVIGATION, 3.0),),
    "menu": ((Role.NAVIGATION, 2.0),),
    "footer": ((Role.NAVIGATION, 1.0), (Role.LEGAL, 0.8)),
    "aside": ((Role.RELATED, 1.5),),
    "form": ((Role.FORM, 4.5),),
    "label": ((Role.FORM, 2.5),),
    "fieldset": ((Role.FORM, 1.0),),
    "option": ((Role.FORM, 2.0),),
    "button": ((Role.TOOLS, 2.0), (Role.FORM, 1.0)),
    "pre": ((Role.CODE, 6.0),),
    "figcaption": ((Role.CAPTION, 4.5),),
    "caption": ((Role.CAPTION, 4.5),),
    "figure": ((Role.CAPTION, 1.5),),
    "time": ((Role.DATE, 3.0),),
    "address": ((Role.BYLINE, 1.0),),
    "cite": ((Role.BYLINE, 1.0),),
    "blockquote": ((Role.BODY, 1.0), (Role.POST, 0.5)),
    "p": ((Role.BODY, 0.5),),
}


def by_tags(sight: Sight, block: Block) -> Points:
    """What the elements around it are."""
    for tag, near in sight.tagged[block.node].items():
        for role, points in _TAGS.get(tag, ()):
            yield role, points * (1.0 if tag == "form" else near)
    if sight.is_heading(block) and sight.kept(block):
        yield Role.HEADING, 5.5
        if sight.tree.tag[block.node] == "h1":
            yield Role.TITLE, 2.0


def by_inner_tags(sight: Sight, block: Block) -> Points:
    """What the elements in it are, where they hold all of its text."""
    tree = sight.tree
    inner = [{tree.tag[above] for above in tree.ancestors(text) if above > block.node} for text in block.texts]
    shared = set.intersection(*inner) if inner else set()
    if "time" in shared:
        yield Role.DATE, 3.0
    if "code" in shared or "tt" in shared or "samp" in shared:
        yield Role.CODE, 1.0
    if "button" in shared:
        yield Role.TOOLS, 1.5
    if "label" in shared:
        yield Role.FORM, 2.5


def by_tables(sight: Sight, block: Block) -> Points:
    """What a cell of a table, or an item of a list of names and values, is part of."""
    tree = sight.tree
    steps = [block.node, *tree.ancestors(block.node)]
    table = next((one for one in steps if tree.tag[one] == "table"), None)
    if table in sight.data_tables and sight.kept(block):
        rows = [one for one in range(table, table + tree.size[table]) if tree.tag[one] == "tr"]
        few = sum(sum(tree.tag[cell] in ("td", "th") for cell in tree.children(row)) <= 3 for row in rows)
        if sight.kind in _THINGS and few >= 0.7 * len(rows):
            yield Role.RECORD, 3.0
        else:
            yield Role.TABLE, 3.5
    if tree.tag[block.node] in ("dt", "dd") and sight.kind in _THINGS:
        yield Role.RECORD, 1.5


def by_phrases(sight: Sight, block: Block) -> Points:
    """What a short text says of itself."""
    for role in sight.said(block):
        yield role, 3.0 if block.share_linked > 0.9 or sight.is_heading(block) else 2.0


def by_place(sight: Sight, block: Block) -> Points:
    """Where in the content it is."""
    if block.number not in sight.opening:
        yield Role.LEAD, -3.0
        yield Role.TITLE, -1.5
    if block.number == sight.first_heading:
        yield Role.TITLE, 3.5
    if sight.is_heading(block) and not sight.kept(block) and sight.among(block):
        yield Role.HEADING, 1.0


def by_links(sight: Sight, block: Block) -> Points:
    """How much of it is links, and what they look like: names of places are short, titles of things are long."""
    if not block.links or block.share_linked < 0.5:
        return
    if "form" not in sight.tagged[block.node]:
        yield Role.FORM, -2.5
    targets = [sight.tree.link[above] for one in block.texts for above in sight.tree.ancestors(one)]
    here = [target for target in targets if target]
    if here and block.share_linked > 0.8 and all(target.startswith("#") and len(target) > 1 for target in here):
        yield Role.CONTENTS, 2.5
    if not sight.kept(block) and sight.among(block) and sight.kind == "article":
        yield Role.RELATED, 1.0
    if shapes.is_number(block.text):
        yield Role.NAVIGATION, 2.5
    elif sight.kind != "documentation" and block.linked / block.links >= LONG_LINK and not sight.said(block):
        yield Role.RELATED, 2.5
        yield Role.NAVIGATION, -1.0
    else:
        yield Role.NAVIGATION, 1.8
    if sight.kept(block) and sight.kind in _LISTS:
        yield Role.RECORD, 1.5


def by_shape(sight: Sight, block: Block) -> Points:
    """What the text looks like."""
    text, short = block.text, block.size <= SHORT
    if short and shapes.dated(text) >= 0.4:
        yield Role.DATE, 3.5 if sight.kept(block) or sight.among(block) else 1.0
    if short and shapes.priced(text):
        yield Role.RECORD, 1.5
    if block.size <= 6 * SHORT and shapes.reserves_rights(text):
        yield Role.LEGAL, 4.0
    if short and shapes.begins_byline(text):
        yield Role.BYLINE, 2.5
    if short and block.size >= SHORT / 2 and shapes.sentences(text) and sight.tree.tag[block.node] == "p":
        yield Role.BODY, 1.0
    if block.links and any(sight.tree.text[one] in _STEPS for one in block.texts):
        yield Role.BREADCRUMBS, 2.0
    if not short and shapes.sentences(text) and block.share_linked < 0.5:
        yield Role.BODY, 2.0
        yield Role.RELATED, 1.2
        yield Role.PROMOTION, 0.8
        yield Role.POST, 1.0
        yield Role.COMMENT, 0.4
        for role in (Role.NAVIGATION, Role.BREADCRUMBS, Role.TAGS, Role.DATE, Role.BYLINE, Role.MASTHEAD):
            yield role, -2.0


def by_statement(sight: Sight, block: Block) -> Points:
    """What the page says about itself: its title, its writer, the name of its site."""
    if block.size > 4 * SHORT:
        return
    text = shapes.plain(block.text)
    heading = sight.is_heading(block)
    if text in sight.titles or (text in sight.title_parts and heading and sight.kept(block)):
        yield Role.TITLE, 5.0 if heading else 2.5
    elif heading and len(text) > 8 and any(one.startswith(text) for one in sight.titles) and sight.kept(block):
        yield Role.TITLE, 3.0
    elif text in sight.title_parts and not sight.kept(block):
        yield Role.MASTHEAD, 2.5
    if text in sight.authors:
        yield Role.BYLINE, 3.5


def by_kind(sight: Sight, block: Block) -> Points:
    """What pages of this kind are made of."""
    if not sight.kept(block):
        if sight.kind == "forum" and sight.among(block):
            yield Role.BYLINE, 2.8 if block.size <= SHORT / 2 else 1.5
        return
    if sight.kind == "forum" and not sight.is_heading(block):
        yield Role.POST, 2.5
    named = sight.is_heading(block) and not block.links
    if sight.kind in _LISTS and not named:
        yield Role.RECORD, 2.0
    if sight.kind in _THINGS and not named and block.size <= SHORT and not shapes.sentences(block.text):
        yield Role.RECORD, 1.8


EVIDENCE: tuple[Callable[[Sight, Block], Points], ...] = (
    by_names,
    by_verdict,
    by_tags,
    by_inner_tags,
    by_tables,
    by_phrases,
    by_place,
    by_links,
    by_shape,
    by_statement,
    by_kind,
)
"""All kinds of evidence."""


def points(sight: Sight, block: Block) -> dict[Role, float]:
    """The sum of all evidence for each role."""
    found = dict.fromkeys(Role, 0.0)
    for evidence in EVIDENCE:
        for role, some in evidence(sight, block):
            found[role] += some
    return found
