"""A node of a page, as all know it who do not know the parser."""

from typing import final


@final
class Node:
    """A node of the parser's. It can be passed on, compared and hashed; what it holds, the page says (`dehusk.page`).

    Only for types: at run time it is the parser's own object, so nothing is wrapped or an instance of this class.
    """

    __slots__ = ()
