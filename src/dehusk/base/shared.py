"""Objects that several threads may use at once."""

from typing import Any, Self


class Shared:
    """The base of classes with cached properties: their attributes are in a dictionary from the beginning.

    Python 3.11 creates the dictionary of an object when a cached property first asks for it. If the garbage collector
    runs just then, and lets another thread ask for it too, there are two for the same attributes, which are later freed
    twice: the process ends with a segmentation fault.
    """

    def __new__(cls, *_args: Any, **_options: Any) -> Self:
        """Creates the object with its dictionary."""
        made = super().__new__(cls)
        vars(made)
        return made
