"""The tree: the shape whose version of every verb is the one in ``core.search.verbs``."""

from typing import NamedTuple


class Tree(NamedTuple):
    """The shape; it needs no memory besides the tree. Numba requires a NamedTuple to have a field."""

    unused: int = 0


TREE = Tree()
