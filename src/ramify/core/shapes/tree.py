"""The tree: the shape whose version of every verb is the one in ``core.search.verbs``."""

from typing import NamedTuple


class Tree(NamedTuple):
    """It needs nothing beside the tree; a NamedTuple that Numba knows has a field."""

    unused: int = 0


TREE = Tree()
